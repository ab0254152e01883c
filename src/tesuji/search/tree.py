"""The search tree: one array of node records.

A node is 32 bytes, and more where a game or a method needs it (`Field`).  It counts the
simulations through it and sums, as an exact integer, the rewards of *the player who chose the move
into it*.

**Children.**  A move that was never tried costs nothing: a node only knows how many moves it has
(``count``) and how many of them were tried (``tried``).  Trying the next move lists the moves of
the position again and takes the one that `nth_choice` names, in a pseudo-random order fixed by the
node's ``salt``.  Listing moves once a simulation is cheap beside the playout that follows, and wide
games stay affordable: 2,176 opening moves of Amazons weigh nothing until they are searched.

Tried children lie in *blocks* of 1, 1, 2, 4, 8 ... records, each block doubling the room, so
scanning them is nearly a walk through contiguous memory and nothing moves while a search runs.
``first`` is a node's first block; the first record of each block says where the ``next`` one is.
Methods that compare moves before they were tried (RAVE, knowledge) give all children records at
once (`append_all`): the same blocks, one behind the other.

**References.**  Kernels name a node by a reference (`Ref`), which `node_of` turns into its record.

**Transpositions** are optional: a node that reaches a position which another node already stands
for is ``SHARED``, its ``canonical`` node has the children (`tesuji.search.transpose`).

**Memory** is reserved once.  When it is used up, `tesuji.search.compact` closes the nodes that were
visited least and slides the rest together.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.compile.atomics import LINE
from tesuji.search.part import Field

access = Slot("access")
ALL_CHILDREN = Slot("ALL_CHILDREN")
TRANSPOSE = Slot("TRANSPOSE")

Ref = np.int64  #: the type of references to nodes
ROOT = 0
NONE = 0  #: no node: the root is nobody's child, so its index is free to mean this
SCALE = 1 << 30  #: rewards are summed in units of 2**-30

# A node's status.
OPEN = 0  #: a leaf; may get children
EXPANDED = 1  #: has children, or at least a count of its moves
OVER = 2  #: the game ends here
FORBIDDEN = 3  #: the move into it would repeat an earlier position
SHARED = 4  #: its canonical node stands for the same position and has the children
BUSY = 5  #: a thread is about to expand it
GROWING = 6  #: expanded, and a thread is adding a child

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
def node_dtype(fields: tuple[Field, ...] = ()) -> np.dtype[Any]:
    """A node's record with the fields of the parts in use."""
    more = [(field.name, field.kind) for field in fields]
    return np.dtype([*_FIELDS, *more], align=True)


@lru_cache
def meta_dtype(fields: tuple[Field, ...] = ()) -> np.dtype[Any]:
    """The record of a tree as a whole, with the fields of the parts in use."""
    more = [(field.name, field.kind) for field in fields]
    return np.dtype([*_META, *more, ("_after_all", np.uint8, LINE)], align=True)


#: what every thread writes often lies apart from what all of them read in every simulation
_META: list[Any] = [
    ("top", np.int64),  # records in use, or in a thread's chunk
    ("_after_top", np.uint8, LINE),
    ("left", np.int64),  # simulations that threads may still begin
    ("lock", np.int32),  # of the whole tree
    ("_after_left", np.uint8, LINE),
    ("full", np.int8),  # a simulation found no room
    ("frozen", np.int8),  # there is none to be made: go on without
    ("stop", np.int8),  # a thread has failed: end
    ("depth", np.int32),  # deepest path so far
]


#: records that a thread has taken and not used yet
Chunk = np.dtype(
    [("next", np.int64), ("end", np.int64), ("_after_chunk", np.uint8, LINE)], align=True
)


#: one place of the table of positions
Entry = np.dtype([("node", np.uint32)])


class Tree(NamedTuple):
    """The arena and its counters."""

    nodes: Any
    blank: Any  #: one record as new children have it
    meta: Any  #: one record of counters, see `meta_dtype`
    forward: Any  #: where each record moves to, for `tesuji.search.compact`
    table: Any  #: finds nodes by the hash of their position, see `tesuji.search.transpose`
    chunks: Any  #: one `Chunk` for each thread; a thread's own comes first in what it sees


