"""When a search has done enough.

A limit for a move is a promise to the user, so only one thing ends such a search early: the move
cannot change any more.  The time of a whole game is a store.  What a clear move saves there, an
unclear one can have: the most visited move is not the one with the best value, or the value has
fallen since the player's last move (Huang, Coulom and Lin 2010).

`Watch` is what a `Searcher` asks.
"""

import math
import time
from typing import NamedTuple

import numpy as np

from tesuji.engines.clock import Plan
from tesuji.search.config import SearchConfig
from tesuji.search.decide import children
from tesuji.search.limit import Limit
from tesuji.search.tree import ROOT, SCALE, Tree
from tesuji.searcher import Searcher

CONTENDER = 0.1  # of the leader's visits: what a move needs for its value to count
FALL = 0.05  # of the value since the player's last move: more is alarming
CLEAR = 0.97  # value from which on a game is won whatever is played
CLEAR_SHARE = 0.25  # of the normal time that even such a move gets
RATE_SECONDS = 0.04  # of searching before its speed is known


class Standing(NamedTuple):
    """How the moves at the root compare."""

    first: int  #: visits of the leader, the most visited move
    second: int  #: visits of the next one
    value: float  #: of the leader
    agreed: bool  #: has the leader the highest value, too?


def standing(tree: Tree) -> Standing:
    """Look at the root; cheap enough for every slice of a search."""
    found = tree.nodes[children(tree, ROOT)]
    visits = found["visits"].astype(np.int64)
    values = found["value"] / SCALE / visits
    order = np.lexsort((-values, -visits))
    leader = order[0]
    rivals = values[visits >= CONTENDER * visits[leader]]
    second = int(visits[order[1]]) if len(order) > 1 else 0
    return Standing(
        int(visits[leader]), second, float(values[leader]), bool(values[leader] >= rivals.max())
    )


def by_visits(config: SearchConfig) -> bool:
    """Do visits alone say which move is played?  Not where proofs or halving rank moves."""
    return (
        config.final == "robust"
        and config.solver == "off"
        and config.halving == "off"
        and not config.brue
    )


class Watch:
    """Says whether one search has done enough; ``began`` is when its time began to count."""

    def __init__(
        self,
        searcher: Searcher,
        limit: Limit,
        plan: Plan | None = None,
        *,
        began: float,
        early: bool = True,
        forced: bool = False,
        before: float | None = None,
    ) -> None:
        self._searcher = searcher
        self._limit = limit
        self._plan = plan
        self._began = began
        self._early = early
        self._forced = forced  # there is one legal move
        self._before = before  # value of the player's last move
        self._by_visits = by_visits(searcher.config)
        self._first: tuple[float, int] | None = None  # time and simulations at the first look

    def __call__(self) -> bool:
        now = time.perf_counter()
        spent = now - self._began
        if self._early and self._forced:
            return True
        if self._plan is None and not (self._early and self._by_visits):
            return False
        look = standing(self._searcher.tree)
        if self._early and self._by_visits and look.first - look.second > self._to_come(now):
            return True
        return self._plan is not None and self._planned(look, spent, self._plan)

    def _planned(self, look: Standing, spent: float, plan: Plan) -> bool:
        """Is the time of this move over?"""
        if self._early and look.value >= CLEAR and spent >= CLEAR_SHARE * plan.normal:
            return True
        fallen = self._before is not None and look.value < self._before - FALL
        unclear = fallen or not look.agreed
        return spent >= (plan.most if unclear else plan.normal)

    def _to_come(self, now: float) -> float:
        """The most simulations that this search can still run."""
        done = self._searcher.simulations
        most = math.inf
        if self._limit.simulations is not None:
            most = self._limit.simulations - done
        if self._first is None:
            self._first = now, done
        seconds = [self._limit.seconds, None if self._plan is None else self._plan.normal]
        end = min((s for s in seconds if s is not None), default=None)
        searched = now - self._first[0]
        if end is not None and searched >= RATE_SECONDS:
            rate = (done - self._first[1]) / searched
            most = min(most, rate * max(end - (now - self._began), 0.0))
        return most
