"""Area scoring: stones plus the empty regions that touch one colour only.

A playout ends when every empty point is an eye or a shared liberty.  All regions are then single
points, and one look at what stands around each counts them.  Larger regions are flooded; they are
left when people stop early and when a playout is cut off.  `counting` is the quick guess: stones
alone.
"""

from typing import Any

import numpy as np

from tesuji.game import Kernel
from tesuji.games.go.board import BLACK, EMPTY, WHITE, Board
from tesuji.games.go.rules import has_room, surrounded

UNSEEN, SEEN = 0, 1


def scoring(board: Board) -> Kernel:
    """Makes ``score(state)``: Black's area minus White's area minus komi."""
    territory, _ = flooding(board)

    def score(state: Any) -> float:
        lead = np.int64(state.count[BLACK]) - np.int64(state.count[WHITE])
        single_points = 0
        for i in range(state.empties):
            vertex = state.empty[i]
            if has_room(state, vertex):
                return lead + territory(state) - state.komi
            single_points += surrounded(state, vertex, BLACK)
            single_points -= surrounded(state, vertex, WHITE)
        return lead + single_points - state.komi

    return score


def rewarding(score: Kernel) -> Kernel:
    """Makes ``rewards(state, out)``: the higher score wins, equal scores are a draw."""

    def rewards(state: Any, out: Any) -> None:
        lead = score(state)
        out[0] = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        out[1] = 1.0 - out[0]

    return rewards


def counting(board: Board) -> Kernel:
    """Makes the evaluation ``stones(state, out)``: a half, and more for who has more stones.

    ``0.5 + lead / (2 * area)``, kept within 0 and 1; komi counts as stones of White's.  The state
    counts stones anyway, so this costs next to nothing.  It suits the mercy rule, which ends a
    playout when the lead is large; it does not see territory.
    """
    AREA = board.area

    def stones(state: Any, out: Any) -> None:
        lead = np.int64(state.count[BLACK]) - np.int64(state.count[WHITE]) - state.komi
        out[0] = min(max(0.5 + lead / (2 * AREA), 0.0), 1.0)
        out[1] = 1.0 - out[0]

    return stones


def owning(board: Board) -> Kernel:
    """Makes ``owners(state, out)``: whose each point is at the end of a game, or -1.

    Stones, and the empty regions that touch one colour only, as they are scored.
    """
    VERTICES = board.vertices
    _, region = flooding(board)

    def owners(state: Any, out: Any) -> None:
        large = False
        for i in range(len(VERTICES)):
            vertex = VERTICES[i]
            if state.board[vertex] == EMPTY:
                black, white = surrounded(state, vertex, BLACK), surrounded(state, vertex, WHITE)
                out[vertex] = np.int64(white) if black != white else -1
                large |= has_room(state, vertex)
            else:
                out[vertex] = np.int64(state.board[vertex]) - 1
        if large:
            give_regions(state, out)

    def give_regions(state: Any, out: Any) -> None:
        """Kernel: regions of several points, which people leave and playouts do not."""
        for i in range(state.empties):
            state.stones[state.empty[i]] = UNSEEN
        for i in range(state.empties):
            point = state.empty[i]
            if state.stones[point] == UNSEEN:
                lead = region(state, point)
                while point != 0:
                    out[point] = 0 if lead > 0 else 1 if lead < 0 else -1
                    point = state.next[point]

    return owners


def flooding(board: Board) -> tuple[Kernel, Kernel]:
    """Makes ``territory(state)``: empty points that only Black's stones touch, minus White's.

    And ``region(state, first)``, the same of one region.  ``stones`` and ``next`` mean nothing on
    an empty point; here they mark what was seen and link the points of a region.
    """
    BESIDE = board.beside

    def territory(state: Any) -> int:
        for i in range(state.empties):
            state.stones[state.empty[i]] = UNSEEN
        lead = 0
        for i in range(state.empties):
            if state.stones[state.empty[i]] == UNSEEN:
                lead += region(state, state.empty[i])
        return lead

    def region(state: Any, first: int) -> int:
        """Kernel: the points of one region, positive if they are Black's, negative if White's."""
        state.stones[first] = SEEN
        state.next[first] = 0
        vertex = first
        last = first
        points = 0
        touched = 0
        while vertex != 0:
            points += 1
            for k in range(4):
                near = vertex + BESIDE[k]
                colour = state.board[near]
                if colour in (BLACK, WHITE):
                    touched |= colour
                elif colour == EMPTY and state.stones[near] == UNSEEN:
                    state.stones[near] = SEEN
                    state.next[near] = 0
                    state.next[last] = near
                    last = near
            vertex = state.next[vertex]
        if touched == BLACK:
            return points
        return -points if touched == WHITE else 0

    return territory, region
