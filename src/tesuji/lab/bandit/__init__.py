"""The bandit lab: selection policies on K-armed bandits, the smallest trees there are.

A bandit is a tree of one ply: the arms are the moves of the root, a pull is a simulation.  What a
policy is worth can be measured here in seconds, before it is tried in games::

    result = measure(find_problem("one-group"), find_policy("ucb1"), runs=4000, seed=1)
    print(result.end.error, result.end.simple, result.end.cumulative)

Start at `measure`.  The rules are those of `tesuji.search.rules`, and so is their machine code.
"""

from tesuji.lab.bandit.measure import Estimate, Measured, Point, measure
from tesuji.lab.bandit.policy import POLICIES, Policy
from tesuji.lab.bandit.policy import find as find_policy
from tesuji.lab.bandit.problem import PROBLEMS, Problem, checkpoints
from tesuji.lab.bandit.problem import find as find_problem

__all__ = [
    "POLICIES",
    "PROBLEMS",
    "Estimate",
    "Measured",
    "Point",
    "Policy",
    "Problem",
    "checkpoints",
    "find_policy",
    "find_problem",
    "measure",
]
