"""Simulation balancing: playouts whose mean result is right (Silver and Tesauro 2009).

A playout may err as long as errors of both sides cancel out: what a search needs is its mean
result V.  For positions whose value V* a deep search has found (`labels`), gradient descent makes
the squared error (V* - V)^2 smaller.  With theta the logarithms of the weights, and for a playout
with the reward z of the first player

    psi = sum over its moves of d ln P(move) / d theta

    theta <- theta + alpha * (V* - V) * mean of (z - V) * psi

V and the mean come from two separate sets of playouts, so that their errors are independent.  The
mean of psi is 0, so subtracting V from z changes nothing but the noise.

If a move's urgency is its pattern's weight alone, d ln P / d theta is "feature minus expected
feature": 1 for the pattern that was drawn, minus the chance that each pattern had (Huang, Coulom
and Lin 2010).  Playouts by urgency add captures and escapes to the weight; then each move counts by
the share that the weight has in its urgency (`add_gradient`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import Slot, specialise, stream
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.learn.labels import Label
from tesuji.learn.patterns import (
    NUMBER,
    START,
    TOTAL,
    Counts,
    Floats,
    own_playout,
    pattern_bindings,
    play_out,
    spread,
)

FARTHEST = 7.0  # a weight stays within e^7, about a thousand times, of the start

rules = Slot("rules")
policy = Slot("policy")
PASS = Slot("PASS")
STRIDE = Slot("STRIDE")


@dataclass(frozen=True, kw_only=True)
class Balancing:
    """How to learn."""

    playouts: int = 100  #: of each of the two sets
    alpha: float = 5.0  #: the size of a step

    def __post_init__(self) -> None:
        if not 1 <= self.playouts <= 1_000_000:
            raise ConfigError(f"playouts is {self.playouts}, it must be 1 to 1,000,000")
        if not 0.0 <= self.alpha <= 1e6:
            raise ConfigError(f"alpha is {self.alpha}, it must be 0 to 1,000,000")


class Slope(NamedTuple):
    """Sums by pattern."""

    psi: Any  #: of one playout
    total: Any  #: of (z - V) * psi over a set of playouts
    drawn: Any  #: how often a pattern was drawn
    moves: Any  #: scratch space
    rewards: Any  #: scratch space


def make_slope(game: Game) -> Slope:
    """Buffers for the gradients of a game."""
    return Slope(
        np.zeros(TOTAL),
        np.zeros(TOTAL),
        np.zeros(TOTAL, np.int64),
        np.zeros(game.max_moves, np.int32),
        np.zeros(game.players),
    )


def estimate(
    position: Any, states: Any, playout: Any, slope: Any, times: int, cap: int, rng: Any
) -> float:
    """Kernel: V, the mean reward of the first player over so many playouts."""
    total = 0.0
    for _ in range(times):
        states[0] = position[0]
        play_out(states[0], playout, cap, rng)
        rules.rewards(states[0], slope.rewards)
        total += slope.rewards[0]
    return total / times


def descend(
    position: Any,
    states: Any,
    playout: Any,
    number: Any,
    slope: Any,
    times: int,
    cap: int,
    rng: Any,
) -> float:
    """Kernel: V from one set of playouts, and the gradient into ``slope.total`` from another."""
    value = estimate(position, states, playout, slope, times, cap, rng)
    slope.total[:] = 0.0
    for _ in range(times):
        states[0] = position[0]
        slope.psi[:] = 0.0
        play_with_gradient(states[0], playout, number, slope, cap, rng)
        rules.rewards(states[0], slope.rewards)
        for k in range(len(slope.psi)):
            slope.total[k] += (slope.rewards[0] - value) * slope.psi[k] / times
    return value


def play_with_gradient(
    state: Any, playout: Any, number: Any, slope: Any, cap: int, rng: Any
) -> None:
    """Kernel: as `play_out`, with psi."""
    for _ in range(cap):
        if rules.over(state):
            break
        move = policy.next_move(state, playout, rng)
        if move != PASS:
            add_gradient(state, move, playout, number, slope)
        rules.play(state, move)


def add_gradient(state: Any, drawn: int, playout: Any, number: Any, slope: Any) -> None:
    """Kernel: add d ln P(drawn) / d theta to psi.

    The policy has left all urgencies in the state.  Those of moves that may be drawn are what it
    chose by, as a move that may not is drawn again.
    """
    count = rules.candidates(state, slope.moves)
    total = 0.0
    for i in range(count):
        if slope.moves[i] != PASS:
            total += state.urgency[slope.moves[i]]
    for i in range(count):
        move = slope.moves[i]
        if move != PASS:
            slope.psi[number[state.mover, state.code[move]]] -= part(state, move, playout) / total
    pattern = number[state.mover, state.code[drawn]]
    slope.psi[pattern] += part(state, drawn, playout) / state.urgency[drawn]
    slope.drawn[pattern] += 1


def part(state: Any, move: int, playout: Any) -> float:
    """Kernel: what the pattern contributes to a move's urgency."""
    weights = playout.weights[0]
    weight = weights.pattern[state.mover, state.code[move]]
    last = state.recent[state.ply % len(state.recent)]
    away = abs(np.int64(move) - np.int64(last))
    if last != PASS and (away == 1 or away == STRIDE):
        weight *= weights.proximity
    return np.float64(weight)


