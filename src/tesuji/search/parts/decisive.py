"""Decisive and anti-decisive moves in playouts (Teytaud and Teytaud 2010).

A move that wins at once is made, and a move after which the other player wins at once is not.
Looking ahead costs a play of every move, and of every answer.
"""

from typing import Any

from tesuji.compile import Slot, below
from tesuji.game import CHANCE
from tesuji.search.hooks import NO_MOVE
from tesuji.search.part import Part, Setting
from tesuji.search.playouts import by_habit

rules = Slot("rules")
DICE = Slot("DICE")


def with_decisive(state: Any, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: win at once if that is possible; else make no move that the other wins after."""
    if DICE:
        if rules.mover(state) == CHANCE:
            return rules.chance(state, rng)
    move = winning_move(state, sim, own)
    if move != NO_MOVE:
        return move
    move = by_habit(state, sim, own, params, rng)
    if not loses_at_once(state, move, sim, own):
        return move
    listed = rules.candidates(state, own.moves)
    first = below(rng, listed)
    for i in range(listed):
        # Looking ahead lists other moves in the same place, so this list is made again.
        rules.candidates(state, own.moves)
        other = own.moves[(first + i) % listed]
        if not loses_at_once(state, other, sim, own):
            return other
    return move


def winning_move(state: Any, sim: Any, own: Any) -> int:
    """Kernel: a candidate that ends the game with the full reward for its player, or none."""
    player = rules.mover(state)
    listed = rules.candidates(state, own.moves)
    for i in range(listed):
        own.ahead[0] = state
        rules.play(own.ahead[0], own.moves[i])
        if rules.over(own.ahead[0]):
            rules.rewards(own.ahead[0], sim.rewards)
            if sim.rewards[player] >= 1.0:
                return own.moves[i]
    return NO_MOVE


def loses_at_once(state: Any, move: int, sim: Any, own: Any) -> bool:
    """Kernel: can another player win with the next move?"""
    player = rules.mover(state)
    own.ahead[1] = state
    after = own.ahead[1]
    rules.play(after, move)
    if rules.over(after) or rules.mover(after) == player or rules.mover(after) < 0:
        return False
    return winning_move(after, sim, own) != NO_MOVE


PART = Part(
    "decisive",
    settings=(
        Setting(
            "decisive", False, "play moves that win at once, and avoid those that let the other"
        ),
    ),
    on=lambda config: config.decisive,
    hooks={"next_move": with_decisive},
    cuts_short=lambda config: config.decisive,
)
