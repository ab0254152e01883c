"""GRAVE: AMAF values of an ancestor that has seen more (Cazenave 2015).

The nearest ancestor counts that has enough visits and in which the same player is to move.  What it
knows is copied once for each simulation that comes by, by move (`note_source`).
"""

from typing import Any

import numpy as np

from tesuji.compile import inlined
from tesuji.search.part import MANY, Buffer, Need, Part, Setting
from tesuji.search.threads import tried_of
from tesuji.search.tree import NONE, SCALE, home, next_child, passes


@inlined
def copied_amaf(move: int, player: int, work: Any) -> Any:
    """Kernel: AMAF value and visits of a move in the ancestor that counts."""
    known = work.grave.copied[player, move] == work.rave.stamp[0]
    return (
        np.float64(work.grave.value[player, move]),
        np.float64(work.grave.visits[player, move]) if known else 0.0,
    )


@inlined
def forget_source(work: Any) -> None:
    """Kernel: GRAVE, at the beginning of a simulation: no ancestor yet."""
    for player in range(len(work.grave.source)):
        work.grave.source[player] = -1
        work.grave.filled[player] = 0


def note_source(tree: Any, index: int, depth: int, work: Any, params: Any) -> None:
    """Kernel: GRAVE, at each node: is it the source of AMAF values, or is an ancestor?"""
    node = tree.nodes[np.uint64(index)]
    player = node.mover
    if player < 0:
        return
    if passes(node) >= params.grave:
        work.grave.source[player] = index
        work.grave.filled[player] = 0
    elif work.grave.source[player] >= 0 and not work.grave.filled[player]:
        _copy_source(tree, work.grave.source[player], work, player)


def _copy_source(tree: Any, index: int, work: Any, player: int) -> None:
    """Kernel: make a node's AMAF values ready by move; other moves have none."""
    work.grave.filled[player] = 1
    node = tree.nodes[np.uint64(index)]
    child = NONE
    for n in range(tried_of(node)):
        child = next_child(tree, node, child, n)
        record = tree.nodes[np.uint64(child)]
        if record.amaf_visits > 0:
            mean = record.amaf_value * (1.0 / SCALE) / record.amaf_visits
            work.grave.value[player, record.move] = mean
            work.grave.visits[player, record.move] = record.amaf_visits
            work.grave.copied[player, record.move] = work.rave.stamp[0]


@inlined
def find_sources(tree: Any, work: Any, params: Any, depth: int) -> None:
    """Kernel: the ancestors of a simulation that begins with moves which are there already."""
    for i in range(depth):
        note_source(tree, home(tree, np.int64(work.path[i])), i, work, params)


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
    buffers=(
        Buffer(
            "source",
            lambda game, config: game.players,
            np.int64,
            "for each player the node whose AMAF values count, or -1",
        ),
        Buffer("filled", lambda game, config: game.players, np.int8, "whether they were copied:"),
        Buffer(
            "value",
            lambda game, config: (game.players, game.move_codes),
            np.float32,
            "by player and move, a mean",
        ),
        Buffer(
            "visits", lambda game, config: (game.players, game.move_codes), np.int32, "its visits"
        ),
        Buffer(
            "copied",
            lambda game, config: (game.players, game.move_codes),
            np.uint32,
            "the simulation in which that was copied",
        ),
    ),
    slots=lambda game, config: {"GRAVE": config.grave > 0},
    hooks={"begin": forget_source, "taken_up": find_sources, "entered": note_source},
    settings_needed=lambda config: (Need("grave", lambda config: config.grave > 0, "rave"),),
)
