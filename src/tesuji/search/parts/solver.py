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
from tesuji.search.select import any_child
from tesuji.search.tree import FORBIDDEN, NONE, next_child, node_of, resolve

access = Slot("access")
rules = Slot("rules")

DRAWS = Slot("DRAWS")


@inlined
def proven(node: Any) -> bool:
    """Kernel: is a node's result certain?"""
    return node.lower == node.upper


@inlined
def note_result(node: Any, sim: Any) -> None:
    """Kernel: the game ends here, with a reward of player 0 that is certain."""
    rules.rewards(sim.state, sim.rewards)
    reward = sim.rewards[0]
    certain = reward in (0.0, 1.0)
    if DRAWS:
        certain = True
    if certain:
        access.put(node, "lower", reward)
        access.put(node, "upper", reward)


@inlined
def hopeless(tree: Any, child: int, node: Any) -> bool:
    """Kernel: can this child never be better for the player to move than what is sure already?"""
    record = node_of(tree, resolve(tree, child))
    if node.mover == 0:
        return record.upper <= node.lower
    return record.lower >= node.upper


@inlined
def award(tree: Any, sim: Any, own: Any) -> bool:
    """Kernel: at a proven leaf, the rewards that the proof stands for."""
    leaf = node_of(tree, sim.path[sim.depth])
    if not proven(leaf):
        return False
    sim.rewards[0] = leaf.lower
    if len(sim.rewards) > 1:
        sim.rewards[1] = 1.0 - leaf.lower
    return True


@inlined
def adopt_proof(tree: Any, ref: int, canonical: int) -> None:
    """Kernel: what is certain of a position holds for every node that stands for it."""
    source = node_of(tree, canonical)
    if proven(source):
        access.put(node_of(tree, ref), "lower", source.lower)
        access.put(node_of(tree, ref), "upper", source.upper)


def prove(tree: Any, sim: Any, own: Any, params: Any) -> None:
    """Kernel: carry new bounds from the end of the path towards the root, as far as they reach."""
    if not proven(node_of(tree, resolve(tree, sim.path[sim.depth]))):
        return
    if access.begin_proof(tree.meta[0]):
        i = sim.depth - 1
        while i >= 0 and tighten(tree, resolve(tree, sim.path[i])):
            i -= 1
        access.end_proof(tree.meta[0])


def tighten(tree: Any, index: int) -> bool:
    """Kernel: a node's bounds, from those of its children; has anything changed?

    The player to move takes the best of them.
    """
    node = node_of(tree, index)
    if node.mover < 0:
        return False
    sign = np.float32(1.0 if node.mover == 0 else -1.0)
    worst = np.float32(0.0 if node.mover == 0 else -1.0)
    low = worst
    tried = access.tried_of(node)
    high = worst + np.float32(1.0) if tried < node.count else worst
    child = NONE
    for n in range(tried):
        child = next_child(tree, node, child, n)
        if node_of(tree, child).status != FORBIDDEN:
            record = node_of(tree, resolve(tree, child))
            low = max(low, min(sign * record.lower, sign * record.upper))
            high = max(high, max(sign * record.lower, sign * record.upper))
    lower = min(sign * low, sign * high)
    upper = max(sign * low, sign * high)
    changed = lower != node.lower or upper != node.upper
    access.put(node, "lower", lower)
    access.put(node, "upper", upper)
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
    node=(  # what is certain in one tree is certain, so the tightest bounds count
        Field("lower", np.float32, "bounds of player 0's reward", merge="max"),
        Field("upper", np.float32, "", merge="min", blank=1),
    ),
    tree=(Field("proving", np.int8, "is a thread carrying a proof up?"),),
    slots=lambda game, config: {"DRAWS": config.solver == "bounds"},
    hooks={
        "backed_up": prove,
        "certain": proven,
        "hopeless": hopeless,
        "last_resort": any_child,
        "over": note_result,
        "resolved": adopt_proof,
        "result": award,
    },
    refuse_game=_refuse_game,
    ranking="proofs",
    cuts_short=lambda config: config.solver != "off",
)
