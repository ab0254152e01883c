"""Implicit minimax backups: an evaluation is backed up beside the averages (Lanctot et al. 2014).

Every leaf that a simulation comes to is judged by the game's evaluation; inner nodes take the best
of their children's judgements, as minimax does.  What a rule takes for a child's mean is a blend of
both, ``(1 - a) v + a m``: playouts say how games go on, the evaluation what they overlook.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.search.part import Config, Field, Part, Setting, refuse_unknown
from tesuji.search.tree import NONE, next_child, node_of

access = Slot("access")
rules = Slot("rules")
implicit = Slot("implicit")

UNKNOWN = -1.0


@inlined
def judge_leaf(tree: Any, sim: Any, own: Any, params: Any) -> None:
    """Kernel: what is expected of a leaf when a simulation comes there for the first time."""
    leaf = node_of(tree, sim.path[sim.depth])
    if leaf.minimax == UNKNOWN:
        if rules.over(sim.state):
            rules.rewards(sim.state, sim.rewards)
        else:
            implicit.judge(sim.state, sim.rewards)
        access.put(leaf, "minimax", np.float32(sim.rewards[0]))


def back_up_judgements(tree: Any, sim: Any, own: Any, params: Any) -> None:
    """Kernel: the nodes above the leaf take the best of what is expected of their children."""
    for i in range(np.int64(sim.depth) - 1, -1, -1):
        access.put(node_of(tree, sim.path[i]), "minimax", minimax(tree, sim.path[i]))


@inlined
def minimax(tree: Any, ref: int) -> np.float32:
    """Kernel: the best of a node's children for its mover, as player 0 sees it."""
    node = node_of(tree, ref)
    best = np.float32(UNKNOWN)
    child = NONE
    for n in range(access.tried_of(node)):
        child = next_child(tree, node, child, n)
        expected = node_of(tree, child).minimax
        if expected != UNKNOWN:
            better = expected > best if node.mover == 0 else expected < best
            if best == UNKNOWN or better:
                best = expected
    return best if best != UNKNOWN else node.minimax


@inlined
def blend_minimax(
    mean: float, visits: float, child: Any, player: int, sim: Any, own: Any, params: Any
) -> Any:
    """Kernel: ``(1 - a) v + a m`` for the player who chooses."""
    if child.minimax == UNKNOWN:
        return mean, visits
    expected = np.float64(child.minimax) if player == 0 else 1.0 - np.float64(child.minimax)
    return (1.0 - params.minimax) * mean + params.minimax * expected, visits


def _refuse(config: Config) -> None:
    if config.minimax and not config.minimax_evaluation:
        raise ConfigError("minimax needs minimax_evaluation: set it, or leave minimax out")


def _refuse_game(game: Game, config: Config) -> None:
    name = config.minimax_evaluation
    refuse_unknown(game, "evaluation", name, game.evaluations)
    if config.minimax and (game.players > 2 or game.chance is not None):
        raise ConfigError(f"minimax is for one or two players without dice, unlike {game.name}")


PART = Part(
    "implicit",
    settings=(
        Setting(
            "minimax",
            0.0,
            "implicit minimax backups: share of the backed-up evaluation in a child's value",
            (0, 1),
            kernel=True,
        ),
        Setting("minimax_evaluation", "", "name of the game's evaluation that is backed up so"),
    ),
    on=lambda config: config.minimax > 0,
    node=(Field("minimax", np.float32, "expected reward of player 0; -1: unknown", blank=UNKNOWN),),
    slots=lambda game, config: {
        "implicit": {"judge": game.evaluations.get(config.minimax_evaluation)}
    },
    hooks={"playout_begins": judge_leaf, "backed_up": back_up_judgements, "blended": blend_minimax},
    # Values of positions that are reached by several ways would be backed up along one of them
    # only, and BRUE follows no rule.
    excludes=("transpositions", "brue"),
    refuse=_refuse,
    refuse_game=_refuse_game,
)
