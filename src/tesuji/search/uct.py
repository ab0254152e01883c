"""The UCT loop: one simulation after another, each a pass of the four steps.

`simulation` is the whole algorithm.  `run` repeats it and returns to Python when the tree is full
or the work is done, so that a driver can look at clock, signals and memory in between.
"""

from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.game import CHANCE, Game, Playout
from tesuji.search.backup import back_up
from tesuji.search.expand import expand, follow_chance, settle, try_next
from tesuji.search.select import best_child
from tesuji.search.simulate import simulate
from tesuji.search.tree import NONE, OPEN, OVER, ROOT

game = Slot("game")
DICE = Slot("DICE")

Params = np.dtype(
    [
        ("c", np.float64),  # exploration constant of the selection rule
        ("epsilon", np.float64),  # share of random choices of the rule "greedy"
        ("expand_visits", np.int64),  # visits that a leaf needs before it gets children
        ("cap", np.int64),  # moves a playout may have
    ],
    align=True,
)


class Work(NamedTuple):
    """Buffers of one search thread, made once."""

    states: Any  #: the root's state and the one that is played on
    playout: Playout
    path: Any  #: the nodes of this simulation, root first
    chooser: Any  #: who chose the move into each of them
    rewards: Any  #: of each player, in [0, 1]
    gains: Any  #: the same in units of the tree
    history: Any  #: repetition keys of the game before the root


def make_work(of: Game) -> Work:
    """Buffers that fit a game."""
    longest = of.max_length + 1
    return Work(
        states=np.zeros(2, of.state),
        playout=Playout(
            moves=np.zeros(of.max_moves, np.int32),
            trace=np.zeros(longest, np.int32),
            length=np.zeros(1, np.int64),
        ),
        path=np.zeros(longest + 1, np.uint32),
        chooser=np.zeros(longest + 1, np.uint8),
        rewards=np.zeros(of.players, np.float64),
        gains=np.zeros(of.players, np.int64),
        history=np.zeros(0, np.uint64),
    )


def run(tree: Any, work: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: up to ``count`` simulations; fewer when the tree is full.  Returns how many."""
    meta = tree.meta[0]
    for done in range(count):
        if meta.full and not meta.frozen:
            return done
        simulation(tree, work, params[0], rng)
    return count


@inlined
def simulation(tree: Any, work: Any, params: Any, rng: Any) -> None:
    """Kernel: select, expand, simulate, back up."""
    work.states[1] = work.states[0]
    state = work.states[1]
    depth = descend(tree, work, params, rng)
    simulate(state, work.playout, min(depth + params.cap, len(work.playout.trace)), rng)
    game.rewards(state, work.rewards)
    back_up(tree, work, depth)
    if depth > tree.meta[0].depth:
        tree.meta[0].depth = depth


@inlined
def descend(tree: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: walk from the root to the leaf of this simulation, counting visits; its depth."""
    state = work.states[1]
    deepest = len(work.playout.trace) - 1
    index = ROOT
    depth = 0
    work.path[0] = ROOT
    while True:
        node = tree.nodes[np.uint64(index)]
        node.visits += 1
        if node.status == OVER or depth >= deepest:
            break
        if node.status == OPEN:
            if depth > 0 and node.visits <= params.expand_visits:
                break
            expand(tree, index, state, work, rng)
        index = step(tree, index, depth, work, params, rng)
        if index == NONE:
            break
        depth += 1
    work.playout.length[0] = depth
    return depth


@inlined
def step(tree: Any, index: int, depth: int, work: Any, params: Any, rng: Any) -> int:
    """Kernel: go to one child and play its move; `NONE` when no child can be had."""
    state = work.states[1]
    node = tree.nodes[np.uint64(index)]
    while True:
        child = choose(tree, index, state, work, params, rng)
        if child == NONE:
            return NONE
        move = tree.nodes[np.uint64(child)].move
        game.play(state, move)
        if tree.nodes[np.uint64(child)].visits > 0 or settle(tree, child, depth, state, work):
            break
        retrace(work, depth)  # a repeated position: take the move back and choose again
    work.playout.trace[depth] = move
    work.path[depth + 1] = child
    work.chooser[depth + 1] = max(node.mover, 0)
    return child


@inlined
def choose(tree: Any, index: int, state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: the child to follow: the dice decide, or a move is new, or the best one is taken."""
    node = tree.nodes[np.uint64(index)]
    if DICE:
        if node.mover == CHANCE:
            return follow_chance(tree, index, state, rng)
    if node.tried < node.count:
        child = try_next(tree, index, state, work)
        if child != NONE:
            return child
    return best_child(tree, index, params, rng)


def retrace(work: Any, depth: int) -> None:
    """Kernel: set up the state at the end of the path again.  Rare, so it may replay the moves."""
    work.states[1] = work.states[0]
    for i in range(depth):
        game.play(work.states[1], work.playout.trace[i])
