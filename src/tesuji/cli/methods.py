"""`tesuji methods`: sets of settings that have a name."""

from typing import Annotated

import typer
from rich.table import Table

from tesuji import methods as known
from tesuji.cli.output import AsJson, console, print_json


def methods(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Show this one in full.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the methods, or show one: its settings, and where they come from.

    A method is for `--method` of a search, and a player in matches.

    Examples:

    `tesuji methods`

    `tesuji methods uct-tuned`
    """
    if as_json:
        rows = [known.describe(each) for each in known.names()]
        print_json(rows if name is None else known.describe(name))
    elif name is None:
        console.print(_table())
    else:
        print(known.text(name), end="")


def _table() -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("method", no_wrap=True)
    table.add_column("game", no_wrap=True)  # of those that need something of one game
    table.add_column("paper", overflow="fold")
    table.add_column("about", overflow="fold")
    for name in known.names():
        row = known.describe(name)
        table.add_row(name, row.get("game", ""), row["paper"], row["about"])
    return table
