"""`tesuji report`: what a store tells, as one page."""

from pathlib import Path
from typing import Annotated

import typer

from tesuji import ConfigError
from tesuji.cli.output import AsJson, print_json
from tesuji.lab.report import Report
from tesuji.lab.store import Store


def report(
    store: Annotated[
        Path, typer.Argument(metavar="STORE", help="Where the games are.", show_default=False)
    ],
    out: Annotated[
        Path | None, typer.Option(help="The page.", show_default="STORE with the suffix .html")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make one HTML page with the results, ratings and plots of all matches of a store.

    The page needs nothing but itself. With `--json` the figures are printed and no page is made.

    Example: `tesuji report go.db`
    """
    with Store(store, read_only=True) as opened:
        found = Report.read(opened)
    if as_json:
        print_json(found.to_json())
        return
    page = out or store.with_suffix(".html")
    if page.exists() and page.samefile(store):
        raise ConfigError(f"the page would replace the store {store}; choose another with --out")
    try:
        page.write_text(found.page(), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {page}: {error.strerror}") from None
    print(page)
