"""Runs of a policy on a problem, and what they show.  Start at `measure`.

Regret (Bubeck, Munos and Stoltz 2011) is what the best arm would have paid more:

* *simple*: the arm that is named in the end against the best one;
* *cumulative*: all pulls together against as many pulls of the best one.

Both are taken from the true chances, so luck of the rewards is not in them.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.compile import jit_enabled, seed_of, specialise
from tesuji.errors import ConfigError
from tesuji.lab.bandit.kernels import Params, follow_rounds, follow_rule, make_bandit
from tesuji.lab.bandit.policy import Policy
from tesuji.lab.bandit.problem import Problem
from tesuji.lab.stats import wilson
from tesuji.search.parts.rules import RULES

SIGMAS = 1.959964  # half of a 95 % interval of the normal distribution, in standard errors
SLICE = 1_000_000  # scores between two looks at signals and progress: 5 to 200 ms
MOST_RUNS = 1_000_000
DEFAULT_RUNS = 4000

Row = npt.NDArray[np.float64]
Kernel = Callable[..., Any]
Watch = Callable[[float], None]  # is told how much of the work is done, from 0 to 1


@dataclass(frozen=True)
class Estimate:
    """A mean over runs with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """How far the interval reaches, on its longer side."""
        return max(self.high - self.value, self.value - self.low)


@dataclass(frozen=True)
class Point:
    """What a policy has reached after so many pulls."""

    pulls: int
    error: Estimate  #: how often the arm it names is not a best one
    simple: Estimate
    cumulative: Estimate


@dataclass(frozen=True)
class Measured:
    """A policy on a problem."""

    problem: Problem
    policy: Policy
    runs: int
    seed: int
    points: tuple[Point, ...]
    pulled: int  #: pulls of all runs together; a policy that plans ahead may leave some over
    seconds: float  #: of processor time, without compilation

    @property
    def end(self) -> Point:
        """After all pulls."""
        return self.points[-1]

    @property
    def rate(self) -> float:
        """Pulls a second."""
        return self.pulled / max(self.seconds, 1e-9)

    def to_json(self) -> dict[str, Any]:
        """Plain data, for programs; ``curve`` only where there is more than the end."""
        setting = self.policy.tunable
        return {
            "problem": self.problem.name,
            "arms": list(self.problem.arms),
            "policy": self.policy.name,
            **({setting: getattr(self.policy, setting)} if setting else {}),
            "runs": self.runs,
            "seed": self.seed,
            **asdict(self.end),
            **({"curve": [asdict(point) for point in self.points]} if self.points[1:] else {}),
            "pulls_a_second": round(self.rate),
            "seconds": self.seconds,
        }


def measure(
    problem: Problem,
    policy: Policy,
    *,
    runs: int = DEFAULT_RUNS,
    seed: int = 0,
    checkpoints: Sequence[int] = (),
    jit: bool | None = None,
    watch: Watch | None = None,
) -> Measured:
    """Run a policy many times on a problem.

    There is a point for each of the checkpoints, which are numbers of pulls, and one for the end.
    A policy that plans ahead is run anew for each of them.

    >>> from tesuji.lab.bandit import POLICIES, Problem
    >>> problem = Problem("coins", (0.5, 0.4, 0.4, 0.4, 0.4), pulls=200)
    >>> found = measure(problem, POLICIES["successive-rejects"], runs=10, jit=False)
    >>> found.end.pulls, found.pulled
    (200, 1970)
    """
    if not 1 <= runs <= MOST_RUNS:
        raise ConfigError(f"runs is {runs}, it must be 1 to {MOST_RUNS:,}")
    at = sorted({problem.pulls, *(pulls for pulls in checkpoints if 1 <= pulls < problem.pulls)})
    series = _series(problem, policy, at, jit_enabled(jit))
    seconds = 0.0
    points: list[Point] = []
    for number, part in enumerate(series):
        rows = _rows(part, runs, seed_of(seed, "bandit", problem.name, policy.name, *part.name))
        part.kernel(*(array[:0] for array in rows))  # compiles
        begin = time.thread_time()
        for done in _fill(part, rows):
            if watch is not None:
                watch((number + done / runs) / len(series))
        seconds += time.thread_time() - begin
        points += map(_point, part.at, rows.simple.T, rows.cumulative.T)
    pulled = runs * sum(part.pulled for part in series)
    return Measured(problem, policy, runs, seed, tuple(points), pulled, seconds)


