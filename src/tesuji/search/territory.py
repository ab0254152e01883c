"""Whose the points of the board are when simulations end, and how much each of them matters.

After each playout the game's ``owners`` says who has which point; `note_owners` counts that for the
root of the search.  A playout of less than two moves does not count: in Go a pass of the tree has
ended the game then, which leaves dead stones standing.  From these counts come the *ownership* that
analysis shows, and the *criticality* of a point (Coulom 2009; Pellegrino et al. 2009): how much
more often its owner wins than chance would have it,

    P(owner wins) - P(first owns) P(first wins) - P(second owns) P(second wins).

With the setting ``criticality`` it helps AMAF values (Baudiš and Gailly 2011): points that decide
the game count as won in so many more simulations.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile import Slot, inlined
from tesuji.search.work import OFF

game = Slot("game")

FEWEST = 200  # simulations before criticality counts
FEWEST_MOVES = 2  # of a playout: both passes that end a game


def note_owners(state: Any, work: Any) -> None:
    """Kernel: count the owners of all points after a playout of two players."""
    territory = work.territory
    game.owners(state, territory.owners)
    territory.count[0] += 1
    winner = 0 if work.rewards[0] > 0.5 else 1
    territory.wins[winner] += 1
    for move in range(len(territory.owners)):
        owner = territory.owners[move]
        if owner >= 0:
            territory.owned[owner, move] += 1
            if owner == winner:
                territory.decisive[move] += 1


@inlined
def criticality(move: int, work: Any) -> float:
    """Kernel: how much a point matters, from -0.5 to 0.5; 0 while little is known."""
    territory = work.territory
    count = np.float64(territory.count[0])
    if count < FEWEST:
        return 0.0
    chance = 0.0
    for player in range(2):
        chance += np.float64(territory.owned[player, move]) * np.float64(territory.wins[player])
    return (territory.decisive[move] - chance / count) / count


@inlined
def with_criticality(amaf: float, amaf_visits: float, move: int, work: Any, params: Any) -> Any:
    """Kernel: AMAF value and visits of a move, helped by its criticality."""
    extra = criticality(move, work) * params.criticality * amaf_visits
    if not extra > 0.0:
        return amaf, amaf_visits
    total = amaf_visits + extra
    return (amaf * amaf_visits + extra) / total, total


def ownership(territories: Sequence[Any]) -> npt.NDArray[np.float64] | None:
    """By move code: 1 where the first player always ends up with the point, -1 the second.

    Of what all threads have counted together.
    """
    if territories[0] is OFF:
        return None
    count = sum(territory.count[0] for territory in territories)
    if count == 0:
        return None
    balance = sum(territory.owned[0] - territory.owned[1] for territory in territories)
    return np.asarray(balance / count, np.float64)
