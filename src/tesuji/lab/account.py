"""The account of a match: all figures that its games give, and how to play them again."""

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from tesuji.errors import ConfigError
from tesuji.lab.entrant import NAME, SEARCHES, Entrant
from tesuji.lab.match import FAIR_ENDS, SIDES, Match, Rules, Standing, Task
from tesuji.lab.opening import Openings
from tesuji.lab.play import Played
from tesuji.lab.stats import Tally, colour_bias, tally
from tesuji.play import Options
from tesuji.search.config import SearchConfig


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
        return self.match.limits

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
            "forfeited": [asdict(forfeit) for forfeit in self.forfeits],
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
    """A player as a user writes it: as it was written, or else in full."""
    if _is_written(entrant):
        return entrant.name
    settings, base = dict(entrant.settings), "random"
    if entrant.kind == "gtp":
        base = f"gtp:{settings.pop('command')}"
    elif entrant.kind == "python":
        base = settings["path"]
        settings = dict(part.split("=", 1) for part in settings["options"].split(",") if part)
    elif entrant.kind in SEARCHES:
        base = "uct" if entrant.kind == "search" else "player:uct"
        usual = {**asdict(SearchConfig()), **asdict(Options())}
        settings = {k: v for k, v in settings.items() if k in usual and v != usual[k]}
    options = ",".join(f"{k}={plain(v)}" for k, v in (settings | entrant.budget).items())
    text = f"{base}@{options}" if options else base
    # A name that cannot stand before "=" was made of the player's text, and is made so again.
    named = entrant.name != text and NAME.fullmatch(entrant.name)
    return f"{entrant.name}={text}" if named else text


def _is_written(entrant: Entrant) -> bool:
    """Is a player's name the text that describes it?"""
    try:
        return Entrant.parse(entrant.name) == entrant
    except ConfigError:
        return False


def plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
