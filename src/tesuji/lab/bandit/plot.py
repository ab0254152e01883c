"""Regret over time as a picture: one row for each problem, simple regret left, cumulative right.

matplotlib is imported inside functions: it is optional and slow to import.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tesuji.lab.bandit.measure import Measured, Point
from tesuji.lab.picture import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEASURES = ("simple", "cumulative")
DASHED = (0, (4, 2))


def draw(results: Sequence[Measured], file: Path) -> None:
    """Draw the curves of all results."""
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(result.problem.name for result in results))
    figure = Figure(figsize=(10, 0.6 + 3.2 * len(names)), layout="constrained")
    table = figure.subplots(len(names), len(MEASURES), squeeze=False)
    for name, row in zip(names, table, strict=True):
        for measure, axes in zip(MEASURES, row, strict=True):
            _draw_measure(axes, measure, [r for r in results if r.problem.name == name])
    lines, labels = table[0][0].get_legend_handles_labels()
    figure.legend(lines, labels, loc="outside upper center", ncols=6, frameon=False, fontsize=8)
    save(figure, file)


def _draw_measure(axes: "Axes", measure: str, results: Sequence[Measured]) -> None:
    """One curve for each policy; those that plan ahead are dashed, for each point is a plan."""
    for number, result in enumerate(results):
        shown = [point for point in result.points if _value(point, measure) > 0]  # has a logarithm
        axes.plot(
            [point.pulls for point in shown],
            [_value(point, measure) for point in shown],
            label=result.policy.name,
            color=f"C{number % 10}",
            linestyle=DASHED if result.policy.plan else "solid",
            linewidth=1.0 + number // 10,  # the ten colours come again, wider
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(f"{results[0].problem.name}: {measure} regret", fontsize=9)
    axes.set_xlabel("pulls", fontsize=8)
    axes.tick_params(which="both", labelsize=8)
    axes.grid(alpha=0.3)


def _value(point: Point, measure: str) -> float:
    return float(getattr(point, measure).value)
