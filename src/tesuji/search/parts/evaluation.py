"""Evaluations in the place of the end of a playout: where it was cut off, or is decided already.

A playout that has had ``playout_cap`` moves is judged by the game's ``evaluation`` as it stands.
With ``decide`` one ends as soon as somebody leads by so much that the game counts as won: early
decision and the mercy rule are the same, they differ in what evaluates.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.search.part import MANY, Config, Field, Kernel, Need, Part, Setting, refuse_unknown

evaluation = Slot("evaluation")
rules = Slot("rules")


@inlined
def first_look(tree: Any, sim: Any, own: Any, params: Any) -> None:
    """Kernel: when a playout begins."""
    sim.evaluation.look = sim.begun + params.decide_every


@inlined
def decided(sim: Any, own: Any, params: Any) -> bool:
    """Kernel: now and then, does somebody lead by so much that the game counts as won?"""
    if sim.length[0] < sim.evaluation.look:
        return False
    sim.evaluation.look = sim.length[0] + params.decide_every
    return leads(sim, params.decide)


@inlined
def leads(sim: Any, enough: float) -> bool:
    """Kernel: is somebody's evaluation at least so high?  Then this player has won."""
    if rules.over(sim.state):
        return False
    evaluation.judge(sim.state, sim.rewards)
    for player in range(len(sim.rewards)):
        if sim.rewards[player] >= enough:
            for other in range(len(sim.rewards)):
                sim.rewards[other] = 1.0 if other == player else 0.0
            return True
    return False


@inlined
def judge_unfinished(sim: Any, own: Any) -> bool:
    """Kernel: rewards by evaluation where the game is not over."""
    if rules.over(sim.state):
        return False
    evaluation.judge(sim.state, sim.rewards)
    return True


def _hooks(game: Game, config: Config) -> dict[str, Kernel]:
    if not config.decide:
        return {"judged": judge_unfinished}
    return {"judged": judge_unfinished, "playout_begins": first_look, "cut_off": decided}


def _slots(game: Game, config: Config) -> dict[str, Any]:
    judge = game.evaluations.get(config.evaluation)
    return {"evaluation": {} if judge is None else {"judge": judge}}


def _refuse(config: Config) -> None:
    if config.evaluation and not (config.playout_cap or config.decide or config.mixed_after):
        raise ConfigError(
            f"evaluation is {config.evaluation!r}, but playouts go to the end: set playout_cap, "
            "decide or mixed_after"
        )
    if 0 < config.decide <= 0.5:
        raise ConfigError(f"decide is {config.decide}, it must be 0 or more than 0.5")


PART = Part(
    "evaluation",
    settings=(
        Setting("evaluation", "", "name of the game's evaluation, for playouts that do not end"),
        Setting(
            "decide",
            0.0,
            "stop a playout when somebody's evaluation reaches this; 0: never",
            (0, 1),
            kernel=True,
        ),
        Setting("decide_every", 4, "moves between such looks", (1, MANY), kernel=True),
    ),
    on=lambda config: config.evaluation != "",
    simulation=(Field("look", np.int64, "the move after which to look next"),),
    slots=_slots,
    hooks=_hooks,
    settings_needed=lambda config: (
        Need("decide", lambda config: config.decide > 0, "evaluation"),
    ),
    refuse=_refuse,
    refuse_game=lambda game, config: refuse_unknown(
        game, "evaluation", config.evaluation, game.evaluations
    ),
    cuts_short=lambda config: config.decide > 0,
)
