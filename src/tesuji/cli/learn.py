"""`tesuji learn`: knowledge from games."""

import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from tesuji.cli.balance import balance
from tesuji.cli.contest import AnyCode, Games, Jobs, MatchSeed, contest, grid
from tesuji.cli.evaluations import evaluations
from tesuji.cli.output import GameName, check_folder, console, whole
from tesuji.cli.records import records
from tesuji.lab.match import Task
from tesuji.lab.store import Store
from tesuji.learn.transitions import Table, categories, count_games, self_play, write_table

SHOWN = 5  # categories at each end of the list
OFTEN = 100  # positions in which a category must have been available to be among them

learn = typer.Typer(help="Learn from games: knowledge about moves, weights of playouts.")
learn.command()(evaluations)
learn.command()(balance)
learn.command()(records)


@learn.command()
def transitions(
    game: GameName,
    out: Annotated[Path, typer.Option(help="Where the table goes.", show_default=False)],
    games: Games = 300,
    simulations: Annotated[
        int, typer.Option("--sims", parser=whole, metavar="N", help="Simulations a move.")
    ] = 1000,
    seed: MatchSeed = 0,
    jobs: Jobs = None,
    store: Annotated[
        Path | None,
        typer.Option("--store", help="Where the games are kept.", show_default="OUT.db"),
    ] = None,
    any_code: AnyCode = False,
) -> None:
    """Learn how likely each category of moves is to be chosen.

    Plays what the store does not hold yet, then counts. It can be stopped at any time: the same
    command goes on.

    Example: `tesuji learn transitions loa --games 300 --sims 1000 --out transitions.txt`
    """
    check_folder(out)
    store = store or Path(f"{out}.db")
    task = Task(self_play(game, simulations, seed), games)
    loaded = task.match.load()
    known = categories(loaded)
    [standing], interrupted = contest([task], store, True, jobs, any_code)
    if interrupted:
        print("tesuji: interrupted; the same command goes on", file=sys.stderr)
        sys.exit(130)
    with Store(store, read_only=True) as opened:
        table = count_games(loaded, islice(opened.games(standing.id), games))
    title = f"{game}, {games} games with {simulations} simulations a move, seed {seed}"
    write_table(out, f"{title}, {table.positions} positions", table, known.text)
    console.print(f"{title}: {table.positions:,} positions")
    _print_ends(table, known.text)


def _print_ends(table: Table, text: Callable[[int], str]) -> None:
    """The most and the least likely of the categories that were available often."""
    often = np.flatnonzero(table.available >= OFTEN)
    order = often[np.argsort(-table.probability[often], kind="stable")].tolist()
    shown = grid("category", "played", "available", "probability")
    for category in order if len(order) <= 2 * SHOWN else order[:SHOWN] + order[-SHOWN:]:
        figures = (f"{table.played[category]:,}", f"{table.available[category]:,}")
        shown.add_row(text(category), *figures, f"{table.probability[category]:.2%}")
    console.print(shown)
