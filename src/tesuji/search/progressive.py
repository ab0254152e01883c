"""Knowledge in the tree: it leads while a node has few simulations, and fades.

The progressive strategies of Chaslot (2010, chapter 5).  A game's ``knowledge`` says how promising
each move looks, H.  When a node gets its children, they are sorted by it, once (`rank_moves`).
*Progressive bias* adds a term to a child's score that fades
with its visits (`BIASES`).  *Progressive widening* opens the children one after another, the most
promising first (`WIDTHS`).  Both can be used together, and with RAVE.

H is a number from 0 on.  Where a paper's values are in [-1, 1], its weights are twice ours.
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import Slot
from tesuji.game import WIDEST

knowledge = Slot("knowledge")


def mango_bias(prior: float, visits: float, params: Any) -> float:
    """Kernel: ``w H^e / (n + 1)``: MANGO's, and MC-LOA's with w = 25 on our scale."""
    return params.bias_weight * prior**params.bias_exponent / (visits + 1.0)


def mogo_bias(prior: float, visits: float, params: Any) -> float:
    """Kernel: ``w H^e / ln(n + 2)``: fades far more slowly; used together with RAVE."""
    return params.bias_weight * prior**params.bias_exponent / math.log(visits + 2.0)


def gomorra_bias(prior: float, visits: float, params: Any) -> float:
    """Kernel: ``w H^e / n`` (Schäfers 2014); as for one visit when there is none."""
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


def rank_moves(state: Any, work: Any, count: int) -> None:
    """Kernel: ask the game about the listed moves and sort ``work.order`` by what it says.

    The numbers come in a random order, so equal moves stay in one.  (Shell's sort, 1959: no stack,
    no second array.)
    """
    knowledge.judge(state, work.playout, count, work.judged)
    gap = 1
    while gap < count // 2:
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for i in range(gap, count):
            moved = work.order[i]
            j = i
            while j >= gap and work.judged[work.order[j - gap]] < work.judged[moved]:
                work.order[j] = work.order[j - gap]
                j -= gap
            work.order[j] = moved
        gap = gap * 4 // 9
