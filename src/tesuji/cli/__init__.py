"""The command line: one thin file a command, each parses, calls the library and prints.

Exit codes: 0 done, 1 a check failed, 2 wrong input, 130 interrupted.
"""

import os
import sys
import warnings
from typing import Annotated, Any

import typer

import tesuji
from tesuji.cli.cache import cache
from tesuji.cli.check_game import check_game
from tesuji.cli.games import games
from tesuji.cli.perft import perft
from tesuji.cli.play import play
from tesuji.cli.search import search

app = typer.Typer(
    name="tesuji",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(games)
app.command()(search)
app.command()(play)
app.command()(perft)
app.command("check-game")(check_game)
app.command()(cache)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"tesuji {tesuji.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Monte-Carlo tree search at native speed, for games written in plain Python."""


def main() -> None:
    """Run the command line; errors that a user can mend become one line on stderr."""
    warnings.showwarning = _show_warning
    try:
        app()
    except tesuji.ContractError as error:
        _fail(str(error), 1)
    except tesuji.TesujiError as error:
        _fail(str(error), 2)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except BrokenPipeError:  # the reader of our output went away, for instance `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _fail(message: str, code: int) -> None:
    print(f"tesuji: {message}", file=sys.stderr)
    sys.exit(code)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"tesuji: {message}", file=sys.stderr)