def allocate(
    megabytes: float,
    fields: tuple[Field, ...] = (),
    whole: tuple[Field, ...] = (),
    threads: int = 1,
) -> Tree:
    """Reserve a tree whose nodes have these ``fields``, and the ``whole`` of it those.

    The system hands out the pages only as they are used.
    """
    kind = node_dtype(fields)
    sharing = "canonical" in (kind.names or ())
    each = kind.itemsize + 4 + (8 if sharing else 0)
    capacity = max(64, int(megabytes * 1e6) // each)
    tree = Tree(
        np.zeros(capacity, kind),
        np.zeros(1, kind),
        np.zeros(2, meta_dtype(whole))[1:],
        np.zeros(capacity, np.uint32),
        np.zeros(1 << (capacity.bit_length() if sharing else 0), Entry),
        np.zeros(threads + 1, Chunk)[1:],
    )
    for field in fields:
        tree.blank[field.name] = field.blank
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Forget everything but an unvisited root."""
    tree.nodes[ROOT] = tree.blank[0]
    tree.meta[0] = np.zeros((), tree.meta.dtype)
    tree.meta[0]["top"] = 1
    tree.table["node"] = NONE
    tree.chunks[...] = np.zeros((), Chunk)


def of_thread(tree: Tree, number: int) -> Tree:
    """The same tree as one of several threads sees it: with its own chunk."""
    return tree._replace(chunks=tree.chunks[number:])


def used_bytes(tree: Tree) -> int:
    """What the records in use occupy."""
    unused = int((tree.chunks["end"] - tree.chunks["next"]).sum())
    return (int(tree.meta[0]["top"]) - unused) * tree.nodes.dtype.itemsize


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
def node_of(tree: Any, ref: int) -> Any:
    """Kernel: the record that a reference names."""
    return tree.nodes[np.uint64(ref)]


@inlined
def next_child(tree: Any, node: Any, child: int, n: int) -> int:
    """Kernel: the record of a node's child number ``n``, given that of child ``n - 1``.

    Walk over all children with n = 0, 1, 2, ...; before the first one ``child`` may be anything.
    """
    if ALL_CHILDREN:  # the blocks lie one behind the other
        return np.int64(node.first) + n
    if n == 0:
        return np.int64(node.first)
    if n & (n - 1):
        return child + 1
    block = child + 1 - max(n >> 1, 1)  # child n starts a block: leave the one before it
    return np.int64(node_of(tree, block).next)


@inlined
def nth_child(tree: Any, node: Any, n: int) -> int:
    """Kernel: the record of a node's child number ``n``, which has been tried."""
    block = np.int64(node.first)
    if ALL_CHILDREN:
        return block + n
    start = 0
    following = 1
    while n >= following:  # blocks begin at 0, 1, 2, 4, 8 ...
        block = np.int64(node_of(tree, block).next)
        start = following
        following *= 2
    return block + n - start


@inlined
def mean_of(node: Any) -> float:
    """Kernel: the mean reward, in a visited node, of the player who chose the move into it."""
    return node.value * (1.0 / SCALE) * (1.0 / node.visits)


@inlined
def append(tree: Any, parent: int, move: int) -> int:
    """Kernel: a fresh record for the next child of a node, or `NONE` when there is no room.

    One thread at a time may do this to a node.
    """
    node = node_of(tree, parent)
    tried = np.int64(node.tried)
    block = np.int64(node.first)
    start = 0  # the first child that lies in `block`
    while tried > 1 and node_of(tree, block).next != NONE:
        block = np.int64(node_of(tree, block).next)
        start = max(2 * start, 1)
    if tried & (tried - 1) == 0:
        size = min(max(tried, 1), np.int64(node.count) - tried)
        block = _new_block(tree, parent, block, size)
        if block == NONE:
            return NONE
        start = tried
    node_of(tree, block + tried - start).move = move
    access.set_tried(node, tried + 1)
    return block + tried - start


@inlined
def append_all(tree: Any, parent: int, count: int) -> int:
    """Kernel: fresh records for all children of a node; the first, or `NONE` without room.

    The node does not count them yet.
    """
    first = _new_block(tree, parent, NONE, count)
    if first != NONE:
        block = 0
        start = 1
        while start < count:
            node_of(tree, first + block).next = first + start
            block = start
            start *= 2
    return first


def _new_block(tree: Any, parent: int, last: int, size: int) -> int:
    """Kernel: ``size`` blank records, linked behind the block ``last``; the first, or `NONE`."""
    first = access.new_records(tree, size)
    if first == NONE:
        tree.meta[0].full = 1
    elif last == NONE:
        node_of(tree, parent).first = first
    else:
        node_of(tree, last).next = first
    return first


@inlined
def blank_records(tree: Any, size: int) -> int:
    """Kernel: blank records for this thread alone; the first, or `NONE` when there is no room."""
    first = access.take_records(tree, size)
    if first < 0:
        return NONE
    for i in range(first, first + size):
        tree.nodes[i] = tree.blank[0]
    return first


def find_child(tree: Any, parent: int, move: int) -> int:
    """Kernel: the child that a move leads to, or `NONE` if it has no record."""
    node = node_of(tree, resolve(tree, parent))
    child = NONE
    for n in range(access.tried_of(node)):
        child = next_child(tree, node, child, n)
        if node_of(tree, child).move == move:
            return child
    return NONE


@inlined
def resolve(tree: Any, index: int) -> int:
    """Kernel: the node that has a node's children: itself, or its canonical node."""
    if TRANSPOSE:
        if node_of(tree, index).status == SHARED:
            return np.int64(node_of(tree, index).canonical)
    return index


@inlined
def selections_of(node: Any) -> int:
    """Kernel: how many simulations have chosen among the children of a position."""
    if TRANSPOSE:
        return np.int64(node.selections)
    return np.int64(node.visits)
