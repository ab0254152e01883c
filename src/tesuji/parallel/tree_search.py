"""The search in one tree: its root, its memory, its budget.

A *tree search* runs simulations below a position, on one thread or on all of them (`schemes`).
Between two positions of one game it keeps the part of the tree that is still of use; when memory is
used up it makes room.  `tesuji.parallel.root_parallel` is the same for several trees.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile import specialise
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.parallel.runners import OneThread
from tesuji.parallel.schemes import runner
from tesuji.position import Position
from tesuji.search.access import PLAIN
from tesuji.search.compact import BUCKETS, compact, fewest_visits
from tesuji.search.config import SearchConfig
from tesuji.search.context import forget, reserve
from tesuji.search.decide import records
from tesuji.search.limit import Limit
from tesuji.search.part import OFF
from tesuji.search.parts.line import forget_line, known, play_on
from tesuji.search.parts.ownership import ownership
from tesuji.search.tree import NONE, ROOT, Tree, find_child, reset, resolve

FIRST_BUDGET = 1000  # of halving without a limit of simulations; then all that was spent so far
KEPT_SHARE = 0.5  # of a full tree, when rarely visited branches give way


class TreeSearch:
    """Searches below one position after another with one configuration."""

    def __init__(
        self,
        game: Game,
        config: SearchConfig,
        seed: int,
        jit: bool,
        runs: Callable[[Game, SearchConfig, Tree, int, bool], OneThread] = runner,
    ) -> None:
        self.game = game
        self.config = config
        self._jit = jit
        try:
            self._runner = runs(game, config, reserve(game, config), seed, jit)
        except MemoryError:
            raise ConfigError(f"there are no {config.memory_mb} MB for the tree") from None
        self.tree = self._runner.tree
        self.root: Position | None = None
        self._before = 0  # simulations in the tree when this search began
        self._asked = 0  # simulations of this search when halving last began a cycle

    # --- simulations ------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Compile now, so that the next search starts at once."""
        self._runner.prepare()
        kernels = self._kernels
        kernels["find_child"](self.tree, ROOT, 0)
        kernels["resolve"](self.tree, ROOT)
        kernels["fewest_visits"](self.tree, np.zeros(BUCKETS, np.int64), 1)
        kernels["compact"](self.tree, ROOT, 0)

    def simulate(self, count: int) -> int:
        """Run simulations; make room when the tree is full."""
        done = self._runner.run(count)
        if self.tree.meta[0]["full"] and not self.tree.meta[0]["frozen"]:
            self._make_room()
        return done

    def complete(self) -> None:
        """The search is over: nothing may be in flight any more."""
        if self._runner.in_flight:
            self._runner.complete()

    def budgeted(self, limit: Limit) -> bool:
        """With halving: is a cycle in flight, or can one begin?

        One cycle has the whole budget, if that is known.  With a clock each cycle doubles what has
        been spent, so that its rounds are those of one cycle with all of it.
        """
        stack = self.own.halving
        if stack is OFF or stack.depth[0] or stack.budget[0]:
            return True
        if self._asked >= 0 and (limit.simulations is not None or self._asked == self.done):
            return False
        self._asked = self.done
        stack.budget[0] = limit.simulations or max(FIRST_BUDGET, self.spent)
        return True

    def allow(self, visits: int) -> None:
        """Visits that came from other trees are no simulations of this search."""
        self._before += visits

    @property
    def done(self) -> int:
        """Simulations of this search; the root counts them, also when one is interrupted."""
        return self.spent - self._before

    @property
    def spent(self) -> int:
        """Simulations in the tree; SHOT visits ends of games for nothing."""
        root = self.tree.nodes[ROOT]
        visits = int(root["visits"]) + self._runner.in_flight * (1 - self.config.virtual_loss)
        return visits - (int(root["free"]) if self.config.halving == "shot" else 0)

    @property
    def proven(self) -> bool:
        """Is the result of the root certain?"""
        if self.config.solver == "off":
            return False
        root = self.tree.nodes[ROOT]
        return bool(root["lower"] == root["upper"])

    # --- what was found ---------------------------------------------------------------------------

    @property
    def own(self) -> Any:
        """The context of the first thread."""
        return self._runner.contexts[0]

    @property
    def trees(self) -> list[Tree]:
        """All trees that grow here."""
        return [self.tree]

    @property
    def survivors(self) -> Any:
        """The root's children as halving has ranked them, or None."""
        stack = self.own.halving
        if stack is OFF or stack.ranked[0] == 0:
            return None
        found = records(self.tree, ROOT)
        order = stack.order[0, : stack.frames[0]["kept"]]
        return found[order[order < len(found)]]

    @property
    def line(self) -> tuple[float, list[int]] | None:
        """The best finished simulation of a one-player game."""
        lines = [known(own.line) for own in self._runner.contexts]
        return max((line for line in lines if line is not None), default=None)

    @property
    def territories(self) -> list[Any]:
        """Whose the points were, as each thread has counted."""
        return [own.ownership for own in self._runner.contexts]

    def ownership(self) -> npt.NDArray[np.float64] | None:
        """By move code: 1 where the first player mostly ends up with the point, -1 the second."""
        return ownership(self.territories)

    # --- roots ------------------------------------------------------------------------------------

    def set_root(self, position: Position) -> None:
        """Go on from a position, with what the tree knows of it."""
        index = self._descendant(position)
        before, self.root = self.root, None  # until all is set up: Ctrl-C may come in between
        for own in self._runner.contexts:
            _keep_line(own, before, position)
        if index is None:
            reset(self.tree)
            forget(self.own, "tree")
        elif index != ROOT:
            self._kernels["compact"](self.tree, index, 0)
            self.tree.meta[0]["depth"] = 0  # of the old root; found anew as simulations go down
            self._reopen()
        self.tree.meta[0]["frozen"] = 0
        self._before = self.spent
        self._asked = -1
        self._runner.contexts = [_begin(own, position) for own in self._runner.contexts]
        if self.game.repetition is not None:
            self.tree.nodes[ROOT]["key"] = position.repetition
        self.root = position

    def forget(self, seed: int) -> None:
        """Drop the tree and begin again: the next search is as that of a new one."""
        reset(self.tree)
        forget(self.own, "tree")
        for own in self._runner.contexts:
            forget_line(own.line)
        self._runner.reseed(seed)
        self.root = None

    def _reopen(self) -> None:
        """Forget a proof whose moves were lost to compaction: a decision has to name one."""
        root = self.tree.nodes[ROOT]
        if self.proven and root["tried"] == 0:
            root["lower"], root["upper"] = self.tree.blank[0][["lower", "upper"]].tolist()

    def _descendant(self, position: Position) -> int | None:
        """The node of a position that follows from the current root, or is it; else None."""
        root = self.root
        if root is None or self._runner.torn or not self.config.reuse:
            return None
        if not _follows(position, root):
            return None
        find = self._kernels["find_child"]
        index = ROOT
        for move in position.line[root.ply :]:
            index = int(find(self.tree, index, move))
            if index == NONE:
                return None
        return int(self._kernels["resolve"](self.tree, index))

    # --- memory -----------------------------------------------------------------------------------

    @property
    def _kernels(self) -> dict[str, Callable[..., Any]]:
        return _compiled(
            self.tree.nodes.dtype, self.tree.meta.dtype, self.config.transpositions, self._jit
        )

    def _make_room(self) -> None:
        """Close the least visited nodes; when that frees nothing, go on without growing."""
        kernels = self._kernels
        target = int(len(self.tree.nodes) * KEPT_SHARE)
        fewest = kernels["fewest_visits"](self.tree, np.zeros(BUCKETS, np.int64), target)
        before = int(self.tree.meta[0]["top"])
        kernels["compact"](self.tree, ROOT, fewest)
        self.tree.meta[0]["frozen"] = self.tree.meta[0]["top"] == before
        if self.own.halving is not OFF:
            self.own.halving.moved[0] = 1


