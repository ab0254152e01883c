"""Sets of rules by their names, as game records and other programs call them.

All are played with area scoring here.  They are the nearest that our parameters have to rules that
differ in other things as well, such as points for handicap stones.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tesuji.game import Game
from tesuji.games import load


class Ruleset(NamedTuple):
    """What a name stands for."""

    suicide: bool
    superko: str
    sgf: str  #: what game records call it

    @property
    def parameters(self) -> dict[str, object]:
        """As parameters of Go."""
        return {"suicide": self.suicide, "superko": self.superko}


RULESETS = {
    "chinese": Ruleset(False, "positional", "Chinese"),
    "tromp-taylor": Ruleset(True, "positional", "Tromp-Taylor"),
    "aga": Ruleset(False, "situational", "AGA"),
    "new-zealand": Ruleset(True, "situational", "NZ"),
}
OTHER_NAMES = {"nz": "new-zealand", "goe": "tromp-taylor", "ing": "tromp-taylor"}


def find_ruleset(name: str) -> Ruleset | None:
    """The rules of this name in any spelling; None if it is unknown.

    >>> find_ruleset("New Zealand") == find_ruleset("nz") == RULESETS["new-zealand"]
    True
    """
    plain = "-".join(name.lower().replace("_", " ").split())
    return RULESETS.get(OTHER_NAMES.get(plain, plain))


def ruleset_of(parameters: Mapping[str, Any]) -> Ruleset:
    """The rules that a game with these parameters has."""
    own = {key: parameters[key] for key in ("suicide", "superko")}
    return next(rules for rules in RULESETS.values() if rules.parameters == own)


def variant(game: Game, **changes: object) -> Game:
    """A game of Go with other parameters; only another size compiles anything.

    >>> variant(load("go:size=5"), suicide=True)
    <Game go:size=5,suicide=true>
    """
    wanted = {**game.parameters, **changes}
    usual = load("go").parameters
    told = [f"{key}={value}" for key, value in wanted.items() if value != usual[key]]
    return load(":".join(filter(None, ["go", ",".join(told)])))
