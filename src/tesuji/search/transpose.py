"""The table of positions: finds the canonical node of a position by its hash.

A position that can be reached by several orders of moves is expanded once.  Its canonical node has
the children; other nodes of the position lead there (`tesuji.search.tree.resolve`).  What that
means for visits and values: docs/essays/transpositions.md.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.search.tree import EXPANDED, NONE, node_of

access = Slot("access")

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
        if index == NONE or node_of(tree, index).hash == key:
            return index
    return NONE


@inlined
def note_position(tree: Any, index: int, key: Any) -> None:
    """Kernel: let `find_position` find a node; the root is canonical for nobody."""
    for probe in range(PROBES):
        if access.take_place(tree.table[place_of(tree, key, probe)], index):
            return


def index_nodes(tree: Any) -> None:
    """Kernel: fill the table anew after nodes have moved."""
    tree.table["node"][:] = NONE
    for i in range(1, tree.meta[0].top):
        node = node_of(tree, i)
        if node.status == EXPANDED:
            note_position(tree, i, node.hash)
