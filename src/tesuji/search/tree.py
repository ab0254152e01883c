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

**Transpositions** are optional: a node that reaches a position which another node already stands
for is ``SHARED``, its ``twin`` has the children (`transpose`).

**Memory** is reserved once.  When it is used up, `compact` closes the nodes that were visited
least (they become leaves again and keep their own counts) and slides the rest together.  The same
function makes a descendant the new root.

**Chunks.**  Threads that share a tree take records from it a `CHUNK` at a time: neighbours, which
share a cache line, are then mostly the work of one thread, and the counter that all of them read is
seldom written.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.compile.atomics import LINE
from tesuji.search.part import Field
from tesuji.search.threads import reserve, set_tried, take_place, tried_of

ALL = Slot("ALL")
THREADS = Slot("THREADS")
TRANSPOSE = Slot("TRANSPOSE")

ROOT = 0
NONE = 0  #: no node: the root is nobody's child, so its index is free to mean this
SCALE = 1 << 30  #: rewards are summed in units of 2**-30

# A node's status.
OPEN = 0  #: a leaf; may get children
EXPANDED = 1  #: has children, or at least a count of its moves
OVER = 2  #: the game ends here
FORBIDDEN = 3  #: the move into it would repeat an earlier position
SHARED = 4  #: its twin stands for the same position and has the children
BUSY = 5  #: a thread is about to expand it
GROWING = 6  #: expanded, and a thread is adding a child

DEAD = 0xFFFFFFFF  #: in `compact`: this record is not needed any more
BUCKETS = 512

CHUNK = 64  #: records that a thread takes at once
LARGEST_PART = 1024  # of a tree: a chunk is no more than one of so many parts
FITTING = 8  # blocks of up to one of so many parts of a chunk are taken from it

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


#: what every thread writes often lies apart from what all of them read in every simulation
Meta = np.dtype(
    [
        ("top", np.int64),  # records in use, or in a thread's chunk
        ("_after_top", np.uint8, LINE),
        ("left", np.int64),  # simulations that threads may still begin
        ("lock", np.int32),  # of the whole tree
        ("_after_left", np.uint8, LINE),
        ("full", np.int8),  # a simulation found no room
        ("frozen", np.int8),  # there is none to be made: go on without
        ("stop", np.int8),  # a thread has failed: end
        ("proving", np.int8),  # a thread is carrying a proof up
        ("depth", np.int32),  # deepest path so far
        ("switch", np.int32),  # moves that the next rollout of BRUE explores; 0: as many as it may
        ("_after_all", np.uint8, LINE),
    ],
    align=True,
)


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
    meta: Any  #: one `Meta` record
    forward: Any  #: where each record moves to, for `compact`
    table: Any  #: finds nodes by the hash of their position, see `transpose`
    chunks: Any  #: one `Chunk` for each thread; a thread's own comes first in what it sees


