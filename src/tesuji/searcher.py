"""The object that users search with: it keeps the limits and says what was found.

    searcher = Searcher(load("go"))
    decision = searcher.search(position, Limit(seconds=2))

The tree stays between searches: when the next position follows from the last one, the part of the
tree below it becomes the new tree (`tesuji.parallel.tree_search`).
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Unpack

import numpy as np
import numpy.typing as npt

from tesuji.compile import jit_enabled
from tesuji.errors import ConfigError, GameError
from tesuji.game import Game
from tesuji.parallel.root_parallel import RootParallel
from tesuji.parallel.schemes import scheme_of
from tesuji.parallel.tree_search import TreeSearch
from tesuji.position import Position
from tesuji.search.config import SearchConfig, Settings
from tesuji.search.decide import Decision, Variation, agreed, decide, ranked, variations, visited
from tesuji.search.export import to_dot, to_json
from tesuji.search.limit import Limit
from tesuji.search.slices import PROGRESS_SECONDS, SliceRunner
from tesuji.search.tree import ROOT, Tree, used_bytes

MOST_VISITS = 2**31 - 1  # of the root: what its counter holds
EXTENSION = 0.5  # of a search that looks for a robust-max child
AGREE_SLICE = 32  # simulations before it looks again

Progress = Callable[[Decision], None]


class Searcher:
    """Searches positions of one game with one configuration."""

    def __init__(
        self,
        game: Game,
        config: SearchConfig | None = None,
        *,
        seed: int = 0,
        jit: bool | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        """``settings`` replace those of the configuration: ``threads=8, parallel="tree"``."""
        self.game = game
        self.config = (config or SearchConfig()).changed(settings)
        self.seed = seed
        kind = RootParallel if scheme_of(self.config).several_trees else TreeSearch
        self._trees = kind(game, self.config, seed, jit_enabled(jit))
        self._slices = SliceRunner(self.config.threads)
        self._stop = threading.Event()
        self._prepared = False

    @property
    def tree(self) -> Tree:
        """What is known of the position; with several trees, their sum."""
        return self._trees.tree

    def prepare(self) -> None:
        """Compile now, so that the next search starts at once."""
        if not self._prepared:
            self._trees.prepare()
            self._prepared = True

    def search(
        self,
        position: Position,
        limit: Limit,
        *,
        progress: Progress | None = None,
        interval: float = PROGRESS_SECONDS,
        enough: Callable[[], bool] | None = None,
        look_every: int | None = None,
    ) -> Decision:
        """Search until the limit is reached.

        ``progress`` gets a decision every ``interval`` seconds.
        ``enough`` is asked about every 20 ms, after the first simulation; True ends the search.
        With ``look_every`` it is also asked whenever so many simulations have run: a search that
        it ends only there is the same on any machine.
        Ctrl-C raises `KeyboardInterrupt` as usual and leaves the tree whole: `decision` still
        answers.  `stop`, from another thread, ends the search early without an error.
        """
        self._stop.clear()
        self._check(position)
        self.prepare()
        self._trees.set_root(position)
        tell = None if progress is None else lambda: progress(self.decision())
        begin = time.perf_counter()
        try:
            if self._slices.run(
                self._step,
                lambda: self._done,
                limit,
                more=partial(self._more, limit),
                tell=tell,
                interval=interval,
                enough=enough,
                look_every=look_every,
            ):
                self._agree()
        finally:
            self._trees.complete()
            self._slices.seconds = time.perf_counter() - begin
        return self.decision()

    def _agree(self) -> None:
        """For the robust-max child: go on for up to half as long again, until there is one."""
        most = int(self._done * (1 + EXTENSION))
        while self.config.final == "robust-max" and self._done < most and not agreed(self.tree):
            if self._stop.is_set() or self._trees.proven:
                return
            self._trees.simulate(min(AGREE_SLICE, most - self._done))

    @property
    def simulations(self) -> int:
        """How many the search under way has run, or else the last one."""
        return self._done

    @property
    def _done(self) -> int:
        return self._trees.done

    def stop(self) -> None:
        """End the running search as soon as possible."""
        self._stop.set()

    def decision(self) -> Decision:
        """What the current tree says."""
        if self._trees.root is None or self.tree.nodes[ROOT]["tried"] == 0:
            raise ConfigError("nothing has been searched yet")
        found = decide(
            self.game,
            self.tree,
            final=self.config.final,
            secure=self.config.secure,
            simulations=self._done,
            seconds=self._slices.seconds,
            seed=self.seed,
            survivors=self._trees.survivors,
            finished=self._trees.line,
        )
        trees = self._trees.trees
        if len(trees) == 1:
            return found
        return replace(found, nodes=sum(map(visited, trees)), bytes=sum(map(used_bytes, trees)))

    def ownership(self) -> npt.NDArray[np.float64] | None:
        """By move code: 1 where the first player mostly ends up with the point, -1 the second.

        Over the simulations since the root was set; None without the setting ``ownership``.
        """
        return self._trees.ownership()

    def variations(self, most: int) -> list[Variation]:
        """The best moves of the current tree, the best first, each with its main line."""
        if self._trees.root is None:
            raise ConfigError("nothing has been searched yet")
        order = ranked(
            self.tree, ROOT, self.config.final, self.config.secure, self._trees.survivors
        )
        return variations(self.game, self.tree, order[:most])

    def forget(self) -> None:
        """Drop the tree and begin again: the next search is as that of a new searcher.

        That is when another ``seed`` of the searcher begins to count.
        """
        self._trees.forget(self.seed)

    def save_json(self, path: str | Path, *, fewest: int = 1) -> None:
        """Write the tree as nested JSON, without nodes of fewer than ``fewest`` visits."""
        Path(path).write_text(to_json(self.game, self.tree, fewest=fewest))

    def save_dot(self, path: str | Path, *, widest: int = 3, fewest: int = 2) -> None:
        """Write a drawing of the tree in Graphviz's language, the most visited children only."""
        Path(path).write_text(to_dot(self.game, self.tree, widest=widest, fewest=fewest))

    def _step(self, count: int) -> int:
        return self._trees.simulate(min(count, MOST_VISITS - self._trees.spent))

    def _more(self, limit: Limit) -> bool:
        """Is there anything left to find out, and does nobody want to stop?"""
        if (self._stop.is_set() and self._done > 0) or self._trees.proven:
            return False
        return self._trees.spent < MOST_VISITS and self._trees.budgeted(limit)

    def _check(self, position: Position) -> None:
        if not _same_game(position.game, self.game):
            raise GameError(
                f"a searcher of {self.game.spec} got a position of {position.game.spec}"
            )
        if position.over:
            raise GameError(f"the game {self.game.spec} is over: {position.result_text()}")


def _same_game(a: Game, b: Game) -> bool:
    """Do two games have the same name, parameters and records?"""
    facts = [(g.spec, g.state, g.move_codes, g.max_moves, g.max_length) for g in (a, b)]
    return a is b or facts[0] == facts[1]


def search(
    position: Position,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    config: SearchConfig | None = None,
    progress: Progress | None = None,
    jit: bool | None = None,
    **settings: Unpack[Settings],
) -> Decision:
    """Search one position once; ``settings`` replace those of the configuration.

    >>> from tesuji.games import load
    >>> position = Position.start(load("tictactoe")).play("a1", "a2", "b1", "b2")
    >>> search(position, simulations=1000).text
    'c1'
    """
    limit = Limit(simulations, seconds)
    searcher = Searcher(position.game, config, seed=seed, jit=jit, **settings)
    return searcher.search(position, limit, progress=progress)
