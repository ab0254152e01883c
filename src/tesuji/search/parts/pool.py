"""poolRAVE: playouts draw from the moves with the best AMAF values (Rimmel et al. 2010).

The pool is filled at the end of a descent (`fill_pool`) and emptied move by move (`pool_move`).
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, below, inlined, unit
from tesuji.search.hooks import NO_MOVE
from tesuji.search.part import MANY, Field, Need, Part, Setting
from tesuji.search.tree import node_of, resolve, selections_of

access = Slot("access")
rules = Slot("rules")


@inlined
def empty_pool(sim: Any, own: Any) -> None:
    """Kernel: no pool yet."""
    sim.pool.count = 0


def fill_pool(tree: Any, sim: Any, own: Any, params: Any) -> None:
    """Kernel: at the end of a descent: the moves with the best AMAF values.

    They come from the deepest node of the path with enough visits, and serve both players.
    """
    sim.pool.count = 0
    for i in range(sim.depth, -1, -1):
        ref = resolve(tree, sim.path[i])
        if selections_of(node_of(tree, ref)) >= params.pool_visits:
            _pool_children(tree, ref, sim, params.pool_visits)
            return


def _pool_children(tree: Any, ref: int, sim: Any, fewest: int) -> None:
    """Kernel: insert children into the pool, the best first, as far as there is room."""
    node = node_of(tree, ref)
    pool = sim.pool.moves
    count = 0
    for n in range(access.tried_of(node)):
        child = np.int64(node.first) + n
        if node_of(tree, child).amaf_visits < fewest:
            continue
        place = min(count, len(pool) - 1)
        if count == len(pool) and _amaf_mean(tree, pool[place]) >= _amaf_mean(tree, child):
            continue
        while place > 0 and _amaf_mean(tree, pool[place - 1]) < _amaf_mean(tree, child):
            pool[place] = pool[place - 1]
            place -= 1
        pool[place] = child
        count = min(count + 1, len(pool))
    for i in range(count):
        pool[i] = node_of(tree, pool[i]).move
    sim.pool.count = count


@inlined
def _amaf_mean(tree: Any, child: int) -> float:
    record = node_of(tree, child)
    return record.amaf_value / max(np.float64(record.amaf_visits), 1.0)


def pool_move(state: Any, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: now and then a move of the pool; none if no move of it is possible now."""
    if sim.pool.count == 0 or unit(rng) >= params.pool:
        return NO_MOVE
    listed = rules.candidates(state, own.moves)
    while sim.pool.count > 0:
        move = take_from_pool(sim, rng)
        for i in range(listed):
            if own.moves[i] == move:
                return move
    return NO_MOVE


@inlined
def take_from_pool(sim: Any, rng: Any) -> int:
    """Kernel: a random move of the pool, which leaves it."""
    last = sim.pool.count - 1
    chosen = below(rng, last + 1)
    move = sim.pool.moves[chosen]
    sim.pool.moves[chosen] = sim.pool.moves[last]
    sim.pool.count = last
    return move


PART = Part(
    "pool",
    settings=(
        Setting(
            "pool",
            0.0,
            "how often a playout draws a move from the pool of poolRAVE",
            (0, 1),
            kernel=True,
        ),
        Setting("pool_size", 20, "moves in it at most", (1, 10_000), kernel=True),
        Setting(
            "pool_visits",
            50,
            "visits of the node that has the pool, and of the moves in it",
            (1, MANY),
            kernel=True,
        ),
    ),
    on=lambda config: config.pool > 0,
    simulation=(
        Field("count", np.int64, "moves in the pool"),
        Field("moves", np.int32, "the best first", lambda game, config: config.pool_size),
    ),
    hooks={"begin": empty_pool, "playout_begins": fill_pool, "playout_move": pool_move},
    settings_needed=lambda config: (Need("pool", lambda config: config.pool > 0, "rave"),),
)
