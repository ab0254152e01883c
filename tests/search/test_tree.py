"""The tree: the order of moves, blocks of children, and compaction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.compile import specialise
from tesuji.compile.plain import view
from tesuji.games import load
from tesuji.position import Position
from tesuji.search import tree as t
from tesuji.search.decide import children
from tesuji.search.limit import Limit
from tesuji.search.parts import repetition, rules
from tesuji.searcher import Searcher

SLOTS = {"ALL": False, "THREADS": False, "TRANSPOSE": False}
append, find_child, compact, fewest_visits = (
    specialise(kernel, SLOTS, label=kernel.__name__, jit=False)
    for kernel in (t.append, t.find_child, t.compact, t.fewest_visits)
)
append_shared, append_all_shared = (
    specialise(kernel, SLOTS | {"THREADS": True}, label=kernel.__name__, jit=False)
    for kernel in (t.append, t.append_all)
)


@given(st.integers(1, 400), st.integers(0, 65535))
def test_the_order_of_moves_is_a_permutation(count, salt):
    assert sorted(t.nth_choice(n, count, salt) for n in range(count)) == list(range(count))


@pytest.mark.parametrize("count", [2, 7, 82, 2176])
def test_every_move_may_come_first(count):
    first = [t.nth_choice(0, count, salt) for salt in range(65536)]
    share = np.bincount(first, minlength=count) * count / 65536
    assert share.min() > 0.2
    assert share.max() < 2.5


def test_a_node_is_small():
    assert t.node_dtype().itemsize == 32
    assert t.node_dtype(repetition.PART.fields).itemsize == 40
    assert t.node_dtype(rules.PART.fields).itemsize == 40


@given(st.lists(st.integers(1, 90), min_size=1, max_size=30))
def test_children_lie_in_doubling_blocks(counts):
    """Children of several nodes are added in turn; each node finds all of its own, in order."""
    arena = t.allocate(0.3)
    tree = view(arena)
    parents = [t.ROOT]
    arena.nodes[t.ROOT]["count"] = len(counts)
    for _ in counts:
        parents.append(append(tree, t.ROOT, 0))
    expected = {parent: [] for parent in parents[1:]}
    for parent, count in zip(parents[1:], counts, strict=True):
        arena.nodes[parent]["count"] = count
    for n in range(max(counts)):
        for parent, count in zip(parents[1:], counts, strict=True):
            if n < count:
                child = append(tree, parent, 0)
                arena.nodes[child]["move"] = n
                arena.nodes[child]["visits"] = 1
                expected[parent].append(child)
    for parent, count in zip(parents[1:], counts, strict=True):
        assert children(arena, parent).tolist() == expected[parent]
        assert find_child(tree, parent, count - 1) == expected[parent][-1]
        assert find_child(tree, parent, count) == t.NONE
    used = 1 + sum(t.room(n, n) for n in [len(counts), *counts])
    assert arena.meta[0]["top"] == used


def test_a_full_tree_says_so():
    arena = t.allocate(0.0001)
    tree = view(arena)
    arena.nodes[t.ROOT]["count"] = 1000
    added = 0
    while append(tree, t.ROOT, 0) != t.NONE:
        added += 1
    assert len(arena.nodes) == 64
    assert added == 1 + 1 + 2 + 4 + 8 + 16  # the next block of 32 does not fit
    assert arena.meta[0]["full"] == 1


def snapshot(arena, index=t.ROOT):
    """The subtree as nested data."""
    node = arena.nodes[index]
    return (
        int(node["move"]),
        int(node["visits"]),
        int(node["value"]),
        [snapshot(arena, child) for child in children(arena, index).tolist()],
    )


@pytest.fixture
def searched():
    game = load("connect4")
    searcher = Searcher(game, seed=3)
    position = Position.start(game)
    searcher.search(position, Limit(simulations=5000))
    return searcher, position


def check_references(arena):
    """Every record in use except the root and spare room is the child of exactly one node."""
    seen = set()
    open_nodes = [t.ROOT]
    while open_nodes:
        index = open_nodes.pop()
        for child in children(arena, index).tolist():
            assert child > index
            assert child not in seen
            seen.add(child)
            open_nodes.append(child)
    top = int(arena.meta[0]["top"])
    assert max(seen) < top
    visited = set(np.flatnonzero(arena.nodes["visits"][:top] > 0).tolist())
    assert visited - {t.ROOT} == seen


def test_compaction_keeps_what_it_keeps(searched):
    searcher, _ = searched
    tree = searcher.tree
    check_references(tree)
    before = snapshot(tree)
    compact(view(tree), t.ROOT, 0)
    assert snapshot(tree) == before
    check_references(tree)


def cut(node, fewest, root=True):
    move, visits, value, below = node
    if visits < fewest and not root:
        below = []
    return (move, visits, value, [cut(child, fewest, False) for child in below])


@pytest.mark.parametrize("fewest", [2, 10, 100, 10**6])
def test_compaction_closes_rarely_visited_nodes(searched, fewest):
    searcher, _ = searched
    before = snapshot(searcher.tree)
    compact(view(searcher.tree), t.ROOT, fewest)
    assert snapshot(searcher.tree) == cut(before, fewest)
    check_references(searcher.tree)


def test_compaction_makes_any_node_the_root(searched):
    searcher, _ = searched
    tree = searcher.tree
    below = [child for first in children(tree, t.ROOT) for child in children(tree, first)]
    chosen = sorted(below, key=lambda i: tree.nodes[i]["visits"])[-2]
    before = snapshot(tree, chosen)
    compact(view(tree), chosen, 0)
    assert snapshot(tree) == before
    check_references(tree)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_the_bound_on_visits_meets_the_target(searched, share):
    searcher, _ = searched
    tree = searcher.tree
    target = int(share * tree.meta[0]["top"])
    fewest = fewest_visits(view(tree), np.zeros(t.BUCKETS, np.int64), target)
    compact(view(tree), t.ROOT, fewest)
    assert 1 < tree.meta[0]["top"] <= target


def grown(threads, megabytes=2.5, rounds=900):
    """A chain of moves that threads lengthen in turns, with a second child here and there."""
    arena = t.allocate(megabytes, threads=threads)
    views = [view(t.of_thread(arena, n)) for n in range(threads)]
    last = t.ROOT
    for n in range(rounds):
        node = arena.nodes[last]
        node["status"], node["count"], node["visits"] = t.EXPANDED, 2, 2 * rounds - n
        child = append_shared(views[n * n % threads], last, n)
        if n % 3 == 0:
            arena.nodes[append_shared(views[n % threads], last, n + rounds)]["visits"] = 1
        arena.nodes[child]["visits"] = 1
        last = child
    parents = np.flatnonzero(arena.nodes["first"])
    assert (arena.nodes["first"][parents] < parents).any()  # a child may lie before its parent
    return arena


def line(arena):
    """The moves and visits of all nodes, from the root down."""
    index, found = t.ROOT, []
    while len(below := children(arena, index)):
        found.append([arena.nodes[child][["move", "visits"]].tolist() for child in below])
        index = int(below[0])
    return found


def in_tree(arena):
    """Records that the nodes of a tree need."""
    return 1 + sum(len(each) for each in line(arena))


@pytest.mark.parametrize("threads", [2, 8])
def test_threads_take_records_in_chunks(threads):
    arena = grown(threads)
    unused = int((arena.chunks["end"] - arena.chunks["next"]).sum())
    assert arena.meta[0]["top"] == in_tree(arena) + unused
    assert t.used_bytes(arena) == in_tree(arena) * arena.nodes.itemsize
    assert 0 < unused <= threads * t.CHUNK
    for chunk in arena.chunks:
        assert (arena.nodes[int(chunk["next"]) : int(chunk["end"])] == arena.blank[0]).all()


@pytest.mark.parametrize("threads", [2, 8])
@pytest.mark.parametrize("fewest", [0, 1000, 10**6])
def test_compaction_needs_no_order_of_records(threads, fewest):
    arena = grown(threads)
    before = line(arena)
    expanded = arena.nodes["visits"][arena.nodes["status"] == t.EXPANDED]
    compact(view(arena), t.ROOT, fewest)
    assert line(arena) == before[: max(1, np.count_nonzero(expanded >= fewest))]
    assert arena.meta[0]["top"] == in_tree(arena)
    assert t.used_bytes(arena) == in_tree(arena) * arena.nodes.itemsize


@pytest.mark.parametrize("depth", [1, 63, 64, 200, 899])
def test_a_root_may_lie_behind_its_children(depth):
    arena = grown(3)
    before = line(arena)
    index = t.ROOT
    for _ in range(depth):
        index = int(children(arena, index)[0])
    compact(view(arena), index, 0)
    assert line(arena) == before[depth:]
    assert arena.meta[0]["top"] == in_tree(arena)


def test_large_blocks_leave_a_chunk_as_it_is():
    arena = t.allocate(2.5, threads=2)
    tree = view(t.of_thread(arena, 1))
    arena.nodes[t.ROOT]["count"] = 100
    one = append_shared(tree, t.ROOT, 0)
    first = append_all_shared(tree, one, t.CHUNK)
    assert append_shared(tree, t.ROOT, 1) == one + 1
    assert first == 1 + t.CHUNK
    assert arena.meta[0]["top"] == 1 + 2 * t.CHUNK


@pytest.mark.parametrize("megabytes", [0.02, 0.1, 2.5])
def test_threads_fill_a_tree_up(megabytes):
    """The last records are taken one by one; what is left is in other threads' chunks."""
    arena = t.allocate(megabytes, threads=2)
    views = [view(t.of_thread(arena, n)) for n in range(2)]
    parent = t.ROOT
    asked = 0
    while not arena.meta[0]["full"]:
        arena.nodes[parent]["count"] = 1
        parent = append_shared(views[asked % 7 == 0], parent, 0) or parent
        asked += 1
    assert arena.meta[0]["top"] == len(arena.nodes)
    assert len(arena.nodes) - asked < max(1, len(arena.nodes) // t.LARGEST_PART)


@given(st.integers(0, 2**31 - 1))
def test_classes_of_visits_are_ordered(visits):
    bucket = t._bucket(visits)
    assert bucket < t.BUCKETS
    assert t._least(bucket) <= visits < t._least(bucket + 1)
