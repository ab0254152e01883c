"""What planning found: a line of moves with its score, kept in a small JSON file, played again."""

import json
import math
import os
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from tesuji.errors import StoreError
from tesuji.game import Game
from tesuji.games import is_file, load
from tesuji.position import Position

EXACT = 1e-9  # how far a score may be from the file's: uncompiled logarithms differ in the last bit


class Found(NamedTuple):
    """What a search knows when it is asked."""

    score: float
    line: tuple[str, ...]
    playouts: int  #: of this search
    seconds: float


@dataclass(frozen=True)
class Solution:
    """The best line that was found."""

    game: str  #: the game with its parameters
    before: tuple[str, ...]  #: the moves from the start to the position where the line begins
    score: float  #: of the finished game: the game's own, or the reward if it has none
    line: tuple[str, ...]
    method: str  #: its name, or `tree` for settings of the tree search without one
    settings: dict[str, Any]
    playouts: int  #: of this search
    seconds: float
    seed: int
    code: str = ""  #: its identity (`tesuji.identity`); "" in files that do not say
    machine: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    def save(self, path: str | Path) -> None:
        """Write a file that `read` reads; it is whole at every moment."""
        path = Path(path)
        spare = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            spare.write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")
            spare.replace(path)
        except OSError as error:
            spare.unlink(missing_ok=True)
            raise StoreError(f"cannot write {path}: {error.strerror}") from None

    def replay(self, game: Game | None = None, *, jit: bool | None = None) -> Position:
        """The end of the line, every move checked against the rules, and its score compared.

        A game in a Python file must be given: what a solution names, which may come from anybody,
        does not run.
        """
        if game is None:
            if is_file(self.game):
                raise StoreError(
                    f"the line is of {self.game!r}, a Python file, which runs only if you name it "
                    "beside the line"
                )
            game = load(self.game)
        end = Position.start(game, jit=jit).play(*self.before, *self.line)
        if end.score is None:
            raise StoreError(
                f"the line of {len(self.line)} moves does not end the game {game.spec}"
            )
        if not math.isclose(end.score, self.score, rel_tol=EXACT, abs_tol=EXACT):
            raise StoreError(f"the line scores {end.score:g}, not {self.score:g}")
        return end

    def __str__(self) -> str:
        rate = self.playouts / max(self.seconds, 1e-9)
        return "\n".join(
            [
                f"{self.game}: score {self.score:g} with {len(self.line)} moves",
                " ".join(self.line),
                f"{self.playouts:,} playouts in {self.seconds:.2f} s ({rate:,.0f}/s)",
            ]
        )


def read(path: str | Path) -> Solution:
    """A solution that was saved."""
    try:
        table = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):  # nested too deeply for anybody
        raise StoreError(f"{path} is not a solution: it is not JSON") from None
    names = {field.name: field.default for field in fields(Solution)}
    needed = {name for name, default in names.items() if default is MISSING}
    if not isinstance(table, dict) or not needed <= set(table) <= set(names):
        raise StoreError(
            f"{path} is not a solution: it must have the keys {', '.join(sorted(needed))}"
        )
    return _from_table(table, path)


def _from_table(table: dict[str, Any], path: str | Path) -> Solution:
    for key, kind, what in (
        ("game", str, "a text"),
        ("score", int | float, "a number"),
        ("before", list, "a list of moves"),
        ("line", list, "a list of moves"),
    ):
        if not isinstance(table[key], kind):
            raise StoreError(f"{path} is not a solution: {key} is {table[key]!r}, not {what}")
    lines = {key: tuple(map(str, table[key])) for key in ("before", "line")}
    return Solution(**{**table, **lines})
