"""A toy with categories: take one to three stones, or pass with an even pile; the last one wins.

The category of a move is whether it leaves an even pile.
"""

import numpy as np

from tesuji.game import Game
from tesuji.games.result import FIELDS, mover, over, rewards

PASS = 0
CATEGORIES = 3  # the last one never occurs
State = np.dtype([("pile", np.int8), *FIELDS], align=True)


def category(state, move):
    return (state.pile - move) % 2


def category_text(category):
    return ("even", "odd", "never")[category]


def moves(state, out):
    first = state.pile % 2
    last = min(state.pile, 3)
    for move in range(first, last + 1):
        out[move - first] = move
    return last + 1 - first


def play(state, move):
    state.pile -= move
    if state.pile == 0:
        state.result = state.mover + 1
    state.mover = 1 - state.mover


def game(pile: int = 6) -> Game:
    def start(state):
        state.pile = pile

    return Game(
        name="take",
        state=State,
        move_codes=4,
        max_moves=4,
        max_length=100,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        parse_move=int,
        move_text=str,
        draw=lambda state, paint: f"{state.pile} stones",
        pass_move=PASS,
    )
