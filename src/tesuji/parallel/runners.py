"""What runs the simulations of one tree: a loop, its thread contexts, its random numbers.

A runner has as many simulations, contexts and streams of random numbers as threads; the first of
each belongs to the thread that calls it.  Which loop, and which runner, `tesuji.parallel.schemes`
says.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from tesuji.compile import specialise, stream
from tesuji.game import Game
from tesuji.parallel import leaf_parallel, tree_parallel
from tesuji.parallel.atomic import access_of
from tesuji.parallel.thread_pool import ThreadPool, own_lines
from tesuji.search.bindings import bindings
from tesuji.search.config import SearchConfig
from tesuji.search.context import another_thread, make_context, make_params, make_simulations
from tesuji.search.part import OFF
from tesuji.search.tree import BUSY, EXPANDED, GROWING, NONE, OPEN, Tree, of_thread

Kernel = Callable[..., Any]


@dataclass(frozen=True)
class Scheme:
    """Who runs simulations where."""

    name: str
    applies: Callable[[SearchConfig], bool]
    loop: Kernel  #: what a thread runs, or the leader
    runner: "type[OneThread]"
    slots: Mapping[str, Any] = field(default_factory=dict, hash=False)
    simulations: Callable[[SearchConfig], int] = lambda config: 1  #: that a thread has at hand
    several_trees: bool = False  #: has each thread a tree of its own, with this scheme in it?


class OneThread:
    """One thread runs the loop."""

    torn = False  #: has a simulation ended in the middle, so that the tree is of no further use?

    def __init__(
        self, scheme: Scheme, game: Game, config: SearchConfig, tree: Tree, seed: int, jit: bool
    ) -> None:
        self.tree = tree
        self.config = config
        self.params = make_params(game, config)
        threads = config.threads if config.sharing else 1
        self.sims = [
            own_lines(make_simulations(game, config, scheme.simulations(config)))
            for _ in range(threads)
        ]
        self.contexts = [make_context(game, config)]
        for _ in range(1, threads):
            more = make_context(game, config)
            self.contexts.append(another_thread(self.contexts[0], more, own_lines))
        self.rngs = _streams(seed, threads)
        self._run = _compiled(scheme, game, config, jit, _variant(tree, self.sims[0]))

    def reseed(self, seed: int) -> None:
        """Random numbers as at the beginning."""
        for rng, fresh in zip(self.rngs, _streams(seed, len(self.rngs)), strict=True):
            rng[...] = fresh

    def prepare(self) -> None:
        """Compile."""
        OneThread.run(self, 0)

    def run(self, count: int) -> int:
        """Up to so many simulations; how many there were."""
        first = self.sims[0], self.contexts[0], self.params, self.rngs[0]
        return int(self._run(self.tree, *first, count))

    def complete(self) -> None:
        """Bring all simulations that are in flight to their end."""
        ring = self.contexts[0].virtual_threads.ring
        ring["closing"] = 1
        try:
            self.run(0)
        finally:
            ring["closing"] = 0

    @property
    def in_flight(self) -> int:
        """Simulations that have begun and not ended."""
        virtual = self.contexts[0].virtual_threads
        return 0 if virtual is OFF else int(virtual.ring["open"][0])


class _Threads(OneThread):
    """Threads in one tree."""

    def __init__(
        self, scheme: Scheme, game: Game, config: SearchConfig, tree: Tree, seed: int, jit: bool
    ) -> None:
        super().__init__(scheme, game, config, tree, seed, jit)
        self._jit = jit
        self._pool = ThreadPool(len(self.contexts))
        slots = slots_of(scheme, game, config)
        self._take_back = specialise(
            tree_parallel.take_back, slots, label="leaving a tree", jit=False
        )

    def _stop(self) -> None:
        self.tree.meta[0]["stop"] = 1

    def _together(self, calls: Sequence[Callable[[], Any]]) -> int:
        """Run one kernel a thread, and leave a whole tree behind, whatever happens."""
        self.tree.meta[0]["stop"] = 0
        try:
            counts = self._pool.together(calls, self._stop)
        except BaseException:
            for sims, own in zip(self.sims, self.contexts, strict=True):
                self._take_back(self.tree, sims, own, self.params)
            release(self.tree)
            raise
        return sum(map(int, counts))


class SharedTree(_Threads):
    """All threads alike.  Code that is not compiled has no atomic additions: threads take turns."""

    def run(self, count: int) -> int:
        threads = len(self.contexts)
        size = tree_parallel.share_of(count, threads)
        calls = [
            partial(self._run, of_thread(self.tree, n), sims, own, self.params, rng, size)
            for n, (sims, own, rng) in enumerate(
                zip(self.sims, self.contexts, self.rngs, strict=True)
            )
        ]
        if self._jit:
            return self._work_off(calls, count)
        return sum(self._work_off([call], (count + n) // threads) for n, call in enumerate(calls))

    def _work_off(self, calls: Sequence[Callable[[], Any]], count: int) -> int:
        self.tree.meta[0]["left"] = count
        return self._together(calls)

    def prepare(self) -> None:
        self.tree.meta[0]["left"] = 0
        first = self.sims[0], self.contexts[0], self.params, self.rngs[0]
        self._run(self.tree, *first, 1)


class LeaderAndHelpers(_Threads):
    """One thread runs the loop, the others help it where it says."""

    def __init__(
        self, scheme: Scheme, game: Game, config: SearchConfig, tree: Tree, seed: int, jit: bool
    ) -> None:
        super().__init__(scheme, game, config, tree, seed, jit)
        self._help = _compiled_help(scheme, game, config, jit, _variant(tree, self.sims[0]))
        signal = self.contexts[0].leaf.signal[0]
        signal["threads"] = len(self.contexts)
        signal["helpers"] = len(self.contexts) - 1 if jit else 0

    def run(self, count: int) -> int:
        signal = self.contexts[0].leaf.signal
        signal["given"], signal["over"] = 0, 0

        def lead() -> int:
            try:
                return OneThread.run(self, count)
            finally:
                signal["over"] = 1

        helpers = range(1, int(signal[0]["helpers"]) + 1)
        return self._together([lead, *(partial(self._help_out, number) for number in helpers)])

    def _help_out(self, number: int) -> Any:
        leader = self.sims[0], self.contexts[0]
        helper = self.sims[number], self.contexts[number]
        tree = of_thread(self.tree, number)
        return self._help(tree, *leader, *helper, self.params, self.rngs[number])

    def prepare(self) -> None:
        super().prepare()
        self.contexts[0].leaf.signal["over"] = 1
        self._help_out(1)


def release(tree: Tree) -> None:
    """Make a tree whole again after a thread has failed: nobody holds anything any more."""
    nodes = tree.nodes[: int(tree.meta[0]["top"])]
    status = nodes["status"]
    busy = status == BUSY
    nodes["first"][busy], nodes["tried"][busy], nodes["count"][busy] = NONE, 0, 0
    status[busy], status[status == GROWING] = OPEN, EXPANDED
    if "lock" in (nodes.dtype.names or ()):
        nodes["lock"] = 0
    for name in {"lock", "proving"} & set(tree.meta.dtype.names or ()):
        tree.meta[0][name] = 0


def slots_of(scheme: Scheme, game: Game, config: SearchConfig) -> dict[str, Any]:
    """What stands behind the slots of the kernels that a scheme runs."""
    return {**bindings(game, config), "access": access_of(config), **scheme.slots}


def _streams(seed: int, threads: int) -> list[Any]:
    """Random numbers of each thread; the first has those of a search with one."""
    names = [("search",), *(("search", n) for n in range(1, threads))]
    return [stream(seed, *name) for name in names]


def _variant(tree: Tree, sims: Any) -> str:
    """The records that kernels are compiled for."""
    return f"{tree.nodes.dtype} {tree.meta.dtype} {sims.dtype}"


@lru_cache(maxsize=64)
def _compiled(scheme: Scheme, game: Game, config: SearchConfig, jit: bool, variant: str) -> Kernel:
    slots = slots_of(scheme, game, config)
    label = f"the search of {game.name}"
    return specialise(scheme.loop, slots, label=label, variant=variant, jit=jit)


@lru_cache(maxsize=16)
def _compiled_help(
    scheme: Scheme, game: Game, config: SearchConfig, jit: bool, variant: str
) -> Kernel:
    slots = slots_of(scheme, game, config)
    label = f"the search of {game.name} (helpers)"
    kernel = leaf_parallel.help_leader
    return specialise(kernel, slots, label=label, variant=variant, jit=jit)
