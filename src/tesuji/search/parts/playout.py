"""Playouts: who names the moves, and how many there are at most (`tesuji.search.playouts`)."""

from typing import Any

from tesuji.game import Game
from tesuji.search.part import MANY, Config, Part, Setting, refuse_unknown
from tesuji.search.playouts import POLICIES, by_habit, policy_move


def _slots(game: Game, config: Config) -> dict[str, Any]:
    plain = game.policies.get("uniform", POLICIES["uniform"])
    drawing = game.knowledge.get(config.playout)
    return {
        "policy": {"next_move": game.policies.get(config.playout, plain)},
        "plain": {"next_move": plain},
        "drawing": {} if drawing is None else {"judge": drawing},
        "DRAWING": drawing is not None,
        "EPSILON": config.playout_epsilon > 0,
    }


def _refuse_game(game: Game, config: Config) -> None:
    policies = {**POLICIES, **game.policies, **game.knowledge}
    refuse_unknown(game, "playout policy", config.playout, policies)


PART = Part(
    "playout",
    settings=(
        Setting("playout", "uniform", "name of the playout policy, or of knowledge to draw by"),
        Setting("weights", "", "numbers of the game's playouts and knowledge: a name or a file"),
        Setting(
            "playout_epsilon",
            0.0,
            "share of uniformly random moves among the policy's",
            (0, 1),
            kernel=True,
        ),
        Setting(
            "playout_cap",
            0,
            "cut playouts off after so many moves; 0: at the game's own maximum",
            (0, MANY),
        ),
    ),
    on=lambda config: True,
    slots=_slots,
    hooks={"next_move": by_habit, "policy": policy_move},
    refuse_game=_refuse_game,
    cuts_short=lambda config: config.playout_cap > 0,
)
