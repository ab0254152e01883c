"""Halving: budgets from the root down, instead of one simulation after another.

Only the move that is played in the end counts, so at the root a search should lose little by its
*choice*, not by what it tried (simple regret).  *Sequential Halving* gives all moves equal budgets,
drops the worse half, and again, until one survives.  SHOT (Cazenave 2015) does so in every node;
Hybrid MCTS (Pepels 2014, with Cazenave, Winands and Lanctot) where a move's budget is at least
``halving_switch``, and leaves what is below to the selection rule as everywhere.

Start with `run`.  The nodes that halve are a stack of frames, stepped one simulation at a time, so
that a driver may look at clock and signals in between; there is no recursion.  A simulation follows
the stack to the child whose turn it is and goes on from there with the four steps of `loop`.  It
counts in every node of its path, so that the tree can be read at any time, and what a node has
``spent`` is what its counters say.

A *cycle* is one halving of a node, all rounds.  A node that gets another budget later begins a new
cycle, in which each child receives only what it lacks, as if there had been one cycle with all the
budget (Pepels 2014, section 3.4).
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.errors import ConfigError
from tesuji.game import CHANCE
from tesuji.search.backup import back_up
from tesuji.search.descend import descend, make_move
from tesuji.search.expand import expand, try_next
from tesuji.search.loop import finish
from tesuji.search.part import MANY, STATE, Buffer, Config, Part, Setting
from tesuji.search.simulation import take_up
from tesuji.search.tree import (
    EXPANDED,
    FORBIDDEN,
    NONE,
    OPEN,
    OVER,
    ROOT,
    mean_of,
    node_of,
    nth_child,
)

access = Slot("access")
rules = Slot("rules")
hooks = Slot("hooks")
spend = Slot("spend")  # who runs the simulations of a child: `one_simulation`, or several threads
FREE = Slot("FREE")  # is the end of a game visited for nothing, as in SHOT?

#: a node whose budget is being halved
Frame = np.dtype(
    [
        ("node", np.int64),
        ("budget", np.int64),
        ("start", np.int64),  # what the node had spent before
        ("total", np.int64),  # all budget that it ever got
        ("rounds", np.int64),
        ("quota", np.int64),  # visits that each child of the round shall have
        ("kept", np.int64),  # children that are still in the list
        ("size", np.int64),  # of which the first so many are in this round
        ("rank", np.int64),  # whose turn is next
        ("residual", np.int64),  # budget that proven or hopeless children left over
        ("floor", np.float64),  # lower bound of the best child
        ("turn", np.int64),  # the child whose turn it is, by number
        ("child", np.int64),  # and its record
        ("given", np.int64),  # its budget
        ("before", np.int64),  # what it had spent before
        ("left", np.int64),  # simulations that go through it now
    ],
    align=True,
)


def run(tree: Any, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: up to ``count`` simulations of the cycle under way; fewer when it is complete.

    Fewer, too, when the tree is full.  Returns how many.
    """
    sim = sims[0]
    stack = own.halving
    if stack.moved[0]:
        restack(tree, sim, own)
    if stack.budget[0] > 0 and count > 0:
        open_root(tree, sim, own, params[0], rng)
    done = 0
    while stack.depth[0] > 0:
        frame = stack.frames[stack.depth[0] - 1]
        full = tree.meta[0].full and not tree.meta[0].frozen
        if frame.left > 0:
            if full or done == count:
                break
            done += spend.batch(tree, sims, own, params[0], rng, count - done)
        elif full and not complete(tree, frame):
            break
        else:  # also after the last simulation: the ranking of the last round decides
            advance(tree, sim, own, params[0], rng)
    return done


@inlined
def complete(tree: Any, frame: Any) -> bool:
    """Kernel: has a node spent its budget, or is there nothing left to spend it on?"""
    node = node_of(tree, frame.node)
    if hooks.certain(node):
        return True
    return frame.kept == 0 or spent(node) - frame.start >= frame.budget


@inlined
def spent(node: Any) -> int:
    """Kernel: the budget that has gone through a node."""
    if FREE:
        return np.int64(node.visits) - np.int64(node.free)
    return np.int64(node.visits)


