"""What a player may spend in a match, and the clock that says what is left of it."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tesuji.errors import ConfigError
from tesuji.play import clock
from tesuji.play.clock import Pace
from tesuji.search.limit import Limit, check_seconds

LAG = 0.05  # seconds that a move may cost beyond its limit: both sides play on this machine
UNKNOWN = Pace(20.0, 20.0)  # of a game that the clock was not shown


@dataclass(frozen=True)
class Budget:
    """Simulations a move, seconds a move or seconds a game; several may be given."""

    sims: int | None = None
    seconds: float | None = None
    game_seconds: float | None = None

    def __post_init__(self) -> None:
        _ = self.limit  # checks both
        if self.game_seconds is not None:
            check_seconds("game_seconds", self.game_seconds)

    @property
    def limit(self) -> Limit | None:
        """What every move may cost, whatever the time of the game."""
        if self.sims is None and self.seconds is None:
            return None
        return Limit(self.sims, self.seconds)

    def __bool__(self) -> bool:
        return any(value is not None for value in asdict(self).values())

    @property
    def timed(self) -> bool:
        """Do results depend on the speed of the machine?"""
        return self.seconds is not None or self.game_seconds is not None

    def changed(self, settings: Mapping[str, str]) -> "Budget":
        """The budget of a player who has settings of its own, such as ``sims=500`` or ``sims=2x``.

        Own settings replace all of the match's; a factor, as ``2x``, multiplies the match's.
        """
        if not settings:
            return self
        return Budget(**{key: self._amount(key, text) for key, text in settings.items()})

    def _amount(self, key: str, text: str) -> Any:
        kind = int if key == "sims" else float
        try:
            if not text.endswith("x"):
                return kind(text)
            factor = float(text[:-1])
            if not 0 < factor < math.inf:
                raise ValueError
        except ValueError:
            what = "an integer" if kind is int else "a number"
            raise ConfigError(f"{key} is {text!r}, it must be {what} or a factor as 2x") from None
        base = getattr(self, key)
        if base is None:
            raise ConfigError(f"{key} is {text!r}, but the match has no {key} to multiply")
        return kind(base * factor)

    def __str__(self) -> str:
        parts = []
        if self.sims is not None:
            parts.append(f"{self.sims:,} simulations")
        if self.seconds is not None:
            parts.append(f"{self.seconds:g} s a move")
        if self.game_seconds is not None:
            parts.append(f"{self.game_seconds:g} s a game")
        return ", ".join(parts) or "no limit"


class Clock:
    """What one player may still spend in one game."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.pace = UNKNOWN  #: how far the game is: the time for a move depends on it
        #: of the game, None if it is not timed; who thinks with it needs a copy of his own
        self.game: clock.Clock | None = None
        if budget.game_seconds is not None:
            time = clock.TimeSettings("absolute", budget.game_seconds)
            self.game = clock.Clock(time, lag=LAG)

    @property
    def left(self) -> float | None:
        """Seconds for the rest of the game, None if unlimited."""
        return None if self.game is None else self.game.left

    @property
    def limit(self) -> Limit | None:
        """What this move may cost; None if nothing was set."""
        if self.game is None:
            return self.budget.limit
        plan = self.game.allot(self.pace)
        assert plan is not None  # the time of a game is bounded
        return Limit(self.budget.sims, min(plan.normal, self.budget.seconds or math.inf))

    def spend(self, seconds: float) -> bool:
        """Take the time of a move off; False when the time is up."""
        return self.game is None or self.game.spend(seconds)
