"""The report: what a store tells, as one HTML page that needs nothing else, or as plain data.

Start at `Report.read`, which accounts for each match and rates players who met often enough.
`Report.page` fills ``report.html``.

Jinja2, matplotlib and SciPy are imported inside functions: the first two are optional, and all are
slow to import.
"""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import resources
from typing import Any

import tesuji
from tesuji.errors import ConfigError, StoreError
from tesuji.lab.account import Account, account, opening_text, plain
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Rules, Standing
from tesuji.lab.origin import told
from tesuji.lab.plots import PAIR_POINTS, STYLE, plots
from tesuji.lab.rating import Rating, Row, crosstable, rate
from tesuji.lab.stats import tally
from tesuji.lab.store import Store

MOST_PLOTTED = 30  # matches with plots: they are what makes a page slow and large
MOST_OPEN = 3  # rating lists that are not folded
MOST_FAULTS = 10  # of different kinds, shown in full for a match
FEWEST_RATED = 3  # players of a rating list; two are a match
STEPS = (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000)  # Elo between the ticks of an axis
MOST_TICKS = 5
MARGIN = 0.05  # of an axis, on either side

Pairing = tuple[str, str, float, float]  # a, b, points of a, games


@dataclass(frozen=True)
class RatingList:
    """The ratings of players who met, directly or through others, under the same rules."""

    game: str
    rules: Rules
    ratings: list[Rating]
    crosstable: list[Row]

    @property
    def opening(self) -> str:
        """Where the games started."""
        return opening_text(self.rules.openings)

    def to_json(self) -> dict[str, Any]:
        """Plain data, for programs."""
        return {
            "game": self.game,
            "limit": str(self.rules.budget),
            "opening": self.opening,
            "ratings": [asdict(rating) for rating in self.ratings],
        }


def rating_lists(standings: Iterable[Standing]) -> list[RatingList]:
    """A list for each game and rules that three players or more are connected by."""
    groups: dict[str, list[Standing]] = {}
    for standing in standings:
        match = standing.task.match
        key = json.dumps([match.game, match.rules.to_json()], sort_keys=True)
        groups.setdefault(key, []).append(standing)
    return [
        RatingList(match.game, match.rules, rate(results), crosstable(results))
        for group in groups.values()
        for match in [group[0].task.match]
        for results in _connected(_results(group))
        if len({name for row in results for name in row[:2]}) >= FEWEST_RATED
    ]


def _results(group: Sequence[Standing]) -> list[Pairing]:
    """Who scored how much against whom; games of a player against itself rate nobody."""
    labels = _labels(entrant for standing in group for entrant in standing.task.match.entrants)
    found = []
    for standing in group:
        a, b = (labels[_text(entrant)] for entrant in standing.task.match.entrants)
        counts = tally(standing.counted)
        if counts.games and a != b:
            found.append((a, b, counts.wins + counts.draws / 2, float(counts.games)))
    return found


def _labels(entrants: Iterable[Entrant]) -> dict[str, str]:
    """A name for each player; different players of one name are numbered."""
    names: dict[str, dict[str, None]] = {}
    for entrant in entrants:
        names.setdefault(entrant.name, {})[_text(entrant)] = None
    return {
        text: name if len(texts) == 1 else f"{name} ({number})"
        for name, texts in names.items()
        for number, text in enumerate(texts, 1)
    }


def _text(entrant: Entrant) -> str:
    return json.dumps(asdict(entrant), sort_keys=True)


def _connected(results: Iterable[Pairing]) -> list[list[Pairing]]:
    """The results in parts, such that players of different parts never met."""
    parts: list[list[Pairing]] = []
    for row in results:
        joined = [part for part in parts if any({*row[:2]} & {*other[:2]} for other in part)]
        parts = [part for part in parts if part not in joined]
        parts.append([row, *(other for part in joined for other in part)])
    return parts


