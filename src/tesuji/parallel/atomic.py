"""Access to a tree that several threads share: atomic counters, claims, locks, virtual loss.

What stands behind the slot ``access`` (`tesuji.search.access`) when threads work in one tree.
Counts are exact whatever the threads do at the same time.  Nobody ever waits for another thread,
unless the settings ask for locks:

* Counters (visits, values, AMAF) are integers, and integer addition can be done in any order.
* A leaf is expanded by the thread that makes it `BUSY`; for the others it is still a leaf.
* A node gets a child from the thread that makes it `GROWING`; the others follow the children that
  it has.  A child is finished before ``tried`` says that it is there.
* Proofs are carried up by one thread at a time; what another finds meanwhile is found again.

This is the lock-free tree of Enzenberger and Müller (2010).  Chaslot's locks (2010, chapter 7)
come on top of it: one for the whole tree, or one for each node while a thread is in it.

**Chunks.**  Threads take records from the tree a `CHUNK` at a time: neighbours, which share a cache
line, are then mostly the work of one thread, and the counter that all of them read is seldom
written.

Start with `access_of`.
"""

from typing import Any

import numpy as np

from tesuji.compile import inlined
from tesuji.compile.atomics import add, give_way, load, pause, plain_add, store, swap
from tesuji.search.access import PLAIN
from tesuji.search.config import SearchConfig
from tesuji.search.tree import NONE, blank_records, node_of

CHUNK = 64  #: records that a thread takes at once
LARGEST_PART = 1024  # of a tree: a chunk is no more than one of so many parts
FITTING = 8  # blocks of up to one of so many parts of a chunk are taken from it
PATIENCE = 500  # times that a thread looks before it lets others have the processor


def access_of(config: SearchConfig) -> dict[str, Any]:
    """What stands behind the slot ``access`` with these settings."""
    access = {**PLAIN, **(SHARED if config.sharing else {})}
    if config.virtual_loss != 1:
        access |= SCALED_LOSS if config.sharing else PLAIN_SCALED_LOSS
    if config.sharing:
        access |= LOCKS[config.lock]
    return access


# --- who may change a node ------------------------------------------------------------------------


@inlined
def status_of(node: Any) -> int:
    """Kernel: a node's status; what was written before it was set can be read."""
    return load(node, "status")


@inlined
def try_transition(node: Any, old: int, new: int) -> bool:
    """Kernel: change a node's status, unless another thread was faster; did it change?"""
    return swap(node, "status", np.uint8(old), np.uint8(new))


@inlined
def publish(node: Any, status: int) -> None:
    """Kernel: set a node's status when everything else is in place."""
    store(node, "status", np.uint8(status))


@inlined
def tried_of(node: Any) -> int:
    """Kernel: how many children a node has; they can be read."""
    return np.int64(load(node, "tried"))


@inlined
def set_tried(node: Any, tried: int) -> None:
    """Kernel: let others see a node's children."""
    store(node, "tried", np.uint16(tried))


@inlined
def take_records(tree: Any, size: int) -> int:
    """Kernel: the first of ``size`` records for this thread alone; -1 when there is no room."""
    meta = tree.meta[0]
    while True:
        top = load(meta, "top")
        if top + size > len(tree.nodes):
            return -1
        if swap(meta, "top", top, top + size):
            return top


