"""First step: choose the child to follow.

The rule is UCT (Kocsis and Szepesvári 2006): the child with the highest upper confidence bound
``v + c * sqrt(ln(n_parent) / n)``, where ``v`` is its mean reward for the player who chooses.
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import inlined
from tesuji.search.tree import NONE, SCALE, next_child


@inlined
def exploration(parent_visits: int, c: float) -> float:
    """Kernel: the part of the bound that all children share, ``c * sqrt(ln n_parent)``."""
    return c * math.sqrt(math.log(max(parent_visits, 1)))


@inlined
def upper_bound(value: int, visits: int, explore: float) -> float:
    """Kernel: the UCT bound of a visited child; ``value`` is its summed reward."""
    inverse = 1.0 / visits
    return value * (1.0 / SCALE) * inverse + explore * math.sqrt(inverse)


@inlined
def best_child(tree: Any, parent: int, c: float) -> int:
    """Kernel: the tried child with the highest bound; the earliest on a tie; `NONE` without any."""
    node = tree.nodes[np.uint64(parent)]
    explore = exploration(node.visits, c)
    best = -1.0
    chosen = NONE
    index = np.int64(node.first)
    for n in range(np.int64(node.tried)):
        if n > 0:
            index = next_child(tree, index, n)
        child = tree.nodes[np.uint64(index)]
        if child.visits > 0:  # forbidden moves have none
            bound = upper_bound(child.value, child.visits, explore)
            if bound > best:
                best = bound
                chosen = index
    return chosen
