"""A player's mind in a whole game: how long to think, when to pass and to resign, and pondering.

    thinker = Thinker(game, config, limit=Limit(seconds=2))
    thought = thinker.think(position, clock)
    if not thought.resigns:
        position = position.play(thought.decision.move)
        thinker.ponder(position)     # in the background, until the next call

A `Searcher` finds the best move of a position within a limit.  `Thinker` adds what a game needs
around that, for any game; what is Go alone is asked for only there.  ``clock.py`` says what a move
may cost, ``stopping.py`` when it has been thought about enough, ``ending.py`` when to pass and
``komi.py`` how to see a handicap game as an even one.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.engines.clock import Clock, Plan, extent, pace
from tesuji.engines.ending import ahead, chosen
from tesuji.engines.komi import faded_komi, with_komi
from tesuji.engines.stopping import Watch
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.games.go.setup import to_move
from tesuji.games.go.status import komi_of
from tesuji.position import Position
from tesuji.search.config import SearchConfig
from tesuji.search.decide import Child, Decision
from tesuji.search.limit import Limit
from tesuji.searcher import PROGRESS_SECONDS, Progress, Searcher

UNTIMED = Limit(seconds=2.0)  # for a move when neither a limit nor a clock is given
ENDLESS = Limit(seconds=1e9)  # for searches that somebody else ends
PAUSE = 0.02  # seconds between two looks when there is nothing left to search
HANDLING = 0.03  # seconds around a thought, to read a command and to answer: nobody measures them
HURRY = 0.05  # seconds for a move below which nothing else may cost time
REROOTED = 4e6  # nodes a second when a tree is cut down to its new root, on a busy machine
CHECK = Limit(simulations=500, seconds=0.2)  # of the search that makes sure of a pass
CHECK_MB = 20.0
FEWEST = 100  # simulations: fewer prove neither that a game is lost nor whose a point is
RESIGN_SHARE = 1 / 9  # of the board is filled before anybody resigns

Owners = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Options:
    """How to play a game, apart from the search."""

    early_stop: bool = True  #: end a search when the move cannot change any more
    resign: float = 0.05  #: resign below this value, two moves in a row; 0: never
    ponder: bool = False  #: think while the opponent does
    cleanup: bool = False  #: Go: take all dead stones off the board
    dynamic_komi: float = 0.0  #: Go: points for a stone of handicap, 7.5 is usual; 0: off

    def __post_init__(self) -> None:
        for key, most in (("resign", 0.5), ("dynamic_komi", 100)):
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ConfigError(f"{key} is {value!r}, it must be a number")
            if not 0 <= value <= most:
                raise ConfigError(f"{key} is {value:g}, it must be 0 to {most:g}")
        for key in ("early_stop", "ponder", "cleanup"):
            if not isinstance(getattr(self, key), bool):
                raise ConfigError(f"{key} is {getattr(self, key)!r}, it must be true or false")


class Thought(NamedTuple):
    """What to do in a position."""

    decision: Decision  #: with the move to play, which may be a pass that the search did not want
    resigns: bool = False
    passes: bool = False  #: is the move a pass?


class Thinker:
    """Plays one side of a game, or both; searches one position at a time."""

    def __init__(
        self,
        game: Game,
        config: SearchConfig | None = None,
        *,
        seed: int = 0,
        limit: Limit | None = None,
        options: Options | None = None,
    ) -> None:
        self.game = game
        self.searcher = Searcher(game, config, seed=seed)
        self.limit = limit  #: for every move, also when a clock runs; may be changed
        self.options = options or Options()  #: may be changed
        self._values: dict[int, tuple[Position, float]] = {}  # each player's last thought
        self._background: _Background | None = None
        self._stopped = threading.Event()
        self._hurried = False  # was there hardly any time for the last thought?

    def prepare(self) -> None:
        """Compile now, so that thinking starts at once."""
        self.halt()
        self.searcher.prepare()
        pace(Position.start(self.game))

    def forget(self) -> None:
        """Begin anew: the next thought is as that of a new thinker."""
        self.halt()
        self.searcher.forget()
        self._values.clear()

    def think(
        self,
        position: Position,
        clock: Clock | None = None,
        progress: Progress | None = None,
        *,
        interval: float = PROGRESS_SECONDS,
        until: Callable[[], bool] | None = None,
        cleanup: bool = False,
    ) -> Thought:
        """What to play; the time that it took is taken off the clock.

        ``progress`` gets a decision every ``interval`` seconds.  ``until`` is asked about every
        20 ms: True answers at once, as `stop` does.  ``cleanup`` is the option of this name, for
        this move.
        """
        self._stopped.clear()
        plan = None if clock is None else clock.allot(pace(position))
        limit = _within(self.limit, plan)
        self._hurried = plan is not None and plan.normal < HURRY
        before = self._value_before(position)
        watch = Watch(
            self.searcher,
            limit,
            plan,
            early=self.options.early_stop,
            forced=len(position.moves) == 1,
            before=before,
        )
        try:
            self.halt()
            self._travel_light(plan)
            decision = self.searcher.search(
                self._seen(position),
                limit,
                progress=progress,
                interval=interval,
                enough=lambda: self._stopped.is_set() or (until and until()) or watch(),
            )
            self._values[position.mover] = position, _worth(decision)
            resigns = self._resigns(position, decision, before)
            decision = self._ending(position, decision, plan, cleanup or self.options.cleanup)
            return Thought(decision, resigns, decision.move == self.game.pass_move)
        finally:
            if clock is not None:
                clock.spend(watch.spent + HANDLING)

    def _travel_light(self, plan: Plan | None) -> None:
        """Drop a tree that takes longer to cut down to its new root than this move may take."""
        nodes = int(self.searcher.tree.meta[0]["top"])
        if plan is not None and nodes / REROOTED > plan.normal:
            self.searcher.forget()

    def _ending(
        self, position: Position, decision: Decision, plan: Plan | None, cleanup: bool
    ) -> Decision:
        """The decision with the move to play: territory may ask for a pass, or forbid it."""
        if self.game.territory is None:
            return decision
        owners = self._owners()
        move = chosen(position, decision, owners, cleanup)
        sure = position.move == self.game.pass_move and ahead(position, None)
        if move == self.game.pass_move and owners is not None and not sure:
            move = chosen(position, decision, self._owners_after_pass(position, plan), cleanup)
        if move == decision.move:
            return decision
        return _changed(decision, self._child(decision, move))

    def _owners(self) -> Owners | None:
        """Who owns which point, if the search has seen enough to tell."""
        return self.ownership() if self.searcher.simulations >= FEWEST else None

    def _owners_after_pass(self, position: Position, plan: Plan | None) -> Owners | None:
        """Who owns which point if the opponent moves next.

        The search of the position itself counts stones as dead that only its own move kills.
        """
        config = replace(self.searcher.config, memory_mb=CHECK_MB)
        searcher = Searcher(self.game, config, seed=self.searcher.seed)
        brief = None if plan is None else Plan(plan.normal, plan.normal)
        searcher.search(to_move(position, 1 - position.mover), _within(CHECK, brief))
        return searcher.ownership() if searcher.simulations >= FEWEST else None

    def _child(self, decision: Decision, move: int) -> Child:
        """What the search knows about a move; a pass may have been too bad to try."""
        unknown = Child(move, self.game.move_text(move), 0, decision.value)
        return next((child for child in decision.children if child.move == move), unknown)

    def _resigns(self, position: Position, decision: Decision, before: float | None) -> bool:
        """Is the game lost, and was it so the last time?"""
        least = self.options.resign
        if before is None or max(before, _worth(decision)) >= least or self.game.players != 2:
            return False
        if sum(child.visits for child in decision.children) < FEWEST:
            return False
        reach = extent(position)
        if reach.played < RESIGN_SHARE * reach.area:
            return False
        return self.game.territory is None or not ahead(position, self._owners())

    def _value_before(self, position: Position) -> float | None:
        """What the mover thought at its last turn, if this game has gone on from there."""
        if position.mover not in self._values:
            return None
        earlier, value = self._values[position.mover]
        at = position.previous
        for _ in range(2 * self.game.players):
            if at is None:
                break
            if at is earlier or at.state.tobytes() == earlier.state.tobytes():
                return value
            at = at.previous
        return None

    def _seen(self, position: Position) -> Position:
        """The position as it is searched: with dynamic komi, if that is wanted."""
        territory, points = self.game.territory, self.options.dynamic_komi
        if territory is None or not territory.komi or not points:
            return position
        komi = faded_komi(position, points)
        return position if komi == komi_of(position) else with_komi(position, komi)

    def stop(self) -> None:
        """End what is under way, from another thread or a signal: a thought answers at once."""
        self._stopped.set()

    # --- while the opponent thinks

    def ponder(self, position: Position) -> None:
        """Search a position in the background, if the options want it, until the next call.

        Not when the time is nearly up: to begin and to end it costs some.
        """
        self.halt()
        if not self.options.ponder or position.over or self._hurried:
            return
        seen = self._seen(position)
        self._background = _Background(
            lambda halted: self.searcher.search(seen, ENDLESS, enough=halted)
        )

    def halt(self) -> None:
        """End pondering.  What went wrong in it is raised here; every other call halts first."""
        if self._background is not None:
            self._background.end()
            ended, self._background = self._background, None
            if ended.error is not None:
                raise ended.error

    # --- analysis

    def analyse(
        self, position: Position, tell: Progress, interval: float, until: Callable[[], bool]
    ) -> None:
        """Search without limit and ``tell`` what is known every ``interval`` seconds.

        ``until`` is asked about every 20 ms; True ends the analysis, as `stop` does.
        """
        self._stopped.clear()
        self.halt()
        told = time.perf_counter()

        def over() -> bool:
            nonlocal told
            if self._stopped.is_set() or until():
                self._stopped.set()
            elif time.perf_counter() - told >= interval:
                told = time.perf_counter()
                tell(self.searcher.decision())
            return self._stopped.is_set()

        self.searcher.search(position, ENDLESS, enough=over)
        while not over():  # a proof can end the search before anybody says so
            time.sleep(PAUSE)

    def ownership(self) -> Owners | None:
        """Who owned which point when playouts of the last search ended, by move codes.

        1: always the first player; -1: always the second; None if the search does not know.
        """
        self.halt()
        return self.searcher.ownership()


class _Background:
    """A search in a thread of its own."""

    def __init__(self, search: Callable[[Callable[[], bool]], object]) -> None:
        self.error: BaseException | None = None
        self._halted = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(search,), name="pondering", daemon=True
        )
        self._thread.start()

    def _run(self, search: Callable[[Callable[[], bool]], object]) -> None:
        try:
            search(self._halted.is_set)
        except BaseException as error:
            self.error = error

    def end(self) -> None:
        """Wait until it has ended, a slice of the search at most."""
        self._halted.set()
        self._thread.join()


def _within(limit: Limit | None, plan: Plan | None) -> Limit:
    """What a search may cost: the limit of a move and the most of the plan both hold."""
    if plan is None:
        return limit or UNTIMED
    if limit is None:
        return Limit(seconds=plan.most)
    return Limit(limit.simulations, min(limit.seconds or plan.most, plan.most))


def _worth(decision: Decision) -> float:
    """The value of a decision, or what is proven."""
    return decision.value if decision.proven is None else decision.proven


def _changed(decision: Decision, child: Child) -> Decision:
    """The same search with another move to play."""
    return replace(
        decision,
        move=child.move,
        text=child.text,
        line=(child.text,),
        visits=child.visits,
        value=child.value,
    )
