"""AMAF values and RAVE: a move may be judged by simulations in which it was made later.

*All moves as first* (Brügmann 1993): every simulation through a node says something about each move
that the player to move there made at any time afterwards, not only about the first one.  A child
keeps these simulations beside its own (``amaf_value``, ``amaf_visits``).  One definition holds
everywhere: a child gets credit if *its player* is the first to make its move at or below the node;
when another player was before him, as on a point of Go that was captured in between, it means
something else.  Passes get none.

*RAVE* (Gelly and Silver 2007) blends the AMAF value with the child's mean; AMAF leads while the
child has few visits of its own.  `BLENDS` has the schedules that read the *child's* visits and
blend what a rule takes for its mean.  The first work reads the *parent's* and weighs all that the
rule says, exploration, too: ``rave=parent`` (`weigh_score`).  `grave` takes AMAF values from an
ancestor, `pool` lets playouts draw from the best.
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.game import Game
from tesuji.search.part import (
    ALL_CHILDREN,
    KNOWLEDGE,
    LARGE,
    MOVERS,
    UNVISITED,
    Buffer,
    Config,
    Field,
    Kernel,
    Need,
    Part,
    Setting,
    kernel_of,
    need,
    player_moves,
)
from tesuji.search.select import prior_of
from tesuji.search.tree import SCALE, node_of, resolve, selections_of

access = Slot("access")
blend = Slot("blend")
hooks = Slot("hooks")
PASS = Slot("PASS")


@inlined
def beta_equivalence(visits: float, k: float) -> float:
    """Kernel: ``sqrt(k / (3 n + k))``: one half at n = k (Gelly and Silver 2007)."""
    return math.sqrt(k / (3.0 * visits + k))


@inlined
def beta_mse(visits: float, amaf_visits: float, d: float) -> float:
    """Kernel: ``m / (m + n + D m n)``, the least mean squared error (Silver 2009).

    D = 4 b^2, b the bias of AMAF values.
    """
    return amaf_visits / (amaf_visits + visits + d * amaf_visits * visits)


@inlined
def blend_amaf(
    mean: float, visits: float, amaf: float, amaf_visits: float, prior: float, params: Any
) -> float:
    """Kernel: the AMAF value alone."""
    return amaf if amaf_visits > 0.0 else mean


@inlined
def blend_equivalence(
    mean: float, visits: float, amaf: float, amaf_visits: float, prior: float, params: Any
) -> float:
    """Kernel: RAVE with the schedule of equivalence."""
    if amaf_visits == 0.0:
        return mean
    if visits == 0.0:  # as most children are: no need for a square root
        return amaf
    beta = beta_equivalence(visits, params.rave_k)
    return (1.0 - beta) * mean + beta * amaf


@inlined
def blend_mse(
    mean: float, visits: float, amaf: float, amaf_visits: float, prior: float, params: Any
) -> float:
    """Kernel: RAVE with the schedule of least squared error."""
    if amaf_visits == 0.0:
        return mean
    if visits == 0.0:
        return amaf
    beta = beta_mse(visits, amaf_visits, params.rave_d)
    return (1.0 - beta) * mean + beta * amaf


@inlined
def blend_mogo(
    mean: float, visits: float, amaf: float, amaf_visits: float, prior: float, params: Any
) -> float:
    """Kernel: mean, AMAF value and knowledge as one weighted mean.

    Knowledge leads while a child has few simulations of either kind, then AMAF, in the end the
    mean: the regime of MoGo's score (Hoock 2013, section 4.2), whose constants are not published.
    """
    weight = amaf_visits * params.rave_k / (amaf_visits + params.rave_k + 3.0 * visits)
    total = visits + weight + params.rave_prior
    if total == 0.0:
        return mean
    own = mean * visits if visits > 0.0 else 0.0
    return (own + amaf * weight + prior * params.rave_prior) / total


BLENDS = {
    "amaf": blend_amaf,
    "equivalence": blend_equivalence,
    "mse": blend_mse,
    "mogo": blend_mogo,
}


@inlined
def amaf_of(child: Any, player: int, sim: Any, own: Any, params: Any) -> Any:
    """Kernel: a child's AMAF value and the simulations behind it."""
    visits = np.float64(child.amaf_visits)
    amaf = child.amaf_value * (1.0 / SCALE) / max(visits, 1.0)
    return hooks.amaf(amaf, visits, child, player, sim, own, params)


@inlined
def blended(
    mean: float, visits: float, child: Any, player: int, sim: Any, own: Any, params: Any
) -> Any:
    """Kernel: a child's mean with what AMAF says; its visits, at least one: something is known."""
    amaf, amaf_visits = amaf_of(child, player, sim, own, params)
    value = blend.value(mean, visits, amaf, amaf_visits, prior_of(child), params)
    return value, max(visits, 1.0)


