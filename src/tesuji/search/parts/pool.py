"""poolRAVE: playouts draw from the moves with the best AMAF values (Rimmel et al. 2010).

The pool is filled at the end of a descent (`fill_pool`) and emptied move by move (`pool_move`).
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, below, inlined, unit
from tesuji.search.hooks import NO_MOVE
from tesuji.search.part import MANY, Buffer, Need, Part, Setting
from tesuji.search.threads import tried_of
from tesuji.search.tree import home, passes

game = Slot("game")


@inlined
def empty_pool(work: Any) -> None:
    """Kernel: no pool yet."""
    work.pool.count[0] = 0


def fill_pool(tree: Any, work: Any, params: Any, depth: int) -> None:
    """Kernel: at the end of a descent: the moves with the best AMAF values.

    They come from the deepest node of the path with enough visits, and serve both players.
    """
    work.pool.count[0] = 0
    for i in range(depth, -1, -1):
        index = home(tree, np.int64(work.path[i]))
        if passes(tree.nodes[np.uint64(index)]) >= params.pool_visits:
            _pool_children(tree, index, work, params.pool_visits)
            return


def _pool_children(tree: Any, index: int, work: Any, fewest: int) -> None:
    """Kernel: insert children into the pool, the best first, as far as there is room."""
    node = tree.nodes[np.uint64(index)]
    pool = work.pool.moves
    count = 0
    for n in range(tried_of(node)):
        child = np.int64(node.first) + n
        if tree.nodes[np.uint64(child)].amaf_visits < fewest:
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
        pool[i] = tree.nodes[np.uint64(pool[i])].move
    work.pool.count[0] = count


@inlined
def _amaf_mean(tree: Any, child: int) -> float:
    record = tree.nodes[np.uint64(child)]
    return record.amaf_value / max(np.float64(record.amaf_visits), 1.0)


def pool_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: now and then a move of the pool; none if no move of it is possible now."""
    if work.pool.count[0] == 0 or unit(rng) >= params.pool:
        return NO_MOVE
    listed = game.candidates(state, work.playout.moves)
    while work.pool.count[0] > 0:
        move = take_from_pool(work, rng)
        for i in range(listed):
            if work.playout.moves[i] == move:
                return move
    return NO_MOVE


@inlined
def take_from_pool(work: Any, rng: Any) -> int:
    """Kernel: a random move of the pool, which leaves it."""
    last = work.pool.count[0] - 1
    chosen = below(rng, last + 1)
    move = work.pool.moves[chosen]
    work.pool.moves[chosen] = work.pool.moves[last]
    work.pool.count[0] = last
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
    buffers=(
        Buffer("moves", lambda game, config: config.pool_size, np.int32, "the best first"),
        Buffer("count", lambda game, config: 1, np.int64, "how many there are"),
    ),
    hooks={"begin": empty_pool, "playout_begins": fill_pool, "playout_move": pool_move},
    settings_needed=lambda config: (Need("pool", lambda config: config.pool > 0, "rave"),),
)
