"""Second step: let the tree grow by one node.

A node that was visited often enough counts its moves (`expand`).  From then on each visit tries one
more of them (`try_next`) until all have been tried; only then does selection compare children.
Methods that compare moves before that let a node have all its children at once (`add_children`).
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined, next64
from tesuji.game import CHANCE
from tesuji.search.parts.knowledge import rank_moves
from tesuji.search.parts.solver import note_result
from tesuji.search.threads import publish, set_tried, tried_of, turn
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
    find_position,
    note_position,
    nth_choice,
)

game = Slot("game")
PASS = Slot("PASS")
SUPERKO = Slot("SUPERKO")
WIDE = Slot("WIDE")
DICE = Slot("DICE")
ALL = Slot("ALL")
KNOWLEDGE = Slot("KNOWLEDGE")
SOLVER = Slot("SOLVER")
TRANSPOSE = Slot("TRANSPOSE")


@inlined
def expand(tree: Any, index: int, state: Any, work: Any, rng: Any) -> None:
    """Kernel: find out how many moves a leaf has and in which order to try them.

    Without room for all children, where all are wanted, the node stays a leaf; so it does, for this
    thread, when another one is about to do the same.
    """
    if turn(tree.nodes[np.uint64(index)], OPEN, BUSY):
        publish(tree.nodes[np.uint64(index)], count_moves(tree, index, state, work, rng))


@inlined
def count_moves(tree: Any, index: int, state: Any, work: Any, rng: Any) -> int:
    """Kernel: prepare a leaf for its children; its new status."""
    node = tree.nodes[np.uint64(index)]
    node.mover = game.mover(state)
    if TRANSPOSE:
        if meet_twin(tree, index, state):
            return SHARED
    node.count = count_choices(state, node.mover, work)
    node.salt = next64(rng) & np.uint64(0xFFFF)
    if ALL:
        if add_children(tree, index, state, work) == NONE:
            return OPEN
    if TRANSPOSE:
        node.passes = node.visits - 1  # this visit is counted when it goes on
        note_position(tree, index, node.hash)
    return EXPANDED


@inlined
def meet_twin(tree: Any, index: int, state: Any) -> bool:
    """Kernel: does another node stand for this position already?  Then share its children."""
    node = tree.nodes[np.uint64(index)]
    node.hash = game.hash(state)
    twin = find_position(tree, node.hash)
    if twin == NONE:
        return False
    node.twin = twin
    return True


def add_children(tree: Any, index: int, state: Any, work: Any) -> int:
    """Kernel: records for all children, the most promising first; the first, or `NONE`.

    Without knowledge they come in the order in which they would be tried.
    """
    node = tree.nodes[np.uint64(index)]
    count = np.int64(node.count)
    salt = np.int64(node.salt)
    first = append_all(tree, index, count)
    if first == NONE:
        return NONE
    list_choices(state, node.mover, work)
    if KNOWLEDGE:
        for n in range(count):
            work.order[n] = nth_choice(n, count, salt)
        rank_moves(state, work, count)
    for n in range(count):
        child = tree.nodes[np.uint64(first + n)]
        if KNOWLEDGE:
            child.move = work.playout.moves[work.order[n]]
            child.prior = work.judged[work.order[n]]
        else:
            child.move = work.playout.moves[nth_choice(n, count, salt)]
    set_tried(node, count)
    return first


@inlined
def list_choices(state: Any, mover: int, work: Any) -> int:
    """Kernel: list the moves of a node; dice decide among all of them."""
    if DICE:
        if mover == CHANCE:
            return game.moves(state, work.playout.moves)
    return game.candidates(state, work.playout.moves)


@inlined
def count_choices(state: Any, mover: int, work: Any) -> int:
    """Kernel: how many children a node can have."""
    if WIDE:
        if mover != CHANCE:
            return game.count(state)
    return list_choices(state, mover, work)


@inlined
def try_next(tree: Any, index: int, state: Any, work: Any) -> int:
    """Kernel: a record for the next untried move.

    `NONE` when there is none or no room for it, or another thread is adding one.
    """
    node = tree.nodes[np.uint64(index)]
    child = NONE
    if turn(node, EXPANDED, GROWING):
        tried = tried_of(node)
        if tried < node.count:
            choice = nth_choice(tried, np.int64(node.count), np.int64(node.salt))
            child = append(tree, index, nth_candidate(state, choice, work))
        publish(node, EXPANDED)
    return child


@inlined
def nth_candidate(state: Any, n: int, work: Any) -> int:
    """Kernel: one of the candidates, in the order in which they are listed."""
    if WIDE:
        return game.nth(state, n)
    game.candidates(state, work.playout.moves)
    return work.playout.moves[n]


def follow_chance(tree: Any, index: int, state: Any, rng: Any) -> int:
    """Kernel: the child that the dice decide for, new or known.

    `NONE` when there is no room for it, or another thread is adding one.
    """
    move = game.chance(state, rng)
    child = find_child(tree, index, move)
    if child == NONE and turn(tree.nodes[np.uint64(index)], EXPANDED, GROWING):
        child = find_child(tree, index, move)
        if child == NONE:
            child = append(tree, index, move)
        publish(tree.nodes[np.uint64(index)], EXPANDED)
    return child


@inlined
def settle(tree: Any, child: int, depth: int, state: Any, work: Any) -> bool:
    """Kernel: note what a new node is, given its state; False when it repeats a position.

    A node is reached by one path only, so this needs to be asked once.  Threads that ask at the
    same time write the same; a new node is `OPEN`, which another may have changed already.
    """
    node = tree.nodes[np.uint64(child)]
    if SUPERKO:
        node.key = game.repetition(state)
        if repeats(tree, child, depth, work):
            publish(node, FORBIDDEN)
            return False
    node.mover = game.mover(state)
    if game.over(state):
        if SOLVER:
            game.rewards(state, work.rewards)
            note_result(node, work.rewards[0])
        publish(node, OVER)
    return True


def repeats(tree: Any, child: int, depth: int, work: Any) -> bool:
    """Kernel: was this position on the path (``depth`` moves so far) or earlier in the game?"""
    key = tree.nodes[np.uint64(child)].key
    if tree.nodes[np.uint64(child)].move == PASS or tree.nodes[work.path[depth]].key == key:
        return False
    for i in range(depth):
        if tree.nodes[work.path[i]].key == key:
            return True
    for i in range(len(work.history)):
        if work.history[i] == key:
            return True
    return False
