"""Ataxx without jumps: grow next to your own stones and turn the opponent's neighbours.

The board is two 64-bit sets of stones, bit ``y * width + x`` for each point.  What a player may
fill is then a handful of shifts, and drawing a random move needs no list: the n-th set bit of that
set is as good.  Sets stay ``np.uint64`` throughout: mixed with signed numbers they would turn into
floating point.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tesuji.compile import below, zobrist
from tesuji.facets import Board, by_cell, symmetries
from tesuji.game import Game, Kernel, Paint, Size
from tesuji.games.bits import NONE, ONE, size_of
from tesuji.games.board import (
    HALF_TURN,
    draw_grid,
    grid_cells,
    men,
    parse_point,
    point_text,
    stones,
)

State = np.dtype([("stones", np.uint64, 2), ("mover", np.uint8)], align=True)

KEEPING_CORNERS = (HALF_TURN, "mirror 45", "mirror 135")  # each player's own, that is

# The position of a lone bit is found by one multiplication (Leiserson, Prokop, Randall 1998): all
# stretches of six consecutive bits of this number are different.
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
BIT_POSITION = np.argsort(
    [(int(DE_BRUIJN) << position & 2**64 - 1) >> 58 for position in range(64)]
).astype(np.uint8)


def lowest(bits: np.uint64) -> np.uint64:
    """Kernel: the position of the lowest set bit."""
    lone = bits & (~bits + ONE)
    return np.uint64(BIT_POSITION[(lone * DE_BRUIJN) >> np.uint64(58)])


def mover(state: Any) -> int:
    return state.mover


def rewards(state: Any, out: Any) -> None:
    """More stones win; only a board with an even number of points can end in a draw."""
    lead = size_of(np.uint64(state.stones[0])) - size_of(np.uint64(state.stones[1]))
    out[0] = 0.5 if lead == 0 else (1.0 if lead > 0 else 0.0)
    out[1] = 1.0 - out[0]


def make_fillable(size: Size) -> Kernel:
    """The kernel that tells which points the mover may fill."""
    width = np.uint64(size.width)
    board = np.uint64(2 ** (size.width * size.height) - 1)
    first_column = sum(1 << y * size.width for y in range(size.height))
    not_first = np.uint64(int(board) & ~first_column)
    not_last = np.uint64(int(board) & ~(first_column << size.width - 1))

    def fillable(state: Any) -> np.uint64:
        """Kernel: the empty points next to the mover's stones."""
        own = np.uint64(state.stones[state.mover])
        taken = np.uint64(state.stones[0]) | np.uint64(state.stones[1])
        row = own | ((own & not_last) << ONE) | ((own & not_first) >> ONE)
        near = row | (row << width) | (row >> width)
        return near & board & ~taken

    return fillable


def neighbours(size: Size) -> np.ndarray[Any, Any]:
    """For each point the set of the up to eight points around it; none for a pass."""
    sets = np.zeros(size.width * size.height + 1, np.uint64)
    points = [(x, y) for y in range(size.height) for x in range(size.width)]
    for i, (x, y) in enumerate(points):
        near = [j for j, (u, v) in enumerate(points) if max(abs(u - x), abs(v - y)) == 1]
        sets[i] = sum(1 << j for j in near)
    return sets


def game(size: Size = Size(7, 7)) -> Game:
    if not all(2 <= side <= 8 for side in size):
        raise ValueError(f"both sides of size must be 2 to 8, not {size}")
    width, height = size
    POINTS = width * height
    PASS = POINTS
    FULL = np.uint64(2**POINTS - 1)
    NEAR = neighbours(size)
    STONE = np.array([1 << point for point in range(POINTS)] + [0], np.uint64)
    KEYS = zobrist("ataxx", 3)
    fillable = make_fillable(size)
    cells = grid_cells(width, height)

    def start(state: Any) -> None:
        """Two stones each in opposite corners, the first player in the lower left one."""
        state.stones[0] = 1 | 1 << POINTS - 1
        state.stones[1] = 1 << width - 1 | 1 << POINTS - width

    def moves(state: Any, out: Any) -> int:
        free = fillable(state)
        n = 0
        while free != NONE:
            out[n] = lowest(free)
            free &= free - ONE
            n += 1
        if n == 0:
            out[0] = PASS
            n = 1
        return n

    def uniform(state: Any, playout: Any, rng: Any) -> Any:
        """Policy: the n-th of the points that may be filled, n random."""
        free = fillable(state)
        if free == NONE:
            return np.int64(PASS)
        for _ in range(below(rng, size_of(free))):
            free &= free - ONE
        return np.int64(lowest(free))

    def play(state: Any, move: int) -> None:
        """A pass puts down no stone and turns none, so it needs no case of its own."""
        at = np.uint64(move)
        me = state.mover
        own = np.uint64(state.stones[me])
        other = np.uint64(state.stones[1 - me])
        turned = other & NEAR[at]
        state.stones[me] = own | turned | STONE[at]
        state.stones[1 - me] = other ^ turned
        state.mover = 1 - me

    def over(state: Any) -> bool:
        first = np.uint64(state.stones[0])
        second = np.uint64(state.stones[1])
        return first == NONE or second == NONE or (first | second) == FULL

    def hash(state: Any) -> np.uint64:
        """The sets multiplied by odd random numbers and mixed; the mover adds another one."""
        mixed = np.uint64(state.stones[0]) * (KEYS[0] | ONE)
        mixed = ((mixed ^ (mixed >> np.uint64(32))) + np.uint64(state.stones[1])) * (KEYS[1] | ONE)
        return (mixed ^ (mixed >> np.uint64(29))) + KEYS[2] * np.uint64(state.mover)

    def move_text(move: int) -> str:
        return "pass" if move == PASS else point_text(move, width)

    def parse_move(text: str) -> int:
        return PASS if text.lower() == "pass" else parse_point(text, width, height)

    def contents(state: Any) -> list[int]:
        first, second = int(state.stones[0]), int(state.stones[1])
        return [(first >> p & 1) + 2 * (second >> p & 1) for p in range(POINTS)]

    def draw(state: Any, paint: Paint) -> str:
        return draw_grid(stones(contents(state), paint), width, height)

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        for player in range(2):
            points = (p for p, what in enumerate(contents) if what == player + 1)
            state.stones[player] = sum(1 << point for point in points)
        state.mover = mover

    return Game(
        name="ataxx",
        state=State,
        move_codes=POINTS + 1,
        max_moves=POINTS,
        max_length=2 * POINTS,  # at most every other move is a pass
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        policies={"uniform": uniform},
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        pass_move=PASS,
        board=Board(
            cells=cells,
            pieces=men("stone", ("X", "O")),
            contents=contents,
            clicks=lambda state, move: [] if move == PASS else [move],
            place=place,
        ),
        symmetries=symmetries(cells, by_cell(range(POINTS)), KEEPING_CORNERS),
    )
