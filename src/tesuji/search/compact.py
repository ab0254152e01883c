"""Room in the tree: closes the nodes that were visited least and slides the rest together.

Closed nodes become leaves again and keep their own counts.  `compact` also makes a descendant the
new root.  It runs between slices of a search, while nobody is in the tree.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.search.transpose import index_nodes
from tesuji.search.tree import (
    EXPANDED,
    NONE,
    OPEN,
    ROOT,
    SHARED,
    next_child,
    node_of,
    room,
    selections_of,
)

TRANSPOSE = Slot("TRANSPOSE")

DEAD = 0xFFFFFFFF  #: this record is not needed any more
BUCKETS = 512


def compact(tree: Any, root: int, fewest: int) -> None:
    """Kernel: make ``root`` the root, close nodes with fewer than ``fewest`` visits, slide.

    No record moves to a place behind its own: the first place is the root's, and where that is new,
    the old one has no further use for its own.
    """
    meta = tree.meta[0]
    _mark(tree, root, fewest)
    if TRANSPOSE:
        _drop_shared(tree)
    top = 1
    for i in range(meta.top):
        if tree.forward[i] != DEAD and i != root:
            tree.forward[i] = top
            top += 1
    tree.forward[root] = ROOT
    node_of(tree, root).next = NONE
    _move(tree, root)
    for i in range(meta.top):
        if tree.forward[i] != DEAD and i != root:
            _move(tree, i)
    meta.top = top
    meta.full = 0
    for i in range(len(tree.chunks)):
        tree.chunks[i].next = 0
        tree.chunks[i].end = 0
    if TRANSPOSE:
        index_nodes(tree)


@inlined
def _move(tree: Any, index: int) -> None:
    """Kernel: put a record in its new place, its links leading to those of others."""
    node = node_of(tree, index)
    if node.first != NONE:
        node.first = tree.forward[node.first]
    if node.next != NONE:
        node.next = tree.forward[node.next]
    if TRANSPOSE:
        if node.status == SHARED:
            node.canonical = tree.forward[node.canonical]
    tree.nodes[np.int64(tree.forward[index])] = tree.nodes[index]


def _mark(tree: Any, root: int, fewest: int) -> None:
    """Kernel: let ``forward`` say which records stay: one pass over all of them, parents first.

    Nearly all children lie behind their parent, so the pass will come to them.  The others, which
    come from an older chunk, are done with at once; those that wait are linked by ``forward``.
    """
    for i in range(tree.meta[0].top):
        tree.forward[i] = DEAD
    tree.forward[root] = NONE
    for i in range(root, tree.meta[0].top):
        if tree.forward[i] == DEAD:
            continue
        waiting = _mark_children(tree, i, root, fewest, i, NONE)
        while waiting != NONE:
            index = waiting
            waiting = np.int64(tree.forward[index])
            waiting = _mark_children(tree, index, root, fewest, i, waiting)


@inlined
def _mark_children(tree: Any, index: int, root: int, fewest: int, passed: int, waiting: int) -> int:
    """Kernel: let the children of a node stay, or close it; the first node that waits."""
    node = node_of(tree, index)
    if node.status != EXPANDED:
        return waiting
    if index != root and selections_of(node) < fewest:
        node.status = OPEN
        node.first = NONE
        node.count = 0
        node.tried = 0
        return waiting
    child = NONE
    for n in range(room(np.int64(node.tried), np.int64(node.count))):
        child = next_child(tree, node, child, n)
        tree.forward[child] = NONE
        if child < passed:
            tree.forward[child] = waiting
            waiting = child
    return waiting


def _drop_shared(tree: Any) -> None:
    """Kernel: nodes whose canonical node does not stay, or has been closed, become leaves again."""
    for i in range(tree.meta[0].top):
        node = node_of(tree, i)
        if tree.forward[i] != DEAD and node.status == SHARED:
            canonical = node.canonical
            if tree.forward[canonical] == DEAD or node_of(tree, canonical).status != EXPANDED:
                node.status = OPEN
                node.canonical = NONE


def fewest_visits(tree: Any, records: Any, target: int) -> int:
    """Kernel: the least number of visits that a node must have so that ``target`` records suffice.

    ``records`` is scratch: for each class of visit counts, how many records the children of such
    nodes occupy.  Parents are visited more than their children, so a bound on visits cuts whole
    branches.
    """
    records[:] = 0
    for i in range(tree.meta[0].top):
        node = node_of(tree, i)
        if node.status == EXPANDED:
            records[_bucket(selections_of(node))] += room(
                np.int64(node.tried), np.int64(node.count)
            )
    kept = 1
    for bucket in range(BUCKETS - 1, -1, -1):
        kept += records[bucket]
        if kept > target:
            return _least(bucket + 1)
    return 0


def _bucket(visits: int) -> int:
    """Kernel: classes of visit counts: exact below 16, then eight for each power of two."""
    power = 0
    while visits >> power >= 16:
        power += 1
    return visits >> power if power == 0 else 8 * power + (visits >> power)


def _least(bucket: int) -> int:
    """Kernel: the smallest visit count of a class, the reverse of `_bucket`."""
    if bucket < 16:
        return bucket
    power = bucket // 8 - 1
    return (bucket - 8 * power) << power
