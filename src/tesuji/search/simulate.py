"""Third step: play the game out from a leaf.

The loop is here, for all games and policies; `playouts` says how a move is chosen.  Every move goes
into the trace of the simulation, so that whatever learns from playouts can see them.
"""

from typing import Any

from tesuji.compile import Slot, inlined

rules = Slot("rules")
hooks = Slot("hooks")
MOVERS = Slot("MOVERS")


@inlined
def simulate(tree: Any, sim: Any, own: Any, params: Any, rng: Any) -> None:
    """Kernel: the rewards of this simulation, by a playout unless they are known without one."""
    sim.begun = sim.length[0]
    hooks.playout_begins(tree, sim, own, params)
    if hooks.result(tree, sim, own):
        return
    play_out(sim, own, params, rng)
    hooks.playout_ended(sim, own)


@inlined
def play_out(sim: Any, own: Any, params: Any, rng: Any) -> None:
    """Kernel: play until the game is over, decided, or has had as many moves as a playout may."""
    state = sim.state
    n = sim.length[0]
    most = min(n + params.cap, len(sim.trace))
    while not rules.over(state) and n < most:  # in this order: measured
        move = hooks.next_move(state, sim, own, params, rng)
        if MOVERS:
            note_mover(sim, own, n, move)
        sim.trace[n] = move
        n += 1
        sim.length[0] = n
        rules.play(state, move)
        if hooks.cut_off(sim, own, params):
            return
    if not hooks.judged(sim, own):
        rules.rewards(state, sim.rewards)


@inlined
def note_mover(sim: Any, own: Any, ply: int, move: int) -> None:
    """Kernel: remember who makes a move."""
    mover = rules.mover(sim.state)
    sim.movers[ply] = mover
    hooks.moved(sim, own, mover, move)
