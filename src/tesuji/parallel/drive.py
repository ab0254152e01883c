"""Which loop a search runs, and on how many threads: everything that works in one tree.

`driver` picks: one thread (`tesuji.search.loop`, or the loops of halving and BRUE), one thread with
many simulations under way (`late`), all threads alike (`shared`), or a lead with its hands
(`crew`).  A driver has as many sets of buffers (``works``) as threads; the first is that of the
caller.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from tesuji.compile import fingerprint, specialise, stream
from tesuji.game import Game
from tesuji.parallel import crew, late, shared
from tesuji.parallel.team import Team, own_lines
from tesuji.search import loop
from tesuji.search.bindings import bindings
from tesuji.search.config import SearchConfig
from tesuji.search.part import OFF
from tesuji.search.parts import brue, halving
from tesuji.search.tree import BUSY, EXPANDED, GROWING, NONE, OPEN, Tree, of_thread
from tesuji.search.work import another_thread, make_params, make_work

Kernel = Callable[..., Any]


def driver(game: Game, config: SearchConfig, tree: Tree, seed: int, jit: bool) -> "Driver":
    """What runs the simulations of a search in one tree."""
    if not config.sharing:
        return Driver(game, config, tree, seed, jit)
    if config.crewed:
        return Crewed(game, config, tree, seed, jit)
    return Shared(game, config, tree, seed, jit)


class Driver:
    """One thread."""

    torn = False  #: has a simulation ended in the middle, so that the tree is of no further use?

    def __init__(self, game: Game, config: SearchConfig, tree: Tree, seed: int, jit: bool) -> None:
        self.tree = tree
        self.params = make_params(game, config)
        self.config = config
        self.works = [make_work(game, config)]
        self._run = _compiled(game, config, jit)
        for _ in range(1, config.threads if config.sharing else 1):
            more = make_work(game, config)
            self.works.append(another_thread(self.works[0], more, own_lines))
        self.rngs = _streams(seed, len(self.works))

    def reseed(self, seed: int) -> None:
        """Random numbers as at the beginning."""
        for rng, fresh in zip(self.rngs, _streams(seed, len(self.rngs)), strict=True):
            rng[...] = fresh

    def prepare(self) -> None:
        """Compile."""
        self._run(self.tree, self.works[0], self.params, self.rngs[0], 0)

    def run(self, count: int) -> int:
        """Up to so many simulations; how many there were."""
        return int(self._run(self.tree, self.works[0], self.params, self.rngs[0], count))

    def complete(self) -> None:
        """Bring all simulations that are under way to their end."""
        self.works[0].late.closing[0] = 1
        try:
            self.run(0)
        finally:
            self.works[0].late.closing[0] = 0

    @property
    def under_way(self) -> int:
        """Simulations that have begun and not ended."""
        late = self.works[0].late
        return 0 if late is OFF else int(late.open[0])


class _Several(Driver):
    """Threads in one tree."""

    def __init__(self, game: Game, config: SearchConfig, tree: Tree, seed: int, jit: bool) -> None:
        super().__init__(game, config, tree, seed, jit)
        self._jit = jit
        self._team = Team(len(self.works))
        self._leave = specialise(
            shared.leave_all, _slots(game, config), label="leaving a tree", jit=False
        )

    def _stop(self) -> None:
        self.tree.meta[0]["stop"] = 1

    def _together(self, calls: Sequence[Callable[[], Any]]) -> int:
        """Run one kernel a thread, and leave a whole tree behind, whatever happens."""
        self.tree.meta[0]["stop"] = 0
        try:
            counts = self._team.together(calls, self._stop)
        except BaseException:
            for work in self.works:
                self._leave(self.tree, work, self.params)
            mend(self.tree)
            raise
        return sum(map(int, counts))


class Shared(_Several):
    """All threads alike.  Code that is not compiled has no atomic additions: threads take turns."""

    def run(self, count: int) -> int:
        threads = len(self.works)
        size = shared.share_of(count, threads)
        calls = [
            partial(self._run, of_thread(self.tree, n), work, self.params, rng, size)
            for n, (work, rng) in enumerate(zip(self.works, self.rngs, strict=True))
        ]
        if self._jit:
            return self._work_off(calls, count)
        return sum(self._work_off([call], (count + n) // threads) for n, call in enumerate(calls))

    def _work_off(self, calls: Sequence[Callable[[], Any]], count: int) -> int:
        self.tree.meta[0]["left"] = count
        return self._together(calls)

    def prepare(self) -> None:
        self.tree.meta[0]["left"] = 0
        self._run(self.tree, self.works[0], self.params, self.rngs[0], 1)


class Crewed(_Several):
    """A lead and its hands."""

    def __init__(self, game: Game, config: SearchConfig, tree: Tree, seed: int, jit: bool) -> None:
        super().__init__(game, config, tree, seed, jit)
        self._assist = _compiled_assist(game, config, jit)
        bell = self.works[0].crew.bell[0]
        bell["threads"] = len(self.works)
        bell["hands"] = len(self.works) - 1 if jit else 0

    def run(self, count: int) -> int:
        bell = self.works[0].crew.bell
        bell["rung"], bell["over"] = 0, 0

        def lead() -> int:
            try:
                return Driver.run(self, count)
            finally:
                bell["over"] = 1

        hands = range(1, int(bell[0]["hands"]) + 1)
        return self._together([lead, *(partial(self._help, number) for number in hands)])

    def _help(self, number: int) -> Any:
        lead, work, rng = self.works[0], self.works[number], self.rngs[number]
        return self._assist(of_thread(self.tree, number), lead, work, self.params, rng)

    def prepare(self) -> None:
        super().prepare()
        self.works[0].crew.bell["over"] = 1
        self._help(1)


def mend(tree: Tree) -> None:
    """Make a tree whole again after a thread has failed: nobody holds anything any more."""
    nodes = tree.nodes[: int(tree.meta[0]["top"])]
    status = nodes["status"]
    busy = status == BUSY
    nodes["first"][busy], nodes["tried"][busy], nodes["count"][busy] = NONE, 0, 0
    status[busy], status[status == GROWING] = OPEN, EXPANDED
    if "lock" in (nodes.dtype.names or ()):
        nodes["lock"] = 0
    for name in ("lock", "proving"):
        tree.meta[0][name] = 0


def _streams(seed: int, threads: int) -> list[Any]:
    """Random numbers of each thread; the first has those of a search with one."""
    names = [("search",), *(("search", n) for n in range(1, threads))]
    return [stream(seed, *name) for name in names]


def _loop(config: SearchConfig) -> Kernel:
    """The loop that a thread runs, or that of the lead."""
    if config.brue:
        return brue.run
    if config.halving != "off":
        return halving.run
    if config.in_flight > 1:
        return late.run
    if not config.sharing:
        return loop.run
    return crew.run if config.parallel == "leaf" else shared.run


def _slots(game: Game, config: SearchConfig) -> dict[str, Any]:
    serving = crew.batch if config.sharing else halving.serve_one
    leaf = config.sharing and config.parallel == "leaf"
    return {**bindings(game, config), "crew": {"batch": serving}, "LEAF": leaf}


def identity(game: Game, config: SearchConfig) -> str:
    """A hash of the code that a search runs: of the game's, too."""
    return fingerprint(_loop(config), _slots(game, config))


@lru_cache(maxsize=64)
def _compiled(game: Game, config: SearchConfig, jit: bool) -> Kernel:
    label = f"the search of {game.name}"
    return specialise(_loop(config), _slots(game, config), label=label, jit=jit)


@lru_cache(maxsize=16)
def _compiled_assist(game: Game, config: SearchConfig, jit: bool) -> Kernel:
    label = f"the search of {game.name} (hands)"
    return specialise(crew.assist, _slots(game, config), label=label, jit=jit)
