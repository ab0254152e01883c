"""`tesuji scaling`: what threads are worth, in speed and in strength."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from tesuji import ConfigError
from tesuji.cli.contest import (
    SAME_COMMAND,
    AnyCode,
    MatchSeed,
    Opening,
    RefereeCommand,
    Seconds,
    Simulations,
    check_all,
    contest,
    cores,
    grid,
    leave_interrupted,
    read_rules,
    remarks,
)
from tesuji.cli.match import PLAYER
from tesuji.cli.output import (
    AsJson,
    GameName,
    Method,
    Settings,
    check_writable,
    console,
    number,
    print_json,
    read_config,
    status_line,
    whole,
)
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Standing, Task, game_of
from tesuji.lab.picture import check_file
from tesuji.lab.scaling import (
    MOST_DOUBLINGS,
    SINGLE,
    Interval,
    Row,
    Scaling,
    Way,
    evaluate,
    plan,
    speeds,
    tasks,
)
from tesuji.lab.scaling_plot import draw
from tesuji.search.limit import check_seconds

DEFAULT_SCHEMES = ("tree", "root")

Schemes = Annotated[
    list[str] | None,
    typer.Option(
        "--scheme",
        metavar="SCHEME",
        help="How threads work together: `tree`, `root` or `leaf`, with settings as in "
        "`tree@lock=local`; may be repeated.",
        show_default="tree and root, unless --in-flight is given",
    ),
]
Threads = Annotated[
    str,
    typer.Option(
        metavar="N,N,...",
        help="Numbers of threads to compare with one.",
        show_default="2, 4, 8 ... up to the number of cores",
    ),
]
InFlight = Annotated[
    str,
    typer.Option(
        metavar="N,N,...",
        help="Virtual threads, for strength only: so many simulations under way in one thread.",
        show_default=False,
    ),
]
Rounds = Annotated[
    int, typer.Option(parser=whole, metavar="N", help="Rounds of the speed test; 0: none.")
]
Slice = Annotated[
    float, typer.Option("--slice", parser=number, metavar="S", help="Seconds of each search in it.")
]
StrengthGames = Annotated[
    int,
    typer.Option(
        "--games", parser=whole, metavar="N", help="Games of each match for strength; 0: none."
    ),
]
Doublings = Annotated[
    int,
    typer.Option(
        parser=whole,
        metavar="N",
        help="How often the budget of one thread is doubled for the scale of strength.",
    ),
]
Opponent = Annotated[
    str,
    typer.Option(metavar="PLAYER", help=PLAYER, show_default="the method itself with one thread"),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        parser=whole,
        metavar="N",
        help="Games that are played at the same time.",
        show_default="cores by threads",
    ),
]
StoreFile = Annotated[Path, typer.Option("--store", help="Where the games are kept.")]
Plot = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Draw speed-ups over threads: an SVG or PNG file.", show_default=False
    ),
]


def scaling(
    game: GameName,
    method: Method = "uct",
    settings: Settings = None,
    schemes: Schemes = None,
    threads: Threads = "",
    in_flight: InFlight = "",
    rounds: Rounds = 10,
    slice_seconds: Slice = 0.5,
    games: StrengthGames = 0,
    doublings: Doublings = 4,
    simulations: Simulations = None,
    seconds: Seconds = None,
    opponent: Opponent = "",
    opening: Opening = "start",
    referee: RefereeCommand = "",
    seed: MatchSeed = 0,
    jobs: Jobs = None,
    store: StoreFile = Path("scaling.db"),
    any_code: AnyCode = False,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Measure what threads are worth: in simulations a second, and in strength.

    Speed: one thread and all others take turns; the median of the ratios stands with its quartiles.

    Strength (with `--games`): how many times the budget one thread needs to be as strong. One
    thread plays with 1, 2, 4, 8 and 16 times `--sims` or `--seconds` against the opponent, and all
    others with that budget once. It can be stopped at any time; the same command goes on.

    Examples:

    `tesuji scaling go --scheme tree --scheme tree@lock=global --threads 2,4`

    `tesuji scaling hex --in-flight 4,16,64 --sims 1000 --games 200 --plot hex.svg`
    """
    _check_amounts(rounds, slice_seconds, games, doublings, simulations, seconds)
    base = read_config(game, method, None, settings)
    chosen = schemes or ([] if in_flight else DEFAULT_SCHEMES)
    ways = plan(
        base,
        chosen,
        _counts("--threads", threads) or _doubled(cores()),
        _counts("--in-flight", in_flight),
        doublings=doublings if games else 0,
    )
    timed = [way for way in ways if way.timed and rounds]
    if all(way.scheme == SINGLE for way in (ways if games else timed)):
        raise ConfigError(
            "there is nothing to compare: speed needs --rounds and a scheme with --threads of 2 or "
            "more, strength needs --games and such a scheme or --in-flight"
        )
    rules = read_rules(simulations, seconds, None, opening, referee=referee)
    other = Entrant.parse(opponent, game) if opponent else None
    wanted = tasks(game, ways, games, opponent=other, seed=seed, rules=rules) if games else []
    if plot is not None:
        check_file(plot)
        check_writable(plot)
    check_all(wanted)
    rates = _speeds(game, timed, rounds, slice_seconds, seed) if len(timed) > 1 else {}
    standings, interrupted = _play(wanted, store, jobs, any_code)
    found = evaluate(ways, rates, dict(zip(ways, standings, strict=False)))
    if as_json:
        print_json(_json(game, method, seed, wanted, found))
    else:
        _print(wanted, standings, found)
    if plot is not None:  # last: what was found is told even if the disk is full
        draw(found.rows, plot, equal_time=rules.budget.timed)
    if interrupted:
        leave_interrupted(store, SAME_COMMAND)


