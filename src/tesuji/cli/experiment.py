"""`tesuji experiment`: a table of matches that is described by a file."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from tesuji.cli.contest import SAME_COMMAND, AnyCode, Jobs, contest, leave_interrupted
from tesuji.cli.match import match_json
from tesuji.cli.output import AsJson, print_json
from tesuji.errors import ConfigError
from tesuji.lab.experiment import Experiment, foreign
from tesuji.lab.experiment_plot import draw
from tesuji.lab.match import Standing
from tesuji.lab.picture import check_file
from tesuji.lab.store import Store

experiment = typer.Typer(help="A table of matches, described by a TOML file.")

File = Annotated[Path, typer.Argument(metavar="FILE", help="The experiment.", show_default=False)]
StoreFile = Annotated[
    Path | None,
    typer.Option("--store", help="Where the games are.", show_default="games.db beside FILE"),
]
Write = Annotated[bool, typer.Option("--write", help="Also write README.md beside FILE.")]
Plot = Annotated[
    Path | None,
    typer.Option(
        metavar="PICTURE",
        help="Draw all scores into a .svg or .png file; README.md shows it, too.",
        show_default=False,
    ),
]


@experiment.command()
def run(
    file: File,
    store: StoreFile = None,
    any_code: AnyCode = False,
    jobs: Jobs = None,
    write: Write = False,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Play what is missing, and print the table.

    It can be stopped and started again at any time.

    Example: `tesuji experiment run experiments/001-exploration/experiment.toml`
    """
    read = _read(file, plot, programs=True)
    standings, interrupted = contest(read.tasks, store or _beside(file), True, jobs, any_code)
    _show(file, read, standings, write, plot, as_json)
    if interrupted:
        leave_interrupted(file, SAME_COMMAND)


@experiment.command()
def show(
    file: File,
    store: StoreFile = None,
    write: Write = False,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Print the table with what has been played, without playing.

    Example: `tesuji experiment show experiments/001-exploration/experiment.toml`
    """
    read = _read(file, plot)
    with Store(store or _beside(file), read_only=True) as opened:
        standings = [opened.standing(task) for task in read.tasks]
    _show(file, read, standings, write, plot, as_json)


def _read(file: Path, plot: Path | None, *, programs: bool = False) -> Experiment:
    """Read the file; find out before long work whether its plot can be drawn.

    Files come from others, too: what else they may run is told before it runs.
    """
    if plot is not None:
        check_file(plot)
    if found := foreign(file, programs=programs):
        print(f"tesuji: {file} may run {', '.join(map(repr, found))}", file=sys.stderr)
    return Experiment.read(file)


def _beside(file: Path) -> Path:
    return file.with_name("games.db")


def _show(
    file: Path,
    read: Experiment,
    standings: list[Standing],
    write: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    page = read.markdown(standings)
    if as_json:
        print_json([match_json(standing, standing.summary()) for standing in standings])
    else:
        print(page)
    try:
        if plot is not None:
            draw(read, standings, plot)
            page = read.markdown(standings, os.path.relpath(plot, file.parent))
        if write:
            file.with_name("README.md").write_text(page, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {error.filename}: {error.strerror}") from None
