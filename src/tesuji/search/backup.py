"""Fourth step: add the result to every node on the path.

*Average*, which Chaslot (2010) finds the most effective: a node's value is the mean reward of all
simulations through it, for the player who chose the move into it.  The other backups replace the
values of inner nodes by something that their children say (`parts.backups`), for two players whose
rewards sum to 1.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.search.threads import enter, leave
from tesuji.search.tree import SCALE, home

VARIANCE = Slot("VARIANCE")
write = Slot("write")
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
        write.add(tree.nodes[work.path[i]], "value", times * work.gains[work.chooser[i]])
        if VARIANCE:
            gain = times * square_gain(work, work.chooser[i])
            write.add(tree.nodes[work.path[i]], "squares", gain)
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
