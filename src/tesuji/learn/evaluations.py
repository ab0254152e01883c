"""Pattern weights from move evaluations (Bouzy and Chaslot 2006; Chaslot 2010, section 4.3.3).

A move is evaluated by a few playouts after it.  The weights w of the patterns at any two moves a, b
of a position should say how much better one of them is:

    exp(C * (v_a - v_b)) = w_a / w_b

That cannot hold for all pairs, so each pair pulls a little, with Q = ln w:

    delta = Q_a - Q_b - C * (v_a - v_b)
    Q_a <- Q_a - alpha / sqrt(n_a) * delta
    Q_b <- Q_b + alpha / sqrt(n_b) * delta

where n counts how often a pattern was matched: once for each move of a position that has it,
however many pairs the move is in.  The playouts draw by the current weights.  C says how sure of
itself the policy becomes.  Start at `EvaluationLearner`; the rule itself is `track`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import Slot, draw_below, specialise, stream
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.learn.patterns import (
    NUMBER,
    OTHER,
    START,
    TOTAL,
    Counts,
    Floats,
    own_playout,
    pattern_bindings,
    play_out,
    spread,
)
from tesuji.position import Position

WINDOW = 100  # positions between two looks whether the weights are stable
OPENING = 0.25  # of the board: at most so many moves of a game are drawn by the policy at first

rules = Slot("rules")
PASS: Any = Slot("PASS")


@dataclass(frozen=True, kw_only=True)
class Tracking:
    """How to learn."""

    simulations: int = 20  #: after each move of a position
    c: float = 30.0  #: C: how much a better evaluation counts; rewards are in [0, 1]
    #: the first step; a match is in some fifty pairs on 9x9, so one position may move a weight far
    alpha: float = 0.01
    clip: float = 5.0  #: the largest delta that counts
    stable: float = 0.02  #: stop when a hundred positions move weights by less, as logarithms

    def __post_init__(self) -> None:
        for name, least, most in (
            ("simulations", 1, 1_000_000),
            ("c", 0.0, 1e6),
            ("alpha", 0.0, 0.5),  # with more, a pair would jump over its target
            ("clip", 0.0, 1e6),
            ("stable", 0.0, 1e6),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise ConfigError(f"{name} is {value}, it must be {least:g} to {most:,g}")


class Tracker(NamedTuple):
    """What is known about each pattern."""

    logs: Floats  #: Q, the logarithm of its weight
    matches: Counts  #: n, how often it was matched


class Evaluated(NamedTuple):
    """The moves of a position with their patterns and evaluations, in buffers."""

    moves: Any
    patterns: Any
    values: Any
    rewards: Any  #: scratch space for one playout


def new_tracker() -> Tracker:
    """All weights equal."""
    return Tracker(np.full(TOTAL, math.log(START)), np.zeros(TOTAL, np.int64))


def track(
    found: Evaluated, count: int, tracker: Tracker, c: float, alpha: float, clip: float
) -> None:
    """Kernel: let each pair of moves of a position pull at the weights of its two patterns.

    All pairs of a position make steps of one size for each pattern: it shrinks with the matches of
    the pattern.  A pair with the same pattern twice says nothing.  Early on delta may be large, so
    it is clipped.
    """
    for a in range(count):
        tracker.matches[found.patterns[a]] += 1
    for a in range(count):
        for b in range(a + 1, count):
            x = found.patterns[a]
            y = found.patterns[b]
            if x != y:
                wanted = c * (found.values[a] - found.values[b])
                delta = tracker.logs[x] - tracker.logs[y] - wanted
                delta = min(max(delta, -clip), clip)
                tracker.logs[x] -= alpha / math.sqrt(tracker.matches[x]) * delta
                tracker.logs[y] += alpha / math.sqrt(tracker.matches[y]) * delta


def centre(tracker: Tracker) -> None:
    """Shift the known logarithms so that their mean is that of `START`: only ratios matter."""
    known = tracker.matches > 0
    if known.any():
        tracker.logs[known] += math.log(START) - tracker.logs[known].mean()


def evaluate_next(
    states: Any,
    move: int,
    drawn: int,
    playout: Any,
    number: Any,
    found: Any,
    simulations: int,
    cap: int,
    rng: Any,
) -> int:
    """Kernel: play ``move``, then let the policy draw some, and evaluate what is next."""
    if move != PASS:
        rules.play(states[0], move)
    play_out(states[0], playout, drawn, rng)
    return evaluate(states, playout, number, found, simulations, cap, rng)


def evaluate(
    states: Any, playout: Any, number: Any, found: Any, simulations: int, cap: int, rng: Any
) -> int:
    """Kernel: evaluate each move of ``states[0]`` by playouts; how many moves there are.

    ``states[1]`` is scratch.  The pass and moves into own eyes are left out: playouts do not draw
    them either.
    """
    me = rules.mover(states[0])
    count = 0
    for i in range(rules.candidates(states[0], found.moves)):
        move = found.moves[i]
        if move != PASS:
            found.moves[count] = move
            found.patterns[count] = number[states[0].mover, states[0].code[move]]
            total = 0.0
            for _ in range(simulations):
                states[1] = states[0]
                rules.play(states[1], move)
                play_out(states[1], playout, cap, rng)
                rules.rewards(states[1], found.rewards)
                total += found.rewards[me]
            found.values[count] = total / simulations
            count += 1
    return count


class EvaluationLearner:
    """Learns from games that it plays against itself with the current weights.

    Each game begins with some moves drawn by the policy; then the best evaluated move is played,
    and every position on the way is learned from.
    """

    def __init__(
        self,
        game: Game,
        how: Tracking | None = None,
        *,
        weights: str = "",
        seed: int = 0,
        jit: bool | None = None,
    ) -> None:
        self.game = game
        self.how = how or Tracking()
        self.tracker = new_tracker()
        self.positions = 0  #: learned from
        self.change = math.inf  #: of the weights in the last window, as logarithms
        self._playout = own_playout(game, weights)
        self._rng = stream(seed, "learn", "evaluations")
        slots = pattern_bindings(game)
        label = f"evaluations of {game.name}"
        self._evaluate_next = specialise(evaluate_next, slots, label=label, jit=jit)
        self._track = specialise(track, slots, label="the tracking rule", jit=jit)
        self._found = Evaluated(
            np.zeros(game.max_moves, np.int32),
            np.zeros(game.max_moves, np.int32),
            np.zeros(game.max_moves, np.float64),
            np.zeros(game.players, np.float64),
        )
        self._start = Position.start(game, jit=jit).state
        self._states = np.zeros(2, game.state)
        self._ply = game.max_length  # no game is under way
        self._move = game.pass_move  # the best one of the last position
        self._before = self.tracker.logs.copy()

    @property
    def weights(self) -> Floats:
        """What was learned, one weight for each pattern."""
        return np.exp(self.tracker.logs)

    @property
    def stable(self) -> bool:
        """Did the last window change next to nothing?"""
        return self.change < self.how.stable

    def run(self, positions: int, progress: Callable[[], None] | None = None) -> None:
        """Learn until the weights are stable, or from so many positions.

        Ctrl-C raises `KeyboardInterrupt` and leaves what was learned.
        """
        while self.positions < positions and not self.stable:
            self.step()
            if progress is not None:
                progress()

    def step(self) -> None:
        """Learn from the next position."""
        count = self._next_position()
        how = self.how
        self._track(self._found, count, self.tracker, how.c, how.alpha, how.clip)
        centre(self.tracker)
        self.positions += 1
        if self.positions % WINDOW == 0:
            self._look_back()
        self._move = int(self._found.moves[np.argmax(self._found.values[:count])])

    def _next_position(self) -> int:
        """Evaluate the next position in which there is a choice; how many moves it has."""
        spread(self.weights, self._playout)
        count = 0
        while count < 2:
            drawn = 0
            if self._ply >= self.game.max_length:
                drawn = self._begin()
            count = self._evaluated(drawn)
            self._ply = self._ply + 1 if count > 1 else self.game.max_length
        return count

    def _begin(self) -> int:
        """Begin a game; how many moves the policy is to draw."""
        self._states[0] = self._start[0]
        self._move = self.game.pass_move
        self._ply = draw_below(self._rng, int(OPENING * self.game.max_moves) + 1)
        return self._ply

    def _evaluated(self, drawn: int) -> int:
        how, cap = self.how, self.game.max_length
        buffers = (self._playout, NUMBER, self._found)
        return int(
            self._evaluate_next(
                self._states, self._move, drawn, *buffers, how.simulations, cap, self._rng
            )
        )

    def _look_back(self) -> None:
        """How far the weights have moved since the last look: a mean over what playouts meet."""
        moved = np.abs(self.tracker.logs - self._before)[:OTHER]
        self.change = float(np.average(moved, weights=self.tracker.matches[:OTHER]))
        self._before = self.tracker.logs.copy()
