"""One game of a match, from the opening to the result."""

import json
import operator
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np

import tesuji
from tesuji.compile import seed_of, stream
from tesuji.compile.plain import interpret
from tesuji.errors import MoveError
from tesuji.game import CHANCE, Game
from tesuji.lab.budget import Budget, Clock
from tesuji.lab.gtp_player import Referee
from tesuji.lab.match import RESIGN_TURNS, SIDES, Match, Result
from tesuji.lab.player import Choice, ForfeitError, Player
from tesuji.play.clock import pace
from tesuji.position import Position


def dense(value: Any) -> str:
    """JSON without blanks, as a store keeps it."""
    return json.dumps(value, separators=(",", ":"))


@dataclass
class Played:
    """Everything about one game.  Pairs of figures are those of player a and player b."""

    number: int
    first: str  #: who moved first, "a" or "b"
    seed: int
    opening: list[str]
    moves: list[str] = field(default_factory=list)  #: after the opening
    score: float = 0.5  #: of player a: 1, 0.5 or 0
    reason: str = "end"  #: end, resignation, time, length, or what a player forfeited it for
    detail: str = ""
    turns: list[int] = field(default_factory=lambda: [0, 0])
    simulations: list[int] = field(default_factory=lambda: [0, 0])
    thinking: list[float] = field(default_factory=lambda: [0.0, 0.0])  #: seconds
    #: move by move: seconds, simulations, and the mover's own value or None
    figures: list[tuple[float, int, float | None]] = field(default_factory=list)
    seconds: float = 0.0  #: of the whole game
    started: str = ""
    version: str = tesuji.__version__
    programs: list[str] = field(default_factory=lambda: ["", ""])  #: external ones, with versions
    code: str = ""  #: its identity; "" in games of a time when it was not kept
    machine: str = ""

    @property
    def result(self) -> Result:
        """What counts for the match."""
        same = hash((dense(self.opening), dense(self.moves)))
        return Result(self.score, self.reason, same, self.code, self.machine)


def play(
    match: Match,
    number: int,
    game: Game,
    players: Sequence[Player],
    referee: Referee | None = None,
) -> Played:
    """Play game ``number`` of a match.  ``players`` are a and b."""
    return _Table(match, number, game, players, referee).run()


