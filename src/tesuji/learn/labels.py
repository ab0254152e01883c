"""Positions with the value that a deep search gives them, kept in a file.

Each line of the file is one JSON object: the game, the moves that lead to the position, and the
value, the first player's expected reward.  Positions come one from each game, which a quick search
plays up to a random move; so they are as unlike as possible.  Labelling takes long: a file may be
stopped at any time, and goes on where it ends with the same positions.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tesuji.compile import draw_below, seed_of, stream
from tesuji.errors import ConfigError, TesujiError
from tesuji.game import Game
from tesuji.position import Position
from tesuji.search.config import SearchConfig
from tesuji.search.limit import Limit
from tesuji.searcher import Searcher

QUICK = 50  # the searches that lead to a position have so many times fewer simulations
FEWEST = 10  # simulations of a search
LATEST = 0.6  # of the board: positions come after at most so many moves


class Label(NamedTuple):
    """A position with its value."""

    moves: tuple[str, ...]
    value: float  #: the first player's expected reward

    def position(self, game: Game) -> Position:
        """The position itself."""
        return Position.start(game).play(*self.moves)


class Labeller:
    """Makes labels by search; the n-th is always the same."""

    def __init__(
        self, game: Game, config: SearchConfig, simulations: int, *, seed: int = 0
    ) -> None:
        if simulations < FEWEST:
            raise ConfigError(f"simulations is {simulations}, it must be at least {FEWEST}")
        self.game = game
        self.config = config
        self.simulations = simulations
        self.seed = seed

    def label(self, n: int) -> Label:
        """Play a game up to a random move, then search that position."""
        searcher = Searcher(self.game, self.config, seed=seed_of(self.seed, "label", n))
        latest = int(LATEST * self.game.max_moves)
        plies = draw_below(stream(self.seed, "label", n, "plies"), latest + 1)
        quick = Limit(simulations=max(self.simulations // QUICK, FEWEST))
        position = Position.start(self.game)
        for _ in range(plies):
            after = position.play(searcher.search(position, quick).move)
            if after.over:
                break
            position = after
        searcher.forget()
        found = searcher.search(position, Limit(simulations=self.simulations)).value
        moves = tuple(map(self.game.move_text, position.line))
        return Label(moves, found if position.mover == 0 else 1.0 - found)

    def fill(self, path: Path, count: int, progress: Callable[[int], None] | None = None) -> None:
        """Add to a file until it has ``count`` labels."""
        done = len(read_labels(path, self.game)) if path.exists() else 0
        for n in range(done, count):
            append_label(path, self.game, self.label(n))
            if progress is not None:
                progress(n + 1)


def append_label(path: Path, game: Game, label: Label) -> None:
    """Add a line to a file."""
    row = {"game": game.spec, "moves": " ".join(label.moves), "value": round(label.value, 6)}
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None


def read_labels(path: Path, game: Game) -> list[Label]:
    """The labels of a file; each line is checked."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise ConfigError(f"cannot read the positions {path}: {reason}") from None
    labels = []
    for number, line in enumerate(lines, start=1):
        try:
            labels.append(_parsed(line, game))
        except RecursionError:
            raise ConfigError(f"{path}, line {number} is nested too deeply") from None
        except (ValueError, KeyError, TypeError, AttributeError, TesujiError) as error:
            raise ConfigError(
                f"{path}, line {number} is no position of {game.spec}: {error}"
            ) from None
    return labels


def _parsed(line: str, game: Game) -> Label:
    row = json.loads(line)
    label = Label(tuple(row["moves"].split()), float(row["value"]))
    if row["game"] != game.spec:
        raise ValueError(f"it is one of {row['game']}")
    if not 0.0 <= label.value <= 1.0:
        raise ValueError(f"its value is {label.value}, which must be 0 to 1")
    if label.position(game).over:
        raise ValueError("the game is over")
    return label
