"""Handicap stones: the usual points, in the usual order.

Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", section 4.1.1: on the fourth
line from 13 up and on the third below; up to nine stones on odd boards from 9 up, four on even ones
and on 7x7, none on smaller ones.
"""

from tesuji.game import Game, Size
from tesuji.games.go.setup import board_of

SMALLEST, SMALLEST_OF_NINE = 7, 9  # sides
FOURTH_LINE = 13  # side from which on the stones stand on the fourth line

#: points as columns and rows: 0 low, 1 in the middle, 2 high
CORNERS = [(0, 0), (2, 2), (0, 2), (2, 0)]
SIDES = [(0, 1), (2, 1), (1, 0), (1, 2)]
MIDDLE = [(1, 1)]


def most_fixed(size: Size) -> int:
    """How many stones have a usual point; 0 if the board is too small, or not a square."""
    if size.width != size.height or size.width < SMALLEST:
        return 0
    return 9 if size.width % 2 and size.width >= SMALLEST_OF_NINE else 4


def fixed_points(game: Game, number: int) -> list[int]:
    """The move codes of the first ``number`` handicap points.

    >>> from tesuji.games import load
    >>> go = load("go:size=9")
    >>> [go.move_text(point) for point in fixed_points(go, 5)]
    ['C3', 'G7', 'C7', 'G3', 'E5']
    """
    board = board_of(game)
    side = board.size.width
    line = 3 if side >= FOURTH_LINE else 2
    places = (line, side // 2, side - 1 - line)
    even = number - number % 2
    pattern = [*(CORNERS + SIDES)[:even], *MIDDLE] if number in (5, 7, 9) else CORNERS + SIDES
    return [
        int(board.vertices[places[row] * side + places[column]]) for column, row in pattern[:number]
    ]
