"""What a match is: who plays whom, at what, from which openings and under which rules.

Games are numbered from 0.  Games 2k and 2k+1 are the pair k: the same opening, and the second time
the other player moves first.  Everything random comes from the match's seed, the pair and the
colour, so a game is the same whichever process plays it, and whenever.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from tesuji.compile import seed_of
from tesuji.errors import ConfigError
from tesuji.factory import digest
from tesuji.game import Game
from tesuji.games import load
from tesuji.lab.budget import Budget
from tesuji.lab.entrant import SEARCHES, Entrant
from tesuji.lab.gtp_player import Referee
from tesuji.lab.opening import Openings
from tesuji.lab.stats import Sprt, SprtWatch, summary
from tesuji.position import Position
from tesuji.search.limit import check_seconds

DEFAULT_BUDGET = Budget(sims=1000)
FAIR_ENDS = ("end", "length", "resignation")  # all other reasons are a player's fault
RESIGN_TURNS = 3  # a player must have been without hope for so many turns of its own
SIDES = ("a", "b")


@dataclass(frozen=True)
class Rules:
    """How the games of a match are conducted, besides the rules of the game."""

    budget: Budget = DEFAULT_BUDGET  #: for players who bring no limits of their own
    openings: Openings = field(default_factory=Openings)
    #: player b gets the time that a's last move took (Pepels 2014)
    time_equalised: bool = False
    resign: float = 0.0  #: a player whose own value stays below this resigns; 0: never
    referee: str = ""  #: a GTP command that scores finished games of Go; "": our area scoring
    start_seconds: float = 30.0  #: an external program must be ready after so many seconds
    patience: float = 60.0  #: and must answer within so many seconds beyond its own limit

    def __post_init__(self) -> None:
        if not 0 <= self.resign < 0.5:
            raise ConfigError(f"resign is {self.resign}, it must be at least 0 and below 0.5")
        for key in ("start_seconds", "patience"):
            check_seconds(key, getattr(self, key))

    @property
    def program_times(self) -> dict[str, float]:
        """What an external program is held to."""
        return {"start_seconds": self.start_seconds, "patience": self.patience}

    def to_json(self) -> dict[str, Any]:
        """Plain data, for a store."""
        flat = {item.name: getattr(self, item.name) for item in fields(self)}
        return {**flat, "budget": asdict(self.budget), "openings": self.openings.to_json()}

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
    game_sha256: str | None = None  #: of the game's file as it was when the match began; "": none

    def __post_init__(self) -> None:
        if self.game_sha256 is None:
            object.__setattr__(self, "game_sha256", _digest_of_game(self.game))

    def load(self) -> Game:
        """The game, unless its file is not the one that the match began with."""
        if _digest_of_game(self.game) != self.game_sha256:
            raise ConfigError(f"the game {self.game} has changed since the match began")
        return game_of(self.game)

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

    @property
    def limits(self) -> tuple[str, str]:
        """The same in words."""
        a, b = map(str, self.budgets)
        return a, "the time of the other's last move" if self.rules.time_equalised else b

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
            "game_sha256": self.game_sha256,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Match":
        """The other way round."""
        return cls(
            data["game"],
            Entrant.from_json(data["a"]),
            Entrant.from_json(data["b"]),
            data["seed"],
            Rules.from_json(data["rules"]),
            data["game_sha256"],
        )

    @cached_property
    def key(self) -> str:
        """What tells this match from all others: any difference that can change a game counts.

        Settings and rules that are as usual are left out: those that come later find old matches.
        """
        rules, usual = self.rules.to_json(), Rules().to_json()
        skipped = self.rules.program_times
        definition = {
            "game": [self.game, self.game_sha256],
            "players": [entrant.meaning for entrant in self.entrants],
            "seed": self.seed,
            "rules": {k: v for k, v in rules.items() if v != usual[k] and k not in skipped},
        }
        text = json.dumps(definition, sort_keys=True)
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


class Result(NamedTuple):
    """How a game ended, and what it was played by."""

    score: float  #: of player a
    reason: str
    moves: int  #: a hash of the opening and the moves: equal games have the same
    code: str = ""  #: its identity (`tesuji.lab.origin`); of old games nobody knows it
    machine: str = ""


class Standing:
    """What has been played of a task."""

    def __init__(self, number: int, task: Task, results: Mapping[int, Result]) -> None:
        self.id = number  #: of the match in its store
        self.task = task
        #: of player a, by the number of the game; None where none is yet
        self.scores: list[float | None] = []
        self.missing = task.games  #: games still to be played, if no test stops the match
        self._results: dict[int, Result] = {}
        self._watch = SprtWatch(task.sprt) if task.sprt is not None else None
        for number, result in sorted(results.items()):
            self.note(number, result)

    def note(self, number: int, result: Result) -> None:
        """A game has been played."""
        self.scores.extend([None] * (number + 1 - len(self.scores)))
        self.scores[number] = result.score
        self._results[number] = result
        self.missing -= number < self.task.games

    @property
    def counted(self) -> list[float | None]:
        """The scores that the result rests on: up to the wanted number, or where SPRT stopped.

        Games beyond that may have been played meanwhile; which ones depends on chance and speed.
        """
        stop = self._stop()
        return self.scores[: self.task.games if stop is None else stop]

    @property
    def codes(self) -> dict[str, int]:
        """By what code the games that count were played, and how many by each."""
        return _count(result.code for result in self._counted_results)

    @property
    def machines(self) -> dict[str, int]:
        """The same of machines."""
        return _count(result.machine for result in self._counted_results)

    @property
    def all_codes(self) -> set[str]:
        """Of the games that do not count, too."""
        return {result.code for result in self._results.values()}

    @property
    def _counted_results(self) -> list[Result]:
        counted = range(len(self.counted))
        return [self._results[number] for number in counted if number in self._results]

    @property
    def finished(self) -> bool:
        """Is nothing missing?"""
        return self.missing <= 0 or self._stop() is not None

    def _stop(self) -> int | None:
        """After how many games SPRT was decided."""
        if self._watch is None:
            return None
        stop = self._watch.stop(self.scores)
        return stop if stop is not None and stop <= self.task.games else None

    def summary(self) -> dict[str, Any]:
        """The figures of the match, with games lost by a fault and how many games differ."""
        found = self._counted_results
        return {
            **summary(self.counted, self.task.sprt),
            "forfeits": _forfeits(found),
            "different": len({result.moves for result in found}),
            "codes": self.codes,
            "machines": self.machines,
        }


def _count(names: Iterable[str]) -> dict[str, int]:
    """How often each occurs, the most frequent first."""
    return dict(Counter(names).most_common())


def _forfeits(results: Sequence[Result]) -> dict[str, dict[str, int]]:
    """How often each side lost by its own fault, by the reason."""
    faults = [result for result in results if result.reason not in FAIR_ENDS]
    lost = {"a": 0.0, "b": 1.0}
    return {
        side: dict(Counter(fault.reason for fault in faults if fault.score == score))
        for side, score in lost.items()
    }


def _digest_of_game(spec: str) -> str:
    """Of the file that a game is in, "" for one that is known by name."""
    path = spec.partition(":")[0]
    return digest(path) if path.endswith(".py") and Path(path).is_file() else ""


@lru_cache(maxsize=64)
def game_of(spec: str) -> Game:
    """The game of a match; the same object for all matches, as it comes with compiled code."""
    return load(spec)


def check(matches: Sequence[Match]) -> None:
    """Find out before the first game whether all can be played; compiles what they need."""
    seen: set[str] = set()
    for match in matches:
        game = match.load()
        if game.players != 2:
            raise ConfigError(f"a match needs two players, {match.game} has {game.players}")
        match.rules.openings.check(game, match.seed)
        _check_budgets(match)
        Position.start(game)
        for entrant in sorted(match.entrants, key=lambda entrant: entrant.kind in SEARCHES):
            key = json.dumps([match.game, entrant.kind, entrant.settings])
            if key not in seen:
                _try_out(entrant, game, match.rules)
                seen.add(key)
        _check_referee(match.rules, game)


def _check_budgets(match: Match) -> None:
    a, b = match.budgets
    if not match.rules.time_equalised:
        return
    if a.sims is None:
        raise ConfigError("a time-equalised match needs a number of simulations for its first side")
    if match.b.budget or b.game_seconds is not None:
        raise ConfigError("in a time-equalised match the second player has no limits of its own")
    if match.b.kind == "gtp":
        raise ConfigError("GTP has no time for a single move: the match cannot be time-equalised")


def _try_out(entrant: Entrant, game: Game, rules: Rules) -> None:
    player = entrant.build(game, **rules.program_times)
    try:
        player.close()
    except Exception as error:
        raise ConfigError(
            f"{entrant.name}: close() raised {type(error).__name__}: {error}"
        ) from error


def _check_referee(rules: Rules, game: Game) -> None:
    if rules.referee:
        referee(rules, game).close()


def referee(rules: Rules, game: Game) -> Referee:
    """The program that scores the games of a match."""
    return Referee(game, rules.referee, **rules.program_times)
