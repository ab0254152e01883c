"""When a leaf gets children, and how many at once (`tesuji.search.expand`)."""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.game import Game
from tesuji.search.part import ALL_CHILDREN, MANY, Config, Kernel, Part, Setting, need

access = Slot("access")


@inlined
def too_early(node: Any, sim: Any, params: Any) -> bool:
    """Kernel: has a leaf had too few visits to get children?"""
    visits = access.own_visits(np.int64(node.visits), params)
    return sim.depth >= params.expand_depth and visits <= params.expand_visits


def _hooks(game: Game, config: Config) -> dict[str, Kernel]:
    return {} if config.expand == "game" else {"stays_leaf": too_early}


PART = Part(
    "expansion",
    settings=(
        Setting(
            "expand",
            "one",
            "store one new node a simulation, all children of a node, or the game",
            names=("one", "all", "game"),
        ),
        Setting(
            "expand_visits",
            1,
            "visits that a leaf needs before it gets children",
            (1, MANY),
            kernel=True,
        ),
        Setting(
            "expand_depth",
            1,
            "nodes nearer to the root get children at their first visit",
            (1, MANY),
            kernel=True,
        ),
    ),
    needs=lambda config: need(config.expand != "one", ALL_CHILDREN),
    on=lambda config: True,
    hooks=_hooks,
    cuts_short=lambda config: config.expand == "game",  # the tree has the game, not a playout
)
