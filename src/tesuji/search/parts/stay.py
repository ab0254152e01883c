"""Batched descents with deferred backup: where a thread of a shared tree stays for a while.

`tesuji.parallel.shared` has the kernels.
"""

import numpy as np

from tesuji.game import Game
from tesuji.search.part import STATE, Buffer, Config, Part, Setting

DEEPEST = 64  # nodes of a path at which a thread may stay


def _deep(game: Game, config: Config) -> int:
    return min(game.max_length + 1, DEEPEST)


PART = Part(
    "stay",
    settings=(
        Setting(
            "stay",
            64,
            "simulations that a thread runs at most before the nodes above it know them",
            (1, 1000),
            kernel=True,
        ),
    ),
    on=lambda config: config.stays,
    buffers=(
        Buffer("nodes", lambda game, config: 1, np.int64, "so many nodes of its path; for each:"),
        Buffer("left", _deep, np.int64, "simulations that it will still run there"),
        Buffer("done", _deep, np.int64, "those that it has run, of which the node knows nothing"),
        Buffer(
            "gains",
            lambda game, config: (_deep(game, config), game.players),
            np.int64,
            "their summed rewards by player, in units of the tree",
        ),
        Buffer(
            "squares",
            lambda game, config: (_deep(game, config), game.players),
            np.int64,
            "and the squares of these",
        ),
        Buffer("states", _deep, STATE, "the position there"),
    ),
    slots=lambda game, config: {"STAY": config.stays},
)
