"""The listings of halving searches in plain Python, to compare whole searches with.

SHOT, Hybrid MCTS, their solver and UCT below, as Pepels (2014) prints them with their errata, on
scripts (`tests.toys.script`).  They are recursive, know nothing of the package, and are written
from the thesis, not from its code.  Start with `Listing.search`.

In three points, which the thesis leaves open, they do as the package does:

* UCT's number of visits of a node includes the simulation that chooses.
* A leaf that cannot halve is not expanded, so its first simulation is a playout from itself.
* The end of a game is known when it is visited, not when its parent is expanded; and a proven one
  is visited once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import ceil, inf, log, log2, sqrt
from typing import Any

from tests.toys.script import first_end

Path = tuple[int, ...]


@dataclass
class Result:
    """What a call has done: visits, what the first player got in them, and budget used."""

    visits: int = 0
    reward: float = 0.0
    used: int = 0

    def add(self, other: "Result") -> None:
        self.visits += other.visits
        self.reward += other.reward
        self.used += other.used


@dataclass
class Node:
    """A position: ``count`` is the sum of all results that calls on it have returned."""

    script: Any
    path: Path = ()
    count: Result = field(default_factory=Result)
    children: list["Node"] = field(default_factory=list)
    solved: float | None = None  #: what the first player is sure to get

    @property
    def over(self) -> bool:
        return not isinstance(self.script, list)

    @property
    def first(self) -> bool:
        """Has the first player the move?"""
        return len(self.path) % 2 == 0

    def value(self, child: "Node") -> float:
        """A child's mean for the player to move here; below all means if it has none."""
        if not child.count.visits:
            return -1.0
        mean = child.count.reward / child.count.visits
        return mean if self.first else 1.0 - mean

    def wins(self, child: "Node") -> bool:
        return child.solved == (1.0 if self.first else 0.0)

    def loses(self, child: "Node") -> bool:
        return child.solved == (0.0 if self.first else 1.0)

    def below(self) -> Iterator["Node"]:
        """This node and all nodes below that have been visited."""
        if self.count.visits:
            yield self
            for child in self.children:
                yield from child.below()


@dataclass
class Listing:
    """A search.  ``order`` says in which order the moves of a position are tried."""

    script: Any
    order: Callable[[Path], list[int]]
    shot: bool = False
    switch: int = 0  #: B of Hybrid MCTS
    c: float = 0.35
    solver: bool = False

    def __post_init__(self) -> None:
        self.root = Node(self.script)
        #: the root's moves that are left, as each round of the last cycle has ranked them
        self.rankings: list[list[int]] = []

    def search(self, budget: int) -> int:
        """Spend a budget on the root; the move to play."""
        if self.root.solved is None:
            self.rankings = []
            self.cycle(self.root, budget)
        root = self.root
        if root.solved is None:
            return self.rankings[-1][0]
        if any(map(root.wins, root.children)):
            return max(root.children, key=root.wins).path[-1]
        most = max(root.children, key=lambda child: (child.count.visits, root.value(child)))
        return most.path[-1]

    # Every function below returns the result of the call, and has added it to the node.

    def playout(self, p: Node) -> Result:
        return self.noted(p, Result(1, first_end(p.script), 1))

    def end(self, p: Node, times: int) -> Result:
        """Visit the end of a game; once, if that proves it.  It costs nothing in SHOT."""
        if self.solver and p.script in (0.0, 1.0):
            p.solved, times = p.script, 1
        return self.noted(p, Result(times, times * p.script, 0 if self.shot else times))

    def noted(self, p: Node, result: Result) -> Result:
        p.count.add(result)
        return result

    def expand(self, p: Node) -> None:
        if not p.children:
            p.children = [Node(p.script[m], (*p.path, m)) for m in self.order(p.path)]

    def prove(self, p: Node) -> None:
        if any(map(p.wins, p.children)):
            p.solved = 1.0 if p.first else 0.0
        elif all(map(p.loses, p.children)):
            p.solved = 0.0 if p.first else 1.0

    def uct(self, p: Node) -> Result:
        """One simulation."""
        if p.solved is not None:
            return self.noted(p, Result(1, p.solved, 1))
        if p.over:
            return self.end(p, 1)
        if not p.count.visits and not p.children:
            return self.playout(p)
        self.expand(p)
        result = self.uct(max((c for c in p.children if not p.loses(c)), key=self.bound(p)))
        self.prove(p)
        return self.noted(p, result)

    def bound(self, p: Node) -> Callable[[Node], float]:
        """What UCT maximises."""
        logarithm = log(p.count.visits + 1)

        def bound(child: Node) -> float:
            visits = child.count.visits
            return p.value(child) + self.c * sqrt(logarithm / visits) if visits else inf

        return bound

    def spend(self, p: Node, budget: int) -> Result:
        """Spend a budget on a node below the root: halving, or UCT."""
        if p.over:
            return self.end(p, budget)
        if self.switch == 0 and budget == 1:
            return self.playout(p)
        total = p.count.used + budget
        if total >= 2 * self.switch:  # else two children would get less than B
            self.expand(p)
            left = sum(c.solved is None for c in p.children)
            if left == 1 or share(total, left, left) >= self.switch:
                return self.cycle(p, budget)
        result = Result()
        while result.used < budget and p.solved is None:
            result.add(self.uct(p))
        return result

    def cycle(self, p: Node, budget: int) -> Result:
        """Halve a budget among the children of a node."""
        self.expand(p)
        order = [c for c in p.children if c.solved is None]
        count = size = len(order)
        total = p.count.used + budget
        quota = share(total, count, size)
        result = Result()
        spends_all = not self.shot or p is self.root
        while True:
            residual = 0
            for rank, c in enumerate(order[:size]):
                left = budget - result.used
                given = quota - c.count.visits
                if size == 1:
                    given = left
                elif given > 0 and rank == 0 and size == 2 and spends_all:
                    given = max(given, left - max(0, quota - order[1].count.visits))
                given = min(given, left)
                if given > 0:
                    got = self.spend(c, given)
                    result.add(self.noted(p, got))
                    self.prove(p)
                    residual += (given - got.used) if p.loses(c) else 0
                if p.solved is not None or result.used >= budget:
                    break
            last = size == 1 and order[0].solved is None
            order = [c for c in order if c.solved is None]
            if size > 1:
                part = len(order) if self.shot else size
                order[:part] = sorted(order[:part], key=p.value, reverse=True)
            if p is self.root:
                self.rankings.append([c.path[-1] for c in order])
            size = min(ceil(size / 2), len(order))
            if p.solved is not None or result.used >= budget or last or size == 0:
                break
            if size == 1 and not spends_all:
                break
            quota += share(total, count, size) + ceil(residual / size)
        return result


def share(total: int, count: int, size: int) -> int:
    """The quota of a round: ``count`` children began the cycle, ``size`` are left."""
    return max(1, total // (size * max(1, ceil(log2(count)))))
