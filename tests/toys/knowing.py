"""Tic-tac-toe that knows something: the centre is best; and it can say that nobody is ahead."""

from dataclasses import replace

from tesuji.game import Game
from tesuji.games import load


def weigh(state, playout, count, out):
    """Knowledge: how often each square is chosen."""
    for i in range(count):
        move = playout.moves[i]
        out[i] = 0.5 if move == 4 else 0.1 + 0.02 * (move % 2)


def even(state, out):
    """Evaluation: nobody is ahead."""
    out[0] = 0.5
    out[1] = 0.5


def game() -> Game:
    return replace(
        load("tictactoe"), name="knowing", knowledge={"squares": weigh}, evaluations={"even": even}
    )
