"""Selection rules: what makes a child worth following.

A rule is two small functions.  ``shared`` is asked once for a node and gives what its children have
in common; ``score`` is asked for each child, and the highest one is followed:

=============================================  ===================================================
``shared(visits, count, best, second, error,   the node's visits, its number of children; mean of
params, rng)``                                 its best and of its second best child, standard
                                               error of the best one's (if `leader`)
``score(mean, visits, variance, prior,         the child's mean reward for the player who chooses,
shared, params, rng)``                         its visits, the variance of its rewards (if
                                               `variance`), and what the game's knowledge says of
                                               the move (if any is in use)
=============================================  ===================================================

Both are kernels: compiled together with the search, they cost no call.  ``params`` holds the
settings of the search, ``rng`` is the search's random numbers.  With RAVE or prior knowledge
``mean`` is the blend of all that is known and ``visits`` includes virtual ones.  A child without
visits has the score ``fpu`` instead, unless the rule is defined for it (`unvisited`).

A user's own rule is a Python file with a function ``rule()`` that returns a `Rule`.

Values are in [0, 1].  Constants of papers that use [-1, 1] are twice ours.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import inlined, unit
from tesuji.errors import ConfigError, choices
from tesuji.game import Game
from tesuji.search.part import (
    KNOWLEDGE,
    LARGE,
    UNVISITED,
    VARIANCE,
    Config,
    Need,
    Part,
    Setting,
    made_by,
    need,
)
from tesuji.search.select import standard_error

Kernel = Callable[..., Any]


class Rule(NamedTuple):
    """A selection rule."""

    shared: Kernel
    score: Kernel
    paper: str = ""
    leader: bool = False  #: needs the means of the two best children, and the best one's error
    variance: bool = False  #: needs the variance of rewards: eight more bytes a node
    prior: bool = False  #: needs the game's knowledge
    unvisited: bool = False  #: scores children without visits, too; their mean is `fpu`
    blends: bool = True  #: makes sense with means that RAVE has blended


# --- UCT: Kocsis and Szepesvári 2006 --------------------------------------------------------------


@inlined
def uct_shared(
    visits: int, count: int, best: float, second: float, error: float, params: Any, rng: Any
) -> float:
    """Kernel: the part of the bound that all children share, ``c * sqrt(ln n_parent)``."""
    return params.c * math.sqrt(math.log(max(visits, 1)))


@inlined
def uct_score(
    mean: float, visits: float, variance: float, prior: float, shared: float, params: Any, rng: Any
) -> float:
    """Kernel: ``v + c * sqrt(ln n_parent / n)``."""
    return mean + shared * math.sqrt(1.0 / visits)


# --- UCB1-TUNED: Auer, Cesa-Bianchi and Fischer 2002; in Go: Gelly and Wang 2006 ------------------


@inlined
def log_shared(
    visits: int, count: int, best: float, second: float, error: float, params: Any, rng: Any
) -> float:
    """Kernel: ``ln n_parent``."""
    return math.log(max(visits, 1))


@inlined
def tuned_score(
    mean: float, visits: float, variance: float, prior: float, shared: float, params: Any, rng: Any
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
def best_shared(
    visits: int, count: int, best: float, second: float, error: float, params: Any, rng: Any
) -> tuple[float, float]:
    """Kernel: the best child's mean and standard error."""
    return best, error


@inlined
def omc_urgency(mean: float, error: float, best: float, greed: float) -> float:
    """Kernel: ``erfc(G (v_0 - v) / (sqrt(2) * sigma))``.

    With G = 1 it says how likely the child beats the best one; more than 1 suits problems without
    an opponent (Chaslot 2010, appendix A).
    """
    return math.erfc(greed * (best - mean) / (math.sqrt(2.0) * error))


@inlined
def omc_score(
    mean: float, visits: float, variance: float, prior: float, shared: Any, params: Any, rng: Any
) -> float:
    """Kernel: fairness: children are to be visited in proportion to their urgency."""
    error = standard_error(variance, visits)
    return omc_urgency(mean, error, shared[0], params.greed) / visits


