"""Gibbs sampling in playouts: moves that did well in other simulations are likelier.

MAST (Finnsson and Björnsson 2008) keeps the mean reward of every move, n-grams (Tak, Winands and
Björnsson 2012) that of sequences of two and three moves, too.  With ``gibbs_tree`` a node draws its
untried moves in the same way (`untried_child`), as CADIAPLAYER does.
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined, unit
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.search.part import (
    ALL_CHILDREN,
    MOVERS,
    Buffer,
    Config,
    Kernel,
    Need,
    Part,
    Setting,
    need,
    player_moves,
)
from tesuji.search.playouts import draw_weighted, policy_move
from tesuji.search.tree import FORBIDDEN, NONE, node_of

access = Slot("access")
rules = Slot("rules")
NGRAM = Slot("NGRAM")
PASS = Slot("PASS")

FEWEST = 7  # visits of a sequence that counts (Tak, Winands and Björnsson 2012)
#: one entry of the table of move sequences
Gram = np.dtype([("key", np.uint64), ("value", np.float64), ("visits", np.int64)], align=True)
GRAMS = 1 << 18  # sequences that are remembered; newer ones replace older ones


@inlined
def gibbs_move(state: Any, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: a move that is the likelier, the better it did in other simulations.

    Exactly, p ~ exp(Q / tau) over all candidates, if ``gibbs_tries`` is 0.  Else a short walk
    (Metropolis et al. 1953): the policy proposes so many moves, and each takes the place of the one
    before it with probability min(1, exp((Q' - Q) / tau)).  Where the policy is uniform, that tends
    to the exact distribution, and needs neither a list of moves nor the best Q among them.
    """
    if params.gibbs_tries == 0:
        return exact_gibbs_move(state, sim, own, params, rng)
    player = rules.mover(state)
    move = policy_move(state, sim, own, params, rng)
    weight = gibbs_weight(player, move, sim, own, params)
    for _ in range(1, params.gibbs_tries):
        other = policy_move(state, sim, own, params, rng)
        other_weight = gibbs_weight(player, other, sim, own, params)
        if unit(rng) * weight <= other_weight:
            move = other
            weight = other_weight
    return move


