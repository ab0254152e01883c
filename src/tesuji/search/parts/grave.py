"""GRAVE: AMAF values of an ancestor that has seen more (Cazenave 2015).

The nearest ancestor counts that has enough visits and in which the same player is to move.  What it
knows is copied once for each simulation that comes by, by move (`note_source`).
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.search.part import MANY, Buffer, Field, Need, Part, Setting, player_moves, players
from tesuji.search.tree import NONE, SCALE, next_child, node_of, resolve, selections_of

access = Slot("access")


@inlined
def copied_amaf(
    amaf: float, amaf_visits: float, child: Any, player: int, sim: Any, own: Any, params: Any
) -> Any:
    """Kernel: AMAF value and visits of a move in the ancestor that counts, if there is one."""
    if not sim.grave.filled[player]:
        return amaf, amaf_visits
    move = np.int64(child.move)
    known = own.grave.copied[player, move] == own.rave.stamp[0]
    return (
        np.float64(own.grave.value[player, move]),
        np.float64(own.grave.visits[player, move]) if known else 0.0,
    )


@inlined
def forget_source(sim: Any, own: Any) -> None:
    """Kernel: at the beginning of a simulation: no ancestor yet."""
    for player in range(len(sim.grave.source)):
        sim.grave.source[player] = -1
        sim.grave.filled[player] = 0


def note_source(tree: Any, ref: int, sim: Any, own: Any, params: Any) -> None:
    """Kernel: at each node: is it the source of AMAF values, or is an ancestor?"""
    node = node_of(tree, ref)
    player = node.mover
    if player < 0:
        return
    if selections_of(node) >= params.grave:
        sim.grave.source[player] = ref
        sim.grave.filled[player] = 0
    elif sim.grave.source[player] >= 0 and not sim.grave.filled[player]:
        _copy_source(tree, sim.grave.source[player], sim, own, player)


def _copy_source(tree: Any, ref: int, sim: Any, own: Any, player: int) -> None:
    """Kernel: make a node's AMAF values ready by move; other moves have none."""
    sim.grave.filled[player] = 1
    node = node_of(tree, ref)
    child = NONE
    for n in range(access.tried_of(node)):
        child = next_child(tree, node, child, n)
        record = node_of(tree, child)
        if record.amaf_visits > 0:
            mean = record.amaf_value * (1.0 / SCALE) / record.amaf_visits
            own.grave.value[player, record.move] = mean
            own.grave.visits[player, record.move] = record.amaf_visits
            own.grave.copied[player, record.move] = own.rave.stamp[0]


@inlined
def find_sources(tree: Any, sim: Any, own: Any, params: Any) -> None:
    """Kernel: the ancestors of a simulation that begins with moves which are there already."""
    for i in range(sim.depth):
        note_source(tree, resolve(tree, sim.path[i]), sim, own, params)


PART = Part(
    "grave",
    settings=(
        Setting(
            "grave",
            0,
            "take AMAF values from the nearest ancestor with so many visits; 0: own ones",
            (0, MANY),
            kernel=True,
        ),
    ),
    on=lambda config: config.grave > 0,
    simulation=(
        Field("source", np.int64, "by player: the node whose AMAF values count, or -1", players),
        Field("filled", np.int8, "by player: were they copied?", players),
    ),
    thread=(
        Buffer("value", np.float32, "by player and move, a mean", player_moves),
        Buffer("visits", np.int32, "its visits", player_moves),
        Buffer("copied", np.uint32, "the simulation in which that was copied", player_moves),
    ),
    hooks={
        "begin": forget_source,
        "taken_up": find_sources,
        "entered": note_source,
        "amaf": copied_amaf,
    },
    settings_needed=lambda config: (Need("grave", lambda config: config.grave > 0, "rave"),),
)
