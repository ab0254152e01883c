"""Virtual threads: simulations that one thread has in flight, a ring of them.

`tesuji.parallel.virtual_threads` has the kernels.
"""

import numpy as np

from tesuji.search.part import Buffer, Part, Setting

#: which simulations of the ring are in flight
Ring = np.dtype(
    [
        ("open", np.int64),  # how many
        ("oldest", np.int64),  # where the first one is
        ("closing", np.int8),  # asks to complete all of them
    ],
    align=True,
)

PART = Part(
    "virtual_threads",
    settings=(
        Setting(
            "in_flight",
            1,
            "virtual threads: simulations that one thread has in flight",
            (1, 100_000),
        ),
    ),
    on=lambda config: config.in_flight > 1,
    thread=(Buffer("ring", Ring, "those in flight"),),
)
