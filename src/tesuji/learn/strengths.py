"""Pattern weights from the games of good players: how strong is each pattern in competition?

Each move of a game is a competition that one of the legal moves wins.  If a move wins with the
probability gamma_i / sum over all moves of gamma (Bradley and Terry), the most likely strengths are
found by minorization-maximization (Hunter 2004; for patterns of Go, Coulom 2007):

    gamma_i <- wins_i / sum over positions of C_ij / E_j

where C_ij moves of position j have pattern i, and E_j is the sum of all its strengths.  Coulom's
teams of several features have a single member here, the 3x3 pattern.  A prior of one win and one
loss against a move of mean strength keeps rare patterns away from 0 and from infinity.

The simpler ``played / available`` is what one sweep from equal strengths gives when all positions
have as many moves.  `StrengthLearner` runs the sweeps, `Predictor` says how often knowledge that
uses the weights names the move that was played.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import Slot, specialise
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.learn.patterns import NUMBER, OTHER, TOTAL, Counts, Floats, own_playout, scaled, spread
from tesuji.learn.records import Records
from tesuji.position import Position

SLICE = 50  # games between two looks at Ctrl-C
PRIOR_WINS, PRIOR_GAMES = 1.0, 2.0  # against a move of mean strength
KNOWLEDGE = "mango"

rules = Slot("rules")
knowledge = Slot("knowledge")
PASS = Slot("PASS")


class Tally(NamedTuple):
    """Sums over the positions of games, by pattern."""

    played: Counts  #: wins_i
    available: Counts  #: in how many competitions it took part
    share: Floats  #: sum of C_ij / E_j

    @property
    def ratio(self) -> Floats:
        """How often a move with the pattern is played when it could be."""
        return np.asarray(self.played / np.maximum(self.available, 1))


class Replay(NamedTuple):
    """What kernels need to play games again."""

    start: Any  #: the empty board
    states: Any  #: a position
    moves: Any  #: of all games
    ends: Any  #: where each begins
    legal: Any  #: scratch space for moves


def new_tally() -> Tally:
    """Nothing counted yet."""
    return Tally(np.zeros(TOTAL, np.int64), np.zeros(TOTAL, np.int64), np.zeros(TOTAL))


def make_replay(game: Game, records: Records, jit: bool | None = None) -> Replay:
    """Buffers for these games."""
    legal = np.zeros(game.max_moves, np.int32)
    states = np.zeros(1, game.state)
    return Replay(Position.start(game, jit=jit).state, states, records.moves, records.ends, legal)


def tally_games(replay: Any, first: int, last: int, number: Any, strengths: Any, tally: Any) -> int:
    """Kernel: count these games; how many have an illegal move, from which on they do not count."""
    broken = 0
    for k in range(first, last):
        replay.states[0] = replay.start[0]
        for at in range(replay.ends[k], replay.ends[k + 1]):
            move = replay.moves[at]
            if move != PASS:
                if not tally_move(replay, move, number, strengths, tally):
                    broken += 1
                    break
            rules.play(replay.states[0], move)
    return broken


def tally_move(replay: Any, played: int, number: Any, strengths: Any, tally: Any) -> bool:
    """Kernel: count one competition; False if the move that was played is not legal."""
    state = replay.states[0]
    listed = rules.moves(state, replay.legal)
    total = 0.0
    found = False
    for i in range(listed):
        move = replay.legal[i]
        if move != PASS:
            total += strengths[number[state.mover, state.code[move]]]
            found = found or move == played
    if not found:
        return False
    for i in range(listed):
        move = replay.legal[i]
        if move != PASS:
            pattern = number[state.mover, state.code[move]]
            tally.available[pattern] += 1
            tally.share[pattern] += 1.0 / total
    tally.played[number[state.mover, state.code[played]]] += 1
    return True


def improved(strengths: Floats, tally: Tally) -> Floats:
    """One step of minorization-maximization, on the scale on which the mean strength is 1."""
    raised = (tally.played + PRIOR_WINS) / (tally.share + PRIOR_GAMES / (strengths + 1.0))
    mean = float(np.average(raised, weights=tally.available))
    return np.asarray(raised / mean)


class StrengthLearner:
    """Finds the strengths of patterns in games."""

    def __init__(self, game: Game, records: Records, *, jit: bool | None = None) -> None:
        self.games = len(records)
        self.strengths: Floats = np.ones(TOTAL)
        self.tally = new_tally()  #: of the last complete sweep
        self.sweeps = 0
        self.broken = 0  #: games that have an illegal move
        self.change = math.inf  #: of the strengths in the last sweep, as logarithms
        self._replay = make_replay(game, records, jit)
        self._run = specialise(
            tally_games, game.bindings, label=f"patterns of {game.name}", jit=jit
        )

    @property
    def weights(self) -> Floats:
        """The strengths as weights of playouts."""
        return scaled(self.strengths, self.tally.available)

    def run(
        self, sweeps: int, stable: float, progress: Callable[[float], None] | None = None
    ) -> None:
        """Sweep over all games until the strengths are stable, or so many times.

        ``progress`` gets the share of a sweep that is done.  Ctrl-C raises `KeyboardInterrupt` and
        leaves the strengths of the last complete sweep.
        """
        while self.sweeps < sweeps and self.change >= stable:
            self._sweep(progress)

    def _sweep(self, progress: Callable[[float], None] | None) -> None:
        tally = new_tally()
        broken = 0
        for first in range(0, self.games, SLICE):
            last = min(first + SLICE, self.games)
            broken += int(self._run(self._replay, first, last, NUMBER, self.strengths, tally))
            if progress is not None:
                progress(last / self.games)
        if tally.played.sum() == 0:
            raise ConfigError(f"the {self.games} games have no legal move to learn from")
        found = improved(self.strengths, tally)
        moved = np.abs(np.log(found / self.strengths))
        self.change = float(np.average(moved[:OTHER], weights=tally.available[:OTHER]))
        self.strengths, self.tally, self.broken = found, tally, broken
        self.sweeps += 1


def predict_games(replay: Any, first: int, last: int, playout: Any, worth: Any, hits: Any) -> None:
    """Kernel: count into ``hits`` how often knowledge values the move that was played most.

    ``hits[0]`` are the positions; ``hits[1]`` those in which it is right, a tie of n counts 1 / n.
    """
    for k in range(first, last):
        replay.states[0] = replay.start[0]
        for at in range(replay.ends[k], replay.ends[k + 1]):
            move = replay.moves[at]
            if move != PASS:
                chance = predict(replay.states[0], move, playout, worth)
                if chance < 0.0:
                    break
                hits[0] += 1.0
                hits[1] += chance
            rules.play(replay.states[0], move)


def predict(state: Any, played: int, playout: Any, worth: Any) -> float:
    """Kernel: the chance that knowledge names the move that was played; -1 if it is not legal."""
    listed = rules.moves(state, playout.moves)
    knowledge.judge(state, playout, listed, worth)
    best = -1.0
    ties = 0
    own = -1.0
    for i in range(listed):
        if worth[i] > best:
            best = worth[i]
            ties = 0
        if worth[i] == best:
            ties += 1
        if playout.moves[i] == played:
            own = worth[i]
    if own < 0.0:
        return -1.0
    return 1.0 / ties if own == best else 0.0


class Predictor:
    """Says how often MANGO's knowledge names the move that was played."""

    def __init__(
        self, game: Game, records: Records, *, weights: str = "", jit: bool | None = None
    ) -> None:
        self.games = len(records)
        self._replay = make_replay(game, records, jit)
        self._playout = own_playout(game, weights)
        self._worth = np.zeros(game.max_moves)
        slots = {**game.bindings, "knowledge": {"judge": game.knowledge[KNOWLEDGE]}}
        self._run = specialise(predict_games, slots, label=f"predictions of {game.name}", jit=jit)

    def rate(self, values: Floats | None = None) -> float:
        """The share of positions, with these weights of patterns or those of the file."""
        if values is not None:
            spread(values, self._playout)
        hits = np.zeros(2)
        for first in range(0, self.games, SLICE):
            last = min(first + SLICE, self.games)
            self._run(self._replay, first, last, self._playout, self._worth, hits)
        return float(hits[1] / max(hits[0], 1.0))