class _Table:
    """A game in progress.  Sides are 0 for a and 1 for b; a game's players are 0 and 1 too."""

    def __init__(
        self,
        match: Match,
        number: int,
        game: Game,
        players: Sequence[Player],
        referee: Referee | None,
    ) -> None:
        self.match = match
        self.game = game
        self.players = players
        self.referee = referee
        self.first = match.first(number)
        self.seed = match.game_seed(number)
        self.position = match.rules.openings.position(game, match.seed, number // 2)
        self.dice = stream(self.seed, "dice")
        self.clocks = [Clock(budget) for budget in match.budgets]
        self.hopeless = [0, 0]
        self.last_seconds: float | None = None  # of a's last move
        opening = [game.move_text(move) for move in self.position.line]
        self.record = Played(number, SIDES[self.first], self.seed, opening)
        self.record.programs = [player.version for player in players]

    def run(self) -> Played:
        self.record.started = datetime.now(UTC).isoformat(timespec="seconds")
        begin = time.perf_counter()
        try:
            for side, player in enumerate(self.players):
                self.guarded(side, lambda s=side, p=player: self.seat(s, p))
            while not self.position.over and self.position.ply < self.game.max_length:
                self.move()
            self.finish()
        except _Ended:
            pass
        self.record.seconds = time.perf_counter() - begin
        return self.record

    def side(self, player: int) -> int:
        """Which side plays the game's player 0 or 1."""
        return player ^ self.first

    def seat(self, side: int, player: Player) -> None:
        seed = seed_of(self.seed, "player", SIDES[side])
        player.begin(self.position, seed, self.match.budgets[side])

    def move(self) -> None:
        if self.position.mover == CHANCE:
            self.play(self.position.roll(self.dice), (0.0, 0, None))
            return
        side = self.side(self.position.mover)
        clock = self.clock(side)
        begin = time.perf_counter()
        choice = self.guarded(side, lambda: self.choose(side, clock))
        seconds = time.perf_counter() - begin
        if side == 0:
            self.last_seconds = seconds
        self.count(side, choice, seconds)
        if choice.move is None:
            self.lose(side, "resignation", "")
        if not self.clocks[side].spend(seconds):
            self.lose(side, "time", f"{-(self.clocks[side].left or 0):.3f} s too late")
        self.resign_if_hopeless(side, choice)
        self.guarded(
            side, lambda: self.play(choice.move, (seconds, choice.simulations, choice.value))
        )

    def choose(self, side: int, clock: Clock) -> Choice:
        """The player's answer, in time and of the right kind."""
        return _sound(self.players[side].choose(self.position, clock))

    def patience(self, side: int) -> float | None:
        """How long a user's own code may take; programs and searches keep their time themselves."""
        if self.match.entrants[side].kind != "python":
            return None
        limit = self.clock(side).limit
        return self.match.rules.patience + ((limit and limit.seconds) or 0.0)

    def clock(self, side: int) -> Clock:
        """The clock of the mover; b's shows the time of a's last move in a time-equalised match.

        Before a has moved there is no such time: b then gets a's simulations.
        """
        if not (self.match.rules.time_equalised and side == 1):
            if self.clocks[side].left is not None:
                self.clocks[side].pace = pace(self.position)
            return self.clocks[side]
        if self.last_seconds is None:
            return Clock(Budget(sims=self.match.budgets[0].sims))
        return Clock(Budget(seconds=self.last_seconds))

    def count(self, side: int, choice: Choice, seconds: float) -> None:
        self.record.turns[side] += 1
        self.record.simulations[side] += choice.simulations
        self.record.thinking[side] += seconds

    def resign_if_hopeless(self, side: int, choice: Choice) -> None:
        poor = choice.value is not None and choice.value < self.match.rules.resign
        self.hopeless[side] = self.hopeless[side] + 1 if poor else 0
        if self.hopeless[side] >= RESIGN_TURNS:
            self.lose(side, "resignation", f"value {choice.value:.3f}")

    def play(self, move: Any, figures: tuple[float, int, float | None]) -> None:
        self.position = self.position.play(move)
        assert self.position.move is not None
        self.record.moves.append(self.game.move_text(self.position.move))
        self.record.figures.append(figures)

    def guarded(self, side: int, act: Any) -> Any:
        """What a player does wrong costs it the game."""
        try:
            with _deadline(self.patience(side)):
                return act()
        except ForfeitError as error:
            self.lose(side, error.reason, error.detail)
        except MoveError as error:
            self.lose(side, "illegal move", str(error))
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            if self.match.entrants[side].kind != "python":
                raise  # ours: a fault of the lab, not of the player
            self.lose(side, "crash", f"{type(error).__name__}: {error}")

    def lose(self, side: int, reason: str, detail: str) -> None:
        self.record.score = float(side)
        self.record.reason = reason
        self.record.detail = detail
        raise _Ended

    def finish(self) -> None:
        """The rewards of the game, or what the referee says."""
        if not self.position.over:
            self.record.reason = "length"
        if self.referee is not None:
            points, self.record.detail = self.referee.score(self.position)
        else:
            points = _points(self.position.rewards or _as_it_stands(self.position))
        self.record.score = points if self.first == 0 else 1.0 - points


def _sound(choice: Any) -> Choice:
    """A player's answer with plain numbers; whatever is no `Choice` is nonsense."""
    with suppress(AttributeError, TypeError, ValueError):
        move = None if choice.move is None else operator.index(choice.move)
        value = None if choice.value is None else float(choice.value)
        simulations = operator.index(choice.simulations)
        if simulations >= 0 and (value is None or 0 <= value <= 1):
            return Choice(move, value, simulations)
    raise ForfeitError(
        "nonsense", f"choose() gave {choice!r}, it must give a Choice(move, value, simulations)"
    )


@contextmanager
def _deadline(seconds: float | None) -> Iterator[None]:
    """Interrupt Python code that takes too long; only the main thread of a process can be."""
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise ForfeitError("hang", f"no answer after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Ended(Exception):  # noqa: N818  # not an error: it carries a decided game out of the loop
    pass


def _points(rewards: Sequence[float]) -> float:
    """What the first player gets for a result: a win is 1, a draw a half."""
    return 0.5 + 0.5 * ((rewards[0] > rewards[1]) - (rewards[0] < rewards[1]))


def _as_it_stands(position: Position) -> list[float]:
    """The rewards of a game that is cut off."""
    rewards = np.zeros(position.game.players, np.float64)
    interpret(_reward)(position.game, position.state.copy(), rewards)
    return rewards.tolist()


def _reward(game: Game, states: Any, rewards: Any) -> None:
    game.rewards(states[0], rewards)
