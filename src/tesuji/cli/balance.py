"""`tesuji learn balance`: weights of patterns that make playouts right on average."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tesuji import methods
from tesuji.cli.output import AsJson, Method, Seed, number, status_line, whole
from tesuji.cli.weights import Base, Go, Out, Work, at_least_one
from tesuji.game import Game
from tesuji.learn.balance import BalanceLearner, Balancing
from tesuji.learn.labels import Label, Labeller, read_labels
from tesuji.learn.patterns import load_go

DEFAULT = Balancing()
INTERRUPTED = 130


def balance(
    out: Out,
    game: Go = "go",
    positions: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Labelled positions to learn from.")
    ] = 800,
    labels: Annotated[
        Path | None,
        typer.Option(help="Where they are kept.", show_default="OUT.jsonl"),
    ] = None,
    method: Method = "tesuji",
    simulations: Annotated[
        int, typer.Option("--sims", parser=whole, metavar="N", help="Simulations a label.")
    ] = 1000,
    passes: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="How often each position is used.")
    ] = 4,
    playouts: Annotated[
        int, typer.Option(parser=whole, metavar="N", help="Playouts of each of two sets.")
    ] = DEFAULT.playouts,
    alpha: Annotated[
        float, typer.Option(parser=number, metavar="A", help="The size of a step.")
    ] = DEFAULT.alpha,
    weights: Base = "",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Learn weights of 3x3 patterns by simulation balancing.

    A deep search labels positions with their values, which takes longest; the file keeps them, and
    the same command goes on where it was stopped. Then the weights are changed until playouts give
    these values on average. Ctrl-C stops that early and writes what was learned.

    Example: `tesuji learn balance --positions 200 --out balanced.toml`
    """
    how = Balancing(playouts=playouts, alpha=alpha)
    at_least_one(positions=positions, passes=passes)
    work = Work(out, as_json)
    loaded = load_go(game)
    labeller = Labeller(loaded, methods.load(method, game), simulations, seed=seed)
    known = _labels(loaded, labeller, labels or Path(f"{out}.jsonl"), positions)
    learner = BalanceLearner(loaded, known, how, weights=weights, seed=seed)
    with work.going_on(lambda: bool(learner.steps)) as show:
        learner.run(
            passes,
            lambda share: show(
                f"pass {len(learner.errors) + 1} of {passes}: {share:.0%}, mean squared errors "
                f"{' '.join(f'{error:.4f}' for error in learner.errors[-5:])}"
            ),
        )
    title = (
        f"tesuji learn balance: {game}, {len(known)} positions, {len(learner.errors)} passes with "
        f"twice {playouts} playouts,\nalpha = {alpha:g}, seed {seed}"
    )
    figures = {"positions": len(known), "steps": learner.steps, "errors": learner.errors}
    work.finish(title, learner.weights, learner.drawn, weights, figures)


def _labels(game: Game, labeller: Labeller, path: Path, count: int) -> list[Label]:
    """As many labels as were asked for, made where the file has fewer."""
    try:
        with status_line("labelling") as show:
            labeller.fill(
                path, count, show and (lambda n: show(f"{n} of {count} positions labelled"))
            )
    except KeyboardInterrupt:
        print("tesuji: interrupted; the same command goes on", file=sys.stderr)
        sys.exit(INTERRUPTED)
    return read_labels(path, game)[:count]
