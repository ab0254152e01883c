"""Batched descents with deferred backup: simulations that a thread runs from one node at once.

`tesuji.parallel.tree_parallel` has the kernels.
"""

import numpy as np

from tesuji.game import Game
from tesuji.search.part import STATE, Buffer, Config, Part, Setting

DEEPEST = 64  # nodes of a path at which a batch may begin


def _deep(game: Game, config: Config) -> int:
    return min(game.max_length + 1, DEEPEST)


def _by_player(game: Game, config: Config) -> tuple[int, int]:
    return _deep(game, config), game.players


PART = Part(
    "batch",
    settings=(
        Setting(
            "batch",
            64,
            "simulations that a thread runs at most before the nodes above it know them",
            (1, 1000),
            kernel=True,
            was="stay",
        ),
    ),
    on=lambda config: config.batched,
    thread=(
        Buffer("nodes", np.int64, "nodes of its path; for each:"),
        Buffer("left", np.int64, "simulations that are still to run from there", _deep),
        Buffer("done", np.int64, "those that have run, of which the node knows nothing", _deep),
        Buffer("gains", np.int64, "their summed rewards, in units of the tree", _by_player),
        Buffer("squares", np.int64, "and the squares of these", _by_player),
        Buffer("states", STATE, "the position there", _deep),
    ),
    slots=lambda game, config: {"BATCHED": config.batched},
)
