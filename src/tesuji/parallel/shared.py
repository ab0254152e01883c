"""Tree parallelization: every thread runs this loop on the same tree (Chaslot 2010, section 7.3).

The loop of one thread knows how many simulations are its own.  Here threads take them from one
store, a few at a time, so that all end together although some are slower.

**Staying.**  A cache line that two cores write to travels between them, which takes as long as a
whole simulation of a light game takes.  All simulations write to the root and to the best nodes
below it.  So a thread that comes to a node *stays* there for some simulations, one for every
`CROWDED` visits that the node has: so few in proportion that they make no difference.  They begin
at that node, and it gets all their results at once when the thread leaves it.  Below it the same
holds: of these simulations a child that is visited often takes several, one that is not takes a
single one, and then the thread chooses again.  So no move is tried more often than the rule says,
and the most crowded nodes are written to most seldom.

The visits of a stay are counted when it begins: a virtual loss for each, which sends other threads
elsewhere.  With less, they would follow to the same nodes, as all of them choose by the same rule.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.compile.atomics import add, load
from tesuji.search.backup import square_gain
from tesuji.search.loop import begin, descend, finish, go_on, recall, simulation
from tesuji.search.parts.solver import proven
from tesuji.search.threads import add_visits, note_way, status_of
from tesuji.search.tree import EXPANDED, NONE, ROOT

write = Slot("write")
SOLVER = Slot("SOLVER")
STAY = Slot("STAY")
TRANSPOSE = Slot("TRANSPOSE")
VARIANCE = Slot("VARIANCE")

LARGEST = 64  # simulations that a thread takes at once
SHARES = 8  # of those of a slice, for each thread: at least so many
CROWDED = 32  # visits of a node for each simulation that it can wait for


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
    """Kernel: as many simulations as a thread runs from the root on at once; how many."""
    count = max(worth(tree.nodes[ROOT], most), 1)
    work.states[1] = work.states[0]
    work.path[0] = ROOT
    begin(work)
    arrive(tree, work, params, 0, count)
    depth = 0
    while depth >= 0:
        child = go_on(tree, work, params, rng, np.int64(work.path[depth]), depth)
        some = 0
        if child != NONE and depth + 1 < len(work.stay.left):
            some = worth(tree.nodes[np.uint64(child)], work.stay.left[depth])
        if some > 1:
            depth += 1
            arrive(tree, work, params, depth, some)
        else:
            simulate_below(tree, work, params, rng, child, depth)
            depth = go_back(tree, work, params, depth)
    return int(count - work.stay.left[0])


@inlined
def worth(node: Any, most: int) -> int:
    """Kernel: how many simulations a node can wait for, of so many that are left."""
    if status_of(node) != EXPANDED:
        return 0
    return min(int(node.visits) // CROWDED, most)


@inlined
def arrive(tree: Any, work: Any, params: Any, depth: int, count: int) -> None:
    """Kernel: stay at the end of the path for so many simulations."""
    add_visits(tree.nodes[work.path[depth]], count * params.virtual_loss)
    stay = work.stay
    stay.left[depth] = count
    stay.done[depth] = 0
    for player in range(len(work.gains)):
        stay.gains[depth, player] = 0
        stay.squares[depth, player] = 0
    stay.states[depth] = work.states[1]
    stay.nodes[0] = depth + 1


@inlined
def simulate_below(tree: Any, work: Any, params: Any, rng: Any, child: int, depth: int) -> None:
    """Kernel: one simulation that goes on to a child of the node where the thread stays."""
    leaf = depth
    if child == NONE:
        work.playout.length[0] = depth
    else:
        leaf = descend(tree, work, params, rng, child, depth + 1)
    finish(tree, work, params, rng, depth + 1, leaf)
    stay = work.stay
    stay.left[depth] -= 1
    stay.done[depth] += 1
    for player in range(len(work.gains)):
        stay.gains[depth, player] += work.gains[player]
        if VARIANCE:
            stay.squares[depth, player] += square_gain(work, player)


@inlined
def go_back(tree: Any, work: Any, params: Any, depth: int) -> int:
    """Kernel: leave the nodes where there is no more to do; the depth of the next, or -1."""
    while work.stay.left[depth] == 0 or ends(tree, np.int64(work.path[depth])):
        tell(tree, work, params, depth)
        depth -= 1
        if depth < 0:
            return depth
    work.states[1] = work.stay.states[depth]
    begin(work)
    recall(tree, work, params, depth)
    return depth


@inlined
def tell(tree: Any, work: Any, params: Any, depth: int) -> None:
    """Kernel: leave a node: it gets its results, and the node above will get them, too."""
    stay = work.stay
    stay.nodes[0] = depth
    node = tree.nodes[work.path[depth]]
    done = stay.done[depth]
    begun = done + stay.left[depth]
    if done != begun * params.virtual_loss:
        add_visits(node, done - begun * params.virtual_loss)
    if depth == 0:
        return
    above = depth - 1
    player = work.chooser[depth]
    write.add(node, "value", stay.gains[depth, player])
    if VARIANCE:
        write.add(node, "squares", stay.squares[depth, player])
    if TRANSPOSE:
        # It counted one on the way down.
        write.add(tree.nodes[work.path[above]], "passes", done - 1)
    stay.left[above] -= done
    stay.done[above] += done
    for player in range(len(work.gains)):
        stay.gains[above, player] += stay.gains[depth, player]
        stay.squares[above, player] += stay.squares[depth, player]


def leave_all(tree: Any, work: Any, params: Any) -> None:
    """Kernel: after a failure, take back a simulation under way and tell what was done before."""
    stayed = 0
    if STAY:
        stayed = work.stay.nodes[0]
    for i in range(stayed, work.counted[0]):
        add_visits(tree.nodes[work.path[i]], -params[0].virtual_loss)
    note_way(work, 0)
    for depth in range(stayed - 1, -1, -1):
        tell(tree, work, params[0], depth)


def share_of(count: int, threads: int) -> int:
    """How many simulations a thread takes at once."""
    return max(1, min(LARGEST, count // (SHARES * threads)))
