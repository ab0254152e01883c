"""Who owns which point when a position of Go is played out at random.

It tells dead stones from living ones where the search does not count ownership itself.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from tesuji.compile import Slot, jit_enabled, specialise, stream
from tesuji.game import Game, Playout
from tesuji.games.go.board import BLACK, EMPTY, WHITE
from tesuji.games.go.setup import board_of
from tesuji.games.go.status import Owners
from tesuji.position import Position

game = Slot("game")
policy = Slot("policy")

PLAYOUTS = 1000


def random_owners(position: Position, seed: int = 0) -> Owners:
    """The mean owner of each point, by move codes: 1 Black, -1 White."""
    of = position.game
    board = board_of(of)
    states = np.zeros(2, of.state)
    states[0] = position.state[0]
    sums = np.zeros(of.move_codes, np.int64)
    nothing = np.zeros(1, np.int32)  # random moves need no more than the state
    playout = Playout(*(nothing for _ in Playout._fields))
    run = _compiled(of, jit_enabled(None))
    points, steps = board.vertices.astype(np.int64), board.beside.astype(np.int64)
    rng = stream(seed, "owners")
    run(states, playout, rng, PLAYOUTS, of.max_length, points, steps, sums)
    return sums / PLAYOUTS


@lru_cache(maxsize=8)
def _compiled(of: Game, jit: bool) -> Callable[..., Any]:
    slots = {**of.bindings, "policy": {"draw": of.policies["uniform"]}}
    return specialise(play_out, slots, label=f"playouts of {of.name}", jit=jit)


def play_out(
    states: Any,
    playout: Any,
    rng: Any,
    count: int,
    longest: int,
    points: Any,
    steps: Any,
    sums: Any,
) -> None:
    """Kernel: play ``states[0]`` out ``count`` times and add up the owners."""
    for _ in range(count):
        states[1] = states[0]
        state = states[1]
        for _ in range(longest):
            if game.over(state):
                break
            game.play(state, policy.draw(state, playout, rng))
        add_owners(state, points, steps, sums)


def add_owners(state: Any, points: Any, steps: Any, sums: Any) -> None:
    """Kernel: a stone owns its point, and stones of one colour the empty point between them."""
    for i in range(len(points)):
        vertex = points[i]
        colours = 0
        if state.board[vertex] == EMPTY:
            for k in range(4):
                near = state.board[vertex + steps[k]]
                if near in (BLACK, WHITE):
                    colours |= near
        else:
            colours = state.board[vertex]
        sums[vertex] += np.int64(colours == BLACK) - np.int64(colours == WHITE)
