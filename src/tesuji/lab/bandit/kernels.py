"""The kernels of the bandit lab: many runs of one policy on one problem.

`follow_rule` is for policies with a selection rule; it asks the very kernels that the tree search
asks, once compiled for each rule.  `follow_rounds` is for those that plan ahead.  Both fill a row
of regrets for each run.

A run has two streams of random numbers: one for pulls and choices, one for naming an arm in
between.  So a run that is looked at more often is still the same run.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import Slot, below, inlined, unit
from tesuji.search.select import standard_error

rule = Slot("rule")
LEADER = Slot("LEADER")

#: the settings that rules read
Params = np.dtype([("c", np.float64), ("epsilon", np.float64)])


class Bandit(NamedTuple):
    """The arms, and what one run has seen of them."""

    chances: Any
    gaps: Any  #: how much less than the best arm each pays
    visits: Any
    wins: Any
    means: Any
    order: Any  #: all arms, in some order


def make_bandit(chances: Any, gaps: Any) -> Bandit:
    """A bandit nobody has pulled yet."""
    count = len(chances)
    return Bandit(
        chances=np.array(chances, np.float64),
        gaps=np.array(gaps, np.float64),
        visits=np.zeros(count),
        wins=np.zeros(count),
        means=np.zeros(count),
        order=np.arange(count),
    )


def follow_rule(
    bandit: Bandit, params: Any, checkpoints: Any, streams: Any, simple: Any, cumulative: Any
) -> None:
    """Kernel: a run for each pair of ``streams``; regrets after so many pulls as checkpoints say.

    Each arm is pulled once before the rule is asked, in random order.
    """
    for run in range(len(streams)):
        rng = streams[run, 0]
        forget(bandit, rng)
        done = 0
        for point in range(len(checkpoints)):
            while done < checkpoints[point]:
                if done < len(bandit.order):
                    pull(bandit, bandit.order[done], rng)
                else:
                    pull(bandit, choose(bandit, done, params[0], rng), rng)
                done += 1
            simple[run, point] = bandit.gaps[best_mean(bandit, streams[run, 1])]
            cumulative[run, point] = regret(bandit)


def follow_rounds(
    bandit: Bandit, rounds: Any, pulls: int, streams: Any, simple: Any, cumulative: Any
) -> None:
    """Kernel: a run for each pair of ``streams``, with at most so many pulls."""
    for run in range(len(streams)):
        rng = streams[run, 0]
        forget(bandit, rng)
        left = pulls
        for number in range(len(rounds)):
            left = sweep(bandit, rounds[number, 0], rounds[number, 1], left, rng)
            kept = rounds[number + 1, 0] if number + 1 < len(rounds) else 1
            keep_best(bandit, rounds[number, 0], kept, rng)
        simple[run, 0] = bandit.gaps[bandit.order[0]]
        cumulative[run, 0] = regret(bandit)


@inlined
def pull(bandit: Bandit, arm: int, rng: Any) -> None:
    """Kernel: see whether the arm pays."""
    if unit(rng) < bandit.chances[arm]:
        bandit.wins[arm] += 1.0
    bandit.visits[arm] += 1.0
    bandit.means[arm] = bandit.wins[arm] / bandit.visits[arm]


@inlined
def choose(bandit: Bandit, done: int, params: Any, rng: Any) -> int:
    """Kernel: the arm with the highest score of the rule; a random one of equals."""
    best = 0.0
    second = 0.0
    error = 1.0
    if LEADER:
        best, second, error = leaders(bandit)
    count = len(bandit.means)
    shared = rule.shared(done, count, best, second, error, params, rng)
    highest = -math.inf
    chosen = 0
    equals = 0
    for arm in range(count):
        mean = bandit.means[arm]
        variance = mean * (1.0 - mean)  # of rewards that are 0 or 1
        score = rule.score(mean, bandit.visits[arm], variance, 0.0, shared, params, rng)
        if score > highest:
            highest = score
            chosen = arm
            equals = 1
        elif score == highest:
            equals += 1
            if below(rng, equals) == 0:
                chosen = arm
    return chosen


def leaders(bandit: Bandit) -> Any:
    """Kernel: the two highest means, and the standard error of the highest."""
    best = -1.0
    second = -1.0
    arm_of_best = 0
    for arm in range(len(bandit.means)):
        mean = bandit.means[arm]
        if mean > best:
            second = best
            best = mean
            arm_of_best = arm
        elif mean > second:
            second = mean
    return best, second, standard_error(best * (1.0 - best), bandit.visits[arm_of_best])


def best_mean(bandit: Bandit, rng: Any) -> int:
    """Kernel: the arm with the highest mean of those that were pulled; a random one of equals."""
    highest = -1.0
    chosen = 0
    equals = 0
    for arm in range(len(bandit.means)):
        if bandit.visits[arm] > 0.0:
            if bandit.means[arm] > highest:
                highest = bandit.means[arm]
                chosen = arm
                equals = 1
            elif bandit.means[arm] == highest:
                equals += 1
                if below(rng, equals) == 0:
                    chosen = arm
    return chosen


def sweep(bandit: Bandit, count: int, times: int, left: int, rng: Any) -> int:
    """Kernel: pull the first ``count`` arms so many times while pulls are left; how many are."""
    for _ in range(times):
        for place in range(count):
            if left == 0:
                return 0
            pull(bandit, bandit.order[place], rng)
            left -= 1
    return left


def keep_best(bandit: Bandit, count: int, kept: int, rng: Any) -> None:
    """Kernel: of the first ``count`` arms, bring the best ``kept`` to the front.

    The worst go to the end one by one; equals at random.
    """
    order = bandit.order
    for last in range(count - 1, kept - 1, -1):
        worst = last
        equals = 1
        for place in range(last):
            if known(bandit, order[place]) < known(bandit, order[worst]):
                worst = place
                equals = 1
            elif known(bandit, order[place]) == known(bandit, order[worst]):
                equals += 1
                if below(rng, equals) == 0:
                    worst = place
        swap(order, worst, last)


@inlined
def known(bandit: Bandit, arm: int) -> float:
    """Kernel: the mean of an arm; less than any if it was never pulled."""
    return bandit.means[arm] if bandit.visits[arm] > 0.0 else -1.0


def shuffle(order: Any, rng: Any) -> None:
    """Kernel: bring all entries into random order (Durstenfeld 1964)."""
    for place in range(len(order) - 1, 0, -1):
        swap(order, place, below(rng, place + 1))


@inlined
def swap(order: Any, a: int, b: int) -> None:
    """Kernel: exchange two entries."""
    arm = order[a]
    order[a] = order[b]
    order[b] = arm


def regret(bandit: Bandit) -> float:
    """Kernel: what all pulls together have cost."""
    total = 0.0
    for arm in range(len(bandit.gaps)):
        total += bandit.visits[arm] * bandit.gaps[arm]
    return total


def forget(bandit: Bandit, rng: Any) -> None:
    """Kernel: begin a new run."""
    for arm in range(len(bandit.order)):
        bandit.visits[arm] = 0.0
        bandit.wins[arm] = 0.0
        bandit.means[arm] = 0.0
        bandit.order[arm] = arm
    shuffle(bandit.order, rng)
