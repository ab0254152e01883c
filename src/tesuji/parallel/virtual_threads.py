"""Virtual threads: one thread with many simulations in flight.

What parallel search costs in strength can be studied without a parallel machine (Schäfers 2014,
section 4.6.3).  So many simulations have gone down the tree and are not back yet; the oldest is
played out and backed up when another one is to begin.  Selection thus knows exactly as little as it
would with as many threads that all take the same time.  Nothing is random about it: the same seed
gives the same search.
"""

from typing import Any

from tesuji.compile import inlined
from tesuji.search.descend import descend
from tesuji.search.loop import finish, should_stop
from tesuji.search.simulation import begin, take_up
from tesuji.search.tree import ROOT


def run(tree: Any, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: begin up to ``count`` simulations, fewer when the tree is full.  Returns how many.

    ``sims`` is a ring of those in flight.  None is any more when the tree is full, or when
    ``closing`` says so.
    """
    ring = own.virtual_threads.ring[0]
    done = 0
    while done < count and not should_stop(tree, ROOT):
        if ring.open == len(sims):
            complete_oldest(tree, sims, own, params[0], rng)
        sim = sims[(ring.oldest + ring.open) % len(sims)]
        ring.open += 1
        begin(sim, own)
        descend(tree, sim, own, params[0], rng)
        done += 1
    if done < count or ring.closing:
        while ring.open > 0:
            complete_oldest(tree, sims, own, params[0], rng)
    return done


@inlined
def complete_oldest(tree: Any, sims: Any, own: Any, params: Any, rng: Any) -> None:
    """Kernel: play the oldest simulation out and back it up."""
    ring = own.virtual_threads.ring[0]
    sim = sims[ring.oldest]
    ring.oldest = (ring.oldest + 1) % len(sims)
    ring.open -= 1
    take_up(tree, sim, own, params)
    finish(tree, sim, own, params, rng, 0)
