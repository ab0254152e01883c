"""What the steps do to a node that several threads may hold at once.

Counts are written through ``write.add``, all that decides who may change a node through the
functions below.  For one thread they are plain additions and assignments; for several (`THREADS`)
they are atomic, so that counts are exact whatever the threads do at the same time.  Nobody ever
waits for another thread, unless the settings ask for locks:

* Counters (visits, values, AMAF) are integers, and integer addition can be done in any order.
* A leaf is expanded by the thread that makes it `BUSY`; for the others it is still a leaf.
* A node gets a child from the thread that makes it `GROWING`; the others follow the children that
  it has.  A child is finished before ``tried`` says that it is there.
* Proofs are carried up by one thread at a time; what another finds meanwhile is found again.

This is the lock-free tree of Enzenberger and Müller (2010).  Chaslot's locks (2010, section 7.3)
come on top of it: one for the whole tree, or one for each node while a thread is in it.

**Virtual loss.**  A visit is counted on the way down and its result is added on the way up, so a
simulation under way looks like a loss and sends other threads elsewhere.  With ``virtual_loss`` = v
it looks like v losses, with 0 like nothing at all (`count_visit`, `uncount`).
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.compile.atomics import give_way, load, pause, store, swap

write = Slot("write")  # `write.add(node, "visits", 1)`: atomic, or plain for one thread
THREADS = Slot("THREADS")  # do several threads share the tree?
LOCAL = Slot("LOCAL")  # has each node a lock?
GLOBAL = Slot("GLOBAL")  # has the tree one?
VIRTUAL = Slot("VIRTUAL")  # is a simulation under way something else than one loss?

PATIENCE = 500  # times that a thread looks before it lets others have the processor


# --- counters -------------------------------------------------------------------------------------


@inlined
def add_visits(node: Any, amount: int) -> None:
    """Kernel: count visits of a node."""
    write.add(node, "visits", amount)


@inlined
def count_visit(node: Any, params: Any) -> None:
    """Kernel: count a simulation on its way down."""
    if VIRTUAL:
        add_visits(node, params.virtual_loss)
    else:
        add_visits(node, 1)


@inlined
def uncount(tree: Any, work: Any, first: int, depth: int, params: Any) -> None:
    """Kernel: from now on the simulation counts as one visit of the nodes of its path."""
    if VIRTUAL:
        for i in range(first, depth + 1):
            add_visits(tree.nodes[work.path[i]], 1 - params.virtual_loss)


@inlined
def note_way(work: Any, nodes: int) -> None:
    """Kernel: remember how many nodes of the path count a simulation under way (`leave_all`)."""
    if THREADS:
        work.counted[0] = nodes


@inlined
def own_visits(visits: int, params: Any) -> int:
    """Kernel: a node's visits as one of its simulations sees them: it counts as one itself."""
    if VIRTUAL:
        return visits + 1 - params.virtual_loss
    return visits


# --- who may change a node ------------------------------------------------------------------------


@inlined
def status_of(node: Any) -> int:
    """Kernel: a node's status; what was written before it was set can be read."""
    if THREADS:
        return load(node, "status")
    return node.status


@inlined
def turn(node: Any, old: int, new: int) -> bool:
    """Kernel: change a node's status, unless another thread was faster; did it change?"""
    if THREADS:
        return swap(node, "status", np.uint8(old), np.uint8(new))
    node.status = new
    return True


@inlined
def publish(node: Any, status: int) -> None:
    """Kernel: set a node's status when everything else is in place."""
    if THREADS:
        store(node, "status", np.uint8(status))
    else:
        node.status = status


@inlined
def tried_of(node: Any) -> int:
    """Kernel: how many children a node has; they can be read."""
    if THREADS:
        return np.int64(load(node, "tried"))
    return np.int64(node.tried)


@inlined
def set_tried(node: Any, tried: int) -> None:
    """Kernel: let others see a node's children."""
    if THREADS:
        store(node, "tried", np.uint16(tried))
    else:
        node.tried = tried


@inlined
def reserve(meta: Any, size: int, capacity: int) -> int:
    """Kernel: the first of ``size`` records for this thread alone; -1 when there is no room."""
    if THREADS:
        while True:
            top = load(meta, "top")
            if top + size > capacity:
                return -1
            if swap(meta, "top", top, top + size):
                return top
    top = meta.top
    if top + size > capacity:
        return -1
    meta.top = top + size
    return top


@inlined
def take_place(entry: Any, index: int) -> bool:
    """Kernel: put a node into a free place of the table of positions; was it free?"""
    if THREADS:
        return swap(entry, "node", np.uint32(0), np.uint32(index))
    if entry.node != 0:
        return False
    entry.node = index
    return True


@inlined
def begin_proof(meta: Any) -> bool:
    """Kernel: may this thread carry a proof up?"""
    if THREADS:
        return swap(meta, "proving", np.int8(0), np.int8(1))
    return True


@inlined
def end_proof(meta: Any) -> None:
    """Kernel: let another thread."""
    if THREADS:
        store(meta, "proving", np.int8(0))


# --- locks ----------------------------------------------------------------------------------------


@inlined
def be_patient(looks: int) -> int:
    """Kernel: wait a moment; how often this thread has looked."""
    if looks < PATIENCE:
        pause()
    else:
        give_way()
    return looks + 1


@inlined
def hold(tree: Any) -> None:
    """Kernel: with one lock for the tree, wait for it."""
    if GLOBAL:
        looks = 0
        while not swap(tree.meta[0], "lock", np.int32(0), np.int32(1)):
            looks = be_patient(looks)


@inlined
def let_go(tree: Any) -> None:
    """Kernel: with one lock for the tree, give it back."""
    if GLOBAL:
        store(tree.meta[0], "lock", np.int32(0))


@inlined
def enter(node: Any) -> None:
    """Kernel: with a lock for each node, wait for this one.  No thread holds two of them."""
    if LOCAL:
        looks = 0
        while not swap(node, "lock", np.int32(0), np.int32(1)):
            looks = be_patient(looks)


@inlined
def leave(node: Any) -> None:
    """Kernel: with a lock for each node, give this one back."""
    if LOCAL:
        store(node, "lock", np.int32(0))
