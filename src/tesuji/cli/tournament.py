"""`tesuji tournament`: many players and a rating list."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from tesuji.cli.contest import (
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
)
from tesuji.cli.match import PLAYER, match_json
from tesuji.cli.output import AsJson, console, print_json
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Standing
from tesuji.lab.rating import Rating
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
    entrants = [Entrant.parse(player) for player in players]
    if anchor:
        read_anchor(anchor, {entrant.name for entrant in entrants})
    tasks = pairings(game, entrants, games, gauntlet=gauntlet, seed=seed, rules=rules)
    standings, interrupted = contest(tasks, store, resume, jobs)
    rated = ratings(standings, anchor or None)
    if as_json:
        print_json(_tournament_json(standings, rated))
    else:
        _print_ratings(rated)
        _print_crosstable(standings, [rating.name for rating in rated])
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


def _print_crosstable(standings: Sequence[Standing], names: Sequence[str]) -> None:
    points = {}
    for a, b, won, games in results(standings):
        points[a, b] = f"{won:g}/{games}"
        points[b, a] = f"{games - won:g}/{games}"
    table = grid("", *(str(number + 1) for number in range(len(names))))
    for number, name in enumerate(names, 1):
        table.add_row(f"{number} {name}", *(points.get((name, other), "") for other in names))
    console.print()
    console.print(table)
