"""First step: choose the child to follow.

The walk over the children is here.  What makes a child worth following comes from the parts: what
is known of its value (prior visits, RAVE), a rule (`parts.rules`) and a bias.  Parts that are off
leave no code behind.

Start with `preferred_child`.  The root may have a rule of its own, so the kernels that ask the rule
are made twice, by `scoring` and `walking`.
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.game import WIDEST
from tesuji.search.part import Kernel
from tesuji.search.tree import (
    FORBIDDEN,
    NONE,
    ROOT,
    SCALE,
    mean_of,
    next_child,
    node_of,
    selections_of,
)

access = Slot("access")
hooks = Slot("hooks")
ALL_CHILDREN = Slot("ALL_CHILDREN")
BIAS = Slot("BIAS")
KNOWLEDGE = Slot("KNOWLEDGE")
STAGES = Slot("STAGES")  # has the root a rule of its own?
VARIANCE = Slot("VARIANCE")
WIDTH = Slot("WIDTH")

UNTRIED = 1e9  # rather than infinity, which times a weight of 0 is no number


@inlined
def variance_of(child: Any, mean: float) -> float:
    """Kernel: the variance of a visited child's rewards; 0 when squares are not summed."""
    if VARIANCE:
        return child.squares * (1.0 / SCALE) * (1.0 / child.visits) - mean * mean
    return 0.0


@inlined
def standard_error(variance: float, visits: int) -> float:
    """Kernel: of a mean; at least 1/n, or a child that always gave the same would be sure."""
    inverse = 1.0 / visits
    return max(math.sqrt(max(variance, 0.0) * inverse), inverse)


@inlined
def prior_of(child: Any) -> float:
    """Kernel: what the game's knowledge says of the move; 0 without any."""
    if KNOWLEDGE:
        return np.float64(child.prior)
    return 0.0


@inlined
def may_follow(tree: Any, ref: int, child: Any, node: Any) -> bool:
    """Kernel: may this child be followed?"""
    if ALL_CHILDREN:
        if child.status == FORBIDDEN:
            return False
    else:
        if child.visits <= 0:  # the move is forbidden
            return False
    return not hooks.hopeless(tree, ref, node)


@inlined
def first_play(params: Any) -> float:
    """Kernel: the value of a move that was never tried; without a setting, the highest."""
    return params.fpu if params.fpu > 0.0 else UNTRIED


def any_child(tree: Any, parent: int) -> int:
    """Kernel: the most visited child that may be followed, or `NONE`."""
    node = node_of(tree, parent)
    chosen = NONE
    most = -1
    ref = NONE
    for n in range(access.tried_of(node)):
        ref = next_child(tree, node, ref, n)
        child = node_of(tree, ref)
        if child.status != FORBIDDEN and child.visits > most:
            most = np.int64(child.visits)
            chosen = ref
    return chosen


def leader(tree: Any, parent: int) -> Any:
    """Kernel: the highest mean of a child, the second highest, and the standard error of the first.

    A mean is -1 where there is no such child.
    """
    node = node_of(tree, parent)
    best = -1.0
    second = -1.0
    error = 1.0
    ref = NONE
    for n in range(access.tried_of(node)):
        ref = next_child(tree, node, ref, n)
        child = node_of(tree, ref)
        if child.visits > 0:
            mean = mean_of(child)
            if mean > best:
                second = best
                best = mean
                error = standard_error(variance_of(child, mean), np.int64(child.visits))
            else:
                second = max(second, mean)
    return best, second, error


def scoring(rule: Slot, every: Slot) -> Kernel:
    """The kernel `score_of` of a rule, which may be able to score ``every`` child that it meets."""

    @inlined
    def score_of(
        child: Any, player: int, shared: Any, sim: Any, own: Any, params: Any, rng: Any
    ) -> float:
        """Kernel: how much a child is worth following."""
        prior = prior_of(child)
        mean = mean_of(child) if child.visits > 0 else first_play(params)
        variance = variance_of(child, mean) if child.visits > 0 else 0.0
        mean, visits = hooks.believed(mean, np.float64(child.visits), child, params)
        score, counted = hooks.blended(mean, visits, child, player, sim, own, params)
        if every:
            score = rule.score(score, counted, variance, prior, shared, params, rng)
        else:
            if child.visits > 0:
                score = rule.score(score, counted, variance, prior, shared, params, rng)
        score, counted = hooks.scored(score, counted, child, player, sim, own, params)
        if BIAS:
            score += hooks.bias(prior, visits, params)
        return score

    return score_of


def walking(rule: Slot, leads: Slot, score_of: Kernel) -> Kernel:
    """The kernel `best_child` of a rule, which may want to know who ``leads``."""

    @inlined
    def best_child(tree: Any, parent: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
        """Kernel: the child with the highest score; the earliest on a tie; `NONE` without any."""
        node = node_of(tree, parent)
        first, second, error = 0.0, 0.0, 1.0
        if leads:
            first, second, error = leader(tree, parent)
        count = access.tried_of(node)
        visits = access.own_visits(selections_of(node), params)
        shared = rule.shared(visits, count, first, second, error, params, rng)
        best = -math.inf
        chosen = NONE
        left = WIDEST
        if WIDTH:
            left = hooks.width(visits, params)
        ref = NONE
        for n in range(count):
            ref = next_child(tree, node, ref, n)
            child = node_of(tree, ref)
            if may_follow(tree, ref, child, node):
                if WIDTH:
                    if left == 0:
                        break
                    left -= 1
                player = np.int64(node.mover)
                score = score_of(child, player, shared, sim, own, params, rng)
                if score > best:
                    best = score
                    chosen = ref
        if chosen == NONE:
            return hooks.last_resort(tree, parent)
        return chosen

    return best_child


score_of = scoring(Slot("rule"), Slot("EVERY"))
best_child = walking(Slot("rule"), Slot("LEADER"), score_of)
score_at_root = scoring(Slot("root_rule"), Slot("ROOT_EVERY"))
best_at_root = walking(Slot("root_rule"), Slot("ROOT_LEADER"), score_at_root)


@inlined
def preferred_child(tree: Any, parent: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: the child that the rule of this node prefers, or `NONE` without any."""
    if STAGES:
        if parent == ROOT:
            return best_at_root(tree, parent, sim, own, params, rng)
    return best_child(tree, parent, sim, own, params, rng)
