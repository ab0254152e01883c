"""Openings: the moves that a pair of games starts from.

``start`` (none), ``random:K`` (K random plies), ``balanced:K`` (K random plies that a search thinks
even) or a file with one opening a line.  An opening depends only on the match's seed and the pair,
so both games of a pair, and a resumed match, get the same.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tesuji.compile import draw_below, stream
from tesuji.errors import ConfigError, MoveError
from tesuji.game import CHANCE, Game
from tesuji.position import Position
from tesuji.search.limit import Limit
from tesuji.searcher import Searcher

TRIES = 2000  # random openings to draw before giving up on one that does not end the game
CHECKED = 10  # pairs whose openings are tried before a match
EVEN = 0.1  # a balanced opening's value is at most this far from one half
EVEN_SIMULATIONS = 1000
EVEN_TRIES = 30  # after so many the most even one is taken


@dataclass(frozen=True)
class Openings:
    """Where the games of a match start from."""

    kind: str = "start"  #: start, random, balanced or list
    plies: int = 0
    lines: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Openings":
        """Read what a user wrote: ``start``, ``random:4``, ``balanced:6`` or the path of a file."""
        kind, _, plies = text.partition(":")
        if text == "start":
            return cls()
        if kind in ("random", "balanced"):
            if not plies.isdecimal() or not 1 <= int(plies) <= 1000:
                raise ConfigError(f"opening {text!r} needs a number of plies, such as {kind}:4")
            return cls(kind, int(plies))
        if not Path(text).is_file():
            raise ConfigError(
                f"opening {text!r} is no file; valid: start, random:K, balanced:K, or a path"
            )
        return cls("list", lines=_read(Path(text)))

    def to_json(self) -> dict[str, Any]:
        """Plain data, for a store."""
        return {"kind": self.kind, "plies": self.plies, "lines": [list(x) for x in self.lines]}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Openings":
        """The other way round."""
        return cls(data["kind"], data["plies"], tuple(tuple(line) for line in data["lines"]))

    def check(self, game: Game, seed: int = 0) -> None:
        """Refuse openings that cannot be played."""
        if self.kind == "list":
            for number, line in enumerate(self.lines, 1):
                try:
                    position = Position.start(game).play(*line)
                except MoveError as error:
                    raise ConfigError(f"opening {number} ({' '.join(line)}): {error}") from None
                if position.over:
                    raise ConfigError(f"opening {number} ({' '.join(line)}) ends the game")
        elif self.kind != "start":
            for pair in range(CHECKED):
                _random(Position.start(game), self.plies, stream(seed, "opening", pair))

    def position(self, game: Game, seed: int, pair: int) -> Position:
        """The position that the games of a pair start from."""
        start = Position.start(game)
        if self.kind == "start":
            return start
        if self.kind == "list":
            return start.play(*self.lines[pair % len(self.lines)])
        if self.kind == "random":
            return _random(start, self.plies, stream(seed, "opening", pair))
        return _balanced(start, self.plies, seed, pair)


def _read(path: Path) -> tuple[tuple[str, ...], ...]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the openings {path}: {error}") from None
    lines = [line.partition("#")[0].replace(",", " ").split() for line in text.splitlines()]
    found = tuple(tuple(line) for line in lines if line)
    if not found:
        raise ConfigError(f"there is no opening in {path}; write one a line, as moves with blanks")
    return found


def _random(start: Position, plies: int, rng: Any) -> Position:
    for _ in range(TRIES):
        position = start
        while position.ply < plies and not position.over:
            dice = position.mover == CHANCE
            count = len(position.moves)
            move = position.roll(rng) if dice else position.moves[draw_below(rng, count)]
            position = position.play(move)
        if not position.over:
            return position
    raise ConfigError(f"{plies} random plies end almost every game of {start.game.spec}")


@lru_cache(maxsize=64)
def _balanced(start: Position, plies: int, seed: int, pair: int) -> Position:
    """The first of some random openings that looks even, or the most even of them."""
    rng = stream(seed, "opening", pair)
    best, distance = start, 1.0
    for _ in range(EVEN_TRIES):
        position = _random(start, plies, rng)
        searcher = _judge(position.game)
        searcher.forget()
        value = searcher.search(position, Limit(EVEN_SIMULATIONS)).value
        if abs(value - 0.5) < distance:
            best, distance = position, abs(value - 0.5)
        if distance <= EVEN:
            break
    return best


@lru_cache(maxsize=4)
def _judge(game: Game) -> Searcher:
    return Searcher(game)
