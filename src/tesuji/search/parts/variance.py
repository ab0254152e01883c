"""The variance of rewards, for the rules that ask for it: every node sums their squares, too."""

import numpy as np

from tesuji.search.part import VARIANCE, Field, Part

PART = Part(
    "variance",
    on=lambda config: VARIANCE in config.needs,
    node=(Field("squares", np.int64, "summed squares of rewards", merge="add", averaged=True),),
)
