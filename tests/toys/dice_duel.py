"""A toy for two with dice: each in turn takes 2, or what a die of 1 to 6 gives; most points win."""

import numpy as np

from tesuji.compile import below
from tesuji.game import CHANCE, Game

State = np.dtype([("points", np.int8, 2), ("turn", np.int8), ("rolling", np.int8)], align=True)
SAFE, ROLL = 0, 7
TURNS = 6


def start(state):
    state.turn = 0


def mover(state):
    return CHANCE if state.rolling else state.turn % 2


def moves(state, out):
    if state.rolling:
        for die in range(1, 7):
            out[die - 1] = die
        return 6
    out[0] = SAFE
    out[1] = ROLL
    return 2


def play(state, move):
    if move == ROLL:
        state.rolling = 1
        return
    state.points[state.turn % 2] += 2 if move == SAFE else move
    state.rolling = 0
    state.turn += 1


def over(state):
    return state.turn == TURNS


def rewards(state, out):
    lead = state.points[0] - state.points[1]
    out[0] = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
    out[1] = 1.0 - out[0]


def chance(state, rng):
    return 1 + below(rng, 6)


def parse_move(text):
    names = {"safe": SAFE, "roll": ROLL} | {str(die): die for die in range(1, 7)}
    if text not in names:
        raise ValueError(f"valid: {', '.join(names)}")
    return names[text]


def move_text(move):
    return {SAFE: "safe", ROLL: "roll"}.get(move, str(move))


def draw(state, paint):
    return f"{paint(str(state.points[0]), 0)} : {paint(str(state.points[1]), 1)}"


def game() -> Game:
    return Game(
        name="dice_duel",
        state=State,
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
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
    )
