"""`tesuji cache`: the compiled code on disk."""

import time
from enum import Enum
from typing import Annotated

import typer
from rich.table import Table

from tesuji.cli.output import AsJson, console, print_json
from tesuji.compile.cache import clear, directory, entries


class Action(Enum):
    """What to do with the cache."""

    SHOW = "show"
    CLEAR = "clear"


def cache(
    action: Annotated[Action, typer.Argument(help="Show it or clear it.")] = Action.SHOW,
    as_json: AsJson = False,
) -> None:
    """Show or clear the compiled code that is kept on disk.

    Example: `tesuji cache clear`
    """
    if action is Action.CLEAR:
        gone = clear()
        if as_json:
            print_json({"directory": str(directory()), "deleted": gone})
        else:
            console.print(f"deleted {gone} files from {directory()}")
        return
    found = entries()
    if as_json:
        rows = [{"label": e.label, "bytes": e.bytes, "used": e.used} for e in found]
        print_json({"directory": str(directory()), "entries": rows})
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("compiled")
    table.add_column("kB", justify="right")
    table.add_column("last used", justify="right")
    for entry in found:
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
        table.add_row(entry.label.replace("_", " "), f"{entry.bytes // 1000:,}", used)
    console.print(table)
    total = sum(entry.bytes for entry in found) / 1e6
    console.print(f"{len(found)} files, {total:.1f} MB in {directory()}")
