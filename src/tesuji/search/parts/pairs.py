"""Contextual Monte-Carlo: moves that did well together (Rimmel and Teytaud 2010).

Every simulation counts for each pair of moves that one player made in it (`learn_pairs`); playouts
now and then answer a player's last move with its best partner (`pair_move`).
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined, unit
from tesuji.errors import ConfigError
from tesuji.game import CHANCE, Game
from tesuji.search.hooks import NO_MOVE
from tesuji.search.part import MANY, MOVERS, Buffer, Config, Field, Part, Setting, need, players

rules = Slot("rules")
PASS = Slot("PASS")

LARGEST_PAIRS = 1 << 28  # bytes


@inlined
def forget_last(sim: Any, own: Any) -> None:
    """Kernel: nobody has made a move."""
    for player in range(len(sim.pairs.last)):
        sim.pairs.last[player] = -1


@inlined
def recall_last(tree: Any, sim: Any, own: Any, params: Any) -> None:
    """Kernel: the last moves of a simulation that begins with moves which are there already."""
    for i in range(sim.depth):
        note_last(sim, own, sim.movers[i], sim.trace[i])


@inlined
def note_last(sim: Any, own: Any, player: int, move: int) -> None:
    """Kernel: remember a player's move."""
    if player >= 0:
        sim.pairs.last[player] = move


def pair_move(state: Any, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: now and then the move that did best together with the player's last one."""
    player = rules.mover(state)
    last = sim.pairs.last[player]
    if last < 0 or unit(rng) >= params.pairs:
        return NO_MOVE
    best = NO_MOVE
    value = params.pairs_value
    for i in range(rules.candidates(state, own.moves)):
        move = own.moves[i]
        visits = own.pairs.visits[player, last, move]
        if visits >= params.pairs_visits:
            mean = own.pairs.value[player, last, move] / visits
            if mean >= value:
                best = move
                value = mean
    return best


def learn_pairs(sim: Any, own: Any, params: Any) -> None:
    """Kernel: count a simulation once for every pair of moves that one player made in it."""
    strike_repeats(sim)
    for i in range(sim.length[0]):
        player = sim.movers[i]
        if player < 0:
            continue
        for j in range(i):
            if sim.movers[j] == player:
                count_pair(player, sim.trace[i], sim.trace[j], sim, own)
                count_pair(player, sim.trace[j], sim.trace[i], sim, own)


def strike_repeats(sim: Any) -> None:
    """Kernel: passes, and moves that their player made before, count as nobody's.

    Whatever else learns from this simulation must have done so.
    """
    trace = sim.trace
    for i in range(sim.length[0]):
        for j in range(i):
            if trace[j] == trace[i] and sim.movers[j] == sim.movers[i]:
                sim.movers[i] = CHANCE
                break
        if trace[i] == PASS:
            sim.movers[i] = CHANCE


@inlined
def count_pair(player: int, move: int, other: int, sim: Any, own: Any) -> None:
    """Kernel: one more simulation with both moves."""
    own.pairs.visits[player, move, other] += 1
    own.pairs.value[player, move, other] += np.float32(sim.rewards[player])


def _refuse_game(game: Game, config: Config) -> None:
    size = 8 * game.players * game.move_codes**2
    if config.pairs > 0 and size > LARGEST_PAIRS:
        raise ConfigError(
            f"pairs cannot be used: {game.name} has {game.move_codes:,} moves, all pairs of them "
            f"would take {size / 1e6:,.0f} MB, and the most is {LARGEST_PAIRS / 1e6:,.0f}"
        )


def _all_pairs(game: Game, config: Config) -> tuple[int, ...]:
    return game.players, game.move_codes, game.move_codes


PART = Part(
    "pairs",
    settings=(
        Setting(
            "pairs",
            0.0,
            "contextual Monte-Carlo: how often the best partner of the last move comes",
            (0, 1),
            kernel=True,
        ),
        Setting("pairs_value", 0.5, "its least value", (0, 1), kernel=True),
        Setting("pairs_visits", 20, "its fewest visits", (1, MANY), kernel=True),
    ),
    on=lambda config: config.pairs > 0,
    needs=lambda config: need(config.pairs > 0, MOVERS),
    thread=(
        Buffer(
            "value",
            np.float32,
            "by player, move and move: summed rewards",
            _all_pairs,
            shared=True,
            forgotten="tree",
        ),
        Buffer("visits", np.int32, "and their number", _all_pairs, shared=True, forgotten="tree"),
    ),
    simulation=(Field("last", np.int64, "each player's last move, or -1", players),),
    hooks={
        "begin": forget_last,
        "taken_up": recall_last,
        "moved": note_last,
        "ended": learn_pairs,
        "playout_move": pair_move,
    },
    refuse_game=_refuse_game,
)
