"""Third step: play the game out from a leaf.

The loop is here, for all games and policies; `playouts` says how a move is chosen.  Every move goes
into the trace of the simulation, so that whatever learns from playouts can see them.
"""

from typing import Any

from tesuji.compile import Slot, inlined
from tesuji.search.playouts import next_move

game = Slot("game")
hooks = Slot("hooks")
evaluation = Slot("evaluation")
TRACK = Slot("TRACK")
EVALUATE = Slot("EVALUATE")
DECIDE = Slot("DECIDE")


@inlined
def simulate(state: Any, work: Any, params: Any, cap: int, rng: Any) -> bool:
    """Kernel: play until the game is over or ``cap`` moves were made; True if decided before.

    Then the rewards are known, else `reward` finds them.
    """
    n = work.playout.length[0]
    look = n + params.decide_every
    while n < cap and not game.over(state):
        move = next_move(state, work, params, rng)
        if TRACK:
            note_mover(state, move, n, work)
        work.playout.trace[n] = move
        n += 1
        work.playout.length[0] = n
        game.play(state, move)
        if DECIDE:
            if n >= look:
                look = n + params.decide_every
                if decided(state, work, params.decide):
                    return True
    return False


@inlined
def note_mover(state: Any, move: int, ply: int, work: Any) -> None:
    """Kernel: remember who makes a move."""
    mover = game.mover(state)
    work.movers[ply] = mover
    hooks.moved(work, mover, move)


@inlined
def reward(state: Any, work: Any) -> None:
    """Kernel: what the players get: by the rules, or by evaluation where the game is not over."""
    if EVALUATE:
        if not game.over(state):
            evaluation.judge(state, work.rewards)
            return
    game.rewards(state, work.rewards)


@inlined
def decided(state: Any, work: Any, enough: float) -> bool:
    """Kernel: does somebody lead by so much that the game counts as won?

    Early decision and the mercy rule are the same: they differ in what evaluates.
    """
    if game.over(state):
        return False
    evaluation.judge(state, work.rewards)
    for player in range(len(work.rewards)):
        if work.rewards[player] >= enough:
            for other in range(len(work.rewards)):
                work.rewards[other] = 1.0 if other == player else 0.0
            return True
    return False
