"""`tesuji regress`: does a program still find the moves that are known to be right?"""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from tesuji.cli.output import (
    AsJson,
    Seconds,
    Seed,
    Settings,
    Simulations,
    console,
    number,
    print_json,
    status_line,
)
from tesuji.engines.regress import PATIENCE, Outcome, Step, SuiteReport, find_files, run
from tesuji.errors import ConfigError

USUAL_SIMULATIONS = 10_000  # a number and no time: the same answers everywhere
STYLES = {Outcome.FAIL: "bold red", Outcome.SURPRISE: "green", Outcome.KNOWN: "yellow"}


def regress(
    tests: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A `.tst` file, or a folder.", show_default=False),
    ],
    engine: Annotated[
        str,
        typer.Argument(
            metavar="[ENGINE]",
            help="The command line of a GTP program; without it our own engine is tested.",
            show_default=False,
        ),
    ] = "",
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The settings of our own engine, as `tesuji gtp` takes them.",
            show_default="the strongest for Go",
        ),
    ] = None,
    simulations: Simulations = None,
    seconds: Seconds = None,
    seed: Seed = 0,
    settings: Settings = None,
    patience: Annotated[
        float, typer.Option(parser=number, metavar="S", help="Seconds to wait for an answer.")
    ] = PATIENCE,
    as_json: AsJson = False,
) -> None:
    """Test a program against files of positions with known answers.

    The exit code is 0 if nothing fails but what is known to fail, else 1.

    Example: `tesuji regress regression/ladder.tst "gnugo --mode gtp"`
    """
    own = [method, simulations is not None, seconds is not None, seed != 0, settings]
    if engine and any(own):
        raise ConfigError("the options of our own engine are no options of another one")
    command = engine or own_engine(method, simulations, seconds, seed, settings or [])
    with status_line("starting the program") as show:

        def tell(path: Path, step: Step) -> None:
            if show is not None:
                show(f"{path.name} {step.number}: {step.command}")

        report = run(find_files(tests), command, patience=patience, tell=tell)
    if as_json:
        print_json(report.to_json())
    else:
        print_report(report)
    if not report.ok:
        raise typer.Exit(1)


def own_engine(
    method: str | None,
    simulations: int | None,
    seconds: float | None,
    seed: int,
    settings: list[str],
) -> list[str]:
    """The words that start our own engine; it never resigns, which would be no answer."""
    words = [sys.executable, "-m", "tesuji", "gtp", "--resign", "0", "--seed", str(seed)]
    words += [] if method is None else ["--method", method]
    if simulations is None and seconds is None:
        simulations = USUAL_SIMULATIONS
    words += [] if simulations is None else ["--sims", str(simulations)]
    words += [] if seconds is None else ["--seconds", f"{seconds:g}"]
    for setting in settings:
        words += ["--set", setting]
    return words


def print_report(report: SuiteReport) -> None:
    """Each test in a row, then what was refused, then the counts."""
    table = Table(box=None, pad_edge=False)
    for column in ("file", "id", "command", "expected", "answer", "outcome"):
        table.add_column(column, justify="right" if column == "id" else "left")
    for test in report.results:
        row = [test.file, str(test.id), test.command, test.expected, test.answer, test.outcome]
        table.add_row(*row, style=STYLES.get(test.outcome))
    console.print(table)
    for trouble in report.troubles:
        console.print(
            f"{trouble.file}, line {trouble.line}: {trouble.command!r} was refused: "
            f"{trouble.message}"
        )
    counts = ", ".join(f"{count} {outcome}" for outcome, count in report.counts.items() if count)
    console.print(f"\n{report.program}: {len(report.results)} tests: {counts or 'none'}")
