"""The object that users search with: it picks the kernels, keeps the tree and keeps the limits.

    searcher = Searcher(load("go"))
    decision = searcher.search(position, Limit(seconds=2))

The tree stays between searches: when the next position follows from the last one, the part of the
tree below it becomes the new tree.
"""

import threading
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile import jit_enabled, specialise, stream
from tesuji.errors import ConfigError, GameError
from tesuji.game import Game
from tesuji.position import Position
from tesuji.search import brue, halving, loop
from tesuji.search.config import SearchConfig
from tesuji.search.decide import (
    Decision,
    Variation,
    agreed,
    decide,
    ranked,
    records,
    variations,
)
from tesuji.search.export import to_dot, to_json
from tesuji.search.limit import Limit
from tesuji.search.line import forget_line, known, play_on
from tesuji.search.territory import ownership
from tesuji.search.tree import (
    BUCKETS,
    NONE,
    ROOT,
    allocate,
    compact,
    fewest_visits,
    find_child,
    home,
    reset,
)
from tesuji.search.work import clear, clear_territory, forget, make_params, make_work

SLICE_SECONDS = 0.02  # how long the kernel runs before Python looks at clock, signals and memory
PROGRESS_SECONDS = 0.5
MOST_VISITS = 2**31 - 1  # of the root: what its counter holds
EXTENSION = 0.5  # of a search that looks for a robust-max child
AGREE_SLICE = 32  # simulations before it looks again
FIRST_BUDGET = 1000  # of halving without a limit of simulations; then all that was spent so far
KEPT_SHARE = 0.5  # of a full tree, when rarely visited branches give way

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
    ) -> None:
        self.game = game
        self.config = config or SearchConfig()
        self.seed = seed
        self._jit = jit_enabled(jit)
        self._run = _compiled_run(game, self.config, self._jit)
        extras = (*self.config.extras, *(["repetition"] if game.repetition is not None else []))
        try:
            self.tree = allocate(self.config.memory_mb, extras)
            self._work = make_work(game, self.config)
        except MemoryError:
            raise ConfigError(f"there are no {self.config.memory_mb} MB for the tree") from None
        self._params = make_params(game, self.config)
        self._rng = stream(seed, "search")
        self._root: Position | None = None
        self._before = 0  # visits of the root when this search began
        self._asked = 0  # simulations of this search when halving last began a cycle
        self._seconds = 0.0
        self._stop = threading.Event()
        self._prepared = False

    def prepare(self) -> None:
        """Compile now, so that the next search starts at once."""
        if self._prepared:
            return
        self._run(self.tree, self._work, self._params, self._rng, 0)
        kernels = self._kernels
        kernels["find_child"](self.tree, ROOT, 0)
        kernels["home"](self.tree, ROOT)
        kernels["fewest_visits"](self.tree, np.zeros(BUCKETS, np.int64), 1)
        kernels["compact"](self.tree, ROOT, 0)
        self._prepared = True

    def search(
        self,
        position: Position,
        limit: Limit,
        *,
        progress: Progress | None = None,
        interval: float = PROGRESS_SECONDS,
        enough: Callable[[], bool] | None = None,
    ) -> Decision:
        """Search until the limit is reached.

        ``progress`` gets a decision every ``interval`` seconds.
        ``enough`` is asked about every 20 ms, after the first simulation; True ends the search.
        Ctrl-C raises `KeyboardInterrupt` as usual and leaves the tree whole: `decision` still
        answers.  `stop`, from another thread, ends the search early without an error.
        """
        self._stop.clear()
        self._check(position)
        self.prepare()
        self._set_root(position)
        self._seconds = 0.0
        begin = told = time.perf_counter()
        size = 1
        try:
            while self._more(limit) and self._budgeted(limit):
                started = time.perf_counter()
                done = self._simulate(self._slice(size, limit))
                now = time.perf_counter()
                self._seconds = now - begin
                size = next_size(done, now - started)
                if progress is not None and now - told >= interval:
                    told = now
                    progress(self.decision())
                if enough is not None and enough():
                    break
            else:
                self._agree()
        finally:
            self._seconds = time.perf_counter() - begin
        return self.decision()

    def _agree(self) -> None:
        """For the robust-max child: go on for up to half as long again, until there is one."""
        most = int(self._done * (1 + EXTENSION))
        while self.config.final == "robust-max" and self._done < most and not agreed(self.tree):
            if self._stop.is_set() or self._proven:
                return
            self._simulate(min(AGREE_SLICE, most - self._done))

    @property
    def simulations(self) -> int:
        """How many the search under way has run, or else the last one."""
        return self._done

    @property
    def _done(self) -> int:
        """Simulations of this search; the root counts them, also when one is interrupted."""
        return self._spent - self._before

    @property
    def _spent(self) -> int:
        """Simulations in the tree; SHOT visits ends of games for nothing."""
        root = self.tree.nodes[ROOT]
        return int(root["visits"]) - (int(root["free"]) if self.config.halving == "shot" else 0)

    def _budgeted(self, limit: Limit) -> bool:
        """With halving: is a cycle under way, or can one begin?

        One cycle has the whole budget, if that is known.  With a clock each cycle doubles what has
        been spent, so that its rounds are those of one cycle with all of it.
        """
        stack = self._work.halving
        if self.config.halving == "off" or stack.depth[0] or stack.budget[0]:
            return True
        if self._asked >= 0 and (limit.simulations is not None or self._asked == self._done):
            return False
        self._asked = self._done
        stack.budget[0] = limit.simulations or max(FIRST_BUDGET, self._spent)
        return True

    @property
    def _survivors(self) -> Any:
        """The root's children as halving has ranked them, or None."""
        stack = self._work.halving
        if stack.ranked[0] == 0:
            return None
        found = records(self.tree, ROOT)
        order = stack.order[0, : stack.frames[0]["kept"]]
        return found[order[order < len(found)]]

    @property
    def _proven(self) -> bool:
        """Is the result of the root certain?"""
        if self.config.solver == "off":
            return False
        root = self.tree.nodes[ROOT]
        return bool(root["lower"] == root["upper"])

    @property
    def _kernels(self) -> dict[str, Callable[..., Any]]:
        return _compiled_compact(self.tree.nodes.dtype, self.config.transpositions, self._jit)

    def stop(self) -> None:
        """End the running search as soon as possible."""
        self._stop.set()

    def decision(self) -> Decision:
        """What the current tree says."""
        if self._root is None or self.tree.nodes[ROOT]["tried"] == 0:
            raise ConfigError("nothing has been searched yet")
        return decide(
            self.game,
            self.tree,
            final=self.config.final,
            secure=self.config.secure,
            simulations=self._done,
            seconds=self._seconds,
            seed=self.seed,
            survivors=self._survivors,
            finished=known(self._work.line),
        )

    def ownership(self) -> npt.NDArray[np.float64] | None:
        """By move code: 1 where the first player mostly ends up with the point, -1 the second.

        Over the simulations since the root was set; None without the setting ``ownership``.
        """
        return ownership(self._work.territory)

    def variations(self, most: int) -> list[Variation]:
        """The best moves of the current tree, the best first, each with its main line."""
        if self._root is None:
            raise ConfigError("nothing has been searched yet")
        order = ranked(self.tree, ROOT, self.config.final, self.config.secure, self._survivors)
        return variations(self.game, self.tree, order[:most])

    def forget(self) -> None:
        """Drop the tree and begin again: the next search is as that of a new searcher."""
        reset(self.tree)
        forget(self._work.memory)
        forget_line(self._work.line)
        self._rng = stream(self.seed, "search")
        self._root = None

    def save_json(self, path: str | Path, *, fewest: int = 1) -> None:
        """Write the tree as nested JSON, without nodes of fewer than ``fewest`` visits."""
        Path(path).write_text(to_json(self.game, self.tree, fewest=fewest))

    def save_dot(self, path: str | Path, *, widest: int = 3, fewest: int = 2) -> None:
        """Write a drawing of the tree in Graphviz's language, the most visited children only."""
        Path(path).write_text(to_dot(self.game, self.tree, widest=widest, fewest=fewest))

    def _more(self, limit: Limit) -> bool:
        if (self._stop.is_set() and self._done > 0) or self._proven:
            return False
        if limit.simulations is not None and self._done >= limit.simulations:
            return False
        if self._before + self._done >= MOST_VISITS:
            return False
        return limit.seconds is None or self._seconds < limit.seconds or self._done == 0

    def _slice(self, size: int, limit: Limit) -> int:
        """How many simulations to run next: never past a limit."""
        if limit.simulations is not None:
            size = min(size, limit.simulations - self._done)
        if limit.seconds is not None and self._done > 0:
            left = (limit.seconds - self._seconds) * self._done / max(self._seconds, 1e-9)
            size = min(size, int(left) + 1)
        return min(size, MOST_VISITS - self._before - self._done)

    def _simulate(self, count: int) -> int:
        """Run simulations; make room when the tree is full."""
        done = int(self._run(self.tree, self._work, self._params, self._rng, count))
        if self.tree.meta[0]["full"] and not self.tree.meta[0]["frozen"]:
            self._make_room()
        return done

    def _make_room(self) -> None:
        """Close the least visited nodes; when that frees nothing, go on without growing."""
        kernels = self._kernels
        target = int(len(self.tree.nodes) * KEPT_SHARE)
        fewest = kernels["fewest_visits"](self.tree, np.zeros(BUCKETS, np.int64), target)
        before = int(self.tree.meta[0]["top"])
        kernels["compact"](self.tree, ROOT, fewest)
        self.tree.meta[0]["frozen"] = self.tree.meta[0]["top"] == before
        self._work.halving.moved[0] = 1

    def _check(self, position: Position) -> None:
        if not _same_game(position.game, self.game):
            raise GameError(
                f"a searcher of {self.game.spec} got a position of {position.game.spec}"
            )
        if position.over:
            raise GameError(f"the game {self.game.spec} is over: {position.result_text()}")

    def _set_root(self, position: Position) -> None:
        index = self._descendant(position)
        before, self._root = self._root, None  # until all is set up: Ctrl-C may come in between
        self._keep_line(before, position)
        if index is None:
            reset(self.tree)
            forget(self._work.memory)
        elif index != ROOT:
            self._kernels["compact"](self.tree, index, 0)
            self.tree.meta[0]["depth"] = 0  # of the old root; found anew as simulations go down
            self._reopen()
        self.tree.meta[0]["frozen"] = 0
        clear(self._work.halving)
        self._before = self._spent
        self._asked = -1
        clear_territory(self._work.territory)
        self._work.states[0] = position.state[0]
        self._work = self._work._replace(history=position.history)
        if self.game.repetition is not None:
            self.tree.nodes[ROOT]["key"] = position.key
        self._root = position

    def _keep_line(self, before: Position | None, position: Position) -> None:
        """Of the best line, keep what is left if the game went on along it."""
        if before is None or not _follows(position, before):
            forget_line(self._work.line)
        else:
            play_on(self._work.line, position.line[before.ply :])

    def _reopen(self) -> None:
        """Forget a proof whose moves were lost to compaction: a decision has to name one."""
        root = self.tree.nodes[ROOT]
        if self._proven and root["tried"] == 0:
            root["lower"], root["upper"] = self.tree.blank[0][["lower", "upper"]].tolist()

    def _descendant(self, position: Position) -> int | None:
        """The node of a position that follows from the current root, or is it; else None."""
        root = self._root
        if root is None or not self.config.reuse or not _follows(position, root):
            return None
        find = self._kernels["find_child"]
        index = ROOT
        for move in position.line[root.ply :]:
            index = int(find(self.tree, index, move))
            if index == NONE:
                return None
        return int(self._kernels["home"](self.tree, index))


