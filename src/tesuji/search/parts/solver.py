"""Proofs in the tree: what is certain overrides averages.

MCTS-Solver (Winands, Björnsson and Saito 2008) backs up proven wins and losses.  Here a node has a
``lower`` and an ``upper`` bound of *player 0's* reward (score-bounded search, Cazenave and
Saffidine 2010), of which proofs are a special case: where the player to move can be sure of 1, the
node is proven, and where all moves are sure to give 0, too.  With ``solver = "wins"`` bounds come
from won and lost games only, as in the paper; with ``"bounds"`` from every finished game, so that
draws and scores are proven as well.

A move that was never tried may still give anything.  An unproven loss needs no rule of its own: the
simulation that found it counts as an ordinary lost game in the nodes above.

Rewards of two players must sum to 1, as those of all two-player games here do.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.search.part import Config, Field, Part, Setting
from tesuji.search.threads import begin_proof, end_proof, tried_of
from tesuji.search.tree import FORBIDDEN, NONE, home, next_child

DRAWS = Slot("DRAWS")


@inlined
def proven(node: Any) -> bool:
    """Kernel: is a node's result certain?"""
    return node.lower == node.upper


@inlined
def note_result(node: Any, reward: float) -> None:
    """Kernel: the game ends here, with this reward of player 0."""
    certain = reward in (0.0, 1.0)
    if DRAWS:
        certain = True
    if certain:
        node.lower = reward
        node.upper = reward


@inlined
def hopeless(tree: Any, child: int, node: Any) -> bool:
    """Kernel: can this child never be better for the player to move than what is sure already?"""
    record = tree.nodes[np.uint64(home(tree, child))]
    if node.mover == 0:
        return record.upper <= node.lower
    return record.lower >= node.upper


@inlined
def award(node: Any, rewards: Any) -> None:
    """Kernel: the rewards that a proof stands for."""
    rewards[0] = node.lower
    if len(rewards) > 1:
        rewards[1] = 1.0 - node.lower


def prove(tree: Any, work: Any, depth: int) -> None:
    """Kernel: carry new bounds from the end of the path towards the root, as far as they reach."""
    if not proven(tree.nodes[np.uint64(home(tree, np.int64(work.path[depth])))]):
        return
    if begin_proof(tree.meta[0]):
        i = depth - 1
        while i >= 0 and tighten(tree, home(tree, np.int64(work.path[i]))):
            i -= 1
        end_proof(tree.meta[0])


def tighten(tree: Any, index: int) -> bool:
    """Kernel: a node's bounds, from those of its children; has anything changed?

    The player to move takes the best of them.
    """
    node = tree.nodes[np.uint64(index)]
    if node.mover < 0:
        return False
    sign = np.float32(1.0 if node.mover == 0 else -1.0)
    worst = np.float32(0.0 if node.mover == 0 else -1.0)
    low = worst
    tried = tried_of(node)
    high = worst + np.float32(1.0) if tried < node.count else worst
    child = NONE
    for n in range(tried):
        child = next_child(tree, node, child, n)
        if tree.nodes[np.uint64(child)].status != FORBIDDEN:
            record = tree.nodes[np.uint64(home(tree, child))]
            low = max(low, min(sign * record.lower, sign * record.upper))
            high = max(high, max(sign * record.lower, sign * record.upper))
    lower = min(sign * low, sign * high)
    upper = max(sign * low, sign * high)
    changed = lower != node.lower or upper != node.upper
    node.lower = lower
    node.upper = upper
    return changed


def _refuse_game(game: Game, config: Config) -> None:
    if game.players > 2 and config.solver != "off":
        raise ConfigError(f"solver is for one or two players, {game.name} has {game.players}")


PART = Part(
    "solver",
    settings=(
        Setting(
            "solver",
            "off",
            "prove wins and losses (wins), or any result (bounds)",
            names=("off", "wins", "bounds"),
        ),
    ),
    on=lambda config: config.solver != "off",
    fields=(  # what is certain in one tree is certain, so the tightest bounds count
        Field("lower", np.float32, "bounds of player 0's reward", merge="max"),
        Field("upper", np.float32, "", merge="min", blank=1),
    ),
    slots=lambda game, config: {
        "SOLVER": config.solver != "off",
        "DRAWS": config.solver == "bounds",
    },
    hooks={"backed_up": prove},
    refuse_game=_refuse_game,
)
