"""Playouts: who names the moves, and where they end (`tesuji.search.playouts`, `simulate`)."""

from typing import Any

from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.search.part import MANY, MOVERS, Config, Need, Part, Setting, refuse_unknown
from tesuji.search.policy import POLICIES


def _slots(game: Game, config: Config) -> dict[str, Any]:
    plain = game.policies.get("uniform", POLICIES["uniform"])
    drawing = game.knowledge.get(config.playout)
    judge = game.evaluations.get(config.evaluation)
    return {
        "policy": {"next_move": game.policies.get(config.playout, plain)},
        "plain": {"next_move": plain},
        "drawing": {} if drawing is None else {"judge": drawing},
        "evaluation": {} if judge is None else {"judge": judge},
        "DECIDE": config.decide > 0,
        "DECISIVE": config.decisive,
        "DRAWING": drawing is not None,
        "EPSILON": config.playout_epsilon > 0,
        "EVALUATE": config.evaluation != "",
        "TRACK": MOVERS in config.needs,
    }


def _refuse(config: Config) -> None:
    if config.evaluation and not config.playout_cap and not config.decide:
        raise ConfigError(
            f"evaluation is {config.evaluation!r}, but playouts go to the end: set playout_cap "
            "or decide"
        )
    if 0 < config.decide <= 0.5:
        raise ConfigError(f"decide is {config.decide}, it must be 0 or more than 0.5")


def _refuse_game(game: Game, config: Config) -> None:
    policies = {**POLICIES, **game.policies, **game.knowledge}
    refuse_unknown(game, "playout policy", config.playout, policies)
    refuse_unknown(game, "evaluation", config.evaluation, game.evaluations)


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
        Setting("evaluation", "", "name of the game's evaluation, for playouts that do not end"),
        Setting(
            "decide",
            0.0,
            "stop a playout when somebody's evaluation reaches this; 0: never",
            (0, 1),
            kernel=True,
        ),
        Setting("decide_every", 4, "moves between such looks", (1, MANY), kernel=True),
        Setting(
            "decisive", False, "play moves that win at once, and avoid those that let the other"
        ),
    ),
    slots=_slots,
    settings_needed=lambda config: (
        Need("decide", lambda config: config.decide > 0, "evaluation"),
    ),
    refuse=_refuse,
    refuse_game=_refuse_game,
)
