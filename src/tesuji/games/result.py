"""Whose turn it is and how a game of two ended: kernels for states with these `FIELDS`."""

from typing import Any

import numpy as np

DRAW = 3

FIELDS = [
    ("mover", np.uint8),
    ("result", np.uint8),  # 0 while the game goes on, 1 or 2 for the player who won, or DRAW
]


def mover(state: Any) -> int:
    return state.mover


def over(state: Any) -> bool:
    return state.result != 0


def rewards(state: Any, out: Any) -> None:
    for player in range(2):
        if state.result == 0 or state.result == DRAW:
            out[player] = 0.5
        else:
            out[player] = 1.0 if state.result == player + 1 else 0.0
