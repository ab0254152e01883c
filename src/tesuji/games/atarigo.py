"""AtariGo, also called first-capture Go: whoever captures first wins.

Suicide is illegal, and a player without a legal move loses.  Ko cannot arise: the first capture
ends the game.
"""

from typing import Any

import numpy as np

from tesuji.game import Game, Kernel, Size
from tesuji.games.chains import Table, chains, empties, grid_neighbours
from tesuji.games.goban import check_size, goban_game, stone_keys


def over(state: Any) -> bool:
    return state.lost != 0


def make_captures(neighbours: Table, captured: Kernel) -> Kernel:
    """The kernel that tells whether a stone just placed takes the last liberty of a chain."""

    def captures(state: Any, point: Any, victim: int) -> bool:
        for k in range(4):
            beside = neighbours[point, k]
            if state.colour[beside] == victim and captured(state, state.head[beside]):
                return True
        return False

    return captures


def game(size: Size = Size(9, 9)) -> Game:
    """AtariGo on a board of ``size`` columns and rows."""
    check_size(size)
    neighbours = grid_neighbours(size)
    board = chains(neighbours)
    free = empties(size.width * size.height, board.can_place)
    place, take, stuck = board.place, free.take, free.stuck
    placements, draw_placement = free.placements, free.draw_placement
    captures = make_captures(neighbours, board.captured)
    KEYS = stone_keys(size)

    def start(state: Any) -> None:
        board.clear(state)
        free.fill(state)

    def moves(state: Any, out: Any) -> int:
        return placements(state, state.mover + 1, out)

    def uniform(state: Any, playout: Any, rng: Any) -> Any:
        return draw_placement(state, state.mover + 1, rng)

    def play(state: Any, move: int) -> None:
        point = np.uint32(move)
        me = state.mover
        other = 1 - me
        place(state, point, me + 1)
        take(state, point)
        state.key = np.uint64(state.key) ^ KEYS[me, point]
        state.mover = other
        state.lost = captures(state, point, other + 1) or stuck(state, other + 1)

    def settle(state: Any) -> None:
        state.lost = stuck(state, state.mover + 1)

    return goban_game(
        "atarigo",
        size,
        [*board.fields, *free.fields, ("lost", np.uint8)],
        start=start,
        moves=moves,
        play=play,
        over=over,
        uniform=uniform,
        settle=settle,
    )
