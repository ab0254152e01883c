"""Weights of Go's 3x3 patterns as a list of numbers that can be learned.

All codes of a point that show the same shape, whoever is to move, share one *number*: `NUMBER` has
it by mover and code.  `spread` puts a weight for each number where playouts find it,
`write_weights` into a file that the setting ``weights`` names.  What is learned about are playouts
by urgency (`games.go.urgency`), and all other weights stay those of the file that learning began
with.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile import Slot
from tesuji.errors import ConfigError
from tesuji.game import Game, Playout, make_playout
from tesuji.games import load
from tesuji.games.go.board import BLACK, CODES, WALL, WHITE
from tesuji.games.go.facets import is_go
from tesuji.games.go.shape import ALL, CANONICAL, code_of, diagram, swapped
from tesuji.games.go.weights import read_table
from tesuji.learn.files import write_whole

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

START = 10.0  # the weight of every pattern before anything is learned (Chaslot 2010, section 4.3.3)
DIGITS = 4  # of a weight in a file
POLICY = "urgency"  # the playouts that patterns are learned for
BORDERS = ("... .*. ...", "... .*. ###", "#.. #*. ###")  # where a point can be
SMALLEST = 2  # sides of a board on which each point has a shape
ONES = 0x5555  # the low bit of each point of a code

rules = Slot("rules")
policy = Slot("policy")


def _possible() -> Counts:
    """The codes with walls as the border of a board has them."""
    walls = (ALL & ALL >> 1 & ONES) * WALL
    return ALL[np.isin(CANONICAL[walls], [CANONICAL[code_of(border)] for border in BORDERS])]


def _numbers(shapes: Counts) -> npt.NDArray[np.int16]:
    """By mover and code: the number of the shape, with X as the player to move."""
    of_shape = np.full(CODES, len(shapes), np.int16)
    of_shape[shapes] = np.arange(len(shapes))
    found = np.full((3, CODES), len(shapes), np.int16)
    found[BLACK] = of_shape[CANONICAL]
    found[WHITE] = of_shape[CANONICAL[swapped(ALL)]]
    return found


#: the code of each shape, in the order of their numbers
SHAPES = np.unique(CANONICAL[_possible()])
OTHER = len(SHAPES)  #: the number of all else: points of boards that are one point wide
TOTAL = OTHER + 1
NUMBER = _numbers(SHAPES)


def load_go(spec: str) -> Game:
    """A game that has patterns to learn about."""
    found = load(spec)
    if not is_go(found):
        raise ConfigError(f"{spec} has no patterns to learn about; valid: go, go:size=7, ...")
    if min(found.parameters["size"]) < SMALLEST:
        raise ConfigError(f"{spec} is too narrow for patterns; it needs {SMALLEST} points each way")
    return found


def own_playout(game: Game, weights: str) -> Playout:
    """Buffers for playouts, with weights that may be changed."""
    made = make_playout(game, 1, weights)
    return made._replace(weights=made.weights.copy())


def spread(values: Floats, playout: Playout) -> None:
    """Let playouts draw by these weights, one for each number."""
    playout.weights["pattern"][0] = values[NUMBER]


def pattern_bindings(game: Game) -> dict[str, Any]:
    """What kernels that play out by urgency find in their slots."""
    return {**game.bindings, "policy": {"next_move": game.policies[POLICY]}}


def play_out(state: Any, playout: Any, cap: int, rng: Any) -> None:
    """Kernel: play until the game is over, at most ``cap`` moves."""
    for _ in range(cap):
        if rules.over(state):
            break
        rules.play(state, policy.next_move(state, playout, rng))


def scaled(values: Floats, available: Counts) -> Floats:
    """Weights whose mean over the available moves is `START`."""
    mean = float((values * available).sum() / max(available.sum(), 1))
    return values * (START / mean) if mean > 0 else values


def rounded(value: float) -> float:
    """A weight as files have it.

    >>> rounded(1234.56), rounded(0.00123456)
    (1235.0, 0.001235)
    """
    return round(value, DIGITS - 1 - math.floor(math.log10(value)))


def write_weights(path: Path, title: str, values: Floats, seen: Counts, base: str = "") -> None:
    """Write the weights of patterns that were seen, on top of all else that a file says.

    A pattern that was never seen has the weight `START`.
    """
    table = {**(read_table(base) if base else {}), "pattern_exponent": 1.0}
    lines = [f"# {line}" for line in title.splitlines()]
    lines += [f"{key} = {value}" for key, value in table.items() if not isinstance(value, dict)]
    learned = {diagram(int(SHAPES[k])): rounded(float(values[k])) for k in by_weight(values, seen)}
    patterns = {"??? ?*? ???": START, **learned}
    lines += _section("patterns", patterns) + _section("shapes", table.get("shapes", {}))
    write_whole(path, "\n".join([*lines, ""]))


def by_weight(values: Floats, seen: Counts, often: int = 1) -> list[int]:
    """The numbers of patterns that were seen so often, the heaviest first."""
    known = np.flatnonzero(seen[:OTHER] >= often)
    return [int(k) for k in known[np.argsort(-values[known], kind="stable")]]


def _section(name: str, table: dict[str, float]) -> list[str]:
    if not table:
        return []
    return ["", f"[{name}]", *(f'"{shape}" = {weight}' for shape, weight in table.items())]