def _check_amounts(
    rounds: int,
    slice_seconds: float,
    games: int,
    doublings: int,
    simulations: int | None,
    seconds: float | None,
) -> None:
    for name, value in (("rounds", rounds), ("games", games)):
        if value < 0:
            raise ConfigError(f"{name} is {value}, it must be 0 or more")
    check_seconds("slice", slice_seconds)
    if games and not 1 <= doublings <= MOST_DOUBLINGS:
        raise ConfigError(
            f"doublings is {doublings}, it must be 1 to {MOST_DOUBLINGS} for a scale of strength"
        )
    if simulations is not None and seconds is not None:
        raise ConfigError("--sims and --seconds are two ways to measure: give one of them")


def _counts(option: str, text: str) -> list[int]:
    """Read whole numbers with commas between them."""
    try:
        return [int(part) for part in text.split(",")] if text else []
    except ValueError:
        raise ConfigError(f"{option} is {text!r}; write whole numbers, such as 2,4") from None


def _doubled(most: int) -> list[int]:
    """2, 4, 8 and so on, one at least."""
    return [2**power for power in range(1, max(2, most.bit_length()))]


def _speeds(
    game: str, ways: Sequence[Way], rounds: int, seconds: float, seed: int
) -> dict[Way, list[float]]:
    with status_line("measuring speed") as show:
        rates = speeds(
            game_of(game),
            ways,
            rounds=rounds,
            seconds=seconds,
            seed=seed,
            watch=None if show is None else lambda share: show(f"measuring speed: {share:.0%}"),
        )
    return dict(zip(ways, rates, strict=True))


def _play(
    wanted: Sequence[Task], store: Path, jobs: int | None, any_code: bool
) -> tuple[list[Standing], bool]:
    """Play the matches, if any; each game has as many cores to itself as it has threads."""
    if not wanted:
        return [], False
    most = max(
        entrant.settings.get("threads", 1) for task in wanted for entrant in task.match.entrants
    )
    jobs = max(1, cores() // most) if jobs is None else jobs
    return contest(wanted, store, True, jobs, any_code)


def _json(
    game: str, method: str, seed: int, wanted: Sequence[Task], found: Scaling
) -> dict[str, Any]:
    first = wanted[0].match if wanted else None
    return {
        "game": game,
        "method": method,
        "seed": seed,
        "opponent": first and first.b.name,
        "budget": first and first.limits[0],
        "line": found.line and found.line.__dict__,
        "rows": [row.to_json() for row in found.rows],
    }


def _print(wanted: Sequence[Task], standings: Sequence[Standing], found: Scaling) -> None:
    rate = found.rows[0].rate
    columns: dict[str, Callable[[Row], str]] = {
        "scheme": lambda row: _scheme(row.way),
        "threads": lambda row: str(row.way.threads),
    }
    if rate is not None:
        columns["speed-up (quartiles)"] = lambda row: _text(row.speed, ".2f")
    if wanted:
        columns["win rate (95 %)"] = _win_rate
        columns["strength speed-up (95 %)"] = lambda row: _text(row.strength, ".3g")
    table = grid(*columns)
    for row in found.rows:
        table.add_row(*(cell(row) for cell in columns.values()))
    console.print(table)
    if rate is not None:
        console.print(f"\none thread: {rate:,.0f} simulations a second")
    if wanted:
        _print_line(wanted[0], found)
    for standing in standings:
        for line in remarks(standing.task.match, standing.summary()):
            console.print(f"{standing.task.match}: {line}")


def _print_line(first: Task, found: Scaling) -> None:
    match = first.match
    console.print(f"\nagainst {match.b.name} ({match.limits[1]}), 1x is {match.limits[0]}")
    if found.line is None:
        console.print("no strength speed-up yet: one thread has not played with two budgets")
        return
    a, b, r2 = found.line.a, found.line.b, found.line.r2
    console.print(f"rating of one thread = {a:.1f} log2(budget) {b:+.1f}, R² = {r2:.2f}")
    if not found.measures:
        console.print(
            "no strength speed-up: more budget makes one thread hardly stronger; "
            "play more games, or another opponent"
        )


def _scheme(way: Way) -> str:
    return f"{SINGLE} {way.factor}x" if way.factor > 1 else way.scheme


def _win_rate(row: Row) -> str:
    figures = row.figures
    if figures is None or not figures["games"]:
        return "-"
    return _text(Interval(*(figures[key] for key in ("score", "score_low", "score_high"))), ".1%")


def _text(interval: Interval | None, form: str) -> str:
    if interval is None:
        return "-"
    value, low, high = (format(part, form) for part in interval)
    return f"{value} ({low} to {high})"
