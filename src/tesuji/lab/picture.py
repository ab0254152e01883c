"""Pictures as files of their own: whether they can be drawn, and how they are saved.

matplotlib is imported inside functions: it is optional and slow to import.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tesuji.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png")


def check_file(file: Path) -> None:
    """Find out before long work whether a plot can be drawn into a file."""
    if file.suffix.lower() not in SUFFIXES:
        raise ConfigError(f"the plot is {str(file)!r}, its name must end in .svg or .png")
    try:
        import matplotlib  # noqa: F401  # only whether it is there
    except ImportError:
        raise ConfigError("a plot needs matplotlib: pip install 'tesuji[report]'") from None


def save(figure: "Figure", file: Path) -> None:
    """Write the file; without date and random ids the same figure gives the same bytes."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "tesuji"}):
        metadata: Any = {"Date": None} if file.suffix.lower() == ".svg" else None
        try:
            figure.savefig(file, dpi=120, metadata=metadata)
        except OSError as error:
            raise ConfigError(f"cannot write {file}: {error.strerror}") from None
