"""`tesuji check-game`: does a game of your own keep the contract?"""

from typing import Annotated

import typer

from tesuji import load
from tesuji.check import check_game as check
from tesuji.cli.output import AsJson, GameName, Seed, console, print_json, stderr, whole


def check_game(
    game: GameName,
    count: Annotated[
        int, typer.Option("--games", parser=whole, metavar="N", help="Random games to play.")
    ] = 20,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Play random games, compiled and uncompiled, and report the first broken rule.

    Exits with 0 when the game keeps the contract and with 1 when it does not.

    Example: `tesuji check-game my_game.py`
    """
    with stderr.status("playing random games"):
        report = check(load(game), games=count, seed=seed)
    if as_json:
        print_json({"game": report.game.spec, "games": count, "positions": report.positions})
    else:
        console.print(str(report))
