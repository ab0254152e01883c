"""`tesuji learn evaluations`: weights of patterns from evaluations of moves."""

from typing import Annotated

import typer

from tesuji.cli.output import AsJson, Seed, number, whole
from tesuji.cli.weights import Base, Go, Out, Work, at_least_one
from tesuji.learn.evaluations import EvaluationLearner, Tracking
from tesuji.learn.patterns import load_go

DEFAULT = Tracking()


def evaluations(
    out: Out,
    game: Go = "go",
    positions: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Positions to learn from, at most.")
    ] = 2000,
    simulations: Annotated[
        int, typer.Option("--sims", parser=whole, metavar="N", help="Playouts after each move.")
    ] = DEFAULT.simulations,
    c: Annotated[
        float,
        typer.Option(
            "--c", parser=number, metavar="C", help="How much a better evaluation counts."
        ),
    ] = DEFAULT.c,
    alpha: Annotated[
        float, typer.Option(parser=number, metavar="A", help="The first step of a weight.")
    ] = DEFAULT.alpha,
    clip: Annotated[
        float, typer.Option(parser=number, metavar="D", help="The largest error that counts.")
    ] = DEFAULT.clip,
    stable: Annotated[
        float,
        typer.Option(
            parser=number,
            metavar="S",
            help="Stop when 100 positions change the logarithms of the weights by less.",
        ),
    ] = DEFAULT.stable,
    weights: Base = "",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Learn weights of 3x3 patterns from evaluations of moves.

    Plays Go against itself; every move of each position is evaluated by a few playouts with the
    weights learned so far. Ctrl-C stops early and writes what was learned.

    Example: `tesuji learn evaluations --positions 1000 --out learned.toml`
    """
    at_least_one(positions=positions)
    how = Tracking(simulations=simulations, c=c, alpha=alpha, clip=clip, stable=stable)
    work = Work(out, as_json)
    learner = EvaluationLearner(load_go(game), how, weights=weights, seed=seed)
    with work.going_on(lambda: learner.positions > 0) as show:
        learner.run(
            positions,
            lambda: show(
                f"{learner.positions:,} positions, the last 100 changed {learner.change:.3f}"
            ),
        )
    title = (
        f"tesuji learn evaluations: {game}, {learner.positions} positions, {simulations} playouts "
        f"a move,\nC = {c:g}, alpha = {alpha:g}, seed {seed}"
    )
    figures = {
        "positions": learner.positions,
        "stable": learner.stable,
        "change": learner.change if learner.positions >= 100 else None,
    }
    work.finish(title, learner.weights, learner.tracker.matches, weights, figures)
