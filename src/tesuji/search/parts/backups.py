"""Backups: what a node's children say of its value, in the place of the average.

*Max* takes the best child, *informed average* (Chaslot et al. 2006) weighs children by the urgency
of OMC, *mix* is that of Coulom (2006).  They replace the values of inner nodes after each
simulation (`tesuji.search.backup`), for two players whose rewards sum to 1.
"""

from typing import Any

import numpy as np

from tesuji.compile import inlined
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.search.part import Config, Part, Setting, kernel_of
from tesuji.search.parts.rules import omc_urgency, standard_error
from tesuji.search.tree import NONE, mean_of, next_child


def max_value(tree: Any, index: int) -> float:
    """Kernel: the best child's value."""
    node = tree.nodes[np.uint64(index)]
    best = 0.0
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = tree.nodes[np.uint64(index)]
        if child.visits > 0:
            best = max(best, mean_of(child))
    return best


def informed_value(tree: Any, index: int) -> float:
    """Kernel: ``sum(v n U) / sum(n U)``, U the urgency of OMC: better children count for more.

    The standard error is that of a coin with the child's value.
    """
    node = tree.nodes[np.uint64(index)]
    best = max_value(tree, index)
    total = 0.0
    weights = 0.0
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = tree.nodes[np.uint64(index)]
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
    node = tree.nodes[np.uint64(index)]
    games = 0.0
    total = 0.0
    most = 0.0
    robust = 0.0
    index = NONE
    for n in range(np.int64(node.tried)):
        index = next_child(tree, node, index, n)
        child = tree.nodes[np.uint64(index)]
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
    slots=lambda game, config: {
        "REVALUE": config.backup != "average",
        "backup": {"value": kernel_of("backup", config.backup, BACKUPS, "backup")},
    },
    refuse_game=_refuse_game,
)
