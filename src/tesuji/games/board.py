"""Notation and drawing shared by the board games: rectangles, rhombuses and hexagons.

Points are numbered row by row from the lower left corner, ``point = y * width + x``.  Text is
``letter + number``: the letter names the column and the number the row, counted from 1 at the
bottom; Go players leave out the letter I.
"""

from collections.abc import Callable, Sequence

from tesuji.facets import ROW_HEIGHT, Cell, Piece
from tesuji.game import Paint

LETTERS = "abcdefghijklmnopqrstuvwxyz"
GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
SYMBOLS = ".XO"
LEFT_RIGHT, UP_DOWN, HALF_TURN = "mirror 90", "mirror 0", "turn 180"  # symmetries of a rectangle


def point_text(point: int, width: int, letters: str = LETTERS) -> str:
    """``point_text(12, 9, GO_LETTERS)`` is ``"D2"``."""
    return f"{letters[point % width]}{point // width + 1}"


def parse_point(text: str, width: int, height: int, letters: str = LETTERS) -> int:
    """The reverse of `point_text`; upper and lower case are the same."""
    column = letters.lower().find(text[:1].lower()) if text else -1
    row = text[1:]
    if (
        not 0 <= column < width
        or not row.isascii()
        or not row.isdigit()
        or not 1 <= int(row) <= height
    ):
        raise ValueError(
            f"a point is a letter {letters[0]} to {letters[width - 1]} "
            f"and a number 1 to {height}, for example {point_text(0, width, letters)}"
        )
    return (int(row) - 1) * width + column


def stones(cells: Sequence[int], paint: Paint, symbols: str = SYMBOLS) -> list[str]:
    """One symbol a cell: 0 is empty, 1 the first player, 2 the second, more is neutral."""
    return [paint(symbols[c], c - 1) if c in (1, 2) else symbols[c] for c in cells]


def men(kind: str, names: Sequence[str], symbols: str = SYMBOLS) -> tuple[Piece, ...]:
    """One kind of piece for each player: ``men("stone", ("Black", "White"))``."""
    return tuple(
        Piece(f"{name.lower()} {kind}", symbol, player)
        for player, (name, symbol) in enumerate(zip(names, symbols[1:], strict=False))
    )


def grid_cells(
    width: int, height: int, letters: str = LETTERS, shape: str = "square"
) -> tuple[Cell, ...]:
    """The cells of a rectangle, numbered as points."""
    return tuple(
        Cell(point_text(point, width, letters), point % width, point // width, shape)
        for point in range(width * height)
    )


def hexagon_cell(name: str, x: float, row: int) -> Cell:
    """A cell of a hexagonal grid in a row counted from the top."""
    return Cell(name, x, -row * ROW_HEIGHT, "hexagon")


def draw_grid(cells: Sequence[str], width: int, height: int, letters: str = LETTERS) -> str:
    """A rectangle with coordinates, the first row of points at the bottom."""
    margin = len(str(height))
    names = " " * (margin + 1) + " ".join(letters[:width])
    lines = [
        f"{y + 1:>{margin}} " + " ".join(cells[y * width : (y + 1) * width]) + f" {y + 1}"
        for y in reversed(range(height))
    ]
    return "\n".join([names, *lines, names])


def draw_rows(
    rows: Sequence[Sequence[str]], indent: Callable[[int], int], names: Sequence[str]
) -> str:
    """Rows of a hexagonal grid, top row first, each indented and named at its left."""
    margin = max(map(len, names))
    return "\n".join(
        " " * indent(i) + f"{name:>{margin}} " + " ".join(row)
        for i, (name, row) in enumerate(zip(names, rows, strict=True))
    )
