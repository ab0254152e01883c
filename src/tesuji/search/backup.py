"""Fourth step: add the result to every node on the path.

Backup is *Average*, which Chaslot (2010) finds the most effective: a node's value is the mean
reward of all simulations through it, for the player who chose the move into it.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.search.tree import SCALE

VARIANCE = Slot("VARIANCE")


@inlined
def back_up(tree: Any, work: Any, depth: int) -> None:
    """Kernel: credit the nodes ``path[1] .. path[depth]``; nobody chose a move into the root.

    Visits were counted on the way down.
    """
    for player in range(len(work.rewards)):
        work.gains[player] = np.int64(work.rewards[player] * SCALE + 0.5)
    for i in range(1, depth + 1):
        tree.nodes[work.path[i]].value += work.gains[work.chooser[i]]
        if VARIANCE:
            reward = work.rewards[work.chooser[i]]
            tree.nodes[work.path[i]].squares += np.int64(reward * reward * SCALE + 0.5)
