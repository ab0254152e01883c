"""Games that people have played, read from SGF files.

A file ``*.gz`` is a collection with one game a line; any other file is one game.  Of each game only
the main line counts.  `read_records` gives the games of one board size as lines of moves; what it
could not use it counts by reason, because one bad game of thousands should not end the work.
"""

import gzip
import itertools
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.errors import ConfigError, PositionError
from tesuji.game import Size
from tesuji.games.go.board import PASS
from tesuji.games.go.sgf import parse_sgf


class Records(NamedTuple):
    """Lines of moves from the empty board, one behind the other."""

    moves: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int64]  #: where each game begins, and where the last one ends
    left_out: dict[str, int]  #: games that were not used, by reason

    def __len__(self) -> int:
        return len(self.ends) - 1


def read_records(paths: Iterable[Path], size: int, most: int | None = None) -> Records:
    """The games on boards of this size, at most so many; refuses files without any."""
    lines: list[list[int]] = []
    left_out: Counter[str] = Counter()
    for text in itertools.chain.from_iterable(map(_texts, paths)):
        if most is not None and len(lines) >= most:
            break
        try:
            lines.append(_line(text, Size(size, size)))
        except ValueError as error:
            left_out[str(error)] += 1
    if not lines:
        reasons = ", ".join(f"{count} with {reason}" for reason, count in left_out.items())
        raise ConfigError(f"there is no game on {size}x{size} in the files ({reasons or 'empty'})")
    ends = np.cumsum([0, *map(len, lines)])
    return Records(np.array(list(itertools.chain(*lines)), np.int32), ends, dict(left_out))


def _texts(path: Path) -> Iterator[bytes]:
    """The games of a file, each as it stands there."""
    try:
        if path.suffix == ".gz":
            with gzip.open(path) as file:
                yield from (line for line in file if line.strip())
        else:
            yield path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "it is not a complete gzip file"
        raise ConfigError(f"cannot read the games of {path}: {reason}") from None


def _line(text: bytes, size: Size) -> list[int]:
    """The moves of one game; raises ValueError with the reason if it cannot be used."""
    try:
        record = parse_sgf(text)
    except PositionError:
        raise ValueError("text that is not SGF") from None
    if record.size != size:
        raise ValueError(f"size {record.size}")
    if any(step.changes_stones for step in record.steps):
        raise ValueError("stones that were set up")
    return _in_turn(step.move for step in record.steps if step.move is not None)


def _in_turn(moves: Iterable[tuple[int, int]]) -> list[int]:
    """Who moves twice in a row lets the other pass in between."""
    line: list[int] = []
    for player, move in moves:
        if player != len(line) % 2:
            line.append(PASS)
        line.append(move)
    return line
