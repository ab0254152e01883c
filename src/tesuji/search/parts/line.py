"""The best line of a one-player game: the finished simulation that scored most, with all its moves.

Nobody can spoil a plan when there is one player and no dice, so the best game that was ever seen
can be played again as it is (Chaslot 2010, appendix A).  The tree's values are means; the best line
is a maximum, and is kept beside the tree.  `keep_best` looks at the end of every simulation;
`play_on` keeps what is left of the line when a game goes on.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.game import Game
from tesuji.search.part import OFF, Buffer, Part

rules = Slot("rules")
SCORED = Slot("SCORED")

NOTHING = -math.inf  #: the score when no game has been finished


def has_line(game: Game) -> bool:
    """Can a line of this game be played again?

    Playouts do not look for repeated positions, so where those are forbidden a line may be illegal.
    """
    return game.players == 1 and game.chance is None and game.repetition is None


@inlined
def final_score(sim: Any) -> float:
    """Kernel: what the simulation that ended in this state scores: `NOTHING` if it was cut off."""
    if not rules.over(sim.state):
        return NOTHING
    if SCORED:
        return float(rules.score(sim.state))
    rules.rewards(sim.state, sim.rewards)
    return sim.rewards[0]


@inlined
def keep_best(sim: Any, own: Any) -> float:
    """Kernel: remember this simulation if it scores more than all before; its score."""
    score = final_score(sim)
    if score > own.line.score[0]:
        own.line.score[0] = score
        own.line.length[0] = sim.length[0]
        for i in range(sim.length[0]):
            own.line.moves[i] = sim.trace[i]
    return score


def known(line: Any) -> tuple[float, list[int]] | None:
    """The best score and its moves, if a game has been finished."""
    if line is OFF or line.score[0] == NOTHING:
        return None
    return float(line.score[0]), line.moves[: line.length[0]].tolist()


def play_on(line: Any, played: Sequence[int]) -> None:
    """Keep the rest of the line if the moves played follow it; forget it if they do not."""
    if known(line) is None:
        return
    begun = len(played)
    if line.moves[: line.length[0]][:begun].tolist() != list(played):
        forget_line(line)
        return
    left = int(line.length[0]) - begun
    line.moves[:left] = line.moves[begun : begun + left].copy()
    line.length[0] = left


def forget_line(line: Any) -> None:
    """As if no game had been finished."""
    if line is OFF:
        return
    line.score[0] = NOTHING
    line.length[0] = 0


@inlined
def note_line(sim: Any, own: Any, params: Any) -> None:
    """Kernel: at the end of a simulation."""
    keep_best(sim, own)


PART = Part(
    "line",
    on=lambda config: True,
    on_game=has_line,
    thread=(
        Buffer(
            "score", np.float64, "of the best one; minus infinity when there is none", blank=NOTHING
        ),
        Buffer("moves", np.int32, "from the root on", lambda game, config: game.max_length + 1),
        Buffer("length", np.int64, "how many"),
    ),
    slots=lambda game, config: {"SCORED": game.score is not None},
    hooks={"ended": note_line, "repeated": keep_best},
)
