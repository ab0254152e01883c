"""Policies: which arm to pull next, and which to name in the end.

There are two kinds.  A policy with a *rule* asks one of the search's selection rules before each
pull, and names the arm with the best mean; it may be stopped at any time.  A policy with *rounds*
plans all pulls beforehand: each round pulls the arms that are left equally often and keeps the
best; it names the survivor, and another number of pulls is another plan.

Start at `POLICIES`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from tesuji.errors import ConfigError, choices
from tesuji.lab.bandit.problem import Problem

Rounds = list[tuple[int, int]]  # arms that are left, and how often each of them is pulled
Plan = Callable[[int, int], Rounds]  # from the number of arms and of pulls


def uniform(arms: int, pulls: int) -> Rounds:
    """Each arm equally often; what is left over goes to random arms, once each.

    The order of arms is random, so the odd pulls come first, on those in front.

    >>> uniform(5, 202)
    [(2, 1), (5, 40)]
    """
    return [(pulls % arms, 1), (arms, pulls // arms)]


def successive_rejects(arms: int, pulls: int) -> Rounds:
    """K - 1 rounds that drop one arm each (Audibert, Bubeck and Munos 2010).

    >>> successive_rejects(5, 200)
    [(5, 22), (4, 6), (3, 9), (2, 18)]
    """
    if pulls < arms:
        raise ConfigError(
            f"pulls is {pulls}, for successive-rejects it must be {arms} or more, one for each arm"
        )
    weight = sum((Fraction(1, i) for i in range(2, arms + 1)), Fraction(1, 2))
    rounds, before = [], 0
    for left in range(arms, 1, -1):
        until = math.ceil((pulls - arms) / (weight * left))
        rounds.append((left, until - before))
        before = until
    return rounds


def sequential_halving(arms: int, pulls: int) -> Rounds:
    """Rounds that drop half of the arms, each with the same share (Karnin, Koren and Somekh 2013).

    What does not divide evenly is not spent.  With few pulls each arm gets one a round, until none
    are left.

    >>> sequential_halving(5, 200)
    [(5, 13), (3, 22), (2, 33)]
    """
    count = (arms - 1).bit_length()  # the logarithm to base 2, rounded up
    rounds, left = [], arms
    while left > 1:
        rounds.append((left, max(1, pulls // (left * count))))
        left = (left + 1) // 2
    return rounds


@dataclass(frozen=True)
class Policy:
    """A policy with its settings."""

    name: str
    paper: str
    rule: str = ""  #: the selection rule of the search that it follows, or
    plan: Plan | None = None  #: its rounds
    c: float = 0.0  #: the constant of its formula
    epsilon: float = 0.0  #: how often it pulls a random arm
    tunable: str = ""  #: which of the two a user may choose

    def rounds(self, problem: Problem) -> Rounds:
        """What it plans for a problem; nothing if it follows a rule."""
        return [] if self.plan is None else self.plan(len(problem.arms), problem.pulls)

    def tuned(self, c: float | None = None, epsilon: float | None = None) -> "Policy":
        """The same with settings of the user's, as far as they are tunable."""
        if c is not None and not 0 <= c < math.inf:
            raise ConfigError(f"c is {c}, it must be 0 or more")
        if epsilon is not None and not 0 <= epsilon <= 1:
            raise ConfigError(f"epsilon is {epsilon}, it must be 0 to 1")
        if self.tunable == "c" and c is not None:
            return replace(self, c=c)
        if self.tunable == "epsilon" and epsilon is not None:
            return replace(self, epsilon=epsilon)
        return self


UCB1_C = math.sqrt(2.0)

POLICIES = {
    policy.name: policy
    for policy in (
        Policy("uniform", "", plan=uniform),
        Policy("ucb1", "Auer, Cesa-Bianchi and Fischer 2002", "uct", c=UCB1_C),
        Policy("ucb", "Kocsis and Szepesvári 2006", "uct", c=0.5, tunable="c"),
        Policy(
            "ucb1-tuned", "Auer, Cesa-Bianchi and Fischer 2002", "ucb1-tuned", c=1.0, tunable="c"
        ),
        Policy("ucb-sqrt", "Tolpin and Shimony 2012", "ucb-sqrt", c=UCB1_C, tunable="c"),
        Policy("moss", "Audibert and Bubeck 2009", "moss", c=1.0, tunable="c"),
        Policy("thompson", "Thompson 1933", "thompson"),
        Policy("epsilon-greedy", "Sutton and Barto 1998", "greedy", epsilon=0.1, tunable="epsilon"),
        Policy("half-greedy", "Tolpin and Shimony 2012", "greedy", epsilon=0.5),
        Policy("voi", "Tolpin and Shimony 2012", "voi"),
        Policy("successive-rejects", "Audibert, Bubeck and Munos 2010", plan=successive_rejects),
        Policy("sequential-halving", "Karnin, Koren and Somekh 2013", plan=sequential_halving),
    )
}


def find(name: str) -> Policy:
    """A policy by its name."""
    if name not in POLICIES:
        raise ConfigError(f"there is no policy {name!r}; {choices(name, POLICIES)}")
    return POLICIES[name]
