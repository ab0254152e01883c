"""`tesuji search`: what to play in a position."""

from pathlib import Path
from typing import Annotated

import typer

from tesuji import ConfigError, Searcher
from tesuji.cli.output import (
    AsJson,
    ConfigFile,
    GameName,
    Method,
    Moves,
    Parallel,
    Seconds,
    Seed,
    Settings,
    Simulations,
    Threads,
    check_writable,
    found_so_far,
    played,
    print_decision,
    print_json,
    print_position,
    progress,
    read_config,
    read_limit,
)


def search(
    game: GameName,
    moves: Moves = "",
    simulations: Simulations = None,
    seconds: Seconds = None,
    seed: Seed = 0,
    method: Method = "uct",
    config: ConfigFile = None,
    settings: Settings = None,
    threads: Threads = None,
    parallel: Parallel = None,
    as_json: AsJson = False,
    save_tree: Annotated[
        Path | None, typer.Option(help="Write the tree as JSON.", show_default=False)
    ] = None,
    save_dot: Annotated[
        Path | None,
        typer.Option(help="Write a drawing of the tree for Graphviz.", show_default=False),
    ] = None,
) -> None:
    """Search a position and show the best moves.

    Ctrl-C stops early and shows what was found.

    Example: `tesuji search go --moves "E5 C3" --seconds 5`
    """
    limit = read_limit(simulations, seconds)
    settled = read_config(game, method, config, settings, threads, parallel)
    position = played(game, moves)
    for path in filter(None, (save_tree, save_dot)):
        check_writable(path)
    searcher = Searcher(position.game, settled, seed=seed)
    if not as_json:
        print_position(position)
    try:
        with progress() as show:
            decision = searcher.search(position, limit, progress=show)
    except KeyboardInterrupt:
        decision = found_so_far(searcher.decision)
    try:  # before anything is printed, which fails if the output is full
        if save_tree is not None:
            searcher.save_json(save_tree)
        if save_dot is not None:
            searcher.save_dot(save_dot)
    except OSError as error:
        raise ConfigError(f"the tree could not be saved: {error.strerror}") from None
    finally:
        if as_json:
            print_json(decision.to_json())
        else:
            print_decision(decision)
