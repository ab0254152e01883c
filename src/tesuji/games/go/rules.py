"""The rules: which moves are legal, what a move does, when the game ends.

Chains know their *pseudo-liberties*: an empty point counts once for each stone it touches.  That is
as good as the true number for the two questions the rules ask: is there none, and is there only
this one?  Sums over them (`tesuji.games.chains`) answer both, and are kept up by adding and
subtracting.

Simple ko is part of the state.  Superko needs the whole game: `Position` and the search compare
`repetition`, which is computed only when asked because playouts do not need it.
"""

from typing import Any

import numpy as np

from tesuji.compile import zobrist
from tesuji.game import Kernel
from tesuji.games.chains import COUNT_MASK, POINTS_AT, SQUARES_AT
from tesuji.games.go.board import (
    BLACK,
    DIAGONALS,
    EMPTY,
    FREE,
    LOW_BITS,
    NEIGHBOURS,
    PASS,
    RECENT,
    WALL,
    WHITE,
    Board,
    Index,
)

# Where a point stands in the codes of the points around it.  Steps come in pairs that undo each
# other, the first with the last.
SEEN_BESIDE = np.array([NEIGHBOURS + 2 * (3 - k) for k in range(4)], Index)
SEEN_ACROSS = np.array([DIAGONALS + 2 * (3 - k) for k in range(4)], Index)


def mover(state: Any) -> int:
    return state.mover - 1


def over(state: Any) -> bool:
    return state.passes >= 2


def surrounded(state: Any, vertex: int, colour: int) -> bool:
    """Kernel: are all four neighbours of this colour, or walls?"""
    return (state.code[vertex] >> (colour - 1)) & LOW_BITS == LOW_BITS


def has_room(state: Any, vertex: int) -> bool:
    """Kernel: is one of the four neighbours empty?"""
    code = state.code[vertex]
    return (code | code >> 1) & LOW_BITS != LOW_BITS


def free_beside(state: Any, vertex: int) -> int:
    """Kernel: how many of the four neighbours are empty."""
    return FREE[state.code[vertex] & 0xFF]


def pseudo_liberties(state: Any, head: int) -> int:
    """Kernel: in how many pairs of a stone and an empty neighbour a chain stands."""
    return np.int64(np.uint64(state.liberties[head]) & COUNT_MASK)


def last_move(state: Any, ago: int) -> int:
    """Kernel: the move made ``ago`` moves ago, 0 for the last one; `PASS` when there was none."""
    return state.recent[(state.ply - ago) & (RECENT - 1)]


def leaving(board: Board) -> Kernel:
    """Makes ``lone(state, head, vertex)``: is this liberty of a chain the only one it has?"""
    WEIGHT = board.weight

    def lone(state: Any, head: int, vertex: int) -> bool:
        sums = np.uint64(state.liberties[head])
        return sums == (sums & COUNT_MASK) * WEIGHT[vertex]

    return lone


def legality(board: Board, suicide: bool = True) -> Kernel:
    """Makes ``legal(state, vertex)`` for empty points; superko is not its business.

    Without ``suicide`` no chain takes its own last liberty, whatever the rules of the game say.
    """
    BESIDE = board.beside
    SUICIDE = suicide
    lone = leaving(board)

    def legal(state: Any, vertex: int) -> bool:
        if vertex == state.ko:
            return False
        if has_room(state, vertex):
            return True
        return has_effect(state, vertex)

    def has_effect(state: Any, vertex: int) -> bool:
        """Kernel: without an empty neighbour, does the stone capture or join a chain that lives?

        Where suicide is allowed, joining any chain will do.
        """
        me = state.mover
        found = False
        for k in range(4):
            near = vertex + BESIDE[k]
            colour = state.board[near]
            if colour != WALL:
                found |= lone(state, state.head[near], vertex) != (colour == me)
        if SUICIDE:
            found |= state.suicide != 0 and not surrounded(state, vertex, 3 - me)
        return found

    return legal


def around(board: Board) -> tuple[Any, Any]:
    """By the byte of a point's neighbours: what the sums of the empty ones among them consist of.

    The weight of ``v + d`` is that of ``v``, and ``d`` and ``d * d + 2 * d * v`` at their places:
    so three tables of bytes (with `FREE`) save a look at each neighbour.
    """
    bytes_ = np.arange(256)[:, None]
    empty = ((bytes_ >> 2 * np.arange(4)) & 3 == EMPTY).astype(np.uint64)
    steps = (board.beside << POINTS_AT) + (board.beside * board.beside << SQUARES_AT)
    return empty @ steps, empty @ (board.beside << SQUARES_AT + np.uint64(1))


