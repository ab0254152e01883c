"""How long a search may take."""

from dataclasses import dataclass

from tesuji.errors import ConfigError

LONGEST = 1e9  #: seconds, some thirty years; the system's own clocks end not far beyond


@dataclass(frozen=True)
class Limit:
    """Simulations, seconds, or both: whichever is reached first.

    >>> Limit(simulations=1000)
    Limit(simulations=1000, seconds=None)
    """

    simulations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise ConfigError("a limit needs a number of simulations, of seconds, or both")
        for name, kind in (("simulations", int), ("seconds", int | float)):
            value = getattr(self, name)
            if value is not None and not isinstance(value, kind):
                what = "an integer" if kind is int else "a number"
                raise ConfigError(f"{name} is {value!r}, it must be {what}")
        if self.simulations is not None and not 1 <= self.simulations < 2**31:
            raise ConfigError(f"simulations is {self.simulations}, it must be 1 to 2,147,483,647")
        if self.seconds is not None:
            check_seconds("seconds", self.seconds)


def check_seconds(name: str, value: float) -> None:
    """Refuse what is no time that anybody can wait for."""
    if not 0 < value <= LONGEST:
        raise ConfigError(f"{name} is {value}, it must be more than 0 and at most {LONGEST:,.0f}")
