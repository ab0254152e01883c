"""A toy whose moves have fixed values: the first choice decides, what follows changes nothing.

There are ``first`` moves at the start and ``then`` moves in each of the ``rest`` turns after it,
all of one player.  Move 0 is worth most, the last one nothing.
"""

import numpy as np

from tesuji.game import Game

State = np.dtype(
    [
        ("first", np.int32),
        ("then", np.int32),
        ("rest", np.int32),
        ("choice", np.int32),
        ("ply", np.int32),
    ],
    align=True,
)


def moves(state, out):
    count = state.first if state.ply == 0 else state.then
    for move in range(count):
        out[move] = move
    return count


def play(state, move):
    if state.ply == 0:
        state.choice = move
    state.ply += 1


def over(state):
    return state.ply > state.rest


def mover(state):
    return 0


def rewards(state, out):
    out[0] = 1.0 - (state.choice + 1) / state.first


def game(first: int = 5, then: int = 2, rest: int = 3) -> Game:
    def start(state):
        state.first = first
        state.then = then
        state.rest = rest

    return Game(
        name="fan",
        state=State,
        move_codes=max(first, then),
        max_moves=max(first, then),
        max_length=rest + 1,
        players=1,
        player_names=("player",),
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        parse_move=int,
        move_text=str,
        draw=lambda state, paint: f"{state.choice} {state.ply}",
    )
