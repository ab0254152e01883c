"""What a player may spend on a move when the whole game is timed.

    clock = Clock(TimeSettings.gtp(1200, 0, 0))
    plan = clock.allot(pace(position))   # normal and most seconds, None without a limit
    clock.spend(seconds)                 # what the move has cost

Main time is shared out by ``left / (C + max(MaxPly - ply, 0))`` (Huang, Coulom and Lin, "Time
Management for Monte-Carlo Tree Search Applied to the Game of Go", 2010): little while the board is
open, most in the middle, and what is left fades in the endgame.  `pace` is the divisor, and knows
the game; `Clock` knows only time.

A move costs more than its thinking: messages travel, the machine is busy.  ``lag`` seconds are kept
back for this move and for every move that is to come, the latter up to half of the time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import NamedTuple, Self

from tesuji.compile import draw_below, stream
from tesuji.errors import ConfigError, choices
from tesuji.facets import EMPTY
from tesuji.game import Game
from tesuji.position import Position
from tesuji.search.limit import LONGEST

LAG = 0.3  #: seconds that a move may cost beyond its thinking
LEAST = 0.001  # seconds for a move when the time is nearly up: a few simulations
ROUNDED = 1.0  # seconds by which a controller's whole numbers may be too large
STRETCH = 3.0  # times the normal time: the most that an unclear move gets

# C = MaxPly = 80 on 19x19, as published.  On 9x9 a game of 20 s is used up best with C = 12 and
# MaxPly = 24, a later peak; powers of the area go through both.
FULL_AREA = 361
FULL_MOVES = 80
MOVES_POWER = 1.25  # of the area, in C
PEAK_POWER = 0.8  # of the area, in MaxPly
EYES = 0.15  # of the points are still empty when a game of Go ends
FILLED = 0.75  # plies of a game of Go by its points; other games are put on this scale
SAMPLES = 5  # random games that tell how long a game is


class Pace(NamedTuple):
    """How far a game is."""

    divisor: float  #: the next move gets one part of so many
    moves: float  #: moves that the player may still have to make


class Plan(NamedTuple):
    """Seconds for one move."""

    normal: float  #: what it should take
    most: float  #: what it may take if the position is unclear


@dataclass(frozen=True)
class TimeSettings:
    """The time of a game: main time, then byo-yomi.

    ``count`` is the number of stones of a Canadian period, or of Japanese periods.
    """

    kind: str = "none"  #: none, absolute, byoyomi (Japanese) or canadian
    main: float = 0.0  #: seconds
    period: float = 0.0  #: seconds of a period of byo-yomi
    count: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ConfigError(f"unknown time system {self.kind!r}; {choices(self.kind, KINDS)}")
        for name in ("main", "period"):
            value = getattr(self, name)
            if not 0 <= value <= LONGEST:
                raise ConfigError(
                    f"{name} is {value}, it must be 0 or more seconds, at most {LONGEST:,.0f}"
                )
        timed = self.kind in ("byoyomi", "canadian")
        if timed != (self.period > 0) or timed != (self.count > 0):
            needs = "more than 0" if timed else "0"
            raise ConfigError(
                f"{self.kind} time has a period of {self.period:g} s and a count of {self.count}, "
                f"both must be {needs}"
            )

    @classmethod
    def gtp(cls, main: float, period: float, stones: int) -> Self:
        """From ``time_settings``: byo-yomi is Canadian, and a period without stones has no limit.

        >>> TimeSettings.gtp(60, 0, 0)
        TimeSettings(kind='absolute', main=60, period=0.0, count=0)
        """
        if period == 0:
            return cls("absolute", main)
        return cls("canadian", main, period, stones) if stones != 0 else cls()

    @classmethod
    def kgs(cls, words: Sequence[str]) -> Self:
        """From the words after ``kgs-time_settings``.

        >>> TimeSettings.kgs(["byoyomi", "600", "30", "5"])
        TimeSettings(kind='byoyomi', main=600.0, period=30.0, count=5)
        """
        kind = words[0] if words else ""
        if kind not in KINDS:
            raise ConfigError(f"unknown time system {kind!r}; {choices(kind, KINDS)}")
        wanted = KINDS[kind]
        try:
            if len(words) - 1 != len(wanted):
                raise ValueError
            main, period = (float(word) for word in [*words[1:3], "0", "0"][:2])
            count = int(words[3]) if len(words) > 3 else 0
        except ValueError:
            form = " ".join((kind, *wanted))
            raise ConfigError(f"{' '.join(words)!r} is not {form!r} with numbers") from None
        return cls(kind, main, period, count)


#: what KGS says after the name of a time system
KINDS = {
    "none": (),
    "absolute": ("MAIN",),
    "byoyomi": ("MAIN", "PERIOD", "PERIODS"),
    "canadian": ("MAIN", "PERIOD", "STONES"),
}


class Clock:
    """One player's time in one game."""

    def __init__(self, settings: TimeSettings | None = None, *, lag: float = LAG) -> None:
        if not 0 <= lag <= LONGEST:
            raise ConfigError(f"lag is {lag}, it must be 0 or more seconds, at most {LONGEST:,.0f}")
        self.settings = settings or TimeSettings()
        self.lag = lag
        self.left = self.settings.main  #: seconds of the main time, or of this period
        self.count = 0  #: stones left of this period, or Japanese periods; 0: main time
        self._main_lag: float | None = None  # what can be kept back of the main time for a move

    @property
    def timed(self) -> bool:
        """Is there a limit at all?"""
        return self.settings.kind != "none"

    def allot(self, pace: Pace) -> Plan | None:
        """Seconds for the next move; main time is shared out by ``pace``."""
        if not self.timed:
            return None
        if self.count:
            return self._in_period(self.left, self.count)
        if self._main_lag is None:
            self._main_lag = self._affordable(self.left, pace.moves)
        main = self._share(self.left, pace, self._main_lag)
        if not self.settings.period:
            return main
        # Byo-yomi gives this much to every move: less would be wasted, and a move that outlasts
        # the main time goes on in the first period.
        later = self._in_period(self.settings.period, self.settings.count).normal
        normal = max(main.normal, later)
        return Plan(normal, min(STRETCH * normal, max(self.left - self.lag, 0.0) + later))

    def _in_period(self, left: float, count: int) -> Plan:
        """Equal parts for the stones of a period; a Japanese one begins anew with every move."""
        canadian = self.settings.kind == "canadian"
        moves = count if canadian else 1
        lag = self._affordable(self.settings.period, self.settings.count if canadian else 1)
        return self._share(left, Pace(moves, moves), lag)

    def _share(self, left: float, pace: Pace, later: float) -> Plan:
        """A part of what is left, without the lag of this move and of those to come later."""
        usable = max(left - max(self.lag, later * pace.moves), LEAST)
        normal = max(usable / max(pace.divisor, 1.0), LEAST)
        return Plan(normal, min(STRETCH * normal, usable))

    def _affordable(self, seconds: float, moves: float) -> float:
        """The lag that can be kept back for so many moves: half of the time at most."""
        return min(self.lag, seconds / (2 * max(moves, 1.0)))

    def spend(self, seconds: float) -> bool:
        """Take off what a move has cost; False when the time is up."""
        if not self.timed:
            return True
        if self.count == 0:
            self.left -= seconds
            if self.left >= 0 or not self.settings.period:
                return self.left >= 0
            seconds, self.left, self.count = -self.left, self.settings.period, self.settings.count
        return self._in_byoyomi(seconds)

    def _in_byoyomi(self, seconds: float) -> bool:
        """Take off what a move has cost of this period, and begin the next where one is due."""
        self.left -= seconds
        if self.settings.kind == "canadian":
            self.count -= 1
        else:
            while self.left < 0 and self.count > 1:
                self.left += self.settings.period
                self.count -= 1
        in_time = self.left >= 0
        if self.count == 0:
            self.count = self.settings.count
            self.left = self.settings.period
        elif self.settings.kind == "byoyomi":
            self.left = self.settings.period
        return in_time

    def told(self, seconds: float, count: int = 0) -> None:
        """Set to what a controller says (``time_left``): seconds and stones or periods.

        Controllers count whole seconds and some round up.  So up to a second more than what is
        known here is not believed, and what is less than that is taken as a second less.
        """
        if not math.isfinite(seconds) or count < 0:
            raise ConfigError(
                f"the time left is {seconds} s and {count} stones, both must be 0 or more"
            )
        if not self.timed:
            self.settings = _guessed(seconds, count)
        elif count == self.count and 0 <= seconds - self.left < ROUNDED:
            return
        self.left, self.count = max(seconds - ROUNDED, 0.0), count


