"""A Go program as a player, and as a referee, through the Go Text Protocol.

Whatever a program does wrong (it dies, hangs, answers nonsense, plays an illegal move, refuses a
legal one) costs it the game, with the reason and the end of what it wrote to stderr; it is started
again for the next game.
"""

import math
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TypeVar

from tesuji.engines.gtp import GtpDied, GtpHung, GtpNonsense, GtpProgram, GtpRefused
from tesuji.errors import ConfigError, ProgramError
from tesuji.game import Game
from tesuji.games.go.facets import is_go
from tesuji.lab.budget import Budget, Clock
from tesuji.lab.player import GTP_SEEDS, Choice, ForfeitError, Player
from tesuji.position import Position

T = TypeVar("T")

COLOURS = ("black", "white")
QUICK = 10.0  # seconds for a command that needs no thought
STDERR_SHOWN = 1000  # characters kept of what a failing program wrote
SCORE = re.compile(r"(?P<winner>[BW])\+(?P<margin>\S*)|0|draw|jigo", re.IGNORECASE)
REFEREE_TRIES = 3
REASONS = {GtpDied: "crash", GtpHung: "hang", GtpNonsense: "nonsense", GtpRefused: "refusal"}


class GtpGame:
    """A game of Go inside a program: knows which moves the program has seen."""

    def __init__(self, game: Game, command: str, start_seconds: float) -> None:
        if not is_go(game):
            raise ConfigError(f"the program {command!r} plays Go over GTP, not {game.spec}")
        self.size = game.parameters["size"]
        if self.size.width != self.size.height:
            raise ConfigError(f"GTP knows square boards only, not {self.size}")
        self.komi = game.parameters["komi"]
        self.program = GtpProgram(command, start_seconds=start_seconds)
        self.version = f"{self.program.name} {self.program.version}".strip()
        self.seen: list[int] = []

    def clear(self) -> None:
        """An empty board."""
        for command in (f"boardsize {self.size.width}", "clear_board", f"komi {self.komi:g}"):
            self.program.send(command, seconds=QUICK)
        self.seen = []

    def follow(self, position: Position) -> None:
        """Tell the program the moves that it has not seen."""
        for ply, move in enumerate(position.line):
            if ply >= len(self.seen):
                vertex = position.game.move_text(move)
                self.program.send(f"play {COLOURS[ply % 2]} {vertex}", seconds=QUICK)
                self.seen.append(move)


class GtpPlayer(Player):
    """Plays what a program answers to ``genmove``."""

    def __init__(
        self, game: Game, command: str, start_seconds: float = 30.0, patience: float = 60.0
    ) -> None:
        self.patience = patience
        self._open = partial(GtpGame, game, command, start_seconds)
        self._game: GtpGame | None = self._open()
        self._game.clear()
        self.version = self._game.version

    def begin(self, position: Position, seed: int, budget: Budget) -> None:
        self._budget = budget
        self._forfeiting(lambda: self._begin(position, seed))

    def _begin(self, position: Position, seed: int) -> None:
        if self._game is None:
            self._game = self._open()
        self._game.clear()
        program = self._game.program
        if program.knows("set_random_seed"):
            program.send(f"set_random_seed {seed % GTP_SEEDS}", seconds=QUICK)
        if self._budget.timed and program.knows("time_settings"):
            program.send(f"time_settings {_time_settings(self._budget)}", seconds=QUICK)
        self._game.follow(position)

    def choose(self, position: Position, clock: Clock) -> Choice:
        return self._forfeiting(lambda: self._choose(position, clock))

    def _choose(self, position: Position, clock: Clock) -> Choice:
        assert self._game is not None
        self._game.follow(position)
        program = self._game.program
        colour = COLOURS[position.mover]
        seconds = clock.left if clock.left is not None else clock.budget.seconds
        if seconds is not None and program.knows("time_left"):
            stones = 0 if clock.left is not None else 1
            program.send(f"time_left {colour} {_whole(seconds)} {stones}", seconds=QUICK)
        answer = program.send(f"genmove {colour}", seconds=self.patience + (seconds or 0.0))
        if answer.strip().lower() == "resign":
            return Choice(None)
        move = _legal(position, answer)
        self._game.seen.append(move)
        return Choice(move)

    def _forfeiting(self, act: Callable[[], T]) -> T:
        """Turn a failure of the program into a lost game; a broken program is let go."""
        try:
            return act()
        except ProgramError as error:
            stderr = self._game.program.stderr[-STDERR_SHOWN:] if self._game is not None else ""
            self.close()
            detail = f"{error}\n{stderr}".strip()
            raise ForfeitError(REASONS.get(type(error), "crash"), detail) from None

    def close(self) -> None:
        if self._game is not None:
            self._game.program.close()
            self._game = None


class Referee:
    """A program that scores finished games."""

    def __init__(self, game: Game, command: str, start_seconds: float, patience: float) -> None:
        self._open = partial(GtpGame, game, command, start_seconds)
        self._patience = patience
        self._game: GtpGame | None = self._open()
        self.version = self._game.version

    def score(self, position: Position) -> tuple[float, str]:
        """Black's points (1, 0.5 or 0) and the program's own words."""
        for left in reversed(range(REFEREE_TRIES)):
            try:
                return self._score(position)
            except ProgramError as error:
                self.close()
                if left == 0:
                    raise ProgramError(f"the referee failed: {error}") from None
        raise AssertionError

    def _score(self, position: Position) -> tuple[float, str]:
        if self._game is None:
            self._game = self._open()
        self._game.clear()
        self._game.follow(position)
        answer = self._game.program.send("final_score", seconds=self._patience).strip()
        return read_score(answer), answer

    def close(self) -> None:
        """Let the program go."""
        if self._game is not None:
            self._game.program.close()
            self._game = None


@lru_cache(maxsize=64)
def version_of(game: Game, command: str, start_seconds: float, patience: float) -> str:
    """What a program says of itself."""
    player = GtpPlayer(game, command, start_seconds, patience)
    player.close()
    return player.version


def read_score(text: str) -> float:
    """Black's points from a score as GTP writes it.

    >>> [read_score(text) for text in ("B+3.5", "W+R", "0")]
    [1.0, 0.0, 0.5]
    """
    found = SCORE.fullmatch(text)
    if found is None:
        raise ProgramError(f"{text!r} is not a score, such as B+3.5, W+0.5 or 0")
    if found["winner"] is None:
        return 0.5
    return 1.0 if found["winner"].upper() == "B" else 0.0


def _legal(position: Position, answer: str) -> int:
    """The program's move; what cannot be read is nonsense, `MoveError` means it is illegal."""
    try:
        move = position.game.parse_move(answer.strip())
    except ValueError as error:
        raise ForfeitError("nonsense", f"genmove was answered with {answer!r}: {error}") from None
    position.play(move)
    return move


def _time_settings(budget: Budget) -> str:
    """Main time, seconds of a byo-yomi period and its stones."""
    if budget.game_seconds is not None:
        return f"{_whole(budget.game_seconds)} 0 0"
    return f"0 {_whole(budget.seconds or 0)} 1"


def _whole(seconds: float) -> int:
    """GTP counts whole seconds; 0 would mean that the time is up."""
    return max(math.ceil(seconds), 1)
