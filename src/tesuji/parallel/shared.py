"""Tree parallelization: every thread runs this loop on the same tree (Chaslot 2010, section 7.3).

The loop of one thread knows how many simulations are its own.  Here threads take them from one
store, a few at a time, so that all end together although some are slower.

**Staying.**  A cache line that two cores write to travels between them, which takes as long as a
whole simulation of a light game takes.  All simulations write to the root and to the best nodes
below it.  So a thread that has come to the last of these *crowded* nodes stays there for ``stay``
simulations before it returns: they begin at that node, and the nodes above get all their results at
once.  They are exact afterwards; in between they lack a few results out of many.  The last crowded
node itself knows all of them, so that no move is tried more often than the rule says.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.compile.atomics import add, load
from tesuji.search.backup import square_gain
from tesuji.search.loop import begin, descend, finish, recall, simulation, visit
from tesuji.search.solver import proven
from tesuji.search.threads import (
    add_passes,
    add_squares,
    add_value,
    add_visits,
    status_of,
    uncount,
)
from tesuji.search.tree import EXPANDED, NONE, ROOT, home

SOLVER = Slot("SOLVER")
STAY = Slot("STAY")
TRANSPOSE = Slot("TRANSPOSE")
VARIANCE = Slot("VARIANCE")

LARGEST = 64  # simulations that a thread takes at once
SHARES = 8  # of those of a slice, for each thread: at least so many
CROWDED = 8  # times ``stay``: visits of a node to which a few more or less make no difference


def run(tree: Any, work: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: take ``count`` simulations at a time until there are no more; how many were run."""
    done = 0
    while True:
        taken = min(add(tree.meta[0], "left", -count), count)
        if taken <= 0:
            return done
        while taken > 0:
            if ends(tree, ROOT):
                return done
            if STAY:
                ran = stay_there(tree, work, params[0], rng, min(taken, params[0].stay))
            else:
                simulation(tree, work, params[0], rng)
                ran = 1
            done += ran
            taken -= ran


@inlined
def ends(tree: Any, index: int) -> bool:
    """Kernel: is there nothing more to do below a node: no room, no doubt, or no wish?"""
    meta = tree.meta[0]
    if SOLVER:
        if proven(tree.nodes[np.uint64(index)]):
            return True
    return load(meta, "stop") or (meta.full and not meta.frozen)


@inlined
def stay_there(tree: Any, work: Any, params: Any, rng: Any, most: int) -> int:
    """Kernel: up to so many simulations that have the way through crowded nodes in common."""
    stay = work.stay
    depth = approach(tree, work, params, rng)
    if depth < 0:
        return 1
    stay.depth[0] = depth
    start = np.int64(work.path[depth])
    leaf = descend(tree, work, params, rng, np.int64(work.path[depth + 1]), depth + 1)
    while True:
        finish(tree, work, params, rng, depth, leaf)
        note_result(work)
        if stay.done[0] == most or ends(tree, start):
            break
        work.states[1] = stay.state[0]
        begin(work)
        recall(tree, work, params, depth)
        leaf = descend(tree, work, params, rng, start, depth)
    done = stay.done[0]
    tell(tree, work, params)
    return int(done)


@inlined
def approach(tree: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: go through crowded nodes and one step farther; the depth of the last of them.

    It is -1 when the way ended before, and one simulation with it.
    """
    work.states[1] = work.states[0]
    work.path[0] = ROOT
    begin(work)
    depth = 0
    while True:
        work.stay.state[0] = work.states[1]
        child = visit(tree, work, params, rng, np.int64(work.path[depth]), depth)
        if child == NONE:
            work.playout.length[0] = depth
            finish(tree, work, params, rng, 0, depth)
            return -1
        if not is_crowded(tree.nodes[np.uint64(child)], params):
            return depth
        depth += 1


@inlined
def is_crowded(node: Any, params: Any) -> bool:
    """Kernel: do so many simulations go on from this node that a few can wait?"""
    return bool(node.visits >= CROWDED * params.stay and status_of(node) == EXPANDED)


@inlined
def note_result(work: Any) -> None:
    """Kernel: add a simulation to what the nodes above will be told."""
    stay = work.stay
    for player in range(len(work.gains)):
        stay.gains[player] += work.gains[player]
        if VARIANCE:
            stay.squares[player] += square_gain(work, player)
    stay.done[0] += 1


@inlined
def tell(tree: Any, work: Any, params: Any) -> None:
    """Kernel: let the nodes above know all results; one visit they have counted already."""
    stay = work.stay
    depth = stay.depth[0]
    more = stay.done[0] - 1
    uncount(tree, work, 0, depth - 1, params)
    for i in range(depth):
        node = tree.nodes[work.path[i]]
        add_visits(node, more)
        if i > 0:
            add_value(node, stay.gains[work.chooser[i]])
            if VARIANCE:
                add_squares(node, stay.squares[work.chooser[i]])
        if TRANSPOSE:
            add_passes(tree.nodes[np.uint64(home(tree, np.int64(work.path[i])))], more)
    stay.gains[:] = 0
    stay.squares[:] = 0
    stay.done[0] = 0
    stay.depth[0] = 0


def share_of(count: int, threads: int) -> int:
    """How many simulations a thread takes at once."""
    return max(1, min(LARGEST, count // (SHARES * threads)))
