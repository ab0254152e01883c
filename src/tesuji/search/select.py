"""First step: choose the child to follow.

The walk over the children is here; what makes a child worth following is a rule of `rules.py`,
bound before compilation.
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.search.rules import standard_error
from tesuji.search.tree import NONE, SCALE, next_child

rule = Slot("rule")
LEADER = Slot("LEADER")
VARIANCE = Slot("VARIANCE")


@inlined
def mean_of(child: Any) -> float:
    """Kernel: a visited child's mean reward for the player who chooses it."""
    return child.value * (1.0 / SCALE) * (1.0 / child.visits)


@inlined
def variance_of(child: Any, mean: float) -> float:
    """Kernel: the variance of a visited child's rewards; 0 when squares are not summed."""
    if VARIANCE:
        return child.squares * (1.0 / SCALE) * (1.0 / child.visits) - mean * mean
    return 0.0


@inlined
def best_child(tree: Any, parent: int, params: Any, rng: Any) -> int:
    """Kernel: the child that the rule scores highest; the earliest on a tie; `NONE` without any."""
    node = tree.nodes[np.uint64(parent)]
    leader_mean = 0.0
    leader_error = 1.0
    if LEADER:
        leader_mean, leader_error = leader(tree, parent)
    shared = rule.shared(
        np.int64(node.visits), np.int64(node.tried), leader_mean, leader_error, params, rng
    )
    best = -math.inf
    chosen = NONE
    index = np.int64(node.first)
    for n in range(np.int64(node.tried)):
        if n > 0:
            index = next_child(tree, index, n)
        child = tree.nodes[np.uint64(index)]
        if child.visits > 0:  # forbidden moves have none
            mean = mean_of(child)
            score = rule.score(
                mean, np.int64(child.visits), variance_of(child, mean), shared, params, rng
            )
            if score > best:
                best = score
                chosen = index
    return chosen


def leader(tree: Any, parent: int) -> Any:
    """Kernel: mean and standard error of the child with the highest mean."""
    node = tree.nodes[np.uint64(parent)]
    best = -1.0
    error = 1.0
    index = np.int64(node.first)
    for n in range(np.int64(node.tried)):
        if n > 0:
            index = next_child(tree, index, n)
        child = tree.nodes[np.uint64(index)]
        if child.visits > 0:
            mean = mean_of(child)
            if mean > best:
                best = mean
                error = standard_error(variance_of(child, mean), np.int64(child.visits))
    return best, error
