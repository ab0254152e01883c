"""Reading what happens to chains next: liberties, atari, self-atari, ladders, eye shapes.

Chains know sums over their pseudo-liberties (`tesuji.games.chains`), which tell at once whether a
chain is in atari, and where.  How many *different* liberties another one has is found by walking
along it until enough of them have been seen.  An empty point touches one stone of a small chain and
at most four of a large one, so that the number of pseudo-liberties alone saves most walks.

`reading` makes the kernels for one board.  Ladders are read on copies of the position, in the
scratch space that the search lends.
"""

from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import apart
from tesuji.game import Kernel
from tesuji.games.chains import COUNT_MASK, POINTS_AT, POINTS_MASK
from tesuji.games.go.board import EMPTY, LOW_BITS, Board, Index
from tesuji.games.go.rules import free_beside, has_room, leaving, pseudo_liberties

ENOUGH = 3  # liberties: more make no difference
MOST_TOUCHED = 4  # stones that one empty point can touch
TOUCHED = np.array([0, 1, 1, 2, 2, 3, 3, 4])  # the same for a chain of so many, 7 or more
WHOLE = np.uint64(12)
SHARE = np.array([0, 12, 6, 4, 3], np.uint64)  # of so many: a quotient without a division
LADDER = 64  # copies of the position that a ladder may need
PATIENCE = 200  # positions that are looked at before a ladder counts as broken
LARGEST_SACRIFICE = 4  # stones that may be given up to kill from inside
LARGEST_EYE = 6  # points of an eye space with one vital point


class Tactics(NamedTuple):
    """Kernels for one size of board."""

    only_liberty: Kernel  #: ``(state, head)``: the liberty of a chain in atari, else 0
    liberties: Kernel  #: ``(state, head)``: how many, up to 3, and which if they are two
    room_after: Kernel  #: ``(state, vertex, me, most)``: those of a new stone's chain, up to 3
    trap: Kernel  #: ``(state, scratch, prey)``: the move that catches a chain of two liberties
    caught: Kernel  #: ``(scratch, prey)``: is a chain in atari lost, its owner to move?
    breaks_free: Kernel  #: ``(state, head, other)``: a capture that saves a chain, or 0
    ways_out: Kernel  #: ``(state, scratch, head)``: what saves an own chain in atari
    threat: Kernel  #: ``(state, scratch, head)``: what would catch an own chain of two liberties
    sacrifices: Kernel  #: ``(state, vertex, me)``: does a stone give atari to a larger chain?
    vital_point: Kernel  #: ``(state, first)``: of the eye space at an empty point, or 0


def reading(board: Board, legal: Kernel, play: Kernel) -> Tactics:
    """Makes the kernels.  ``legal`` must not know suicide: who runs would run off the board."""
    legal, play = _apart(legal, play)
    liberties, only_liberty = _counting(board)
    room_after, flees = _extending(board)
    breaks_free = _capturing(board, only_liberty)
    caught, trap = _ladders(legal, play, liberties, only_liberty, breaks_free, flees)
    return Tactics(
        only_liberty=only_liberty,
        liberties=liberties,
        room_after=room_after,
        trap=trap,
        caught=caught,
        breaks_free=breaks_free,
        ways_out=_escaping(legal, only_liberty, room_after, breaks_free, caught),
        threat=_fearing(trap),
        sacrifices=_sacrificing(board, liberties),
        vital_point=_shapes(board),
    )


def _apart(legal: Kernel, play: Kernel) -> tuple[Kernel, Kernel]:
    """The rules as functions of their own: reading calls them from many places."""

    @apart
    def legal_apart(state: Any, vertex: int) -> bool:
        return legal(state, vertex)

    @apart
    def play_apart(state: Any, vertex: int) -> None:
        play(state, vertex)

    return legal_apart, play_apart


