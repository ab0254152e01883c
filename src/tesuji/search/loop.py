"""The loop: one simulation after another, each a pass of the four steps.

`simulation` is the whole algorithm.  `run` repeats it and returns to Python when the tree is full
or the work is done, so that a driver can look at clock, signals and memory in between.  What
methods add to the steps they put into `hooks`.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.game import CHANCE
from tesuji.search.backup import back_up
from tesuji.search.expand import expand, follow_chance, settle, try_next
from tesuji.search.parts.solver import award, hopeless, proven
from tesuji.search.playouts import next_move
from tesuji.search.select import follow
from tesuji.search.simulate import reward, simulate
from tesuji.search.threads import (
    count_visit,
    enter,
    hold,
    leave,
    let_go,
    note_way,
    own_visits,
    status_of,
    tried_of,
    uncount,
)
from tesuji.search.tree import (
    BUSY,
    FORBIDDEN,
    NONE,
    OPEN,
    OVER,
    ROOT,
    SHARED,
    find_child,
    passes,
)

game = Slot("game")
hooks = Slot("hooks")
write = Slot("write")
ALL = Slot("ALL")
DICE = Slot("DICE")
GAME = Slot("GAME")
POLICY = Slot("POLICY")
SOLVER = Slot("SOLVER")
TRACK = Slot("TRACK")
TRANSPOSE = Slot("TRANSPOSE")


def run(tree: Any, work: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: up to ``count`` simulations; fewer when the tree is full.  Returns how many."""
    meta = tree.meta[0]
    for done in range(count):
        if meta.full and not meta.frozen:
            return done
        if SOLVER:
            if proven(tree.nodes[ROOT]):
                return done
        simulation(tree, work, params[0], rng)
    return count


@inlined
def simulation(tree: Any, work: Any, params: Any, rng: Any) -> None:
    """Kernel: select, expand, simulate, back up, learn."""
    work.states[1] = work.states[0]
    work.path[0] = ROOT
    begin(work)
    hold(tree)
    depth = descend(tree, work, params, rng, ROOT, 0)
    let_go(tree)
    finish(tree, work, params, rng, 0, depth)


@inlined
def begin(work: Any) -> None:
    """Kernel: forget what belongs to the simulation before."""
    hooks.begin(work)


@inlined
def copy_way(path: Any, chooser: Any, trace: Any, movers: Any, work: Any, depth: int) -> None:
    """Kernel: let buffers begin with the first ``depth`` moves of another simulation."""
    for i in range(depth + 1):
        work.path[i] = path[i]
        work.chooser[i] = chooser[i]
    for i in range(depth):
        work.playout.trace[i] = trace[i]
        if TRACK:
            work.movers[i] = movers[i]


@inlined
def recall(tree: Any, work: Any, params: Any, depth: int) -> None:
    """Kernel: what a simulation knows that begins with ``depth`` moves which are there already."""
    hooks.taken_up(tree, work, params, depth)
    work.playout.length[0] = depth


@inlined
def finish(tree: Any, work: Any, params: Any, rng: Any, first: int, depth: int) -> None:
    """Kernel: simulate, back up and learn, from the leaf at the end of the path on.

    Nodes before ``path[first]`` get no result: whoever calls this tells them later.
    """
    play_out(tree, work.states[1], depth, work, params, rng)
    hold(tree)
    uncount(tree, work, first, depth, params)
    back_up(tree, work, first, depth, 1)
    hooks.backed_up(tree, work, depth)
    let_go(tree)
    note_way(work, 0)
    hooks.ended(work, params)
    if depth > tree.meta[0].depth:
        tree.meta[0].depth = depth


@inlined
def play_out(tree: Any, state: Any, depth: int, work: Any, params: Any, rng: Any) -> None:
    """Kernel: the rewards of this simulation, from a proof if there is one."""
    hooks.playout_begins(tree, work, params, depth)
    if SOLVER:
        leaf = tree.nodes[work.path[depth]]
        if proven(leaf):
            award(leaf, work.rewards)
            return
    before = work.playout.length[0]
    cap = min(depth + params.cap, len(work.playout.trace))
    if not simulate(state, work, params, cap, rng):
        reward(state, work)
    hooks.playout_ended(state, work, work.playout.length[0] - before)


