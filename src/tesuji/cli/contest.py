"""What `match` and all that play matches share: options, live progress, printed results."""

import contextlib
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.live import Live
from rich.table import Table
from rich.text import Text

from tesuji import ConfigError
from tesuji.cli.output import console, number, stderr, whole
from tesuji.lab.budget import Budget
from tesuji.lab.match import DEFAULT_BUDGET, SIDES, Match, Rules, Standing, Task, check
from tesuji.lab.opening import Openings
from tesuji.lab.origin import told
from tesuji.lab.play import Played
from tesuji.lab.runner import Watch, run
from tesuji.lab.stats import Sprt
from tesuji.lab.store import Store

REFRESH_SECONDS = 0.2
SAME_COMMAND = "the same command goes on"  # of commands that always resume

GameOption = Annotated[
    str, typer.Option("--game", metavar="GAME", help="A game with parameters, or a Python file.")
]
Games = Annotated[
    int,
    typer.Option("--games", parser=whole, metavar="N", help="Games to play, in pairs."),
]
MatchSeed = Annotated[
    int,
    typer.Option("--seed", parser=whole, metavar="N", help="The same seed gives the same games."),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        parser=whole,
        metavar="N",
        help="Processes that play at the same time.",
        show_default="one for each core",
    ),
]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="Keep every game in this file.", show_default=False),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on where the store ends.")]
AnyCode = Annotated[
    bool,
    typer.Option("--any-code", help="Go on although other code has played the games so far."),
]
Simulations = Annotated[
    int | None,
    typer.Option(
        "--sims",
        parser=whole,
        metavar="N",
        help="Simulations a move, for players without limits of their own (1000 if nothing is "
        "said).",
    ),
]
Seconds = Annotated[
    float | None, typer.Option("--seconds", parser=number, metavar="S", help="Seconds a move.")
]
GameSeconds = Annotated[
    float | None,
    typer.Option("--game-seconds", parser=number, metavar="S", help="Seconds a game."),
]
Opening = Annotated[
    str,
    typer.Option(
        "--opening",
        metavar="OPENING",
        help="Where a pair of games starts: `start`, `random:K` (K random plies), `balanced:K` "
        "(the same, but even), or a file with the moves of one opening a line.",
    ),
]
TimeEqualised = Annotated[
    bool,
    typer.Option("--time-equalised", help="B gets the time that A's last move took."),
]
Resign = Annotated[
    float,
    typer.Option(
        "--resign",
        parser=number,
        metavar="VALUE",
        help="Resign after three moves with a value below this; 0: never.",
    ),
]
RefereeCommand = Annotated[
    str,
    typer.Option("--referee", metavar="COMMAND", help="A GTP program that scores games of Go."),
]
StartSeconds = Annotated[
    float,
    typer.Option(
        "--start-seconds",
        parser=number,
        metavar="S",
        help="An external program must be ready by then.",
    ),
]
Patience = Annotated[
    float,
    typer.Option(
        "--patience",
        parser=number,
        metavar="S",
        help="Seconds beyond its limit after which an external program has hung.",
    ),
]


def read_rules(
    simulations: int | None,
    seconds: float | None,
    game_seconds: float | None,
    opening: str,
    **others: Any,
) -> Rules:
    """The rules of a match from its options."""
    budget = Budget(simulations, seconds, game_seconds)
    return Rules(budget=budget or DEFAULT_BUDGET, openings=Openings.parse(opening), **others)


def read_sprt(text: str) -> Sprt | None:
    """Read ``ELO0,ELO1[,ALPHA,BETA]``."""
    if not text:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 4):
        raise ConfigError(f"--sprt is {text!r}; write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA")
    return Sprt(*numbers)


def contest(
    tasks: Sequence[Task],
    store: Path | None,
    resume: bool,
    jobs: int | None,
    any_code: bool = False,
) -> tuple[list[Standing], bool]:
    """Check everything, then play; gives what was reached, and whether Ctrl-C ended it."""
    if resume and store is None:
        raise ConfigError("--resume needs --store FILE, where the games are")
    check_all(tasks)
    with Store(store) as opened:
        if resume:
            _note_new(tasks, opened)
        try:
            with live(tasks) as watch:
                standings = run(
                    tasks,
                    opened,
                    jobs=cores() if jobs is None else jobs,
                    resume=resume,
                    any_code=any_code,
                    watch=watch,
                )
        except KeyboardInterrupt:
            return [opened.standing(task) for task in tasks], True
    return standings, False


def check_all(tasks: Sequence[Task]) -> None:
    """Find out whether all can be played, before anything is."""
    with contextlib.redirect_stdout(sys.stderr):  # what users' players print is no result
        check([task.match for task in tasks])


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _note_new(tasks: Sequence[Task], store: Store) -> None:
    """Whoever resumes with another option by mistake begins a new match: say so."""
    held = [standing for standing in store.matches() if standing.scores]
    if held and not any(store.played(task.match) for task in tasks):
        stderr.print(
            f"the store holds no game of this yet, but of {len(held)} other matches; it begins now"
        )


