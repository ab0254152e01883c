"""NoGo: neither capture nor suicide is allowed, and whoever cannot move loses.

What is illegal for a player stays illegal: stones never leave the board, so a chain whose only
liberty is some point keeps just that one until somebody plays there.  The state therefore holds the
legal points of each player as a list that only shrinks, and a move can take from it no more than

* the point itself,
* the last liberty of a chain that the move leaves with one: for the opponent of that chain it would
  be a capture, for its owner it may be suicide,
* a neighbour of the stone that is left without an empty neighbour, where suicide becomes possible.

Drawing a random move, listing all and seeing the end of the game need no further look at the rules.
"""

from typing import Any

import numpy as np

from tesuji.compile import below
from tesuji.game import Game, Kernel, Size
from tesuji.games.chains import EMPTY, Chains, Table, chains, grid_neighbours
from tesuji.games.goban import check_size, goban_game, stone_keys

BLACK, WHITE = np.uint32(0), np.uint32(1)  # players, as indices


def moves(state: Any, out: Any) -> int:
    me = state.mover
    for i in range(state.legal_count[me]):
        out[i] = state.legal[me, i]
    return np.int64(state.legal_count[me])


def uniform(state: Any, playout: Any, rng: Any) -> Any:
    me = np.uint32(state.mover)
    return np.int64(state.legal[me, np.uint32(below(rng, state.legal_count[me]))])


def over(state: Any) -> bool:
    return state.legal_count[state.mover] == 0


def forbid(state: Any, player: Any, point: Any) -> None:
    """Kernel: take a point from a player's list, if it is there; the last one fills the gap."""
    slot = state.slot[player, point]
    if slot >= state.legal_count[player] or state.legal[player, slot] != point:
        return
    last = np.uint32(state.legal_count[player] - 1)
    moved = state.legal[player, last]
    state.legal[player, slot] = moved
    state.slot[player, moved] = slot
    state.legal_count[player] = last


def make_forbid_around(neighbours: Table, board: Chains) -> Kernel:
    """The kernel that finds what a stone just placed makes illegal."""
    in_atari, last_liberty, can_place = board.in_atari, board.last_liberty, board.can_place

    def forbid_suicide(state: Any, player: Any, point: Any) -> None:
        if not can_place(state, point, player + np.uint32(1)):
            forbid(state, player, point)

    def forbid_last_liberty(state: Any, head: Any) -> None:
        if in_atari(state, head):
            owner = np.uint32(state.colour[head] - 1)
            point = last_liberty(state, head)
            forbid(state, np.uint32(1) - owner, point)
            forbid_suicide(state, owner, point)

    def forbid_around(state: Any, point: Any) -> None:
        stone = state.colour[point]
        forbid_last_liberty(state, state.head[point])
        for k in range(4):
            beside = neighbours[point, k]
            if state.colour[beside] == EMPTY:
                if state.open[beside] == 0:
                    forbid_suicide(state, BLACK, beside)
                    forbid_suicide(state, WHITE, beside)
            elif state.colour[beside] == 3 - stone:
                forbid_last_liberty(state, state.head[beside])

    return forbid_around


def game(size: Size = Size(9, 9)) -> Game:
    """NoGo on a board of ``size`` columns and rows."""
    check_size(size)
    points = size.width * size.height
    neighbours = grid_neighbours(size)
    board = chains(neighbours)
    place = board.place
    forbid_around = make_forbid_around(neighbours, board)
    KEYS = stone_keys(size)

    def start(state: Any) -> None:
        board.clear(state)
        for player in range(2):
            state.legal[player] = state.slot[player] = range(points)
            state.legal_count[player] = points

    def play(state: Any, move: int) -> None:
        point = np.uint32(move)
        me = state.mover
        place(state, point, me + 1)
        forbid(state, BLACK, point)
        forbid(state, WHITE, point)
        forbid_around(state, point)
        state.key = np.uint64(state.key) ^ KEYS[me, point]
        state.mover = 1 - me

    def settle(state: Any) -> None:
        """The legal points of both players are known already."""

    return goban_game(
        "nogo",
        size,
        [
            *board.fields,
            ("legal", np.uint16, (2, points)),
            ("slot", np.uint16, (2, points)),
            ("legal_count", np.uint16, 2),
        ],
        start=start,
        moves=moves,
        play=play,
        over=over,
        uniform=uniform,
        settle=settle,
    )
