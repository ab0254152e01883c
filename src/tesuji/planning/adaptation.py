"""Nested rollout policy adaptation (Rosin 2011): playouts that learn to play the best line again.

A *policy* is a weight w for each move code.  A playout draws each move with probability
exp(w) / sum of exp(w) over the moves of the position.  A search of level n

    adapt_nested(level, policy):
        best = nothing
        repeat N times:
            result = adapt_nested(level - 1, a copy of policy)     (level 0: a playout)
            if result scores at least as much as best: best = result
            policy = adapted(policy, best)
        return best

Adapting goes along the best line.  In each of its positions the weight of the move that was made
grows by alpha, and the weight of every move of the position falls by alpha times its probability: a
step up the gradient of the line's log-probability.  All probabilities are those before the step.

A search that has come to its end begins again with a fresh policy, until the limit is reached.

The paper lets a domain choose what moves share a weight; here it is the move code, which means the
same in every position.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import Slot, inlined, unit
from tesuji.game import Game
from tesuji.planning.settings import check_positive, check_whole
from tesuji.search.part import MANY
from tesuji.search.parts.line import NOTHING, keep_best

rules = Slot("rules")

HEAVIEST = 500.0  # weight: exp of it is a number, far beyond what matters for a probability
HIGHEST = 10  # level: 100 ** 10 playouts are more than anybody can make
Setting = np.dtype([("alpha", np.float64), ("iterations", np.int64), ("top", np.int64)], align=True)
Frame = np.dtype(
    [
        ("best", np.float64),  # the best score that this search has seen
        ("length", np.int64),  # moves of its line
        ("iteration", np.int64),  # how many are done
    ],
    align=True,
)


class Stack(NamedTuple):
    """The searches that are under way: row n belongs to level n, row 0 is not used."""

    frames: Any
    lines: Any  #: ``lines[n, ply]``, the best of each
    policies: Any  #: ``policies[n, move]``, the weights w of each
    shares: Any  #: ``shares[n, move]``, exp(w): playouts need it often, and it changes rarely
    adapted: Any  #: ``adapted[move]``, the next weight of a move that adaptation has met
    met: Any  #: those moves
    stamp: Any  #: ``stamp[0]`` is the number of this adaptation
    seen: Any  #: ``seen[move]`` is the last adaptation that met the move
    settings: Any
    begun: Any  #: ``begun[0]``: has the whole search begun?


@dataclass(frozen=True)
class Adaptation:
    """Settings of nested rollout policy adaptation."""

    level: int = 3
    iterations: int = 100  #: N: searches of the level below in a search; the paper's
    alpha: float = 1.0  #: how far a step of adaptation goes; the paper's

    def __post_init__(self) -> None:
        check_whole("level", self.level, 1, HIGHEST)
        check_whole("iterations", self.iterations, 1, MANY)
        check_positive("alpha", self.alpha)


def make_stack(game: Game, config: Adaptation) -> Stack:
    """Room for all levels."""
    rows = config.level + 1
    settings = np.zeros(1, Setting)
    settings[0] = (config.alpha, config.iterations, config.level)
    return Stack(
        frames=np.zeros(rows, Frame),
        lines=np.zeros((rows, game.max_length + 1), np.int32),
        policies=np.zeros((rows, game.move_codes), np.float64),
        shares=np.ones((rows, game.move_codes), np.float64),
        adapted=np.zeros(game.move_codes, np.float64),
        met=np.zeros(game.move_codes, np.int32),
        stamp=np.zeros(1, np.int64),
        seen=np.zeros(game.move_codes, np.int64),
        settings=settings,
        begun=np.zeros(1, np.int64),
    )


def run(stack: Stack, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: ``count`` playouts from where the last call stopped.  Returns how many."""
    sim = sims[0]
    if not stack.begun[0]:
        restart(stack)
        stack.begun[0] = 1
    for _ in range(count):
        score = play_out(stack, sim, own, rng)
        if score >= stack.frames[1].best:
            adopt(stack, 1, sim.trace, sim.length[0], score)
        learn(stack, 1, sim, own)
        hand_over(stack, sim, own)
    return count


def restart(stack: Stack) -> None:
    """Kernel: begin the whole search, with all weights alike."""
    top = stack.settings[0].top
    for move in range(stack.policies.shape[1]):
        stack.policies[top, move] = 0.0
        stack.shares[top, move] = 1.0
    reset(stack, top)
    begin_below(stack, top)


