"""`tesuji gtp`: an engine for programs with a board, such as Sabaki and GoGui."""

import signal
import sys
from typing import Annotated, Any, NoReturn

import typer

from tesuji import ConfigError, Limit, load
from tesuji.cli.output import (
    ConfigFile,
    Parallel,
    PlayerMethod,
    Ponder,
    ResignBelow,
    Seconds,
    Seed,
    Settings,
    Simulations,
    Threads,
    number,
    read_player,
)
from tesuji.engines.engine import Setup
from tesuji.engines.serve import serve
from tesuji.play.clock import LAG
from tesuji.play.player import Options

GO = "go"
TERMINATED = 128 + signal.SIGTERM  # as shells count it


def gtp(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="A game with parameters, such as `go:size=13,komi=6.5`, or a path to a Python "
            "file; Go if nothing is said.",
            show_default=False,
        ),
    ] = None,
    game_option: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="The game, as an option.", show_default=False),
    ] = None,
    simulations: Simulations = None,
    seconds: Seconds = None,
    seed: Seed = 0,
    method: PlayerMethod = None,
    config: ConfigFile = None,
    settings: Settings = None,
    threads: Threads = None,
    parallel: Parallel = None,
    ponder: Ponder = False,
    resign: ResignBelow = Options.resign,
    lag: Annotated[
        float,
        typer.Option(
            parser=number, metavar="S", help="Seconds that a move may cost beyond its thinking."
        ),
    ] = LAG,
    dynamic_komi: Annotated[
        float,
        typer.Option(
            parser=number,
            metavar="POINTS",
            help="In handicap games of Go: points for each stone at the start; 7.5 is usual.",
        ),
    ] = Options.dynamic_komi,
) -> None:
    """Play and analyse for a program with a board, over the Go Text Protocol.

    Without `--sims` and `--seconds` it thinks for two seconds a move, or as the clock of the game
    allows.

    Example: `tesuji gtp go:size=13 --seconds 5`
    """
    if game is not None and game_option is not None:
        raise ConfigError(f"the game is {game!r}, and --game is {game_option!r}: give one of them")
    spec = game or game_option or GO
    signal.signal(signal.SIGTERM, _terminated)
    loaded = load(spec)
    serve(
        Setup(
            game=loaded,
            config=read_player(loaded, method, config, settings, threads, parallel),
            seed=seed,
            limit=_limit(simulations, seconds),
            options=Options(resign=resign, ponder=ponder, dynamic_komi=dynamic_komi),
            lag=lag,
        ),
        sys.stdin.fileno(),
        sys.stdout.buffer,
    )


def _limit(simulations: int | None, seconds: float | None) -> Limit | None:
    """The limit of a move; None leaves it to the clock of the game."""
    return None if simulations is None and seconds is None else Limit(simulations, seconds)


def _terminated(*_: Any) -> NoReturn:
    sys.exit(TERMINATED)
