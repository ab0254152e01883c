"""The report: what a store tells, as one HTML page that needs nothing else, or as plain data.

Start at `Report.read`, which turns each match into an `Account` and rates players who met often
enough.  `Report.page` fills ``report.html``.

The plots are SVG inside the page.  They are drawn in marker colours which then become variables of
the page's style, so that they follow its light and dark mode.  No foreign text is in them: names
stand in the page, which escapes them.

Jinja2, matplotlib and SciPy are imported inside functions: the first two are optional, and all are
slow to import.
"""

import io
import json
import math
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import resources
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

import tesuji
from tesuji.errors import ConfigError, StoreError
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import SIDES, Match, Rules, Standing, Task
from tesuji.lab.opening import Openings
from tesuji.lab.play import Played
from tesuji.lab.rating import Rating, Row, crosstable, rate
from tesuji.lab.stats import Tally, colour_bias, tally, wilson
from tesuji.lab.store import Store
from tesuji.search.config import SearchConfig

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PLOTTED = 30  # matches with plots: they are what makes a page slow and large
MOST_OPEN = 3  # rating lists that are not folded
MOST_POINTS = 200  # of a curve
MOST_BINS = 30
MOST_FAULTS = 10  # of different kinds, shown in full for a match
FEWEST_RATED = 3  # players of a rating list; two are a match
FAIR_ENDS = ("end", "length", "resignation")  # all others are a player's fault
STEPS = (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000)  # Elo between the ticks of an axis
MOST_TICKS = 5
MARGIN = 0.05  # of an axis, on either side
LOG_FROM = 20  # speeds that differ by this factor get a logarithmic axis
PAIR_POINTS = ("0", "½", "1", "1½", "2")
NAME = re.compile(r"[\w.+-]+")  # what may stand before "=" in front of a player

Result = tuple[str, str, float, float]  # a, b, points of a, games


@dataclass(frozen=True)
class Forfeit:
    """A game that a player lost by its own fault."""

    number: int
    loser: str  #: "a" or "b"
    reason: str
    detail: str


