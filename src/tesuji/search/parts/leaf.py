"""Leaf parallelization, and halving on several threads: where a lead and its hands meet.

`tesuji.parallel.crew` has the kernels.
"""

import numpy as np

from tesuji.search.part import STATE, Buffer, Part

#: what the lead tells its hands
Bell = np.dtype(
    [
        ("rung", np.int64),  # how often the lead has called
        ("depth", np.int64),  # of the point where all begin
        ("over", np.int8),  # it will not call again
        ("threads", np.int64),
        ("hands", np.int64),  # threads that wait for the bell
        ("left", np.int64),  # simulations that nobody has taken
        ("unused", np.int64),  # simulations that were taken and not needed
        ("finished", np.int64),  # hands that have none to do any more
    ],
    align=True,
)

PART = Part(
    "crew",
    on=lambda config: config.crewed,
    buffers=(
        Buffer("bell", lambda game, config: 1, Bell, "what the lead tells its hands"),
        Buffer("state", lambda game, config: 1, STATE, "the position where all begin"),
    ),
)
