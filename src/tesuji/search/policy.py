"""Playout policies: what names a move when nothing else does.

``uniform``, one of the game's own, or one that draws by the game's ``knowledge``; and now and then
a uniformly random move in its place.
"""

from typing import Any

from tesuji.compile import Slot, below, inlined, unit

game = Slot("game")
policy = Slot("policy")
plain = Slot("plain")
drawing = Slot("drawing")
DRAWING = Slot("DRAWING")
EPSILON = Slot("EPSILON")


@inlined
def policy_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: the policy's move, or a random one."""
    if EPSILON:
        if unit(rng) < params.playout_epsilon:
            return plain.next_move(state, work.playout, rng)
    if DRAWING:
        return draw_by_knowledge(state, work, rng)
    return policy.next_move(state, work.playout, rng)


def uniform(state: Any, playout: Any, rng: Any) -> int:
    """Kernel: the policy that needs no knowledge: all candidates are equally likely."""
    listed = game.candidates(state, playout.moves)
    return playout.moves[below(rng, listed)]


POLICIES = {"uniform": uniform}


def draw_by_knowledge(state: Any, work: Any, rng: Any) -> int:
    """Kernel: a move with the probability that its weight has among all."""
    listed = game.candidates(state, work.playout.moves)
    drawing.judge(state, work.playout, listed, work.judged)
    return draw_weighted(work, listed, rng)


def draw_weighted(work: Any, listed: int, rng: Any) -> int:
    """Kernel: one of the listed moves by ``work.judged``; any, if all weigh nothing."""
    total = 0.0
    for i in range(listed):
        total += work.judged[i]
    if not total > 0.0:
        return work.playout.moves[below(rng, listed)]
    left = unit(rng) * total
    for i in range(listed):
        left -= work.judged[i]
        if left < 0.0:
            return work.playout.moves[i]
    return work.playout.moves[listed - 1]
