"""Fourth step: add the result to every node on the path.

*Average*, which Chaslot (2010) finds the most effective: a node's value is the mean reward of all
simulations through it, for the player who chose the move into it.  The other backups replace the
values of inner nodes by something that their children say (`BACKUPS`), for two players whose
rewards sum to 1.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.search.rules import omc_urgency, standard_error
from tesuji.search.threads import add_squares, add_value, enter, leave
from tesuji.search.tree import NONE, SCALE, home, mean_of, next_child

VARIANCE = Slot("VARIANCE")
REVALUE = Slot("REVALUE")
backup = Slot("backup")


@inlined
def back_up(tree: Any, work: Any, first: int, depth: int, times: int) -> None:
    """Kernel: credit the nodes ``path[first] .. path[depth]``; nobody chose a move into the root.

    Visits, so many ``times`` one, were counted on the way down.
    """
    for player in range(len(work.rewards)):
        work.gains[player] = np.int64(work.rewards[player] * SCALE + 0.5)
    for i in range(max(first, 1), depth + 1):
        enter(tree.nodes[work.path[i]])
        add_value(tree.nodes[work.path[i]], times * work.gains[work.chooser[i]])
        if VARIANCE:
            add_squares(tree.nodes[work.path[i]], times * square_gain(work, work.chooser[i]))
        leave(tree.nodes[work.path[i]])
    if REVALUE:
        for i in range(depth - 1, 0, -1):
            revalue(tree, np.int64(work.path[i]), work.chooser[i])


@inlined
def square_gain(work: Any, player: int) -> int:
    """Kernel: a player's squared reward in units of the tree."""
    reward = work.rewards[player]
    return np.int64(reward * reward * SCALE + 0.5)


def revalue(tree: Any, index: int, chooser: int) -> None:
    """Kernel: give a node the value that its children say."""
    node = tree.nodes[np.uint64(index)]
    inner = tree.nodes[np.uint64(home(tree, index))]
    if inner.mover < 0 or node.visits == 0:
        return
    value = backup.value(tree, home(tree, index))
    if inner.mover != chooser:
        value = 1.0 - value
    node.value = np.int64(value * SCALE * node.visits + 0.5)


def max_value(tree: Any, index: int) -> float:
    """Kernel: the best child's value."""
    node = tree.nodes[np.uint64(index)]
    best = 0.0
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = tree.nodes[np.uint64(index)]
        if child.visits > 0:
            best = max(best, mean_of(child))
    return best


def informed_value(tree: Any, index: int) -> float:
    """Kernel: ``sum(v n U) / sum(n U)``, U the urgency of OMC: better children count for more.

    The standard error is that of a coin with the child's value.
    """
    node = tree.nodes[np.uint64(index)]
    best = max_value(tree, index)
    total = 0.0
    weights = 0.0
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = tree.nodes[np.uint64(index)]
        if child.visits > 0:
            mean = mean_of(child)
            error = standard_error(mean * (1.0 - mean), child.visits)
            weight = child.visits * omc_urgency(mean, error, best, 1.0)
            total += mean * weight
            weights += weight
    return total / weights


@inlined
def mix_weight(games: float) -> float:
    """Kernel: what the mean weighs in Mix: 162 up to 1,296 games, then an eighth of them."""
    return max(162.0, games / 8.0)


def mix_value(tree: Any, index: int) -> float:
    """Kernel: ``(v_mean w + v_r n_r) / (w + n_r)``, r the most visited child (Coulom 2006)."""
    node = tree.nodes[np.uint64(index)]
    games = 0.0
    total = 0.0
    most = 0.0
    robust = 0.0
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = tree.nodes[np.uint64(index)]
        if child.visits > 0:
            mean = mean_of(child)
            games += child.visits
            total += mean * child.visits
            if child.visits > most:
                most = np.float64(child.visits)
                robust = mean
    weight = mix_weight(games)
    return (total / games * weight + robust * most) / (weight + most)


BACKUPS = {"max": max_value, "informed": informed_value, "mix": mix_value}
