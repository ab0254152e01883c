"""Transpositions: orders of moves to one position share its children (`tesuji.search.tree`)."""

import numpy as np

from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.search.part import ALL_CHILDREN, Config, Field, Part, Setting, need


def _refuse_game(game: Game, config: Config) -> None:
    if config.transpositions and (game.hash is None or game.repetition is not None):
        why = (
            "has no hash" if game.hash is None else "forbids repetition, which depends on the path"
        )
        raise ConfigError(f"transpositions cannot be used: {game.name} {why}")


PART = Part(
    "transpositions",
    settings=(
        Setting(
            "transpositions", False, "let move orders that lead to one position share its children"
        ),
    ),
    on=lambda config: config.transpositions,
    # A game may list the moves of one position in another order when it was reached by another
    # path, so their records are made once, all together.
    needs=lambda config: need(config.transpositions, ALL_CHILDREN),
    node=(
        Field("hash", np.uint64, "of the position"),
        Field("canonical", np.uint32, "the node that has the children of this position"),
        Field("selections", np.int32, "in that node: visits of the position through all its nodes"),
    ),
    slots=lambda game, config: {"TRANSPOSE": config.transpositions},
    refuse_game=_refuse_game,
)
