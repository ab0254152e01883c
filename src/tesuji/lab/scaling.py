"""What threads are worth: more simulations a second, and more strength.

`plan` lists the ways to search, one thread first.  `speeds` lets them take turns and counts
simulations.  `tasks` are matches against one opponent: one thread with 1, 2, 4 ... times the budget
gives the scale on which the other ways, all with the budget once, are measured.  `evaluate` puts
everything together.

The two measures are those of Chaslot (2010, chapter 7): faster is not always stronger.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import seed_of
from tesuji.errors import ConfigError, choices
from tesuji.game import Game
from tesuji.lab.budget import Budget
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Match, Rules, Standing, Task
from tesuji.lab.player import SearchPlayer
from tesuji.lab.stats import StrengthScale, elo, fit_strength
from tesuji.position import Position
from tesuji.search.config import NAMES, SearchConfig
from tesuji.search.limit import Limit

SINGLE = "single"  # one thread
IN_FLIGHT = "in-flight"  # virtual threads
MOST_DOUBLINGS = 20

# Elo for each doubling of the budget.  From a flatter line no budget can be read off: 10 Elo, the
# error of 4,000 games, would stand for a factor of more than 2, and 2^(E / A) could overflow.
LEAST_GROWTH = 10.0


@dataclass(frozen=True)
class Way:
    """A way to search: how many threads work together, and how."""

    scheme: str  #: as users write it, SINGLE or IN_FLIGHT
    threads: int  #: of IN_FLIGHT, simulations under way
    config: SearchConfig
    factor: int = 1  #: times the budget that it plays with

    @property
    def timed(self) -> bool:
        """Is its speed measured?  Virtual threads are there to study strength."""
        return self.factor == 1 and self.scheme != IN_FLIGHT

    @property
    def name(self) -> str:
        """What it is called in matches."""
        if self.scheme == SINGLE:
            return f"1 thread, {self.factor}x"
        what = "in flight" if self.scheme == IN_FLIGHT else f"threads, {self.scheme}"
        return f"{self.threads} {what}"


class Interval(NamedTuple):
    """An estimate with its bounds."""

    value: float
    low: float
    high: float


def plan(
    base: SearchConfig,
    schemes: Iterable[str] = (),
    threads: Iterable[int] = (),
    in_flight: Iterable[int] = (),
    *,
    doublings: int = 0,
) -> list[Way]:
    """One thread, with its budget doubled so many times; then all others.

    A scheme is ``tree``, ``root`` or ``leaf``, with settings after an @: ``tree@lock=local``.
    With one thread all are the same, so a count of 1 adds nothing.
    """
    for key in ("threads", "in_flight"):
        if getattr(base, key) > 1:
            raise ConfigError(f"{key} is {getattr(base, key)}, it must be left to the schemes")
    singles = [Way(SINGLE, 1, base, 2**doubling) for doubling in range(doublings + 1)]
    others = [_way(base, text, count) for text in schemes for count in threads]
    others += [
        Way(IN_FLIGHT, count, base.changed({"parallel": "tree", "in_flight": count}))
        for count in in_flight
    ]
    return [*singles, *dict.fromkeys(way for way in others if way.threads > 1)]


def _way(base: SearchConfig, text: str, threads: int) -> Way:
    scheme, _, options = text.partition("@")
    if scheme not in NAMES["parallel"]:
        raise ConfigError(f"unknown scheme {text!r}; {choices(scheme, NAMES['parallel'])}")
    wanted = base.changed({"parallel": scheme, "threads": threads})
    config = wanted.parsed(filter(None, options.split(",")))
    for key in ("parallel", "threads", "in_flight"):
        if getattr(config, key) != getattr(wanted, key):
            raise ConfigError(f"scheme {text!r} sets {key}, which is not a setting of a scheme")
    return Way(text, threads, config)


def speeds(
    game: Game,
    ways: Sequence[Way],
    *,
    rounds: int,
    seconds: float,
    seed: int = 0,
    watch: Callable[[float], None] | None = None,
) -> list[list[float]]:
    """Simulations a second of each way, round by round.

    In a round each way searches the start position once, with a new tree.  They take turns, so that
    a busy machine slows all of them down.  ``watch`` gets the share that is done.
    """
    limit = Limit(seconds=seconds)
    players = [SearchPlayer(game, way.config) for way in ways]  # compiled from here on
    position = Position.start(game)
    rates: list[list[float]] = [[] for _ in ways]
    for number in range(rounds):
        for player, found in zip(players, rates, strict=True):
            player.begin(position, seed_of(seed, "round", number), Budget())
            decision = player.searcher.search(position, limit)
            found.append(decision.simulations / decision.seconds)
        if watch is not None:
            watch((number + 1) / rounds)
    return rates


def tasks(
    game: str,
    ways: Sequence[Way],
    games: int,
    *,
    opponent: Entrant | None = None,
    seed: int = 0,
    rules: Rules | None = None,
) -> list[Task]:
    """The matches of all ways against one opponent; if none is named, one thread as it is."""
    rules = rules or Rules()
    unit = "sims" if rules.budget.seconds is None else "seconds"
    entrants = [_entrant(way, unit) for way in ways]
    other = opponent or replace(entrants[0], name="opponent")
    return [Task(Match(game, entrant, other, seed, rules), games) for entrant in entrants]


def _entrant(way: Way, unit: str) -> Entrant:
    budget = {unit: f"{way.factor}x"} if way.factor > 1 else {}
    return Entrant.searching(way.name, way.config, budget)


@dataclass(frozen=True)
class Row:
    """What was found out about a way; None where nothing was."""

    way: Way
    rate: float | None  #: simulations a second, the median
    speed: Interval | None  #: as a multiple of one thread's: median and quartiles
    figures: dict[str, Any] | None  #: of its match
    strength: Interval | None  #: times the budget that one thread needs to be as strong

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "scheme": self.way.scheme,
            "threads": self.way.threads,
            "factor": self.way.factor,
            "rate": self.rate,
            "speed": self.speed and self.speed._asdict(),
            "match": self.figures,
            "strength": self.strength and self.strength._asdict(),
        }


@dataclass(frozen=True)
class Scaling:
    """All rows, and the line that strength is read off."""

    rows: list[Row]
    line: StrengthScale | None  #: rating of one thread by the factor of its budget

    @property
    def measures(self) -> bool:
        """Is the line steep enough to tell budgets apart?"""
        return self.line is not None and self.line.a >= LEAST_GROWTH


def evaluate(
    ways: Sequence[Way],
    rates: Mapping[Way, Sequence[float]],
    standings: Mapping[Way, Standing],
) -> Scaling:
    """Put together what was measured; what is missing stays empty."""
    figures = {way: standing.summary() for way, standing in standings.items()}
    line = fit({way: found for way, found in figures.items() if way.scheme == SINGLE})
    rows = [
        Row(
            way,
            float(np.median(rates[way])) if way in rates else None,
            _ratio(rates[way], rates[ways[0]]) if way in rates else None,
            figures.get(way),
            strength(line, figures[way]) if way in figures else None,
        )
        for way in ways
    ]
    return Scaling(rows, line)


def _ratio(rates: Sequence[float], single: Sequence[float]) -> Interval:
    """Median and quartiles of the ratios, each of two searches of the same round."""
    value, low, high = np.percentile(np.divide(rates, single), [50, 25, 75])
    return Interval(float(value), float(low), float(high))


def fit(figures: Mapping[Way, Mapping[str, Any]]) -> StrengthScale | None:
    """The rating of one thread over its budget; None before two budgets have been played."""
    points = [
        (way.factor, rating(found["score"], found["games"]))
        for way, found in figures.items()
        if found["games"]
    ]
    if len(points) < 2:
        return None
    factors, ratings = zip(*points, strict=True)
    return fit_strength(factors, ratings)


def rating(score: float, games: int) -> float:
    """Elo above the opponent, as if half a game at least had been won and lost.

    >>> round(rating(1.0, 100)), round(rating(0.267, 2000))
    (920, -175)
    """
    least = 0.5 / games
    return elo(min(max(score, least), 1 - least))


def strength(line: StrengthScale | None, figures: Mapping[str, Any]) -> Interval | None:
    """The strength speed-up of a match's first player, with the bounds of its score.

    The line is taken as exact; None if it is too flat to measure with.
    """
    if line is None or line.a < LEAST_GROWTH or not figures["games"]:
        return None
    value, low, high = (
        line.speed_up(rating(figures[key], figures["games"]))
        for key in ("score", "score_low", "score_high")
    )
    return Interval(value, low, high)
