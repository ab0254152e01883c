"""How playouts choose a move.

A *policy* names the next move (`policy_move`).  Around it may lie, outermost first (Hoock et al.
ask for this order):

================  ==============================================================================
``decisive``      a move that wins at once; no move that lets the other do so (`parts.decisive`)
``pool``          poolRAVE: a move from the pool (`parts.pool`)
``pairs``         contextual Monte-Carlo: the best partner of the player's last move (`parts.pairs`)
``gibbs``         MAST and n-grams: moves that did well are likelier (`parts.gibbs`)
``epsilon``       a uniformly random move now and then
================  ==============================================================================

They work for every game: what is legal they find out by listing the candidates.
"""

from typing import Any

from tesuji.compile import Slot, below, inlined, unit
from tesuji.game import CHANCE
from tesuji.search.hooks import NO_MOVE
from tesuji.search.simulation import playout_of

rules = Slot("rules")
hooks = Slot("hooks")
policy = Slot("policy")
plain = Slot("plain")
drawing = Slot("drawing")
DICE = Slot("DICE")
DRAWING = Slot("DRAWING")
EPSILON = Slot("EPSILON")


@inlined
def by_habit(state: Any, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: what the dice say, or a move by what this search has learned, or by the policy."""
    if DICE:
        if rules.mover(state) == CHANCE:
            return rules.chance(state, rng)
    move = hooks.playout_move(state, sim, own, params, rng)
    if move != NO_MOVE:
        return move
    return hooks.policy(state, sim, own, params, rng)


@inlined
def policy_move(state: Any, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: the policy's move, or a random one."""
    if EPSILON:
        if unit(rng) < params.playout_epsilon:
            return plain.next_move(state, playout_of(sim, own), rng)
    if DRAWING:
        return draw_by_knowledge(state, sim, own, rng)
    return policy.next_move(state, playout_of(sim, own), rng)


def uniform(state: Any, playout: Any, rng: Any) -> int:
    """Kernel: the policy that needs no knowledge: all candidates are equally likely."""
    listed = rules.candidates(state, playout.moves)
    return playout.moves[below(rng, listed)]


POLICIES = {"uniform": uniform}


def draw_by_knowledge(state: Any, sim: Any, own: Any, rng: Any) -> int:
    """Kernel: a move with the probability that its weight has among all."""
    listed = rules.candidates(state, own.moves)
    drawing.judge(state, playout_of(sim, own), listed, own.judged)
    return draw_weighted(own, listed, rng)


def draw_weighted(own: Any, listed: int, rng: Any) -> int:
    """Kernel: one of the listed moves by ``own.judged``; any, if all weigh nothing."""
    total = 0.0
    for i in range(listed):
        total += own.judged[i]
    if not total > 0.0:
        return own.moves[below(rng, listed)]
    left = unit(rng) * total
    for i in range(listed):
        left -= own.judged[i]
        if left < 0.0:
            return own.moves[i]
    return own.moves[listed - 1]