@inlined
def pbbm_urgency(mean: float, error: float, best: float, best_error: float) -> float:
    """Kernel: ``exp(-2.4 (v_0 - v) / sqrt(2 (sigma_0^2 + sigma^2)))``."""
    spread = math.sqrt(2.0 * (best_error * best_error + error * error))
    return math.exp(-2.4 * (best - mean) / spread)


@inlined
def pbbm_score(
    mean: float, visits: float, variance: float, prior: float, shared: Any, params: Any, rng: Any
) -> float:
    """Kernel: fairness, as for OMC; the uncertainty of the best child counts, too."""
    error = standard_error(variance, visits)
    return pbbm_urgency(mean, error, shared[0], shared[1]) / visits


# --- MOSS: Audibert and Bubeck 2009 ---------------------------------------------------------------


@inlined
def moss_shared(
    visits: int, count: int, best: float, second: float, error: float, params: Any, rng: Any
) -> float:
    """Kernel: ``N / K``, how often each child could have been visited."""
    return visits / max(count, 1)


@inlined
def moss_score(
    mean: float, visits: float, variance: float, prior: float, shared: float, params: Any, rng: Any
) -> float:
    """Kernel: ``v + c * sqrt(max(0, ln(N / (K n))) / n)``; the paper has c = 1."""
    inverse = 1.0 / visits
    return mean + params.c * math.sqrt(max(0.0, math.log(shared * inverse)) * inverse)


# --- UCB with a square root: Tolpin and Shimony 2012 ----------------------------------------------


@inlined
def root_shared(
    visits: int, count: int, best: float, second: float, error: float, params: Any, rng: Any
) -> float:
    """Kernel: ``c * sqrt(sqrt(n_p))``; with it `uct_score` is ``v + c * sqrt(sqrt(n_p) / n)``."""
    return params.c * math.sqrt(math.sqrt(np.float64(visits)))


# --- value of information: Hay, Russell, Tolpin and Shimony 2012; Tolpin and Shimony 2012 ---------


@inlined
def two_best_shared(
    visits: int, count: int, best: float, second: float, error: float, params: Any, rng: Any
) -> tuple[float, float]:
    """Kernel: the means of the two best children."""
    return best, second


@inlined
def voi_score(
    mean: float, visits: float, variance: float, prior: float, shared: Any, params: Any, rng: Any
) -> float:
    """Kernel: the logarithm of what one more visit may be worth.

    The best child matters if it turns out worse than the second, any other if it turns out better
    than the best: ``v_2 / (n + 1) * exp(-2 (v_1 - v_2)^2 n)`` and
    ``(1 - v_1) / (n + 1) * exp(-2 (v_1 - v)^2 n)``.  Children that share the first place are both
    at once: the larger of the two counts.  The logarithm orders them alike and does not vanish.
    """
    best, second = shared
    gain = 1.0 - best
    gap = best - mean
    if mean >= best:
        gap = best - second
        gain = max(gain, second) if gap <= 0.0 else second
    return math.log(max(gain, LEAST_GAIN) / (visits + 1.0)) - 2.0 * gap * gap * visits


LEAST_GAIN = 1e-9  # when the best child never lost, and the others never won, all are worth nothing


# --- epsilon-greedy -------------------------------------------------------------------------------


@inlined
def greedy_shared(
    visits: int, count: int, best: float, second: float, error: float, params: Any, rng: Any
) -> float:
    """Kernel: 1 with probability epsilon, when a random child is followed, else 0."""
    return 1.0 if unit(rng) < params.epsilon else 0.0


@inlined
def greedy_score(
    mean: float, visits: float, variance: float, prior: float, shared: float, params: Any, rng: Any
) -> float:
    """Kernel: the mean, or a random number for each child."""
    return unit(rng) if shared > 0.0 else mean


# --- PUCT: Rosin 2011; in this form: Silver et al. 2017 -------------------------------------------


