"""`tesuji tournament`: many players and a rating list."""

from collections.abc import Sequence
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
    contest,
    grid,
    leave_interrupted,
    read_rules,
    remarks,
)
from tesuji.cli.match import PLAYER, match_json
from tesuji.cli.output import AsJson, console, print_json
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Standing
from tesuji.lab.rating import Rating, crosstable
from tesuji.lab.tournament import pairings, ratings, read_anchor, results


def tournament(
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", help=PLAYER, show_default=False)
    ],
    game: GameOption,
    games: Games = 100,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="The first player against each of the others.")
    ] = False,
    anchor: Annotated[
        str,
        typer.Option(
            metavar="NAME[=RATING]",
            help="The player whose rating is fixed; without one the mean rating is 0.",
        ),
    ] = "",
    seed: MatchSeed = 0,
    jobs: Jobs = None,
    store: StoreFile = None,
    resume: Resume = False,
    any_code: AnyCode = False,
    simulations: Simulations = None,
    seconds: Seconds = None,
    game_seconds: GameSeconds = None,
    opening: Opening = "start",
    resign: Resign = 0.0,
    referee: RefereeCommand = "",
    start_seconds: StartSeconds = 30.0,
    patience: Patience = 60.0,
    as_json: AsJson = False,
) -> None:
    """Let many players play each other, and rate them.

    Every pair of players plays `--games` games. Ratings are on the Elo scale (Bradley-Terry,
    maximum likelihood).

    Example: `tesuji tournament random uct@sims=100 uct@sims=400 --game hex --games 40`
    """
    rules = read_rules(
        simulations,
        seconds,
        game_seconds,
        opening,
        resign=resign,
        referee=referee,
        start_seconds=start_seconds,
        patience=patience,
    )
    entrants = [Entrant.parse(player, game) for player in players]
    if anchor:
        read_anchor(anchor, {entrant.name for entrant in entrants})
    tasks = pairings(game, entrants, games, gauntlet=gauntlet, seed=seed, rules=rules)
    standings, interrupted = contest(tasks, store, resume, jobs, any_code)
    if interrupted and not all(standing.counted for standing in standings):
        leave_interrupted(store)  # too early for a rating list
    rated = ratings(standings, anchor or None)
    if as_json:
        print_json(_tournament_json(standings, rated))
    else:
        _print_ratings(rated)
        for standing in standings:
            for line in remarks(standing.task.match, standing.summary()):
                console.print(f"{standing.task.match}: {line}")
        _print_crosstable(standings)
    if interrupted:
        leave_interrupted(store)


def _tournament_json(standings: Sequence[Standing], rated: Sequence[Rating]) -> dict[str, Any]:
    return {
        "ratings": [rating.__dict__ for rating in rated],
        "matches": [match_json(standing, standing.summary()) for standing in standings],
    }


def _print_ratings(rated: Sequence[Rating]) -> None:
    table = grid("player", "Elo", "95 %", "games", "score")
    for rating in rated:
        table.add_row(
            rating.name,
            f"{rating.rating:+.0f}",
            f"{rating.low:+.0f} to {rating.high:+.0f}",
            f"{rating.games:g}",
            f"{rating.score:.1%}",
        )
    console.print(table)
    if any(rating.corrected for rating in rated):
        console.print(
            "some players won or lost everything; one draw was added to each pairing to rate them"
        )


def _print_crosstable(standings: Sequence[Standing]) -> None:
    rows = crosstable(results(standings))
    table = grid("", *(str(number) for number in range(1, len(rows) + 1)))
    for number, row in enumerate(rows, 1):
        cells = [f"{cell[0]:g}/{cell[1]:g}" if cell else "" for cell in row.cells]
        table.add_row(f"{number} {row.name}", *cells)
    console.print()
    console.print(table)
