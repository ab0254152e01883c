"""Knowledge in the tree: it leads while a node has few simulations, and fades.

The progressive strategies of Chaslot (2010, chapter 5).  A game's ``knowledge`` says how promising
each move looks, H.  When a node gets its children, they are sorted by it, once
(`tesuji.search.expand.rank_moves`).  *Prior visits* count it as simulations that were never made,
*prior AMAF simulations* as such of RAVE.  *Progressive bias* adds a term to a child's score that
fades with its visits (`BIASES`).  *Progressive widening* opens the children one after another, the
most promising first (`WIDTHS`).  Both can be used together, and with RAVE.

H is a number from 0 on.  Where a paper's values are in [-1, 1], its weights are twice ours: MANGO's
and MC-LOA's, not MoGo's and Gomorra's.
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import inlined
from tesuji.errors import ConfigError
from tesuji.game import WIDEST, Game
from tesuji.search.part import (
    BIAS,
    KNOWLEDGE,
    LARGE,
    MANY,
    UNVISITED,
    WIDTH,
    Config,
    Field,
    Kernel,
    Need,
    Part,
    Setting,
    kernel_of,
    need,
    refuse_unknown,
)


def mango_bias(prior: float, visits: float, params: Any) -> float:
    """Kernel: ``w H^e / (n + 1)``: MANGO's, and MC-LOA's with w = 25 on our scale."""
    return params.bias_weight * prior**params.bias_exponent / (visits + 1.0)


def mogo_bias(prior: float, visits: float, params: Any) -> float:
    """Kernel: ``w H^e / ln(n + 2)``: fades far more slowly; used together with RAVE."""
    return params.bias_weight * prior**params.bias_exponent / math.log(visits + 2.0)


def gomorra_bias(prior: float, visits: float, params: Any) -> float:
    """Kernel: ``w H^e / n`` (Schäfers 2014); as for one visit when there is none.

    Gomorra has w = 1 for results of 0 and 1, which is our scale.
    """
    return params.bias_weight * prior**params.bias_exponent / max(visits, 1.0)


BIASES = {"mango": mango_bias, "mogo": mogo_bias, "gomorra": gomorra_bias}


def mango_width(visits: int, params: Any) -> int:
    """Kernel: k children are open once the visits surpass ``A * B^(k - k_init)``."""
    width = math.floor(params.widen_first)
    while visits > params.widen_base * params.widen_growth ** (width + 1 - params.widen_first):
        width += 1
        if params.widen_growth <= 1.0:
            return 2**31 - 1
    return width


def crazystone_width(visits: int, params: Any) -> int:
    """Kernel: child n + 1 opens at ``t_(n+1) = t_n + 40 * 1.4^(n-1)`` visits, the first at 0."""
    width = 1
    gap = 40.0
    threshold = gap
    while visits >= threshold:
        width += 1
        gap *= 1.4
        threshold += gap
    return width


def power_width(visits: int, params: Any) -> int:
    """Kernel: ``K * n^a`` children, rounded up: a = 1/4 in MoGo (Hoock 2013)."""
    wide = params.widen_base * np.float64(visits) ** params.widen_growth
    return max(1, math.ceil(min(wide, np.float64(WIDEST)) - 1e-9))


WIDTHS = {"mango": mango_width, "crazystone": crazystone_width, "power": power_width}


@inlined
def with_prior(mean: float, visits: float, child: Any, params: Any) -> Any:
    """Kernel: a child's mean and visits with knowledge as visits that were never made."""
    own = mean * visits if child.visits > 0 else 0.0
    total = visits + params.prior_visits
    return (own + params.prior_visits * np.float64(child.prior)) / total, total


@inlined
def with_amaf_prior(
    amaf: float, visits: float, child: Any, player: int, sim: Any, own: Any, params: Any
) -> Any:
    """Kernel: a child's AMAF value and visits with knowledge as simulations that were never made.

    MoGo begins so (Hoock 2013, section 4.2): knowledge leads, and fades as AMAF values do.
    """
    total = visits + params.prior_amaf
    return (amaf * visits + params.prior_amaf * np.float64(child.prior)) / total, total


