"""Bandit problems: arms with their chances, and how often they may be pulled.

`PROBLEMS` are the seven of Audibert, Bubeck and Munos (2010).  Their best arm pays with
probability 0.5 and is the first; no policy looks at the order.
"""

import math
from dataclasses import dataclass

from tesuji.errors import ConfigError, choices

MOST_ARMS = 1000
MOST_PULLS = 10**9


@dataclass(frozen=True)
class Problem:
    """A Bernoulli bandit: arm i pays 1 with probability ``arms[i]``, else 0."""

    name: str
    arms: tuple[float, ...]
    pulls: int  #: in all, those that try each arm first included

    def __post_init__(self) -> None:
        if not 1 <= len(self.arms) <= MOST_ARMS:
            raise ConfigError(f"there are {len(self.arms)} arms, there must be 1 to {MOST_ARMS:,}")
        for chance in self.arms:
            if not 0 <= chance <= 1:  # not a number fails, too
                raise ConfigError(f"the chance of an arm is {chance}, it must be 0 to 1")
        if not 1 <= self.pulls <= MOST_PULLS:
            raise ConfigError(f"pulls is {self.pulls}, it must be 1 to {MOST_PULLS:,}")

    @property
    def gaps(self) -> tuple[float, ...]:
        """How much less than the best each arm pays on average."""
        best = max(self.arms)
        return tuple(best - chance for chance in self.arms)


def _groups(*groups: tuple[int, float]) -> tuple[float, ...]:
    """The best arm, then groups of equal ones: how many, and their chance."""
    return (0.5, *(chance for count, chance in groups for _ in range(count)))


PROBLEMS = {
    problem.name: problem
    for problem in (
        Problem("one-group", _groups((19, 0.4)), 2000),
        Problem("two-groups", _groups((5, 0.42), (14, 0.38)), 2000),
        Problem("geometric", (0.5, *(0.5 - 0.37**i for i in (2, 3, 4))), 2000),
        Problem("six-arms", _groups((1, 0.42), (2, 0.4), (2, 0.35)), 600),
        Problem("arithmetic", (0.5, *(0.5 - 0.025 * i for i in range(2, 16))), 4000),
        Problem("two-good", _groups((1, 0.48), (18, 0.37)), 6000),
        Problem("three-groups", _groups((5, 0.45), (14, 0.43), (10, 0.38)), 6000),
    )
}


def find(name: str) -> Problem:
    """A problem by its name, or by its number in the paper.

    >>> find("5") is find("arithmetic")
    True
    """
    if name in PROBLEMS:
        return PROBLEMS[name]
    if name.isdecimal() and 1 <= int(name) <= len(PROBLEMS):
        return list(PROBLEMS.values())[int(name) - 1]
    raise ConfigError(
        f"there is no problem {name!r}; {choices(name, PROBLEMS)}, or 1 to {len(PROBLEMS)}"
    )


def read_arms(text: str) -> tuple[float, ...]:
    """Chances that a user lists.

    >>> read_arms("0.5, 0.4")
    (0.5, 0.4)
    """
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ConfigError(
            f"the arms are {text!r}; write their chances with commas, such as 0.5,0.4,0.4"
        ) from None


def checkpoints(problem: Problem, a_decade: int = 8) -> tuple[int, ...]:
    """Numbers of pulls, evenly spaced on a logarithmic axis.

    They begin where each arm can have been pulled once, for before that a policy knows nothing.

    >>> checkpoints(PROBLEMS["six-arms"], a_decade=2)
    (6, 19, 60, 190, 600)
    """
    first = min(len(problem.arms), problem.pulls)
    steps = max(1, math.ceil(a_decade * math.log10(problem.pulls / first)))
    ratio = (problem.pulls / first) ** (1 / steps)
    return tuple(sorted({round(first * ratio**step) for step in range(steps + 1)}))
