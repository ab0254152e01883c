"""Virtual threads: one thread with many simulations under way.

What parallel search costs in strength can be studied without a parallel machine (Schäfers 2014,
section 4.6.3).  So many simulations have gone down the tree and are not back yet; the oldest is
played out and backed up when another one is to begin.  Selection thus knows exactly as little as it
would with as many threads that all take the same time.  Nothing is random about it: the same seed
gives the same search.
"""

from typing import Any

from tesuji.compile import Slot, inlined
from tesuji.search.loop import begin, copy_way, descend, finish, recall
from tesuji.search.parts.solver import proven
from tesuji.search.tree import ROOT

SOLVER = Slot("SOLVER")
TRACK = Slot("TRACK")


def run(tree: Any, work: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: begin up to ``count`` simulations, fewer when the tree is full.  Returns how many.

    None is under way any more when it is full, or when ``closing`` says so.
    """
    late = work.late
    meta = tree.meta[0]
    done = 0
    while done < count:
        over = meta.full and not meta.frozen
        if SOLVER:
            over = over or proven(tree.nodes[ROOT])
        if over:
            break
        if late.open[0] == len(late.depths):
            complete(tree, work, params[0], rng)
        set_out(tree, work, params[0], rng)
        done += 1
    if done < count or late.closing[0]:
        while late.open[0] > 0:
            complete(tree, work, params[0], rng)
    return done


@inlined
def set_out(tree: Any, work: Any, params: Any, rng: Any) -> None:
    """Kernel: go down the tree and put what was found aside."""
    late = work.late
    work.states[1] = work.states[0]
    work.path[0] = ROOT
    begin(work)
    depth = descend(tree, work, params, rng, ROOT, 0)
    slot = (late.oldest[0] + late.open[0]) % len(late.depths)
    late.open[0] += 1
    late.depths[slot] = depth
    late.states[slot] = work.states[1]
    for i in range(depth + 1):
        late.path[slot, i] = work.path[i]
        late.chooser[slot, i] = work.chooser[i]
    for i in range(depth):
        late.trace[slot, i] = work.playout.trace[i]
        if TRACK:
            late.movers[slot, i] = work.movers[i]


@inlined
def complete(tree: Any, work: Any, params: Any, rng: Any) -> None:
    """Kernel: play the oldest simulation out and back it up."""
    late = work.late
    slot = late.oldest[0]
    depth = late.depths[slot]
    late.oldest[0] = (slot + 1) % len(late.depths)
    late.open[0] -= 1
    work.states[1] = late.states[slot]
    copy_way(late.path[slot], late.chooser[slot], late.trace[slot], late.movers[slot], work, depth)
    recall(tree, work, params, depth)
    finish(tree, work, params, rng, 0, depth)
