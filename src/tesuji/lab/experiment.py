"""An experiment: a table of matches, described by a TOML file.

    title = "Does twice the search win more?"
    question = "How much does doubling the simulations help, and does the gain shrink?"
    conclusion = "..."              # written when the games have been played
    game = "go"                     # or several: ["go", "hex"]
    games = 200                     # in each cell
    sims = [250, 1000]              # a column or row each; or: seconds = [0.1, 0.5]
    columns = "sims"                # what the columns stand for: game, sims, player or opponent

    [players]
    double = "uct@sims=2x"

    [opponents]
    single = "uct"

    [[published]]                   # shown beside the cells that it fits
    sims = 1000
    value = "71.1 ± 0.1"

Every player meets every opponent at every game with every budget; with ``paired = true`` the first
player meets the first opponent only, the second the second, and so on.  `seed`, `opening`,
`resign`, `time_equalised`, `referee`, `start_seconds`, `patience` and `sprt = [elo0, elo1]` mean
what they mean for a match.  Paths count from the current folder.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from tesuji.errors import ConfigError, choices
from tesuji.lab.budget import Budget
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import DEFAULT_BUDGET, Match, Rules, Standing, Task
from tesuji.lab.opening import Openings
from tesuji.lab.origin import RECORD, record
from tesuji.lab.stats import Sprt
from tesuji.search.config import read_toml

DIMENSIONS = ("game", "limit", "player", "opponent")
RULES = ("time_equalised", "resign", "referee", "start_seconds", "patience")
# Punctuation that means something in Markdown; an underscore only at the edge of a word.
MARKUP = re.compile(r"[\\`*\[\]<>|&~]|(?<![^\W_])_|_(?![^\W_])")


@dataclass(frozen=True)
class Cell:
    """One match of the table: where it stands, and what has been played."""

    labels: dict[str, str]  #: of each dimension
    task: Task
    published: str = ""


@dataclass(frozen=True)
class Experiment:
    """A table of matches."""

    title: str
    question: str
    conclusion: str
    columns: str
    cells: list[Cell] = field(default_factory=list)

    @property
    def tasks(self) -> list[Task]:
        """What has to be played."""
        return [cell.task for cell in self.cells]

    @classmethod
    def read(cls, path: str | Path) -> "Experiment":
        """Read the file of an experiment."""
        table = read_toml(path, "experiment")
        try:
            return _experiment(table)
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from None

    def markdown(self, standings: Sequence[Standing], picture: str = "") -> str:
        """The table with what has been played, in the order of the cells; a picture below it."""
        return _Page(self, standings).text(picture)


def foreign(path: str | Path, *, programs: bool) -> list[str]:
    """Games and players of a file that bring Python files, and, if asked, programs.

    Nothing runs to find out; rules of searches do already when the experiment is read.
    """
    table = read_toml(path, "experiment")
    texts = _list(table.get("game", []))
    for named in (table.get("players"), table.get("opponents")):
        texts = [*texts, *(named.values() if isinstance(named, dict) else ())]
    marks = (".py", "gtp:") if programs else (".py",)
    return [t for t in dict.fromkeys(map(str, texts)) if any(mark in t for mark in marks)]


def _experiment(table: dict[str, Any]) -> Experiment:
    _check_keys(table)
    columns = {"sims": "limit", "seconds": "limit"}.get(table.get("columns", ""))
    columns = columns or table.get("columns", "opponent")
    if columns not in DIMENSIONS:
        raise ConfigError(f"columns is {columns!r}; {choices(columns, DIMENSIONS)}")
    return Experiment(
        table["title"], table["question"], table.get("conclusion", ""), columns, _cells(table)
    )


def _check_keys(table: dict[str, Any]) -> None:
    for key, value in table.items():
        if key not in KINDS:
            raise ConfigError(f"unknown key {key!r}; {choices(key, KINDS)}")
        fits, what = KINDS[key]
        if not fits(value):
            raise ConfigError(f"{key} is {value!r}, it must be {what}")
    for key in ("title", "question", "game", "games", "players", "opponents"):
        if key not in table:
            raise ConfigError(f"the key {key!r} is missing")


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return _whole(value) or (isinstance(value, float) and math.isfinite(value))


def _several(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """One, or a list of one or more that differ."""

    def check(value: Any) -> bool:
        found = _list(value)
        return len(found) > 0 and all(map(fits, found)) and len(set(found)) == len(found)

    return check


def _table(value: Any) -> bool:
    return isinstance(value, dict) and len(value) > 0


def _entries(value: Any) -> bool:
    known = {*DIMENSIONS, "sims", "seconds", "value"}
    return isinstance(value, list) and all(
        isinstance(entry, dict) and set(entry) <= known and _text(entry.get("value"))
        for entry in value
    )


#: what may stand behind each key, as a test and in words
KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(("title", "question", "conclusion", "columns"), (_text, "a text")),
    **dict.fromkeys(("opening", "referee"), (_text, "a text")),
    **dict.fromkeys(("games", "seed"), (_whole, "an integer")),
    **dict.fromkeys(("resign", "start_seconds", "patience"), (_number, "a number")),
    "game": (_several(_text), "a game, or a list of different games"),
    "sims": (_several(_whole), "an integer, or a list of different ones"),
    "seconds": (_several(_number), "a number, or a list of different ones"),
    "sprt": (
        lambda value: isinstance(value, list) and len(value) in (2, 4) and all(map(_number, value)),
        "two numbers, [elo0, elo1], or four with alpha and beta",
    ),
    **dict.fromkeys(("players", "opponents"), (_table, "a table of one or more, name = player")),
    "published": (_entries, "tables of game, sims, player or opponent with a text as value"),
    **dict.fromkeys(
        ("time_equalised", "paired"), (lambda value: isinstance(value, bool), "true or false")
    ),
}


def _cells(table: dict[str, Any]) -> list[Cell]:
    budgets = _budgets(table)
    sprt = Sprt(*table["sprt"]) if "sprt" in table else None
    cells = []
    for game in _list(table["game"]):
        for budget in budgets:
            rules = _rules(table, budget)
            for player, opponent in _pairs(table):
                first = _named(player, table["players"][player], game)
                second = _named(opponent, table["opponents"][opponent], game)
                match = Match(game, first, second, table.get("seed", 0), rules)
                labels = {
                    "game": game,
                    "limit": str(budget) if any(match.budgets) else "the programs' own limits",
                    "player": player,
                    "opponent": opponent,
                }
                note = _published(table, labels, budget)
                cells.append(Cell(labels, Task(match, table["games"], sprt), note))
    return cells


def _pairs(table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Who meets whom, by name."""
    players, opponents = table["players"], table["opponents"]
    if not table.get("paired", False):
        return product(players, opponents)
    if len(players) != len(opponents):
        raise ConfigError(
            f"with paired = true there must be as many players as opponents, not {len(players)} "
            f"and {len(opponents)}"
        )
    return zip(players, opponents, strict=True)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _budgets(table: dict[str, Any]) -> list[Budget]:
    found = [Budget(sims=sims) for sims in _list(table.get("sims", []))]
    found += [Budget(seconds=seconds) for seconds in _list(table.get("seconds", []))]
    return found or [DEFAULT_BUDGET]


