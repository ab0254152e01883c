"""A toy with dice: collect points in four turns, each turn +2 for sure or a die of 1 to 6.

A die of 1 or 2 loses everything and ends the game.  The reward is the points divided by 24.
"""

import numpy as np

from tesuji.compile import below
from tesuji.game import CHANCE, Game

State = np.dtype(
    [("points", np.int8), ("turn", np.int8), ("rolling", np.int8), ("lost", np.int8)], align=True
)
SAFE, ROLL = 0, 7
TURNS = 4


def start(state):
    state.points = 0


def mover(state):
    return CHANCE if state.rolling else 0


def moves(state, out):
    if state.rolling:
        for face in range(6):
            out[face] = face + 1
        return 6
    out[0] = SAFE
    out[1] = ROLL
    return 2


def roll_only(state, out):
    out[0] = 1 if state.rolling else ROLL
    return 1


def play(state, move):
    if move == ROLL:
        state.rolling = 1
        return
    state.turn += 1
    if move == SAFE:
        state.points += 2
    elif move <= 2:
        state.lost = 1
        state.points = 0
    else:
        state.points += move
    state.rolling = 0


def over(state):
    return state.lost or state.turn == TURNS


def rewards(state, out):
    out[0] = state.points / 24.0


def chance(state, rng):
    return below(rng, 6) + 1


def expected(points: int = 0, turn: int = 0) -> float:
    """The exact value under the best play, for tests."""
    if turn == TURNS:
        return points / 24
    return max(expected(points + 2, turn + 1), expected_roll(points, turn))


def expected_roll(points: int, turn: int) -> float:
    return sum(expected(points + face, turn + 1) for face in (3, 4, 5, 6)) / 6


def game() -> Game:
    return Game(
        name="dice_race",
        state=State,
        players=1,
        player_names=("racer",),
        move_codes=8,
        max_moves=6,
        max_length=2 * TURNS,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        chance=chance,
        parse_move=int,
        move_text=str,
        draw=lambda s, paint: f"turn {s.turn}, {s.points} points, rolling {s.rolling}",
    )
