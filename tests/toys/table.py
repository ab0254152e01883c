"""A toy of two players whose playouts are not random: the result is known of every position.

Three choices of ``width`` moves decide; forced moves follow, so that no child of a choice ends the
game.  Player 0 gets the entry of a table.  The game's own policy always plays move 0.
"""

import numpy as np

from tesuji.game import Game

CHOICES = 3
FORCED = 2
State = np.dtype([("made", np.int32, CHOICES), ("ply", np.int32)], align=True)


def start(state):
    state.ply = 0


def mover(state):
    return state.ply % 2


def over(state):
    return state.ply == CHOICES + FORCED


def first(state, playout, rng):
    return 0


def game(values) -> Game:
    """``values[a, b, c]`` is what player 0 gets after these choices."""
    width = len(values)

    def moves(state, out):
        count = width if state.ply < CHOICES else 1
        for move in range(count):
            out[move] = move
        return count

    def play(state, move):
        if state.ply < CHOICES:
            state.made[state.ply] = move
        state.ply += 1

    def rewards(state, out):
        out[0] = values[state.made[0], state.made[1], state.made[2]]
        out[1] = 1.0 - out[0]

    return Game(
        name="table",
        state=State,
        move_codes=width,
        max_moves=width,
        max_length=CHOICES + FORCED,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        policies={"uniform": first},
        parse_move=int,
        move_text=str,
        draw=lambda state, paint: " ".join(map(str, state.made)),
    )
