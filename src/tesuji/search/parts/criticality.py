"""Criticality: how much a point of the board matters (Coulom 2009; Pellegrino et al. 2009).

How much more often its owner wins than chance would have it,

    P(owner wins) - P(first owns) P(first wins) - P(second owns) P(second wins).

It helps AMAF values (Baudiš and Gailly 2011): points that decide the game count as won in so many
more simulations.
"""

from typing import Any

import numpy as np

from tesuji.compile import inlined
from tesuji.search.part import Need, Part, Setting

FEWEST = 200  # simulations before criticality counts


@inlined
def criticality(move: int, own: Any) -> float:
    """Kernel: how much a point matters, from -0.5 to 0.5; 0 while little is known."""
    territory = own.ownership
    count = np.float64(territory.count[0])
    if count < FEWEST:
        return 0.0
    chance = 0.0
    for player in range(2):
        chance += np.float64(territory.owned[player, move]) * np.float64(territory.wins[player])
    return (territory.decisive[move] - chance / count) / count


@inlined
def with_criticality(
    amaf: float, amaf_visits: float, child: Any, player: int, sim: Any, own: Any, params: Any
) -> Any:
    """Kernel: AMAF value and visits of a move, helped by its criticality."""
    extra = criticality(np.int64(child.move), own) * params.criticality * amaf_visits
    if not extra > 0.0:
        return amaf, amaf_visits
    total = amaf_visits + extra
    return (amaf * amaf_visits + extra) / total, total


PART = Part(
    "criticality",
    settings=(
        Setting(
            "criticality",
            0.0,
            "AMAF visits of deciding points count so many times more",
            (0, 1000),
            kernel=True,
        ),
    ),
    on=lambda config: config.criticality > 0,
    hooks={"amaf": with_criticality},
    settings_needed=lambda config: (
        Need("criticality", lambda config: config.criticality > 0, "rave"),
        Need("criticality", lambda config: config.criticality > 0, "ownership"),
    ),
)
