"""Virtual threads: simulations that one thread has under way, a ring of them.

`tesuji.parallel.late` has the kernels.
"""

import numpy as np

from tesuji.game import Game
from tesuji.search.part import STATE, Buffer, Config, Part, Setting


def _ring(game: Game, config: Config) -> int:
    return int(config.in_flight)


def _paths(game: Game, config: Config) -> tuple[int, int]:
    return config.in_flight, game.max_length + 2  # pages are handed out only as they are used


def _movers(game: Game, config: Config) -> tuple[int, int]:
    return config.in_flight, game.max_length + 2 if config.tracks else 0


PART = Part(
    "late",
    settings=(
        Setting(
            "in_flight",
            1,
            "virtual threads: simulations that one thread has under way",
            (1, 100_000),
        ),
    ),
    on=lambda config: config.in_flight > 1,
    buffers=(
        Buffer("open", lambda game, config: 1, np.int64, "how many"),
        Buffer("oldest", lambda game, config: 1, np.int64, "where the first one is"),
        Buffer("closing", lambda game, config: 1, np.int8, "asks to complete all of them"),
        Buffer("depths", _ring, np.int64, "of each: its leaf's depth,"),
        Buffer("states", _ring, STATE, "the position there,"),
        Buffer("path", _paths, np.uint32, "the nodes,"),
        Buffer("chooser", _paths, np.uint8, "who chose the moves into them,"),
        Buffer("trace", _paths, np.int32, "the moves,"),
        Buffer("movers", _movers, np.int8, "and who made them"),
    ),
)
