"""`tesuji games`: what can be played."""

from typing import Any

from rich.table import Table

from tesuji.cli.output import AsJson, console, print_json
from tesuji.games import describe, names


def games(as_json: AsJson = False) -> None:
    """List the games and their parameters.

    Example: `tesuji games`
    """
    found = [describe(name) for name in names()]
    if as_json:
        print_json(found)
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("game", "players", "parameters"):
        table.add_column(heading, no_wrap=True)
    table.add_column("about", overflow="fold")
    for row in found:
        table.add_row(row["name"], str(row["players"]), _options(row), row["about"])
    console.print(table)


def _options(row: dict[str, Any]) -> str:
    return ",".join(f"{key}={value}" for key, value in row["parameters"].items())
