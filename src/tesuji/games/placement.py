"""Placing stones on empty cells one by one, with or without the swap rule.

The empty cells are a list in the state in no particular order, with the slot of each cell in it: a
random one is drawn, and one is taken away, in constant time.

With the swap rule the second player may take over the first stone instead of answering it.  While
that is possible the code of the swap is simply one more entry of the list.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tesuji.compile import below
from tesuji.game import Kernel

SWAP_OFF = 0  # nothing to swap: not in this game, or not any more
SWAP_NEXT = 1  # the next stone is the first one
SWAP_OFFERED = 2  # the first stone stands, and swap is among the moves


def fields(cells: int, codes: int) -> list[tuple[Any, ...]]:
    """What a state needs for so many cells, with codes (of the swap, too) below ``codes``."""
    kind = np.uint8 if codes <= 256 else np.uint16
    return [
        ("vacant", kind, cells + 1),
        ("slot", kind, codes),
        ("left", np.uint32),
        ("first", np.uint16),
        ("swap", np.uint8),
    ]


def clear(state: Any, cells: Iterable[int], swap: bool) -> None:
    """Make all cells empty, at the start of a game."""
    for cell in cells:
        give(state, cell)
    state.swap = SWAP_NEXT if swap else SWAP_OFF


def set_up(
    state: Any, play: Kernel, contents: Mapping[int, int], mover: int, swap: int | None
) -> None:
    """Put stones on an empty board; ``contents`` is by cell, ``swap`` the code of the swap if any.

    A lone stone of the first player with the second one to move is one that can be swapped.
    """
    state.swap = SWAP_OFF
    stones = {cell: what for cell, what in contents.items() if what}
    for cell, what in stones.items():
        state.mover = what - 1
        play(state, cell)
    state.mover = mover
    if swap is None or len(stones) > 1:
        return
    if not stones:
        state.swap = SWAP_NEXT
    elif mover == 1 and 1 in stones.values():
        state.swap = SWAP_OFFERED
        (state.first,) = stones
        give(state, swap)


def give(state: Any, cell: int) -> None:
    """Kernel: make a cell empty."""
    state.vacant[state.left] = cell
    state.slot[cell] = state.left
    state.left += 1


def take(state: Any, cell: int) -> None:
    """Kernel: make a cell occupied; the last one of the list moves into its slot."""
    last = np.uint32(state.left - 1)
    slot = state.slot[cell]
    moved = state.vacant[last]
    state.vacant[slot] = moved
    state.slot[moved] = slot
    state.left = last


def moves(state: Any, out: Any) -> int:
    for i in range(state.left):
        out[i] = state.vacant[i]
    return state.left


def uniform(state: Any, playout: Any, rng: Any) -> int:
    return state.vacant[np.uint32(below(rng, state.left))]


def swaps(state: Any, cell: int, swap: int) -> bool:
    """Kernel: the first two moves under the swap rule; does this one take over the first stone?

    If so, the stone's cell is empty again in the list, and the caller moves the stone.
    """
    if state.swap == SWAP_NEXT:
        state.swap = SWAP_OFFERED
        state.first = cell
        give(state, swap)
        return False
    state.swap = SWAP_OFF
    take(state, swap)
    if cell == swap:
        give(state, state.first)
    return cell == swap