def _needs(config: Config) -> frozenset[str]:
    uses = config.bias != "off" or config.widen != "off" or config.prior_visits > 0
    uses = uses or config.prior_amaf > 0
    return (
        need(uses, KNOWLEDGE)
        | need(config.prior_visits > 0, UNVISITED)
        | need(config.bias != "off", BIAS)
        | need(config.widen != "off", WIDTH)
    )


def _refuse(config: Config) -> None:
    if config.knowledge and not config.uses_knowledge:
        raise ConfigError(
            f"knowledge is {config.knowledge!r}, but nothing uses it: set bias, widen, "
            "prior_visits, prior_amaf, select=puct or rave=mogo"
        )
    if config.widen == "power" and config.widen_growth > 1:
        raise ConfigError(
            f"widen_growth is {config.widen_growth}, with widen=power it must be at most 1"
        )


def _slots(game: Game, config: Config) -> dict[str, Any]:
    judge = game.knowledge.get(config.knowledge)
    return {"knowledge": {} if judge is None else {"judge": judge}}


def _hooks(game: Game, config: Config) -> dict[str, Kernel]:
    """Of those settings that are in use."""
    found = {
        "believed": with_prior if config.prior_visits > 0 else None,
        "amaf": with_amaf_prior if config.prior_amaf > 0 else None,
        "bias": kernel_of("bias", config.bias, BIASES, "bias"),
        "width": kernel_of("widen", config.widen, WIDTHS, "widen"),
    }
    return {name: kernel for name, kernel in found.items() if kernel is not None}


PART = Part(
    "knowledge",
    settings=(
        Setting("knowledge", "", "name of the game's knowledge about moves"),
        Setting(
            "prior_visits",
            0.0,
            "knowledge counts as the mean of so many virtual visits",
            (0, LARGE),
            kernel=True,
        ),
        Setting(
            "prior_amaf",
            0.0,
            "knowledge counts as the mean of so many AMAF simulations (rave)",
            (0, LARGE),
            kernel=True,
        ),
        Setting(
            "bias",
            "off",
            "progressive bias: mango, mogo or gomorra, or a file with bias()",
            names=("off", *BIASES),
            own="bias",
        ),
        Setting("bias_weight", 1.0, "weight of the bias", (0, LARGE), kernel=True),
        Setting("bias_exponent", 1.0, "of the knowledge in the bias", (0, 100), kernel=True),
        Setting(
            "widen",
            "off",
            "progressive widening: mango, crazystone or power, or a file with widen()",
            names=("off", *WIDTHS),
            own="widen",
        ),
        Setting(
            "widen_first",
            5.0,
            "children that are open from the start (mango: k_init)",
            (1, MANY),
            kernel=True,
        ),
        Setting("widen_base", 50.0, "mango: A; power: K of K * n^a", (0.001, LARGE), kernel=True),
        Setting("widen_growth", 1.3, "mango: B; power: a", (0.001, 100), kernel=True),
    ),
    on=lambda config: config.uses_knowledge,
    needs=_needs,
    node=(Field("prior", np.float32, "how promising the move looked", merge="keep"),),
    slots=_slots,
    hooks=_hooks,
    settings_needed=lambda config: (
        Need("bias", lambda config: config.bias != "off", "knowledge"),
        Need("widen", lambda config: config.widen != "off", "knowledge"),
        Need("prior_visits", lambda config: config.prior_visits > 0, "knowledge"),
        Need("prior_amaf", lambda config: config.prior_amaf > 0, "knowledge"),
        Need("prior_amaf", lambda config: config.prior_amaf > 0, "rave"),
    ),
    refuse=_refuse,
    refuse_game=lambda game, config: refuse_unknown(
        game, "knowledge", config.knowledge, game.knowledge
    ),
)
