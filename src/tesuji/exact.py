"""Exhaustive enumeration: leaf counts (perft) to check rules, exact values of small games.

Both are plain recursions over the game's kernels, compiled like everything else.  They are the
yardstick that searches are checked against, so they share no code with them.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, specialise
from tesuji.errors import ConfigError, GameError
from tesuji.game import Game
from tesuji.position import Position

rules = Slot("rules")
SUPERKO = Slot("SUPERKO")

UNKNOWN = -1.0
SPREAD = 0x9E3779B97F4A7C15  # spreads keys that differ in few bits (Knuth: 2**64 / golden ratio)


def count_leaves(states: Any, moves: Any, keys: Any, ply: int, depth: int, start: int) -> int:
    """Kernel: positions ``depth`` moves below ``states[ply]``; a game counts where it ends.

    ``keys[:start + ply]`` are the repetition keys of all positions above this one.
    """
    state = states[ply]
    if depth == 0 or rules.over(state):
        return 1
    listed = rules.moves(state, moves[ply])
    if SUPERKO:
        keys[start + ply] = rules.repetition(state)
    elif depth == 1:
        return listed
    leaves = 0
    for i in range(listed):
        states[ply + 1] = states[ply]
        rules.play(states[ply + 1], moves[ply, i])
        if SUPERKO:
            if _repeated(states[ply + 1], keys, start + ply):
                continue
        leaves += count_leaves(states, moves, keys, ply + 1, depth - 1, start)
    return leaves


def _repeated(state: Any, keys: Any, last: int) -> bool:
    """Kernel: is this position one of those in ``keys[:last]``, the one just before excepted?"""
    key = rules.repetition(state)
    if key == keys[last]:
        return False
    for i in range(last):
        if keys[i] == key:
            return True
    return False


def best_reward(
    states: Any, moves: Any, ply: int, keys: Any, values: Any, filled: Any, rewards: Any
) -> float:
    """Kernel: player 0's reward under perfect play of both; two players, rewards that sum to 1.

    ``keys`` and ``values`` are a hash table from `Game.hash` to rewards; ``filled[0]`` counts its
    entries.  Beyond three quarters nothing more is remembered: still right, only slower.
    """
    state = states[ply]
    key = rules.hash(state)
    slot = _find(key, keys, values)
    if values[slot] != UNKNOWN:
        return values[slot]
    mover = rules.mover(state)
    if rules.over(state):
        rules.rewards(state, rewards)
        best = rewards[0]
    else:
        best = 0.0 if mover == 0 else 1.0
        listed = rules.moves(state, moves[ply])
        for i in range(listed):
            states[ply + 1] = states[ply]
            rules.play(states[ply + 1], moves[ply, i])
            reward = best_reward(states, moves, ply + 1, keys, values, filled, rewards)
            best = max(best, reward) if mover == 0 else min(best, reward)
            if best == (1.0 if mover == 0 else 0.0):
                break
    if 4 * filled[0] < 3 * len(keys):
        slot = _find(key, keys, values)  # again: the recursion has filled other slots
        keys[slot] = key
        values[slot] = best
        filled[0] += 1
    return best


def _find(key: Any, keys: Any, values: Any) -> Any:
    """Kernel: the slot of a key in the hash table, or the free one where it belongs."""
    mask = np.uint64(len(keys) - 1)
    slot = ((key * np.uint64(SPREAD)) >> np.uint64(32)) & mask
    while values[slot] != UNKNOWN and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


def perft(position: Position, depth: int, *, jit: bool | None = None) -> int:
    """How many positions lie ``depth`` moves away; a finished game counts at the move that ends it.

    >>> from tesuji.games import load
    >>> perft(Position.start(load("tictactoe")), 3)
    504
    """
    if depth < 0:
        raise ConfigError(f"the depth is {depth}, it must be 0 or more")
    game = position.game
    depth = min(depth, game.max_length)  # nothing lies deeper
    states, moves = _stack(position, depth)
    keys = np.zeros(len(position.history) + depth + 1, np.uint64)
    keys[: len(position.history)] = position.history
    kernel = specialise(count_leaves, game.bindings, label=f"perft of {game.name}", jit=jit)
    return int(kernel(states, moves, keys, 0, depth, len(position.history)))


def solve(position: Position, *, entries: int = 1 << 20, jit: bool | None = None) -> float:
    """The reward of the first player when both play perfectly.

    For two players, rewards that sum to 1, and games small enough to visit every position; fastest
    when ``entries`` (a power of two) exceeds the number of different positions.
    """
    game = position.game
    if (
        game.players != 2
        or game.hash is None
        or game.repetition is not None
        or game.chance is not None
    ):
        raise GameError(
            f"{game.spec} cannot be solved: that needs two players, a hash, no superko, no dice"
        )
    if entries < 4 or entries & (entries - 1):
        raise ConfigError(f"entries is {entries}, it must be a power of two, 4 or more")
    states, moves = _stack(position, game.max_length)
    table = np.zeros(entries, np.uint64), np.full(entries, UNKNOWN)
    kernel = specialise(best_reward, game.bindings, label=f"the solution of {game.name}", jit=jit)
    return float(kernel(states, moves, 0, *table, np.zeros(1, np.int64), np.zeros(2)))


def _stack(position: Position, depth: int) -> tuple[Any, Any]:
    """One state and one list of moves for each ply of the recursion."""
    states = np.zeros(depth + 1, position.game.state)
    states[0] = position.state[0]
    return states, np.zeros((depth + 1, position.game.max_moves), np.int32)


def value_of_start(game: Game) -> float:
    """The exact value of a small game from its start, seen by the first player."""
    return solve(Position.start(game))