@inlined
def puct_shared(
    visits: int, count: int, best: float, second: float, error: float, params: Any, rng: Any
) -> float:
    """Kernel: ``c * sqrt(n_parent)``."""
    return params.c * math.sqrt(np.float64(visits))


@inlined
def puct_score(
    mean: float, visits: float, variance: float, prior: float, shared: float, params: Any, rng: Any
) -> float:
    """Kernel: ``v + c * P * sqrt(n_parent) / (1 + n)``."""
    return mean + prior * shared / (1.0 + visits)


# --- SP-MCTS, for one player: Schadd et al. 2008 --------------------------------------------------


@inlined
def single_score(
    mean: float, visits: float, variance: float, prior: float, shared: float, params: Any, rng: Any
) -> float:
    """Kernel: ``v + c * sqrt(ln n_parent / n) + sqrt((sum x^2 - n v^2 + D) / n)``.

    One player may try for the best result instead of a good mean: the last term is the deviation of
    the rewards, and D lets children with few visits look as if they varied more.
    """
    inverse = 1.0 / visits
    spread = math.sqrt(max(variance, 0.0) + params.deviation * inverse)
    return mean + shared * math.sqrt(inverse) + spread


# --- Thompson sampling: Thompson 1933; in trees: Bai, Wu and Chen 2013 ----------------------------


@inlined
def none_shared(
    visits: int, count: int, best: float, second: float, error: float, params: Any, rng: Any
) -> float:
    """Kernel: nothing."""
    return 0.0


@inlined
def thompson_score(
    mean: float, visits: float, variance: float, prior: float, shared: float, params: Any, rng: Any
) -> float:
    """Kernel: a draw from Beta(w + 1, l + 1), w and l the summed wins and losses."""
    won = gamma_draw(mean * visits + 1.0, rng)
    return won / (won + gamma_draw((1.0 - mean) * visits + 1.0, rng))


