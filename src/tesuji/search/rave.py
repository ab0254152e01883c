"""AMAF values and RAVE: a move may be judged by simulations in which it was made later.

*All moves as first* (Brügmann 1993): every simulation through a node says something about each move
that the player to move there made at any time afterwards, not only about the first one.  A child
keeps these simulations beside its own (``amaf_value``, ``amaf_visits``).  One definition holds
everywhere: a child gets credit if *its player* is the first to make its move at or below the node;
when another player was before him, as on a point of Go that was captured in between, it means
something else.  Passes get none.

*RAVE* (Gelly and Silver 2007) blends the AMAF value with the child's mean; AMAF leads while the
child has few visits of its own.  `BLENDS` has the schedules; both of the usual ones read the
*child's* visits.  *GRAVE* (Cazenave 2015) takes the AMAF values from the nearest ancestor that has
enough visits and in which the same player is to move.  *poolRAVE* (Rimmel, Teytaud and Teytaud
2010) lets playouts draw from the moves with the best AMAF values.
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.search.threads import add_amaf, tried_of
from tesuji.search.tree import NONE, SCALE, home, next_child, passes

GRAVE = Slot("GRAVE")
PASS = Slot("PASS")


@inlined
def beta_equivalence(visits: float, k: float) -> float:
    """Kernel: ``sqrt(k / (3 n + k))``: one half at n = k (Gelly and Silver 2007)."""
    return math.sqrt(k / (3.0 * visits + k))


@inlined
def beta_mse(visits: float, amaf_visits: float, d: float) -> float:
    """Kernel: ``m / (m + n + D m n)``, the least mean squared error (Silver 2009).

    D = 4 b^2, b the bias of AMAF values.
    """
    return amaf_visits / (amaf_visits + visits + d * amaf_visits * visits)


@inlined
def blend_amaf(
    mean: float, visits: float, amaf: float, amaf_visits: float, prior: float, params: Any
) -> float:
    """Kernel: the AMAF value alone."""
    return amaf if amaf_visits > 0.0 else mean


@inlined
def blend_equivalence(
    mean: float, visits: float, amaf: float, amaf_visits: float, prior: float, params: Any
) -> float:
    """Kernel: RAVE with the schedule of equivalence."""
    if amaf_visits == 0.0:
        return mean
    if visits == 0.0:  # as most children are: no need for a square root
        return amaf
    beta = beta_equivalence(visits, params.rave_k)
    return (1.0 - beta) * mean + beta * amaf


@inlined
def blend_mse(
    mean: float, visits: float, amaf: float, amaf_visits: float, prior: float, params: Any
) -> float:
    """Kernel: RAVE with the schedule of least squared error."""
    if amaf_visits == 0.0:
        return mean
    if visits == 0.0:
        return amaf
    beta = beta_mse(visits, amaf_visits, params.rave_d)
    return (1.0 - beta) * mean + beta * amaf


@inlined
def blend_mogo(
    mean: float, visits: float, amaf: float, amaf_visits: float, prior: float, params: Any
) -> float:
    """Kernel: mean, AMAF value and knowledge as one weighted mean.

    Knowledge leads while a child has few simulations of either kind, then AMAF, in the end the
    mean: the regime of MoGo's score (Hoock 2013, section 4.2), whose constants are not published.
    """
    weight = amaf_visits * params.rave_k / (amaf_visits + params.rave_k + 3.0 * visits)
    total = visits + weight + params.rave_prior
    if total == 0.0:
        return mean
    own = mean * visits if visits > 0.0 else 0.0
    return (own + amaf * weight + prior * params.rave_prior) / total


BLENDS = {
    "amaf": blend_amaf,
    "equivalence": blend_equivalence,
    "mse": blend_mse,
    "mogo": blend_mogo,
}


@inlined
def amaf_of(child: Any, player: int, work: Any) -> Any:
    """Kernel: AMAF value and visits of a child, its own or those that GRAVE has copied."""
    if GRAVE:
        if work.amaf.filled[player]:
            move = child.move
            known = work.amaf.copied[player, move] == work.amaf.stamp[0]
            return (
                np.float64(work.amaf.value[player, move]),
                np.float64(work.amaf.visits[player, move]) if known else 0.0,
            )
    visits = np.float64(child.amaf_visits)
    return child.amaf_value * (1.0 / SCALE) / max(visits, 1.0), visits


@inlined
def forget_source(work: Any) -> None:
    """Kernel: GRAVE, at the beginning of a simulation: no ancestor yet."""
    for player in range(len(work.amaf.source)):
        work.amaf.source[player] = -1
        work.amaf.filled[player] = 0


def note_source(tree: Any, index: int, work: Any, fewest: int) -> None:
    """Kernel: GRAVE, at each node: is it the source of AMAF values, or is an ancestor?"""
    node = tree.nodes[np.uint64(index)]
    player = node.mover
    if player < 0:
        return
    if passes(node) >= fewest:
        work.amaf.source[player] = index
        work.amaf.filled[player] = 0
    elif work.amaf.source[player] >= 0 and not work.amaf.filled[player]:
        _copy_source(tree, work.amaf.source[player], work, player)


def _copy_source(tree: Any, index: int, work: Any, player: int) -> None:
    """Kernel: make a node's AMAF values ready by move; other moves have none."""
    work.amaf.filled[player] = 1
    node = tree.nodes[np.uint64(index)]
    child = NONE
    for n in range(tried_of(node)):
        child = next_child(tree, node, child, n)
        record = tree.nodes[np.uint64(child)]
        if record.amaf_visits > 0:
            mean = record.amaf_value * (1.0 / SCALE) / record.amaf_visits
            work.amaf.value[player, record.move] = mean
            work.amaf.visits[player, record.move] = record.amaf_visits
            work.amaf.copied[player, record.move] = work.amaf.stamp[0]


