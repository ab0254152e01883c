"""One thread leads, the others help it where it says: leaf parallelization and halving.

The *lead* walks through the tree.  At certain points it has more to do than one simulation: with
``parallel = "leaf"`` as many playouts of one leaf as there are threads (Cazenave and Jouandeau
2007), with halving the budget of one move.  It leaves the path to that point and the state there,
rings, and takes part itself; each of the *hands* copies the path, takes simulations until there are
none left, and backs its results up.  The lead waits for all of them before it goes on.

Start with `run` (leaf) and `batch` (halving), which the lead calls; `assist` is what a hand does.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.compile.atomics import add, load, store
from tesuji.search.loop import begin, copy_way, descend, finish, recall
from tesuji.search.parts.halving import end_early, sample
from tesuji.search.parts.solver import proven
from tesuji.search.threads import add_visits, be_patient, note_way
from tesuji.search.tree import ROOT

LEAF = Slot("LEAF")
SOLVER = Slot("SOLVER")


def run(tree: Any, work: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: up to ``count`` simulations, all threads at one leaf; fewer when the tree is full."""
    meta = tree.meta[0]
    crew = work.crew.bell[0]
    done = 0
    while done < count and not (meta.full and not meta.frozen) and not load(meta, "stop"):
        if SOLVER:
            if proven(tree.nodes[ROOT]):
                break
        work.states[1] = work.states[0]
        work.path[0] = ROOT
        begin(work)
        depth = descend(tree, work, params[0], rng, ROOT, 0)
        playouts = min(crew.threads, count - done)
        ring(work, work.states[1], depth, playouts - 1)
        finish(tree, work, params[0], rng, 0, depth)
        help_out(tree, work, work, params[0], rng)
        await_hands(tree, work)
        done += playouts
    return done


def batch(tree: Any, work: Any, params: Any, rng: Any, most: int) -> int:
    """Kernel: the simulations of the child whose turn it is, at most so many, by all threads."""
    depth = work.halving.depth[0] - 1
    frame = work.halving.frames[depth]
    count = min(frame.left, most)
    crew = work.crew.bell[0]
    ring(work, work.halving.states[depth + 1], depth + 1, count)
    help_out(tree, work, work, params, rng)
    await_hands(tree, work)
    frame.left -= count
    end_early(tree, frame)
    return int(count - crew.unused)


@inlined
def ring(work: Any, state: Any, depth: int, count: int) -> None:
    """Kernel: let the hands begin, ``depth`` moves from the root, with so many simulations."""
    crew = work.crew.bell[0]
    work.crew.state[0] = state
    crew.depth = depth
    crew.unused = 0
    crew.left = count
    crew.finished = 0
    store(crew, "rung", crew.rung + 1)


@inlined
def await_hands(tree: Any, work: Any) -> None:
    """Kernel: wait until all hands have finished."""
    crew = work.crew.bell[0]
    looks = 0
    while load(crew, "finished") < crew.hands and not load(tree.meta[0], "stop"):
        looks = be_patient(looks)


def assist(tree: Any, lead: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: help whenever the lead rings, until it says that there is no more to do.

    Returns 0: the lead counts all simulations.
    """
    crew = lead.crew.bell[0]
    rung = 0
    while True:
        looks = 0
        while load(crew, "rung") == rung:
            if load(crew, "over") or load(tree.meta[0], "stop"):
                return 0
            looks = be_patient(looks)
        rung += 1
        help_out(tree, lead, work, params[0], rng)
        add(crew, "finished", 1)


def help_out(tree: Any, lead: Any, work: Any, params: Any, rng: Any) -> None:
    """Kernel: take simulations from where the lead is until there are none left."""
    crew = lead.crew.bell[0]
    depth = np.int64(crew.depth)
    while add(crew, "left", -1) > 0:
        copy_way(lead.path, lead.chooser, lead.playout.trace, lead.movers, work, depth)
        work.states[1] = lead.crew.state[0]
        begin(work)
        recall(tree, work, params, depth)
        if LEAF:
            for i in range(depth + 1):
                add_visits(tree.nodes[work.path[i]], 1)
            note_way(work, depth + 1)
            finish(tree, work, params, rng, 0, depth)
        else:
            if useful(tree, lead, depth):
                sample(tree, work, params, rng, depth)
            else:
                add(crew, "unused", 1)


@inlined
def useful(tree: Any, lead: Any, depth: int) -> bool:
    """Kernel: with a solver, is a simulation of the move still worth something?"""
    if SOLVER:
        child = tree.nodes[np.uint64(lead.path[depth])]
        return not proven(child) and not proven(tree.nodes[np.uint64(lead.path[depth - 1])])
    return True
