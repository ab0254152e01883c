"""Comparing two sides on a noisy machine: they take turns, and the ratio of neighbours counts."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass

Side = Callable[[], float]  #: runs one turn and gives its rate (work per CPU second)


@dataclass(frozen=True)
class Ratio:
    """How much faster one side is than the other."""

    what: str
    ours: float  #: median rate
    theirs: float
    low: float  #: first quartile of the ratio
    middle: float  #: its median, the figure to quote
    high: float  #: third quartile
    rounds: int
    note: str = ""

    def row(self) -> str:
        """A line of a Markdown table."""
        return (
            f"| {self.what} | {self.middle:.2f} | {self.low:.2f} to {self.high:.2f} "
            f"| {self.ours:,.0f} | {self.theirs:,.0f} | {self.rounds} | {self.note} |"
        )


HEADER = (
    "| what | ratio | quartiles | ours | theirs | turns | note |\n|---|---|---|---|---|---|---|"
)


def take_turns(what: str, ours: Side, theirs: Side, rounds: int, note: str = "") -> Ratio:
    """Let the sides alternate; the first turn of each only warms up."""
    ours(), theirs()
    mine, other = [], []
    for _ in range(rounds):
        mine.append(ours())
        other.append(theirs())
    low, middle, high = statistics.quantiles(
        [a / b for a, b in zip(mine, other, strict=True)], method="inclusive"
    )
    return Ratio(
        what, statistics.median(mine), statistics.median(other), low, middle, high, rounds, note
    )
