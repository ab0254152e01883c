"""What Go knows about moves, for the tree: asked once a node, so it may read ladders.

``tactics`` sums what speaks for a move in logits and gives ``1 / (1 + e^-sum)``: the mean that a
new move starts with (`prior_visits`), or a weight for bias and widening.  It sees captures,
escapes, ataris and ladders, self-atari, 3x3 shapes and patterns, eye shapes, the distance to the
last two moves and to the border.  ``mango`` is MANGO's H (Chaslot 2010, section 5.3), with 3x3
patterns in the place of its larger ones: ``(V_ce + V_p) * sum_k 1 / (2 d_k)^(1.25 + k / 2)``.

All numbers are data (`weights`).
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import apart
from tesuji.game import Kernel
from tesuji.games.go.board import EMPTY, FREE, PASS, RECENT, Board, Index
from tesuji.games.go.rules import last_move
from tesuji.games.go.tactics import Tactics
from tesuji.games.go.urgency import valuing

PLAIN = 10.0  # weight of an ordinary pattern
MOST_STONES = 6  # of a chain that count
FADES = np.array([0.0, 1.0, 0.9, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05])  # by distance + 1
TOTAL = 10_000.0  # what a large capture beside the last move is worth to ``mango``


def lines(board: Board) -> Any:
    """By vertex: how far from the nearest border, 1 on it."""
    width, height = board.size
    rows, columns = np.divmod(np.arange(board.cells), board.stride)
    near = np.minimum(np.minimum(rows, height + 1 - rows), np.minimum(columns, width + 1 - columns))
    return np.maximum(near, 0).astype(np.uint8)


def judging(board: Board, read: Tactics, watch: Kernel) -> Kernel:
    """Makes the knowledge ``tactics(state, playout, count, out)``."""
    BESIDE = board.beside
    LINE = lines(board)
    liberties, room_after = read.liberties, read.room_after
    caught, trap, breaks_free = read.caught, read.trap, read.breaks_free
    vital_point, sacrifices = read.vital_point, read.sacrifices
    away = distancing(board)

    def tactics(state: Any, playout: Any, count: int, out: Any) -> None:
        judge(state, playout.weights[0], playout.moves, count, out, playout.scratch)

    @apart
    def judge(state: Any, weights: Any, moves: Any, count: int, out: Any, scratch: Any) -> None:
        """Kernel: first what chains ask for, on the points; then each move by itself."""
        watch(state)
        for i in range(state.empties):
            state.urgency[state.empty[i]] = 0.0
        threats(state, weights, scratch)
        for i in range(count):
            if moves[i] == PASS:
                total = weights.prior_pass
            else:
                total = state.urgency[moves[i]] + look(state, Index(moves[i]), weights)
            out[i] = 1.0 / (1.0 + math.exp(-total))

    @apart
    def threats(state: Any, weights: Any, scratch: Any) -> None:
        """Kernel: what can be captured, saved, caught and defended, chain by chain."""
        for i in range(state.empties):
            for k in range(4):
                near = Index(state.empty[i] + BESIDE[k])
                head = state.head[near]
                if head != 0 and state.liberties[head] <= 8 and newly(state, head, state.empty[i]):
                    threat(state, head, weights, scratch)
        spot = Index(last_move(state, 0))
        if spot != PASS:
            for k in range(4):
                near = Index(spot + BESIDE[k])
                if state.board[near] == EMPTY and FREE[state.code[near] & 0xFF] > 0:
                    point = vital_point(state, near)
                    if point != 0:
                        state.urgency[point] = max(state.urgency[point], weights.prior_eye)

    def newly(state: Any, head: int, point: int) -> bool:
        """Kernel: is this the first of the chain's liberties?  Each chain is looked at once."""
        count, first, _, _ = liberties(state, head, 3)
        return count <= 2 and first == point

    @apart
    def threat(state: Any, head: int, weights: Any, scratch: Any) -> None:
        """Kernel: raise the points that decide about one weak chain."""
        count, first, second, _ = liberties(state, head, 3)
        size = np.float64(min(state.stones[head], MOST_STONES))
        mine = state.board[head] == state.mover
        if count == 1:
            if mine:
                save(state, head, first, size, weights, scratch)
            else:
                raise_to(state, first, weights.prior_capture + weights.prior_capture_stone * size)
            return
        if mine:
            defend(state, head, first, second, size, weights, scratch)
        else:
            point = trap(state, scratch, head)
            if point != 0:
                raise_to(state, point, weights.prior_trap + weights.prior_save_stone * size)
            else:
                raise_to(state, first, weights.prior_atari)
                raise_to(state, second, weights.prior_atari)

    def save(state: Any, head: int, way: int, size: float, weights: Any, scratch: Any) -> None:
        value = weights.prior_save + weights.prior_save_stone * size
        capture = breaks_free(state, head, 3 - state.mover)
        if capture != 0:
            raise_to(state, capture, value)
        room = room_after(state, way, state.mover)
        if room >= 2:
            if room == 2 and capture == 0:
                scratch[0] = state
                if caught(scratch, head):
                    state.urgency[way] = weights.prior_ladder
                    return
            raise_to(state, way, value)

    def defend(
        state: Any, head: int, first: int, second: int, size: float, weights: Any, scratch: Any
    ) -> None:
        mover = state.mover
        state.mover = 3 - mover
        threat = trap(state, scratch, head)
        state.mover = mover
        if threat == 0:
            return
        value = weights.prior_defend + weights.prior_save_stone * size
        for k in range(2):
            way = first if k == 0 else second
            if room_after(state, way, mover) >= 3 or way == threat:
                raise_to(state, way, value)

    def raise_to(state: Any, vertex: int, value: float) -> None:
        state.urgency[vertex] = max(state.urgency[vertex], value)

    @apart
    def look(state: Any, vertex: int, weights: Any) -> float:
        """Kernel: what speaks for a move by itself."""
        code = state.code[vertex]
        total = 0.0
        if FREE[code & 0xFF] < 2 and room_after(state, vertex, state.mover) < 2:
            if not sacrifices(state, vertex, state.mover):
                total += weights.prior_self_atari
        if weights.shapes[state.mover, code] > 0.0:
            total += weights.prior_shape
        total += weights.prior_pattern * math.log(weights.pattern[state.mover, code] / PLAIN)
        total += weights.prior_near * away(state, vertex, 0)
        total += weights.prior_near_before * away(state, vertex, 1)
        if state.empties > 4 and lonely(state, vertex):
            if LINE[vertex] == 1:
                total += weights.prior_edge
            elif LINE[vertex] == 2:
                total += weights.prior_second
            elif LINE[vertex] == 3:
                total += weights.prior_third
        return total

    def lonely(state: Any, vertex: int) -> bool:
        """Kernel: is there no stone around a point?"""
        code = state.code[vertex]
        return ((code ^ code >> 1) & 0x5555) == 0

    return tactics


