"""Playouts by urgency (Bouzy 2005; INDIGO, MANGO): every move is drawn by what it is worth.

A move's urgency is ``(V_ce + V_p) * P_md`` (Chaslot 2010, section 4.2.2): what it captures or
saves, the weight of the 3x3 pattern around it, and a factor beside the last move.  Patterns are
looked up by the codes that the position keeps anyway; captures and escapes can only be at the
liberties of chains in atari, which are listed (`sequence.watching`).  So one walk over the empty
points finds all urgencies.  A drawn move that is illegal or fills an own eye is struck out, and the
next drawn.
"""

from typing import Any

import numpy as np

from tesuji.compile import apart, unit
from tesuji.game import Kernel
from tesuji.games.go.board import EMPTY, PASS, Board, Index
from tesuji.games.go.playouts import is_eye
from tesuji.games.go.rules import last_move
from tesuji.games.go.tactics import Tactics


def valuing(read: Tactics) -> Kernel:
    """Makes ``value_points(state, weights)``: V_ce + V_p of each empty point into ``urgency``."""
    only_liberty, room_after = read.only_liberty, read.room_after

    @apart
    def value_points(state: Any, weights: Any) -> None:
        for i in range(state.empties):
            vertex = state.empty[i]
            state.urgency[vertex] = weights.pattern[state.mover, state.code[vertex]]
        for i in range(state.weaks):
            if state.board[state.weak[i]] != EMPTY:
                rescue(state, state.head[state.weak[i]], weights)

    def rescue(state: Any, head: int, weights: Any) -> None:
        """Kernel: add what capturing a chain in atari, or extending it, is worth."""
        vertex = only_liberty(state, head)
        if vertex == 0:
            return
        stones = np.float64(state.stones[head])
        if state.board[head] != state.mover:
            state.urgency[vertex] += weights.capture * stones
        elif room_after(state, vertex, state.mover, 2) >= 2:
            state.urgency[vertex] += weights.escape * stones

    return value_points


def urgencies(board: Board, legal: Kernel, read: Tactics, watch: Kernel) -> Kernel:
    """Makes the policy ``urgency(state, playout, rng)``."""
    BESIDE = board.beside
    value_points = valuing(read)

    def urgency(state: Any, playout: Any, rng: Any) -> int:
        """Only a door, as `uniform` is."""
        return draw(state, playout.weights[0], rng)

    @apart
    def draw(state: Any, weights: Any, rng: Any) -> int:
        watch(state)
        total = weigh(state, weights)
        for _ in range(state.empties):
            if not total > 0.0:
                break
            vertex = pick(state, unit(rng) * total)
            if not is_eye(state, vertex, state.mover) and legal(state, vertex):
                return vertex
            total -= state.urgency[vertex]
            state.urgency[vertex] = 0.0
        return any_move(state)

    @apart
    def weigh(state: Any, weights: Any) -> float:
        """Kernel: the urgency of every empty point; their sum."""
        value_points(state, weights)
        last = Index(last_move(state, 0))
        if last != PASS:
            for k in range(4):
                near = Index(last + BESIDE[k])
                if state.board[near] == EMPTY:
                    state.urgency[near] *= weights.proximity
        total = 0.0
        for i in range(state.empties):
            total += state.urgency[state.empty[i]]
        return total

    def pick(state: Any, left: float) -> int:
        """Kernel: the point at which the running sum of urgencies passes ``left``."""
        chosen = state.empty[0]
        for i in range(state.empties):
            vertex = state.empty[i]
            if state.urgency[vertex] > 0.0:
                chosen = vertex
                left -= state.urgency[vertex]
                if left < 0.0:
                    break
        return chosen

    def any_move(state: Any) -> int:
        """Kernel: rounding may end the drawing early: the first move that will do, or a pass."""
        for i in range(state.empties):
            vertex = state.empty[i]
            if not is_eye(state, vertex, state.mover) and legal(state, vertex):
                return vertex
        return Index(PASS)

    return urgency