def _rules(table: dict[str, Any], budget: Budget) -> Rules:
    return Rules(
        budget=budget,
        openings=Openings.parse(table.get("opening", "start")),
        **{key: table[key] for key in RULES if key in table},
    )


def _named(name: str, text: Any, game: str) -> Entrant:
    if not isinstance(text, str):
        raise ConfigError(f"player {name!r} is {text!r}, it must be a text such as 'uct@c=0.7'")
    entrant = Entrant.parse(text, game)
    return Entrant(name, entrant.kind, entrant.settings, entrant.budget)


def _published(table: dict[str, Any], labels: dict[str, str], budget: Budget) -> str:
    """What others have printed for this cell."""
    known = {**labels, "sims": budget.sims, "seconds": budget.seconds}
    for entry in table.get("published", []):
        if all(known.get(key) == value for key, value in entry.items() if key != "value"):
            return str(entry.get("value", ""))
    return ""


class _Page:
    """Writes an experiment as Markdown."""

    def __init__(self, experiment: Experiment, standings: Sequence[Standing]) -> None:
        self.experiment = experiment
        self.shown = list(zip(experiment.cells, standings, strict=True))
        self.several = [
            name for name in DIMENSIONS if len({cell.labels[name] for cell in experiment.cells}) > 1
        ]
        self.rows = [name for name in self.several if name != experiment.columns]

    def text(self, picture: str) -> str:
        parts = [f"# {self.experiment.title}", self.experiment.question.strip(), self.setting()]
        parts.append(self.table())
        if picture:
            parts.append(f"![The same as a picture]({picture})")
        if self.experiment.conclusion:
            parts.append(f"**Conclusion.** {self.experiment.conclusion.strip()}")
        standings = [standing for _, standing in self.shown]
        # Tables whose games kept no code have a record that was written by hand.
        if RECORD not in parts[-1] or any(any(standing.codes) for standing in standings):
            parts.append(record(standings))
        return "\n\n".join(parts) + "\n"

    def setting(self) -> str:
        """What is the same in all cells, and how many games there are."""
        first = self.experiment.cells[0]
        named = [name for name in ("game", "limit") if name not in self.several]
        same = [literal(first.labels[name]) for name in named]
        played = sum(standing.summary()["games"] for _, standing in self.shown)
        wanted = sum(cell.task.games for cell, _ in self.shown)
        who = {
            name: "" if name in self.several else f" ({literal(first.labels[name])})"
            for name in ("player", "opponent")
        }
        counts = f"{played:,} games played of {wanted:,}"
        return (
            f"Score of the player{who['player']} against the opponent{who['opponent']} in per "
            f"cent, with its 95 % interval (Wilson). {', '.join([*same, counts])}."
        )

    def table(self) -> str:
        columns = list(dict.fromkeys(self.label(cell) for cell, _ in self.shown))
        rows: dict[tuple[str, ...], dict[str, str]] = {}
        for cell, standing in self.shown:
            key = tuple(literal(cell.labels[name]) for name in self.rows)
            rows.setdefault(key, {})[self.label(cell)] = self.cell(cell, standing)
        lines = [[*self.rows, *columns], ["---"] * (len(self.rows) + len(columns))]
        lines += [[*key, *(row.get(name, "") for name in columns)] for key, row in rows.items()]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def label(self, cell: Cell) -> str:
        return literal(cell.labels[self.experiment.columns])

    def cell(self, cell: Cell, standing: Standing) -> str:
        figures = standing.summary()
        if not figures["games"]:
            return "-"
        low, high = (100 * figures[key] for key in ("score_low", "score_high"))
        text = f"{100 * figures['score']:.1f} ({low:.1f}-{high:.1f})"
        if figures["games"] != cell.task.games:
            text += f", {figures['games']} games"
        forfeits = sum(sum(reasons.values()) for reasons in figures["forfeits"].values())
        if forfeits:
            text += f", {forfeits} forfeited"
        published = cell.published.replace("|", "\\|")
        return f"{text}; published {published}" if published else text


def literal(text: str) -> str:
    """A name as it is, where it could be taken for Markdown or HTML.

    >>> literal("my_bot <b>*|")
    'my_bot \\\\<b\\\\>\\\\*\\\\|'
    """
    shown = "".join(c for c in " ".join(text.split()) if c.isprintable())
    return MARKUP.sub(r"\\\g<0>", shown)
