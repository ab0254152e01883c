"""A three-player toy: take one to three stones; who takes the last gets 1, who moved before 0.4."""

import numpy as np

from tesuji.game import Game

State = np.dtype([("pile", np.int8), ("mover", np.int8)], align=True)


def moves(state, out):
    count = min(state.pile, 3)
    for i in range(count):
        out[i] = i + 1
    return count


def play(state, move):
    state.pile -= move
    state.mover = (state.mover + 1) % 3


def over(state):
    return state.pile == 0


def mover(state):
    return state.mover


def rewards(state, out):
    out[(state.mover + 2) % 3] = 1.0
    out[(state.mover + 1) % 3] = 0.4
    out[state.mover] = 0.0


def hash(state):
    return np.uint64(state.pile) * np.uint64(3) + np.uint64(state.mover)


def game(pile: int = 10) -> Game:
    def start(state):
        state.pile = pile

    return Game(
        name="triple_nim",
        state=State,
        players=3,
        player_names=("A", "B", "C"),
        move_codes=4,
        max_moves=3,
        max_length=pile,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        parse_move=int,
        move_text=str,
        draw=lambda state, paint: f"{state.pile} stones",
    )
