"""Looking one move ahead: a node in which a move wins at once is proven when it is expanded.

The solver alone knows the end of a game when a simulation comes there, and the winning move may be
the last one that is tried.  The program of Pepels (2014) plays every move of a node when it expands
it.  Here a move that wins becomes the node's first child, and the simulation that expands the node
goes there, without a playout: the rest is the solver's.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.search.hooks import NO_MOVE
from tesuji.search.part import Config, Field, Need, Part, Setting
from tesuji.search.parts.decisive import winning_move
from tesuji.search.tree import NONE, append, node_of, nth_child

ALL_CHILDREN = Slot("ALL_CHILDREN")
KNOWLEDGE = Slot("KNOWLEDGE")


def look_ahead(tree: Any, ref: int, sim: Any, own: Any, params: Any) -> None:
    """Kernel: make a move that wins at once the first child of a node that is being expanded.

    Other moves are out of order then; nobody will ask for them, as the node is proven.
    """
    node = node_of(tree, ref)
    node.wins = 0
    if node.mover < 0:
        return
    move = winning_move(sim.state, sim, own)
    if move == NO_MOVE:
        return
    if ALL_CHILDREN:
        bring_forward(tree, node, move)
        node.wins = 1
    else:
        if append(tree, ref, move) != NONE:
            node.wins = 1


def bring_forward(tree: Any, node: Any, move: int) -> None:
    """Kernel: exchange a move's record, which is as new, and the first one."""
    first = node_of(tree, nth_child(tree, node, 0))
    for n in range(np.int64(node.count)):
        child = node_of(tree, nth_child(tree, node, n))
        if child.move == move:
            child.move = first.move
            first.move = move
            if KNOWLEDGE:
                prior = np.float64(child.prior)
                child.prior = first.prior
                first.prior = prior
            return


@inlined
def winning_child(tree: Any, ref: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: the child that wins at once, if there is one."""
    node = node_of(tree, ref)
    if node.wins == 0:
        return NONE
    return np.int64(nth_child(tree, node, 0))


def _refuse_game(game: Game, config: Config) -> None:
    if config.lookahead and game.repetition is not None:
        raise ConfigError(
            f"lookahead cannot be used: {game.name} forbids repetition, so a move that wins may "
            "not be legal"
        )


PART = Part(
    "lookahead",
    settings=(
        Setting("lookahead", False, "solver: prove a node when it is expanded if a move wins"),
    ),
    on=lambda config: config.lookahead,
    settings_needed=lambda config: (Need("lookahead", lambda config: config.lookahead, "solver"),),
    node=(Field("wins", np.int8, "does its first child win at once?", merge="keep"),),
    hooks={"expanded": look_ahead, "child": winning_child},
    refuse_game=_refuse_game,
)
