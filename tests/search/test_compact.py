"""Compaction: what is closed, what is kept, and where everything is found afterwards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.compile import specialise
from tesuji.compile.plain import view
from tesuji.games import load
from tesuji.position import Position
from tesuji.search import compact as compaction
from tesuji.search import tree as t
from tesuji.search.access import PLAIN
from tesuji.search.decide import children
from tesuji.search.limit import Limit
from tesuji.searcher import Searcher

SLOTS = {"access": PLAIN, "ALL_CHILDREN": False, "TRANSPOSE": False}
compact, fewest_visits = (
    specialise(kernel, SLOTS, label=kernel.__name__, jit=False)
    for kernel in (compaction.compact, compaction.fewest_visits)
)


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
    fewest = fewest_visits(view(tree), np.zeros(compaction.BUCKETS, np.int64), target)
    compact(view(tree), t.ROOT, fewest)
    assert 1 < tree.meta[0]["top"] <= target


@given(st.integers(0, 2**31 - 1))
def test_classes_of_visits_are_ordered(visits):
    bucket = compaction._bucket(visits)
    assert bucket < compaction.BUCKETS
    assert compaction._least(bucket) <= visits < compaction._least(bucket + 1)
