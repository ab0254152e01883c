"""First step: choose the child to follow.

The walk over the children is here.  What makes a child worth following is put together from parts
that are bound before compilation: a blend of what is known about its value (`parts.rave`, prior
visits), a rule (`parts.rules`) and a bias (`parts.knowledge`).  Parts that are off leave no code
behind.

Start with `follow`.  The root may have a rule of its own, so the kernels that ask the rule are made
twice, by `scoring` and `walking`.
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.game import WIDEST
from tesuji.search.parts.criticality import with_criticality
from tesuji.search.parts.rave import amaf_of
from tesuji.search.parts.rules import Kernel, standard_error
from tesuji.search.parts.solver import hopeless
from tesuji.search.threads import own_visits, tried_of
from tesuji.search.tree import FORBIDDEN, NONE, ROOT, SCALE, mean_of, next_child, passes

blend = Slot("blend")
bias = Slot("bias")
width = Slot("width")
ALL = Slot("ALL")
VARIANCE = Slot("VARIANCE")
RAVE = Slot("RAVE")
KNOWLEDGE = Slot("KNOWLEDGE")
PRIOR = Slot("PRIOR")
BIAS = Slot("BIAS")
CRITICAL = Slot("CRITICAL")
WIDEN = Slot("WIDEN")
SOLVER = Slot("SOLVER")
STAGES = Slot("STAGES")  # has the root a rule of its own?


@inlined
def variance_of(child: Any, mean: float) -> float:
    """Kernel: the variance of a visited child's rewards; 0 when squares are not summed."""
    if VARIANCE:
        return child.squares * (1.0 / SCALE) * (1.0 / child.visits) - mean * mean
    return 0.0


@inlined
def prior_of(child: Any) -> float:
    """Kernel: what the game's knowledge says of the move; 0 without any."""
    if KNOWLEDGE:
        return np.float64(child.prior)
    return 0.0


@inlined
def open_to(tree: Any, index: int, child: Any, node: Any) -> bool:
    """Kernel: may this child be followed?"""
    if ALL:
        if child.status == FORBIDDEN:
            return False
    else:
        if child.visits <= 0:  # the move is forbidden
            return False
    if SOLVER:
        return not hopeless(tree, index, node)
    return True


@inlined
def first_play(params: Any) -> float:
    """Kernel: the value of a move that was never tried; without a setting, the highest."""
    return params.fpu if params.fpu > 0.0 else UNTRIED


UNTRIED = 1e9  # rather than infinity, which times a weight of 0 is no number


def any_child(tree: Any, parent: int) -> int:
    """Kernel: the most visited child that may be followed, or `NONE`."""
    node = tree.nodes[np.uint64(parent)]
    chosen = NONE
    most = -1
    index = NONE
    for n in range(tried_of(node)):
        index = next_child(tree, node, index, n)
        child = tree.nodes[np.uint64(index)]
        if child.status != FORBIDDEN and child.visits > most:
            most = np.int64(child.visits)
            chosen = index
    return chosen


def leader(tree: Any, parent: int) -> Any:
    """Kernel: the highest mean of a child, the second highest, and the standard error of the first.

    A mean is -1 where there is no such child.
    """
    node = tree.nodes[np.uint64(parent)]
    best = -1.0
    second = -1.0
    error = 1.0
    index = NONE
    for n in range(tried_of(node)):
        index = next_child(tree, node, index, n)
        child = tree.nodes[np.uint64(index)]
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
    """The kernel `score_of` of a rule, which may be able to score every child that it meets."""

    @inlined
    def score_of(child: Any, player: int, shared: Any, work: Any, params: Any, rng: Any) -> float:
        """Kernel: how much a child is worth following."""
        visits = np.float64(child.visits)
        prior = prior_of(child)
        mean = mean_of(child) if child.visits > 0 else first_play(params)
        variance = variance_of(child, mean) if child.visits > 0 else 0.0
        if PRIOR:
            own = mean * visits if child.visits > 0 else 0.0
            visits += params.prior_visits
            mean = (own + params.prior_visits * prior) / visits
        counted = visits
        if RAVE:
            amaf, amaf_visits = amaf_of(child, player, work)
            if CRITICAL:
                move = np.int64(child.move)
                amaf, amaf_visits = with_criticality(amaf, amaf_visits, move, work, params)
            mean = blend.value(mean, visits, amaf, amaf_visits, prior, params)
            counted = max(visits, 1.0)  # something is known of a child without visits, too
        score = mean
        if every:
            score = rule.score(mean, counted, variance, prior, shared, params, rng)
        else:
            if child.visits > 0:
                score = rule.score(mean, counted, variance, prior, shared, params, rng)
        if BIAS:
            score += bias.term(prior, visits, params)
        return score

    return score_of


def walking(rule: Slot, leads: Slot, score_of: Kernel) -> Kernel:
    """The kernel `best_child` of a rule, which may want to know the leader."""

    @inlined
    def best_child(tree: Any, parent: int, work: Any, params: Any, rng: Any) -> int:
        """Kernel: the child with the highest score; the earliest on a tie; `NONE` without any."""
        node = tree.nodes[np.uint64(parent)]
        first, second, error = 0.0, 0.0, 1.0
        if leads:
            first, second, error = leader(tree, parent)
        count = tried_of(node)
        visits = own_visits(passes(node), params)
        shared = rule.shared(visits, count, first, second, error, params, rng)
        best = -math.inf
        chosen = NONE
        left = WIDEST
        if WIDEN:
            left = width.open(visits, params)
        index = NONE
        for n in range(count):
            index = next_child(tree, node, index, n)
            child = tree.nodes[np.uint64(index)]
            if open_to(tree, index, child, node):
                if WIDEN:
                    if left == 0:
                        break
                    left -= 1
                score = score_of(child, np.int64(node.mover), shared, work, params, rng)
                if score > best:
                    best = score
                    chosen = index
        if SOLVER:
            if chosen == NONE:  # every move is sure to be no better: any of them will do
                return any_child(tree, parent)
        return chosen

    return best_child


score_of = scoring(Slot("rule"), Slot("EVERY"))
best_child = walking(Slot("rule"), Slot("LEADER"), score_of)
score_at_root = scoring(Slot("root_rule"), Slot("ROOT_EVERY"))
best_at_root = walking(Slot("root_rule"), Slot("ROOT_LEADER"), score_at_root)


@inlined
def follow(tree: Any, parent: int, work: Any, params: Any, rng: Any) -> int:
    """Kernel: the child that the rule of this node prefers, or `NONE` without any."""
    if STAGES:
        if parent == ROOT:
            return best_at_root(tree, parent, work, params, rng)
    return best_child(tree, parent, work, params, rng)
