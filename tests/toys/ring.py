"""A toy that can go round for ever: step along a ring of six fields; who steps onto the last wins.

Stepping next to it loses, so both can only step back, and nobody can force anything.
"""

import numpy as np

from tesuji.game import Game

State = np.dtype([("field", np.int8), ("mover", np.int8)], align=True)
FIELDS, LAST = 6, 3


def start(state):
    state.field = 0


def moves(state, out):
    out[0] = 0
    out[1] = 1
    return 2


def mover(state):
    return state.mover


def play(state, move):
    state.field = (state.field + (1 if move == 1 else FIELDS - 1)) % FIELDS
    state.mover = 1 - state.mover


def over(state):
    return state.field == LAST


def rewards(state, out):
    out[0] = 0.5 if state.field != LAST else 1.0 * state.mover
    out[1] = 1.0 - out[0]


def hash(state):
    return np.uint64(2 * state.field + state.mover)


def game() -> Game:
    return Game(
        name="ring",
        state=State,
        move_codes=2,
        max_moves=2,
        max_length=30,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        parse_move=int,
        move_text=str,
        draw=lambda state, paint: str(state.field),
    )
