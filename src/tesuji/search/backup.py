"""Fourth step: add the result to every node on the path.

*Average*, which Chaslot (2010) finds the most effective: a node's value is the mean reward of all
simulations through it, for the player who chose the move into it.  The other backups replace the
values of inner nodes by something that their children say (`parts.backups`).
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.search.tree import SCALE, node_of

access = Slot("access")
hooks = Slot("hooks")
VARIANCE = Slot("VARIANCE")


@inlined
def back_up(tree: Any, sim: Any, first: int, times: int) -> None:
    """Kernel: credit the nodes of ``path[first:]``; nobody chose a move into the root.

    Visits, so many ``times`` one, were counted on the way down.
    """
    for player in range(len(sim.rewards)):
        sim.gains[player] = np.int64(sim.rewards[player] * SCALE + 0.5)
    for i in range(max(first, 1), sim.depth + 1):
        node = node_of(tree, sim.path[i])
        player = sim.chooser[i]
        access.lock_node(node)
        access.add(node, "value", times * sim.gains[player])
        if VARIANCE:
            access.add(node, "squares", times * square_gain(sim, player))
        access.unlock_node(node)
    hooks.revalue(tree, sim)


@inlined
def square_gain(sim: Any, player: int) -> int:
    """Kernel: a player's squared reward in units of the tree."""
    reward = sim.rewards[player]
    return np.int64(reward * reward * SCALE + 0.5)
