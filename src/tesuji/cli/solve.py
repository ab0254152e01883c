"""`tesuji solve`: the best line of a one-player game."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from tesuji import ConfigError, StoreError, load
from tesuji.cli.output import (
    AsJson,
    Moves,
    Seconds,
    Seed,
    Settings,
    Simulations,
    check_writable,
    console,
    found_so_far,
    played,
    print_json,
    print_position,
    read_limit,
    status_line,
    whole,
)
from tesuji.planning import METHODS, Solution, Solver, read
from tesuji.planning.solver import Progress

SAVE_SECONDS = 1.0  # between two writes of the file while the search goes on


OneGame = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="A game with parameters, such as `samegame:seed=3`, or a path to a Python file.",
        show_default=False,
    ),
]
Planner = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help=f"How to search: {', '.join(METHODS)}, or a name that `tesuji methods` lists.",
    ),
]
Level = Annotated[
    int | None,
    typer.Option(parser=whole, metavar="N", help="Of `nested` and `nrpa`.", show_default="3"),
]
Out = Annotated[
    Path | None,
    typer.Option(help="Keep the best line in this file, also while searching.", show_default=False),
]
Replay = Annotated[
    Path | None,
    typer.Option(
        help="Play the line of such a file again, check its score. A game in a Python file must be "
        "named, too.",
        show_default=False,
    ),
]


def solve(
    game: OneGame = None,
    moves: Moves = "",
    method: Planner = "nested",
    level: Level = None,
    simulations: Simulations = None,
    seconds: Seconds = None,
    seed: Seed = 0,
    settings: Settings = None,
    as_json: AsJson = False,
    out: Out = None,
    replay: Replay = None,
) -> None:
    """Look for the best line of a one-player game.

    Ctrl-C stops early and shows what was found.

    Examples:

    `tesuji solve morpion --seconds 10 --out line.json`

    `tesuji solve samegame --method nrpa --level 2 --sims 10000`

    `tesuji solve --replay line.json`

    `tesuji solve my_game.py --replay line.json`
    """
    if replay is not None:
        _replay(replay, game, as_json)
        return
    if game is None:
        raise ConfigError("name a game to solve, or a file to --replay")
    limit = read_limit(simulations, seconds)
    changes = [*([] if level is None else [f"level={level}"]), *(settings or [])]
    position = played(game, moves)
    if out is not None:
        check_writable(out)
    solver = Solver(position, method, settings=changes, seed=seed)
    try:
        with _progress(out) as show:
            solution = solver.run(limit, progress=show)
    except KeyboardInterrupt:
        solution = found_so_far(solver.solution)
    try:  # before anything is printed, which fails if the output is full
        if out is not None:
            solution.save(out)
    finally:
        if as_json:
            print_json(solution.to_json())
        else:
            _print(solution)


def _print(solution: Solution) -> None:
    console.print(f"score {solution.score:g} with {len(solution.line)} moves:", soft_wrap=True)
    console.print(" ".join(solution.line), soft_wrap=True)
    rate = solution.playouts / max(solution.seconds, 1e-9)
    console.print(
        f"{solution.playouts:,} playouts in {solution.seconds:.2f} s ({rate:,.0f} a second)"
    )


def _replay(path: Path, game: str | None, as_json: bool) -> None:
    """Show where the line of a file leads; it is refused if a move or the score is wrong."""
    solution = read(path)
    end = solution.replay(None if game is None else load(game))
    if as_json:
        print_json({"game": end.game.spec, "score": end.score, "moves": len(solution.line)})
    else:
        print_position(end)
        console.print(f"{len(solution.line)} legal moves, score {end.score:g} as the file says")


@contextmanager
def _progress(out: Path | None) -> Iterator[Progress]:
    """Keep the best line in its file, and a line on stderr when someone is looking."""
    keeper = _Keeper(out)
    with status_line("searching") as show:

        def tell(solution: Solution) -> None:
            keeper.keep(solution)
            if show is not None:
                show(
                    f"best score {solution.score:g} ({len(solution.line)} moves), "
                    f"{solution.playouts:,} playouts, {solution.seconds:.0f} s"
                )

        yield tell


class _Keeper:
    """Writes a solution that is better than the last one, but not too often."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._score: float | None = None
        self._next = 0.0

    def keep(self, solution: Solution) -> None:
        now = time.monotonic()
        if self._path is None or solution.score == self._score or now < self._next:
            return
        try:
            solution.save(self._path)
        except StoreError:  # a full disk must not end the search: the last write will complain
            return
        self._score = solution.score
        self._next = now + SAVE_SECONDS
