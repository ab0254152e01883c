"""Boards in the shape of a regular hexagon, for Havannah and Pentalath.

A board of side n has 3n(n-1)+1 cells, numbered row by row from the top left.  Cell (x, y) exists
when 0 <= x, y < 2n-1 and |x-y| < n.  Its text is the letter of x and the number y+1, as in
OpenSpiel; columns run from the upper right to the lower left::

          a b c
       1 . . . d
      2 . . . . e
     3 . . . . .
      4 . . . .
       5 . . .

The number after the last cell, ``hexagon.outside``, stands for every neighbour off the board.  Give
boards one element more and it can be looked at like any cell.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.facets import Cell
from tesuji.games.board import LETTERS, draw_rows, hexagon_cell

#: Clockwise from the upper left; ``k`` and ``k + 3`` are opposite, so 0, 1 and 2 are the axes.
DIRECTIONS = ((-1, -1), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 0))

LARGEST_SIDE = (len(LETTERS) + 1) // 2


class Hexagon:
    """The cells of one board with their neighbours, corners, sides, names and picture."""

    def __init__(self, side: int) -> None:
        if not 1 <= side <= LARGEST_SIDE:
            raise ValueError(f"side must be 1 to {LARGEST_SIDE}, not {side}")
        self.side = side
        self.width = 2 * side - 1  #: rows, and cells in the longest row
        self.places = [(x, y) for y in range(self.width) for x in self._row(y)]
        self.cells = len(self.places)
        self.outside = self.cells
        self.cell_at = {place: cell for cell, place in enumerate(self.places)}
        self.board_cells = self._board_cells()  #: the same for `Board`
        self.neighbours = self._neighbours()  #: [cell, direction] -> cell, or ``outside``
        self.corners, self.sides = self._borders()

    def _board_cells(self) -> tuple[Cell, ...]:
        """A row lies half a cell further to the left than the one above it."""
        return tuple(
            hexagon_cell(self.text(cell), x - y / 2, y) for cell, (x, y) in enumerate(self.places)
        )

    def _row(self, y: int) -> range:
        return range(max(0, y - self.side + 1), min(self.width, y + self.side))

    def _neighbours(self) -> npt.NDArray[np.uint32]:
        table = np.full((self.cells + 1, 6), self.outside, np.uint32)
        for cell, (x, y) in enumerate(self.places):
            table[cell] = [
                self.cell_at.get((x + dx, y + dy), self.outside) for dx, dy in DIRECTIONS
            ]
        return table

    def _borders(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        """For each cell bit k if it is corner k, and bit k if it lies on side k but in no corner.

        A corner belongs to both sides that meet there in geometry, to none of them in the rules.
        """
        last, edge = self.width - 1, self.side - 1
        corners = np.zeros(self.cells + 1, np.uint32)
        sides = np.zeros(self.cells + 1, np.uint32)
        for cell, (x, y) in enumerate(self.places):
            on = [y == 0, x - y == edge, x == last, y == last, y - x == edge, x == 0]
            if sum(on) == 1:
                sides[cell] = 1 << on.index(True)
            for k in range(6):
                if on[k] and on[(k + 1) % 6]:
                    corners[cell] |= 1 << k
        return corners, sides

    def lines(self, length: int) -> Iterator[tuple[int, ...]]:
        """All straight lines of so many cells, each once."""
        for cell in range(self.cells):
            for axis in range(3):
                line = [cell]
                while len(line) < length and line[-1] != self.outside:
                    line.append(int(self.neighbours[line[-1], axis]))
                if self.outside not in line:
                    yield tuple(line)

    def text(self, cell: int) -> str:
        """``Hexagon(3).text(0)`` is ``"a1"``."""
        x, y = self.places[cell]
        return f"{LETTERS[x]}{y + 1}"

    def parse(self, text: str) -> int:
        """The reverse of `text`; upper and lower case are the same."""
        x = LETTERS.find(text[:1].lower()) if text else -1
        row = text[1:]
        y = int(row) - 1 if row.isascii() and row.isdigit() else -1
        if (x, y) not in self.cell_at:
            middle = self.text(self.cell_at[self.side - 1, self.side - 1])
            raise ValueError(
                f"a cell is a letter a to {LETTERS[self.width - 1]} and a number 1 to {self.width} "
                f"that lie on the board, for example {middle}"
            )
        return self.cell_at[x, y]

    def draw(self, symbols: Sequence[Any]) -> str:
        """The picture with one symbol a cell; letters stand at the upper end of their columns."""
        rows = [list(LETTERS[: self.side])]
        for y in range(self.width):
            column = y + self.side
            end = [LETTERS[column]] if column < self.width else []
            rows.append([symbols[self.cell_at[x, y]] for x in self._row(y)] + end)
        names = [str(y) if y else "" for y in range(self.width + 1)]
        return draw_rows(rows, lambda i: abs(self.side - i), names)