def gamma_draw(shape: float, rng: Any) -> float:
    """Kernel: a random number with the Gamma distribution, for ``shape`` >= 1.

    By rejection, one normal number a try (Marsaglia and Tsang 2000).
    """
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = normal_draw(rng)
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            if math.log(1.0 - unit(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
                return d * v


def normal_draw(rng: Any) -> float:
    """Kernel: a standard normal number (Box and Muller 1958)."""
    return math.sqrt(-2.0 * math.log(1.0 - unit(rng))) * math.cos(2.0 * math.pi * unit(rng))


RULES = {
    "uct": Rule(uct_shared, uct_score, "Kocsis and Szepesvári 2006"),
    "ucb1-tuned": Rule(
        log_shared, tuned_score, "Auer, Cesa-Bianchi and Fischer 2002", variance=True
    ),
    "omc": Rule(
        best_shared, omc_score, "Chaslot et al. 2006", leader=True, variance=True, blends=False
    ),
    "pbbm": Rule(best_shared, pbbm_score, "Coulom 2006", leader=True, variance=True, blends=False),
    "moss": Rule(moss_shared, moss_score, "Audibert and Bubeck 2009"),
    "ucb-sqrt": Rule(root_shared, uct_score, "Tolpin and Shimony 2012"),
    "voi": Rule(two_best_shared, voi_score, "Tolpin and Shimony 2012", leader=True, blends=False),
    "greedy": Rule(greedy_shared, greedy_score, "Sutton and Barto 1998"),
    "puct": Rule(puct_shared, puct_score, "Silver et al. 2017", prior=True, unvisited=True),
    "sp-uct": Rule(uct_shared, single_score, "Schadd et al. 2008", variance=True),
    "thompson": Rule(none_shared, thompson_score, "Bai, Wu and Chen 2013", blends=False),
}


def rule_of(name: str) -> Rule:
    """The rule of a name, or of a user's file."""
    if name in RULES:
        return RULES[name]
    if not name.endswith(".py"):
        raise ConfigError(f"there is no rule {name!r}; {choices(name, RULES)}, or a Python file")
    made = made_by(name, "rule", f"rule {name}")
    if not isinstance(made, Rule):
        raise ConfigError(f"{name}: rule() returned {made!r}, it must return a tesuji.Rule")
    return made


def rules_of(config: Config) -> dict[str, Rule]:
    """The selection rules in use, by the settings that name them."""
    named = {key: getattr(config, key) for key in ("select", "root")}
    return {f"{key}={name}": rule_of(name) for key, name in named.items() if name}


def _refuse(config: Config) -> None:
    for name, rule in rules_of(config).items():
        if config.rave != "off" and not rule.blends:
            raise ConfigError(f"rave has no meaning with {name}, which needs means")
        if config.backup != "average" and rule.variance:
            raise ConfigError(
                f"backup={config.backup} has no meaning with {name}, which needs the variance of "
                "averages"
            )


def _needs(config: Config) -> frozenset[str]:
    rules = rules_of(config).values()
    return need(any(rule.variance for rule in rules), VARIANCE) | need(
        any(rule.prior for rule in rules), KNOWLEDGE
    )


def _scores_all(rule: Rule, config: Config) -> bool:
    """Can a rule score every child that it meets, with or without visits?"""
    return not config.all_children or rule.unvisited or UNVISITED in config.needs


def _values(game: Game, config: Config) -> dict[str, float]:
    """Constants that are given in points, on the scale of rewards."""
    if game.score_range is None:
        return {}
    low, high = game.score_range
    values = {
        "c": config.c_points / (high - low),
        "deviation": config.deviation_points / (high - low) ** 2,
    }
    return {name: value for name, value in values.items() if value > 0}


def _refuse_game(game: Game, config: Config) -> None:
    for name in ("c_points", "deviation_points"):
        if getattr(config, name) > 0 and game.score_range is None:
            raise ConfigError(
                f"{name} is {getattr(config, name)}, but {game.name} does not say which scores are "
                "worth the rewards 0 and 1: leave it out"
            )


def _slots(game: Game, config: Config) -> dict[str, Any]:
    rule = rule_of(config.select)
    root = rule_of(config.root or config.select)
    return {
        "rule": {"shared": rule.shared, "score": rule.score},
        "root_rule": {"shared": root.shared, "score": root.score},
        "EVERY": _scores_all(rule, config),
        "LEADER": rule.leader,
        "ROOT_EVERY": _scores_all(root, config),
        "ROOT_LEADER": root.leader,
        "STAGES": config.root != "",
    }


def _prior_needed(name: str, rule: Rule) -> Need:
    return Need(name, lambda config: rule.prior, "knowledge")


PART = Part(
    "rules",
    settings=(
        Setting(
            "select",
            "uct",
            "name of the selection rule, or a Python file with one",
            names=tuple(RULES),
            own="rule",
        ),
        Setting(
            "root",
            "",
            "another rule for the root of the tree; empty: the same",
            names=("", *RULES),
            own="rule",
        ),
        Setting(
            "c",
            0.35,
            "exploration constant of UCT, v + c * sqrt(ln(n_parent) / n); MANGO's 0.7 on our scale",
            (0, LARGE),
            kernel=True,
        ),
        Setting("epsilon", 0.1, "share of random choices of the rule greedy", (0, 1), kernel=True),
        Setting(
            "greed", 1.0, "G of the rule omc; 50 to 100 for one player", (0, LARGE), kernel=True
        ),
        Setting(
            "deviation",
            0.00023,
            "D of the rule sp-uct; the 10,000 of its paper on our scale",
            (0, LARGE),
            kernel=True,
        ),
        Setting(
            "c_points",
            0.0,
            "exploration constant in points of a game with a range of scores; 0: `c` says it",
            (0, LARGE),
        ),
        Setting(
            "deviation_points",
            0.0,
            "D of the rule sp-uct in squared points; 0: `deviation` says it",
            (0, LARGE),
        ),
    ),
    on=lambda config: True,
    needs=_needs,
    slots=_slots,
    values=_values,
    settings_needed=lambda config: tuple(
        _prior_needed(name, rule) for name, rule in rules_of(config).items()
    ),
    refuse=_refuse,
    refuse_game=_refuse_game,
)