def allocate(megabytes: float, fields: tuple[Field, ...] = (), threads: int = 1) -> Tree:
    """Reserve a tree.  The system hands out the pages only as they are used."""
    kind = node_dtype(fields)
    sharing = "twin" in (kind.names or ())
    each = kind.itemsize + 4 + (8 if sharing else 0)
    capacity = max(64, int(megabytes * 1e6) // each)
    tree = Tree(
        np.zeros(capacity, kind),
        np.zeros(1, kind),
        np.zeros(2, Meta)[1:],
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
    tree.meta[0] = np.zeros(1, Meta)[0]
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
def next_child(tree: Any, node: Any, child: int, n: int) -> int:
    """Kernel: the record of a node's child number ``n``, given that of child ``n - 1``.

    Walk over all children with n = 0, 1, 2, ...; before the first one ``child`` may be anything.
    """
    if ALL:  # the blocks lie one behind the other
        return np.int64(node.first) + n
    if n == 0:
        return np.int64(node.first)
    if n & (n - 1):
        return child + 1
    block = child + 1 - max(n >> 1, 1)  # child n starts a block: leave the one before it
    return np.int64(tree.nodes[np.uint64(block)].next)


@inlined
def nth_child(tree: Any, node: Any, n: int) -> int:
    """Kernel: the record of a node's child number ``n``, which has been tried."""
    block = np.int64(node.first)
    if ALL:
        return block + n
    start = 0
    following = 1
    while n >= following:  # blocks begin at 0, 1, 2, 4, 8 ...
        block = np.int64(tree.nodes[np.uint64(block)].next)
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
    tree.nodes[np.uint64(block + tried - start)].move = move
    set_tried(node, tried + 1)
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
            tree.nodes[np.uint64(first + block)].next = first + start
            block = start
            start *= 2
    return first


def _new_block(tree: Any, parent: int, last: int, size: int) -> int:
    """Kernel: ``size`` blank records, linked behind the block ``last``; the first, or `NONE`."""
    if THREADS:
        first = _from_chunk(tree, size)
    else:
        first = _take(tree, size)
    if first == NONE:
        tree.meta[0].full = 1
    elif last == NONE:
        tree.nodes[np.uint64(parent)].first = first
    else:
        tree.nodes[np.uint64(last)].next = first
    return first


@inlined
def _take(tree: Any, size: int) -> int:
    """Kernel: blank records for this thread alone; the first, or `NONE` when there is no room."""
    first = reserve(tree.meta[0], size, len(tree.nodes))
    if first < 0:
        return NONE
    for i in range(first, first + size):
        tree.nodes[i] = tree.blank[0]
    return first


@inlined
def _from_chunk(tree: Any, size: int) -> int:
    """Kernel: blank records from this thread's chunk, or from a new one.

    Large blocks are taken from the tree, as the rest of a chunk that they do not fit into would be
    lost, and so are all blocks when no chunk is left.
    """
    own = tree.chunks[0]
    if own.next + size > own.end:
        chunk = min(CHUNK, len(tree.nodes) // LARGEST_PART)
        if size > chunk // FITTING:
            return _take(tree, size)
        first = _take(tree, chunk)
        if first == NONE:
            return _take(tree, size)
        own.next = first
        own.end = first + chunk
    own.next += size
    return np.int64(own.next - size)


def find_child(tree: Any, parent: int, move: int) -> int:
    """Kernel: the child that a move leads to, or `NONE` if it has no record."""
    node = tree.nodes[np.uint64(home(tree, parent))]
    child = NONE
    for n in range(tried_of(node)):
        child = next_child(tree, node, child, n)
        if tree.nodes[np.uint64(child)].move == move:
            return child
    return NONE


def compact(tree: Any, root: int, fewest: int) -> None:
    """Kernel: make ``root`` the root, close nodes with fewer than ``fewest`` visits, slide.

    No record moves to a place behind its own: the first place is the root's, and where that is new,
    the old one has no further use for its own.
    """
    meta = tree.meta[0]
    _mark(tree, root, fewest)
    if TRANSPOSE:
        _drop_twins(tree)
    top = 1
    for i in range(meta.top):
        if tree.forward[i] != DEAD and i != root:
            tree.forward[i] = top
            top += 1
    tree.forward[root] = ROOT
    tree.nodes[np.uint64(root)].next = NONE
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
    node = tree.nodes[np.uint64(index)]
    if node.first != NONE:
        node.first = tree.forward[node.first]
    if node.next != NONE:
        node.next = tree.forward[node.next]
    if TRANSPOSE:
        if node.status == SHARED:
            node.twin = tree.forward[node.twin]
    tree.nodes[np.int64(tree.forward[index])] = tree.nodes[index]


@inlined
def home(tree: Any, index: int) -> int:
    """Kernel: the node that has a node's children: itself, or its twin."""
    if TRANSPOSE:
        if tree.nodes[np.uint64(index)].status == SHARED:
            return np.int64(tree.nodes[np.uint64(index)].twin)
    return index


@inlined
def passes(node: Any) -> int:
    """Kernel: how many simulations have chosen among a node's children, its twins' included."""
    if TRANSPOSE:
        return np.int64(node.passes)
    return np.int64(node.visits)


PROBES = 16  # places in the table that a position may have
SPREAD = 0x9E3779B97F4A7C15  # spreads keys that differ in few bits (Knuth: 2**64 / golden ratio)


@inlined
def place_of(tree: Any, key: Any, probe: int) -> int:
    """Kernel: where in the table a position may be.  Games may pack a board into their hash."""
    spread = (np.uint64(key) * np.uint64(SPREAD)) >> np.uint64(32)
    return (np.int64(spread) + probe) & (len(tree.table) - 1)


@inlined
def find_position(tree: Any, key: Any) -> int:
    """Kernel: the expanded node of a position, by its hash, or `NONE`."""
    for probe in range(PROBES):
        index = np.int64(tree.table[place_of(tree, key, probe)].node)
        if index == NONE or tree.nodes[np.uint64(index)].hash == key:
            return index
    return NONE


@inlined
def note_position(tree: Any, index: int, key: Any) -> None:
    """Kernel: let `find_position` find a node; the root is nobody's twin."""
    for probe in range(PROBES):
        if take_place(tree.table[place_of(tree, key, probe)], index):
            return


def index_nodes(tree: Any) -> None:
    """Kernel: fill the table anew after nodes have moved."""
    tree.table["node"][:] = NONE
    for i in range(1, tree.meta[0].top):
        node = tree.nodes[np.uint64(i)]
        if node.status == EXPANDED:
            note_position(tree, i, node.hash)


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
    node = tree.nodes[np.uint64(index)]
    if node.status != EXPANDED:
        return waiting
    if index != root and passes(node) < fewest:
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


def _drop_twins(tree: Any) -> None:
    """Kernel: nodes whose twin does not stay, or has been closed, become leaves again."""
    for i in range(tree.meta[0].top):
        node = tree.nodes[np.uint64(i)]
        if tree.forward[i] != DEAD and node.status == SHARED:
            twin = node.twin
            if tree.forward[twin] == DEAD or tree.nodes[twin].status != EXPANDED:
                node.status = OPEN
                node.twin = NONE


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
            records[_bucket(passes(node))] += room(np.int64(node.tried), np.int64(node.count))
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
