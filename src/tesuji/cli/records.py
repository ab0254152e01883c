"""`tesuji learn records`: weights of patterns from the games of good players."""

from pathlib import Path
from typing import Annotated

import typer

from tesuji.cli.output import AsJson, console, number, whole
from tesuji.cli.weights import Base, Out, Work, at_least_one
from tesuji.learn.patterns import load_go
from tesuji.learn.records import read_records
from tesuji.learn.strengths import Predictor, StrengthLearner


def records(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Games: `.sgf` files, or `.gz` files with one SGF a line.",
            show_default=False,
        ),
    ],
    out: Out,
    size: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Of the board; other games are left out.")
    ] = 19,
    games: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Games to learn from, at most.")
    ] = 4000,
    sweeps: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Sweeps over all games, at most.")
    ] = 30,
    stable: Annotated[
        float,
        typer.Option(
            parser=number,
            metavar="S",
            help="Stop when a sweep changes the logarithms of the weights by less.",
        ),
    ] = 0.01,
    test: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Other games: how often is their move predicted? May be repeated.",
            show_default=False,
        ),
    ] = None,
    weights: Base = "",
    as_json: AsJson = False,
) -> None:
    """Learn weights of 3x3 patterns from games that good players have played.

    The weight is the pattern's strength in competition with all others that could have been played.
    Ctrl-C stops early and writes what was learned.

    Example: `tesuji learn records games.sgf.gz --test others.sgf.gz --out learned.toml`
    """
    at_least_one(games=games, sweeps=sweeps)
    work = Work(out, as_json)
    loaded = load_go(f"go:size={size}")
    read = read_records(files, size, games)
    tested = read_records(test, size) if test else None
    learner = StrengthLearner(loaded, read)
    with work.going_on(lambda: learner.sweeps > 0) as show:
        learner.run(
            sweeps,
            stable,
            lambda share: show(
                f"sweep {learner.sweeps + 1}: {share:.0%} of {len(read):,} games, "
                f"the last changed {learner.change:.4f}"
            ),
        )
    positions = int(learner.tally.played.sum())
    title = (
        f"tesuji learn records: {len(read)} games on {size}x{size}, {positions} positions, "
        f"{learner.sweeps} sweeps"
    )
    figures = {
        "games": len(read),
        "positions": positions,
        "left_out": read.left_out,
        "illegal": learner.broken,
        "sweeps": learner.sweeps,
        "change": learner.change,
    }
    if tested is not None:
        with work.going_on(lambda: True) as show:
            show("predicting")
            predictor = Predictor(loaded, tested, weights=weights)
            figures["before"] = predictor.rate()
            figures["predicted"] = predictor.rate(learner.weights)
    work.finish(title, learner.weights, learner.tally.available, weights, figures)
    if tested is not None and "predicted" in figures and not as_json:
        console.print(
            f"knowledge `mango` predicts {figures['predicted']:.1%} of the moves of "
            f"{len(tested):,} other games; before, {figures['before']:.1%}"
        )
