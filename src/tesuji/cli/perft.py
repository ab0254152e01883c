"""`tesuji perft`: count positions, to check rules."""

from typing import Annotated

import typer

from tesuji.cli.output import AsJson, GameName, Moves, console, played, print_json, stderr, whole
from tesuji.exact import perft as count


def perft(
    game: GameName,
    depth: Annotated[
        int,
        typer.Argument(
            parser=whole, metavar="DEPTH", help="How many moves deep.", show_default=False
        ),
    ],
    moves: Moves = "",
    as_json: AsJson = False,
) -> None:
    """Count the positions that lie DEPTH moves away.

    A game that ends earlier counts where it ends.

    Example: `tesuji perft breakthrough 4`
    """
    position = played(game, moves)
    with stderr.status("counting"):
        leaves = count(position, depth)
    if as_json:
        print_json({"game": position.game.spec, "depth": depth, "leaves": leaves})
    else:
        console.print(f"{position.game.spec}: {leaves:,} positions at depth {depth}")
