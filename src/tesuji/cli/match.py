"""`tesuji match`: two players, many games, one number with its error."""

from typing import Annotated, Any

import typer

from tesuji.cli.contest import (
    AnyCode,
    GameOption,
    Games,
    GameSeconds,
    Jobs,
    MatchSeed,
    Opening,
    Patience,
    RefereeCommand,
    Resign,
    Resume,
    Seconds,
    Simulations,
    StartSeconds,
    StoreFile,
    TimeEqualised,
    contest,
    leave_interrupted,
    print_match,
    read_rules,
    read_sprt,
)
from tesuji.cli.output import AsJson, print_json
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Match, Standing, Task

PLAYER = (
    "A method that `tesuji methods` lists, such as `uct` or `uct@c=0.7,sims=1000`, a TOML file "
    "with settings, `player:` before one of these for the whole player as over GTP, `random`, a "
    "Python file, or `gtp:COMMAND`; `NAME=PLAYER` names it."
)


def match(
    a: Annotated[str, typer.Argument(metavar="A", help=PLAYER, show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="The other.", show_default=False)],
    game: GameOption,
    games: Games = 100,
    seed: MatchSeed = 0,
    jobs: Jobs = None,
    store: StoreFile = None,
    resume: Resume = False,
    any_code: AnyCode = False,
    simulations: Simulations = None,
    seconds: Seconds = None,
    game_seconds: GameSeconds = None,
    opening: Opening = "start",
    sprt: Annotated[
        str,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop as soon as it is clear whether A is ELO1 better or only ELO0; "
            "`ELO0,ELO1,ALPHA,BETA` sets the error rates (0.05 each).",
        ),
    ] = "",
    time_equalised: TimeEqualised = False,
    resign: Resign = 0.0,
    referee: RefereeCommand = "",
    start_seconds: StartSeconds = 30.0,
    patience: Patience = 60.0,
    as_json: AsJson = False,
) -> None:
    """Let two players play a match.

    Games come in pairs from the same opening, each player moving first once. Ctrl-C stops; with
    `--store`, `--resume` goes on where it stopped.

    Examples:

    `tesuji match uct@c=0.5 uct@c=0.2 --game hex --games 200 --sims 1000`

    `tesuji match uct 'gtp:gnugo --mode gtp --chinese-rules --level 1' --game go --store go.db`
    """
    rules = read_rules(
        simulations,
        seconds,
        game_seconds,
        opening,
        time_equalised=time_equalised,
        resign=resign,
        referee=referee,
        start_seconds=start_seconds,
        patience=patience,
    )
    played = Match(game, Entrant.parse(a, game), Entrant.parse(b, game), seed, rules)
    task = Task(played, games, read_sprt(sprt))
    [standing], interrupted = contest([task], store, resume, jobs, any_code)
    figures = standing.summary()
    if as_json:
        print_json(match_json(standing, figures))
    else:
        print_match(standing, figures)
    if interrupted:
        leave_interrupted(store)


def match_json(standing: Standing, figures: dict[str, Any]) -> dict[str, Any]:
    """A match for programs: who played what, and the figures."""
    match = standing.task.match
    who = {"a": match.a.name, "b": match.b.name, "game": match.game, "seed": match.seed}
    return {**who, **figures}
