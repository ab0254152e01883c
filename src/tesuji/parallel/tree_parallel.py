"""Tree parallelization: every thread runs this loop on the same tree (Chaslot 2010, chapter 7).

The loop of one thread knows how many simulations are its own.  Here threads take them from one
store, a few at a time, so that all end together although some are slower.

**Batched descents with deferred backup** (as Lc0's multivisit).  A cache line that two cores write
to travels between them, which takes as long as a whole simulation of a light game takes.  All
simulations write to the root and to the best nodes below it.  So a thread that comes to a node runs
a *batch* of simulations from there, one for every `CROWDED` visits that the node has: so few in
proportion that they make no difference.  They begin at that node, and it gets all their results at
once when the thread leaves it.  Below it the same holds: of these simulations a child that is
visited often takes several, one that is not takes a single one, and then the thread chooses again.
So no move is tried more often than the rule says, and the most crowded nodes are written to most
seldom.

The visits of a batch are counted when it begins: a virtual loss for each, which sends other threads
elsewhere.  With less, they would follow to the same nodes, as all of them choose by the same rule.
"""

from typing import Any

from tesuji.compile import Slot, inlined
from tesuji.compile.atomics import add
from tesuji.search.backup import square_gain
from tesuji.search.descend import LEAF, descend, go_down
from tesuji.search.loop import finish, should_stop, simulation
from tesuji.search.simulation import begin, take_up
from tesuji.search.tree import EXPANDED, ROOT, node_of

access = Slot("access")
BATCHED = Slot("BATCHED")
TRANSPOSE = Slot("TRANSPOSE")
VARIANCE = Slot("VARIANCE")

LARGEST = 64  # simulations that a thread takes at once
SHARES = 8  # of those of a slice, for each thread: at least so many
CROWDED = 32  # visits of a node for each simulation of a batch from there


def run(tree: Any, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: take ``count`` simulations at a time until there are no more; how many were run."""
    done = 0
    while True:
        taken = min(add(tree.meta[0], "left", -count), count)
        if taken <= 0:
            return done
        while taken > 0:
            if should_stop(tree, ROOT):
                return done
            if BATCHED:
                most = min(taken, params[0].batch)
                ran = run_batch(tree, sims[0], own, params[0], rng, most)
            else:
                simulation(tree, sims[0], own, params[0], rng)
                ran = 1
            done += ran
            taken -= ran


@inlined
def run_batch(tree: Any, sim: Any, own: Any, params: Any, rng: Any, most: int) -> int:
    """Kernel: the batch of the root, with those of nodes below it; how many simulations it had."""
    count = max(batch_size(node_of(tree, ROOT), most), 1)
    begin(sim, own)
    begin_batch(tree, sim, own, params, count)
    depth = 0
    while depth >= 0:
        child = go_down(tree, sim.path[depth], sim, own, params, rng)
        size = 0
        if child != LEAF and depth + 1 < len(own.batch.left):
            size = batch_size(node_of(tree, child), own.batch.left[depth])
        if size > 1:
            depth += 1
            begin_batch(tree, sim, own, params, size)
        else:
            simulate_below(tree, sim, own, params, rng, depth, child)
            depth = go_back(tree, sim, own, params, depth)
    return int(count - own.batch.left[0])


@inlined
def batch_size(node: Any, most: int) -> int:
    """Kernel: how many simulations a node can wait for, of so many that are left."""
    if access.status_of(node) != EXPANDED:
        return 0
    return min(int(node.visits) // CROWDED, most)


@inlined
def begin_batch(tree: Any, sim: Any, own: Any, params: Any, count: int) -> None:
    """Kernel: run so many simulations from the end of the path on."""
    depth = sim.depth
    access.add(node_of(tree, sim.path[depth]), "visits", count * params.virtual_loss)
    batch = own.batch
    batch.left[depth] = count
    batch.done[depth] = 0
    for player in range(len(sim.gains)):
        batch.gains[depth, player] = 0
        batch.squares[depth, player] = 0
    batch.states[depth] = sim.state
    batch.nodes[0] = depth + 1


@inlined
def simulate_below(
    tree: Any, sim: Any, own: Any, params: Any, rng: Any, depth: int, child: int
) -> None:
    """Kernel: one simulation of the batch ``depth`` moves from the root, below it if it can."""
    if child == LEAF:
        sim.length[0] = depth
    else:
        descend(tree, sim, own, params, rng)
    finish(tree, sim, own, params, rng, depth + 1)
    batch = own.batch
    batch.left[depth] -= 1
    batch.done[depth] += 1
    for player in range(len(sim.gains)):
        batch.gains[depth, player] += sim.gains[player]
        if VARIANCE:
            batch.squares[depth, player] += square_gain(sim, player)


@inlined
def go_back(tree: Any, sim: Any, own: Any, params: Any, depth: int) -> int:
    """Kernel: end the batches that have no more to do; the depth of the next one, or -1."""
    while own.batch.left[depth] == 0 or should_stop(tree, sim.path[depth]):
        end_batch(tree, sim, own, params, depth)
        depth -= 1
        if depth < 0:
            return depth
    sim.state = own.batch.states[depth]
    sim.depth = depth
    take_up(tree, sim, own, params)
    return depth


@inlined
def end_batch(tree: Any, sim: Any, own: Any, params: Any, depth: int) -> None:
    """Kernel: leave a node: it gets its results, and the node above will get them, too."""
    batch = own.batch
    batch.nodes[0] = depth
    node = node_of(tree, sim.path[depth])
    done = batch.done[depth]
    begun = done + batch.left[depth]
    if done != begun * params.virtual_loss:
        access.add(node, "visits", done - begun * params.virtual_loss)
    if depth == 0:
        return
    above = depth - 1
    player = sim.chooser[depth]
    access.add(node, "value", batch.gains[depth, player])
    if VARIANCE:
        access.add(node, "squares", batch.squares[depth, player])
    if TRANSPOSE:
        # It counted one on the way down.
        access.add(node_of(tree, sim.path[above]), "selections", done - 1)
    batch.left[above] -= done
    batch.done[above] += done
    for player in range(len(sim.gains)):
        batch.gains[above, player] += batch.gains[depth, player]
        batch.squares[above, player] += batch.squares[depth, player]


def take_back(tree: Any, sims: Any, own: Any, params: Any) -> None:
    """Kernel: after a failure: a simulation in flight is uncounted, what was done is told."""
    sim = sims[0]
    batches = 0
    if BATCHED:
        batches = own.batch.nodes[0]
    for i in range(batches, sim.counted):
        access.add(node_of(tree, sim.path[i]), "visits", -params[0].virtual_loss)
    sim.counted = 0
    for depth in range(batches - 1, -1, -1):
        end_batch(tree, sim, own, params[0], depth)


def share_of(count: int, threads: int) -> int:
    """How many simulations a thread takes at once."""
    return max(1, min(LARGEST, count // (SHARES * threads)))
