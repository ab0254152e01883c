"""The settings of a search: checked when they are made, also together, or read as ``key=value``.

Start with `SearchConfig`; `tesuji.methods` reads whole sets of settings from TOML files.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from tesuji.errors import ConfigError, choices
from tesuji.search.backup import BACKUPS
from tesuji.search.decide import FINALS
from tesuji.search.progressive import BIASES, WIDTHS
from tesuji.search.rave import BLENDS
from tesuji.search.rules import RULES, Rule, rule_of

#: settings that are one of a few names
NAMES: dict[str, Iterable[str]] = {
    "select": RULES,
    "root": ("", *RULES),
    "rave": ("off", *BLENDS),
    "bias": ("off", *BIASES),
    "widen": ("off", *WIDTHS),
    "expand": ("one", "all", "game"),
    "gibbs": ("off", "mast", "ngram"),
    "backup": ("average", *BACKUPS),
    "solver": ("off", "wins", "bounds"),
    "halving": ("off", "shot", "hybrid"),
    "final": FINALS,
    "parallel": ("tree", "root", "leaf"),
    "lock": ("free", "local", "global"),
}
#: settings that BRUE leaves no room for: it follows no rule, and only one node a rollout learns
NOT_BRUE = (
    "select",
    "root",
    "fpu",
    "policy_visits",
    "rave",
    "knowledge",
    "expand",
    "expand_visits",
    "expand_depth",
    "transpositions",
    "gibbs",
    "pairs",
    "backup",
    "solver",
    "halving",
)
RULED = ("select", "root")  # settings that name a rule, or a file with one
MANY = 2**31 - 1
LARGE = 1e12
#: the least and the largest value of settings that are numbers
RANGES: dict[str, tuple[float, float]] = {
    "c": (0, LARGE),
    "epsilon": (0, 1),
    "greed": (0, LARGE),
    "deviation": (0, LARGE),
    "fpu": (0, LARGE),
    "horizon": (0, MANY),
    "policy_visits": (0, MANY),
    "rave_k": (0, LARGE),
    "rave_d": (0, LARGE),
    "rave_prior": (0, LARGE),
    "criticality": (0, 1000),
    "grave": (0, MANY),
    "prior_visits": (0, LARGE),
    "bias_weight": (0, LARGE),
    "bias_exponent": (0, 100),
    "widen_first": (1, MANY),
    "widen_base": (0.001, LARGE),
    "widen_growth": (0.001, 100),
    "expand_visits": (1, MANY),
    "expand_depth": (1, MANY),
    "playout_epsilon": (0, 1),
    "playout_cap": (0, MANY),
    "decide": (0, 1),
    "decide_every": (1, MANY),
    "gibbs_tau": (0.002, 1000),
    "gibbs_tries": (0, 1000),
    "pool": (0, 1),
    "pool_size": (1, 10_000),
    "pool_visits": (1, MANY),
    "pairs": (0, 1),
    "pairs_value": (0, 1),
    "pairs_visits": (1, MANY),
    "halving_switch": (0, MANY),
    "secure": (0, LARGE),
    "threads": (1, 1024),
    "virtual_loss": (0, 1000),
    "stay": (1, 1000),
    "in_flight": (1, 100_000),
    "virtual_wins": (0, MANY),
    "share_seconds": (0, LARGE),
    "share_depth": (0, 1000),
    "share_part": (0, 1),
    "memory_mb": (0.01, 1e5),
}


@dataclass(frozen=True)
class SearchConfig:
    """How to search.  Values and constants are on the scale of rewards, [0, 1].

    The papers often use values in [-1, 1]; a constant quoted there is twice ours.
    """

    # --- selection (`rules`, `rave`, `progressive`)
    select: str = "uct"  #: name of the selection rule, or a Python file with one
    root: str = ""  #: another rule for the root of the tree; empty: the same
    #: exploration constant of UCT, v + c * sqrt(ln(n_parent) / n); MANGO's 0.7 on our scale
    c: float = 0.35
    epsilon: float = 0.1  #: share of random choices of the rule `greedy`
    greed: float = 1.0  #: G of the rule `omc`; 50 to 100 for one player
    deviation: float = 0.0004  #: D of the rule `sp-uct`; SameGame's 10,000 on our scale
    #: first-play urgency: the score of a move that was never tried; 0: all are tried once first
    fpu: float = 0.0
    policy_visits: int = 0  #: below so many visits of a node the playout policy chooses (T)
    rave: str = "off"  #: how AMAF values count: amaf, equivalence, mse or mogo
    rave_k: float = 1000.0  #: visits at which AMAF value and mean count alike (`equivalence`)
    rave_d: float = 0.001  #: 4 b^2, b the bias of AMAF values (`mse`)
    rave_prior: float = 20.0  #: visits that the knowledge is worth (`mogo`)
    criticality: float = 0.0  #: AMAF visits of deciding points count so many times more
    grave: int = 0  #: take AMAF values from the nearest ancestor with so many visits; 0: own ones
    knowledge: str = ""  #: name of the game's knowledge about moves
    prior_visits: float = 0.0  #: knowledge counts as the mean of so many virtual visits
    bias: str = "off"  #: progressive bias: mango, mogo or gomorra
    bias_weight: float = 1.0
    bias_exponent: float = 1.0  #: of the knowledge in the bias
    widen: str = "off"  #: progressive widening: mango, crazystone or power
    widen_first: float = 5.0  #: children that are open from the start (`mango`: k_init)
    widen_base: float = 50.0  #: `mango`: A; `power`: K of K * n^a
    widen_growth: float = 1.3  #: `mango`: B; `power`: a
    # --- expansion
    expand: str = "one"  #: store one new node a simulation, all children of a node, or the game
    expand_visits: int = 1  #: visits that a leaf needs before it gets children
    expand_depth: int = 1  #: nodes nearer to the root get children at their first visit
    transpositions: bool = False  #: let move orders that lead to one position share its children
    # --- playouts (`playouts`)
    playout: str = "uniform"  #: name of the playout policy, or of knowledge to draw by
    weights: str = ""  #: numbers of the game's playouts and knowledge: a name or a file
    playout_epsilon: float = 0.0  #: share of uniformly random moves among the policy's
    playout_cap: int = 0  #: cut playouts off after so many moves; 0: at the game's own maximum
    evaluation: str = ""  #: name of the game's evaluation, for playouts that do not end
    decide: float = 0.0  #: stop a playout when somebody's evaluation reaches this; 0: never
    decide_every: int = 4  #: moves between such looks
    decisive: bool = False  #: play moves that win at once, and avoid those that let the other
    gibbs: str = "off"  #: draw moves by how they did before: mast or ngram
    gibbs_tau: float = 0.1  #: temperature: small is greedy
    gibbs_tries: int = 2  #: moves that the policy proposes; 0: weigh all moves instead
    pool: float = 0.0  #: poolRAVE: how often a playout draws a move from the pool
    pool_size: int = 20
    pool_visits: int = 50  #: visits of the node that has the pool, and of the moves in it
    pairs: float = 0.0  #: contextual Monte-Carlo: how often the best partner of the last move comes
    pairs_value: float = 0.5  #: its least value
    pairs_visits: int = 20  #: its fewest visits
    # --- backup
    backup: str = "average"  #: average, max, informed or mix
    solver: str = "off"  #: prove wins and losses (wins), or any result (bounds)
    # --- another way through the tree (`brue`)
    brue: bool = (
        False  #: explore at random, estimate with the best moves; one node a rollout learns
    )
    horizon: int = 0  #: moves that it explores; 0: up to the first new one (BRUE_I)
    # --- budgets from the root down (`halving`)
    halving: str = "off"  #: halve the budget in every node (shot) or where it is large (hybrid)
    halving_switch: int = 50  #: hybrid: budget of a move from which on its node halves, too (B)
    halving_returns: bool = False  #: may moves that were dropped come back in a later round?
    halving_bounds: bool = False  #: skip moves whose upper bound is below the best one's lower
    # --- several threads (`tesuji.parallel`)
    threads: int = 1  #: how many search at the same time
    parallel: str = "tree"  #: they share one tree, have one each (root), or share each leaf (leaf)
    lock: str = "free"  #: of a shared tree: none, one a node (local), or one in all (global)
    virtual_loss: int = 1  #: visits without a win that a simulation counts as while it is under way
    stay: int = 64  #: simulations that a thread runs at most before the nodes above it know them
    in_flight: int = 1  #: virtual threads: simulations that one thread has under way
    virtual_wins: int = 0  #: of root: won visits that each tree begins with at moves of its own
    processes: bool = False  #: of root: each tree in a process of its own
    share_seconds: float = 0.0  #: of root: time between averagings of all trees; 0: never
    share_depth: int = 3  #: down to so many moves from the root
    share_part: float = 0.05  #: of the root's visits: what a node needs to be averaged
    # --- the answer, and resources
    ownership: bool = False  #: count whose the points of the board are when simulations end
    final: str = "robust"  #: the move to play: robust, max, robust-max or secure
    secure: float = 2.0  #: `a` of the secure child, v - a / sqrt(n); 4 for values in [-1, 1]
    memory_mb: float = 500.0  #: bound of the tree in megabytes (millions of bytes)
    reuse: bool = True  #: keep the part of the tree below the moves played since the last search

    def __post_init__(self) -> None:
        for key, kind in _kinds().items():
            value = getattr(self, key)
            fits = int | float if kind is float else kind
            if not isinstance(value, fits) or (isinstance(value, bool) and kind is not bool):
                raise ConfigError(f"{key} is {value!r}, it must be {_KINDS[kind].what}")
        for key, known in NAMES.items():
            value = getattr(self, key)
            if value not in known and not (key in RULED and value.endswith(".py")):
                raise ConfigError(f"{key} is {value!r}; {choices(value, known)}")
        for key, (least, most) in RANGES.items():
            if not least <= getattr(self, key) <= most:
                raise ConfigError(f"{key} is {getattr(self, key)}, it must be {_span(least, most)}")
        self._check_combinations()

    def _check_combinations(self) -> None:
        """Refuse settings that have no meaning together."""
        self._check_brue()
        for what, wants, need in (
            ("grave", self.grave > 0, "rave"),
            ("criticality", self.criticality > 0, "rave"),
            ("criticality", self.criticality > 0, "ownership"),
            ("pool", self.pool > 0, "rave"),
            ("bias", self.bias != "off", "knowledge"),
            ("widen", self.widen != "off", "knowledge"),
            ("prior_visits", self.prior_visits > 0, "knowledge"),
            ("rave=mogo", self.rave == "mogo", "knowledge"),
            *((name, rule.prior, "knowledge") for name, rule in self._rules.items()),
            ("decide", self.decide > 0, "evaluation"),
        ):
            if wants and getattr(self, need) in ("off", "", False):
                raise ConfigError(f"{what} needs {need}: set it, or leave {what} out")
        if self.knowledge and not self.uses_knowledge:
            raise ConfigError(
                f"knowledge is {self.knowledge!r}, but nothing uses it: set bias, widen, "
                "prior_visits, select=puct or rave=mogo"
            )
        if self.evaluation and not self.playout_cap and not self.decide:
            raise ConfigError(
                f"evaluation is {self.evaluation!r}, but playouts go to the end: set playout_cap "
                "or decide"
            )
        if self.widen == "power" and self.widen_growth > 1:
            raise ConfigError(
                f"widen_growth is {self.widen_growth}, with widen=power it must be at most 1"
            )
        if 0 < self.decide <= 0.5:
            raise ConfigError(f"decide is {self.decide}, it must be 0 or more than 0.5")
        if self.gibbs != "off" and self.gibbs_tries == 0 and self.playout != "uniform":
            raise ConfigError(
                f"playout={self.playout} has no meaning with gibbs_tries=0, which weighs all moves"
            )
        self._check_halving()
        self._check_threads()
        for name, rule in self._rules.items():
            if self.rave != "off" and not rule.blends:
                raise ConfigError(f"rave has no meaning with {name}, which needs means")
            if self.backup != "average" and rule.variance:
                raise ConfigError(
                    f"backup={self.backup} has no meaning with {name}, which needs the variance of "
                    "averages"
                )

    def _check_brue(self) -> None:
        """Refuse what has no meaning together with BRUE."""
        if not self.brue:
            if self.horizon:
                raise ConfigError("horizon needs brue: set it, or leave horizon out")
            return
        for key in NOT_BRUE:
            if getattr(self, key) != getattr(SearchConfig, key):
                raise ConfigError(f"{key} has no meaning with brue: leave it out")
        if self.final != "max":
            raise ConfigError(f"final is {self.final!r}, with brue it must be max")

    def _check_halving(self) -> None:
        """Refuse what has no meaning together with halving."""
        if self.halving == "off":
            if self.halving_returns or self.halving_bounds:
                what = "halving_returns" if self.halving_returns else "halving_bounds"
                raise ConfigError(f"{what} needs halving: set it, or leave {what} out")
            return
        for what, wants in (
            ("root", self.root != ""),
            ("rave", self.rave != "off"),
            ("transpositions", self.transpositions),
            (f"final={self.final}", self.final != "robust"),
        ):
            if wants:
                raise ConfigError(f"{what} has no meaning with halving={self.halving}")
        if self.halving == "shot" and self.solver != "off":
            raise ConfigError(
                f"solver={self.solver} cannot be used with halving=shot: its solver is "
                "halving=hybrid with halving_switch=0, the method shot-solver"
            )

    def _check_threads(self) -> None:
        """Refuse what has no meaning together with several threads, or without them."""
        if self.threads > 1 and self.in_flight > 1:
            raise ConfigError("in_flight is for one thread: leave it or threads out")
        if self.lock != "free" and (self.parallel != "tree" or self.halving != "off"):
            raise ConfigError(f"lock={self.lock} needs parallel=tree, without halving")
        if self.parallel != "root":
            for key in ("virtual_wins", "processes", "share_seconds"):
                if getattr(self, key):
                    raise ConfigError(f"{key} needs parallel=root: set it, or leave {key} out")
        for what, alone in (("brue", self.brue), ("halving", self.halving != "off")):
            if alone and self.in_flight > 1:
                raise ConfigError(f"in_flight has no meaning with {what}: leave it out")
            leaf = self.parallel == "leaf" or what == "brue"
            if alone and self.threads > 1 and self.parallel != "root" and leaf:
                raise ConfigError(f"parallel={self.parallel} has no meaning with {what}: use root")

    @property
    def sharing(self) -> bool:
        """Do several threads work in one tree?"""
        return self.threads > 1 and self.parallel != "root"

    @property
    def stays(self) -> bool:
        """Do threads stay at one node for some simulations?

        Locks are there to be compared as they were published, and other backups than averages need
        every result at once.
        """
        alike = self.sharing and not self.crewed
        return alike and self.stay > 1 and self.lock == "free" and self.backup == "average"

    @property
    def crewed(self) -> bool:
        """Does one of them lead, and the others help?"""
        return self.sharing and (self.parallel == "leaf" or self.halving != "off")

    @property
    def _rules(self) -> dict[str, Rule]:
        """The selection rules in use, by the settings that name them."""
        named = {key: getattr(self, key) for key in RULED}
        return {f"{key}={name}": rule_of(name) for key, name in named.items() if name}

    @property
    def uses_knowledge(self) -> bool:
        """Does anything of the tree ask for the game's knowledge?"""
        return (
            self.bias != "off"
            or self.widen != "off"
            or self.prior_visits > 0
            or self.rave == "mogo"
            or any(rule.prior for rule in self._rules.values())
        )

    @property
    def all_children(self) -> bool:
        """Must all moves have records before they are tried?

        With transpositions, since a game may list the moves of one position in another order when
        it was reached by another path.
        """
        return (
            self.transpositions
            or self.rave != "off"
            or self.uses_knowledge
            or self.fpu > 0
            or self.policy_visits > 0
            or self.expand != "one"
        )

    @property
    def tracks(self) -> bool:
        """Does anything learn from who made which move?"""
        return self.rave != "off" or self.gibbs != "off" or self.pairs > 0

    @property
    def extras(self) -> tuple[str, ...]:
        """The extra fields of a node that the settings need."""
        wanted = {
            "variance": any(rule.variance for rule in self._rules.values()),
            "rave": self.rave != "off",
            "knowledge": self.uses_knowledge,
            "solver": self.solver != "off",
            "transpositions": self.transpositions,
            "lock": self.sharing and self.lock == "local",
            "free": self.halving == "shot",
        }
        return tuple(extra for extra, needed in wanted.items() if needed)

    def changed(self, settings: Mapping[str, Any]) -> "SearchConfig":
        """A copy with some settings replaced; unknown keys and wrong types are refused."""
        kinds = _kinds()
        for key in settings:
            if key not in kinds:
                raise ConfigError(f"unknown setting {key!r}; {choices(key, kinds)}")
        return replace(self, **settings)

    def parsed(self, settings: Iterable[str]) -> "SearchConfig":
        """A copy with settings given as texts, ``["c=0.7", "memory_mb=50"]``."""
        return self.changed(read_settings(settings, _kinds()))


