"""Slow tree: separate trees that agree with each other from time to time (Hoock 2013, chapter 4).

Every ``share_seconds`` the trees replace the statistics of their most important nodes by the
averages over all trees: nodes that have ``share_part`` of the root's visits, the root's moves and
those ``share_depth`` moves deeper.  Averages, not sums: each tree goes on as if it had found out
itself what all know, at its own number of visits.  With a depth of 0 only the root's moves are
shared (*slow root*), and without a period everything is added once, at the end (*voting*).

`share` is written for one tree, as each of several machines would run it: ``exchange`` gives away
one's own statistics of a node's children and returns everybody's.  All participants decide on the
averages alone where to go on, so all of them call ``exchange`` equally often, for the same nodes.
"""

import threading
from collections.abc import Callable, Sequence

from tesuji.search.catalogue import PARTS
from tesuji.search.decide import children
from tesuji.search.tree import ROOT, Tree

#: of a node's children, by move: visits, value and what else is summed
Statistics = dict[int, tuple[int, ...]]
Exchange = Callable[[Statistics], Sequence[Statistics]]

#: fields that are averaged, where a node has them
SUMS = ("visits", "value", *(field.name for part in PARTS for field in part.node if field.averaged))
ITSELF = -1  # the move under which the root's own statistics are given


def share(tree: Tree, exchange: Exchange, depth: int, part: float) -> None:
    """Replace the statistics of the nodes that matter by everybody's average."""
    sums = [name for name in SUMS if name in (tree.nodes.dtype.names or ())]
    visits = _agree(tree, sums, {ITSELF: ROOT}, exchange, 0)[ITSELF][0]
    _share_children(tree, sums, ROOT, exchange, depth, max(part * visits, 1))


def _share_children(
    tree: Tree, sums: list[str], index: int | None, exchange: Exchange, depth: int, fewest: float
) -> None:
    """Average a node's children, and go on below those that have enough visits.

    Without the node (None) this tree has nothing to say, and listens only.
    """
    places = {} if index is None else _places(tree, index)
    shared = _agree(tree, sums, places, exchange, fewest)
    for move in sorted(shared):
        if depth > 0 and shared[move][0] >= fewest:
            _share_children(tree, sums, places.get(move), exchange, depth - 1, fewest)


def _agree(
    tree: Tree, sums: list[str], places: dict[int, int], exchange: Exchange, fewest: float
) -> Statistics:
    """Give the statistics of some nodes, get everybody's; keep the averages of many visits.

    A node that was visited stays one: rounding may not close it.
    """
    mine = {move: tuple(tree.nodes[place][sums].tolist()) for move, place in places.items()}
    shared = average(exchange(mine))
    for move, place in places.items():
        visits, *rest = shared[move]
        if visits >= fewest:
            for name, value in zip(sums, (max(visits, 1), *rest), strict=True):
                tree.nodes[name][place] = value
    return shared


def _places(tree: Tree, index: int) -> dict[int, int]:
    """The records of a node's visited children, by move."""
    return {int(tree.nodes[place]["move"]): int(place) for place in children(tree, index)}


def average(everyone: Sequence[Statistics]) -> Statistics:
    """The mean of all participants' statistics; a child that one of them lacks counts as 0 there.

    >>> average([{7: (30, 20)}, {7: (10, 4), 9: (2, 2)}])
    {7: (20, 12), 9: (1, 1)}
    """
    moves = sorted({move for statistics in everyone for move in statistics})
    return {
        move: _mean([given[move] for given in everyone if move in given], len(everyone))
        for move in moves
    }


def _mean(given: list[tuple[int, ...]], count: int) -> tuple[int, ...]:
    return tuple(round(sum(column) / count) for column in zip(*given, strict=True))


class Circle:
    """An exchange between threads: everybody waits until all have given."""

    def __init__(self, size: int) -> None:
        self._given: list[Statistics] = [{} for _ in range(size)]
        self._barrier = threading.Barrier(size)

    def member(self, number: int) -> Exchange:
        """The exchange as one participant calls it."""

        def exchange(mine: Statistics) -> list[Statistics]:
            self._given[number] = mine
            self._barrier.wait()
            everyone = list(self._given)
            self._barrier.wait()
            return everyone

        return exchange

    def abort(self) -> None:
        """Let nobody wait any more."""
        self._barrier.abort()