def begin_below(stack: Stack, level: int) -> None:
    """Kernel: new searches on all lower levels, with the policy of this one."""
    for lower in range(level - 1, 0, -1):
        for move in range(stack.policies.shape[1]):
            stack.policies[lower, move] = stack.policies[level, move]
            stack.shares[lower, move] = stack.shares[level, move]
        reset(stack, lower)


@inlined
def reset(stack: Stack, level: int) -> None:
    """Kernel: nothing has been seen on this level."""
    stack.frames[level].best = NOTHING
    stack.frames[level].length = 0
    stack.frames[level].iteration = 0


def hand_over(stack: Stack, sim: Any, own: Any) -> None:
    """Kernel: searches that are done give their line to the level above, which learns from it."""
    level = 1
    while stack.frames[level].iteration >= stack.settings[0].iterations:
        if level == stack.settings[0].top:
            restart(stack)
            return
        done = stack.frames[level]
        level += 1
        if done.best >= stack.frames[level].best:
            adopt(stack, level, stack.lines[level - 1], done.length, done.best)
        learn(stack, level, sim, own)
    begin_below(stack, level)


@inlined
def adopt(stack: Stack, level: int, moves: Any, length: int, score: float) -> None:
    """Kernel: these moves are the best line of a level now."""
    if score == NOTHING:  # a playout that was cut off is no line to learn from
        return
    stack.frames[level].best = score
    stack.frames[level].length = length
    for i in range(length):
        stack.lines[level, i] = moves[i]


# --- the policy ----------------------------------------------------------------------------------


def play_out(stack: Stack, sim: Any, own: Any, rng: Any) -> float:
    """Kernel: a game by the policy of level 1; its score."""
    sim.state = own.root[0]
    n = 0
    while n < len(sim.trace) and not rules.over(sim.state):
        listed = rules.candidates(sim.state, own.moves)
        move = draw(stack.shares[1], own.moves, listed, rng)
        sim.trace[n] = move
        n += 1
        rules.play(sim.state, move)
    sim.length[0] = n
    return keep_best(sim, own)


@inlined
def draw(shares: Any, moves: Any, listed: int, rng: Any) -> int:
    """Kernel: one of the moves, each with the probability that its share has in all."""
    left = unit(rng) * total_of(shares, moves, listed)
    for i in range(listed):
        left -= shares[moves[i]]
        if left < 0.0:
            return moves[i]
    return moves[listed - 1]


@inlined
def total_of(shares: Any, moves: Any, listed: int) -> float:
    """Kernel: the sum of exp(w) over the moves of a position."""
    total = 0.0
    for i in range(listed):
        total += shares[moves[i]]
    return total


def learn(stack: Stack, level: int, sim: Any, own: Any) -> None:
    """Kernel: one more iteration is done: adapt the policy of a level to its best line."""
    frame = stack.frames[level]
    frame.iteration += 1
    if frame.length > 0:
        put_into_use(stack, level, adapt(stack, level, frame.length, sim, own))


def adapt(stack: Stack, level: int, length: int, sim: Any, own: Any) -> int:
    """Kernel: find the weights that make a level's line likelier; how many moves it met."""
    shares = stack.shares[level]
    moves = own.moves
    stack.stamp[0] += 1
    count = 0
    sim.state = own.root[0]
    for ply in range(length):
        made = stack.lines[level, ply]
        listed = rules.candidates(sim.state, moves)
        step = stack.settings[0].alpha / total_of(shares, moves, listed)
        for i in range(listed):
            count = meet(stack, level, moves[i], count)
            stack.adapted[moves[i]] -= step * shares[moves[i]]
        stack.adapted[made] += stack.settings[0].alpha
        rules.play(sim.state, made)
    return count


@inlined
def meet(stack: Stack, level: int, move: int, count: int) -> int:
    """Kernel: begin with a move's old weight when it comes for the first time; how many came."""
    if stack.seen[move] == stack.stamp[0]:
        return count
    stack.seen[move] = stack.stamp[0]
    stack.adapted[move] = stack.policies[level, move]
    stack.met[count] = move
    return count + 1


def put_into_use(stack: Stack, level: int, count: int) -> None:
    """Kernel: put the new weights into use."""
    for i in range(count):
        move = stack.met[i]
        weight = min(max(stack.adapted[move], -HEAVIEST), HEAVIEST)
        stack.policies[level, move] = weight
        stack.shares[level, move] = math.exp(weight)
