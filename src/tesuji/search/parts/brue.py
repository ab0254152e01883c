"""BRUE: uniform exploration, and estimates of best play, in one rollout (Feldman and Domshlak).

A rollout has two parts.  Up to its *switching point* it explores: every move is as likely as any
other.  From there on it estimates: the move with the highest mean so far, and a playout where none
is known.  Only the move at the switching point learns from the result.  So a mean is that of good
play after the move, untouched by the exploration before it, and nobody has to be explored less for
the sake of the mean: the error of the final move shrinks exponentially.

The switching point falls by one from rollout to rollout, and begins again when it has reached the
root:

==============  ================================================================================
BRUE (2012)     at the setting ``horizon``, a number of moves
BRUE_I (2013)   (``horizon`` = 0) at the first move that is new to the tree, so that the tree grows
                one node at a time
==============  ================================================================================

`run` stands in the place of `loop.run`; tree, playouts and rewards are the same.  In the tree a
node's visits are the rollouts that it learnt from, except at the root, which counts all of them.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, below, inlined
from tesuji.errors import ConfigError
from tesuji.game import CHANCE
from tesuji.search.expand import expand, follow_chance, settle, try_next
from tesuji.search.loop import play_out, retrace
from tesuji.search.part import MANY, Config, Part, Setting
from tesuji.search.parts.line import keep_best
from tesuji.search.tree import (
    EXPANDED,
    FORBIDDEN,
    NONE,
    OPEN,
    OVER,
    ROOT,
    SCALE,
    find_child,
    mean_of,
    next_child,
    nth_child,
)

game = Slot("game")
write = Slot("write")
DICE = Slot("DICE")
HORIZON = Slot("HORIZON")
LINE = Slot("LINE")
SUPERKO = Slot("SUPERKO")


def run(tree: Any, work: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: up to ``count`` rollouts; fewer when the tree is full.  Returns how many."""
    meta = tree.meta[0]
    if not any_known(tree, ROOT):
        meta.switch = 1  # a decision needs a move of the root that has learnt something
    for done in range(count):
        if meta.full and not meta.frozen:
            return done
        rollout(tree, work, params[0], rng)
    return count


@inlined
def rollout(tree: Any, work: Any, params: Any, rng: Any) -> None:
    """Kernel: explore, estimate, play out, and let one node learn."""
    meta = tree.meta[0]
    work.states[1] = work.states[0]
    write.add(tree.nodes[ROOT], "visits", 1)
    switch = np.int64(meta.switch)
    if switch == 0:
        switch = params.horizon if HORIZON else len(work.playout.trace)
    learner, moves = explore(tree, work, switch, rng)
    meta.depth = max(np.int64(meta.depth), work.playout.length[0])
    estimate(tree, work, rng)
    play_out(tree, work.states[1], work.playout.length[0], work, params, rng)
    if learner > 0:
        learn(tree.nodes[work.path[learner]], work.rewards[work.chooser[learner]])
    if LINE:
        keep_best(work.states[1], work)
    meta.switch = max((switch if HORIZON else moves) - 1, 0)


@inlined
def learn(node: Any, reward: float) -> None:
    """Kernel: add one result to a node."""
    write.add(node, "visits", 1)
    write.add(node, "value", np.int64(reward * SCALE + 0.5))


# --- exploration ----------------------------------------------------------------------------------


@inlined
def explore(tree: Any, work: Any, switch: int, rng: Any) -> Any:
    """Kernel: make ``switch`` random moves from the root, fewer if the game ends.

    Returns which node of the path is to learn, that of the last move, and how many moves there
    were; what the dice decide does not count.  Without a horizon a move that has never learnt is
    the last one.
    """
    deepest = len(work.playout.trace) - 1
    index = ROOT
    work.path[0] = ROOT
    work.playout.length[0] = 0
    learner = 0
    moves = 0
    while moves < switch and work.playout.length[0] < deepest:
        node = tree.nodes[np.uint64(index)]
        if node.status == OVER:
            break
        if node.status == OPEN:
            expand(tree, index, work.states[1], work, rng)
        index = step(tree, index, work, rng)
        if index == NONE:
            break
        if node.mover != CHANCE:
            moves += 1
            learner = work.playout.length[0]
            if not HORIZON and tree.nodes[np.uint64(index)].visits == 0:
                break
    return learner, moves


@inlined
def step(tree: Any, index: int, work: Any, rng: Any) -> int:
    """Kernel: go to a random child and play its move; `NONE` when no child can be had."""
    state = work.states[1]
    node = tree.nodes[np.uint64(index)]
    depth = work.playout.length[0]
    while True:
        tried = np.int64(node.tried)
        child = random_child(tree, index, state, work, rng)
        if child == NONE:
            return NONE
        move = tree.nodes[np.uint64(child)].move
        game.play(state, move)
        if node.tried == tried or settle(tree, child, depth, state, work):
            break
        retrace(work, depth)  # a repeated position: take the move back and choose again
    work.path[depth + 1] = child
    work.chooser[depth + 1] = max(node.mover, 0)
    note_move(work, move)
    return child


