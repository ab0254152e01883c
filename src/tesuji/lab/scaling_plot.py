"""Speed-ups over threads as a picture: simulations a second left, strength right.

matplotlib is imported inside functions: it is optional and slow to import.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tesuji.lab.picture import save
from tesuji.lab.scaling import SINGLE, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLES = {"speed": "speed-up in simulations a second", "strength": "strength speed-up"}


def draw(rows: Sequence[Row], file: Path, *, equal_time: bool) -> None:
    """Draw one panel for each measure that was taken, with a curve for each scheme.

    A dashed line shows what perfect threads would reach.  With equal simulations instead of equal
    time that is no loss of strength.
    """
    from matplotlib.figure import Figure

    others = [row for row in rows if row.way.scheme != SINGLE]
    measures = [name for name in TITLES if any(getattr(row, name) for row in others)]
    figure = Figure(figsize=(4.8 * max(len(measures), 1), 3.8), layout="constrained")
    for number, measure in enumerate(measures, start=1):
        axes = figure.add_subplot(1, len(measures), number)
        # All curves begin where one thread stands.
        found = [row for row in [rows[0], *others] if getattr(row, measure)]
        _draw_measure(axes, measure, found)
        most = max(row.way.threads for row in found)
        perfect = most if measure == "speed" or equal_time else 1
        axes.plot([1, most], [1, perfect], color="0.6", linestyle=(0, (4, 2)), linewidth=0.8)
    save(figure, file)


def _draw_measure(axes: "Axes", measure: str, rows: Sequence[Row]) -> None:
    from matplotlib.ticker import FormatStrFormatter

    schemes = list(dict.fromkeys(row.way.scheme for row in rows if row.way.scheme != SINGLE))
    for number, scheme in enumerate(schemes):
        shown = [row for row in rows if row.way.scheme in (SINGLE, scheme)]
        _draw_curve(axes, measure, shown, scheme, f"C{number % 10}")
    for axis, scale in ((axes.xaxis, axes.set_xscale), (axes.yaxis, axes.set_yscale)):
        scale("log", base=2)
        axis.set_major_formatter(FormatStrFormatter("%.3g"))
    axes.set_title(TITLES[measure], fontsize=9)
    axes.set_xlabel("threads", fontsize=8)
    axes.tick_params(which="both", labelsize=8)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=8)


def _draw_curve(axes: "Axes", measure: str, rows: Sequence[Row], label: str, colour: str) -> None:
    found = [getattr(row, measure) for row in rows]
    axes.errorbar(
        [row.way.threads for row in rows],
        [interval.value for interval in found],
        yerr=[
            [interval.value - interval.low for interval in found],
            [interval.high - interval.value for interval in found],
        ],
        label=label,
        color=colour,
        linewidth=1.2,
        marker="o",
        markersize=3,
        capsize=2,
    )