class _Part(NamedTuple):
    """Runs that give the points ``at``."""

    kernel: Kernel  #: takes `_Rows`, and fills a row for each run
    at: Sequence[int]
    pulled: int  #: in one run
    cost: int  #: of one run, in scores
    name: tuple[int, ...] = ()  #: tells the random numbers of parts apart


class _Rows(NamedTuple):
    """One row for each run."""

    streams: npt.NDArray[np.uint64]
    simple: Row
    cumulative: Row


def _series(problem: Problem, policy: Policy, at: Sequence[int], jit: bool) -> list[_Part]:
    """One part for a policy that may be stopped at any time, else one for each point."""
    if policy.plan is None:
        return [_rule_part(problem, policy, at, jit)]
    return [_rounds_part(replace(problem, pulls=pulls), policy, jit) for pulls in at]


def _rule_part(problem: Problem, policy: Policy, at: Sequence[int], jit: bool) -> _Part:
    params = np.zeros(1, Params)
    params["c"], params["epsilon"] = policy.c, policy.epsilon
    bandit = make_bandit(problem.arms, problem.gaps)
    kernel = partial(_rule_kernel(policy.rule, jit), bandit, params, np.array(at))
    return _Part(kernel, at, at[-1], at[-1] * len(problem.arms))


def _rounds_part(problem: Problem, policy: Policy, jit: bool) -> _Part:
    rounds, pulls = policy.rounds(problem), problem.pulls
    bandit = make_bandit(problem.arms, problem.gaps)
    table = np.array(rounds, np.int64).reshape(-1, 2)
    kernel = partial(_rounds_kernel(jit), bandit, table, pulls)
    pulled = min(pulls, sum(arms * times for arms, times in rounds))
    return _Part(kernel, [pulls], pulled, pulls + len(problem.arms) ** 2, (pulls,))


@lru_cache(maxsize=32)
def _rule_kernel(name: str, jit: bool) -> Kernel:
    rule = RULES[name]
    slots = {"rule": {"shared": rule.shared, "score": rule.score}, "LEADER": rule.leader}
    return specialise(follow_rule, slots, label=f"bandits with the rule {name}", jit=jit)


@lru_cache(maxsize=2)
def _rounds_kernel(jit: bool) -> Kernel:
    return specialise(follow_rounds, {}, label="bandits with rounds", jit=jit)


def _rows(part: _Part, runs: int, seed: int) -> _Rows:
    """Two streams of random numbers for each run, whatever the number of runs."""
    generator = np.random.Generator(np.random.PCG64(seed))
    return _Rows(
        generator.integers(1, 2**64, size=(runs, 2, 2), dtype=np.uint64),
        np.zeros((runs, len(part.at))),
        np.zeros((runs, len(part.at))),
    )


def _fill(part: _Part, rows: _Rows) -> Iterator[int]:
    """Run slice by slice; gives how many runs are done."""
    runs = len(rows.simple)
    step = max(1, SLICE // part.cost)
    for first in range(0, runs, step):
        part.kernel(*(array[first : first + step] for array in rows))
        yield min(first + step, runs)


def _point(pulls: int, simple: Row, cumulative: Row) -> Point:
    wrong = float(np.mean(simple > 0))
    error = Estimate(wrong, *wilson(wrong, len(simple)))
    return Point(pulls, error, _estimate(simple), _estimate(cumulative))


def _estimate(row: Row) -> Estimate:
    """The mean with a normal interval, which is right for the many runs of a measurement."""
    mean = float(np.mean(row))
    half = SIGMAS * float(np.std(row)) / math.sqrt(len(row))
    return Estimate(mean, max(mean - half, 0.0), mean + half)  # no regret is below 0
