"""Whose the points of the board are when simulations end.

After each playout the game's ``owners`` says who has which point; `note_owners` counts that for the
root of the search.  A playout of less than two moves does not count: in Go a pass of the tree has
ended the game then, which leaves dead stones standing.  From these counts come the *ownership* that
analysis shows, and `criticality`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile import Slot
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.search.part import OFF, Buffer, Config, Part, Setting, move_codes

rules = Slot("rules")

FEWEST_MOVES = 2  # of a playout: both passes that end a game


def note_owners(sim: Any, own: Any) -> None:
    """Kernel: count the owners of all points after a playout of two players."""
    if sim.length[0] - sim.begun < FEWEST_MOVES:
        return
    territory = own.ownership
    rules.owners(sim.state, territory.owners)
    territory.count[0] += 1
    winner = 0 if sim.rewards[0] > 0.5 else 1
    territory.wins[winner] += 1
    for move in range(len(territory.owners)):
        owner = territory.owners[move]
        if owner >= 0:
            territory.owned[owner, move] += 1
            if owner == winner:
                territory.decisive[move] += 1


def ownership(territories: Sequence[Any]) -> npt.NDArray[np.float64] | None:
    """By move code: 1 where the first player always ends up with the point, -1 the second.

    Of what all threads have counted together.
    """
    if territories[0] is OFF:
        return None
    count = sum(territory.count[0] for territory in territories)
    if count == 0:
        return None
    balance = sum(territory.owned[0] - territory.owned[1] for territory in territories)
    return np.asarray(balance / count, np.float64)


def _refuse_game(game: Game, config: Config) -> None:
    if config.ownership and (game.owners is None or game.players != 2):
        raise ConfigError(f"ownership cannot be used: {game.name} has no territory")


PART = Part(
    "ownership",
    settings=(
        Setting("ownership", False, "count whose the points of the board are when simulations end"),
    ),
    on=lambda config: config.ownership,
    thread=(
        Buffer("owners", np.int8, "of the last simulation, by move code", move_codes, blank=-1),
        Buffer(
            "owned",
            np.int64,
            "by player and move: simulations in which the player had the point",
            lambda game, config: (2, game.move_codes),
            forgotten="root",
        ),
        Buffer(
            "decisive",
            np.int64,
            "by move: those in which the winner had it",
            move_codes,
            forgotten="root",
        ),
        Buffer("wins", np.int64, "of each player", lambda game, config: 2, forgotten="root"),
        Buffer("count", np.int64, "simulations", forgotten="root"),
    ),
    hooks={"playout_ended": note_owners},
    refuse_game=_refuse_game,
)
