"""What stands behind the slots of the search's kernels: all parts, put together for one search."""

from typing import Any

from tesuji.game import Game
from tesuji.search.access import PLAIN
from tesuji.search.catalogue import PARTS
from tesuji.search.config import SearchConfig
from tesuji.search.hooks import hooks_of
from tesuji.search.part import NEEDS, Field, Part


def bindings(game: Game, config: SearchConfig) -> dict[str, Any]:
    """By slot, for one thread; refuses what the game cannot do."""
    for part in PARTS:
        part.refuse_game(game, config)
    needs = config.needs
    slots = {**game.bindings, "access": PLAIN, **{name: name in needs for name in NEEDS}}
    for part in PARTS:
        slots.update(part.slots(game, config))
    slots["hooks"] = hooks_of(part.hooks_of(game, config) for part in parts_on(game, config))
    return slots


def parts_on(game: Game, config: SearchConfig) -> list[Part]:
    """The parts in use, in their order."""
    return [part for part in PARTS if part.on(config) and part.on_game(game)]


def node_fields(game: Game, config: SearchConfig) -> tuple[Field, ...]:
    """What the parts in use add to a node's record."""
    return tuple(field for part in parts_on(game, config) for field in part.node)
