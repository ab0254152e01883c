"""Repeated positions, in games that forbid them (superko): no node may repeat an ancestor.

The search carries the keys of the game so far and of its path; a position alone cannot know it.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot
from tesuji.search.part import Field, Part
from tesuji.search.tree import node_of

access = Slot("access")
rules = Slot("rules")
PASS = Slot("PASS")


def repeats(tree: Any, ref: int, sim: Any, own: Any) -> bool:
    """Kernel: was the position of a new node on the path or earlier in the game?"""
    node = node_of(tree, ref)
    key = rules.repetition(sim.state)
    access.put(node, "key", key)
    if node.move == PASS or node_of(tree, sim.path[sim.depth]).key == key:
        return False
    for i in range(sim.depth):
        if node_of(tree, sim.path[i]).key == key:
            return True
    for i in range(len(own.history)):
        if own.history[i] == key:
            return True
    return False


PART = Part(
    "repetition",
    on=lambda config: True,
    on_game=lambda game: game.repetition is not None,
    node=(Field("key", np.uint64, "of the position", merge="keep"),),
    hooks={"refused": repeats},
)