def _same_game(a: Game, b: Game) -> bool:
    """Do two games have the same name, parameters and records?"""
    facts = [(g.spec, g.state, g.move_codes, g.max_moves, g.max_length) for g in (a, b)]
    return a is b or facts[0] == facts[1]


def _follows(later: Position, root: Position) -> bool:
    """Was ``later`` reached from ``root``, or is it the same?"""
    return _same_origin(later.origin, root.origin) and later.line[: root.ply] == root.line


def _same_origin(a: Position, b: Position) -> bool:
    """Do two games begin with the same record, and may the same positions not repeat?"""
    if a is b:
        return True
    return a.state.tobytes() == b.state.tobytes() and bool(np.array_equal(a.history, b.history))


def next_size(done: int, seconds: float) -> int:
    """As many simulations as fit into a slice, growing at most fourfold at a time."""
    fitting = int(done * SLICE_SECONDS / max(seconds, 1e-6))
    return max(1, min(fitting, 4 * done))


@lru_cache(maxsize=64)
def _compiled_run(game: Game, config: SearchConfig, jit: bool) -> Callable[..., Any]:
    if config.brue:
        run = brue.run
    else:
        run = loop.run if config.halving == "off" else halving.run
    slots = loop.bindings(game, config)
    return specialise(run, slots, label=f"the search of {game.name}", jit=jit)


@lru_cache(maxsize=8)
def _compiled_compact(node: Any, transpose: bool, jit: bool) -> dict[str, Callable[..., Any]]:
    slots = {"ALL": False, "THREADS": False, "TRANSPOSE": transpose}
    return {
        kernel.__name__: specialise(
            kernel, slots, label=f"the tree ({kernel.__name__})", variant=str(node), jit=jit
        )
        for kernel in (compact, fewest_visits, find_child, home)
    }


def search(
    position: Position,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    config: SearchConfig | None = None,
    progress: Progress | None = None,
    jit: bool | None = None,
) -> Decision:
    """Search one position once.

    >>> from tesuji.games import load
    >>> position = Position.start(load("tictactoe")).play("a1", "a2", "b1", "b2")
    >>> search(position, simulations=1000).text
    'c1'
    """
    limit = Limit(simulations, seconds)
    searcher = Searcher(position.game, config, seed=seed, jit=jit)
    return searcher.search(position, limit, progress=progress)