def has_more(state: Any, head: int, liberties: int) -> bool:
    """Kernel: has a chain more than so many liberties for sure, by its size?"""
    touched = TOUCHED[Index(min(state.stones[head], len(TOUCHED) - 1))]
    return pseudo_liberties(state, head) > liberties * touched


def _counting(board: Board) -> tuple[Kernel, Kernel]:
    BESIDE, WEIGHT = board.beside, board.weight

    @apart
    def liberties(state: Any, head: int) -> Any:
        """Kernel: how many liberties a chain has, counted up to 3, and the first two of them.

        Where a look at its size tells that there are more, they are 0.
        """
        first, second = Index(0), Index(0)
        if has_more(state, head, 2):
            return 3, first, second
        stone = Index(head)
        while True:
            if has_room(state, stone):
                for k in range(4):
                    near = Index(stone + BESIDE[k])
                    if state.board[near] == EMPTY and near != first and near != second:
                        if first == 0:
                            first = near
                        elif second == 0:
                            second = near
                        else:
                            return 3, first, second
            stone = state.next[stone]
            if stone == head:
                return np.int64(first != 0) + np.int64(second != 0), first, second

    def only_liberty(state: Any, head: int) -> int:
        """Kernel: the one liberty of a chain in atari; 0 for any other chain."""
        sums = np.uint64(state.liberties[head])
        count = sums & COUNT_MASK
        if count > MOST_TOUCHED:
            return Index(0)
        vertex = Index(((sums >> POINTS_AT) & POINTS_MASK) * SHARE[count] // WHOLE)
        return vertex if sums == count * WEIGHT[vertex] else Index(0)

    return liberties, only_liberty


def _extending(board: Board) -> tuple[Kernel, Kernel]:
    BESIDE = board.beside
    lone = leaving(board)

    @apart
    def room_after(state: Any, vertex: int, me: int, most: int) -> int:
        """Kernel: how many liberties the chain of a new stone would have, counted up to ``most``.

        A capture of several stones counts as enough, though it may give only two.
        """
        if free_beside(state, vertex) >= most:
            return most
        count = Index(0)
        for k in range(4):
            near = Index(vertex + BESIDE[k])
            colour = state.board[near]
            if colour == EMPTY:
                count = note(state, near, count)
            elif colour == 3 - me and lone(state, state.head[near], vertex):
                if state.stones[state.head[near]] > 1:
                    return most
                count = note(state, near, count)
        for k in range(4):
            near = Index(vertex + BESIDE[k])
            if count < most and state.board[near] == me:
                count = note_chain(state, state.head[near], vertex, count, most)
        return min(np.int64(count), most)

    @apart
    def flees(state: Any, head: int, way: int, taken: int) -> bool:
        """Kernel: does a chain of two liberties get three by one, when the other has been taken?

        What it could capture is left aside.
        """
        me = state.board[head]
        most = ENOUGH + 1
        state.found[0] = taken
        count = Index(1)
        for k in range(4):
            near = Index(way + BESIDE[k])
            if state.board[near] == EMPTY:
                count = note(state, near, count)
        for k in range(4):
            near = Index(way + BESIDE[k])
            if count < most and state.board[near] == me and state.head[near] != head:
                count = note_chain(state, state.head[near], way, count, most)
        return count >= most

    def note(state: Any, point: int, count: int) -> int:
        """Kernel: list a liberty unless it is there; how many there are."""
        for i in range(count):
            if state.found[i] == point:
                return count
        if count < len(state.found):
            state.found[count] = point
        return Index(count + 1)

    def note_chain(state: Any, head: int, vertex: int, count: int, most: int) -> int:
        """Kernel: list the liberties of a chain besides ``vertex``, until there are enough."""
        if has_more(state, head, most):
            return Index(most)
        stone = Index(head)
        while True:
            if has_room(state, stone):
                for k in range(4):
                    near = Index(stone + BESIDE[k])
                    if state.board[near] == EMPTY and near != vertex:
                        count = note(state, near, count)
                        if count >= most:
                            return count
            stone = state.next[stone]
            if stone == head:
                return count

    return room_after, flees


def _capturing(board: Board, only_liberty: Kernel) -> Kernel:
    BESIDE = board.beside

    @apart
    def breaks_free(state: Any, head: int, other: int) -> int:
        """Kernel: where a chain can capture one that touches it, or 0."""
        stone = Index(head)
        before = Index(0)
        while True:
            for k in range(4):
                near = Index(stone + BESIDE[k])
                if state.board[near] == other and state.head[near] != before:
                    before = state.head[near]
                    liberty = only_liberty(state, before)
                    if liberty != 0 and liberty != state.ko:
                        return liberty
            stone = state.next[stone]
            if stone == head:
                return Index(0)

    return breaks_free


def _escaping(
    legal: Kernel, only_liberty: Kernel, room_after: Kernel, breaks_free: Kernel, caught: Kernel
) -> Kernel:
    @apart
    def ways_out(state: Any, scratch: Any, head: int) -> Any:
        """Kernel: the capture that saves an own chain in atari, and the extension that does, or 0.

        An extension to two liberties is read as a ladder, unless there is something to capture.
        """
        capture = breaks_free(state, head, 3 - state.mover)
        if capture != 0 and not legal(state, capture):
            capture = Index(0)
        way = only_liberty(state, head)
        room = room_after(state, way, state.mover, ENOUGH)
        if room < 2 or not legal(state, way):
            way = Index(0)
        elif room == 2 and capture == 0:
            scratch[0] = state
            if caught(scratch, head):
                way = Index(0)
        return capture, way

    return ways_out


def _fearing(trap: Kernel) -> Kernel:
    def threat(state: Any, scratch: Any, head: int) -> int:
        """Kernel: where the opponent would catch an own chain of two liberties, or 0."""
        state.mover = 3 - state.mover
        found = trap(state, scratch, head)
        state.mover = 3 - state.mover
        return found

    return threat


def _sacrificing(board: Board, liberties: Kernel) -> Kernel:
    BESIDE = board.beside

    @apart
    def sacrifices(state: Any, vertex: int, me: int) -> bool:
        """Kernel: does a few stones' self-atari give atari to a chain of more stones?

        Such moves kill from inside an eye space, or throw in.  A large chain is no sacrifice: in a
        seki, whoever plays loses it.
        """
        own = 1
        larger = 0
        for k in range(4):
            near = Index(vertex + BESIDE[k])
            head = state.head[near]
            if state.board[near] == me:
                own += np.int64(state.stones[head])
            elif state.board[near] == 3 - me:
                count, _, _ = liberties(state, head)
                if count == 2:
                    larger = max(larger, np.int64(state.stones[head]))
        return own <= LARGEST_SACRIFICE and larger > own

    return sacrifices


def _ladders(
    legal: Kernel,
    play: Kernel,
    liberties: Kernel,
    only_liberty: Kernel,
    breaks_free: Kernel,
    flees: Kernel,
) -> tuple[Kernel, Kernel]:
    @apart
    def runs(state: Any, prey: int) -> int:
        """Kernel: let a chain in atari extend, its owner to move; its liberties then, up to 3.

        0 when that is illegal; 3, too, when it can capture instead.
        """
        head = state.head[prey]
        if breaks_free(state, head, 3 - state.mover) != 0:
            return 3
        way = only_liberty(state, head)
        if not legal(state, way):
            return 0
        play(state, way)
        count, first, second = liberties(state, state.head[prey])
        if count == 2:
            # The attacker stops the way that leads farther first.
            if free_beside(state, first) < free_beside(state, second):
                first, second = second, first
            state.choice[0] = worth_trying(state, prey, first, second)
            state.choice[1] = worth_trying(state, prey, second, first)
        return count

    def worth_trying(state: Any, prey: int, vertex: int, other: int) -> int:
        """Kernel: an attack on a chain of two liberties, or 0 if it runs away by the other one."""
        return Index(0) if flees(state, state.head[prey], other, vertex) else vertex

    @apart
    def caught(scratch: Any, prey: int) -> bool:
        """Kernel: is a chain in atari lost although its owner is to move, in ``scratch[0]``?

        The owner extends, which is all he can do; the attacker has two ways to give atari again.
        ``choice`` keeps those that have not been tried.
        """
        depth = Index(0)
        count = runs(scratch[depth], prey)
        for _ in range(PATIENCE):
            if count < 2:
                return True
            if count > 2 or depth + 1 == LADDER:
                give_up(scratch[depth])
            while scratch[depth].choice[0] == 0 and scratch[depth].choice[1] == 0:
                if depth == 0:
                    return False
                depth = Index(depth - 1)
            here = scratch[depth]
            slot = Index(0) if here.choice[0] != 0 else Index(1)
            vertex = here.choice[slot]
            here.choice[slot] = 0
            count = 2  # if the move is illegal, the other way is left
            if legal(here, vertex):
                depth = Index(depth + 1)
                scratch[depth] = here
                play(scratch[depth], vertex)
                give_up(scratch[depth])
                count = 0
                if scratch[depth].board[prey] != EMPTY:
                    count = runs(scratch[depth], prey)
        return False

    def give_up(state: Any) -> None:
        """Kernel: no attack is left to try."""
        state.choice[0] = 0
        state.choice[1] = 0

    @apart
    def trap(state: Any, scratch: Any, prey: int) -> int:
        """Kernel: the atari that catches a chain of two liberties, attacker to move, or 0."""
        count, first, second = liberties(state, state.head[prey])
        if count != 2:
            return Index(0)
        for k in range(2):
            vertex = first if k == 0 else second
            other = second if k == 0 else first
            if worth_trying(state, prey, vertex, other) != 0 and legal(state, vertex):
                scratch[0] = state
                play(scratch[0], vertex)
                if only_liberty(scratch[0], scratch[0].head[prey]) != 0 and caught(scratch, prey):
                    return vertex
        return Index(0)

    return caught, trap


def _bits(board: Board) -> Any:
    """A bit for each vertex.  Points that share one are eight steps apart: too far for one eye."""
    row, column = np.divmod(np.arange(board.cells), board.stride)
    return np.uint64(1) << ((column + 8 * row) % 64).astype(np.uint64)


def _shapes(board: Board) -> Kernel:
    BESIDE, BIT = board.beside, _bits(board)

    @apart
    def vital_point(state: Any, first: int) -> int:
        """Kernel: the point that makes or spoils two eyes in a small empty region, or 0.

        All stones beside the region are of one colour.  Three points have one, the middle; four
        and five have one if some point has three empty neighbours; five and six if some point has
        four.  ``next`` means nothing on empty points: here it links the region.
        """
        state.next[first] = 0
        last = Index(first)
        point = Index(first)
        count = 1
        best = Index(first)
        black, white = False, False
        region = BIT[first]
        while point != 0:
            blacks = state.code[point] & LOW_BITS
            whites = (state.code[point] >> 1) & LOW_BITS
            black |= blacks & ~whites != 0  # both bits are a wall's
            white |= whites & ~blacks != 0
            if black and white:
                return Index(0)
            if free_beside(state, point) > free_beside(state, best):
                best = point
            for k in range(4):
                near = Index(point + BESIDE[k])
                if state.board[near] == EMPTY and region & BIT[near] == 0:
                    if count == LARGEST_EYE:
                        return Index(0)
                    count += 1
                    region |= BIT[near]
                    state.next[near] = 0
                    state.next[last] = near
                    last = near
            point = state.next[point]
        ways = free_beside(state, best)
        if count == 3 or (count in (4, 5) and ways == 3) or (count in (5, 6) and ways == 4):
            return best
        return Index(0)

    return vital_point
