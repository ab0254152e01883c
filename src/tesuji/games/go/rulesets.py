"""Sets of rules by their names, and games that go on under other rules.

The names are those of game records and other programs.  All are played with area scoring here.
They are the nearest that our parameters have to rules that differ in other things as well, such as
points for handicap stones.

Komi, suicide and superko are part of the state, so the same compiled code plays by all of them.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from tesuji.errors import ConfigError, PositionError, choices
from tesuji.game import Game
from tesuji.games import load
from tesuji.games.go.setup import path_to, with_rules
from tesuji.position import Position

FIELDS = ("komi", "suicide", "situational")  # what the rules are in a state


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


#: the rules that KataGo tells apart, and what each may be here
KATA: dict[str, tuple[object, ...]] = {
    "friendlyPassOk": (False, True),  # how passes are meant: nothing that a game is played by
    "hasButton": (False,),
    "ko": ("POSITIONAL", "SITUATIONAL"),
    "scoring": ("AREA",),
    "suicide": (False, True),
    "tax": ("NONE",),
    "whiteHandicapBonus": ("0",),
}


def to_kata(parameters: Mapping[str, Any]) -> dict[str, object]:
    """The rules of a game with these parameters as KataGo writes them, without komi."""
    always = {key: valid[0] for key, valid in KATA.items() if len(valid) == 1}
    chosen = {"ko": parameters["superko"].upper(), "suicide": parameters["suicide"]}
    return dict(sorted({**always, **chosen}.items()))


def from_kata(rules: Mapping[str, object]) -> dict[str, object]:
    """Rules as KataGo writes them, or some of them, as parameters of Go.

    >>> from_kata({"ko": "SITUATIONAL", "scoring": "AREA", "suicide": True})
    {'superko': 'situational', 'suicide': True}
    """
    for key, value in rules.items():
        if key not in KATA:
            raise ConfigError(f"unknown rule {key!r}; {choices(key, KATA)}")
        told, valid = json.dumps(value), [json.dumps(one) for one in KATA[key]]
        if told not in valid:  # as JSON, where 1 is not true
            raise ConfigError(f"{key} is {told}, it must be {' or '.join(valid)}")
    superko = {"superko": str(rules["ko"]).lower()} if "ko" in rules else {}
    suicide = {"suicide": rules["suicide"]} if "suicide" in rules else {}
    return {**superko, **suicide}


def variant(game: Game, **changes: object) -> Game:
    """A game of Go with other parameters; only another size compiles anything.

    >>> variant(load("go:size=5"), suicide=True)
    <Game go:size=5,suicide=true>
    """
    wanted = {**game.parameters, **changes}
    name = game.spec.partition(":")[0]
    usual = load(name).parameters
    told = [f"{key}={value}" for key, value in wanted.items() if value != usual[key]]
    return load(":".join(filter(None, [name, ",".join(told)])))


class Retelling:
    """Positions of a game as they are in a variant with other rules; illegal ones are refused."""

    def __init__(self, game: Game) -> None:
        self._game = game
        start = Position.start(game).state[0]
        self._rules = {key: start[key] for key in FIELDS}
        self._known: dict[int, Position] = {}  # by the identity of the old position

    def __call__(self, position: Position) -> Position:
        for old in path_to(position):
            if id(old) not in self._known:
                self._known[id(old)] = self._retell(old)
        return self._known[id(position)]

    def _retell(self, old: Position) -> Position:
        """The same position, once the one before it is known."""
        previous = None if old.previous is None else self._known[id(old.previous)]
        if previous is not None and old.move is not None and old.move not in previous.moves:
            number = sum(at.move is not None for at in path_to(old))
            raise PositionError(
                f"move {number} of this game, {previous.mover_name} {old.game.move_text(old.move)},"
                f" is not legal in {self._game.spec}"
            )
        return with_rules(old, previous, self._rules, self._game)
