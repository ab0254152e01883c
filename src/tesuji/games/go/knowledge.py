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
from tesuji.games.go.board import EMPTY, PASS, RECENT, Board, Index
from tesuji.games.go.rules import free_beside, last_move
from tesuji.games.go.shape import has_shape
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
    threats = threatening(board, read)
    look = looking(board, read)

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

    return tactics


def raise_to(state: Any, vertex: int, value: float) -> None:
    """Kernel: a point is worth at least so much."""
    state.urgency[vertex] = max(state.urgency[vertex], value)


def threatening(board: Board, read: Tactics) -> Kernel:
    """Makes ``threats(state, weights, scratch)``: what weak chains make of points."""
    BESIDE = board.beside
    only_liberty, liberties, room_after = read.only_liberty, read.liberties, read.room_after
    ways_out, threat, trap, vital_point = read.ways_out, read.threat, read.trap, read.vital_point

    @apart
    def threats(state: Any, weights: Any, scratch: Any) -> None:
        """Kernel: what can be captured, saved, caught and defended, chain by chain."""
        for i in range(state.empties):
            point = state.empty[i]
            for k in range(4):
                head = state.head[Index(point + BESIDE[k])]
                if head != 0 and newly(state, head, point):
                    decide(state, head, weights, scratch)
        eyes(state, weights)

    def eyes(state: Any, weights: Any) -> None:
        """Kernel: raise the vital points beside the last move."""
        last = Index(last_move(state, 0))
        if last != PASS:
            for k in range(4):
                near = Index(last + BESIDE[k])
                if state.board[near] == EMPTY and free_beside(state, near) > 0:
                    point = vital_point(state, near)
                    if point != 0:
                        raise_to(state, point, weights.prior_eye)

    def newly(state: Any, head: int, point: int) -> bool:
        """Kernel: is a chain weak, and this the first of its liberties?  It is looked at once."""
        count, first, _ = liberties(state, head)
        return count <= 2 and first == point

    @apart
    def decide(state: Any, head: int, weights: Any, scratch: Any) -> None:
        """Kernel: raise the points that decide about one weak chain."""
        size = np.float64(min(state.stones[head], MOST_STONES))
        way = only_liberty(state, head)
        if state.board[head] == state.mover:
            if way != 0:
                save(state, head, way, size, weights, scratch)
            else:
                defend(state, head, size, weights, scratch)
        elif way != 0:
            raise_to(state, way, weights.prior_capture + weights.prior_capture_stone * size)
        else:
            attack(state, head, size, weights, scratch)

    def save(state: Any, head: int, way: int, size: float, weights: Any, scratch: Any) -> None:
        """Kernel: an own chain in atari."""
        value = weights.prior_save + weights.prior_save_stone * size
        capture, extension = ways_out(state, scratch, head)
        if capture != 0:
            raise_to(state, capture, value)
        if extension != 0:
            raise_to(state, extension, value)
        elif room_after(state, way, state.mover, 2) >= 2:
            state.urgency[way] = weights.prior_ladder

    def defend(state: Any, head: int, size: float, weights: Any, scratch: Any) -> None:
        """Kernel: an own chain of two liberties, if it would be caught."""
        feared = threat(state, scratch, head)
        if feared == 0:
            return
        value = weights.prior_defend + weights.prior_save_stone * size
        _, first, second = liberties(state, head)
        for k in range(2):
            way = first if k == 0 else second
            if room_after(state, way, state.mover, 3) >= 3 or way == feared:
                raise_to(state, way, value)

    def attack(state: Any, head: int, size: float, weights: Any, scratch: Any) -> None:
        """Kernel: a chain of the opponent's with two liberties."""
        point = trap(state, scratch, head)
        if point != 0:
            raise_to(state, point, weights.prior_trap + weights.prior_save_stone * size)
            return
        _, first, second = liberties(state, head)
        raise_to(state, first, weights.prior_atari)
        raise_to(state, second, weights.prior_atari)

    return threats


def looking(board: Board, read: Tactics) -> Kernel:
    """Makes ``look(state, vertex, weights)``: what speaks for a move by itself."""
    LINE = lines(board)
    room_after, sacrifices = read.room_after, read.sacrifices
    away = distancing(board)

    @apart
    def look(state: Any, vertex: int, weights: Any) -> float:
        code = state.code[vertex]
        total = 0.0
        if room_after(state, vertex, state.mover, 2) < 2:
            if not sacrifices(state, vertex, state.mover):
                total += weights.prior_self_atari
        if has_shape(weights, code):
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

    return look


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
