"""Leaf parallelization, and halving on several threads: where a leader and its helpers meet.

`tesuji.parallel.leaf_parallel` has the kernels.
"""

import numpy as np

from tesuji.search.part import Buffer, Part

#: what the leader tells its helpers
Signal = np.dtype(
    [
        ("given", np.int64),  # how often the leader has called
        ("over", np.int8),  # it will not call again
        ("threads", np.int64),
        ("helpers", np.int64),  # threads that wait for the signal
        ("left", np.int64),  # simulations that nobody has taken
        ("unused", np.int64),  # simulations that were taken and not needed
        ("finished", np.int64),  # helpers that have none to do any more
    ],
    align=True,
)

PART = Part(
    "leaf",
    on=lambda config: config.led,
    thread=(Buffer("signal", Signal, "what the leader tells its helpers"),),
)