def distancing(board: Board) -> Kernel:
    """Makes ``away(state, vertex, ago)``: 1 beside a recent move, less farther away."""
    STRIDE = np.int64(board.stride)

    def away(state: Any, vertex: int, ago: int) -> float:
        spot = np.int64(last_move(state, ago))
        if spot == PASS:
            return 0.0
        at = np.int64(vertex)
        dx = abs(at % STRIDE - spot % STRIDE)
        dy = abs(at // STRIDE - spot // STRIDE)
        distance = dx + dy + max(dx, dy)
        return FADES[distance - 1] if distance <= len(FADES) else 0.0

    return away


def weighing(board: Board, read: Tactics, watch: Kernel) -> Kernel:
    """Makes the knowledge ``mango(state, playout, count, out)``."""
    value_points = valuing(read)
    STRIDE = np.int64(board.stride)

    def mango(state: Any, playout: Any, count: int, out: Any) -> None:
        weigh(state, playout.weights[0], playout.moves, count, out)

    @apart
    def weigh(state: Any, weights: Any, moves: Any, count: int, out: Any) -> None:
        watch(state)
        value_points(state, weights)
        for i in range(count):
            if moves[i] == PASS:
                out[i] = 0.0
            else:
                out[i] = state.urgency[moves[i]] * proximity(state, np.int64(moves[i])) / TOTAL

    @apart
    def proximity(state: Any, vertex: int) -> float:
        """Kernel: ``sum_k 1 / (2 d_k)^(1.25 + k / 2)`` over the recent moves; 1 without any."""
        total = 0.0
        found = False
        for k in range(min(int(state.ply), RECENT)):
            spot = np.int64(last_move(state, k))
            if spot != PASS:
                dx = vertex % STRIDE - spot % STRIDE
                dy = vertex // STRIDE - spot // STRIDE
                distance = max(math.sqrt(np.float64(dx * dx + dy * dy)), 0.5)
                total += 1.0 / (2.0 * distance) ** (1.25 + (k + 1) / 2.0)
                found = True
        return total if found else 1.0

    return mango
