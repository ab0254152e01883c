"""Several trees that grow side by side, one a thread or a process: root parallelization.

Each tree is searched with random numbers of its own.  What they found is added after every slice of
work (`merge`), so that a grove can be asked like a single tree at any time; with
``share_seconds`` they also learn from each other on the way (`slow`).  ``virtual_wins`` sends them
apart: each tree begins with won visits at other moves of the root (Schäfers 2014, section 3.3), and
these do not count in the sum.
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
from tesuji.parallel.drive import driver
from tesuji.parallel.grower import Grower
from tesuji.parallel.merge import CAPACITY, fewest_to_add, joining, keeping, merge, scratch
from tesuji.parallel.process import Remote
from tesuji.parallel.slow import Circle, share
from tesuji.parallel.team import Team, turns
from tesuji.position import Position
from tesuji.search.bindings import parts_on
from tesuji.search.config import SearchConfig
from tesuji.search.decide import children
from tesuji.search.limit import Limit
from tesuji.search.parts.ownership import ownership
from tesuji.search.tree import ROOT, SCALE, Tree, reset
from tesuji.search.work import reserve


class Grove:
    """Searches one position in several trees; reads like a `Grower`."""

    def __init__(self, game: Game, config: SearchConfig, seed: int, jit: bool) -> None:
        self.game = game
        self.config = config
        self._jit = jit
        alone = replace(
            config,
            threads=1,
            parallel="tree",
            virtual_wins=0,
            processes=False,
            share_seconds=0.0,
            memory_mb=config.memory_mb / config.threads,
        )
        seeds = _seeds(seed, config.threads)
        drive = Remote if config.processes else driver
        self._growers = [Grower(game, alone, each, jit, drive) for each in seeds]
        self.tree = reserve(game, replace(alone, memory_mb=_megabytes(game, alone)))
        self._busy = self._growers  # those that have something left to do
        self._pairs = scratch()
        self._team = Team(config.threads + config.processes)
        self._favours: list[list[int]] = [[] for _ in seeds]  # moves with virtual wins
        self._shared = 0.0  # when the trees were averaged last

    def prepare(self) -> None:
        """Compile now, so that the next search starts at once."""
        for grower in self._growers:
            grower.prepare()
        self._merge(self.tree, self._growers[0].tree, self._pairs, 1)
        reset(self.tree)

    def simulate(self, count: int) -> int:
        """Run simulations, an equal part in each tree, and add what they found."""
        if self.config.virtual_wins:
            self._favour()
        before = self.spent
        parts = _parts(count, len(self._busy))
        self._together(
            [partial(grower.simulate, n) for grower, n in zip(self._busy, parts, strict=True)]
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
        self._team.together(calls, lambda: None)

    def share(self) -> None:
        """Let the trees learn from each other now; their virtual wins are no knowledge."""
        self._grant_all(-self.config.virtual_wins)
        circle = Circle(len(self._growers))
        depth, part = self.config.share_depth, self.config.share_part
        spent = [grower.spent for grower in self._growers]
        self._team.together(
            [
                partial(share, grower.tree, circle.member(n), depth, part)
                for n, grower in enumerate(self._growers)
            ],
            circle.abort,
        )
        for grower, before in zip(self._growers, spent, strict=True):
            grower.allow(grower.spent - before)
        self._grant_all(self.config.virtual_wins)

    def complete(self) -> None:
        """The search is over."""
        self.add_up()

    def budgeted(self, limit: Limit) -> bool:
        """With halving: has any tree something left to do?"""
        parts = [limit] * len(self._growers)
        if limit.simulations is not None:
            shares = _parts(limit.simulations, len(parts))
            parts = [replace(limit, simulations=max(1, share)) for share in shares]
        asked = zip(self._growers, parts, strict=True)
        self._busy = [grower for grower, part in asked if grower.budgeted(part)]
        return bool(self._busy)

    def add_up(self) -> None:
        """Let the sum say what all trees say."""
        reset(self.tree)
        fewest = fewest_to_add(self.trees)
        for grower in self._growers:
            self._merge(self.tree, grower.tree, self._pairs, fewest)
        depths = [int(grower.tree.meta[0]["depth"]) for grower in self._growers]
        self.tree.meta[0]["depth"] = max(depths)
        for moves in self._favours:
            self._grant(self.tree, moves, -self.config.virtual_wins)

    @property
    def _merge(self) -> Callable[..., Any]:
        return _compiled(self.game, self.config, self._jit)

    # --- virtual wins -----------------------------------------------------------------------------

    def _favour(self) -> None:
        """Give each tree won visits at moves of its own, as soon as the moves have records."""
        for n, grower in enumerate(self._growers):
            root = grower.tree.nodes[ROOT]
            if not self._favours[n] and 0 < root["count"] == root["tried"]:
                moves = grower.tree.nodes["move"][children(grower.tree, ROOT)].tolist()
                self._favours[n] = [move for move in moves if move % len(self._growers) == n]
                self._grant(grower.tree, self._favours[n], self.config.virtual_wins)

    def _disfavour(self) -> None:
        """Take all virtual wins back from the trees."""
        self._grant_all(-self.config.virtual_wins)
        self._favours = [[] for _ in self._growers]

    def _grant_all(self, wins: int) -> None:
        """Give each tree so many won visits at each of its own moves."""
        for grower, moves in zip(self._growers, self._favours, strict=True):
            self._grant(grower.tree, moves, wins)

    def _grant(self, tree: Tree, moves: list[int], wins: int) -> None:
        for child in children(tree, ROOT):
            if int(tree.nodes[child]["move"]) in moves:
                tree.nodes[child]["visits"] += wins
                tree.nodes[child]["value"] += wins * SCALE

    # --- what was found ---------------------------------------------------------------------------

    @property
    def trees(self) -> list[Tree]:
        """All trees that grow here."""
        return [grower.tree for grower in self._growers]

    @property
    def done(self) -> int:
        """Simulations of this search."""
        return sum(grower.done for grower in self._growers)

    @property
    def spent(self) -> int:
        """Simulations in all trees."""
        return sum(grower.spent for grower in self._growers)

    @property
    def proven(self) -> bool:
        """Is the result of the root certain?"""
        return any(grower.proven for grower in self._growers)

    survivors = None  # each tree has its own; the sum of visits decides

    @property
    def line(self) -> tuple[float, list[int]] | None:
        """The best finished simulation of a one-player game."""
        lines = [grower.line for grower in self._growers]
        return max((line for line in lines if line is not None), default=None)

    def ownership(self) -> npt.NDArray[np.float64] | None:
        """By move code: 1 where the first player mostly ends up with the point, -1 the second."""
        return ownership([each for grower in self._growers for each in grower.territories])

    # --- roots ------------------------------------------------------------------------------------

    @property
    def root(self) -> Position | None:
        """The position that is searched."""
        return self._growers[0].root

    def set_root(self, position: Position) -> None:
        """Go on from a position, with what the trees know of it."""
        self._disfavour()
        self._busy = self._growers
        self._together([partial(grower.set_root, position) for grower in self._growers])
        self._shared = time.perf_counter()
        self.add_up()

    def forget(self, seed: int) -> None:
        """Drop all trees and begin again."""
        for grower, each in zip(self._growers, _seeds(seed, len(self._growers)), strict=True):
            grower.forget(each)
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
    fields = [field for part in parts_on(game, config) for field in part.fields]
    slots = {
        "ALL": False,
        "THREADS": False,
        "TRANSPOSE": config.transpositions,
        "fields": {"join": joining(fields), "keep": keeping(fields)},
    }
    extras = str(reserve(game, replace(config, memory_mb=0.01)).nodes.dtype)
    return specialise(merge, slots, label="the sum of trees", variant=extras, jit=jit)
