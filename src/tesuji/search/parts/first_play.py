"""First plays: what is done about moves that were never tried (Gelly and Wang 2006; Coulom 2006).

With ``fpu`` they have a score, so that they need not all be tried before one of them is tried
again.  With ``policy_visits`` the playout policy chooses at a node until it has so many visits.
"""

from typing import Any

from tesuji.compile import Slot
from tesuji.game import Game
from tesuji.search.part import ALL_CHILDREN, LARGE, MANY, Config, Kernel, Part, Setting, need
from tesuji.search.tree import FORBIDDEN, NONE, find_child, node_of, selections_of

access = Slot("access")
hooks = Slot("hooks")


def policy_child(tree: Any, ref: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: the child that the playout policy chooses, or `NONE` if it must not be followed."""
    node = node_of(tree, ref)
    visits = access.own_visits(selections_of(node), params)
    if visits > params.policy_visits and visits != 1:
        return NONE
    sim.length[0] = sim.depth  # policies may look at the moves so far
    child = find_child(tree, ref, hooks.next_move(sim.state, sim, own, params, rng))
    if child == NONE or node_of(tree, child).status == FORBIDDEN:
        return NONE
    if hooks.hopeless(tree, child, node):
        return NONE
    return child


def _hooks(game: Game, config: Config) -> dict[str, Kernel]:
    chooses = config.policy_visits > 0 or config.expand == "game"
    return {"child": policy_child} if chooses else {}


PART = Part(
    "first_play",
    settings=(
        Setting(
            "fpu",
            0.0,
            "first-play urgency: the score of a move that was never tried; 0: all are tried once "
            "first",
            (0, LARGE),
            kernel=True,
        ),
        Setting(
            "policy_visits",
            0,
            "below so many visits of a node the playout policy chooses (T)",
            (0, MANY),
            kernel=True,
        ),
    ),
    on=lambda config: True,
    needs=lambda config: need(config.fpu > 0 or config.policy_visits > 0, ALL_CHILDREN),
    hooks=_hooks,
)
