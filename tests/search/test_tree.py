"""The tree: the order of moves, blocks of children, references to nodes."""

import ast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tesuji.compile import specialise
from tesuji.compile.plain import view
from tesuji.search import tree as t
from tesuji.search.access import PLAIN
from tesuji.search.decide import children
from tesuji.search.parts import repetition, variance

SOURCE = ROOT / "src" / "tesuji"
SLOTS = {"access": PLAIN, "ALL_CHILDREN": False, "TRANSPOSE": False}
append, find_child = (
    specialise(kernel, SLOTS, label=kernel.__name__, jit=False)
    for kernel in (t.append, t.find_child)
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
    assert t.node_dtype(repetition.PART.node).itemsize == 40
    assert t.node_dtype(variance.PART.node).itemsize == 40


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


# --- references -----------------------------------------------------------------------------------

#: kernels that name records by their place, and why
BY_PLACE = {
    ("search/tree.py", "node_of"): "it is what turns a reference into a record",
    ("search/tree.py", "blank_records"): "assigns whole records that nobody refers to yet",
    ("search/compact.py", "_move"): "moves a whole record from one place to another",
}


def kernels(path):
    """The kernels of a file, those that are made by other functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            if (ast.get_docstring(node) or "").startswith("Kernel:"):
                yield node


def takes_places(kernel):
    """Does a kernel say ``tree.nodes[...]``, of whatever tree it has got?"""
    got = {argument.arg for argument in kernel.args.args}
    return any(
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "nodes"
        and getattr(node.value.value, "id", "") in got
        for node in ast.walk(kernel)
    )


def test_kernels_find_records_by_references():
    """Only `node_of` knows where records lie, so that a tree may lie somewhere else one day."""
    files = [path for folder in ("search", "parallel") for path in (SOURCE / folder).rglob("*.py")]
    found = [(str(path.relative_to(SOURCE)), kernel) for path in files for kernel in kernels(path)]
    assert len(found) > 200
    assert {(file, kernel.name) for file, kernel in found if takes_places(kernel)} == set(BY_PLACE)
