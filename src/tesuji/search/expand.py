"""Second step: let the tree grow by one node.

A node that was visited often enough counts its moves (`expand`).  From then on each visit tries one
more of them (`try_next`) until all have been tried; only then does selection compare children.
Methods that compare moves before that let a node have all its children at once (`add_children`).
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined, next64
from tesuji.game import CHANCE
from tesuji.search.simulation import playout_of
from tesuji.search.transpose import find_position, note_position
from tesuji.search.tree import (
    BUSY,
    EXPANDED,
    FORBIDDEN,
    GROWING,
    NONE,
    OPEN,
    OVER,
    SHARED,
    append,
    append_all,
    find_child,
    node_of,
    nth_choice,
)

access = Slot("access")
rules = Slot("rules")
hooks = Slot("hooks")
knowledge = Slot("knowledge")
ALL_CHILDREN = Slot("ALL_CHILDREN")
DICE = Slot("DICE")
KNOWLEDGE = Slot("KNOWLEDGE")
TRANSPOSE = Slot("TRANSPOSE")
WIDE = Slot("WIDE")


@inlined
def expand(tree: Any, ref: int, sim: Any, own: Any, params: Any, rng: Any) -> None:
    """Kernel: find out how many moves a leaf has and in which order to try them.

    Without room for all children, where all are wanted, the node stays a leaf; so it does, for this
    thread, when another one is about to do the same.
    """
    if access.try_transition(node_of(tree, ref), OPEN, BUSY):
        access.publish(node_of(tree, ref), count_moves(tree, ref, sim, own, params, rng))


@inlined
def count_moves(tree: Any, ref: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: prepare a leaf for its children; its new status."""
    node = node_of(tree, ref)
    node.mover = rules.mover(sim.state)
    if TRANSPOSE:
        if meet_canonical(tree, ref, sim.state):
            return SHARED
    node.count = count_choices(sim.state, node.mover, own)
    node.salt = next64(rng) & np.uint64(0xFFFF)
    if ALL_CHILDREN:
        if add_children(tree, ref, sim, own) == NONE:
            return OPEN
    if TRANSPOSE:
        node.selections = node.visits - 1  # this visit is counted when it goes on
        note_position(tree, ref, node.hash)
    hooks.expanded(tree, ref, sim, own, params)
    return EXPANDED


@inlined
def meet_canonical(tree: Any, ref: int, state: Any) -> bool:
    """Kernel: does another node stand for this position already?  Then share its children."""
    node = node_of(tree, ref)
    node.hash = rules.hash(state)
    canonical = find_position(tree, node.hash)
    if canonical == NONE:
        return False
    node.canonical = canonical
    return True


def add_children(tree: Any, ref: int, sim: Any, own: Any) -> int:
    """Kernel: records for all children, the most promising first; the first, or `NONE`.

    Without knowledge they come in the order in which they would be tried.
    """
    node = node_of(tree, ref)
    count = np.int64(node.count)
    salt = np.int64(node.salt)
    first = append_all(tree, ref, count)
    if first == NONE:
        return NONE
    list_choices(sim.state, node.mover, own)
    if KNOWLEDGE:
        for n in range(count):
            own.order[n] = nth_choice(n, count, salt)
        rank_moves(sim, own, count)
    for n in range(count):
        child = node_of(tree, first + n)
        if KNOWLEDGE:
            child.move = own.moves[own.order[n]]
            child.prior = own.judged[own.order[n]]
        else:
            child.move = own.moves[nth_choice(n, count, salt)]
    access.set_tried(node, count)
    return first


def rank_moves(sim: Any, own: Any, count: int) -> None:
    """Kernel: ask the game about the listed moves and sort ``own.order`` by what it says.

    The numbers come in a random order, so equal moves stay in one.  (Shell's sort, 1959: no stack,
    no second array.)
    """
    knowledge.judge(sim.state, playout_of(sim, own), count, own.judged)
    gap = 1
    while gap < count // 2:
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for i in range(gap, count):
            moved = own.order[i]
            j = i
            while j >= gap and own.judged[own.order[j - gap]] < own.judged[moved]:
                own.order[j] = own.order[j - gap]
                j -= gap
            own.order[j] = moved
        gap = gap * 4 // 9


@inlined
def list_choices(state: Any, mover: int, own: Any) -> int:
    """Kernel: list the moves of a node; dice decide among all of them."""
    if DICE:
        if mover == CHANCE:
            return rules.moves(state, own.moves)
    return rules.candidates(state, own.moves)


@inlined
def count_choices(state: Any, mover: int, own: Any) -> int:
    """Kernel: how many children a node can have."""
    if WIDE:
        if mover != CHANCE:
            return rules.count(state)
    return list_choices(state, mover, own)


@inlined
def try_next(tree: Any, ref: int, sim: Any, own: Any) -> int:
    """Kernel: a record for the next untried move.

    `NONE` when there is none or no room for it, or another thread is adding one.
    """
    node = node_of(tree, ref)
    child = NONE
    if access.try_transition(node, EXPANDED, GROWING):
        tried = access.tried_of(node)
        if tried < node.count:
            choice = nth_choice(tried, np.int64(node.count), np.int64(node.salt))
            child = append(tree, ref, nth_candidate(sim.state, choice, own))
        access.publish(node, EXPANDED)
    return child


@inlined
def nth_candidate(state: Any, n: int, own: Any) -> int:
    """Kernel: one of the candidates, in the order in which they are listed."""
    if WIDE:
        return rules.nth(state, n)
    rules.candidates(state, own.moves)
    return own.moves[n]


def follow_chance(tree: Any, ref: int, sim: Any, rng: Any) -> int:
    """Kernel: the child that the dice decide for, new or known.

    `NONE` when there is no room for it, or another thread is adding one.
    """
    move = rules.chance(sim.state, rng)
    child = find_child(tree, ref, move)
    if child == NONE and access.try_transition(node_of(tree, ref), EXPANDED, GROWING):
        child = find_child(tree, ref, move)
        if child == NONE:
            child = append(tree, ref, move)
        access.publish(node_of(tree, ref), EXPANDED)
    return child


@inlined
def note_new_node(tree: Any, child: int, sim: Any, own: Any) -> bool:
    """Kernel: note what a new node is, given its state; False when it must not be entered.

    A node is reached by one path only, so this needs to be asked once.  Threads that ask at the
    same time write the same; a new node is `OPEN`, which another may have changed already.
    """
    node = node_of(tree, child)
    if hooks.refused(tree, child, sim, own):
        access.publish(node, FORBIDDEN)
        return False
    node.mover = rules.mover(sim.state)
    if rules.over(sim.state):
        hooks.over(node, sim)
        access.publish(node, OVER)
    return True
