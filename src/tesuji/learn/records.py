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
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sgfmill import sgf

from tesuji.errors import ConfigError
from tesuji.game import Size
from tesuji.games.go.board import PASS, Board, make_board

COLOURS = ("b", "w")


class Records(NamedTuple):
    """Lines of moves from the empty board, one behind the other."""

    moves: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int64]  #: where each game begins, and where the last one ends
    left_out: dict[str, int]  #: games that were not used, by reason

    def __len__(self) -> int:
        return len(self.ends) - 1


def read_records(paths: Iterable[Path], size: int, most: int | None = None) -> Records:
    """The games on boards of this size, at most so many; refuses files without any."""
    board = make_board(Size(size, size))
    lines: list[list[int]] = []
    left_out: Counter[str] = Counter()
    for text in itertools.chain.from_iterable(map(_texts, paths)):
        if most is not None and len(lines) >= most:
            break
        try:
            lines.append(_line(text, board))
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


def _line(text: bytes, board: Board) -> list[int]:
    """The moves of one game; raises ValueError with the reason if it cannot be used."""
    try:
        game = sgf.Sgf_game.from_bytes(text)
        nodes = game.get_main_sequence()
        if any(node.has_setup_stones() for node in nodes):
            raise ValueError("stones that were set up")
        moves = [move for node in nodes if (move := node.get_move())[0] is not None]
    except ValueError as error:
        known = str(error) == "stones that were set up"
        raise ValueError(str(error) if known else "text that is not SGF") from None
    if game.get_size() != board.size.width:
        raise ValueError(f"size {game.get_size()}")
    return _in_turn(moves, board)


def _in_turn(moves: list[tuple[str, Any]], board: Board) -> list[int]:
    """Vertices; who moves twice in a row lets the other pass in between."""
    line: list[int] = []
    for colour, point in moves:
        if colour != COLOURS[len(line) % 2]:
            line.append(PASS)
        line.append(PASS if point is None else _vertex(point, board))
    return line


def _vertex(point: tuple[int, int], board: Board) -> int:
    row, column = point
    return int(board.vertices[row * board.size.width + column])