def _begin(own: Any, position: Position) -> Any:
    """A context for simulations from a position."""
    forget(own, "root")
    own.root[0] = position.state[0]
    return own._replace(history=position.history)


def _keep_line(own: Any, before: Position | None, position: Position) -> None:
    """Of the best line, keep what is left if the game went on along it."""
    if before is None or not _follows(position, before):
        forget_line(own.line)
    else:
        play_on(own.line, position.line[before.ply :])


def _follows(later: Position, root: Position) -> bool:
    """Was ``later`` reached from ``root``, or is it the same?"""
    return _same_origin(later.origin, root.origin) and later.line[: root.ply] == root.line


def _same_origin(a: Position, b: Position) -> bool:
    """Do two games begin with the same record, and may the same positions not repeat?"""
    if a is b:
        return True
    # Fields, not bytes: what lies between them is anything.
    return bool((a.state == b.state).all() and np.array_equal(a.history, b.history))


@lru_cache(maxsize=8)
def _compiled(node: Any, meta: Any, transpose: bool, jit: bool) -> dict[str, Callable[..., Any]]:
    slots = {"access": PLAIN, "ALL_CHILDREN": False, "TRANSPOSE": transpose}
    variant = f"{node} {meta}"
    return {
        kernel.__name__: specialise(
            kernel, slots, label=f"the tree ({kernel.__name__})", variant=variant, jit=jit
        )
        for kernel in (compact, fewest_visits, find_child, resolve)
    }
