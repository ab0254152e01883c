"""The command line: one thin file a command, each parses, calls the library and prints.

Exit codes: 0 done, 1 a game breaks the contract, long work had to stop or its result cannot be
written, 2 wrong input, 130 interrupted, 141 the reader of the output has gone.  What went wrong is
one line on stderr.
"""

import signal
import sys
import warnings
from typing import Annotated, Any

import typer

import tesuji
from tesuji.cli import streams
from tesuji.cli.bandit import bandit
from tesuji.cli.cache import cache
from tesuji.cli.check_game import check_game
from tesuji.cli.experiment import experiment
from tesuji.cli.export import export
from tesuji.cli.games import games
from tesuji.cli.gtp import gtp
from tesuji.cli.learn import learn
from tesuji.cli.match import match
from tesuji.cli.methods import methods
from tesuji.cli.perft import perft
from tesuji.cli.play import play
from tesuji.cli.regress import regress
from tesuji.cli.report import report
from tesuji.cli.scaling import scaling
from tesuji.cli.search import search
from tesuji.cli.solve import solve
from tesuji.cli.tournament import tournament
from tesuji.errors import StoppedError

INTERRUPTED = 130
NO_READER = 141

app = typer.Typer(
    name="tesuji",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # Typer does not export it

app.command()(games)
app.command()(methods)
app.command()(search)
app.command()(solve)
app.command()(play)
app.command()(gtp)
app.command()(match)
app.command()(tournament)
app.add_typer(experiment, name="experiment")
app.add_typer(learn, name="learn")
app.command()(scaling)
app.command()(bandit)
app.command()(regress)
app.command()(report)
app.command()(export)
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
    streams.mend()
    warnings.showwarning = _show_warning
    try:
        code = _run()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has gone away, as with `| head`
        code = NO_READER
        streams.mute()
    except OSError as error:
        code = _failed(*streams.explain(error))
        streams.mute()
    if code == INTERRUPTED:  # once is enough: a second one would end the process by the signal
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


def _run() -> int:
    """Run a command; its exit code."""
    try:
        code = app(sys.argv[1:] or ["--help"], prog_name="tesuji", standalone_mode=False)
    except (tesuji.ContractError, StoppedError) as error:
        return _failed(str(error), 1)
    except tesuji.TesujiError as error:
        return _failed(str(error), 2)
    except UsageError as error:
        return _failed(_usage(error), 2)
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except SystemExit as end:  # Rich's own answer to a missing reader, in Typer's help
        if isinstance(end.__context__, BrokenPipeError):
            return NO_READER
        raise
    if code == INTERRUPTED:  # Typer has turned the exception into this
        return _failed("interrupted", INTERRUPTED)
    return code or 0


def _usage(error: Any) -> str:
    """What is wrong with the words of the command line, and where to look."""
    command = error.ctx.command_path if error.ctx is not None else "tesuji"
    return f"{error.format_message().rstrip('.')}; see '{command} --help'"


def _failed(message: str, code: int) -> int:
    print(f"tesuji: {' '.join(message.split())}", file=sys.stderr)
    return code


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"tesuji: {message}", file=sys.stderr)
