"""Facets: what a game can tell beside its rules, so that others need not know which game it is.

All are optional, and each is declared by a field of `Game`:

================  ================================================================================
``board``         `Board`: cells, what stands on them, which of them a person clicks for a move,
                  and how a position is set up; pictures, text and programs with a board read it
``territory``     `Territory`: whose the points are when a game is over, and what that is worth
``symmetries``    `Symmetry`: turned and mirrored boards on which the same game goes on
================  ================================================================================

Everything here is plain Python except for the kernels of `Territory`.  A state is given as kernels
see it: ``state.board[3]``.  Cells are known by their index in ``Board.cells``, and *contents* are a
list with one number a cell: 0 for nothing, ``k`` for ``pieces[k - 1]``.  So a picture needs
``cells``, ``pieces`` and ``contents``, and a learner's planes are

    [[what == k for what in contents] for k in range(1, len(board.pieces) + 1)]
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from tesuji.errors import GameError, choices

NOBODY = -1  #: the player of pieces that have no owner
EMPTY = 0  #: what stands on a cell when nothing does

#: How a cell looks: a square, a hexagon with a corner at its top, or a point where lines cross.
SHAPES = ("square", "hexagon", "point")
ROW_HEIGHT = math.sqrt(3) / 2  #: from one row of hexagons to the next
NEAR = 1.001  # from one cell to a neighbour
DIGITS = 6  # of coordinates that are compared

#: turns, and mirrors by their axes, after which a board of squares or hexagons can look the same
KINDS = (
    *(("turn", angle) for angle in (60, 90, 120, 180, 240, 270, 300)),
    *(("mirror", angle) for angle in (0, 30, 45, 60, 90, 120, 135, 150)),
)

Cells = tuple[int, ...]  # where each cell goes


class Cell(NamedTuple):
    """One place of a board."""

    name: str  #: as people write it
    x: float  #: of its middle, to the right; neighbours are one apart
    y: float  #: and upwards
    shape: str = "square"  #: one of `SHAPES`


class Piece(NamedTuple):
    """One kind of thing that can stand on a cell."""

    name: str  #: ``black stone``
    symbol: str  #: one character, as the drawing shows it
    player: int = NOBODY  #: whose it is, as ``paint`` is told when it is drawn


@dataclass(frozen=True, kw_only=True, eq=False)
class Board:
    """The board of a game."""

    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    #: ``(state)``: what stands on each cell
    contents: Callable[[Any], Sequence[int]]
    #: ``(state, move)``: the cells that a person clicks for a legal move, in this order.  None for
    #: moves without a cell such as a pass: those are offered by their names.  No clicks begin with
    #: those of another move, so a move is known as soon as its last cell is clicked.
    clicks: Callable[[Any, int], Sequence[int]]
    #: ``(state)``: strokes over the board, each from a cell to a cell
    strokes: Callable[[Any], Sequence[tuple[int, int]]] | None = None
    #: ``(state, contents, mover)``: set a position up in a zeroed record; raises `ValueError` for
    #: one that cannot be.  With it positions have a text that shows the board.
    place: Callable[[Any, Sequence[int], int], None] | None = None
    #: integer fields of the state that do not show on the board; written after it, and set last
    numbers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.cells:
            raise GameError("a board needs at least one cell")
        _check_differ("name", [cell.name for cell in self.cells])
        _check_differ("place", [(cell.x, cell.y) for cell in self.cells])
        for cell in self.cells:
            if cell.shape not in SHAPES:
                raise GameError(
                    f"the shape of cell {cell.name} is {cell.shape!r}; "
                    f"{choices(cell.shape, SHAPES)}"
                )
        symbols = [piece.symbol for piece in self.pieces]
        for symbol in symbols:
            if len(symbol) != 1 or symbol.isspace() or symbol in "./" or symbols.count(symbol) > 1:
                raise GameError(
                    f"the symbol of a piece is {symbol!r}, it must be one character of its own, "
                    f"and no blank, dot or slash"
                )

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The cells row by row from the top, each row from the left."""
        height = [round(cell.y, DIGITS) for cell in self.cells]
        order = sorted(range(len(height)), key=lambda cell: (-height[cell], self.cells[cell].x))
        return tuple(tuple(row) for _, row in groupby(order, key=lambda cell: height[cell]))

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each cell those beside it: up to four of a square, up to six of a hexagon."""
        x, y = (np.array([cell[axis] for cell in self.cells], float) for axis in (1, 2))
        far = np.hypot(x[:, None] - x, y[:, None] - y)
        return tuple(tuple(np.flatnonzero(row).tolist()) for row in (far > 0) & (far < NEAR))

    def write(self, contents: Sequence[int]) -> str:
        """Contents as text: rows from the top with slashes between them.

        A number stands for so many empty cells, or a dot for each where pieces are digits.
        """
        symbols = [".", *(piece.symbol for piece in self.pieces)]
        rows = ["".join(symbols[contents[cell]] for cell in row) for row in self.rows]
        return "/".join(rows if self._has_digits else map(_counted, rows))

    def read(self, text: str) -> list[int]:
        """The reverse of `write`; raises `ValueError`."""
        what = {".": EMPTY} | {piece.symbol: k for k, piece in enumerate(self.pieces, 1)}
        rows = text.split("/") if self._has_digits else [*map(_spelt, text.split("/"))]
        if list(map(len, rows)) != list(map(len, self.rows)):
            raise ValueError(
                f"the board has rows of {_lengths(self.rows)} cells, these are {_lengths(rows)}"
            )
        contents = [EMPTY] * len(self.cells)
        for row, symbols in zip(self.rows, rows, strict=True):
            for cell, symbol in zip(row, symbols, strict=True):
                if symbol not in what:
                    raise ValueError(f"{symbol!r} is no piece; {choices(symbol, what)}")
                contents[cell] = what[symbol]
        return contents

    @property
    def _has_digits(self) -> bool:
        return any(piece.symbol.isdigit() for piece in self.pieces)


@dataclass(frozen=True, kw_only=True, eq=False)
class Territory:
    """Points that belong to the players when a game of two is over.

    What is counted is area: a player's stones, and the empty regions that touch no others.  So
    the board has two pieces, one for each player, and stones that cannot live may be taken off
    before counting.
    """

    #: kernel ``(state, out)``: write into ``out``, for each move code, which player has the point
    #: that it stands for when the game is over, or -1
    owners: Callable[..., Any]
    #: kernel ``(state)``: by how much the first player leads when the game is over
    score: Callable[..., Any]
    points: tuple[int, ...]  #: the move code of each cell
    komi: str = ""  #: the field of the state with what the first player owes the second, if any
    #: ``(state, player)``: let this player move, out of turn, with nothing forbidden by the past
    turn: Callable[[Any, int], None]

    @property
    def most(self) -> int:
        """No lead is larger, komi apart."""
        return len(self.points)


class Symmetry(NamedTuple):
    """One way to turn or mirror the board after which the same game goes on.

    What stands on cell ``c`` stands on ``cells[c]`` in the image, and what a move was there
    is ``move(code)``.  The players stay who they are, and the start is its own image.  The
    symmetries of a game and the identity, which is not listed, are a group: doing two of them
    one after the other is one of them.
    """

    name: str  #: ``turn 90``, ``mirror 0``: see `isometries`
    move: Callable[[int], int]
    cells: Cells = ()  #: empty if the game has no board


# --- symmetries of boards ------------------------------------------------------------------------


@lru_cache(maxsize=32)
def isometries(cells: tuple[Cell, ...]) -> dict[str, Cells]:
    """All turns and mirrors that bring every cell onto one of the same shape, by name.

    ``turn 90`` goes against the clock; the axis of ``mirror 0`` lies level, that of ``mirror 90``
    is upright, so that it swaps left and right.

    >>> isometries((Cell("a", 0, 0), Cell("b", 1, 0)))
    {'turn 180': (1, 0), 'mirror 0': (0, 1), 'mirror 90': (1, 0)}
    """
    middle_x = sum(cell.x for cell in cells) / len(cells)
    middle_y = sum(cell.y for cell in cells) / len(cells)
    places = [(cell.x - middle_x, cell.y - middle_y, cell.shape) for cell in cells]
    cell_at = {_rounded(*place): cell for cell, place in enumerate(places)}
    found = {}
    for kind, angle in KINDS:
        flip = -1 if kind == "mirror" else 1
        turn = math.radians(2 * angle if kind == "mirror" else angle)
        cos, sin = math.cos(turn), math.sin(turn)
        goes = []
        for x, y, shape in places:
            to = cell_at.get(_rounded(cos * x - flip * sin * y, sin * x + flip * cos * y, shape))
            if to is None:
                break  # it would leave the board
            goes.append(to)
        else:
            found[f"{kind} {angle}"] = tuple(goes)
    return found


def symmetries(
    cells: tuple[Cell, ...], move: Callable[[Cells, int], int], names: Iterable[str] | None = None
) -> tuple[Symmetry, ...]:
    """The isometries of a board as symmetries, all of them or those with these names.

    ``move(goes, code)`` is the image of a move when ``goes`` says where each cell goes; see
    `by_cell`.
    """
    every = isometries(cells)
    known = {tuple(range(len(cells)))}  # on narrow boards some are the same, or do nothing
    found = []
    for name in every if names is None else names:
        goes = every.get(name)
        if goes is not None and goes not in known:
            known.add(goes)
            found.append(Symmetry(name, partial(move, goes), goes))
    return tuple(found)


def by_cell(codes: Sequence[int]) -> Callable[[Cells, int], int]:
    """For `symmetries`, where a move is one cell: ``codes`` has the move of each cell.

    Other moves, such as a pass, are their own images.
    """
    cell_of = {code: cell for cell, code in enumerate(codes)}

    def image(goes: Cells, code: int) -> int:
        return codes[goes[cell_of[code]]] if code in cell_of else code

    return image


# --- details -------------------------------------------------------------------------------------


def _check_differ(what: str, values: Sequence[object]) -> None:
    for value, count in Counter(values).items():
        if count > 1:
            raise GameError(f"{count} cells of the board have the {what} {value!r}")


def _rounded(x: float, y: float, shape: str) -> tuple[float, float, str]:
    """Coordinates that can be compared; adding 0 makes -0 a 0."""
    return round(x, DIGITS) + 0.0, round(y, DIGITS) + 0.0, shape


def _lengths(rows: Sequence[Sequence[Any]]) -> str:
    return ", ".join(str(len(row)) for row in rows)


def _counted(row: str) -> str:
    """
    >>> _counted("..X....O")
    '2X4O'
    """
    runs = ((symbol, len(list(run))) for symbol, run in groupby(row))
    return "".join(str(length) if symbol == "." else symbol * length for symbol, length in runs)


def _spelt(row: str) -> str:
    """The reverse of `_counted`."""
    runs = ("".join(run) for _, run in groupby(row, key=str.isdecimal))
    return "".join("." * min(int(run), 1000) if run.isdecimal() else run for run in runs)