def credit(tree: Any, work: Any, depth: int) -> None:
    """Kernel: give AMAF credit after a simulation.

    From its last move to its first, so that at each node exactly the moves made at or below it have
    been seen.
    """
    work.amaf.stamp[0] += 1
    stamp = np.uint32(work.amaf.stamp[0])
    for ply in range(work.playout.length[0] - 1, -1, -1):
        move = work.playout.trace[ply]
        player = work.movers[ply]
        if player >= 0 and move != PASS:
            for other in range(len(work.amaf.seen)):
                work.amaf.seen[other, move] = stamp if other == player else 0
        if ply <= depth:
            credit_children(tree, home(tree, np.int64(work.path[ply])), work, stamp)


@inlined
def credit_children(tree: Any, index: int, work: Any, stamp: Any) -> None:
    """Kernel: count this simulation for each child whose move was made.

    All children have records, one behind the other.
    """
    node = tree.nodes[np.uint64(index)]
    if node.mover < 0:
        return
    player = np.uint64(node.mover)
    gain = work.gains[player]
    tried = np.uint64(tried_of(node))
    first = np.uint64(node.first)
    for n in range(tried):
        record = tree.nodes[first + n]
        if work.amaf.seen[player, np.uint64(record.move)] == stamp:
            add_amaf(record, gain)


def fill_pool(tree: Any, work: Any, depth: int, params: Any) -> None:
    """Kernel: poolRAVE, at the end of a descent: the moves with the best AMAF values.

    They come from the deepest node of the path with enough visits, and serve both players.
    """
    work.amaf.pooled[0] = 0
    for i in range(depth, -1, -1):
        index = home(tree, np.int64(work.path[i]))
        if passes(tree.nodes[np.uint64(index)]) >= params.pool_visits:
            _pool_children(tree, index, work, params.pool_visits)
            return


def _pool_children(tree: Any, index: int, work: Any, fewest: int) -> None:
    """Kernel: insert children into the pool, the best first, as far as there is room."""
    node = tree.nodes[np.uint64(index)]
    pool = work.amaf.pool
    count = 0
    for n in range(tried_of(node)):
        child = np.int64(node.first) + n
        if tree.nodes[np.uint64(child)].amaf_visits < fewest:
            continue
        place = min(count, len(pool) - 1)
        if count == len(pool) and _amaf_mean(tree, pool[place]) >= _amaf_mean(tree, child):
            continue
        while place > 0 and _amaf_mean(tree, pool[place - 1]) < _amaf_mean(tree, child):
            pool[place] = pool[place - 1]
            place -= 1
        pool[place] = child
        count = min(count + 1, len(pool))
    for i in range(count):
        pool[i] = tree.nodes[np.uint64(pool[i])].move
    work.amaf.pooled[0] = count


@inlined
def _amaf_mean(tree: Any, child: int) -> float:
    record = tree.nodes[np.uint64(child)]
    return record.amaf_value / max(np.float64(record.amaf_visits), 1.0)