def chains(board: Board) -> tuple[Kernel, Kernel, Kernel]:
    """Makes ``put``, ``join`` and ``remove``: what happens to stones and chains."""
    BESIDE, ACROSS, WEIGHT = board.beside, board.across, board.weight
    STEPS, SLOPES = around(board)

    def put(state: Any, vertex: int, colour: int) -> None:
        """Kernel: a new stone, a chain of its own for now."""
        last = state.empty[Index(state.empties - 1)]
        slot = state.slot[vertex]
        state.empty[slot] = last
        state.slot[last] = slot
        state.empties -= 1
        state.board[vertex] = colour
        state.count[colour] += 1
        state.head[vertex] = vertex
        state.next[vertex] = vertex
        state.stones[vertex] = 1
        byte = Index(state.code[vertex] & 0xFF)
        state.liberties[vertex] = (
            FREE[byte] * WEIGHT[vertex] + STEPS[byte] + SLOPES[byte] * np.uint64(vertex)
        )
        for k in range(4):
            near = vertex + BESIDE[k]
            state.code[near] += colour << SEEN_BESIDE[k]
            state.code[vertex + ACROSS[k]] += colour << SEEN_ACROSS[k]
            state.liberties[state.head[near]] -= WEIGHT[vertex]

    def join(state: Any, one: int, other: int) -> None:
        """Kernel: make one chain of two, given by their heads; the longer one keeps its head."""
        if state.stones[one] < state.stones[other]:
            one, other = other, one
        stone = other
        while True:
            state.head[stone] = one
            stone = state.next[stone]
            if stone == other:
                break
        after = state.next[one]
        state.next[one] = state.next[other]
        state.next[other] = after
        state.liberties[one] += state.liberties[other]
        state.stones[one] += state.stones[other]

    def remove(state: Any, head: int, colour: int) -> None:
        """Kernel: take a chain off the board."""
        stone = head
        while True:
            slot = state.empties
            state.empty[slot] = stone
            state.slot[stone] = slot
            state.empties = slot + 1
            state.board[stone] = EMPTY
            state.count[colour] -= 1
            for k in range(4):
                near = stone + BESIDE[k]
                state.code[near] -= colour << SEEN_BESIDE[k]
                state.code[stone + ACROSS[k]] -= colour << SEEN_ACROSS[k]
                state.liberties[state.head[near]] += WEIGHT[stone]
            state.head[stone] = 0
            stone = state.next[stone]
            if stone == head:
                break

    return put, join, remove


def playing(board: Board) -> Kernel:
    """Makes ``play(state, move)``."""
    BESIDE = board.beside
    put, join, remove = chains(board)

    def play(state: Any, move: int) -> None:
        me = state.mover
        state.mover = 3 - me
        state.ko = 0
        state.ply += 1
        state.recent[state.ply & (RECENT - 1)] = move
        if move == PASS:
            state.passes += 1
        else:
            state.passes = 0
            place(state, Index(move), me)

    def place(state: Any, vertex: int, me: int) -> None:
        """Kernel: put a stone, join it with its neighbours and remove what has no liberty left."""
        other = Index(3 - me)
        in_their_eye = surrounded(state, vertex, other)
        put(state, vertex, me)
        captured = 0
        for k in range(4):
            near = vertex + BESIDE[k]
            colour = state.board[near]
            head = state.head[near]
            if colour == me:
                if head != state.head[vertex]:
                    join(state, head, state.head[vertex])
            elif colour == other and state.liberties[head] == 0:
                captured += state.stones[head]
                remove(state, head, other)
        if in_their_eye and captured == 1:
            state.ko = state.empty[Index(state.empties - 1)]
        own = state.head[vertex]
        if state.liberties[own] == 0:  # only when suicide is allowed
            remove(state, own, me)

    return play


def hashing(board: Board) -> tuple[Kernel, Kernel]:
    """Makes ``repetition(state)``, what may not repeat, and ``hash(state)``, all that matters."""
    size = str(board.size)
    BLACKS, WHITES = zobrist(f"go {size} stones", 2, board.cells)
    MOVER = zobrist(f"go {size} mover", 3)
    KO = zobrist(f"go {size} ko", board.cells)
    PASSES = zobrist(f"go {size} passes", 3)
    FIRST, LAST = np.uint64(board.vertices[0]), np.uint64(board.vertices[-1])
    NOTHING, ONE = np.uint64(0), np.uint64(1)

    def stones(state: Any) -> np.uint64:
        """Masks instead of lookups or branches: that compiles to vector code, 9 times as fast."""
        key = NOTHING
        for vertex in range(FIRST, LAST + ONE):
            stone = state.board[vertex]
            key ^= BLACKS[vertex] & (NOTHING - np.uint64(stone == BLACK))
            key ^= WHITES[vertex] & (NOTHING - np.uint64(stone == WHITE))
        return key

    def repetition(state: Any) -> np.uint64:
        """The stones, and under situational superko who is to move."""
        key = stones(state)
        if state.situational:
            key ^= MOVER[state.mover]
        return key

    def hash_state(state: Any) -> np.uint64:
        return stones(state) ^ MOVER[state.mover] ^ KO[state.ko] ^ PASSES[state.passes]

    return repetition, hash_state
