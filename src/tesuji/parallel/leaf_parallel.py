"""Leaf parallelization: one thread leads, the others help it where it says; halving does the same.

The *leader* walks through the tree.  At certain points it has more to do than one simulation: with
``parallel = "leaf"`` as many playouts of one leaf as there are threads (Cazenave and Jouandeau
2007), with halving the budget of one move.  It leaves a simulation there (``start``), gives a
signal, and takes part itself; each of the *helpers* copies that simulation, takes simulations until
there are none left, and backs its results up.  The leader waits for all of them before it goes on.

Start with `run` (leaf) and `batch` (halving), which the leader calls; `help_leader` is what a
helper does.  The leader has two simulations, its own and ``start``.
"""

from typing import Any

from tesuji.compile import Slot, inlined
from tesuji.compile.atomics import add, load, store
from tesuji.parallel.atomic import wait_a_moment
from tesuji.search.descend import descend
from tesuji.search.loop import finish, should_stop
from tesuji.search.parts.halving import end_early, sample
from tesuji.search.simulation import begin, copy_beginning, take_up
from tesuji.search.tree import ROOT, node_of

access = Slot("access")
hooks = Slot("hooks")
LEAF = Slot("LEAF")

OWN = 0  # of the leader's simulations
START = 1


def run(tree: Any, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: up to ``count`` simulations, all threads at one leaf; fewer when the tree is full."""
    signal = own.leaf.signal[0]
    sim = sims[OWN]
    done = 0
    while done < count and not should_stop(tree, ROOT):
        begin(sim, own)
        descend(tree, sim, own, params[0], rng)
        playouts = min(signal.threads, count - done)
        give_signal(sims, own, playouts - 1)
        finish(tree, sim, own, params[0], rng, 0)
        take_part(tree, sim, sims[START], signal, own, params[0], rng)
        await_helpers(tree, signal)
        done += playouts
    return done


def batch(tree: Any, sims: Any, own: Any, params: Any, rng: Any, most: int) -> int:
    """Kernel: the simulations of the child whose turn it is, at most so many, by all threads."""
    depth = own.halving.depth[0] - 1
    frame = own.halving.frames[depth]
    count = min(frame.left, most)
    signal = own.leaf.signal[0]
    sim = sims[OWN]
    sim.state = own.halving.states[depth + 1]
    sim.depth = depth + 1
    give_signal(sims, own, count)
    take_part(tree, sim, sims[START], signal, own, params, rng)
    await_helpers(tree, signal)
    frame.left -= count
    end_early(tree, frame)
    return int(count - signal.unused)


@inlined
def give_signal(sims: Any, own: Any, count: int) -> None:
    """Kernel: let the helpers begin where the leader is, with so many simulations."""
    signal = own.leaf.signal[0]
    copy_beginning(sims[START], sims[OWN])
    signal.unused = 0
    signal.left = count
    signal.finished = 0
    store(signal, "given", signal.given + 1)


@inlined
def await_helpers(tree: Any, signal: Any) -> None:
    """Kernel: wait until all helpers have finished."""
    looks = 0
    while load(signal, "finished") < signal.helpers and not load(tree.meta[0], "stop"):
        looks = wait_a_moment(looks)


def help_leader(
    tree: Any, leaders: Any, leader: Any, sims: Any, own: Any, params: Any, rng: Any
) -> int:
    """Kernel: help at every signal, until the leader says that there is no more to do.

    ``leaders`` are its simulations, ``leader`` its thread context.  Returns 0: the leader counts
    all simulations.
    """
    signal = leader.leaf.signal[0]
    given = 0
    while True:
        looks = 0
        while load(signal, "given") == given:
            if load(signal, "over") or load(tree.meta[0], "stop"):
                return 0
            looks = wait_a_moment(looks)
        given += 1
        take_part(tree, sims[OWN], leaders[START], signal, own, params[0], rng)
        add(signal, "finished", 1)


def take_part(
    tree: Any, sim: Any, start: Any, signal: Any, own: Any, params: Any, rng: Any
) -> None:
    """Kernel: take simulations from where the leader is until there are none left."""
    while add(signal, "left", -1) > 0:
        copy_beginning(sim, start)
        take_up(tree, sim, own, params)
        if LEAF:
            for i in range(sim.depth + 1):
                access.add_virtual_loss(node_of(tree, sim.path[i]), params)
            access.note_path(sim, sim.depth + 1)
            finish(tree, sim, own, params, rng, 0)
        else:
            if useful(tree, sim):
                sample(tree, sim, own, params, rng)
            else:
                add(signal, "unused", 1)


@inlined
def useful(tree: Any, sim: Any) -> bool:
    """Kernel: is a simulation of the move still worth something, or is all of it certain?"""
    child = node_of(tree, sim.path[sim.depth])
    return not hooks.certain(child) and not hooks.certain(node_of(tree, sim.path[sim.depth - 1]))
