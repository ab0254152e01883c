"""Chains of stones and their liberties, kept up to date move by move.

A chain is a set of connected stones of one colour, its liberties are the empty points beside it.
The rules of AtariGo, NoGo and Pentalath ask only whether a chain has no liberty, one or more, on a
board that may be any graph.

*Stones of a chain* form a circular list, ``next``; one of them, the ``head``, stands for the chain.
When two chains join, the one with fewer stones gets the other's head.

*Liberties* count once for each stone beside them (pseudo-liberties), so that every update is local.
A chain keeps three sums over them, packed into one 64-bit number so that one addition updates all:
how many, their points, and the squares of their points.  All liberties are the same point exactly
when ``how many * squares == points**2`` (the case of equality in Cauchy's inequality).
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.compile import below
from tesuji.game import Kernel, Size

Index = np.uint16
Table = npt.NDArray[np.unsignedinteger[Any]]

EMPTY, WALL = 0, 3  # colours beside 1 and 2, the players' stones

# The three sums, from the low bits up.  A liberty is an edge of the board from a stone to an empty
# point, and a board of MOST_POINTS points has few enough edges to keep the sums apart.
POINTS_AT = np.uint64(12)
SQUARES_AT = np.uint64(32)
COUNT_MASK = np.uint64((1 << 12) - 1)
POINTS_MASK = np.uint64((1 << 20) - 1)
MOST_POINTS = 25 * 25


class Chains(NamedTuple):
    """The kernels for one board; ``stone`` is a colour, 1 or 2."""

    fields: list[Any]  #: what a state needs, for its dtype
    clear: Kernel  #: ``(state)``: an empty board in a zeroed record
    place: Kernel  #: ``(state, point, stone)``: put a stone, join chains; removes nothing
    remove: Kernel  #: ``(state, head)``: take a chain off the board
    captured: Kernel  #: ``(state, head)``: has the chain no liberty?
    in_atari: Kernel  #: ``(state, head)``: has the chain, which has a liberty, only one?
    last_liberty: Kernel  #: ``(state, head)``: the only liberty of a chain in atari
    can_place: Kernel  #: ``(state, point, stone)``: would it capture or keep a liberty?


def grid_neighbours(size: Size) -> Table:
    """Up to four neighbours a point, numbered as in `tesuji.games.board`; the rest is the wall."""
    width, height = size
    points = width * height
    table = np.full((points + 1, 4), points, Index)
    for point in range(points):
        x, y = point % width, point // width
        for k, (i, j) in enumerate([(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]):
            if 0 <= i < width and 0 <= j < height:
                table[point, k] = j * width + i
    return table


def chains(neighbours: Table) -> Chains:
    """Kernels for the board whose point ``p`` has the neighbours ``neighbours[p]``.

    The last row of the table is the wall, one point that stands for all neighbours outside.
    """
    points = len(neighbours) - 1
    if points > MOST_POINTS:
        raise ValueError(f"a board has at most {MOST_POINTS} points, not {points}")
    ask = _questions(neighbours)
    place, remove = _changes(neighbours)
    return Chains(_fields(points), _clear(neighbours), place, remove, *ask)


def _fields(points: int) -> list[Any]:
    """One more element than points: the wall, which also is the head of every empty point."""
    short = ("colour", "head", "next", "length", "open")
    return [(name, Index, points + 1) for name in short] + [("liberties", np.uint64, points + 1)]


def _clear(neighbours: Table) -> Kernel:
    wall = len(neighbours) - 1

    def clear(state: Any) -> None:
        state.colour[wall] = WALL
        for point in range(wall + 1):
            state.head[point] = wall
            state.open[point] = np.count_nonzero(neighbours[point] != wall)

    return clear


def liberty_weights(points: int) -> npt.NDArray[np.uint64]:
    """What a liberty adds to the three sums of a chain."""
    point = np.arange(points, dtype=np.uint64)
    return np.uint64(1) + (point << POINTS_AT) + (point * point << SQUARES_AT)


def _questions(neighbours: Table) -> tuple[Kernel, Kernel, Kernel, Kernel]:
    degree = neighbours.shape[1]

    def captured(state: Any, head: Any) -> bool:
        return state.liberties[head] == 0

    def in_atari(state: Any, head: Any) -> bool:
        sums = np.uint64(state.liberties[head])
        total = (sums >> POINTS_AT) & POINTS_MASK
        return (sums & COUNT_MASK) * (sums >> SQUARES_AT) == total * total

    def last_liberty(state: Any, head: Any) -> Any:
        sums = np.uint64(state.liberties[head])
        return ((sums >> POINTS_AT) & POINTS_MASK) // (sums & COUNT_MASK)

    def can_place(state: Any, point: Any, stone: int) -> bool:
        """The point is a liberty of every chain beside it, so the only one of a chain in atari."""
        if state.open[point] != 0:
            return True
        for k in range(degree):
            beside = neighbours[point, k]
            colour = state.colour[beside]
            if colour != WALL and in_atari(state, state.head[beside]) != (colour == stone):
                return True
        return False

    return captured, in_atari, last_liberty, can_place


def _changes(neighbours: Table) -> tuple[Kernel, Kernel]:
    wall = len(neighbours) - 1
    degree = neighbours.shape[1]
    WEIGHT = liberty_weights(wall + 1)

    def join(state: Any, one: Any, two: Any) -> None:
        """Make one chain of two."""
        big = one if state.length[one] >= state.length[two] else two
        small = two if big == one else one
        stone = small
        while True:
            state.head[stone] = big
            stone = state.next[stone]
            if stone == small:
                break
        after = state.next[big]
        state.next[big] = state.next[small]
        state.next[small] = after
        state.length[big] += state.length[small]
        state.liberties[big] = np.uint64(state.liberties[big]) + np.uint64(state.liberties[small])

    def place(state: Any, point: Any, stone: int) -> None:
        liberties = np.uint64(0)
        for k in range(degree):
            beside = neighbours[point, k]
            head = state.head[beside]
            state.open[beside] -= 1
            state.liberties[head] = np.uint64(state.liberties[head]) - WEIGHT[point]
            if state.colour[beside] == EMPTY:
                liberties += WEIGHT[beside]
        state.colour[point] = stone
        state.head[point] = point
        state.next[point] = point
        state.length[point] = 1
        state.liberties[point] = liberties
        for k in range(degree):
            beside = neighbours[point, k]
            if state.colour[beside] == stone and state.head[beside] != state.head[point]:
                join(state, state.head[beside], state.head[point])

    def remove(state: Any, head: Any) -> None:
        stone = head
        while True:
            state.colour[stone] = EMPTY
            state.head[stone] = wall
            for k in range(degree):
                beside = neighbours[stone, k]
                other = state.head[beside]
                state.open[beside] += 1
                state.liberties[other] = np.uint64(state.liberties[other]) + WEIGHT[stone]
            stone = state.next[stone]
            if stone == head:
                break

    return place, remove


class Empties(NamedTuple):
    """The empty points as a list, for games in which a stone may go wherever it `can_place`."""

    fields: list[Any]  #: what a state needs, for its dtype
    fill: Kernel  #: ``(state)``: list all points
    take: Kernel  #: ``(state, point)``: a stone now stands there
    give: Kernel  #: ``(state, point)``: the stone is gone
    placements: Kernel  #: ``(state, stone, out)``: list where the stone may go
    stuck: Kernel  #: ``(state, stone)``: may it go nowhere?
    draw_placement: Kernel  #: ``(state, stone, rng)``: one of them, all equally likely


def empties(points: int, can_place: Kernel) -> Empties:
    """The list has no order: a point that is taken leaves its place to the last."""

    def fill(state: Any) -> None:
        for point in range(points):
            state.empty[point] = point
            state.slot[point] = point
        state.empty_count = points

    def take(state: Any, point: Any) -> None:
        last = np.uint32(state.empty_count - 1)
        moved = state.empty[last]
        state.empty_count = last
        state.empty[state.slot[point]] = moved
        state.slot[moved] = state.slot[point]

    def give(state: Any, point: Any) -> None:
        end = state.empty_count
        state.empty[end] = point
        state.slot[point] = end
        state.empty_count = end + 1

    def placements(state: Any, stone: int, out: Any) -> int:
        count = 0
        for i in range(state.empty_count):
            if can_place(state, state.empty[i], stone):
                out[count] = state.empty[i]
                count += 1
        return count

    def stuck(state: Any, stone: int) -> bool:
        for i in range(state.empty_count):
            if can_place(state, state.empty[i], stone):
                return False
        return True

    def draw_placement(state: Any, stone: int, rng: Any) -> Any:
        """Draw empty points until one will do: nearly all do, and a list would cost more."""
        while True:
            point = state.empty[np.uint32(below(rng, state.empty_count))]
            if can_place(state, point, stone):
                return np.int64(point)

    fields = [
        ("empty", Index, points),
        ("slot", Index, points),
        ("empty_count", Index),
    ]
    return Empties(fields, fill, take, give, placements, stuck, draw_placement)
