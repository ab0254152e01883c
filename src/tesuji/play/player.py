"""A player of whole games: how long to think, when to pass and to resign, and pondering.

    player = Player(game, config, limit=Limit(seconds=2))
    thought = player.think(position, clock)
    if not thought.resigns:
        position = position.play(thought.move)
        player.ponder(position)      # in the background, until the next call

A `Searcher` finds the best move of a position within a limit.  `Player` adds what a game needs
around that, for any game.  It is told no moves: each question comes with its position, which knows
how it was reached, so the caller keeps the game, takes moves back and begins another as he likes.
``clock.py`` says what a move may cost, ``stopping.py`` when it has been thought about enough,
``ending.py`` when to resign and to pass, and ``komi.py`` how to see a handicap game as an even one.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.games.go.setup import to_move
from tesuji.games.go.status import Owners
from tesuji.play.clock import Clock, Plan, pace
from tesuji.play.ending import FEWEST, ended, resigned, worth
from tesuji.play.komi import balanced
from tesuji.play.stopping import Watch
from tesuji.position import Position
from tesuji.search.config import SearchConfig
from tesuji.search.decide import Decision, Variation
from tesuji.search.limit import Limit
from tesuji.search.slices import PROGRESS_SECONDS
from tesuji.searcher import Progress, Searcher

ENDLESS = Limit(seconds=1e9)  # for searches that somebody else ends
PAUSE = 0.02  # seconds between two looks when there is nothing left to search
HANDLING = 0.03  # seconds around a thought, to read a command and to answer: nobody measures them
HURRY = 0.05  # seconds for a move below which nothing else may cost time
REROOTED = 4e6  # nodes a second when a tree is cut down to its new root, on a busy machine
CHECK = 500  # simulations of the search that makes sure of a pass
CHECK_SECONDS = 0.2  # that it may take where the move is timed
CHECK_MB = 20.0
SETTLE = 500  # simulations that show which stones can be captured
REFEREE = SearchConfig(ownership=True, memory_mb=20)


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


def always(game: Game) -> dict[str, Any]:
    """Settings of every player of a game, unless somebody says otherwise.

    The end of a game asks whose the points are.
    """
    return {"ownership": True} if game.owners is not None else {}


class Thought(NamedTuple):
    """What to do in a position."""

    position: Position
    decision: Decision  #: with the move to play, which may be a pass that the search did not want
    resigns: bool = False

    @property
    def move(self) -> int:
        """The move to play, unless it resigns."""
        return self.decision.move

    @property
    def passes(self) -> bool:
        """Is the move a pass?"""
        return self.move == self.position.game.pass_move


class Player:
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
        self.seen: Position | None = None  #: what was searched last, unless it has pondered since
        self._values: dict[int, tuple[Position, float]] = {}  # each player's last thought
        self._background: _Background | None = None
        self._stopped = threading.Event()
        self._hurried = False  # was there hardly any time for the last thought?

    def prepare(self) -> None:
        """Compile now, so that thinking starts at once."""
        self.halt()
        self.searcher.prepare()
        pace(Position.start(self.game))

    def begin(self, seed: int | None = None) -> None:
        """A new game, with another seed if one is given: it plays as a new player would."""
        self.halt()
        self.seen = None
        if seed is not None:
            self.searcher.seed = seed
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
        if self._background is None:  # or else the search is in use there, and compiled
            self.searcher.prepare()  # that is no thinking
        self._stopped.clear()
        before = self._value_before(position)
        plan = None if clock is None else clock.allot(pace(position))
        self._hurried = plan is not None and plan.normal < HURRY
        watch = Watch(
            self.searcher,
            self.limit,
            plan,
            early=self.options.early_stop,
            forced=len(position.moves) == 1,
            before=before,
        )
        try:
            self.halt()
            self._travel_light(plan)
            self.seen = position
            decision = self.searcher.search(
                balanced(position, self.options.dynamic_komi),
                watch.limit,
                progress=progress,
                interval=interval,
                enough=lambda: self._stopped.is_set() or (until and until()) or watch(),
                look_every=watch.step,
            )
            owners = self.searcher.ownership() if decision.simulations >= FEWEST else None
            self._values[position.mover] = position, worth(decision)
            resigns = resigned(position, decision, owners, before, self.options.resign)
            check = partial(self._owners_after_pass, position, watch.limit, plan)
            cleanup = cleanup or self.options.cleanup
            return Thought(position, ended(position, decision, owners, check, cleanup), resigns)
        finally:
            if clock is not None:
                clock.spend(watch.spent + HANDLING)

    def _travel_light(self, plan: Plan | None) -> None:
        """Drop a tree that takes longer to cut down to its new root than this move may take."""
        nodes = int(self.searcher.tree.meta[0]["top"])
        if plan is not None and nodes / REROOTED > plan.normal:
            self.searcher.forget()

    def _owners_after_pass(
        self, position: Position, limit: Limit, plan: Plan | None
    ) -> Owners | None:
        """Who owns which point if the opponent moves next.

        The search of the position itself counts stones as dead that only its own move kills.
        """
        config = replace(self.searcher.config, memory_mb=CHECK_MB)
        searcher = Searcher(self.game, config, seed=self.searcher.seed)
        seconds = CHECK_SECONDS if plan is None else min(CHECK_SECONDS, plan.normal)
        check = Limit(CHECK, None if limit.seconds is None else seconds)
        searcher.search(to_move(position, 1 - position.mover), check)
        return searcher.ownership() if searcher.simulations >= FEWEST else None

    def _value_before(self, position: Position) -> float | None:
        """What the mover thought at its last turn, if this game has gone on from there."""
        if position.mover not in self._values:
            return None
        earlier, value = self._values[position.mover]
        at = position.previous
        for _ in range(2 * self.game.players):
            if at is None:
                break
            if at is earlier or bool((at.state == earlier.state).all()):
                return value
            at = at.previous
        return None

    def stop(self) -> None:
        """End what is under way, from another thread or a signal: a thought answers at once."""
        self._stopped.set()

    # --- while the opponent thinks

    def ponder(self, position: Position) -> None:
        """Search a position in the background, if the options want it, until the next call.

        Not when the time is nearly up: to begin and to end it costs some.
        """
        self.halt()
        self.seen = None
        if not self.options.ponder or position.over or self._hurried:
            return
        seen = balanced(position, self.options.dynamic_komi)
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
        self.seen = position
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

    # --- what it has found out

    def variations(self, most: int) -> list[Variation]:
        """The best moves of the last search, the best first, each with its main line."""
        return self.searcher.variations(most)

    def summary(self) -> tuple[int, float]:
        """The visits of the position of the last search, and its value to the player to move."""
        children = self.searcher.decision().children
        visits = sum(child.visits for child in children)
        return visits, sum(child.visits * child.value for child in children) / visits

    def ownership(self) -> Owners | None:
        """Who owned which point when playouts of the last search ended, by move codes.

        1: always the first player; -1: always the second; None if the search does not know.
        """
        self.halt()
        return self.searcher.ownership()

    def settle(self, position: Position) -> Owners | None:
        """The same for a game that is over or nearly so; None if there is nothing left to play.

        A plain search judges where this player's own cannot tell.
        """
        self.halt()
        if not (self.searcher.config.ownership and self.searcher.config.plays_out):
            referee = Searcher(self.game, REFEREE, seed=self.searcher.seed)
            referee.search(position, Limit(simulations=SETTLE))
            return referee.ownership()
        if self.seen is not position or self.searcher.simulations < SETTLE:
            self.searcher.search(position, Limit(simulations=SETTLE))
            self.seen = position
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
