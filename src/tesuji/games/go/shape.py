"""Shapes of 3x3 points: their codes, and diagrams that match them.

A point's ``code`` says what stands around it (`board`).  A diagram shows the same for people, three
rows with the point itself as ``*`` in the middle: ``XO. .*. ###`` has a stone of the player to move
in its upper left corner, one of the opponent's beside it, and the edge of the board below.

A diagram may leave things open: ``x`` is anything but X, ``o`` anything but O, ``?`` anything.
Tables over all codes are made once, in Python; kernels only look them up.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.games.go.board import BLACK, CODES, EMPTY, LOW_BITS, WALL, WHITE, Index

Codes = npt.NDArray[np.int64]
Matches = npt.NDArray[np.bool_]

#: where the points of a code stand in a diagram, row by row from the top
PLACES = ((2, 1), (1, 0), (1, 2), (0, 1), (2, 0), (2, 2), (0, 0), (0, 2))
CONTENT = {
    ".": {EMPTY},
    "X": {BLACK},
    "O": {WHITE},
    "#": {WALL},
    "x": {EMPTY, WHITE, WALL},
    "o": {EMPTY, BLACK, WALL},
    "?": {EMPTY, BLACK, WHITE, WALL},
}
SYMBOL = {EMPTY: ".", BLACK: "X", WHITE: "O", WALL: "#"}
ALL = np.arange(CODES)


def has_shape(weights: Any, code: int) -> bool:
    """Kernel: is a code among the shapes that answer the last move?"""
    return (weights.shapes[Index(code >> 3)] >> (code & 7)) & 1 != 0


def swapped(codes: Codes) -> Codes:
    """The codes with the colours of all stones exchanged; walls and empty points stay."""
    low = LOW_BITS | LOW_BITS << 8
    return (codes & low) << 1 | (codes >> 1) & low


def turned(places: tuple[tuple[int, int], ...]) -> Iterator[list[int]]:
    """For each of the eight symmetries: the number of the point that each point becomes."""
    for flip in (False, True):
        for quarter in range(4):
            moved = []
            for row, column in places:
                if flip:
                    row, column = column, row
                for _ in range(quarter):
                    row, column = column, 2 - row
                moved.append(places.index((row, column)))
            yield moved


def _permuted(codes: Codes, order: list[int]) -> Codes:
    found = np.zeros_like(codes)
    for here, there in enumerate(order):
        found |= (codes >> 2 * here & 3) << 2 * there
    return found


def _canonical() -> Codes:
    return np.minimum.reduce([_permuted(ALL, order) for order in turned(PLACES)])


#: by code: the same number for all symmetries of a shape
CANONICAL = _canonical()


def matches(diagram: str) -> Matches:
    """For each code whether a diagram matches it in one of its eight symmetries.

    >>> int(matches("XO. .*. ###").sum())
    8
    """
    found = np.ones(CODES, np.bool_)
    for place, content in enumerate(_contents(diagram)):
        found &= np.isin(ALL >> 2 * place & 3, list(content))
    every = np.zeros(CODES, np.bool_)
    for order in turned(PLACES):
        every[_permuted(ALL[found], order)] = True
    return every


def _contents(diagram: str) -> list[set[int]]:
    """What may stand on each point of a diagram."""
    rows = diagram.split()
    if [len(row) for row in rows] != [3, 3, 3] or rows[1][1] != "*":
        raise ValueError(f"{diagram!r} is no shape: write three rows of three, * in the middle")
    symbols = [rows[row][column] for row, column in PLACES]
    for symbol in symbols:
        if symbol not in CONTENT:
            raise ValueError(f"{symbol!r} in the shape {diagram!r} is none of {' '.join(CONTENT)}")
    return [CONTENT[symbol] for symbol in symbols]


def check_shape(diagram: str) -> None:
    """Raise ValueError for what is no diagram."""
    _contents(diagram)


def is_exact(diagram: str) -> bool:
    """Does a diagram leave nothing open?"""
    return all(len(content) == 1 for content in _contents(diagram))


def code_of(diagram: str) -> int:
    """The code of a diagram that leaves nothing open.

    >>> code_of("... .*. ###") == code_of(diagram(code_of("... .*. ###")))
    True
    """
    contents = _contents(diagram)
    return sum(min(content) << 2 * place for place, content in enumerate(contents))


def diagram(code: int) -> str:
    """The shape of a code as text.

    >>> diagram(0)
    '... .*. ...'
    """
    rows = [["*"] * 3 for _ in range(3)]
    for place, (row, column) in enumerate(PLACES):
        rows[row][column] = SYMBOL[code >> 2 * place & 3]
    return " ".join("".join(row) for row in rows)
