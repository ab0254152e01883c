"""What a match is: who plays whom, at what, from which openings and under which rules.

Games are numbered from 0.  Games 2k and 2k+1 are the pair k: the same opening, and the second time
the other player moves first.  Everything random comes from the match's seed, the pair and the
colour, so a game is the same whichever process plays it, and whenever.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from tesuji.compile import seed_of
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.games import load
from tesuji.lab.budget import Budget
from tesuji.lab.entrant import Entrant
from tesuji.lab.gtp_player import Referee
from tesuji.lab.opening import Openings
from tesuji.lab.stats import Sprt, SprtWatch, summary
from tesuji.position import Position

DEFAULT_BUDGET = Budget(sims=1000)
RESIGN_TURNS = 3  # a player must have been without hope for so many turns of its own
SIDES = ("a", "b")


@dataclass(frozen=True)
class Rules:
    """How the games of a match are conducted, besides the rules of the game."""

    budget: Budget = DEFAULT_BUDGET  #: for players who bring no limits of their own
    openings: Openings = field(default_factory=Openings)
    #: player b gets the time that a's last move took (Pepels 2014; spec 2, section 16)
    time_equalised: bool = False
    resign: float = 0.0  #: a player whose own value stays below this resigns; 0: never
    referee: str = ""  #: a GTP command that scores finished games of Go; "": our area scoring
    start_seconds: float = 30.0  #: an external program must be ready after so many seconds
    patience: float = 60.0  #: and must answer within so many seconds beyond its own limit

    def __post_init__(self) -> None:
        if not 0 <= self.resign < 0.5:
            raise ConfigError(f"resign is {self.resign}, it must be at least 0 and below 0.5")
        for key in ("start_seconds", "patience"):
            if not getattr(self, key) > 0:
                raise ConfigError(f"{key} is {getattr(self, key)}, it must be more than 0")

    @property
    def program_times(self) -> dict[str, float]:
        """What an external program is held to."""
        return {"start_seconds": self.start_seconds, "patience": self.patience}

    def to_json(self) -> dict[str, Any]:
        """Plain data, for a store."""
        return {**asdict(self), "openings": self.openings.to_json()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Rules":
        """The other way round."""
        changed = {
            "budget": Budget(**data["budget"]),
            "openings": Openings.from_json(data["openings"]),
        }
        return cls(**{**data, **changed})


@dataclass(frozen=True)
class Match:
    """Two players and everything that decides what their games are."""

    game: str
    a: Entrant
    b: Entrant
    seed: int = 0
    rules: Rules = field(default_factory=Rules)

    @property
    def entrants(self) -> tuple[Entrant, Entrant]:
        """Both players."""
        return self.a, self.b

    @property
    def budgets(self) -> tuple[Budget, Budget]:
        """What each player may spend."""
        return self._budget(self.a), self._budget(self.b)

    def _budget(self, entrant: Entrant) -> Budget:
        if entrant.kind == "random":
            return Budget()
        budget = self.rules.budget.changed(entrant.budget)
        # A program counts no simulations of ours; its command line says how much it thinks.
        return replace(budget, sims=None) if entrant.kind == "gtp" else budget

    def first(self, number: int) -> int:
        """Who moves first in a game: 0 for a, 1 for b."""
        return number % 2

    def game_seed(self, number: int) -> int:
        """The seed of a game: from the match's seed, the pair and the colour."""
        return seed_of(self.seed, "pair", number // 2, "first", SIDES[self.first(number)])

    def to_json(self) -> dict[str, Any]:
        """Plain data, for a store."""
        return {
            "game": self.game,
            "a": asdict(self.a),
            "b": asdict(self.b),
            "seed": self.seed,
            "rules": self.rules.to_json(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Match":
        """The other way round."""
        return cls(
            data["game"],
            Entrant(**data["a"]),
            Entrant(**data["b"]),
            data["seed"],
            Rules.from_json(data["rules"]),
        )

    @cached_property
    def key(self) -> str:
        """What tells this match from all others: any difference gives another key."""
        text = json.dumps(self.to_json(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def __str__(self) -> str:
        return f"{self.a.name} against {self.b.name} at {self.game}"


@dataclass(frozen=True)
class Task:
    """A match, how many games are wanted of it, and when it may stop early."""

    match: Match
    games: int
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.games <= 10_000_000:
            raise ConfigError(f"games is {self.games}, it must be 1 to 10,000,000")


class Standing:
    """What has been played of a task."""

    def __init__(self, identity: int, task: Task, scores: Sequence[float | None]) -> None:
        self.id = identity  #: of the match in its store
        self.task = task
        #: of player a, by the number of the game; None where none is yet
        self.scores: list[float | None] = []
        self._missing = task.games
        self._watch = SprtWatch(task.sprt) if task.sprt is not None else None
        for number, score in enumerate(scores):
            if score is not None:
                self.note(number, score)

    def note(self, number: int, score: float) -> None:
        """A game has been played."""
        self.scores.extend([None] * (number + 1 - len(self.scores)))
        self.scores[number] = score
        self._missing -= number < self.task.games

    @property
    def counted(self) -> list[float | None]:
        """The scores that the result rests on: up to the wanted number, or where SPRT stopped.

        Games beyond that may have been played meanwhile; which ones depends on chance and speed.
        """
        stop = self._stop()
        return self.scores[: self.task.games if stop is None else stop]

    @property
    def finished(self) -> bool:
        """Is nothing missing?"""
        return self._missing == 0 or self._stop() is not None

    def _stop(self) -> int | None:
        """After how many games SPRT was decided."""
        if self._watch is None:
            return None
        stop = self._watch.stop(self.scores)
        return stop if stop is not None and stop <= self.task.games else None

    def summary(self) -> dict[str, Any]:
        """The figures of the match."""
        return summary(self.counted, self.task.sprt)


@lru_cache(maxsize=64)
def game_of(spec: str) -> Game:
    """The game of a match; the same object for all matches, as it comes with compiled code."""
    return load(spec)


def check(match: Match) -> None:
    """Find out before the first game whether the match can be played; compiles what it needs."""
    game = game_of(match.game)
    if game.players != 2:
        raise ConfigError(f"a match needs two players, {match.game} has {game.players}")
    match.rules.openings.check(game)
    budgets = match.budgets
    if match.rules.time_equalised and budgets[0].sims is None:
        raise ConfigError("a time-equalised match needs a number of simulations for its first side")
    Position.start(game)
    for entrant in sorted(match.entrants, key=lambda entrant: entrant.kind == "search"):
        entrant.build(game, **match.rules.program_times).close()
    if match.rules.referee:
        referee(match.rules, game).close()


def referee(rules: Rules, game: Game) -> Referee:
    """The program that scores the games of a match."""
    return Referee(game, rules.referee, **rules.program_times)
