"""Root parallelization: what several trees found out, in one.

Each thread has searched for itself (Chaslot 2010, section 7.2.2).  `merge` adds the statistics of a
tree to those of another, move by move from the root on, where the nodes have enough visits to
matter.  The sum is read like any other tree: the final move, the main line, an export.  Bounds of
the solver are certain in every tree, so the tightest count.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot
from tesuji.search.threads import tried_of
from tesuji.search.tree import (
    EXPANDED,
    NONE,
    OPEN,
    ROOT,
    SHARED,
    Tree,
    append,
    find_child,
    home,
    next_child,
)

SOLVER = Slot("SOLVER")
VARIANCE = Slot("VARIANCE")
KNOWLEDGE = Slot("KNOWLEDGE")
SUPERKO = Slot("SUPERKO")

CAPACITY = 1 << 14  # records of a sum
PART = 1 / 2000  # of all visits: what a node needs so that its children are added


def merge(into: Any, tree: Any, pairs: Any, fewest: int) -> None:
    """Kernel: add a tree to a sum.

    ``pairs`` is scratch: nodes of the sum and of the tree that stand for the same moves.
    """
    pairs[0, 0] = ROOT
    pairs[0, 1] = ROOT
    count = 1
    i = 0
    join(into.nodes[ROOT], tree.nodes[ROOT])
    while i < count:
        parent = int(pairs[i, 0])
        node = tree.nodes[np.uint64(home(tree, np.int64(pairs[i, 1])))]
        i += 1
        into.nodes[np.uint64(parent)].mover = node.mover
        into.nodes[np.uint64(parent)].count = max(
            np.int64(into.nodes[np.uint64(parent)].count), np.int64(node.count)
        )
        child = NONE
        for n in range(tried_of(node)):
            child = next_child(tree, node, child, n)
            record = tree.nodes[np.uint64(child)]
            place = find_child(into, parent, record.move)
            if place == NONE:
                place = append(into, parent, record.move)
                if place == NONE:  # the sum is full
                    continue
                copy_facts(into.nodes[np.uint64(place)], record)
            join(into.nodes[np.uint64(place)], record)
            into.nodes[np.uint64(parent)].status = EXPANDED
            if record.visits >= fewest and count < len(pairs):
                pairs[count, 0] = place
                pairs[count, 1] = child
                count += 1


def copy_facts(record: Any, source: Any) -> None:
    """Kernel: what a node is, apart from its counts and children."""
    record.status = OPEN if source.status in (EXPANDED, SHARED) else source.status
    record.mover = source.mover
    if KNOWLEDGE:
        record.prior = source.prior
    if SUPERKO:
        record.key = source.key


def join(record: Any, source: Any) -> None:
    """Kernel: add the counts of one node to another."""
    record.visits += source.visits
    record.value += source.value
    if VARIANCE:
        record.squares += source.squares
    if SOLVER:
        record.lower = max(record.lower, source.lower)
        record.upper = min(record.upper, source.upper)


def scratch() -> Any:
    """Room for the pairs of `merge`."""
    return np.zeros((CAPACITY // 8, 2), np.int64)


def fewest_to_add(trees: list[Tree]) -> int:
    """The visits from which on a node's children are added."""
    total = sum(int(tree.nodes[ROOT]["visits"]) for tree in trees)
    return max(1, int(total * PART / len(trees)))
