"""Repeated positions, in games that forbid them: what a node compares with its ancestors."""

import numpy as np

from tesuji.search.part import Field, Part

PART = Part(
    "repetition",
    on=lambda config: True,
    on_game=lambda game: game.repetition is not None,
    fields=(Field("key", np.uint64, "of the position", merge="keep"),),
)
