"""A one-player toy: choose six digits; the reward is a bumpy function of all of them.

A 2 scores four points, but only one right after another 2, so always playing 2 is far from best.
"""

import numpy as np

from tesuji.game import Game

State = np.dtype([("step", np.int8), ("last", np.int8), ("points", np.int16)], align=True)
STEPS = 6


def start(state):
    state.last = -1


def moves(state, out):
    for digit in range(3):
        out[digit] = digit
    return 3


def play(state, move):
    if move == 2 and state.last != 2:
        state.points += 4
    elif move == 2:
        state.points += 1
    state.last = move
    state.step += 1


def over(state):
    return state.step == STEPS


def mover(state):
    return 0


def rewards(state, out):
    out[0] = state.points / 24.0


def game() -> Game:
    return Game(
        name="digits",
        state=State,
        players=1,
        player_names=("solver",),
        move_codes=3,
        max_moves=3,
        max_length=STEPS,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        parse_move=int,
        move_text=str,
        draw=lambda state, paint: f"{state.step} digits, {state.points} points, last {state.last}",
    )
