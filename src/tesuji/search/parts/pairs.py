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
from tesuji.search.part import MANY, MOVERS, Buffer, Config, Part, Setting, need

game = Slot("game")
PASS = Slot("PASS")

LARGEST_PAIRS = 1 << 28  # bytes


@inlined
def forget_last(work: Any) -> None:
    """Kernel: nobody has made a move."""
    work.pairs.last[:] = -1


@inlined
def recall_last(tree: Any, work: Any, params: Any, depth: int) -> None:
    """Kernel: the last moves of a simulation that begins with moves which are there already."""
    for i in range(depth):
        note_last(work, work.movers[i], work.playout.trace[i])


@inlined
def note_last(work: Any, player: int, move: int) -> None:
    """Kernel: remember a player's move."""
    if player >= 0:
        work.pairs.last[player] = move


def pair_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: now and then the move that did best together with the player's last one."""
    player = game.mover(state)
    last = work.pairs.last[player]
    if last < 0 or unit(rng) >= params.pairs:
        return NO_MOVE
    best = NO_MOVE
    value = params.pairs_value
    for i in range(game.candidates(state, work.playout.moves)):
        move = work.playout.moves[i]
        visits = work.pairs.visits[player, last, move]
        if visits >= params.pairs_visits:
            mean = work.pairs.value[player, last, move] / visits
            if mean >= value:
                best = move
                value = mean
    return best


def learn_pairs(work: Any, params: Any) -> None:
    """Kernel: count a simulation once for every pair of moves that one player made in it."""
    strike_repeats(work)
    for i in range(work.playout.length[0]):
        player = work.movers[i]
        if player < 0:
            continue
        for j in range(i):
            if work.movers[j] == player:
                count_pair(player, work.playout.trace[i], work.playout.trace[j], work)
                count_pair(player, work.playout.trace[j], work.playout.trace[i], work)


def strike_repeats(work: Any) -> None:
    """Kernel: passes, and moves that their player made before, count as nobody's.

    Whatever else learns from this simulation must have done so.
    """
    trace = work.playout.trace
    for i in range(work.playout.length[0]):
        for j in range(i):
            if trace[j] == trace[i] and work.movers[j] == work.movers[i]:
                work.movers[i] = CHANCE
                break
        if trace[i] == PASS:
            work.movers[i] = CHANCE


@inlined
def count_pair(player: int, move: int, other: int, work: Any) -> None:
    """Kernel: one more simulation with both moves."""
    work.pairs.visits[player, move, other] += 1
    work.pairs.value[player, move, other] += np.float32(work.rewards[player])


def _refuse_game(of: Game, config: Config) -> None:
    size = 8 * of.players * of.move_codes**2
    if config.pairs > 0 and size > LARGEST_PAIRS:
        raise ConfigError(
            f"pairs cannot be used: {of.name} has {of.move_codes:,} moves, all pairs of them would "
            f"take {size / 1e6:,.0f} MB, and the most is {LARGEST_PAIRS / 1e6:,.0f}"
        )


def _all_pairs(of: Game, config: Config) -> tuple[int, ...]:
    return of.players, of.move_codes, of.move_codes


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
    buffers=(
        Buffer(
            "value",
            _all_pairs,
            np.float32,
            "by player, move and move: summed rewards",
            shared=True,
            forgotten="tree",
        ),
        Buffer("visits", _all_pairs, np.int32, "and their number", shared=True, forgotten="tree"),
        Buffer(
            "last",
            lambda game, config: game.players,
            np.int64,
            "each player's last move in this simulation, or -1",
            forgotten="tree",
            blank=-1,
        ),
    ),
    hooks={
        "begin": forget_last,
        "taken_up": recall_last,
        "moved": note_last,
        "ended": learn_pairs,
        "playout_move": pair_move,
    },
    refuse_game=_refuse_game,
)
