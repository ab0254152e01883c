"""`tesuji export`: the games of a store as files for other programs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tesuji.cli.output import console, whole
from tesuji.errors import StoppedError
from tesuji.lab.export import choose, export_json, export_sgf, export_store
from tesuji.lab.salvage import open_store


class Format(StrEnum):
    """What can be written."""

    JSON = "json"
    SGF = "sgf"
    STORE = "store"


WRITE = {Format.JSON: export_json, Format.SGF: export_sgf, Format.STORE: export_store}


def export(
    store: Annotated[
        Path, typer.Argument(metavar="STORE", help="Where the games are.", show_default=False)
    ],
    out: Annotated[
        Path,
        typer.Option(
            help="A new file for JSON or a store, a new folder for SGF.", show_default=False
        ),
    ],
    form: Annotated[
        Format,
        typer.Option(
            "--format", help="Everything as JSON, games of Go as SGF, or all in a new store."
        ),
    ] = Format.JSON,
    match: Annotated[
        int | None,
        typer.Option(
            parser=whole,
            metavar="N",
            help="Only this match, by its number in the report.",
            show_default="all",
        ),
    ] = None,
) -> None:
    """Write the games of a store into files.

    Of a store that is damaged, what is whole is written; what is lost is said, with exit code 1.

    Example: `tesuji export go.db --format sgf --out games`
    """
    with open_store(store) as opened:
        count = WRITE[form](opened, choose(opened, match), out)
        damaged, lost = opened.damaged, opened.lost
    console.print(f"{count} games written to {out}", soft_wrap=True)
    if damaged:
        what = f"lost: {', '.join(lost)}" if lost else "no game is known to be lost"
        raise StoppedError(f"the store {store} is damaged; {what}")
