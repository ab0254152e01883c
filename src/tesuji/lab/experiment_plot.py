"""An experiment as a picture: every score with its interval, a row each, a colour for each column.

matplotlib is imported inside functions: it is optional and slow to import.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tesuji.lab.experiment import DIMENSIONS, Experiment
from tesuji.lab.match import Standing
from tesuji.lab.picture import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCHES = 0.24  # for each score
EDGES = 1.3  # and for what stands above and below


class Dot(NamedTuple):
    """One cell of the table, in per cent."""

    row: str
    column: str
    score: float
    low: float
    high: float


def dots(experiment: Experiment, standings: Sequence[Standing]) -> list[Dot]:
    """The cells in which games have been played."""
    cells = experiment.cells
    several = [name for name in DIMENSIONS if len({cell.labels[name] for cell in cells}) > 1]
    rows = [name for name in several if name != experiment.columns] or ["player"]
    found = []
    for cell, standing in zip(cells, standings, strict=True):
        figures = standing.summary()
        if figures["games"]:
            row = ", ".join(cell.labels[name] for name in rows)
            score = (100 * figures[key] for key in ("score", "score_low", "score_high"))
            found.append(Dot(row, cell.labels[experiment.columns], *score))
    return found


def draw(experiment: Experiment, standings: Sequence[Standing], file: Path) -> None:
    """Draw all scores; a dashed line stands for equal strength."""
    from matplotlib.figure import Figure

    found = dots(experiment, standings)
    figure = Figure(figsize=(6.4, EDGES + INCHES * max(len(found), 3)), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(experiment.title, fontsize=10)
    axes.set_xlabel("score in per cent, with its 95 % interval", fontsize=8)
    axes.set_xlim(0, 100)
    axes.axvline(50, color="0.6", linestyle=(0, (4, 2)), linewidth=0.8)
    axes.grid(axis="x", alpha=0.3)
    _draw_dots(axes, found)
    save(figure, file)


def _draw_dots(axes: "Axes", found: Sequence[Dot]) -> None:
    """From top to bottom in the order of the table, the dots of a row beside each other."""
    rows = list(dict.fromkeys(dot.row for dot in found))
    columns = list(dict.fromkeys(dot.column for dot in found))
    for number, column in enumerate(columns):
        shown = [dot for dot in found if dot.column == column]
        aside = (number - (len(columns) - 1) / 2) * 0.7 / len(columns)
        axes.errorbar(
            [dot.score for dot in shown],
            [rows.index(dot.row) + aside for dot in shown],
            xerr=[[dot.score - dot.low for dot in shown], [dot.high - dot.score for dot in shown]],
            label=column,
            color=f"C{number % 10}",
            linestyle="none",
            marker="o",
            markersize=4,
            capsize=2,
        )
    axes.set_yticks(range(len(rows)), rows, fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    axes.invert_yaxis()
    if len(columns) > 1:
        axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