def exact_gibbs_move(state: Any, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: weigh all candidates."""
    player = rules.mover(state)
    listed = rules.candidates(state, own.moves)
    for i in range(listed):
        own.judged[i] = gibbs_weight(player, own.moves[i], sim, own, params)
    return draw_weighted(own, listed, rng)


@inlined
def gibbs_weight(player: int, move: Any, sim: Any, own: Any, params: Any) -> float:
    """Kernel: exp(Q / tau), on the scale on which a move that was never made weighs 1.

    Nothing is learned from a pass, so it weighs nothing: it is made if there is no other move.
    """
    if move == PASS:
        return 0.0
    if NGRAM:
        return math.exp((quality_of(player, move, sim, own) - 1.0) / params.gibbs_tau)
    return own.gibbs.weight[player, move]


def untried_child(tree: Any, ref: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: one of the moves of a node that were never tried, drawn as in playouts; or `NONE`."""
    node = node_of(tree, ref)
    player = np.int64(node.mover)
    sim.length[0] = sim.depth  # sequences of moves end where the simulation is
    first = np.int64(node.first)
    listed = 0
    for n in range(access.tried_of(node)):
        child = node_of(tree, first + n)
        if child.visits <= 0 and child.status != FORBIDDEN:
            own.moves[listed] = n
            own.judged[listed] = gibbs_weight(player, np.int64(child.move), sim, own, params)
            listed += 1
    if listed == 0:
        return NONE
    return first + draw_weighted(own, listed, rng)


@inlined
def quality_of(player: int, move: int, sim: Any, own: Any) -> float:
    """Kernel: Q, the mean reward of a player's move; 1 if it was never made."""
    visits = own.gibbs.visits[player, move]
    quality = own.gibbs.value[player, move] / visits if visits > 0 else 1.0
    if NGRAM:
        return with_grams(player, move, sim, own, quality)
    return quality


def with_grams(player: int, move: int, sim: Any, own: Any, quality: float) -> float:
    """Kernel: the mean of Q and those of the sequences of two and three moves that end here."""
    length = sim.length[0]
    total = quality
    count = 1
    for n in range(2, 4):
        if length >= n - 1:
            key = gram_key(player, move, length, n, sim, own)
            gram = own.gibbs.grams[np.int64(key & np.uint64(GRAMS - 1))]
            if gram.key == key and gram.visits >= FEWEST:
                total += gram.value / gram.visits
                count += 1
    return total / count


@inlined
def gram_key(player: int, move: int, ply: int, n: int, sim: Any, own: Any) -> np.uint64:
    """Kernel: a hash of the ``n`` moves that end with ``move`` at ``ply``."""
    key = np.uint64(move * 128 + player + 1) * np.uint64(0x9E3779B97F4A7C15)
    for back in range(1, n):
        key ^= key >> np.uint64(29)
        key = (key + np.uint64(sim.trace[ply - back] + 1)) * np.uint64(0xBF58476D1CE4E5B9)
    return key ^ (key >> np.uint64(32))


def learn_moves(sim: Any, own: Any, params: Any) -> None:
    """Kernel: count a simulation for each of its moves, and weigh them anew."""
    memory = own.gibbs
    for i in range(sim.length[0]):
        player = sim.movers[i]
        move = sim.trace[i]
        if player < 0 or move == PASS:
            continue
        memory.visits[player, move] += 1
        memory.value[player, move] += sim.rewards[player]
        if NGRAM:
            learn_grams(player, move, i, sim, own)
        else:
            quality = quality_of(player, move, sim, own)
            memory.weight[player, move] = math.exp((quality - 1.0) / params.gibbs_tau)


def learn_grams(player: int, move: int, ply: int, sim: Any, own: Any) -> None:
    """Kernel: the same for the sequences of two and three moves that end here."""
    for n in range(2, 4):
        if ply >= n - 1:
            key = gram_key(player, move, ply, n, sim, own)
            gram = own.gibbs.grams[np.int64(key & np.uint64(GRAMS - 1))]
            if gram.key != key:
                gram.key = key
                gram.value = 0.0
                gram.visits = 0
            gram.visits += 1
            gram.value += sim.rewards[player]


def _refuse(config: Config) -> None:
    if config.gibbs != "off" and config.gibbs_tries == 0 and config.playout != "uniform":
        raise ConfigError(
            f"playout={config.playout} has no meaning with gibbs_tries=0, which weighs all moves"
        )
    if config.gibbs_tree:
        _refuse_in_tree(config)


def _refuse_in_tree(config: Config) -> None:
    """Untried moves come first, and drawn like this: nothing else may say which."""
    others = {
        "fpu": config.fpu > 0,
        "rave": config.rave != "off",
        "knowledge": config.knowledge != "",
    }
    for name, wrong in others.items():
        if wrong:
            raise ConfigError(f"gibbs_tree has no meaning with {name}, which orders untried moves")


def _hooks(game: Game, config: Config) -> dict[str, Kernel]:
    in_playouts = {"policy": gibbs_move, "ended": learn_moves}
    return {**in_playouts, "child": untried_child} if config.gibbs_tree else in_playouts


PART = Part(
    "gibbs",
    settings=(
        Setting(
            "gibbs",
            "off",
            "draw moves by how they did before: mast or ngram",
            names=("off", "mast", "ngram"),
        ),
        Setting("gibbs_tau", 0.1, "temperature: small is greedy", (0.002, 1000), kernel=True),
        Setting(
            "gibbs_tries",
            2,
            "moves that the policy proposes; 0: weigh all moves instead",
            (0, 1000),
            kernel=True,
        ),
        Setting(
            "gibbs_tree",
            False,
            "also in the tree: draw a node's untried moves as those of playouts",
        ),
    ),
    on=lambda config: config.gibbs != "off",
    needs=lambda config: (
        need(config.gibbs != "off", MOVERS) | need(config.gibbs_tree, ALL_CHILDREN)
    ),
    thread=(
        Buffer(
            "value",
            np.float64,
            "by player and move: summed rewards of simulations with the move",
            player_moves,
            shared=True,
            forgotten="tree",
        ),
        Buffer("visits", np.int64, "and their number", player_moves, shared=True, forgotten="tree"),
        Buffer(
            "weight",
            np.float64,
            "how likely the move is drawn: exp((Q - 1) / tau), Q its mean",
            player_moves,
            shared=True,
            forgotten="tree",
            blank=1,
        ),
        Buffer(
            "grams",
            Gram,
            "sequences of two and three moves, by hash",
            lambda game, config: GRAMS if config.gibbs == "ngram" else 0,
            shared=True,
            forgotten="tree",
        ),
    ),
    slots=lambda game, config: {"NGRAM": config.gibbs == "ngram"},
    hooks=_hooks,
    settings_needed=lambda config: (Need("gibbs_tree", lambda config: config.gibbs_tree, "gibbs"),),
    refuse=_refuse,
)
