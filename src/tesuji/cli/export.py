"""`tesuji export`: the games of a store as files for other programs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tesuji.cli.output import console, whole
from tesuji.lab.export import choose, export_json, export_sgf
from tesuji.lab.store import Store


class Format(StrEnum):
    """What can be written."""

    JSON = "json"
    SGF = "sgf"


def export(
    store: Annotated[
        Path, typer.Argument(metavar="STORE", help="Where the games are.", show_default=False)
    ],
    out: Annotated[
        Path,
        typer.Option(help="A new file for JSON, a new folder for SGF.", show_default=False),
    ],
    form: Annotated[
        Format, typer.Option("--format", help="Everything as JSON, or games of Go as SGF.")
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

    Example: `tesuji export go.db --format sgf --out games`
    """
    write = export_sgf if form is Format.SGF else export_json
    with Store(store, read_only=True) as opened:
        count = write(opened, choose(opened, match), out)
    console.print(f"{count} games written to {out}", soft_wrap=True)