def leave_interrupted(store: Path | None, how: str = "go on with --resume") -> NoReturn:
    """Say how to go on, and end with the exit code of an interruption."""
    print(f"tesuji: interrupted; {how if store else 'nothing was stored'}", file=sys.stderr)
    sys.exit(130)


@contextlib.contextmanager
def live(tasks: Sequence[Task]) -> Iterator[Watch | None]:
    """A table on stderr that follows the games, when someone is looking."""
    if not stderr.is_terminal:
        yield None
        return
    begin = time.monotonic()
    shown = played = 0.0
    title = "the first game is being played" if len(tasks) == 1 else f"{len(tasks)} matches begin"
    with Live(Text(title), console=stderr, auto_refresh=False, transient=True) as view:

        def watch(standings: list[Standing], latest: Standing, game: Played) -> None:
            nonlocal shown, played
            played += 1
            now = time.monotonic()
            if now - shown >= REFRESH_SECONDS:
                shown = now
                view.update(_progress(standings, latest, played / (now - begin)), refresh=True)

        yield watch


def _progress(standings: list[Standing], latest: Standing, rate: float) -> Text:
    """The running score of the match that a game was just finished of, and of all."""
    figures = latest.summary()
    lines = [f"{latest.task.match}", f"  {score_text(figures)}", f"  {elo_text(figures)}"]
    if "llr" in figures:
        low, high = figures["llr_low"], figures["llr_high"]
        lines.append(f"  log likelihood ratio {figures['llr']:.2f} in ({low:.2f}, {high:.2f})")
    done = sum(sum(s is not None for s in standing.scores) for standing in standings)
    wanted = sum(standing.task.games for standing in standings)
    left = (wanted - done) / rate if rate else math.inf
    lines.append(f"{done:,} of {wanted:,} games, {rate:.2f} a second, {_duration(left)} left")
    return Text("\n".join(lines))


def _duration(seconds: float) -> str:
    if not math.isfinite(seconds):
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def score_text(figures: dict[str, Any]) -> str:
    """Wins, draws and losses, and the score with its interval."""
    counts = f"+{figures['wins']} ={figures['draws']} -{figures['losses']}"
    if figures["score"] is None:
        return counts
    low, high = figures["score_low"], figures["score_high"]
    return f"{counts}, {figures['score']:.1%} ({low:.1%} to {high:.1%})"


def elo_text(figures: dict[str, Any]) -> str:
    """The difference in Elo with its interval."""
    if figures["elo"] is None:
        return "Elo unknown"
    low, high = (
        f"{figures[key]:+.0f}" if figures[key] is not None else "no bound"
        for key in ("elo_low", "elo_high")
    )
    return f"Elo {figures['elo']:+.0f} ({low} to {high})"


def grid(*columns: str) -> Table:
    """A plain table whose first column is text and whose others are numbers."""
    table = Table(box=None, pad_edge=False)
    for index, name in enumerate(columns):
        table.add_column(name, justify="right" if index else "left")
    return table


def print_match(standing: Standing, figures: dict[str, Any]) -> None:
    """The result of one match."""
    match = standing.task.match
    console.print(f"{match.a.name} against {match.b.name}, {match.game}, {figures['games']} games")
    console.print(f"  {match.a.name}: {match.limits[0]}; {match.b.name}: {match.limits[1]}")
    console.print(f"  score {score_text(figures)}")
    console.print(f"  {elo_text(figures)}, superior with a likelihood of {_share(figures['los'])}")
    pairs = " ".join(map(str, figures["pentanomial"]))
    console.print(f"  pairs with 0, ½, 1, 1½, 2 points: {pairs}")
    for line in remarks(match, figures):
        console.print(f"  {line}")
    if "sprt" in figures:
        low, high = figures["llr_low"], figures["llr_high"]
        console.print(
            f"  SPRT: {figures['sprt']}, log likelihood ratio {figures['llr']:.2f} "
            f"in ({low:.2f}, {high:.2f})"
        )


def remarks(match: Match, figures: dict[str, Any]) -> list[str]:
    """What casts doubt on a result: forfeits, and games that repeat each other."""
    found = []
    for entrant, side in zip(match.entrants, SIDES, strict=True):
        reasons = figures["forfeits"][side]
        if reasons:
            listed = ", ".join(f"{reason} {count}" for reason, count in reasons.items())
            found.append(f"{entrant.name} lost {sum(reasons.values())} by its own fault: {listed}")
    if 2 * figures["different"] < figures["games"]:
        found.append(
            f"only {figures['different']} of {figures['games']} games are different; "
            f"--opening random:K gives variety"
        )
    if len(figures["codes"]) > 1:
        found.append(f"not all by the same code: {told(figures['codes'])}")
    return found


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"
