"""Sequence-like playouts: answer the last move, so that moves make sequences (Gelly et al. 2006).

`sequence` asks its rules one after another and plays what the first of them finds:

================  ==============================================================================
``save``          own chains that the last move put in atari: extend, or capture what gives it
``take``          capture the chain that just moved
``attack``        catch that chain in a ladder
``defend``        own chains that the last move left with two liberties and that would be caught
``eye``           the vital point of a small eye space beside the last move
``shape``         a 3x3 shape beside the last move
``capture_far``   capture anywhere on the board
``empty_tries``   a point with nothing around it (Rimmel 2009)
================  ==============================================================================

Else it plays any move that fills no own eye and, mostly, puts no own chain in atari.  How often
each rule is used is data (`weights`): MoGo's playouts and our own differ in nothing else.
"""

from typing import Any

import numpy as np

from tesuji.compile import apart, below, unit
from tesuji.game import Kernel
from tesuji.games.go.board import EMPTY, PASS, Board, Index
from tesuji.games.go.playouts import is_eye
from tesuji.games.go.rules import free_beside, last_move
from tesuji.games.go.shape import has_shape
from tesuji.games.go.tactics import Tactics

NOTHING = 0  # no move: vertex 0 is a wall


def add(out: Any, n: int, move: int) -> int:
    """Kernel: list a move unless it is there; how many there are."""
    for i in range(n):
        if out[i] == move:
            return n
    out[n] = move
    return n + 1


def sequences(board: Board, legal: Kernel, read: Tactics, watch: Kernel) -> Kernel:
    """Makes the policy ``sequence(state, playout, rng)``."""
    only_liberty = read.only_liberty
    answer = answering(board, legal, read)
    anywhere = drawing_safely(legal, read)

    def sequence(state: Any, playout: Any, rng: Any) -> int:
        """Only a door, as `uniform` is."""
        return choose(state, playout.weights[0], playout.moves, playout.scratch, rng)

    @apart
    def choose(state: Any, weights: Any, out: Any, scratch: Any, rng: Any) -> int:
        watch(state)
        last = Index(last_move(state, 0))
        if last != PASS and state.board[last] != EMPTY:
            move = answer(state, last, weights, out, scratch, rng)
            if move != NOTHING:
                return move
        if unit(rng) < weights.capture_far:
            move = capture_far(state, out, rng)
            if move != NOTHING:
                return move
        for _ in range(np.int64(weights.empty_tries)):
            vertex = state.empty[Index(below(rng, state.empties))]
            if state.code[vertex] == 0:
                return vertex
        return anywhere(state, weights, rng)

    def capture_far(state: Any, out: Any, rng: Any) -> int:
        """Kernel: a move that captures any chain in atari, or nothing."""
        n = 0
        for i in range(state.weaks):
            stone = state.weak[i]
            if state.board[stone] == 3 - state.mover:
                move = only_liberty(state, state.head[stone])
                if move != NOTHING and legal(state, move):
                    out[n] = move
                    n += 1
        if n == 0:
            return Index(NOTHING)
        return Index(out[below(rng, n)])

    return sequence


def watching(board: Board, read: Tactics) -> Kernel:
    """Makes ``watch(state)``, which keeps ``state.weak``: the chains in atari.

    After a move only its own chain and those beside it can be in atari for the first time, so each
    look is cheap if no move is missed; else all chains are looked at.
    """
    BESIDE = board.beside
    only_liberty = read.only_liberty

    @apart
    def watch(state: Any) -> None:
        if state.watched == state.ply + 1:
            return
        if state.watched == state.ply and state.ply > 0:
            forget_strong(state)
            last = Index(last_move(state, 0))
            if last != PASS and state.board[last] != EMPTY:
                look(state, last)
                look_around(state, last)
        else:
            state.weaks = 0
            for i in range(state.empties):
                look_around(state, state.empty[i])
        state.watched = state.ply + 1

    def look_around(state: Any, vertex: int) -> None:
        for k in range(4):
            near = Index(vertex + BESIDE[k])
            if state.head[near] != 0:
                look(state, near)

    @apart
    def look(state: Any, stone: int) -> None:
        """Kernel: list a stone's chain if it is in atari."""
        head = state.head[stone]
        if only_liberty(state, head) == NOTHING or state.weaks == len(state.weak):
            return
        for i in range(state.weaks):
            if state.head[state.weak[i]] == head:
                return
        state.weak[state.weaks] = head
        state.weaks += 1

    def forget_strong(state: Any) -> None:
        """Kernel: drop chains that were captured or have got liberties, and doubles."""
        kept = Index(0)
        for i in range(state.weaks):
            stone = state.weak[i]
            if state.board[stone] != EMPTY:
                head = state.head[stone]
                if only_liberty(state, head) != NOTHING and fresh(state, head, kept):
                    state.weak[kept] = head
                    kept = Index(kept + 1)
        state.weaks = kept

    def fresh(state: Any, head: int, kept: int) -> bool:
        for i in range(kept):
            if state.weak[i] == head:
                return False
        return True

    return watch


