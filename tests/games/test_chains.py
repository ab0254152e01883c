import random

import numpy as np
import pytest

from stone_games import chain, grid
from tesuji.compile.plain import view
from tesuji.game import Size
from tesuji.games.chains import MOST_POINTS, Chains, chains, grid_neighbours
from tesuji.games.hexagon import LARGEST_SIDE, Hexagon

SIDE = 25


@pytest.fixture(scope="module")
def board() -> Chains:
    """The largest grid, where the packed sums are fullest."""
    return chains(grid_neighbours(Size(SIDE, SIDE)))


def empty(board):
    state = view(np.zeros(1, np.dtype(board.fields, align=True)))[0]
    board.clear(state)
    return state


def check(board, state, near):
    """Every chain knows what a flood fill finds."""
    colours = list(state.colour[:-1])
    for point, colour in enumerate(colours):
        if colour == 0:
            assert state.open[point] == sum(colours[p] == 0 for p in near[point])
            continue
        stones, liberties = chain(colours, point, near)
        head = state.head[point]
        assert head in stones
        assert state.length[head] == len(stones)
        assert board.captured(state, head) == (not liberties)
        if liberties:
            assert board.in_atari(state, head) == (len(liberties) == 1)
        if len(liberties) == 1:
            assert board.last_liberty(state, head) in liberties


@pytest.mark.filterwarnings("ignore:overflow")  # the sums of the wall, which nobody reads
@pytest.mark.parametrize("colours", [1, 2])
def test_stones_anywhere(board, colours):
    """One colour makes the largest chains with the most liberties, two make the most chains."""
    chooser = random.Random(colours)
    near = grid(SIDE, SIDE)
    state = empty(board)
    points = list(range(SIDE * SIDE))
    chooser.shuffle(points)
    for count, point in enumerate(points):
        board.place(state, point, chooser.randint(1, colours))
        if count % 60 == 0:
            check(board, state, near)


@pytest.mark.filterwarnings("ignore:overflow")
def test_removing_chains(board):
    chooser = random.Random(5)
    near = grid(SIDE, SIDE)
    state = empty(board)
    for _ in range(3):
        for point in chooser.sample([p for p in range(SIDE * SIDE) if not state.colour[p]], 200):
            board.place(state, point, chooser.randint(1, 2))
        for _ in range(40):
            point = chooser.randrange(SIDE * SIDE)
            if state.colour[point]:
                board.remove(state, state.head[point])
        check(board, state, near)


def test_the_largest_boards_fit():
    assert Hexagon(LARGEST_SIDE).cells <= MOST_POINTS
    with pytest.raises(ValueError, match="at most 625 points"):
        chains(np.zeros((MOST_POINTS + 2, 4), np.uint16))