@inlined
def new_records(tree: Any, size: int) -> int:
    """Kernel: blank records from this thread's chunk, or from a new one.

    Large blocks are taken from the tree, as the rest of a chunk that they do not fit into would be
    lost, and so are all blocks when no chunk is left.
    """
    own = tree.chunks[0]
    if own.next + size > own.end:
        chunk = min(CHUNK, len(tree.nodes) // LARGEST_PART)
        if size > chunk // FITTING:
            return blank_records(tree, size)
        first = blank_records(tree, chunk)
        if first == NONE:
            return blank_records(tree, size)
        own.next = first
        own.end = first + chunk
    own.next += size
    return np.int64(own.next - size)


@inlined
def take_place(entry: Any, ref: int) -> bool:
    """Kernel: put a node into a free place of the table of positions; was it free?"""
    return swap(entry, "node", np.uint32(0), np.uint32(ref))


@inlined
def begin_proof(meta: Any) -> bool:
    """Kernel: may this thread carry a proof up?"""
    return swap(meta, "proving", np.int8(0), np.int8(1))


@inlined
def end_proof(meta: Any) -> None:
    """Kernel: let another thread."""
    store(meta, "proving", np.int8(0))


@inlined
def note_path(sim: Any, nodes: int) -> None:
    """Kernel: remember how many nodes of the path count this simulation while it is in flight."""
    sim.counted = nodes


@inlined
def stop_requested(meta: Any) -> bool:
    """Kernel: has another thread failed?"""
    return load(meta, "stop") != 0


@inlined
def add_virtual_loss(node: Any, params: Any) -> None:
    """Kernel: count a simulation on its way down."""
    add(node, "visits", 1)


SHARED = {
    "add": add,
    "add_virtual_loss": add_virtual_loss,
    "begin_proof": begin_proof,
    "end_proof": end_proof,
    "new_records": new_records,
    "note_path": note_path,
    "publish": publish,
    "put": store,
    "set_tried": set_tried,
    "status_of": status_of,
    "stop_requested": stop_requested,
    "take_place": take_place,
    "take_records": take_records,
    "tried_of": tried_of,
    "try_transition": try_transition,
}


# --- a virtual loss of another size than one ------------------------------------------------------


@inlined
def own_visits(visits: int, params: Any) -> int:
    """Kernel: a node's visits as one of its simulations sees them: it counts as one itself."""
    return visits + 1 - params.virtual_loss


def _scaled(add_to: Any) -> dict[str, Any]:
    """Virtual loss of any size, with this addition."""

    @inlined
    def add_virtual_loss(node: Any, params: Any) -> None:
        """Kernel: count a simulation on its way down."""
        add_to(node, "visits", params.virtual_loss)

    @inlined
    def remove_virtual_loss(tree: Any, sim: Any, first: int, params: Any) -> None:
        """Kernel: from now on the simulation counts as one visit of the nodes ``path[first:]``."""
        for i in range(first, sim.depth + 1):
            add_to(node_of(tree, sim.path[i]), "visits", 1 - params.virtual_loss)

    return {
        "add_virtual_loss": add_virtual_loss,
        "own_visits": own_visits,
        "remove_virtual_loss": remove_virtual_loss,
    }


SCALED_LOSS = _scaled(add)
PLAIN_SCALED_LOSS = _scaled(plain_add)


# --- locks ----------------------------------------------------------------------------------------


@inlined
def wait_a_moment(looks: int) -> int:
    """Kernel: wait a moment; how often this thread has looked."""
    if looks < PATIENCE:
        pause()
    else:
        give_way()
    return looks + 1


@inlined
def lock_tree(tree: Any) -> None:
    """Kernel: with one lock for the tree, wait for it."""
    looks = 0
    while not swap(tree.meta[0], "lock", np.int32(0), np.int32(1)):
        looks = wait_a_moment(looks)


@inlined
def unlock_tree(tree: Any) -> None:
    """Kernel: with one lock for the tree, give it back."""
    store(tree.meta[0], "lock", np.int32(0))


@inlined
def lock_node(node: Any) -> None:
    """Kernel: with a lock for each node, wait for this one.  No thread holds two of them."""
    looks = 0
    while not swap(node, "lock", np.int32(0), np.int32(1)):
        looks = wait_a_moment(looks)


@inlined
def unlock_node(node: Any) -> None:
    """Kernel: with a lock for each node, give this one back."""
    store(node, "lock", np.int32(0))


#: by the setting ``lock``
LOCKS: dict[str, dict[str, Any]] = {
    "free": {},
    "local": {"lock_node": lock_node, "unlock_node": unlock_node},
    "global": {"lock_tree": lock_tree, "unlock_tree": unlock_tree},
}
