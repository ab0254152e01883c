"""The search tree: one array of node records.

A node is 32 bytes (40 in games that forbid repetition).  It counts the simulations through it and
sums, as an exact integer, the rewards of *the player who chose the move into it*.

**Children.**  A move that was never tried costs nothing: a node only knows how many moves it has
(``count``) and how many of them were tried (``tried``).  Trying the next move lists the moves of
the position again and takes the one that `nth_choice` names, in a pseudo-random order fixed by the
node's ``salt``.  Listing moves once a simulation is cheap beside the playout that follows, and wide
games stay affordable: 2,176 opening moves of Amazons weigh nothing until they are searched.

Tried children lie in *blocks* of 1, 1, 2, 4, 8 ... records, each block doubling the room, so
scanning them is nearly a walk through contiguous memory and nothing moves while a search runs.
``first`` is a node's first block; the first record of each block says where the ``next`` one is.

**Memory** is reserved once.  When it is used up, `compact` closes the nodes that were visited
least (they become leaves again and keep their own counts) and slides the rest together.  The same
function makes a descendant the new root.  It relies on one fact: a child lies behind its parent.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import inlined

ROOT = 0
NONE = 0  #: no node: the root is nobody's child, so its index is free to mean this
SCALE = 1 << 30  #: rewards are summed in units of 2**-30

# A node's status.
OPEN = 0  #: a leaf; may get children
EXPANDED = 1  #: has children, or at least a count of its moves
OVER = 2  #: the game ends here
FORBIDDEN = 3  #: the move into it would repeat an earlier position

DEAD = 0xFFFFFFFF  #: in `compact`: this record is not needed any more
BUCKETS = 512

_FIELDS: list[tuple[str, Any]] = [
    ("value", np.int64),  # summed rewards of whoever chose the move into this node
    ("visits", np.int32),
    ("move", np.int32),  # the move into this node
    ("first", np.uint32),  # first block of children
    ("next", np.uint32),  # in a block's first record: the block after it
    ("count", np.uint16),  # moves to choose from
    ("tried", np.uint16),  # moves that have a record
    ("salt", np.uint16),  # fixes the order in which moves are tried
    ("mover", np.int8),  # who chooses among the children
    ("status", np.uint8),
]


@lru_cache
def node_dtype(keyed: bool = False, squares: bool = False) -> np.dtype[Any]:
    """A node's record: with the repetition key, with summed squares of rewards, or plain."""
    more: list[tuple[str, Any]] = [("key", np.uint64)] if keyed else []
    more += [("squares", np.int64)] if squares else []
    return np.dtype([*_FIELDS, *more], align=True)


Meta = np.dtype(
    [
        ("top", np.int64),  # records in use
        ("full", np.int8),  # a simulation found no room
        ("frozen", np.int8),  # there is none to be made: go on without
        ("depth", np.int32),  # deepest path so far
    ],
    align=True,
)


class Tree(NamedTuple):
    """The arena and its counters."""

    nodes: Any
    blank: Any  #: one record as new children have it
    meta: Any  #: one `Meta` record
    forward: Any  #: where each record moves to, for `compact`