@inlined
def note_parent(tree: Any, ref: int, sim: Any, own: Any, params: Any) -> None:
    """Kernel: at each node: what AMAF values of its children weigh (``rave=parent``)."""
    visits = access.own_visits(selections_of(node_of(tree, ref)), params)
    sim.rave.beta = beta_equivalence(np.float64(visits), params.rave_k)


@inlined
def weigh_score(
    score: float, visits: float, child: Any, player: int, sim: Any, own: Any, params: Any
) -> Any:
    """Kernel: ``(1 - b(n_p)) (v + c sqrt(ln n_p / n)) + b(n_p) AMAF`` (Gelly and Silver 2007).

    A child without visits has its AMAF value alone; one without AMAF simulations what the rule
    says, or the urgency of first plays.
    """
    amaf, amaf_visits = amaf_of(child, player, sim, own, params)
    if amaf_visits == 0.0:
        return score, visits
    beta = sim.rave.beta if visits > 0.0 else 1.0
    return (1.0 - beta) * score + beta * amaf, max(visits, 1.0)


def credit(tree: Any, sim: Any, own: Any, params: Any) -> None:
    """Kernel: give AMAF credit after a simulation.

    From its last move to its first, so that at each node exactly the moves made at or below it have
    been seen.
    """
    own.rave.stamp[0] += 1
    stamp = np.uint32(own.rave.stamp[0])
    for ply in range(sim.length[0] - 1, -1, -1):
        move = sim.trace[ply]
        player = sim.movers[ply]
        if player >= 0 and move != PASS:
            for other in range(len(own.rave.seen)):
                own.rave.seen[other, move] = stamp if other == player else 0
        if ply <= sim.depth:
            credit_children(tree, resolve(tree, sim.path[ply]), sim, own, stamp)


@inlined
def credit_children(tree: Any, ref: int, sim: Any, own: Any, stamp: Any) -> None:
    """Kernel: count this simulation for each child whose move was made.

    All children have records, one behind the other.
    """
    node = node_of(tree, ref)
    if node.mover < 0:
        return
    player = np.uint64(node.mover)
    gain = sim.gains[player]
    tried = np.uint64(access.tried_of(node))
    first = np.uint64(node.first)
    for n in range(tried):
        record = node_of(tree, first + n)
        if own.rave.seen[player, np.uint64(record.move)] == stamp:
            access.add(record, "amaf_value", gain)
            access.add(record, "amaf_visits", 1)


def _needs(config: Config) -> frozenset[str]:
    """A schedule makes a mean of what is known of an untried child; a parent's beta does not."""
    blends = config.rave not in ("off", "parent")
    return (
        need(config.rave != "off", ALL_CHILDREN, MOVERS)
        | need(blends, UNVISITED)
        | need(config.rave == "mogo", KNOWLEDGE)
    )


def _hooks(game: Game, config: Config) -> dict[str, Kernel]:
    if config.rave == "parent":
        return {"entered": note_parent, "scored": weigh_score, "backed_up": credit}
    return {"blended": blended, "backed_up": credit}


PART = Part(
    "rave",
    settings=(
        Setting(
            "rave",
            "off",
            "how AMAF values count: amaf, equivalence, mse, mogo or parent, or a file with blend()",
            names=("off", *BLENDS, "parent"),
            own="blend",
        ),
        Setting(
            "rave_k",
            1000.0,
            "visits at which AMAF value and mean count alike (equivalence, parent)",
            (0, LARGE),
            kernel=True,
        ),
        Setting("rave_d", 0.001, "4 b^2, b the bias of AMAF values (mse)", (0, LARGE), kernel=True),
        Setting(
            "rave_prior", 20.0, "visits that the knowledge is worth (mogo)", (0, LARGE), kernel=True
        ),
    ),
    on=lambda config: config.rave != "off",
    needs=_needs,
    node=(
        # A sum of trees has no AMAF values: they only guide a search, and nothing reads them there.
        Field("amaf_value", np.int64, "as value, of simulations in which the move came later, too"),
        Field("amaf_visits", np.int32, "and their number"),
    ),
    simulation=(
        Field("beta", np.float64, "what AMAF values weigh at the last node (rave=parent)"),
    ),
    thread=(
        Buffer("stamp", np.int64, "the number of this simulation"),
        Buffer(
            "seen",
            np.uint32,
            "by player and move: the last simulation in which he made it",
            player_moves,
        ),
    ),
    slots=lambda game, config: {
        "blend": {"value": kernel_of("rave", config.rave, BLENDS, "blend")}
    },
    hooks=_hooks,
    settings_needed=lambda config: (
        Need("rave=mogo", lambda config: config.rave == "mogo", "knowledge"),
    ),
)
