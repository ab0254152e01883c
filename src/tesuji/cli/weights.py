"""What the commands that learn weights of patterns share: options, and how they end."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from tesuji import ConfigError
from tesuji.cli.contest import grid
from tesuji.cli.output import (
    Show,
    check_folder,
    console,
    found_so_far,
    print_json,
    status_line,
)
from tesuji.games.go.shape import diagram
from tesuji.learn.patterns import SHAPES, Counts, Floats, by_weight, rounded, write_weights

SHOWN = 5  # patterns at each end of the list
OFTEN = 0.0005  # the share of all that a pattern must be seen in to be among them

Out = Annotated[Path, typer.Option(help="Where the weights go: a TOML file.", show_default=False)]
Go = Annotated[
    str, typer.Option("--game", metavar="GAME", help="Go with its parameters: `go:size=7`.")
]
Base = Annotated[
    str,
    typer.Option(
        "--weights",
        metavar="NAME",
        help="Weights of all else than patterns: a name, or a TOML file.",
        show_default="default",
    ),
]


def at_least_one(**numbers: int) -> None:
    """Refuse options that would leave nothing to do."""
    for name, value in numbers.items():
        if value < 1:
            raise ConfigError(f"{name} is {value}, it must be at least 1")


@dataclass
class Work:
    """Learning that goes on, and how it ended."""

    out: Path
    as_json: bool
    interrupted: bool = False
    begin: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        check_folder(self.out)
        if self.out.suffix != ".toml":
            raise ConfigError(f"the weights {self.out} could not be read again: write NAME.toml")

    @contextmanager
    def going_on(self, begun: Callable[[], bool]) -> Iterator[Show]:
        """A line of progress; Ctrl-C ends the work if it has ``begun`` to learn."""

        def nothing(text: str) -> None:
            """Nobody is looking."""

        def reached() -> None:
            if not begun():
                raise ConfigError("nothing has been learned yet")

        try:
            with status_line("learning") as show:
                yield show or nothing
        except KeyboardInterrupt:
            found_so_far(reached)
            self.interrupted = True

    def finish(
        self, title: str, values: Floats, seen: Counts, base: str, figures: dict[str, Any]
    ) -> None:
        """Write the weights, and say what was learned."""
        write_weights(self.out, title, values, seen, base)
        order = by_weight(values, seen)
        summary = {
            "out": str(self.out),
            "patterns": len(order),
            "interrupted": self.interrupted,
            "seconds": round(time.perf_counter() - self.begin, 3),
            **figures,
        }
        if self.as_json:
            print_json(summary)
            return
        console.print(title)
        _print_ends(values, seen)
        console.print(f"{len(order)} patterns are in {self.out}")


def _print_ends(values: Floats, seen: Counts) -> None:
    """The heaviest and the lightest of the patterns that were seen often."""
    order = by_weight(values, seen, often=max(1, int(OFTEN * seen.sum())))
    shown = grid("pattern", "weight", "seen")
    for k in order if len(order) <= 2 * SHOWN else order[:SHOWN] + order[-SHOWN:]:
        weight = rounded(float(values[k]))
        shown.add_row(diagram(int(SHAPES[k])), f"{weight:g}", f"{seen[k]:,}")
    console.print(shown)