@dataclass(frozen=True)
class Account:
    """All figures of one match, from the games that count.  Pairs are those of a and b."""

    standing: Standing
    summary: dict[str, Any]
    lengths: list[int]  #: moves of each game, with the opening
    speeds: tuple[list[float], list[float]]  #: simulations a second, game by game
    by_colour: tuple[Tally, Tally]  #: of a, moving first and moving second
    first_score: float | None  #: of whoever moved first
    bias: tuple[float, float]  #: chi-square and p-value of that
    ends: dict[str, list[int]]  #: reason: games that a won, drawn games, games that b won
    forfeits: list[Forfeit]
    thinking: tuple[float, float]  #: seconds of all games
    seconds: float  #: of all games, from their first to their last moment
    started: list[str]
    versions: list[str]
    left_out: int  #: games that were played beyond those that count

    @property
    def match(self) -> Match:
        """Who played what."""
        return self.standing.task.match

    @property
    def limits(self) -> tuple[str, str]:
        """What each player could spend."""
        a, b = (
            "no limit" if entrant.kind == "random" else str(budget)
            for entrant, budget in zip(self.match.entrants, self.match.budgets, strict=True)
        )
        return a, b

    @property
    def opening(self) -> str:
        """Where the games started."""
        return opening_text(self.match.rules.openings)

    @property
    def command(self) -> str:
        """How to play these games again."""
        return command(self.standing.task)

    @property
    def faults(self) -> dict[tuple[str, str, str], list[int]]:
        """The games in which a player (its name) lost for the same reason with the same detail."""
        found: dict[tuple[str, str, str], list[int]] = {}
        for forfeit in self.forfeits:
            name = self.match.entrants[SIDES.index(forfeit.loser)].name
            found.setdefault((name, forfeit.reason, forfeit.detail), []).append(forfeit.number)
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain data, for programs."""
        match = self.match
        return {
            "id": self.standing.id,
            "a": match.a.name,
            "b": match.b.name,
            "game": match.game,
            "seed": match.seed,
            "limits": list(self.limits),
            "opening": self.opening,
            "wanted": self.standing.task.games,
            "finished": self.standing.finished,
            "left_out": self.left_out,
            **self.summary,
            "median_length": median(self.lengths) if self.lengths else None,
            "median_speeds": [median(speeds) if speeds else None for speeds in self.speeds],
            "scores_by_colour": [counts.score for counts in self.by_colour],
            "first_score": self.first_score,
            "colour_chi2": self.bias[0],
            "colour_p": self.bias[1],
            "ends": self.ends,
            "forfeits": [asdict(forfeit) for forfeit in self.forfeits],
            "thinking": list(self.thinking),
            "seconds": self.seconds,
            "first_game": min(self.started, default=None),
            "last_game": max(self.started, default=None),
            "versions": self.versions,
            "command": self.command,
        }


def account(standing: Standing, played: Iterable[Played]) -> Account:
    """Add up the games of a match."""
    count = len(standing.counted)
    everything = list(played)
    games = [game for game in everything if game.number < count]
    first_scores = [game.score if game.first == "a" else 1 - game.score for game in games]
    return Account(
        standing=standing,
        summary=standing.summary(),
        lengths=[len(game.opening) + len(game.moves) for game in games],
        speeds=(_speeds(games, 0), _speeds(games, 1)),
        by_colour=(_tally_of(games, "a"), _tally_of(games, "b")),
        first_score=tally(first_scores).score,
        bias=colour_bias(first_scores),
        ends=_ends(games),
        forfeits=[
            Forfeit(game.number, SIDES[int(game.score)], game.reason, game.detail)
            for game in games
            if game.reason not in FAIR_ENDS
        ],
        thinking=(sum(g.thinking[0] for g in games), sum(g.thinking[1] for g in games)),
        seconds=sum(game.seconds for game in games),
        started=[game.started for game in games],
        versions=sorted({game.version for game in games}),
        left_out=len(everything) - len(games),
    )


def _speeds(games: Sequence[Played], side: int) -> list[float]:
    return [
        game.simulations[side] / game.thinking[side]
        for game in games
        if game.simulations[side] and game.thinking[side]
    ]


def _tally_of(games: Sequence[Played], first: str) -> Tally:
    return tally([game.score for game in games if game.first == first])


def _ends(games: Sequence[Played]) -> dict[str, list[int]]:
    """The most frequent reason first."""
    reasons = Counter(game.reason for game in games)
    scores = Counter((game.reason, game.score) for game in games)
    return {
        reason: [scores[reason, score] for score in (1.0, 0.5, 0.0)]
        for reason, _ in reasons.most_common()
    }


def opening_text(openings: Openings) -> str:
    """Openings as a user writes them; those of a file are only counted."""
    if openings.kind == "list":
        return f"{len(openings.lines)} openings of a file"
    return openings.kind if openings.kind == "start" else f"{openings.kind}:{openings.plies}"


def command(task: Task) -> str:
    """The command line that plays the games of a match again."""
    match, rules = task.match, task.match.rules
    words = ["tesuji", "match", written(match.a), written(match.b), f"--game={match.game}"]
    words += [f"--games={task.games}", f"--seed={match.seed}"]
    options: dict[str, Any] = {f"--{k}": v for k, v in asdict(rules.budget).items()}
    file = rules.openings.kind == "list"
    options["--opening"] = "FILE" if file else opening_text(rules.openings)
    if task.sprt is not None:
        options["--sprt"] = ",".join(map(str, asdict(task.sprt).values()))
    for key in ("resign", "referee", "start_seconds", "patience"):
        value = getattr(rules, key)
        options[f"--{key}"] = None if value == getattr(Rules(), key) else value
    words += [f"{k.replace('_', '-')}={v}" for k, v in options.items() if v is not None]
    return shlex.join(words + ["--time-equalised"] * rules.time_equalised)


def written(entrant: Entrant) -> str:
    """A player as a user writes it."""
    settings, base = dict(entrant.settings), "random"
    if entrant.kind == "gtp":
        base = f"gtp:{settings.pop('command')}"
    elif entrant.kind == "python":
        base = settings["path"]
        settings = dict(part.split("=", 1) for part in settings["options"].split(",") if part)
    elif entrant.kind == "search":
        base = "uct"
        usual = asdict(SearchConfig())
        settings = {k: v for k, v in settings.items() if k not in usual or v != usual[k]}
    options = ",".join(f"{k}={_plain(v)}" for k, v in (settings | entrant.budget).items())
    text = f"{base}@{options}" if options else base
    # A name that cannot stand before "=" was made of the player's text, and is made so again.
    named = entrant.name != text and NAME.fullmatch(entrant.name)
    return f"{entrant.name}={text}" if named else text


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


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


def _results(group: Sequence[Standing]) -> list[Result]:
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


def _connected(results: Iterable[Result]) -> list[list[Result]]:
    """The results in parts, such that players of different parts never met."""
    parts: list[list[Result]] = []
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
        environment.filters |= {"share": _share, "elo": _elo, "moment": _moment, "plain": _plain}
        source = resources.files("tesuji.lab").joinpath("report.html").read_text(encoding="utf-8")
        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(STYLE)
            plots = {found.standing.id: list(_plots(found)) for found in self._plotted()}
        return environment.from_string(source).render(
            report=self,
            plots=plots,
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


# Colours that stand for variables of the page; each occurs nowhere else in a plot.
INK, FAINT, GRID, A, B, DRAWN = ("#010101", "#020202", "#030303", "#040404", "#050505", "#060606")
VARIABLES = {INK: "ink", FAINT: "faint", GRID: "grid", A: "a", B: "b", DRAWN: "drawn"}
STYLE: Any = {  # the keys are a type of their own in newer versions of matplotlib
    "svg.fonttype": "none",
    "font.size": 8,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": FAINT,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
}
INLINE = (
    (r"(?s)<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>", ""),
    (r' xmlns(:xlink)?="[^"]*"', ""),
    (r'(?<=<svg) width="[^"]*" height="[^"]*"', ' role="img"'),
    (r'<g id="[^"]*"', "<g"),
    (r"(\.\d)\d+", r"\1"),  # a tenth of a point is not visible
    # The page has its own font; matplotlib names its fonts in one way or the other.
    (r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px"),
    (r"font-family: [^;\"]*;", ""),
)


@dataclass(frozen=True)
class Plot:
    """A plot with what is written below it."""

    caption: str
    svg: str


def _plots(found: Account) -> Iterator[Plot]:
    identity = found.standing.id
    scores = [score for score in found.standing.counted if score is not None]
    yield _plot(
        f"score-{identity}",
        "Running score of A, with its 95 % interval, by the number of games",
        lambda axes: _draw_score(axes, scores),
    )
    yield _plot(
        f"pairs-{identity}",
        "Pairs of games in which A made so many points",
        lambda axes: _draw_pairs(axes, found.summary["pentanomial"]),
    )
    yield _plot(
        f"length-{identity}",
        "Games by their length in moves",
        lambda axes: _draw_lengths(axes, found.lengths),
    )
    if any(found.speeds):
        yield _plot(
            f"speed-{identity}",
            "Simulations a second, game by game: median, quartiles, range",
            lambda axes: _draw_speeds(axes, found.speeds),
        )


def _plot(name: str, caption: str, draw: "Callable[[Axes], None]") -> Plot:
    from markupsafe import Markup
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 2.1))
    draw(figure.add_axes((0.1, 0.13, 0.86, 0.82)))
    file = io.StringIO()
    # The salt makes ids that are unique in the page, and the same each time.
    with rc_context({"svg.hashsalt": name}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    for pattern, replacement in INLINE:
        text = re.sub(pattern, replacement, text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, f"var(--{variable})")
    return Plot(caption, Markup(text))


def _draw_score(axes: "Axes", scores: Sequence[float]) -> None:
    from matplotlib.ticker import MaxNLocator

    count = len(scores)
    shown = np.unique(np.linspace(1, count, MOST_POINTS).round().astype(int))
    means = np.cumsum(scores)[shown - 1] / shown
    bands = np.array([wilson(float(m), int(n)) for m, n in zip(means, shown, strict=True)])
    axes.fill_between(shown, bands[:, 0], bands[:, 1], color=A, alpha=0.18, linewidth=0)
    axes.axhline(0.5, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.plot(shown, means, color=A, linewidth=1.4)
    settled = bands[len(bands) // 5 :]  # the first games prove nothing and hide the rest
    low, high = min(0.5, settled[:, 0].min()), max(0.5, settled[:, 1].max())
    axes.set_ylim(max(low - 0.05, -0.01), min(high + 0.05, 1.01))
    axes.set_xlim(1, max(count, 2))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.grid(axis="y")


def _draw_pairs(axes: "Axes", counts: Sequence[int]) -> None:
    bars = axes.bar(range(5), counts, 0.7, color=[B, B, DRAWN, A, A], linewidth=0)
    for bar, strength in zip(bars, (1.0, 0.5, 1.0, 0.5, 1.0), strict=True):
        bar.set_alpha(strength)
    axes.bar_label(bars, labels=[f"{count:,}" if count else "" for count in counts], padding=2)
    axes.set_xticks(range(5), PAIR_POINTS)
    axes.set_ylim(0, 1.15 * max(*counts, 1))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)


def _draw_lengths(axes: "Axes", lengths: Sequence[int]) -> None:
    from matplotlib.ticker import MaxNLocator

    low, high = min(lengths), max(lengths)
    width = math.ceil((high - low + 1) / MOST_BINS)
    bins = np.arange(low, high + width + 1, width) - 0.5
    axes.hist(lengths, bins=bins.tolist(), color=INK, alpha=0.55, rwidth=0.88, linewidth=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.grid(axis="y")


def _draw_speeds(axes: "Axes", speeds: Sequence[Sequence[float]]) -> None:
    from matplotlib.ticker import EngFormatter

    sides = [(side, found) for side, found in enumerate(speeds) if found]
    boxes = axes.boxplot(
        [found for _, found in sides],
        whis=(0, 100),
        widths=0.4,
        patch_artist=True,
        medianprops={"color": INK},
        whiskerprops={"color": FAINT},
        capprops={"color": FAINT},
    )
    for (side, _), box in zip(sides, boxes["boxes"], strict=True):
        box.set(facecolor=(A, B)[side], alpha=0.6, edgecolor="none")
    axes.set_xticks(range(1, len(sides) + 1), ["AB"[side] for side, _ in sides])
    medians = [median(found) for _, found in sides]
    if max(medians) > LOG_FROM * min(medians):
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 1.08 * max(max(found) for _, found in sides))
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    axes.grid(axis="y")
