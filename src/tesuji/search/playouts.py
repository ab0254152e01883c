"""How playouts choose a move.

A *policy* names the next move (`policy`).  Around it may lie, outermost first (Hoock et al. ask for
this order):

================  ==============================================================================
``decisive``      a move that wins at once; no move that lets the other do so (Teytaud 2010)
``pool``          poolRAVE: a move from the pool (`parts.pool`)
``pairs``         contextual Monte-Carlo: the best partner of the player's last move (`parts.pairs`)
``gibbs``         MAST and n-grams: moves that did well are likelier (`parts.gibbs`)
``epsilon``       a uniformly random move now and then
================  ==============================================================================

They work for every game: what is legal they find out by listing the candidates.
"""

from typing import Any

from tesuji.compile import Slot, below, inlined
from tesuji.game import CHANCE
from tesuji.search.hooks import NO_MOVE
from tesuji.search.parts.gibbs import gibbs_move
from tesuji.search.policy import policy_move

game = Slot("game")
hooks = Slot("hooks")
DICE = Slot("DICE")
DECISIVE = Slot("DECISIVE")
GIBBS = Slot("GIBBS")


@inlined
def next_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: what the dice, the players' habits or the policy say."""
    if DICE:
        if game.mover(state) == CHANCE:
            return game.chance(state, rng)
    if DECISIVE:
        return with_decisive(state, work, params, rng)
    return by_habit(state, work, params, rng)


@inlined
def by_habit(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: a move by what this search has learned, or by the policy."""
    move = hooks.playout_move(state, work, params, rng)
    if move != NO_MOVE:
        return move
    if GIBBS:
        return gibbs_move(state, work, params, rng)
    return policy_move(state, work, params, rng)


# --- decisive and anti-decisive moves: Teytaud and Teytaud 2010 -----------------------------------


def with_decisive(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: win at once if that is possible; else make no move that the other wins after.

    Looking ahead costs a play of every move, and of every answer.
    """
    move = winning_move(state, work, 2)
    if move != NO_MOVE:
        return move
    move = by_habit(state, work, params, rng)
    if not loses_at_once(state, move, work):
        return move
    listed = game.candidates(state, work.playout.moves)
    first = below(rng, listed)
    for i in range(listed):
        # Looking ahead lists other moves in the same place, so this list is made again.
        game.candidates(state, work.playout.moves)
        other = work.playout.moves[(first + i) % listed]
        if not loses_at_once(state, other, work):
            return other
    return move


def winning_move(state: Any, work: Any, scratch: int) -> int:
    """Kernel: a candidate that ends the game with the full reward for its player, or none."""
    player = game.mover(state)
    listed = game.candidates(state, work.playout.moves)
    for i in range(listed):
        work.states[scratch] = state
        game.play(work.states[scratch], work.playout.moves[i])
        if game.over(work.states[scratch]):
            game.rewards(work.states[scratch], work.rewards)
            if work.rewards[player] >= 1.0:
                return work.playout.moves[i]
    return NO_MOVE


def loses_at_once(state: Any, move: int, work: Any) -> bool:
    """Kernel: can another player win with the next move?"""
    player = game.mover(state)
    work.states[3] = state
    after = work.states[3]
    game.play(after, move)
    if game.over(after) or game.mover(after) == player or game.mover(after) < 0:
        return False
    return winning_move(after, work, 2) != NO_MOVE
