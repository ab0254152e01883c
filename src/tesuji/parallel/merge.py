"""Root parallelization: what several trees found out, in one.

Each thread has searched for itself (Chaslot 2010, section 7.2.2).  `merge` adds the statistics of a
tree to those of another, move by move from the root on, where the nodes have enough visits to
matter.  The sum is read like any other tree: the final move, the main line, an export.  Bounds of
the solver are certain in every tree, so the tightest count.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.search.part import Field, Kernel
from tesuji.search.tree import (
    EXPANDED,
    NONE,
    OPEN,
    ROOT,
    SHARED,
    Tree,
    append,
    find_child,
    next_child,
    node_of,
    resolve,
)

access = Slot("access")
fields = Slot("fields")  # what the fields of the parts in use add to `join` and `copy_facts`

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
    join(node_of(into, ROOT), node_of(tree, ROOT))
    while i < count:
        parent = int(pairs[i, 0])
        node = node_of(tree, resolve(tree, pairs[i, 1]))
        i += 1
        node_of(into, parent).mover = node.mover
        node_of(into, parent).count = max(
            np.int64(node_of(into, parent).count), np.int64(node.count)
        )
        child = NONE
        for n in range(access.tried_of(node)):
            child = next_child(tree, node, child, n)
            record = node_of(tree, child)
            place = find_child(into, parent, record.move)
            if place == NONE:
                place = append(into, parent, record.move)
                if place == NONE:  # the sum is full
                    continue
                copy_facts(node_of(into, place), record)
            join(node_of(into, place), record)
            node_of(into, parent).status = EXPANDED
            if record.visits >= fewest and count < len(pairs):
                pairs[count, 0] = place
                pairs[count, 1] = child
                count += 1


def copy_facts(record: Any, source: Any) -> None:
    """Kernel: what a node is, apart from its counts and children."""
    record.status = OPEN if source.status in (EXPANDED, SHARED) else source.status
    record.mover = source.mover
    fields.keep(record, source)


def join(record: Any, source: Any) -> None:
    """Kernel: add the counts of one node to another."""
    record.visits += source.visits
    record.value += source.value
    fields.join(record, source)


def joining(declared: Iterable[Field]) -> Kernel:
    """A kernel that joins the fields of parts, as they say: ``(record, source)``."""
    return _chain(field for field in declared if field.merge in _JOINS)


def keeping(declared: Iterable[Field]) -> Kernel:
    """A kernel that copies those fields of which the first tree decides."""
    return _chain(field for field in declared if field.merge == "keep")


def _chain(declared: Iterable[Field]) -> Kernel:
    made: Kernel = _nothing
    for field in reversed(list(declared)):
        made = _both(_JOINS.get(field.merge, _keep)(field.name), made)
    return made


@inlined
def _nothing(record: Any, source: Any) -> None:
    return None


def _both(first: Kernel, rest: Kernel) -> Kernel:
    @inlined
    def both(record: Any, source: Any) -> None:
        first(record, source)
        rest(record, source)

    return both


def _add(name: str) -> Kernel:
    @inlined
    def add(record: Any, source: Any) -> None:
        record[name] += source[name]

    return add


def _max(name: str) -> Kernel:
    @inlined
    def larger(record: Any, source: Any) -> None:
        record[name] = max(record[name], source[name])

    return larger


def _min(name: str) -> Kernel:
    @inlined
    def smaller(record: Any, source: Any) -> None:
        record[name] = min(record[name], source[name])

    return smaller


def _keep(name: str) -> Kernel:
    @inlined
    def keep(record: Any, source: Any) -> None:
        record[name] = source[name]

    return keep


_JOINS = {"add": _add, "max": _max, "min": _min}


def scratch() -> Any:
    """Room for the pairs of `merge`."""
    return np.zeros((CAPACITY // 8, 2), np.int64)


def fewest_to_add(trees: list[Tree]) -> int:
    """The visits from which on a node's children are added."""
    total = sum(int(tree.nodes[ROOT]["visits"]) for tree in trees)
    return max(1, int(total * PART / len(trees)))
