"""Mixed playouts: after their first moves, the one that an evaluation likes best (MC-LOA).

Winands and Björnsson (2010) draw the moves of the first part of a playout by knowledge, and choose
those of the second part greedily by evaluation.  The first part is whatever policy is in use.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, below, inlined
from tesuji.search.hooks import NO_MOVE
from tesuji.search.part import MANY, Field, Need, Part, Setting

evaluation = Slot("evaluation")
rules = Slot("rules")


@inlined
def no_playout_yet(sim: Any, own: Any) -> None:
    """Kernel: the playout policy may be asked in the tree, too."""
    sim.mixed.first = MANY


@inlined
def first_part_begins(tree: Any, sim: Any, own: Any, params: Any) -> None:
    """Kernel: when a playout begins."""
    sim.mixed.first = sim.length[0] + params.mixed_after


def best_by_evaluation(state: Any, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: in the second part, the move with the highest evaluation; equals at random."""
    if sim.length[0] < sim.mixed.first:
        return NO_MOVE
    player = rules.mover(state)
    listed = rules.candidates(state, own.moves)
    best = -1.0
    chosen = NO_MOVE
    equals = 0
    for i in range(listed):
        value = value_after(state, own.moves[i], player, sim, own)
        if value > best:
            best = value
            chosen = np.int64(own.moves[i])
            equals = 1
        elif value == best:
            equals += 1
            if below(rng, equals) == 0:
                chosen = np.int64(own.moves[i])
    return chosen


@inlined
def value_after(state: Any, move: int, player: int, sim: Any, own: Any) -> float:
    """Kernel: what is expected for a player after a move; a game that ends there says it itself."""
    own.ahead[0] = state
    rules.play(own.ahead[0], move)
    if rules.over(own.ahead[0]):
        rules.rewards(own.ahead[0], sim.rewards)
    else:
        evaluation.judge(own.ahead[0], sim.rewards)
    return sim.rewards[player]


PART = Part(
    "mixed",
    settings=(
        Setting(
            "mixed_after",
            0,
            "after so many moves playouts make the move with the highest evaluation; 0: never",
            (0, MANY),
            kernel=True,
        ),
    ),
    on=lambda config: config.mixed_after > 0,
    simulation=(Field("first", np.int64, "the move with which the second part begins"),),
    hooks={
        "begin": no_playout_yet,
        "playout_begins": first_part_begins,
        "playout_move": best_by_evaluation,
    },
    settings_needed=lambda config: (
        Need("mixed_after", lambda config: config.mixed_after > 0, "evaluation"),
    ),
)
