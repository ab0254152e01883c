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
from tesuji.search.descend import make_move
from tesuji.search.expand import expand, follow_chance, try_next
from tesuji.search.hooks import NO_MOVE
from tesuji.search.loop import should_stop
from tesuji.search.part import MANY, Config, Field, Part, Setting
from tesuji.search.simulate import simulate
from tesuji.search.simulation import begin
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
    node_of,
    nth_child,
)

access = Slot("access")
rules = Slot("rules")
hooks = Slot("hooks")
DICE = Slot("DICE")
HORIZON = Slot("HORIZON")
SUPERKO = Slot("SUPERKO")


def run(tree: Any, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: up to ``count`` rollouts; fewer when the tree is full.  Returns how many."""
    if not any_known(tree, ROOT):
        tree.meta[0].switch = 1  # a decision needs a move of the root that has learnt something
    for done in range(count):
        if should_stop(tree, ROOT):
            return done
        rollout(tree, sims[0], own, params[0], rng)
    return count


@inlined
def rollout(tree: Any, sim: Any, own: Any, params: Any, rng: Any) -> None:
    """Kernel: explore, estimate, play out, and let one node learn."""
    meta = tree.meta[0]
    begin(sim, own)
    access.add(node_of(tree, ROOT), "visits", 1)
    switch = np.int64(meta.switch)
    if switch == 0:
        switch = params.horizon if HORIZON else len(sim.trace)
    learner, moves = explore(tree, sim, own, params, switch, rng)
    meta.depth = max(np.int64(meta.depth), sim.depth)
    estimate(tree, sim, rng)
    simulate(tree, sim, own, params, rng)
    if learner > 0:
        learn(node_of(tree, sim.path[learner]), sim.rewards[sim.chooser[learner]])
    hooks.ended(sim, own, params)
    meta.switch = max((switch if HORIZON else moves) - 1, 0)


@inlined
def learn(node: Any, reward: float) -> None:
    """Kernel: add one result to a node."""
    access.add(node, "visits", 1)
    access.add(node, "value", np.int64(reward * SCALE + 0.5))


# --- exploration ----------------------------------------------------------------------------------


@inlined
def explore(tree: Any, sim: Any, own: Any, params: Any, switch: int, rng: Any) -> Any:
    """Kernel: make ``switch`` random moves from the root, fewer if the game ends.

    Returns which node of the path is to learn, that of the last move, and how many moves there
    were; what the dice decide does not count.  Without a horizon a move that has never learnt is
    the last one.
    """
    learner = 0
    moves = 0
    while moves < switch and sim.depth < len(sim.trace) - 1:
        ref = sim.path[sim.depth]
        node = node_of(tree, ref)
        if node.status == OVER:
            break
        if node.status == OPEN:
            expand(tree, ref, sim, own, params, rng)
        child = go_to_random_child(tree, ref, sim, own, rng)
        if child == NONE:
            break
        if node.mover != CHANCE:
            moves += 1
            learner = sim.depth
            if not HORIZON and node_of(tree, child).visits == 0:
                break
    sim.length[0] = sim.depth
    return learner, moves


@inlined
def go_to_random_child(tree: Any, ref: int, sim: Any, own: Any, rng: Any) -> int:
    """Kernel: go to a random child and play its move; `NONE` when no child can be had."""
    node = node_of(tree, ref)
    while True:
        tried = np.int64(node.tried)
        child = random_child(tree, ref, sim, own, rng)
        if child == NONE:
            return NONE
        if make_move(tree, ref, sim, own, child, node.tried != tried):
            return child


def random_child(tree: Any, ref: int, sim: Any, own: Any, rng: Any) -> int:
    """Kernel: a child, each move as likely as any other; `NONE` when there is none."""
    node = node_of(tree, ref)
    if DICE:
        if node.mover == CHANCE:
            return follow_chance(tree, ref, sim, rng)
    legal = count_legal(tree, node)
    untried = np.int64(node.count) - np.int64(node.tried)
    if legal + untried == 0:
        return NONE
    chosen = below(rng, legal + untried)
    if chosen >= legal:  # untried moves come in random order already
        child = try_next(tree, ref, sim, own)
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
            if node_of(tree, child).status == FORBIDDEN:
                legal -= 1
    return legal


def nth_legal(tree: Any, node: Any, chosen: int) -> int:
    """Kernel: one of the tried moves that do not repeat a position."""
    if SUPERKO:
        child = NONE
        for n in range(np.int64(node.tried)):
            child = next_child(tree, node, child, n)
            if node_of(tree, child).status != FORBIDDEN:
                if chosen == 0:
                    return child
                chosen -= 1
    return nth_child(tree, node, chosen)


# --- estimation -----------------------------------------------------------------------------------


@inlined
def estimate(tree: Any, sim: Any, rng: Any) -> None:
    """Kernel: go on with the best known moves, until none is known."""
    ref = sim.path[sim.depth]
    while sim.length[0] < len(sim.trace) - 1:
        node = node_of(tree, ref)
        if node.status != EXPANDED:
            break
        move = NO_MOVE
        if DICE:
            if node.mover == CHANCE:
                move = np.int64(rules.chance(sim.state, rng))
                ref = find_child(tree, ref, move)
        if move == NO_MOVE:
            ref = known_child(tree, ref, rng)
            if ref == NONE:
                break
            move = np.int64(node_of(tree, ref).move)
        rules.play(sim.state, move)
        sim.trace[sim.length[0]] = move
        sim.length[0] += 1
        if ref == NONE:  # dice that never fell so
            break


def known_child(tree: Any, parent: int, rng: Any) -> int:
    """Kernel: the child with the highest mean, any of the best ones; `NONE` if none has learnt."""
    node = node_of(tree, parent)
    best = -1.0
    ties = 0
    chosen = NONE
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = node_of(tree, index)
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
    node = node_of(tree, parent)
    child = NONE
    for n in range(np.int64(node.tried)):
        child = next_child(tree, node, child, n)
        if node_of(tree, child).visits > 0:
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
    tree=(Field("switch", np.int32, "moves that the next rollout explores; 0: as many as it may"),),
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
