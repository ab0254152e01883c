"""When a search has done enough.

A limit for a move is a promise to the user, so only one thing ends such a search early: the move
cannot change any more.  The time of a whole game is a store.  What a clear move saves there, an
unclear one can have: the most visited move is not the one with the best value, or the value has
fallen since the player's last move (Huang, Coulom and Lin 2010).

`Watch` is what a `Searcher` asks.
"""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tesuji.play.clock import Plan
from tesuji.search.decide import children
from tesuji.search.limit import Limit
from tesuji.search.tree import ROOT, SCALE, Tree
from tesuji.searcher import Searcher

UNTIMED = Limit(seconds=2.0)  # for a move when neither a limit nor a clock is given
CONTENDER = 0.1  # of the leader's visits: what a move needs for its value to count
FALL = 0.05  # of the value since the player's last move: more is alarming
CLEAR = 0.97  # value from which on a game is won whatever is played
CLEAR_SHARE = 0.25  # of the normal time that even such a move gets
RATE_SECONDS = 0.04  # of searching before its speed is known
LOOKS = 20  # at a search that nothing times
LEAST_STEP = 64  # simulations between two of them: a look costs as much as some


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


class Watch:
    """Says whether one search has done enough."""

    def __init__(
        self,
        searcher: Searcher,
        limit: Limit | None = None,
        plan: Plan | None = None,
        *,
        early: bool = True,
        forced: bool = False,
        before: float | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        """The time of the search begins to count.

        ``early`` allows it to end before its time, ``forced`` says that there is one legal move,
        and ``before`` is the value of the player's last move.
        """
        self._searcher = searcher
        limit = limit or (UNTIMED if plan is None else Limit(seconds=plan.most))
        if plan is not None:
            limit = Limit(limit.simulations, min(limit.seconds or plan.most, plan.most))
        self.limit = limit  #: what the search may cost: that of the move and the plan both hold
        self._plan = plan
        self._forced = early and forced
        self._early = early
        self._by_visits = early and searcher.config.ranking == "visits"
        self._before = before
        self._now = now
        self._began = now()
        self._first: tuple[float, int] | None = None  # seconds and simulations at the first look
        #: Simulations between two looks where nothing is timed, else None.  What is left of a tree
        #: decides about later moves, and the same seed is to give the same game on any machine.
        self.step = None
        if limit.simulations is not None and limit.seconds is None:
            self.step = max(limit.simulations // LOOKS, LEAST_STEP)
        self._steps = 0  # up to the last look

    @property
    def spent(self) -> float:
        """Seconds so far."""
        return self._now() - self._began

    def __call__(self) -> bool:
        if self._forced:
            return True
        if self._plan is None and not self._by_visits:
            return False
        if self.step is not None and not self._due(self.step):
            return False
        look, spent = standing(self._searcher.tree), self.spent
        end = self._end(look)
        if self._by_visits and look.first - look.second > self._to_come(spent, end):
            return True
        return self._plan is not None and spent >= end

    def _due(self, step: int) -> bool:
        """Is it time to look at a search that nothing times?"""
        done = self._searcher.simulations
        before, self._steps = self._steps, done // step
        visits = int(self._searcher.tree.nodes[ROOT]["visits"])  # nobody can be ahead by more
        return self._steps > before and visits > (self.limit.simulations or 0) - done

    def _end(self, look: Standing) -> float:
        """The time of this search, in seconds, as things look now."""
        if self._plan is None:
            return self.limit.seconds or math.inf
        if self._early and look.value >= CLEAR:
            return CLEAR_SHARE * self._plan.normal
        fallen = self._before is not None and look.value < self._before - FALL
        planned = self._plan.most if fallen or not look.agreed else self._plan.normal
        return min(planned, self.limit.seconds or math.inf)

    def _to_come(self, spent: float, end: float) -> float:
        """The most simulations that this search can still run."""
        done = self._searcher.simulations
        most = math.inf
        if self.limit.simulations is not None:
            most = self.limit.simulations - done
        if self._first is None:
            self._first = spent, done
        searched = spent - self._first[0]
        if searched < RATE_SECONDS:
            return most
        rate = (done - self._first[1]) / searched
        return min(most, rate * max(end - spent, 0.0)) if end < math.inf else most
