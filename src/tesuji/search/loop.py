"""The loop: one simulation after another, each a pass of the four steps.

`simulation` is the whole algorithm.  `run` repeats it and returns to Python when the tree is full
or the work is done, so that somebody can look at clock, signals and memory in between.
"""

from typing import Any

from tesuji.compile import Slot, inlined
from tesuji.search.backup import back_up
from tesuji.search.descend import descend
from tesuji.search.simulate import simulate
from tesuji.search.simulation import begin
from tesuji.search.tree import ROOT, node_of

access = Slot("access")
hooks = Slot("hooks")


def run(tree: Any, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: up to ``count`` simulations; fewer when the tree is full.  Returns how many."""
    for done in range(count):
        if should_stop(tree, ROOT):
            return done
        simulation(tree, sims[0], own, params[0], rng)
    return count


@inlined
def should_stop(tree: Any, ref: int) -> bool:
    """Kernel: tree full, node proven, or stop requested?"""
    meta = tree.meta[0]
    if hooks.certain(node_of(tree, ref)):
        return True
    return (meta.full and not meta.frozen) or access.stop_requested(meta)


@inlined
def simulation(tree: Any, sim: Any, own: Any, params: Any, rng: Any) -> None:
    """Kernel: select, expand, simulate, back up, learn."""
    begin(sim, own)
    access.lock_tree(tree)
    descend(tree, sim, own, params, rng)
    access.unlock_tree(tree)
    finish(tree, sim, own, params, rng, 0)


@inlined
def finish(tree: Any, sim: Any, own: Any, params: Any, rng: Any, first: int) -> None:
    """Kernel: simulate, back up and learn, from the leaf at the end of the path on.

    Nodes before ``path[first]`` get no result: whoever calls this tells them later.
    """
    simulate(tree, sim, own, params, rng)
    access.lock_tree(tree)
    access.remove_virtual_loss(tree, sim, first, params)
    back_up(tree, sim, first, 1)
    hooks.backed_up(tree, sim, own, params)
    access.unlock_tree(tree)
    access.note_path(sim, 0)
    hooks.ended(sim, own, params)
    if sim.depth > tree.meta[0].depth:
        tree.meta[0].depth = sim.depth