def allocate(megabytes: float, *, keyed: bool = False, squares: bool = False) -> Tree:
    """Reserve a tree.  The system hands out the pages only as they are used."""
    kind = node_dtype(keyed, squares)
    capacity = max(64, int(megabytes * 1e6) // (kind.itemsize + 4))
    tree = Tree(
        np.zeros(capacity, kind),
        np.zeros(1, kind),
        np.zeros(1, Meta),
        np.zeros(capacity, np.uint32),
    )
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Forget everything but an unvisited root."""
    tree.nodes[ROOT] = np.zeros(1, tree.nodes.dtype)[0]
    tree.meta[0] = (1, 0, 0, 0)


def used_bytes(tree: Tree) -> int:
    """What the records in use occupy."""
    return int(tree.meta[0]["top"]) * tree.nodes.dtype.itemsize


def reserved_bytes(tree: Tree) -> int:
    """The most that the tree's arrays can ever occupy."""
    return sum(array.nbytes for array in tree)


def nth_choice(n: int, count: int, salt: int) -> int:
    """Kernel: the n-th of ``count`` moves in the order that ``salt`` names; a permutation.

    A bijection on the next power of two, repeated until the result is in range (cycle walking,
    Black and Rogaway 2002).
    """
    mask = count - 1
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    factor = 2 * salt + 1
    while True:
        n = (n * factor + (salt >> 5)) & mask
        n ^= n >> 3
        n = (n * 0x9E5 + salt) & mask
        if n < count:
            return n


def room(tried: int, count: int) -> int:
    """Kernel: how many records the blocks of a node with ``tried`` children occupy."""
    size = 1 if tried > 0 else 0
    while size < tried:
        size *= 2
    return min(size, count)


@inlined
def next_child(tree: Any, child: int, n: int) -> int:
    """Kernel: the record of child number ``n``, given that of child ``n - 1``.

    Walk over all children with ``child = node.first``, then this for n = 1, 2, ...
    """
    if n & (n - 1):
        return child + 1
    block = child + 1 - max(n >> 1, 1)  # child n starts a block: leave the one before it
    return np.int64(tree.nodes[np.uint64(block)].next)


@inlined
def append(tree: Any, parent: int) -> int:
    """Kernel: a fresh record for the next child of a node, or `NONE` when there is no room."""
    node = tree.nodes[np.uint64(parent)]
    tried = np.int64(node.tried)
    block = np.int64(node.first)
    start = 0  # the first child that lies in `block`
    while tried > 1 and tree.nodes[np.uint64(block)].next != NONE:
        block = np.int64(tree.nodes[np.uint64(block)].next)
        start = max(2 * start, 1)
    if tried & (tried - 1) == 0:
        size = min(max(tried, 1), np.int64(node.count) - tried)
        block = _new_block(tree, parent, block, size)
        if block == NONE:
            return NONE
        start = tried
    node.tried = tried + 1
    return block + tried - start


def _new_block(tree: Any, parent: int, last: int, size: int) -> int:
    """Kernel: reserve and clear ``size`` records, linked behind the block ``last``."""
    meta = tree.meta[0]
    first = meta.top
    if first + size > len(tree.nodes):
        meta.full = 1
        return NONE
    meta.top = first + size
    for i in range(first, first + size):
        tree.nodes[i] = tree.blank[0]
    if last == NONE:
        tree.nodes[np.uint64(parent)].first = first
    else:
        tree.nodes[np.uint64(last)].next = first
    return first


def find_child(tree: Any, parent: int, move: int) -> int:
    """Kernel: the tried child that a move leads to, or `NONE`."""
    node = tree.nodes[np.uint64(parent)]
    child = np.int64(node.first)
    for n in range(np.int64(node.tried)):
        if n > 0:
            child = next_child(tree, child, n)
        if tree.nodes[np.uint64(child)].move == move:
            return child
    return NONE


def compact(tree: Any, root: int, fewest: int) -> None:
    """Kernel: make ``root`` the root, close nodes with fewer than ``fewest`` visits, slide."""
    meta = tree.meta[0]
    _mark(tree, root, fewest)
    top = 0
    for i in range(root, meta.top):
        if tree.forward[i] != DEAD:
            tree.forward[i] = top
            top += 1
    tree.nodes[np.uint64(root)].next = NONE
    for i in range(root, meta.top):
        place = np.int64(tree.forward[i])
        if place != DEAD:
            node = tree.nodes[np.uint64(i)]
            if node.first != NONE:
                node.first = tree.forward[node.first]
            if node.next != NONE:
                node.next = tree.forward[node.next]
            tree.nodes[place] = tree.nodes[i]
    meta.top = top
    meta.full = 0


def _mark(tree: Any, root: int, fewest: int) -> None:
    """Kernel: let ``forward`` say which records stay; parents come before their children."""
    nodes = tree.nodes
    for i in range(root, tree.meta[0].top):
        tree.forward[i] = DEAD
    tree.forward[root] = 0
    for i in range(root, tree.meta[0].top):
        node = nodes[np.uint64(i)]
        if tree.forward[i] == DEAD or node.status != EXPANDED:
            continue
        if i != root and node.visits < fewest:
            node.status = OPEN
            node.first = NONE
            node.count = 0
            node.tried = 0
            continue
        child = np.int64(node.first)
        for n in range(room(np.int64(node.tried), np.int64(node.count))):
            if n > 0:
                child = next_child(tree, child, n)
            tree.forward[child] = 0


def fewest_visits(tree: Any, records: Any, target: int) -> int:
    """Kernel: the least number of visits that a node must have so that ``target`` records suffice.

    ``records`` is scratch: for each class of visit counts, how many records the children of such
    nodes occupy.  Parents are visited more than their children, so a bound on visits cuts whole
    branches.
    """
    records[:] = 0
    for i in range(tree.meta[0].top):
        node = tree.nodes[np.uint64(i)]
        if node.status == EXPANDED:
            records[_bucket(np.int64(node.visits))] += room(
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