@dataclass(frozen=True)
class Report:
    """Everything that the page shows."""

    store: str
    matches: list[Account]
    lists: list[RatingList]

    @classmethod
    def read(cls, store: Store) -> "Report":
        """Read a store; one without games is refused."""
        standings = store.matches()
        if not any(standing.scores for standing in standings):
            raise StoreError(f"there is no game in the store {store.path} yet")
        accounts = [account(standing, store.games(standing.id)) for standing in standings]
        name = store.path.name if store.path is not None else ""
        return cls(name, accounts, rating_lists(standings))

    @property
    def games(self) -> int:
        """All games that count."""
        return sum(found.summary["games"] for found in self.matches)

    @property
    def players(self) -> int:
        """How many different players took part."""
        return len({_text(entrant) for found in self.matches for entrant in found.match.entrants})

    @cached_property
    def started(self) -> list[str]:
        """When the games began, in order."""
        return sorted(moment for found in self.matches for moment in found.started)

    @property
    def versions(self) -> list[str]:
        """The versions of tesuji that played."""
        return sorted({version for found in self.matches for version in found.versions})

    def to_json(self) -> dict[str, Any]:
        """Plain data, for programs."""
        return {
            "store": self.store,
            "games": self.games,
            "players": self.players,
            "matches": [found.to_json() for found in self.matches],
            "rating_lists": [found.to_json() for found in self.lists],
        }

    def page(self) -> str:
        """The whole page."""
        try:
            import jinja2
            import matplotlib
        except ImportError:
            raise ConfigError(
                "the report needs Jinja2 and matplotlib: pip install 'tesuji[report]'"
            ) from None
        environment = jinja2.Environment(
            autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
        )
        environment.filters |= {"share": _share, "elo": _elo, "moment": _moment, "plain": plain}
        environment.filters["told"] = told
        source = resources.files("tesuji.lab").joinpath("report.html").read_text(encoding="utf-8")
        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(STYLE)
            drawn = {found.standing.id: list(plots(found)) for found in self._plotted()}
        return environment.from_string(source).render(
            report=self,
            plots=drawn,
            axis=Axis.around(self._elos()),
            rating_axes=[Axis.around(_bounds(found.ratings)) for found in self.lists],
            version=tesuji.__version__,
            most_plotted=MOST_PLOTTED,
            most_open=MOST_OPEN,
            most_faults=MOST_FAULTS,
            pair_points=PAIR_POINTS,
        )

    def _plotted(self) -> list[Account]:
        return [found for found in self.matches if found.lengths][:MOST_PLOTTED]

    def _elos(self) -> Iterator[float]:
        for found in self.matches:
            for key in ("elo_low", "elo", "elo_high"):
                if found.summary[key] is not None:
                    yield found.summary[key]


def _bounds(ratings: Sequence[Rating]) -> Iterator[float]:
    for rating in ratings:
        yield from (rating.low, rating.high)


@dataclass(frozen=True)
class Axis:
    """A scale of Elo from the left to the right of a table's column."""

    low: float
    high: float
    ticks: list[int]

    @classmethod
    def around(cls, values: Iterable[float]) -> "Axis":
        """The scale that shows 0 and all values, with a few round numbers as its ticks.

        >>> Axis.around([-33.0, 352.0]).ticks
        [0, 100, 200, 300]
        """
        values = [0.0, 1.0, *values]  # one Elo wide, at least
        margin = MARGIN * (max(values) - min(values))  # an interval without bound goes beyond
        low, high = min(values) - margin, max(values) + margin
        step = next((step for step in STEPS if (high - low) / step < MOST_TICKS), STEPS[-1])
        ticks = range(math.ceil(low / step), math.floor(high / step) + 1)
        return cls(low, high, [step * tick for tick in ticks])

    def at(self, value: float | None, unbounded: float = 0.0) -> float:
        """Where a value is, in per cent from the left; ``unbounded`` is where None is."""
        if value is None:
            return unbounded
        return 100 * (value - self.low) / (self.high - self.low)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"  # noqa: RUF001  # a dash on purpose


def _elo(value: float | None, unbounded: str = "") -> str:
    if value is None:
        return unbounded
    return f"{value:+.0f}".replace("-", "−") if round(value) else "0"  # noqa: RUF001


def _moment(text: str) -> str:
    """A moment of the store, to the minute."""
    return text[:16].replace("T", " ") + " UTC"
