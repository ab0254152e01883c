"""A game written out as nested lists: a list is a position with its moves, a number is an end.

``[[0.9, 0.1], 0.5]``: the first player has two moves; the second of them ends the game with 0.5 for
him, after the first one his opponent chooses between 0.9 and 0.1.  Players take turns.  The game's
own policy always plays the first move, so the result of every playout is known, too (`first_end`).
"""

import numpy as np

from tesuji.game import Game

State = np.dtype([("node", np.int32), ("ply", np.int32)], align=True)


def first_end(script) -> float:
    """What a playout from here gives the first player."""
    while isinstance(script, list):
        script = script[0]
    return script


def start(state):
    state.node = 0
    state.ply = 0


def mover(state):
    return state.ply % 2


def first(state, playout, rng):
    return 0


def _depth(script) -> int:
    return 1 + max(map(_depth, script)) if isinstance(script, list) else 0


def _tables(script):
    """Of all positions: how many moves they have, which ones they lead to, and results."""
    positions = [script]
    links = []
    for position in positions:
        below = position if isinstance(position, list) else []
        links.append([len(positions) + n for n in range(len(below))])
        positions += below
    width = max(map(len, links))
    counts = np.array([len(each) for each in links], np.int32)
    nexts = np.array([each + [0] * (width - len(each)) for each in links], np.int32)
    ends = np.array([0.0 if isinstance(each, list) else each for each in positions])
    return counts, nexts, ends


def game(script) -> Game:
    counts, nexts, ends = _tables(script)
    depth, width = _depth(script), nexts.shape[1]

    def moves(state, out):
        for move in range(counts[state.node]):
            out[move] = move
        return counts[state.node]

    def play(state, move):
        state.node = nexts[state.node, move]
        state.ply += 1

    def over(state):
        return counts[state.node] == 0

    def rewards(state, out):
        out[0] = ends[state.node]
        out[1] = 1.0 - out[0]

    return Game(
        name="script",
        state=State,
        move_codes=width,
        max_moves=width,
        max_length=depth + 4,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        policies={"uniform": first},
        parse_move=int,
        move_text=str,
        draw=lambda state, paint: f"{state.node} {state.ply}",
    )
