"""Selection rules: what makes a child worth following.

A rule is two small functions.  ``shared`` is asked once for a node and gives what its children have
in common; ``score`` is asked for each child, and the highest one is followed:

=============================================  ===================================================
``shared(visits, count, best, error, params,   the node's visits, its number of children; mean and
rng)``                                         standard error of its best child (if `leader`)
``score(mean, visits, variance, shared,        the child's mean reward for the player who chooses,
params, rng)``                                 its visits, and the variance of its rewards (if
                                               `variance`)
=============================================  ===================================================

Both are kernels: compiled together with the search, they cost no call.  ``params`` holds the
settings of the search, ``rng`` is the search's random numbers.  All children have visits: a node
tries every move once before it compares them.

Values are in [0, 1].  Constants of papers that use [-1, 1] are twice ours.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import inlined, unit

Kernel = Callable[..., Any]


class Rule(NamedTuple):
    """A selection rule."""

    shared: Kernel
    score: Kernel
    paper: str
    leader: bool = False  #: needs the best child's mean and standard error
    variance: bool = False  #: needs the variance of rewards: eight more bytes a node


# --- UCT: Kocsis and Szepesvári 2006 --------------------------------------------------------------


@inlined
def uct_shared(visits: int, count: int, best: float, error: float, params: Any, rng: Any) -> float:
    """Kernel: the part of the bound that all children share, ``c * sqrt(ln n_parent)``."""
    return params.c * math.sqrt(math.log(max(visits, 1)))


@inlined
def uct_score(
    mean: float, visits: int, variance: float, shared: float, params: Any, rng: Any
) -> float:
    """Kernel: ``v + c * sqrt(ln n_parent / n)``."""
    return mean + shared * math.sqrt(1.0 / visits)


# --- UCB1-TUNED: Auer, Cesa-Bianchi and Fischer 2002; in Go: Gelly and Wang 2006 ------------------


@inlined
def log_shared(visits: int, count: int, best: float, error: float, params: Any, rng: Any) -> float:
    """Kernel: ``ln n_parent``."""
    return math.log(max(visits, 1))


@inlined
def tuned_score(
    mean: float, visits: int, variance: float, shared: float, params: Any, rng: Any
) -> float:
    """Kernel: ``v + c * sqrt(ln n_parent / n * min(1/4, V))``.

    V is the variance of the rewards, overestimated by ``sqrt(2 ln n_parent / n)``; 1/4 is the
    largest that rewards in [0, 1] can have.
    """
    inverse = 1.0 / visits
    bound = variance + math.sqrt(2.0 * shared * inverse)
    return mean + params.c * math.sqrt(shared * inverse * min(0.25, bound))


# --- OMC: Chaslot et al. 2006; PBBM: Coulom 2006 --------------------------------------------------


@inlined
def standard_error(variance: float, visits: int) -> float:
    """Kernel: of a mean; at least 1/n, or a child that always gave the same would be sure."""
    inverse = 1.0 / visits
    return max(math.sqrt(max(variance, 0.0) * inverse), inverse)


@inlined
def best_shared(
    visits: int, count: int, best: float, error: float, params: Any, rng: Any
) -> tuple[float, float]:
    """Kernel: the best child's mean and standard error."""
    return best, error


@inlined
def omc_urgency(mean: float, error: float, best: float) -> float:
    """Kernel: ``erfc((v_0 - v) / (sqrt(2) * sigma))``, how likely the child beats the best one."""
    return math.erfc((best - mean) / (math.sqrt(2.0) * error))


@inlined
def omc_score(
    mean: float, visits: int, variance: float, shared: Any, params: Any, rng: Any
) -> float:
    """Kernel: fairness: children are to be visited in proportion to their urgency."""
    return omc_urgency(mean, standard_error(variance, visits), shared[0]) / visits


@inlined
def pbbm_urgency(mean: float, error: float, best: float, best_error: float) -> float:
    """Kernel: ``exp(-2.4 (v_0 - v) / sqrt(2 (sigma_0^2 + sigma^2)))``."""
    spread = math.sqrt(2.0 * (best_error * best_error + error * error))
    return math.exp(-2.4 * (best - mean) / spread)


@inlined
def pbbm_score(
    mean: float, visits: int, variance: float, shared: Any, params: Any, rng: Any
) -> float:
    """Kernel: fairness, as for OMC; the uncertainty of the best child counts, too."""
    error = standard_error(variance, visits)
    return pbbm_urgency(mean, error, shared[0], shared[1]) / visits


# --- MOSS: Audibert and Bubeck 2009 ---------------------------------------------------------------


@inlined
def moss_shared(visits: int, count: int, best: float, error: float, params: Any, rng: Any) -> float:
    """Kernel: ``N / K``, how often each child could have been visited."""
    return visits / max(count, 1)


@inlined
def moss_score(
    mean: float, visits: int, variance: float, shared: float, params: Any, rng: Any
) -> float:
    """Kernel: ``v + c * sqrt(max(0, ln(N / (K n))) / n)``; the paper has c = 1."""
    inverse = 1.0 / visits
    return mean + params.c * math.sqrt(max(0.0, math.log(shared * inverse)) * inverse)


# --- UCB with a square root: Tolpin and Shimony 2012 ----------------------------------------------


@inlined
def root_shared(visits: int, count: int, best: float, error: float, params: Any, rng: Any) -> float:
    """Kernel: ``c * sqrt(sqrt(n_p))``; with it `uct_score` is ``v + c * sqrt(sqrt(n_p) / n)``."""
    return params.c * math.sqrt(math.sqrt(np.float64(visits)))


# --- epsilon-greedy -------------------------------------------------------------------------------


@inlined
def greedy_shared(
    visits: int, count: int, best: float, error: float, params: Any, rng: Any
) -> float:
    """Kernel: 1 with probability epsilon, when a random child is followed, else 0."""
    return 1.0 if unit(rng) < params.epsilon else 0.0


@inlined
def greedy_score(
    mean: float, visits: int, variance: float, shared: float, params: Any, rng: Any
) -> float:
    """Kernel: the mean, or a random number for each child."""
    return unit(rng) if shared > 0.0 else mean


RULES = {
    "uct": Rule(uct_shared, uct_score, "Kocsis and Szepesvári 2006"),
    "ucb1-tuned": Rule(
        log_shared, tuned_score, "Auer, Cesa-Bianchi and Fischer 2002", variance=True
    ),
    "omc": Rule(best_shared, omc_score, "Chaslot et al. 2006", leader=True, variance=True),
    "pbbm": Rule(best_shared, pbbm_score, "Coulom 2006", leader=True, variance=True),
    "moss": Rule(moss_shared, moss_score, "Audibert and Bubeck 2009"),
    "ucb-sqrt": Rule(root_shared, uct_score, "Tolpin and Shimony 2012"),
    "greedy": Rule(greedy_shared, greedy_score, "Sutton and Barto 1998"),
}
