"""What all commands share: options, printing, and where progress goes."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TextIO, TypeVar

import typer
from rich.console import Console
from rich.status import Status
from rich.table import Table
from rich.text import Text

from tesuji import ConfigError, Decision, Game, Limit, Position, SearchConfig, methods, start
from tesuji.games.go.facets import is_go
from tesuji.play import always
from tesuji.search.decide import proof_text
from tesuji.searcher import Progress

WIDTH_IN_PIPES = 1000
STRONG, PLAIN = "tesuji", "uct"  # methods of players: the one for Go, and that for other games

Found = TypeVar("Found")
Show = Callable[[str], None]


class _Console(Console):
    """Leaves it to `main` what to do when the reader of the output has gone away."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _console(stream: TextIO | None, **options: Any) -> Console:
    """Rich itself honours NO_COLOR and drops colour in pipes; lines in a pipe stay whole."""
    width = None if stream is not None and stream.isatty() else WIDTH_IN_PIPES
    return _Console(highlight=False, markup=False, emoji=False, width=width, **options)


console = _console(sys.stdout)
stderr = _console(sys.stderr, stderr=True)


def whole(text: str) -> int:
    """Read an integer of the command line."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not an integer") from None


def number(text: str) -> float:
    """Read a number of the command line."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number") from None


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game with parameters, such as `go:size=13,komi=6.5`, or a path to a Python file.",
        show_default=False,
    ),
]
Moves = Annotated[
    str, typer.Option(help="Moves to play from the start first, separated by blanks.")
]
Simulations = Annotated[
    int | None,
    typer.Option("--sims", parser=whole, metavar="N", help="Simulations to search for."),
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", parser=number, metavar="S", help="Seconds to search for."),
]
Seed = Annotated[
    int, typer.Option(parser=whole, metavar="N", help="The same seed gives the same result.")
]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="NAME",
        help="The settings to begin with: a name that `tesuji methods` lists, or a TOML file.",
    ),
]
PlayerMethod = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="NAME",
        help="The settings to begin with: a name that `tesuji methods` lists, or a TOML file.",
        show_default="the strongest for Go, uct for other games",
    ),
]
ResignBelow = Annotated[
    float,
    typer.Option(
        "--resign",
        parser=number,
        metavar="VALUE",
        help="Resign when the win rate is below this two times in a row; 0: never.",
    ),
]
Ponder = Annotated[bool, typer.Option("--ponder", help="Think while the opponent does, too.")]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", help="A TOML file with settings, on top of the method.", show_default=False
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="One setting, on top of all; may be repeated."),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        parser=whole,
        metavar="N",
        help="Threads that search at the same time.",
        show_default=False,
    ),
]
Parallel = Annotated[
    str | None,
    typer.Option(
        "--parallel",
        metavar="SCHEME",
        help="What threads share: one `tree`, the `root` of a tree each, or every `leaf`.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")]


def played(game: str, moves: str) -> Position:
    """The position after the moves that a user listed."""
    return start(game).play(*moves.replace(",", " ").split())


def check_writable(path: Path) -> None:
    """Find out before a long search whether its result can be kept."""
    try:
        path.open("a").close()
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None


def check_folder(path: Path) -> None:
    """The same for a file that will appear as a whole: nothing is written yet."""
    if not path.parent.is_dir():
        raise ConfigError(f"cannot write {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise ConfigError(f"cannot write {path}: it is a folder")


def read_limit(simulations: int | None, seconds: float | None) -> Limit:
    """The limit a user asked for, two seconds by default."""
    if simulations is None and seconds is None:
        seconds = 2.0
    return Limit(simulations, seconds)


def read_config(
    game: str,
    method: str,
    file: Path | None,
    settings: list[str] | None,
    threads: int | None = None,
    parallel: str | None = None,
) -> SearchConfig:
    """The settings of a method, then those of a file, then those from the command line."""
    options = {"threads": threads, "parallel": parallel}
    given = [f"{key}={value}" for key, value in options.items() if value is not None]
    config = methods.load(method, game)
    if file is not None:
        config = methods.change(config, file, game)
    return config.parsed([*given, *(settings or [])])


def read_player(
    game: Game,
    method: str | None,
    file: Path | None,
    settings: list[str] | None,
    threads: int | None = None,
    parallel: str | None = None,
) -> SearchConfig:
    """The same for a whole player, which has its own method and some settings that it needs."""
    needed = [f"{key}={value}" for key, value in always(game).items()]
    method = method or (STRONG if is_go(game) else PLAIN)
    return read_config(game.spec, method, file, [*needed, *(settings or [])], threads, parallel)


def print_json(data: Any) -> None:
    """One object on one line."""
    print(json.dumps(data, allow_nan=False))


def print_position(position: Position) -> None:
    """The board, in colour on a terminal, and whose turn it is."""
    console.print(Text.from_ansi(position.draw(colour=True)), soft_wrap=True)
    turn = position.result_text() if position.over else f"{position.mover_name} to move"
    console.print(f"{position.game.spec}, after {position.ply} moves: {turn}\n")


def print_decision(decision: Decision, rows: int = 10) -> None:
    """The best moves, the main line and what it took."""
    table = Table(box=None, pad_edge=False)
    table.add_column("move", style="bold")
    table.add_column("visits", justify="right")
    table.add_column("win rate", justify="right")
    for child in decision.children[:rows]:
        row = [child.text, f"{child.visits:,}", f"{child.value:.1%}", proof_text(child.proven)]
        table.add_row(*filter(None, row))
    console.print(table)
    if len(decision.children) > rows:
        console.print(f"... and {len(decision.children) - rows} more moves")
    console.print(f"\nmain line: {' '.join(decision.line)}")
    if decision.best_line:
        console.print(decision.best_text)
    rate = decision.simulations / max(decision.seconds, 1e-9)
    console.print(
        f"{decision.simulations:,} simulations in {decision.seconds:.2f} s ({rate:,.0f} a second), "
        f"{decision.nodes:,} nodes, depth {decision.depth}, {decision.bytes / 1e6:.1f} MB"
    )


@contextmanager
def status_line(text: str) -> Iterator[Show | None]:
    """A line on stderr that shows one text after another; None if nobody is looking."""
    if not stderr.is_terminal:
        yield None
        return
    with Status(text, console=stderr) as status:
        yield status.update


@contextmanager
def progress() -> Iterator[Progress | None]:
    """A line on stderr that follows a search, when someone is looking."""
    with status_line("searching") as show:

        def tell(decision: Decision) -> None:
            assert show is not None
            show(
                f"{decision.simulations:,} simulations, best {decision.text} "
                f"({decision.value:.1%}), line {' '.join(decision.line[:6])}"
            )

        yield None if show is None else tell


def found_so_far(answer: Callable[[], Found]) -> Found:
    """What an interrupted search answers, unless it had not begun."""
    try:
        found = answer()
    except ConfigError:
        raise KeyboardInterrupt from None
    stderr.print("interrupted; this is what was found so far")
    return found
