"""The numbers of Go's playouts and knowledge, read from files: changing them recompiles nothing.

A file is TOML: single numbers by name, and tables of 3x3 shapes (`shape`).  This folder has those
that come with the engine; ``default.toml`` says what each number means, and another file needs only
those that differ from it.  In the place of a table a file may name another one that has it:
``patterns = "records"``.  `tesuji learn` writes such files.
"""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.errors import choices
from tesuji.games.go.board import BLACK, CODES, WHITE
from tesuji.games.go.shape import ALL, CANONICAL, check_shape, code_of, is_exact, matches, swapped

FOLDER = Path(__file__).parent
DEFAULT = "default"
#: single numbers, with the least and the largest value of each
NUMBERS: dict[str, tuple[float, float]] = {
    # urgency-based playouts
    "capture": (0, 1e9),
    "escape": (0, 1e9),
    "pattern_exponent": (0, 10),
    "proximity": (0, 1e9),
    # sequence-like playouts: how often each rule is used
    "save": (0, 1),
    "take": (0, 1),
    "attack": (0, 1),
    "defend": (0, 1),
    "eye": (0, 1),
    "shape": (0, 1),
    "shape_before": (0, 1),
    "capture_far": (0, 1),
    "empty_tries": (0, 100),
    "avoid": (0, 1),
    "despair": (0, 1),
    # knowledge for the tree, in logits
    "prior_capture": (-20, 20),
    "prior_capture_stone": (-20, 20),
    "prior_save": (-20, 20),
    "prior_save_stone": (-20, 20),
    "prior_ladder": (-20, 20),
    "prior_trap": (-20, 20),
    "prior_defend": (-20, 20),
    "prior_atari": (-20, 20),
    "prior_self_atari": (-20, 20),
    "prior_shape": (-20, 20),
    "prior_pattern": (-20, 20),
    "prior_near": (-20, 20),
    "prior_near_before": (-20, 20),
    "prior_edge": (-20, 20),
    "prior_second": (-20, 20),
    "prior_third": (-20, 20),
    "prior_eye": (-20, 20),
    "prior_pass": (-20, 20),
}
POSITIVE = 1e-30, 1e30  # weights of patterns: knowledge takes their logarithm
Weights = np.dtype(
    [
        *((name, np.float64) for name in NUMBERS),
        ("pattern", np.float32, (3, CODES)),  # by mover and code: how likely the move is
        ("shapes", np.uint8, CODES // 8),  # by code, a bit each: answers to the last move
    ],
    align=True,
)
Table = npt.NDArray[np.float64]


@lru_cache(maxsize=16)
def read_weights(name: str = "") -> npt.NDArray[Any]:
    """The weights of a file, or of one that comes with the engine; raises ValueError."""
    table = _merged(read_table(DEFAULT), read_table(name))
    found = np.zeros(1, Weights)
    for key in NUMBERS:
        found[key] = table[key]
    patterns = _patterns(table["patterns"]) ** table["pattern_exponent"]
    found["pattern"] = _both(np.clip(patterns, *POSITIVE))
    found["shapes"] = np.packbits(_shapes(table["shapes"]), bitorder="little")
    return found


def read_table(name: str = "") -> dict[str, Any]:
    """What a file itself says, checked; raises ValueError."""
    return _table(_path(name or DEFAULT))


def _path(name: str) -> Path:
    if name.endswith(".toml"):
        return Path(name)
    known = sorted(file.stem for file in FOLDER.glob("*.toml"))
    if name not in known:
        raise ValueError(f"there are no weights {name!r}; {choices(name, known)}, or a .toml file")
    return FOLDER / f"{name}.toml"


def _table(path: Path) -> dict[str, Any]:
    """A file's content, checked."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"cannot read the weights {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"the weights {path} are not valid TOML: {error}") from None
    except RecursionError:
        raise ValueError(f"the weights {path} are nested too deeply") from None
    for key, value in table.items():
        if key in ("patterns", "shapes"):
            table[key] = _shapes_of(path, key, value)
        elif key not in NUMBERS:
            known = [*NUMBERS, "patterns", "shapes"]
            raise ValueError(f"{path}: unknown weight {key!r}; {choices(key, known)}")
        else:
            _check_number(path, key, value, *NUMBERS[key])
    return table


def _shapes_of(path: Path, key: str, value: Any) -> dict[str, float]:
    """A table of shapes, checked, from here or from the weights that have it."""
    if isinstance(value, str):
        try:
            other = read_table(value)
        except ValueError as error:
            raise ValueError(f"{path}: {key} is {value!r}: {error}") from None
        if key not in other:
            raise ValueError(
                f"{path}: {key} is {value!r}, but those weights have none of their own"
            )
        return dict(other[key])
    if not isinstance(value, dict):
        raise ValueError(
            f"{path}: {key} is {value!r}, it must be a table of shapes, or the name of weights"
        )
    for shape, weight in value.items():
        try:
            check_shape(shape)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        _check_number(path, f"{key} {shape!r}", weight, 0, 1e9)
    return value


def _check_number(path: Path, key: str, value: Any, least: float, most: float) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not least <= value <= most:
        raise ValueError(f"{path}: {key} is {value!r}, it must be {least:g} to {most:,g}")


def _merged(table: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """One file on top of another: a table of shapes replaces the other's."""
    return {**table, **own}


def _patterns(table: dict[str, float]) -> Table:
    """The weight of each code: that of the last diagram that matches it, or 1.

    Learned files have a thousand diagrams that leave nothing open, which are looked up by code.
    """
    found = np.ones(CODES)
    exact = np.full(CODES, np.nan)
    for shape, weight in table.items():
        if is_exact(shape):
            exact[CANONICAL[code_of(shape)]] = weight
        else:
            found[matches(shape)] = weight
    known = exact[CANONICAL]
    return np.where(np.isnan(known), found, known)


def _shapes(table: dict[str, float]) -> npt.NDArray[np.bool_]:
    """The codes that a diagram matches, whoever's stones are X, if its weight is not 0."""
    found = np.zeros(CODES, np.bool_)
    for shape, weight in table.items():
        match = matches(shape)
        found[match | match[swapped(ALL)]] = weight > 0
    return found


def _both(table: Table) -> Table:
    """A table for both movers: of diagrams, X is the player to move."""
    found = np.ones((3, CODES))
    found[BLACK] = table
    found[WHITE] = table[swapped(ALL)]
    return found


def canonical_patterns(table: Table) -> dict[int, float]:
    """A table over codes as one weight for each shape."""
    return {int(code): float(table[code]) for code in np.unique(CANONICAL)}
