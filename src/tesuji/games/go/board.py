"""The board as memory: a padded grid, the record that holds a position, and the tables beside it.

A point is known by its *vertex*, its index in a grid that is one wall column wider and two wall
rows higher than the board.  The wall column serves both sides, since the right neighbour of a row's
last point is the first cell of the next row.  Every point then has four neighbours and four
diagonals, and no kernel ever asks where the edge is.

All indices are unsigned 32-bit numbers: a signed index costs a test for negative values at every
access, which is about a quarter of the speed of a playout.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.game import Size
from tesuji.games.chains import liberty_weights

Index = np.uint32
Steps = npt.NDArray[np.uint64]

EMPTY, BLACK, WHITE, WALL = 0, 1, 2, 3  # what stands on a vertex
PASS = 0  # the move code of a pass; vertex 0 is a corner of the wall, so no point has it

# ``code`` holds what stands around a vertex, two bits a point: its neighbours in the low byte, its
# diagonals in the high one, each in the order of the steps below.  The bits of a wall are those of
# both colours, so that an eye at the edge looks like any other: all four neighbours are mine.
NEIGHBOURS, DIAGONALS = 0, 8  # where the two bytes begin
LOW_BITS = 0x55  # of four points
CODES = 1 << 16
#: how many of four points are empty, by their byte
FREE = np.array([sum((byte >> 2 * k) & 3 == EMPTY for k in range(4)) for byte in range(256)], Index)

WEAK = 32  # chains in atari that a position can list
RECENT = 8  # moves that a position remembers, a power of two

SMALLEST, LARGEST = 1, 25  # sides; 25 letters are left without the I


class Board(NamedTuple):
    """The geometry of one size."""

    size: Size
    stride: int  #: from a vertex to the one above it
    vertices: npt.NDArray[np.uint32]  #: of the points, numbered row by row from the lower left
    beside: Steps  #: from a vertex to its four neighbours
    across: Steps  #: from a vertex to its four diagonals
    weight: npt.NDArray[np.uint64]  #: what an empty vertex adds to the sums of a chain beside it
    state: np.dtype[Any]

    @property
    def area(self) -> int:
        return self.size.width * self.size.height

    @property
    def cells(self) -> int:
        """Vertices including the walls."""
        return self.stride * (self.size.height + 2) + 1

    def point(self, vertex: int) -> int:
        """The number of the point at a vertex."""
        row, column = divmod(vertex, self.stride)
        return (row - 1) * self.size.width + column - 1


def make_board(size: Size) -> Board:
    """The geometry for a size; raises ValueError for one that cannot be played on."""
    width, height = size
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
        raise ValueError(
            f"size must be {SMALLEST} to {LARGEST} columns and rows, not {width}x{height}"
        )
    stride = width + 1
    cells = stride * (height + 2) + 1
    rows, columns = np.divmod(np.arange(width * height), width)
    return Board(
        size=size,
        stride=stride,
        vertices=((rows + 1) * stride + columns + 1).astype(Index),
        beside=_steps(-stride, -1, 1, stride),
        across=_steps(-stride - 1, -stride + 1, stride - 1, stride + 1),
        weight=liberty_weights(cells),
        state=_state(cells, area=width * height),
    )


def _steps(*steps: int) -> Steps:
    """Steps to add to a vertex.

    A step down is a huge unsigned number that wraps around.  With 64 bits the machine adds it while
    it computes the address, so a step costs nothing; a table of neighbours costs 7 % of a playout.
    """
    return np.array(steps, np.int64).astype(np.uint64)


def _state(cells: int, area: int) -> np.dtype[Any]:
    """The record of a position.

    A chain is named by one of its stones, its *head*.  Empty points and walls have head 0, whose
    counts are a dummy that may be changed freely: kernels update four neighbours without asking
    what they are.
    """
    fields: list[tuple[Any, ...]] = [
        ("komi", np.float64),  # what Black owes White
        ("urgency", np.float64, cells),  # of moves, in playouts and knowledge
        ("liberties", np.uint64, cells),  # of a head: the three sums of `tesuji.games.chains`
        ("board", Index, cells),  # EMPTY, BLACK, WHITE or WALL
        ("code", Index, cells),  # what stands around, see above
        ("head", Index, cells),  # the chain of a stone
        ("next", Index, cells),  # the next stone of the chain, in a circle
        ("stones", Index, cells),  # of a head: how many stones the chain has
        ("empty", Index, area),  # the empty points in any order
        ("slot", Index, cells),  # where an empty point stands in that list
        ("empties", Index),  # how many there are
        ("ko", Index),  # the point that must not be retaken now, or 0
        ("mover", Index),  # BLACK or WHITE
        ("ply", Index),  # how many moves were made
        ("recent", Index, RECENT),  # the last of them: move n stands at n modulo RECENT
        ("passes", Index),  # in a row, just before
        ("count", Index, 3),  # stones on the board by colour
        ("suicide", Index),  # may a chain of several stones take its own last liberty?
        ("situational", Index),  # may stones repeat when the other player is to move?
        # Playouts with knowledge keep these up themselves, see `playouts` and `tactics`.
        ("weak", Index, WEAK),  # chains seen in atari, by one of their stones
        ("weaks", Index),  # how many there are
        ("watched", Index),  # the ply up to which the list is complete, plus one
        ("found", Index, 4),  # liberties of a chain that is being looked at
        ("choice", Index, 2),  # in a ladder: attacks that have not been tried
    ]
    if np.dtype(fields).itemsize % 8:
        fields.append(("unused", Index))  # no gaps: equal positions are equal bytes
    return np.dtype(fields, align=True)


def clear(state: Any, board: Board) -> None:
    """Fill a zeroed record with the empty board, Black to move."""
    state.board[:] = WALL
    state.board[board.vertices] = EMPTY
    for start, steps in ((NEIGHBOURS, board.beside), (DIAGONALS, board.across)):
        for k, step in enumerate(steps):
            points = state.board[(board.vertices + step).astype(np.int64)]
            state.code[board.vertices] |= points << Index(start + 2 * k)
    state.empty[:] = board.vertices
    state.slot[board.vertices] = np.arange(board.area)
    state.empties = board.area
    state.mover = BLACK
