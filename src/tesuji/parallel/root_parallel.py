"""Root parallelization: several trees side by side, one a thread or a process.

Each tree is searched with random numbers of its own.  What they found is added after every slice of
work (`merge`), so that they can be asked like a single tree at any time; with ``share_seconds``
they also learn from each other on the way (`slow`).  ``virtual_wins`` sends them apart: each tree
begins with won visits at other moves of the root (Schäfers 2014, section 3.3), and these do not
count in the sum.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile import seed_of, specialise
from tesuji.game import Game
from tesuji.parallel.merge import CAPACITY, fewest_to_add, joining, keeping, merge, scratch
from tesuji.parallel.process import remote
from tesuji.parallel.schemes import alone, runner
from tesuji.parallel.slow import Circle, share
from tesuji.parallel.thread_pool import ThreadPool, turns
from tesuji.parallel.tree_search import TreeSearch
from tesuji.position import Position
from tesuji.search.access import PLAIN
from tesuji.search.bindings import parts_on
from tesuji.search.config import SearchConfig
from tesuji.search.context import reserve
from tesuji.search.decide import children
from tesuji.search.limit import Limit
from tesuji.search.parts.ownership import ownership
from tesuji.search.tree import ROOT, SCALE, Tree, reset


class RootParallel:
    """Searches one position in several trees; reads like a `TreeSearch`."""

    def __init__(self, game: Game, config: SearchConfig, seed: int, jit: bool) -> None:
        self.game = game
        self.config = config
        self._jit = jit
        one = replace(alone(config), memory_mb=config.memory_mb / config.threads)
        seeds = _seeds(seed, config.threads)
        runs = remote if config.processes else runner
        self._searches = [TreeSearch(game, one, each, jit, runs) for each in seeds]
        self.tree = reserve(game, replace(one, memory_mb=_megabytes(game, one)))
        self._busy = self._searches  # those that have something left to do
        self._pairs = scratch()
        self._pool = ThreadPool(config.threads + config.processes)
        self._favours: list[list[int]] = [[] for _ in seeds]  # moves with virtual wins
        self._shared = 0.0  # when the trees were averaged last

    def prepare(self) -> None:
        """Compile now, so that the next search starts at once."""
        for search in self._searches:
            search.prepare()
        self._merge(self.tree, self._searches[0].tree, self._pairs, 1)
        reset(self.tree)

    def simulate(self, count: int) -> int:
        """Run simulations, an equal part in each tree, and add what they found."""
        if self.config.virtual_wins:
            self._favour()
        before = self.spent
        parts = _parts(count, len(self._busy))
        self._together(
            [partial(search.simulate, n) for search, n in zip(self._busy, parts, strict=True)]
        )
        done = self.spent - before
        now = time.perf_counter()
        if self.config.share_seconds and now - self._shared >= self.config.share_seconds:
            self._shared = now
            self.share()
        self.add_up()
        return done

    def _together(self, calls: list[Callable[[], Any]]) -> None:
        """Run calls side by side.

        Where they talk to processes this thread only waits: Ctrl-C, which comes to it alone, must
        not come between a question and its answer.
        """
        if not self._jit:
            calls = [partial(turns, calls)]
        if self.config.processes:
            calls = [lambda: None, *calls]
        self._pool.together(calls, lambda: None)

    def share(self) -> None:
        """Let the trees learn from each other now; their virtual wins are no knowledge."""
        self._grant_all(-self.config.virtual_wins)
        circle = Circle(len(self._searches))
        depth, part = self.config.share_depth, self.config.share_part
        spent = [search.spent for search in self._searches]
        self._pool.together(
            [
                partial(share, search.tree, circle.member(n), depth, part)
                for n, search in enumerate(self._searches)
            ],
            circle.abort,
        )
        for search, before in zip(self._searches, spent, strict=True):
            search.allow(search.spent - before)
        self._grant_all(self.config.virtual_wins)

    def complete(self) -> None:
        """The search is over."""
        self.add_up()

    def budgeted(self, limit: Limit) -> bool:
        """With halving: has any tree something left to do?"""
        parts = [limit] * len(self._searches)
        if limit.simulations is not None:
            shares = _parts(limit.simulations, len(parts))
            parts = [replace(limit, simulations=max(1, share)) for share in shares]
        asked = zip(self._searches, parts, strict=True)
        self._busy = [search for search, part in asked if search.budgeted(part)]
        return bool(self._busy)

    def add_up(self) -> None:
        """Let the sum say what all trees say."""
        reset(self.tree)
        fewest = fewest_to_add(self.trees)
        for search in self._searches:
            self._merge(self.tree, search.tree, self._pairs, fewest)
        depths = [int(search.tree.meta[0]["depth"]) for search in self._searches]
        self.tree.meta[0]["depth"] = max(depths)
        for moves in self._favours:
            self._grant(self.tree, moves, -self.config.virtual_wins)

    @property
    def _merge(self) -> Callable[..., Any]:
        return _compiled(self.game, self.config, self._jit)

    # --- virtual wins -----------------------------------------------------------------------------

    def _favour(self) -> None:
        """Give each tree won visits at moves of its own, as soon as the moves have records."""
        for n, search in enumerate(self._searches):
            root = search.tree.nodes[ROOT]
            if not self._favours[n] and 0 < root["count"] == root["tried"]:
                moves = search.tree.nodes["move"][children(search.tree, ROOT)].tolist()
                self._favours[n] = [move for move in moves if move % len(self._searches) == n]
                self._grant(search.tree, self._favours[n], self.config.virtual_wins)

    def _disfavour(self) -> None:
        """Take all virtual wins back from the trees."""
        self._grant_all(-self.config.virtual_wins)
        self._favours = [[] for _ in self._searches]

    def _grant_all(self, wins: int) -> None:
        """Give each tree so many won visits at each of its own moves."""
        for search, moves in zip(self._searches, self._favours, strict=True):
            self._grant(search.tree, moves, wins)

    def _grant(self, tree: Tree, moves: list[int], wins: int) -> None:
        for child in children(tree, ROOT):
            if int(tree.nodes[child]["move"]) in moves:
                tree.nodes[child]["visits"] += wins
                tree.nodes[child]["value"] += wins * SCALE

    # --- what was found ---------------------------------------------------------------------------

    @property
    def trees(self) -> list[Tree]:
        """All trees that grow here."""
        return [search.tree for search in self._searches]

    @property
    def done(self) -> int:
        """Simulations of this search."""
        return sum(search.done for search in self._searches)

    @property
    def spent(self) -> int:
        """Simulations in all trees."""
        return sum(search.spent for search in self._searches)

    @property
    def proven(self) -> bool:
        """Is the result of the root certain?"""
        return any(search.proven for search in self._searches)

    survivors = None  # each tree has its own; the sum of visits decides

    @property
    def line(self) -> tuple[float, list[int]] | None:
        """The best finished simulation of a one-player game."""
        lines = [search.line for search in self._searches]
        return max((line for line in lines if line is not None), default=None)

    def ownership(self) -> npt.NDArray[np.float64] | None:
        """By move code: 1 where the first player mostly ends up with the point, -1 the second."""
        return ownership([each for search in self._searches for each in search.territories])

    # --- roots ------------------------------------------------------------------------------------

    @property
    def root(self) -> Position | None:
        """The position that is searched."""
        return self._searches[0].root

    def set_root(self, position: Position) -> None:
        """Go on from a position, with what the trees know of it."""
        self._disfavour()
        self._busy = self._searches
        self._together([partial(search.set_root, position) for search in self._searches])
        self._shared = time.perf_counter()
        self.add_up()

    def forget(self, seed: int) -> None:
        """Drop all trees and begin again."""
        for search, each in zip(self._searches, _seeds(seed, len(self._searches)), strict=True):
            search.forget(each)
        reset(self.tree)


def _seeds(seed: int, trees: int) -> list[int]:
    """Of each tree; the first has that of a search in one tree."""
    return [seed, *(seed_of(seed, "tree", n) for n in range(1, trees))]


def _parts(count: int, trees: int) -> list[int]:
    """As equal parts as can be."""
    return [(count + n) // trees for n in range(trees)]


def _megabytes(game: Game, config: SearchConfig) -> float:
    """What the sum takes."""
    each = reserve(game, replace(config, memory_mb=0.01)).nodes.dtype.itemsize + 12
    return float(CAPACITY * each / 1e6)


@lru_cache(maxsize=16)
def _compiled(game: Game, config: SearchConfig, jit: bool) -> Callable[..., Any]:
    fields = [field for part in parts_on(game, config) for field in part.node]
    slots = {
        "access": PLAIN,
        "ALL_CHILDREN": False,
        "TRANSPOSE": config.transpositions,
        "fields": {"join": joining(fields), "keep": keeping(fields)},
    }
    extras = str(reserve(game, replace(config, memory_mb=0.01)).nodes.dtype)
    return specialise(merge, slots, label="the sum of trees", variant=extras, jit=jit)
