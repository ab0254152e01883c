"""`tesuji bandit`: selection policies on bandits."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from tesuji import ConfigError
from tesuji.cli.contest import grid
from tesuji.cli.output import (
    AsJson,
    Seed,
    Show,
    check_writable,
    console,
    number,
    print_json,
    status_line,
    whole,
)
from tesuji.lab.bandit import (
    POLICIES,
    PROBLEMS,
    Estimate,
    Measured,
    Policy,
    Problem,
    checkpoints,
    find_policy,
    find_problem,
    measure,
)
from tesuji.lab.bandit.measure import DEFAULT_RUNS
from tesuji.lab.bandit.plot import draw
from tesuji.lab.bandit.problem import read_arms
from tesuji.lab.picture import check_file

Cell = tuple[Problem, Policy]


def _tunable(setting: str) -> str:
    """The policies that have a setting."""
    return ", ".join(policy.name for policy in POLICIES.values() if policy.tunable == setting)


Problems = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PROBLEM...]",
        help=f"Problems of Audibert, Bubeck and Munos by name or number: "
        f"{', '.join(PROBLEMS)}. All, if nothing is said.",
        show_default=False,
    ),
]
Policies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="NAME",
        help=f"One of {', '.join(POLICIES)}; may be repeated. All, if nothing is said.",
        show_default=False,
    ),
]
Arms = Annotated[
    str | None,
    typer.Option(
        metavar="P,P,...",
        help="A problem of your own: how likely each arm pays. Needs `--pulls`.",
        show_default=False,
    ),
]
Pulls = Annotated[
    int | None,
    typer.Option(
        parser=whole, metavar="T", help="Pulls a run.", show_default="those of the problem"
    ),
]
Runs = Annotated[int, typer.Option(parser=whole, metavar="N", help="Runs of each policy.")]
Constant = Annotated[
    float | None,
    typer.Option(
        "--c",
        parser=number,
        metavar="C",
        help=f"The constant of {_tunable('c')}.",
        show_default=False,
    ),
]
Epsilon = Annotated[
    float | None,
    typer.Option(
        parser=number,
        metavar="E",
        help=f"How often {_tunable('epsilon')} pulls a random arm.",
        show_default=False,
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Draw regret over time: an SVG or PNG file.", show_default=False
    ),
]


def bandit(
    problems: Problems = None,
    policies: Policies = None,
    arms: Arms = None,
    pulls: Pulls = None,
    runs: Runs = DEFAULT_RUNS,
    seed: Seed = 0,
    c: Constant = None,
    epsilon: Epsilon = None,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Measure the regret of policies on K-armed bandits.

    The error is how often the arm that is named in the end is not the best; simple regret is how
    much less it pays, cumulative regret what all pulls together have lost. Each stands with its
    95 % interval.

    Examples:

    `tesuji bandit one-group --runs 1000`

    `tesuji bandit 1 5 --policy ucb1 --policy sequential-halving --plot regret.svg`

    `tesuji bandit --arms 0.5,0.4,0.4 --pulls 2000 --policy ucb --c 0.3`
    """
    chosen = _policies(policies or [], c, epsilon)
    cells = [(p, policy) for p in _problems(problems or [], arms, pulls) for policy in chosen]
    for problem, policy in cells:
        policy.rounds(problem)  # refuses what it cannot plan for before the work begins
    if plot is not None:
        check_file(plot)
        check_writable(plot)
    with status_line("measuring") as show:
        results = [
            measure(
                problem,
                policy,
                runs=runs,
                seed=seed,
                checkpoints=checkpoints(problem) if plot is not None else (),
                watch=_watch(show, f"{problem.name}, {policy.name} ({at} of {len(cells)})"),
            )
            for at, (problem, policy) in enumerate(cells, start=1)
        ]
    if as_json:
        print_json([result.to_json() for result in results])
    else:
        _print(results)
    if plot is not None:  # last: what was found is told even if the disk is full
        draw(results, plot)


def _problems(names: Sequence[str], arms: str | None, pulls: int | None) -> list[Problem]:
    """What a user has named or described; all that have a name, if that is nothing."""
    found = [find_problem(name) for name in names]
    if arms is not None:
        if pulls is None:
            raise ConfigError("--arms needs --pulls T, the number of pulls in a run")
        found.append(Problem("own", read_arms(arms), pulls))
    found = list(dict.fromkeys(found or PROBLEMS.values()))
    return found if pulls is None else [replace(problem, pulls=pulls) for problem in found]


def _policies(names: Sequence[str], c: float | None, epsilon: float | None) -> list[Policy]:
    """The policies with the user's settings, each of which must be good for one of them."""
    found = [find_policy(name) for name in dict.fromkeys(names or POLICIES)]
    for setting, value in (("c", c), ("epsilon", epsilon)):
        if value is not None and setting not in {policy.tunable for policy in found}:
            raise ConfigError(
                f"--{setting} is {value}, but no chosen policy has it; "
                f"those that have it: {_tunable(setting)}"
            )
    return [policy.tuned(c, epsilon) for policy in found]


def _watch(show: Show | None, name: str) -> Callable[[float], None] | None:
    """What follows one policy on one problem, if someone is looking."""
    return None if show is None else lambda share: show(f"{name}: {share:.0%}")


def _print(results: Sequence[Measured]) -> None:
    """A table for each problem."""
    for problem in dict.fromkeys(result.problem for result in results):
        rows = [result for result in results if result.problem == problem]
        console.print(
            f"{problem.name}: {len(problem.arms)} arms, {problem.pulls:,} pulls, "
            f"{rows[0].runs:,} runs"
        )
        table = grid("policy", "error", "simple regret", "cumulative regret", "pulls a second")
        for result in rows:
            end = result.end
            table.add_row(
                result.policy.name,
                _text(end.error, 3),
                _text(end.simple, 4),
                _text(end.cumulative, 1),
                f"{result.rate:,.0f}",
            )
        console.print(table)
        console.print()


def _text(estimate: Estimate, digits: int) -> str:
    return f"{estimate.value:.{digits}f} ± {estimate.margin:.{digits}f}"