def _guessed(seconds: float, count: int) -> TimeSettings:
    """The time of a game whose controller tells the time left only."""
    if count and seconds > 0:
        return TimeSettings("canadian", 0.0, seconds, count)
    return TimeSettings("absolute", max(seconds, 0.0))


def pace(position: Position) -> Pace:
    """How far the game is, for the player to move."""
    reach = extent(position)
    scale = reach.area / FULL_AREA
    most = FULL_MOVES * scale**MOVES_POWER
    peak = FULL_MOVES * scale**PEAK_POWER
    # A game can be longer than it seems, by captures and by an opponent who does not give up: the
    # last of the time is for lag, and then for moves without any thought.
    part = max(min(most, reach.own), 3 + reach.area / 40)
    return Pace(part + max(peak - reach.played, 0.0), max(reach.own, 5 + reach.area / 20))


class Extent(NamedTuple):
    """How long a game is."""

    area: float  #: the points of a Go board on which games are as long
    played: float  #: plies so far
    own: float  #: moves that the mover may have left


def extent(position: Position) -> Extent:
    """How long a game is, and how far it has come."""
    game = position.game
    if game.territory is not None:
        area = len(game.territory.points)
        empties = position.contents.count(EMPTY)
        played = max(position.ply, area - empties)  # stones of a set-up have no moves
        return Extent(area, played, (empties - EYES * area) / 2)
    length = typical_length(game)
    return Extent(length / FILLED, position.ply, (length - position.ply) / game.players)


@lru_cache(maxsize=16)
def typical_length(game: Game) -> float:
    """Plies of a random game: near enough to share out time in a game of any kind."""
    rng = stream(0, "typical length")
    lengths = []
    for _ in range(SAMPLES):
        position = Position.start(game)
        while not position.over and position.ply < game.max_length:
            position = position.play(position.moves[draw_below(rng, len(position.moves))])
        lengths.append(position.ply)
    return float(median(lengths))
