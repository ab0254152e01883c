"""Third step: play the game out from a leaf.

The loop is here, for all games; a *policy* only names the next move.  Every move goes into the
trace of the simulation, so that whatever learns from playouts can see them.
"""

from typing import Any

from tesuji.compile import Slot, below, inlined
from tesuji.game import CHANCE

game = Slot("game")
DICE = Slot("DICE")
policy = Slot("policy")


@inlined
def simulate(state: Any, playout: Any, cap: int, rng: Any) -> None:
    """Kernel: play until the game is over, or ``cap`` moves were made in this simulation."""
    n = playout.length[0]
    while n < cap and not game.over(state):
        move = next_move(state, playout, rng)
        playout.trace[n] = move
        n += 1
        playout.length[0] = n
        game.play(state, move)


@inlined
def next_move(state: Any, playout: Any, rng: Any) -> int:
    """Kernel: what the policy says, or the dice."""
    if DICE:
        if game.mover(state) == CHANCE:
            return game.chance(state, rng)
    return policy.next_move(state, playout, rng)


def uniform(state: Any, playout: Any, rng: Any) -> int:
    """Kernel: the policy that needs no knowledge: all candidates are equally likely."""
    listed = game.candidates(state, playout.moves)
    return playout.moves[below(rng, listed)]


POLICIES = {"uniform": uniform}