@inlined
def note_move(work: Any, move: int) -> None:
    """Kernel: one more move of this rollout."""
    work.playout.trace[work.playout.length[0]] = move
    work.playout.length[0] += 1


def random_child(tree: Any, index: int, state: Any, work: Any, rng: Any) -> int:
    """Kernel: a child, each move as likely as any other; `NONE` when there is none."""
    node = tree.nodes[np.uint64(index)]
    if DICE:
        if node.mover == CHANCE:
            return follow_chance(tree, index, state, rng)
    legal = count_legal(tree, node)
    untried = np.int64(node.count) - np.int64(node.tried)
    if legal + untried == 0:
        return NONE
    chosen = below(rng, legal + untried)
    if chosen >= legal:  # untried moves come in random order already
        child = try_next(tree, index, state, work)
        if child != NONE or legal == 0:
            return child
        chosen = below(rng, legal)
    return nth_legal(tree, node, chosen)


@inlined
def count_legal(tree: Any, node: Any) -> int:
    """Kernel: how many tried moves do not repeat a position."""
    tried = np.int64(node.tried)
    legal = tried
    if SUPERKO:
        child = NONE
        for n in range(tried):
            child = next_child(tree, node, child, n)
            if tree.nodes[np.uint64(child)].status == FORBIDDEN:
                legal -= 1
    return legal


def nth_legal(tree: Any, node: Any, chosen: int) -> int:
    """Kernel: one of the tried moves that do not repeat a position."""
    if SUPERKO:
        child = NONE
        for n in range(np.int64(node.tried)):
            child = next_child(tree, node, child, n)
            if tree.nodes[np.uint64(child)].status != FORBIDDEN:
                if chosen == 0:
                    return child
                chosen -= 1
    return nth_child(tree, node, chosen)


# --- estimation -----------------------------------------------------------------------------------


@inlined
def estimate(tree: Any, work: Any, rng: Any) -> None:
    """Kernel: go on with the best known moves, until none is known."""
    state = work.states[1]
    deepest = len(work.playout.trace) - 1
    index = np.int64(work.path[work.playout.length[0]])
    while work.playout.length[0] < deepest:
        node = tree.nodes[np.uint64(index)]
        if node.status != EXPANDED:
            break
        move = NO_MOVE
        if DICE:
            if node.mover == CHANCE:
                move = np.int64(game.chance(state, rng))
                index = find_child(tree, index, move)
        if move == NO_MOVE:
            index = known_child(tree, index, rng)
            if index == NONE:
                break
            move = np.int64(tree.nodes[np.uint64(index)].move)
        game.play(state, move)
        note_move(work, move)
        if index == NONE:  # dice that never fell so
            break


NO_MOVE = -1


def known_child(tree: Any, parent: int, rng: Any) -> int:
    """Kernel: the child with the highest mean, any of the best ones; `NONE` if none has learnt."""
    node = tree.nodes[np.uint64(parent)]
    best = -1.0
    ties = 0
    chosen = NONE
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = tree.nodes[np.uint64(index)]
        if child.visits > 0:
            mean = mean_of(child)
            if mean > best:
                best = mean
                ties = 1
                chosen = index
            elif mean == best:
                ties += 1
                if below(rng, ties) == 0:
                    chosen = index
    return chosen


def any_known(tree: Any, parent: int) -> bool:
    """Kernel: has any child learnt something?"""
    node = tree.nodes[np.uint64(parent)]
    child = NONE
    for n in range(np.int64(node.tried)):
        child = next_child(tree, node, child, n)
        if tree.nodes[np.uint64(child)].visits > 0:
            return True
    return False


def _refuse(config: Config) -> None:
    if not config.brue:
        if config.horizon:
            raise ConfigError("horizon needs brue: set it, or leave horizon out")
    elif config.final != "max":
        raise ConfigError(f"final is {config.final!r}, with brue it must be max")


PART = Part(
    "brue",
    settings=(
        Setting(
            "brue",
            False,
            "explore at random, estimate with the best moves; one node a rollout learns",
        ),
        Setting(
            "horizon",
            0,
            "moves that it explores; 0: up to the first new one (BRUE_I)",
            (0, MANY),
            kernel=True,
        ),
    ),
    on=lambda config: config.brue,
    slots=lambda game, config: {"HORIZON": config.horizon > 0},
    excludes=(  # it follows no rule, and only one node a rollout learns
        "select",
        "root",
        "fpu",
        "policy_visits",
        "rave",
        "knowledge",
        "expand",
        "expand_visits",
        "expand_depth",
        "transpositions",
        "gibbs",
        "pairs",
        "backup",
        "solver",
        "halving",
    ),
    refuse=_refuse,
)