@inlined
def descend(tree: Any, work: Any, params: Any, rng: Any, index: int, depth: int) -> int:
    """Kernel: walk from a node to the leaf of this simulation, counting visits; the leaf's depth.

    The node is the end of the path so far, ``depth`` moves from the root.
    """
    while True:
        node = tree.nodes[np.uint64(index)]
        enter(node)
        child = visit(tree, work, params, rng, index, depth)
        leave(node)
        if child == NONE:
            break
        index = child
        depth += 1
    work.playout.length[0] = depth
    return depth


@inlined
def visit(tree: Any, work: Any, params: Any, rng: Any, index: int, depth: int) -> int:
    """Kernel: count a visit of a node and go on to one of its children; `NONE` at a leaf."""
    count_visit(tree.nodes[np.uint64(index)], params)
    note_way(work, depth + 1)
    return go_on(tree, work, params, rng, index, depth)


@inlined
def go_on(tree: Any, work: Any, params: Any, rng: Any, index: int, depth: int) -> int:
    """Kernel: go on from a node to one of its children; `NONE` at a leaf."""
    node = tree.nodes[np.uint64(index)]
    status = status_of(node)
    if status == OVER or depth >= len(work.playout.trace) - 1:
        return NONE
    if SOLVER:
        if proven(node):
            return NONE
    if status == OPEN:
        if stays_leaf(node, depth, params):
            return NONE
        expand(tree, index, work.states[1], work, rng)
        status = status_of(node)
    if status in (OPEN, BUSY):  # there was no room, or another thread expands it
        return NONE
    if TRANSPOSE:
        index = enter_position(tree, index)
        if SOLVER:
            if proven(tree.nodes[np.uint64(index)]):
                adopt_proof(tree, np.int64(work.path[depth]), index)
                return NONE
    return step(tree, index, depth, work, params, rng)


@inlined
def stays_leaf(node: Any, depth: int, params: Any) -> bool:
    """Kernel: is it too early for this node to get children?"""
    if GAME:
        return False
    visits = own_visits(np.int64(node.visits), params)
    return depth >= params.expand_depth and visits <= params.expand_visits


@inlined
def enter_position(tree: Any, index: int) -> int:
    """Kernel: go on from the node that has the children, and count that somebody did."""
    if tree.nodes[np.uint64(index)].status == SHARED:
        index = np.int64(tree.nodes[np.uint64(index)].twin)
    write.add(tree.nodes[np.uint64(index)], "passes", 1)
    return index


@inlined
def adopt_proof(tree: Any, index: int, twin: int) -> None:
    """Kernel: what is certain of a position holds for every node that stands for it."""
    tree.nodes[np.uint64(index)].lower = tree.nodes[np.uint64(twin)].lower
    tree.nodes[np.uint64(index)].upper = tree.nodes[np.uint64(twin)].upper


@inlined
def step(tree: Any, index: int, depth: int, work: Any, params: Any, rng: Any) -> int:
    """Kernel: go to one child and play its move; `NONE` when no child can be had."""
    state = work.states[1]
    node = tree.nodes[np.uint64(index)]
    hooks.entered(tree, index, depth, work, params)
    if POLICY:
        work.playout.length[0] = depth  # policies may look at the moves so far
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
    if TRACK:
        work.movers[depth] = node.mover
    hooks.moved(work, np.int64(node.mover), move)
    return child


@inlined
def choose(tree: Any, index: int, state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: the child to follow: the dice decide, or a move is new, or the best one is taken."""
    node = tree.nodes[np.uint64(index)]
    if DICE:
        if node.mover == CHANCE:
            return follow_chance(tree, index, state, rng)
    if POLICY:
        visits = own_visits(passes(node), params)
        if visits <= params.policy_visits or visits == 1:
            child = policy_child(tree, index, state, work, params, rng)
            if child != NONE:
                return child
    if ALL:
        return follow(tree, index, work, params, rng)
    if tried_of(node) < node.count:
        child = try_next(tree, index, state, work)
        if child != NONE:
            return child
    return follow(tree, index, work, params, rng)


def policy_child(tree: Any, index: int, state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: the child that the playout policy chooses, or `NONE` if it must not be followed."""
    child = find_child(tree, index, next_move(state, work, params, rng))
    if child == NONE or tree.nodes[np.uint64(child)].status == FORBIDDEN:
        return NONE
    if SOLVER:
        if hopeless(tree, child, tree.nodes[np.uint64(index)]):
            return NONE
    return child


def retrace(work: Any, depth: int) -> None:
    """Kernel: set up the state at the end of the path again.  Rare, so it may replay the moves."""
    work.states[1] = work.states[0]
    for i in range(depth):
        game.play(work.states[1], work.playout.trace[i])
