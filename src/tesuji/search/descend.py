"""From the root to a leaf: a simulation goes down the tree, node by node.

`descend` repeats `step`, which goes from the node at the end of the path to one of its children and
plays the move.  Between two steps a simulation can be put aside: all that it knows is in its
record.  What methods add to a step they put into `hooks`.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.game import CHANCE
from tesuji.search.expand import expand, follow_chance, note_new_node, try_next
from tesuji.search.select import preferred_child
from tesuji.search.tree import BUSY, NONE, OPEN, OVER, node_of, resolve

access = Slot("access")
rules = Slot("rules")
hooks = Slot("hooks")
ALL_CHILDREN = Slot("ALL_CHILDREN")
DICE = Slot("DICE")
MOVERS = Slot("MOVERS")
TRANSPOSE = Slot("TRANSPOSE")

LEAF = -1  #: instead of a child: the simulation ends its descent here


@inlined
def descend(tree: Any, sim: Any, own: Any, params: Any, rng: Any) -> None:
    """Kernel: walk from the node at the end of the path to the leaf of this simulation."""
    ref = sim.path[sim.depth]
    while ref != LEAF:
        ref = step(tree, ref, sim, own, params, rng)
    sim.length[0] = sim.depth


@inlined
def step(tree: Any, ref: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: count a visit of the last node and go one node down: the child, or `LEAF`."""
    node = node_of(tree, ref)
    access.lock_node(node)
    access.add_virtual_loss(node, params)
    access.note_path(sim, sim.depth + 1)
    child = go_down(tree, ref, sim, own, params, rng)
    access.unlock_node(node)
    return child


@inlined
def go_down(tree: Any, ref: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: go from the last node to one of its children; `LEAF` where there is none."""
    node = node_of(tree, ref)
    status = access.status_of(node)
    if status == OVER or sim.depth >= len(sim.trace) - 1 or hooks.certain(node):
        return LEAF
    if status == OPEN:
        if hooks.stays_leaf(node, sim, params):
            return LEAF
        expand(tree, ref, sim, own, params, rng)
        status = access.status_of(node)
    if status in (OPEN, BUSY):  # there was no room, or another thread expands it
        return LEAF
    if TRANSPOSE:
        ref = enter_position(tree, ref)
        if hooks.certain(node_of(tree, ref)):
            return LEAF
    return go_to_child(tree, ref, sim, own, params, rng)


@inlined
def enter_position(tree: Any, ref: int) -> int:
    """Kernel: go on from the node that has the children, and count that somebody did."""
    canonical = resolve(tree, ref)
    access.add(node_of(tree, canonical), "selections", 1)
    hooks.resolved(tree, ref, canonical)
    return canonical


@inlined
def go_to_child(tree: Any, ref: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: choose a child and play its move; `LEAF` when no child can be had."""
    hooks.entered(tree, ref, sim, own, params)
    while True:
        child = choose(tree, ref, sim, own, params, rng)
        if child == NONE:
            return LEAF
        if make_move(tree, ref, sim, own, child, node_of(tree, child).visits <= 0):
            return child


@inlined
def choose(tree: Any, ref: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: the child to follow: the dice decide, or a part, or a move is new, or by the rule."""
    node = node_of(tree, ref)
    if DICE:
        if node.mover == CHANCE:
            return follow_chance(tree, ref, sim, rng)
    child = hooks.child(tree, ref, sim, own, params, rng)
    if child != NONE:
        return child
    if not ALL_CHILDREN:
        if access.tried_of(node) < node.count:
            child = try_next(tree, ref, sim, own)
            if child != NONE:
                return child
    return preferred_child(tree, ref, sim, own, params, rng)


@inlined
def make_move(tree: Any, ref: int, sim: Any, own: Any, child: int, new: bool) -> bool:
    """Kernel: go to a child of ``ref``, which may be new; False if it must not be entered.

    Its position has occurred before, then: another child has to be chosen.
    """
    depth = sim.depth
    mover = np.int64(node_of(tree, ref).mover)
    move = np.int64(node_of(tree, child).move)
    rules.play(sim.state, move)
    if new and not note_new_node(tree, child, sim, own):
        retrace(sim, own)
        return False
    sim.trace[depth] = move
    sim.path[depth + 1] = child
    sim.chooser[depth + 1] = max(mover, 0)
    if MOVERS:
        sim.movers[depth] = mover
    sim.depth = depth + 1
    hooks.moved(sim, own, mover, move)
    return True


def retrace(sim: Any, own: Any) -> None:
    """Kernel: set up the state at the end of the path again.  Rare, so it may replay the moves."""
    sim.state = own.root[0]
    for i in range(sim.depth):
        rules.play(sim.state, sim.trace[i])
