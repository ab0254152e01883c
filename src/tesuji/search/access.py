"""The seam for atomic access: what the steps do to a node that several threads may hold at once.

Kernels count by ``access.add(node, "visits", 1)``, set a fact that others may read at the same time
by ``access.put(node, "lower", 1.0)``, and decide who may change a node by the other functions of
the slot ``access``.  A scheme says what stands behind it: `PLAIN`, below, for one thread; atomic
operations and locks for several (`tesuji.parallel.atomic`).  Only the thread that has claimed a
node (`try_transition`), or has just made it, assigns to its fields directly.

**Virtual loss.**  A visit is counted on the way down and its result is added on the way up, so a
simulation in flight looks like a loss and sends other threads elsewhere.  With ``virtual_loss`` = v
it looks like v losses, with 0 like nothing at all (`SCALED_LOSS`).
"""

from typing import Any

import numpy as np

from tesuji.compile import inlined
from tesuji.compile.atomics import plain_add, plain_store
from tesuji.search.tree import blank_records


@inlined
def status_of(node: Any) -> int:
    """Kernel: a node's status; what was written before it was set can be read."""
    return node.status


@inlined
def try_transition(node: Any, old: int, new: int) -> bool:
    """Kernel: change a node's status, unless another thread was faster; did it change?"""
    node.status = new
    return True


@inlined
def publish(node: Any, status: int) -> None:
    """Kernel: set a node's status when everything else is in place."""
    node.status = status


@inlined
def tried_of(node: Any) -> int:
    """Kernel: how many children a node has; they can be read."""
    return np.int64(node.tried)


@inlined
def set_tried(node: Any, tried: int) -> None:
    """Kernel: let others see a node's children."""
    node.tried = tried


@inlined
def take_records(tree: Any, size: int) -> int:
    """Kernel: the first of ``size`` records for this thread alone; -1 when there is no room."""
    meta = tree.meta[0]
    top = meta.top
    if top + size > len(tree.nodes):
        return -1
    meta.top = top + size
    return top


@inlined
def take_place(entry: Any, ref: int) -> bool:
    """Kernel: put a node into a free place of the table of positions; was it free?"""
    if entry.node != 0:
        return False
    entry.node = ref
    return True


@inlined
def begin_proof(meta: Any) -> bool:
    """Kernel: may this thread carry a proof up?"""
    return True


@inlined
def end_proof(meta: Any) -> None:
    """Kernel: let another thread."""


@inlined
def note_path(sim: Any, nodes: int) -> None:
    """Kernel: remember how many nodes of the path count this simulation while it is in flight."""


@inlined
def stop_requested(meta: Any) -> bool:
    """Kernel: has another thread failed?"""
    return False


@inlined
def lock_tree(tree: Any) -> None:
    """Kernel: with one lock for the tree, wait for it."""


@inlined
def unlock_tree(tree: Any) -> None:
    """Kernel: with one lock for the tree, give it back."""


@inlined
def lock_node(node: Any) -> None:
    """Kernel: with a lock for each node, wait for this one.  No thread holds two of them."""


@inlined
def unlock_node(node: Any) -> None:
    """Kernel: with a lock for each node, give this one back."""


# --- virtual loss ---------------------------------------------------------------------------------


@inlined
def add_virtual_loss(node: Any, params: Any) -> None:
    """Kernel: count a simulation on its way down."""
    plain_add(node, "visits", 1)


@inlined
def remove_virtual_loss(tree: Any, sim: Any, first: int, params: Any) -> None:
    """Kernel: from now on the simulation counts as one visit of the nodes ``path[first:]``."""


@inlined
def own_visits(visits: int, params: Any) -> int:
    """Kernel: a node's visits as one of its simulations sees them: it counts as one itself."""
    return visits


PLAIN = {
    "add": plain_add,
    "add_virtual_loss": add_virtual_loss,
    "begin_proof": begin_proof,
    "end_proof": end_proof,
    "lock_node": lock_node,
    "lock_tree": lock_tree,
    "new_records": blank_records,
    "note_path": note_path,
    "own_visits": own_visits,
    "publish": publish,
    "put": plain_store,
    "remove_virtual_loss": remove_virtual_loss,
    "set_tried": set_tried,
    "status_of": status_of,
    "stop_requested": stop_requested,
    "take_place": take_place,
    "take_records": take_records,
    "tried_of": tried_of,
    "try_transition": try_transition,
    "unlock_node": unlock_node,
    "unlock_tree": unlock_tree,
}
