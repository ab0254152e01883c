"""A toy with scores: two players take turns of two moves to pick chips; rewards are sixteenths.

Whoever holds the first and the last chip pays four points, so taking the largest is not always
best.
"""

import numpy as np

from tesuji.game import Game

State = np.dtype([("owner", np.int8, 6), ("ply", np.int8)], align=True)
VALUES = np.array([5, 1, 2, 3, 1, 4])
ORDER = np.array([0, 0, 1, 1, 0, 1, 0])  # who moves at each ply; the last is never asked
FINE = 4


def start(state):
    state.owner[:] = -1


def moves(state, out):
    count = 0
    for chip in range(6):
        if state.owner[chip] < 0:
            out[count] = chip
            count += 1
    return count


def mover(state):
    return ORDER[state.ply]


def play(state, move):
    state.owner[move] = ORDER[state.ply]
    state.ply += 1


def over(state):
    return state.ply == 6


def rewards(state, out):
    points = 0
    for chip in range(6):
        if state.owner[chip] == 0:
            points += VALUES[chip]
    if state.owner[0] == state.owner[5] and state.owner[0] >= 0:
        points += FINE if state.owner[0] == 1 else -FINE
    out[0] = points / 16.0
    out[1] = 1.0 - out[0]


def hash(state):
    key = np.uint64(0)
    for chip in range(6):
        key = key * np.uint64(3) + np.uint64(state.owner[chip] + 1)
    return key


def game() -> Game:
    return Game(
        name="chips",
        state=State,
        move_codes=6,
        max_moves=6,
        max_length=6,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        parse_move=int,
        move_text=str,
        draw=lambda state, paint: " ".join(".01"[owner + 1] for owner in state.owner),
    )