class BalanceLearner:
    """Learns from labelled positions, in random order, pass after pass."""

    def __init__(
        self,
        game: Game,
        labels: Sequence[Label],
        how: Balancing | None = None,
        *,
        weights: str = "",
        seed: int = 0,
        jit: bool | None = None,
    ) -> None:
        if not labels:
            raise ConfigError("there are no labelled positions to learn from")
        self.game = game
        self.how = how or Balancing()
        self.theta: Floats = np.full(TOTAL, np.log(START))
        self.errors: list[float] = []  #: the mean squared error of each complete pass
        self.steps = 0
        self._labels = [(label.position(game).state, label.value) for label in labels]
        self._playout = own_playout(game, weights)
        self.slope = make_slope(game)  #: of the last step
        self._states = np.zeros(1, game.state)
        self._rng = stream(seed, "learn", "balance")
        self._order = np.random.Generator(np.random.PCG64(seed))
        slots = {**pattern_bindings(game), "STRIDE": game.parameters["size"].width + 1}
        self._descend = specialise(descend, slots, label=f"balancing of {game.name}", jit=jit)

    @property
    def weights(self) -> Floats:
        """What was learned, one weight for each pattern."""
        return np.exp(self.theta)

    @property
    def drawn(self) -> Counts:
        """How often each pattern was drawn."""
        return np.asarray(self.slope.drawn)

    def run(self, passes: int, progress: Callable[[float], None] | None = None) -> None:
        """Learn from all positions so many times; ``progress`` gets the share of a pass.

        Ctrl-C raises `KeyboardInterrupt` and leaves what was learned.
        """
        for _ in range(passes):
            squares = []
            for k in self._order.permutation(len(self._labels)):
                squares.append(self.step(*self._labels[k]) ** 2)
                if progress is not None:
                    progress(len(squares) / len(self._labels))
            self.errors.append(float(np.mean(squares)))

    def step(self, position: Any, value: float) -> float:
        """Learn from one position; the error V* - V before that."""
        spread(self.weights, self._playout)
        where = (position, self._states, self._playout, NUMBER, self.slope)
        found = self._descend(*where, self.how.playouts, self.game.max_length, self._rng)
        error = value - float(found)
        moved = self.theta + self.how.alpha * error * self.slope.total
        least, most = np.log(START) - FARTHEST, np.log(START) + FARTHEST
        self.theta = np.clip(moved, least, most)
        self.steps += 1
        return error