@inlined
def halvings(count: int) -> int:
    """Kernel: rounds until one of ``count`` children is left: the logarithm, rounded up."""
    rounds = 1
    while (1 << rounds) < count:
        rounds += 1
    return rounds


@inlined
def share(total: int, size: int, rounds: int) -> int:
    """Kernel: what each of ``size`` children gets in a round of a cycle."""
    return max(1, total // (size * rounds))


def open_root(tree: Any, sim: Any, own: Any, params: Any, rng: Any) -> None:
    """Kernel: begin the cycle that was asked for."""
    stack = own.halving
    stack.states[0] = own.root[0]
    sim.state = own.root[0]
    sim.path[0] = ROOT
    sim.depth = 0
    if node_of(tree, ROOT).status == OPEN:
        expand(tree, ROOT, sim, own, params, rng)
    if node_of(tree, ROOT).status == EXPANDED:
        push(tree, own, ROOT, stack.budget[0])
    stack.budget[0] = 0


def push(tree: Any, own: Any, ref: int, budget: int) -> None:
    """Kernel: let a node halve its budget among its children."""
    stack = own.halving
    depth = stack.depth[0]
    frame = stack.frames[depth]
    node = node_of(tree, ref)
    frame.node = ref
    frame.budget = budget
    frame.start = spent(node)
    frame.total = frame.start + budget
    if depth > 0 or stack.ranked[0] != node.count:  # the root goes on with its order
        for n in range(np.int64(node.count)):
            stack.order[depth, n] = n
    frame.kept = node.count
    drop_useless(tree, own, depth)
    frame.size = frame.kept
    frame.rounds = halvings(frame.kept)
    frame.quota = share(frame.total, max(frame.kept, 1), frame.rounds)
    frame.rank = 0
    frame.residual = 0
    frame.given = 0
    frame.left = 0
    stack.depth[0] = depth + 1


def advance(tree: Any, sim: Any, own: Any, params: Any, rng: Any) -> None:
    """Kernel: close the topmost frame, begin its next round, or give its next child a budget."""
    depth = own.halving.depth[0] - 1
    frame = own.halving.frames[depth]
    node = node_of(tree, frame.node)
    carry_over(tree, frame, node)
    if complete(tree, frame):
        if depth == 0:
            rank_children(tree, own, params, 0)  # a round that was cut short, too
        own.halving.depth[0] = depth
    elif frame.rank < frame.size:
        serve(tree, sim, own, params, rng, depth)
    else:
        next_round(tree, own, params, depth)


@inlined
def carry_over(tree: Any, frame: Any, node: Any) -> None:
    """Kernel: what a child left over because it was proven goes to the next round."""
    if frame.given > 0:
        if hooks.hopeless(tree, frame.child, node):
            frame.residual += frame.given - (spent(node_of(tree, frame.child)) - frame.before)
    frame.given = 0


def next_round(tree: Any, own: Any, params: Any, depth: int) -> None:
    """Kernel: keep the better half; close the frame when one child is left and has had its turn.

    What is left of the budget then goes to the survivor, in SHOT only at the root.
    """
    frame = own.halving.frames[depth]
    last = frame.size == 1
    before = frame.kept
    rank_children(tree, own, params, depth)
    if last and frame.kept == before:
        own.halving.depth[0] = depth
        return
    frame.size = min((frame.size + 1) // 2, frame.kept)
    if frame.size == 0 or (frame.size == 1 and not spends_all(depth)):
        own.halving.depth[0] = depth
        return
    frame.quota += share(frame.total, frame.size, frame.rounds)
    frame.quota += (frame.residual + frame.size - 1) // frame.size
    frame.residual = 0
    frame.rank = 0


@inlined
def spends_all(depth: int) -> bool:
    """Kernel: does a node give what is left of its budget to its best child?"""
    if FREE:
        return depth == 0
    return True


def rank_children(tree: Any, own: Any, params: Any, depth: int) -> None:
    """Kernel: drop proven children; sort those of the round by value, or all of them.

    A survivor stays one, even if its value has dropped: it is known best.
    """
    frame = own.halving.frames[depth]
    drop_useless(tree, own, depth)
    if frame.size > 1:
        count = frame.kept if params.halving_returns else min(frame.size, frame.kept)
        sort_children(tree, own, depth, count)
    if depth == 0:
        own.halving.ranked[0] = node_of(tree, ROOT).count


@inlined
def drop_useless(tree: Any, own: Any, depth: int) -> None:
    """Kernel: take children that cannot help any more out of the list, and keep them behind it."""
    frame = own.halving.frames[depth]
    order = own.halving.order[depth]
    node = node_of(tree, frame.node)
    kept = 0
    for i in range(frame.kept):
        number = order[i]
        if not useless(tree, node, np.int64(number)):
            order[i] = order[kept]
            order[kept] = number
            kept += 1
    frame.kept = kept


@inlined
def useless(tree: Any, node: Any, number: int) -> bool:
    """Kernel: is a child forbidden, or proven to be no better than another?"""
    if number >= node.tried:
        return False
    child = nth_child(tree, node, number)
    if node_of(tree, child).status == FORBIDDEN:
        return True
    return hooks.hopeless(tree, child, node)


@inlined
def sort_children(tree: Any, own: Any, depth: int, count: int) -> None:
    """Kernel: sort the first children of the list by value; equal ones stay as they are.

    Unvisited ones come last.  (Insertion: rounds change an order little.)
    """
    order = own.halving.order[depth]
    keys = own.halving.keys
    node = node_of(tree, own.halving.frames[depth].node)
    for i in range(count):
        number = order[i]
        key = value_of(tree, node, np.int64(number))
        k = i
        while k > 0 and keys[k - 1] < key:
            keys[k] = keys[k - 1]
            order[k] = order[k - 1]
            k -= 1
        keys[k] = key
        order[k] = number


@inlined
def value_of(tree: Any, node: Any, number: int) -> float:
    """Kernel: a child's mean; below all means if it has none."""
    if number >= node.tried:
        return -1.0
    child = node_of(tree, nth_child(tree, node, number))
    if child.visits == 0:
        return -1.0
    return mean_of(child)


@inlined
def visits_of(tree: Any, node: Any, number: int) -> int:
    """Kernel: a child's visits; 0 if it has no record."""
    if number >= node.tried:
        return 0
    return np.int64(node_of(tree, nth_child(tree, node, number)).visits)


def serve(tree: Any, sim: Any, own: Any, params: Any, rng: Any, depth: int) -> None:
    """Kernel: give the next child of the round what it lacks."""
    frame = own.halving.frames[depth]
    number = np.int64(own.halving.order[depth, frame.rank])
    budget = due(tree, own, depth, number)
    if budget > 0 and frame.rank > 0 and params.halving_bounds > 0:
        if beaten(tree, own, params, depth, number):
            frame.residual += budget
            budget = 0
    if budget > 0 and not call(tree, sim, own, params, rng, depth, number, budget):
        return  # there was no room: the same child again when there is
    frame.rank += 1


@inlined
def due(tree: Any, own: Any, depth: int, number: int) -> int:
    """Kernel: the budget of the child whose turn it is, 0 if it has enough or cannot be had.

    In the last round the first child gets all that the second one does not need.
    """
    frame = own.halving.frames[depth]
    node = node_of(tree, frame.node)
    if useless(tree, node, number) or number > node.tried:
        return 0
    left = frame.budget - (spent(node) - frame.start)
    lacks = frame.quota - visits_of(tree, node, number)
    if frame.size == 1:
        return left
    if lacks <= 0:
        return 0
    if frame.rank == 0 and frame.size == 2 and spends_all(depth):
        second = np.int64(own.halving.order[depth, 1])
        lacks = max(lacks, left - max(0, frame.quota - visits_of(tree, node, second)))
    return min(lacks, left)


@inlined
def beaten(tree: Any, own: Any, params: Any, depth: int, number: int) -> bool:
    """Kernel: is a child's upper bound below the best child's lower one?  (Pepels 2014, 4.5)"""
    frame = own.halving.frames[depth]
    node = node_of(tree, frame.node)
    if frame.rank == 1:
        frame.floor = bound(tree, node, np.int64(own.halving.order[depth, 0]), -params.c)
    if visits_of(tree, node, number) == 0:
        return False
    return bound(tree, node, number, params.c) < frame.floor


@inlined
def bound(tree: Any, node: Any, number: int, c: float) -> float:
    """Kernel: ``v + c sqrt(ln n_parent / n)`` of a child; without visits, as low as can be."""
    visits = visits_of(tree, node, number)
    if visits == 0:
        return -math.inf
    return value_of(tree, node, number) + c * math.sqrt(math.log(max(node.visits, 1)) / visits)


def call(
    tree: Any, sim: Any, own: Any, params: Any, rng: Any, depth: int, number: int, budget: int
) -> bool:
    """Kernel: spend a budget in a child: halving there, or simulations; False without room."""
    frame = own.halving.frames[depth]
    child = reach(tree, sim, own, depth, number)
    if child == NONE:
        return tree.meta[0].frozen != 0
    record = node_of(tree, child)
    if record.status == FORBIDDEN:
        return True
    frame.turn = number
    frame.child = child
    frame.given = budget
    frame.before = spent(record)
    certain = hooks.certain(record)
    if record.status == OVER and not certain:
        repeat(tree, sim, own, budget)
    elif not certain and halves(tree, sim, own, params, rng, budget):
        push(tree, own, child, budget)
    else:
        frame.left = budget
    return True


@inlined
def reach(tree: Any, sim: Any, own: Any, depth: int, number: int) -> int:
    """Kernel: the record of a child, with its position and the path to it; `NONE` without room."""
    stack = own.halving
    ref = stack.frames[depth].node
    node = node_of(tree, ref)
    sim.state = stack.states[depth]
    sim.depth = depth
    if number < node.tried:
        child = np.int64(nth_child(tree, node, number))
    else:
        child = np.int64(try_next(tree, ref, sim, own))
        if child == NONE:
            return NONE
    record = node_of(tree, child)
    make_move(tree, ref, sim, own, child, record.visits == 0 and record.status == OPEN)
    stack.states[depth + 1] = sim.state
    return child


@inlined
def halves(tree: Any, sim: Any, own: Any, params: Any, rng: Any, budget: int) -> bool:
    """Kernel: is a budget large enough to be halved?  The child's children must be counted first.

    With two children at least, a share is at most half of all that the node ever got.  A budget of
    one goes to the first child that lacks a visit; with a switch of 0 it ends as a playout.
    """
    child = sim.path[sim.depth]
    node = node_of(tree, child)
    total = spent(node) + budget
    if (budget == 1 and params.halving_switch == 0) or node.mover == CHANCE:
        return False
    if total < 2 * params.halving_switch:
        return False
    if sim.depth + 1 >= len(sim.trace):
        return False
    if node.status == OPEN:
        expand(tree, child, sim, own, params, rng)
        if node.status == OPEN:  # there was no room
            return False
    count = 0
    for number in range(np.int64(node.count)):
        if not useless(tree, node, number):
            count += 1
    if count <= 1:
        return count == 1
    return share(total, count, halvings(count)) >= params.halving_switch


@inlined
def one_simulation(tree: Any, sims: Any, own: Any, params: Any, rng: Any, most: int) -> int:
    """Kernel: one simulation through the child whose turn it is; how many there were."""
    depth = own.halving.depth[0] - 1
    frame = own.halving.frames[depth]
    sim = sims[0]
    sim.state = own.halving.states[depth + 1]
    sim.depth = depth + 1
    take_up(tree, sim, own, params)
    sample(tree, sim, own, params, rng)
    frame.left -= 1
    end_early(tree, frame)
    return 1


@inlined
def end_early(tree: Any, frame: Any) -> None:
    """Kernel: no more simulations of a child when nothing can change any more."""
    if hooks.certain(node_of(tree, frame.child)) or hooks.certain(node_of(tree, frame.node)):
        frame.left = 0


@inlined
def sample(tree: Any, sim: Any, own: Any, params: Any, rng: Any) -> None:
    """Kernel: one simulation through the node at the end of the path."""
    for i in range(sim.depth):
        access.add_virtual_loss(node_of(tree, sim.path[i]), params)
    last = sim.path[sim.depth]
    if plays_out(tree, last, params):
        access.add_virtual_loss(node_of(tree, last), params)
    else:
        descend(tree, sim, own, params, rng)
    finish(tree, sim, own, params, rng, 0)


@inlined
def plays_out(tree: Any, child: int, params: Any) -> bool:
    """Kernel: is the budget of one that halving has come down to a playout and no more?"""
    return params.halving_switch == 0 and node_of(tree, child).mover != CHANCE


def repeat(tree: Any, sim: Any, own: Any, times: int) -> None:
    """Kernel: visit the end of a game, at the end of the path, so many times at once."""
    for i in range(sim.depth + 1):
        node = node_of(tree, sim.path[i])
        access.add(node, "visits", times)
        if FREE:
            access.add(node, "free", times)
    rules.rewards(sim.state, sim.rewards)
    back_up(tree, sim, 0, times)
    sim.length[0] = sim.depth
    hooks.repeated(sim, own)
    if sim.depth > tree.meta[0].depth:
        tree.meta[0].depth = sim.depth


def restack(tree: Any, sim: Any, own: Any) -> None:
    """Kernel: find the frames' nodes again after records have moved.

    A frame whose node has been closed ends, and those below it; what was left of its budget goes on
    as simulations.
    """
    stack = own.halving
    stack.moved[0] = 0
    for depth in range(stack.depth[0]):
        frame = stack.frames[depth]
        if depth > 0:
            frame.node = stack.frames[depth - 1].child
        node = node_of(tree, frame.node)
        if node.status != EXPANDED:
            above = stack.frames[depth - 1]
            above.left = above.given - (spent(node) - above.before)
            stack.depth[0] = depth
            return
        frame.child = np.int64(nth_child(tree, node, frame.turn))
        sim.path[depth] = frame.node
        sim.path[depth + 1] = frame.child


def _refuse(config: Config) -> None:
    if config.halving == "off":
        if config.halving_returns or config.halving_bounds:
            what = "halving_returns" if config.halving_returns else "halving_bounds"
            raise ConfigError(f"{what} needs halving: set it, or leave {what} out")
        return
    for what, wants in (
        ("root", config.root != ""),
        ("rave", config.rave != "off"),
        ("transpositions", config.transpositions),
        (f"final={config.final}", config.final != "robust"),
    ):
        if wants:
            raise ConfigError(f"{what} has no meaning with halving={config.halving}")
    if config.halving == "shot" and config.solver != "off":
        raise ConfigError(
            f"solver={config.solver} cannot be used with halving=shot: its solver is "
            "halving=hybrid with halving_switch=0, the method shot-solver"
        )


def _deep(game: Any, config: Config) -> int:
    return int(game.max_length + 2)  # the system hands out pages only as they are used


PART = Part(
    "halving",
    settings=(
        Setting(
            "halving",
            "off",
            "halve the budget in every node (shot) or where it is large (hybrid)",
            names=("off", "shot", "hybrid"),
        ),
        Setting(
            "halving_switch",
            50,
            "hybrid: budget of a move from which on its node halves, too (B)",
            (0, MANY),
            kernel=True,
        ),
        Setting(
            "halving_returns",
            False,
            "may moves that were dropped come back in a later round?",
            kernel=True,
        ),
        Setting(
            "halving_bounds",
            False,
            "skip moves whose upper bound is below the best one's lower",
            kernel=True,
        ),
    ),
    on=lambda config: config.halving != "off",
    thread=(  # the nodes that halve their budgets: a stack, the root first
        Buffer("frames", Frame, "the stack", _deep),
        Buffer("depth", np.int64, "so many frames are on it", forgotten="root"),
        Buffer("budget", np.int64, "if not 0: asks for a cycle of the root", forgotten="root"),
        Buffer("moved", np.int64, "have records moved since then?", forgotten="root"),
        Buffer(
            "ranked",
            np.int64,
            "so many of the root's children have been ordered by a round",
            forgotten="root",
        ),
        Buffer("states", STATE, "the position of each frame, and of the child at its turn", _deep),
        Buffer(
            "order",
            np.uint16,
            "by frame: numbers of its children, the best first",
            lambda game, config: (_deep(game, config), game.max_moves),
        ),
        Buffer("keys", np.float64, "scratch: their values", lambda game, config: game.max_moves),
    ),
    slots=lambda game, config: {"FREE": config.halving == "shot"},
    values=lambda game, config: {"halving_switch": 0} if config.halving == "shot" else {},
    refuse=_refuse,
    ranking="rounds",
)
