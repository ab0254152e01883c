"""The plots of a report, as SVG to stand inside a page.

They are drawn in marker colours which then become variables of the page's style, so that they
follow its light and dark mode.  No foreign text is in them: names stand in the page, which escapes
them.
"""

import io
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from tesuji.lab.account import Account
from tesuji.lab.stats import wilson

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_POINTS = 200  # of a curve
MOST_BINS = 30
LOG_FROM = 20  # speeds that differ by this factor get a logarithmic axis
PAIR_POINTS = ("0", "½", "1", "1½", "2")

# Colours that stand for variables of the page; each occurs nowhere else in a plot.
INK, FAINT, GRID, A, B, DRAWN = ("#010101", "#020202", "#030303", "#040404", "#050505", "#060606")
VARIABLES = {INK: "ink", FAINT: "faint", GRID: "grid", A: "a", B: "b", DRAWN: "drawn"}
STYLE: Any = {  # the keys are a type of their own in newer versions of matplotlib
    "svg.fonttype": "none",
    "font.size": 8,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": FAINT,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
}
INLINE = (
    (r"(?s)<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>", ""),
    (r' xmlns(:xlink)?="[^"]*"', ""),
    (r'(?<=<svg) width="[^"]*" height="[^"]*"', ' role="img"'),
    (r'<g id="[^"]*"', "<g"),
    (r"(\.\d)\d+", r"\1"),  # a tenth of a point is not visible
    # The page has its own font; matplotlib names its fonts in one way or the other.
    (r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px"),
    (r"font-family: [^;\"]*;", ""),
)


@dataclass(frozen=True)
class Plot:
    """A plot with what is written below it."""

    caption: str
    svg: str


def plots(found: Account) -> Iterator[Plot]:
    identity = found.standing.id
    scores = [score for score in found.standing.counted if score is not None]
    yield _plot(
        f"score-{identity}",
        "Running score of A, with its 95 % interval, by the number of games",
        lambda axes: _draw_score(axes, scores),
    )
    yield _plot(
        f"pairs-{identity}",
        "Pairs of games in which A made so many points",
        lambda axes: _draw_pairs(axes, found.summary["pentanomial"]),
    )
    yield _plot(
        f"length-{identity}",
        "Games by their length in moves",
        lambda axes: _draw_lengths(axes, found.lengths),
    )
    if any(found.speeds):
        yield _plot(
            f"speed-{identity}",
            "Simulations a second, game by game: median, quartiles, range",
            lambda axes: _draw_speeds(axes, found.speeds),
        )


def _plot(name: str, caption: str, draw: "Callable[[Axes], None]") -> Plot:
    from markupsafe import Markup
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 2.1))
    draw(figure.add_axes((0.1, 0.13, 0.86, 0.82)))
    file = io.StringIO()
    # The salt makes ids that are unique in the page, and the same each time.
    with rc_context({"svg.hashsalt": name}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    for pattern, replacement in INLINE:
        text = re.sub(pattern, replacement, text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, f"var(--{variable})")
    return Plot(caption, Markup(text))


def _draw_score(axes: "Axes", scores: Sequence[float]) -> None:
    from matplotlib.ticker import MaxNLocator

    count = len(scores)
    shown = np.unique(np.linspace(1, count, MOST_POINTS).round().astype(int))
    means = np.cumsum(scores)[shown - 1] / shown
    bands = np.array([wilson(float(m), int(n)) for m, n in zip(means, shown, strict=True)])
    axes.fill_between(shown, bands[:, 0], bands[:, 1], color=A, alpha=0.18, linewidth=0)
    axes.axhline(0.5, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.plot(shown, means, color=A, linewidth=1.4)
    settled = bands[len(bands) // 5 :]  # the first games prove nothing and hide the rest
    low, high = min(0.5, settled[:, 0].min()), max(0.5, settled[:, 1].max())
    axes.set_ylim(max(low - 0.05, -0.01), min(high + 0.05, 1.01))
    axes.set_xlim(1, max(count, 2))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.grid(axis="y")


def _draw_pairs(axes: "Axes", counts: Sequence[int]) -> None:
    bars = axes.bar(range(5), counts, 0.7, color=[B, B, DRAWN, A, A], linewidth=0)
    for bar, strength in zip(bars, (1.0, 0.5, 1.0, 0.5, 1.0), strict=True):
        bar.set_alpha(strength)
    axes.bar_label(bars, labels=[f"{count:,}" if count else "" for count in counts], padding=2)
    axes.set_xticks(range(5), PAIR_POINTS)
    axes.set_ylim(0, 1.15 * max(*counts, 1))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)


def _draw_lengths(axes: "Axes", lengths: Sequence[int]) -> None:
    from matplotlib.ticker import MaxNLocator

    low, high = min(lengths), max(lengths)
    width = math.ceil((high - low + 1) / MOST_BINS)
    bins = np.arange(low, high + width + 1, width) - 0.5
    axes.hist(lengths, bins=bins.tolist(), color=INK, alpha=0.55, rwidth=0.88, linewidth=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.grid(axis="y")


def _draw_speeds(axes: "Axes", speeds: Sequence[Sequence[float]]) -> None:
    from matplotlib.ticker import EngFormatter

    sides = [(side, found) for side, found in enumerate(speeds) if found]
    boxes = axes.boxplot(
        [found for _, found in sides],
        whis=(0, 100),
        widths=0.4,
        patch_artist=True,
        medianprops={"color": INK},
        whiskerprops={"color": FAINT},
        capprops={"color": FAINT},
    )
    for (side, _), box in zip(sides, boxes["boxes"], strict=True):
        box.set(facecolor=(A, B)[side], alpha=0.6, edgecolor="none")
    axes.set_xticks(range(1, len(sides) + 1), ["AB"[side] for side, _ in sides])
    medians = [median(found) for _, found in sides]
    if max(medians) > LOG_FROM * min(medians):
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 1.08 * max(max(found) for _, found in sides))
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    axes.grid(axis="y")