def read_settings(settings: Iterable[str], kinds: Mapping[str, type]) -> dict[str, Any]:
    """Values of settings given as texts; one of no known kind stays a text."""
    table: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise ConfigError(f"{setting!r} is not a setting: write key=value")
        kind = _KINDS[kinds.get(key, str)]
        try:
            table[key] = kind.parse(text)
        except ValueError:
            raise ConfigError(f"{key} is {text!r}, it must be {kind.what}") from None
    return table


def read_toml(path: str | Path, what: str) -> dict[str, Any]:
    """Read a TOML file; ``what`` it is stands in the message when that fails."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the {what} {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"the {what} {path} is not valid TOML: {error}") from None


def _kinds() -> dict[str, type]:
    return {field.name: type(field.default) for field in fields(SearchConfig)}


def _span(least: float, most: float) -> str:
    """A range in words."""
    return f"{least:g} or more" if most >= MANY else f"{least:g} to {most:,g}"


def _truth(text: str) -> bool:
    """Read a yes or no."""
    try:
        return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
    except KeyError:
        raise ValueError(text) from None


class _Kind(NamedTuple):
    """A type of settings: how to read one, and what to say when that fails."""

    parse: Callable[[str], Any]
    what: str


_KINDS = {
    float: _Kind(float, "a number"),
    int: _Kind(int, "an integer"),
    str: _Kind(str, "a name"),
    bool: _Kind(_truth, "true or false"),
}
