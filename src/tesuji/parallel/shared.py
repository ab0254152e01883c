"""Tree parallelization: every thread runs this loop on the same tree (Chaslot 2010, section 7.3).

The loop of one thread knows how many simulations are its own.  Here threads take them from one
store, a few at a time, so that all end together although some are slower.
"""

from typing import Any

from tesuji.compile import Slot
from tesuji.compile.atomics import add, load
from tesuji.search.loop import simulation
from tesuji.search.solver import proven
from tesuji.search.tree import ROOT

SOLVER = Slot("SOLVER")

LARGEST = 64  # simulations that a thread takes at once
SHARES = 8  # of those of a slice, for each thread: at least so many


def run(tree: Any, work: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: take ``count`` simulations at a time until there are no more; how many were run."""
    meta = tree.meta[0]
    done = 0
    while True:
        taken = min(add(meta, "left", -count), count)
        if taken <= 0:
            return done
        for _ in range(taken):
            if load(meta, "stop") or (meta.full and not meta.frozen):
                return done
            if SOLVER:
                if proven(tree.nodes[ROOT]):
                    return done
            simulation(tree, work, params[0], rng)
            done += 1


def share_of(count: int, threads: int) -> int:
    """How many simulations a thread takes at once."""
    return max(1, min(LARGEST, count // (SHARES * threads)))