def answering(board: Board, legal: Kernel, read: Tactics) -> Kernel:
    """Makes ``answer(state, last, weights, out, scratch, rng)``: the rules about the last move."""
    only_liberty, trap = read.only_liberty, read.trap
    rescue = rescuing(board, legal, read)
    eye, shapes = shaping(board, legal, read)

    @apart
    def answer(state: Any, last: int, weights: Any, out: Any, scratch: Any, rng: Any) -> int:
        n = 0
        if unit(rng) < weights.save:
            n = rescue(state, last, True, out, scratch)
        if n == 0 and unit(rng) < weights.take:
            move = only_liberty(state, state.head[last])
            if move != NOTHING and legal(state, move):
                return move
        if n == 0 and unit(rng) < weights.defend:
            n = rescue(state, last, False, out, scratch)
        if n == 0 and unit(rng) < weights.attack:
            move = attack(state, last, scratch)
            if move != NOTHING:
                return move
        if n == 0 and unit(rng) < weights.eye:
            n = eye(state, last, out)
        if n == 0 and unit(rng) < weights.shape:
            n = shapes(state, last, weights, out)
        if n == 0 and unit(rng) < weights.shape_before:
            before = Index(last_move(state, 1))
            if before != PASS:
                n = shapes(state, before, weights, out)
        if n == 0:
            return Index(NOTHING)
        return Index(out[below(rng, n)])

    @apart
    def attack(state: Any, last: int, scratch: Any) -> int:
        """Kernel: what catches the chain that just moved, or nothing."""
        return trap(state, scratch, state.head[last])

    return answer


def rescuing(board: Board, legal: Kernel, read: Tactics) -> Kernel:
    """Makes ``rescue(state, last, in_atari, out, scratch)``: help for own chains."""
    BESIDE = board.beside
    only_liberty, liberties, room_after = read.only_liberty, read.liberties, read.room_after
    ways_out, threat = read.ways_out, read.threat

    @apart
    def rescue(state: Any, last: int, in_atari: bool, out: Any, scratch: Any) -> int:
        """Kernel: list what saves own chains beside the last move, in atari or nearly so."""
        n = 0
        before = Index(0)
        for k in range(4):
            near = Index(last + BESIDE[k])
            if state.board[near] == state.mover and state.head[near] != before:
                before = state.head[near]
                if in_atari:
                    n = free(state, before, out, n, scratch)
                else:
                    n = hold(state, before, out, n, scratch)
        return n

    def free(state: Any, head: int, out: Any, n: int, scratch: Any) -> int:
        """Kernel: list what saves one chain, if it is in atari."""
        if only_liberty(state, head) == NOTHING:
            return n
        capture, way = ways_out(state, scratch, head)
        if capture != NOTHING:
            n = add(out, n, capture)
        if way != NOTHING:
            n = add(out, n, way)
        return n

    def hold(state: Any, head: int, out: Any, n: int, scratch: Any) -> int:
        """Kernel: list what saves one chain of two liberties that would be caught."""
        count, first, second = liberties(state, head)
        if count != 2 or threat(state, scratch, head) == NOTHING:
            return n
        for k in range(2):
            way = first if k == 0 else second
            if room_after(state, way, state.mover, 3) >= 3 and legal(state, way):
                n = add(out, n, way)
        return n

    return rescue


def shaping(board: Board, legal: Kernel, read: Tactics) -> tuple[Kernel, Kernel]:
    """Makes ``eye`` and ``shapes``: moves that look right beside the last one."""
    BESIDE, ACROSS = board.beside, board.across
    room_after, vital_point = read.room_after, read.vital_point

    @apart
    def eye(state: Any, last: int, out: Any) -> int:
        """Kernel: list vital points of the eye spaces beside the last move."""
        n = 0
        for k in range(4):
            near = Index(last + BESIDE[k])
            if state.board[near] == EMPTY and free_beside(state, near) > 0:
                move = vital_point(state, near)
                if move != NOTHING and legal(state, move):
                    n = add(out, n, move)
        return n

    @apart
    def shapes(state: Any, centre: int, weights: Any, out: Any) -> int:
        """Kernel: list the points around a move that have one of the shapes."""
        n = 0
        for k in range(8):
            near = Index(centre + (BESIDE[k] if k < 4 else ACROSS[k - 4]))
            if state.board[near] == EMPTY:
                if has_shape(weights, state.code[near]):
                    if legal(state, near) and not (
                        weights.avoid > 0.0 and room_after(state, near, state.mover, 2) < 2
                    ):
                        out[n] = near
                        n += 1
        return n

    return eye, shapes


def drawing_safely(legal: Kernel, read: Tactics) -> Kernel:
    """Makes ``anywhere(state, weights, rng)``: a random move that fills no own eye.

    It starts anywhere in the list of empty points, as the uniform policy does.
    """
    room_after, sacrifices = read.room_after, read.sacrifices

    @apart
    def anywhere(state: Any, weights: Any, rng: Any) -> int:
        empties = Index(state.empties)
        if empties == 0:
            return Index(PASS)
        i = Index(below(rng, state.empties))
        me = state.mover
        poor = Index(PASS)
        for _ in range(empties):
            vertex = state.empty[i]
            if not is_eye(state, vertex, me) and legal(state, vertex):
                if weights.avoid == 0.0 or not foolish(state, vertex, me, weights, rng):
                    return vertex
                if poor == PASS:
                    poor = vertex
            i = Index(i + 1)
            if i == empties:
                i = Index(0)
        if poor != PASS and unit(rng) < weights.despair:
            return poor
        return Index(PASS)

    def foolish(state: Any, vertex: int, me: int, weights: Any, rng: Any) -> bool:
        """Kernel: does a move put an own chain in atari, and shall that count?"""
        if free_beside(state, vertex) >= 2:
            return False
        if room_after(state, vertex, me, 2) >= 2 or sacrifices(state, vertex, me):
            return False
        return unit(rng) < weights.avoid

    return anywhere
