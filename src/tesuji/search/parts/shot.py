"""SHOT visits the ends of games for nothing: these visits are counted apart (`halving`)."""

import numpy as np

from tesuji.search.part import Field, Part

PART = Part(
    "shot",
    on=lambda config: config.halving == "shot",
    node=(Field("free", np.int32, "visits that cost no budget"),),
)
