"""Backups: what a node's children say of its value, in the place of the average.

*Max* takes the best child, *informed average* (Chaslot et al. 2006) weighs children by the urgency
of OMC, *mix* is that of Coulom (2006).  They replace the values of inner nodes after each
simulation (`tesuji.search.backup`), for two players whose rewards sum to 1.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.search.part import Config, Part, Setting, kernel_of
from tesuji.search.parts.rules import omc_urgency
from tesuji.search.select import standard_error
from tesuji.search.tree import NONE, SCALE, mean_of, next_child, node_of, resolve

access = Slot("access")
backup = Slot("backup")


def revalue_path(tree: Any, sim: Any) -> None:
    """Kernel: give the inner nodes of the path the values that their children say, leaf first."""
    for i in range(sim.depth - 1, 0, -1):
        revalue(tree, sim.path[i], sim.chooser[i])


def revalue(tree: Any, ref: int, chooser: int) -> None:
    """Kernel: give a node the value that its children say."""
    node = node_of(tree, ref)
    inner = node_of(tree, resolve(tree, ref))
    if inner.mover < 0 or node.visits == 0:
        return
    value = backup.value(tree, resolve(tree, ref))
    if inner.mover != chooser:
        value = 1.0 - value
    access.put(node, "value", np.int64(value * SCALE * node.visits + 0.5))


def max_value(tree: Any, index: int) -> float:
    """Kernel: the best child's value."""
    node = node_of(tree, index)
    best = 0.0
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = node_of(tree, index)
        if child.visits > 0:
            best = max(best, mean_of(child))
    return best


def informed_value(tree: Any, index: int) -> float:
    """Kernel: ``sum(v n U) / sum(n U)``, U the urgency of OMC: better children count for more.

    The standard error is that of a coin with the child's value.
    """
    node = node_of(tree, index)
    best = max_value(tree, index)
    total = 0.0
    weights = 0.0
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = node_of(tree, index)
        if child.visits > 0:
            mean = mean_of(child)
            error = standard_error(mean * (1.0 - mean), child.visits)
            weight = child.visits * omc_urgency(mean, error, best, 1.0)
            total += mean * weight
            weights += weight
    return total / weights


@inlined
def mix_weight(games: float) -> float:
    """Kernel: what the mean weighs in Mix: 162 up to 1,296 games, then an eighth of them."""
    return max(162.0, games / 8.0)


def mix_value(tree: Any, index: int) -> float:
    """Kernel: ``(v_mean w + v_r n_r) / (w + n_r)``, r the most visited child (Coulom 2006)."""
    node = node_of(tree, index)
    games = 0.0
    total = 0.0
    most = 0.0
    robust = 0.0
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = node_of(tree, index)
        if child.visits > 0:
            mean = mean_of(child)
            games += child.visits
            total += mean * child.visits
            if child.visits > most:
                most = np.float64(child.visits)
                robust = mean
    weight = mix_weight(games)
    return (total / games * weight + robust * most) / (weight + most)


BACKUPS = {"max": max_value, "informed": informed_value, "mix": mix_value}


def _refuse_game(game: Game, config: Config) -> None:
    if game.players > 2 and config.backup != "average":
        raise ConfigError(
            f"backup={config.backup} is for one or two players, {game.name} has {game.players}; "
            "use average"
        )


PART = Part(
    "backups",
    settings=(
        Setting(
            "backup",
            "average",
            "average, max, informed or mix, or a file with backup()",
            names=("average", *BACKUPS),
            own="backup",
        ),
    ),
    on=lambda config: config.backup != "average",
    slots=lambda game, config: {
        "backup": {"value": kernel_of("backup", config.backup, BACKUPS, "backup")}
    },
    hooks={"revalue": revalue_path},
    refuse_game=_refuse_game,
)
