"""Pentalath: five in a row on a hexagon, with captures as in Go.

There is no rule against repetition.  Random games hardly ever go in circles, and the length of a
simulation is bounded, after which it counts as a draw.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tesuji.compile import below, zobrist
from tesuji.facets import Board, by_cell, symmetries
from tesuji.game import Game, Kernel, Paint
from tesuji.games.board import men, stones
from tesuji.games.chains import Chains, Empties, Table, chains, empties
from tesuji.games.hexagon import LARGEST_SIDE, Hexagon
from tesuji.games.result import DRAW, mover, over, rewards

SMALLEST_SIDE = 3  # the smallest board with a line of five
MAX_LENGTH = 500
NAMES = ("Black", "White")

# The swap is offered for one move: ``swap`` counts the moves until the offer ends.
SWAP_COMING, SWAP_OFFERED = 2, 1


def make_five(neighbours: Table) -> Kernel:
    """The kernel that tells whether a stone lies in a row of five or more of its colour."""

    def five(state: Any, point: Any, stone: int) -> bool:
        for axis in range(3):
            row = 1
            for direction in range(axis, 6, 3):
                at = neighbours[point, direction]
                while state.colour[at] == stone:
                    at = neighbours[at, direction]
                    row += 1
            if row >= 5:
                return True
        return False

    return five


def make_capture(
    neighbours: Table, board: Chains, free: Empties, keys: np.ndarray[Any, Any]
) -> Kernel:
    """The kernel that removes the chains which a stone just placed leaves without liberties."""
    captured, remove, give = board.captured, board.remove, free.give

    def capture(state: Any, point: Any, victim: int) -> None:
        for k in range(6):
            head = state.head[neighbours[point, k]]
            if state.colour[neighbours[point, k]] == victim and captured(state, head):
                remove(state, head)
                stone = head
                while True:
                    give(state, stone)
                    state.key = np.uint64(state.key) ^ keys[victim - 1, stone]
                    stone = state.next[stone]
                    if stone == head:
                        break

    return capture


def make_swap(cells: int, keys: np.ndarray[Any, Any]) -> Kernel:
    """The kernel that hands the only stone on the board to the second player."""

    def swap_sides(state: Any) -> None:
        for cell in range(cells):
            if state.colour[cell] != 0:
                state.colour[cell] = 2
                state.key = keys[1, cell]
        state.mover = 0
        state.swap = 0

    return swap_sides


def game(size: int = 5, swap: bool = False) -> Game:
    """Pentalath on a hexagon of side ``size``, with or without the swap rule."""
    if not SMALLEST_SIDE <= size <= LARGEST_SIDE:
        raise ValueError(f"size must be {SMALLEST_SIDE} to {LARGEST_SIDE}, not {size}")
    hexagon = Hexagon(size)
    cells = SWAP = hexagon.cells
    KEYS = zobrist("pentalath", 2, cells)
    TURN_KEY, OFFER_KEY = zobrist("pentalath turn", 2)
    board = chains(hexagon.neighbours)
    free = empties(cells, board.can_place)
    place, take, stuck = board.place, free.take, free.stuck
    placements, draw_placement = free.placements, free.draw_placement
    five = make_five(hexagon.neighbours)
    capture = make_capture(hexagon.neighbours, board, free, KEYS)
    swap_sides = make_swap(cells, KEYS)

    def start(state: Any) -> None:
        board.clear(state)
        free.fill(state)
        state.swap = SWAP_COMING if swap else 0

    def moves(state: Any, out: Any) -> int:
        count = placements(state, state.mover + 1, out)
        if state.swap == SWAP_OFFERED:
            out[count] = SWAP
            count += 1
        return count

    def uniform(state: Any, playout: Any, rng: Any) -> Any:
        """The second stone may go on any empty cell, so the swap is one choice more than those."""
        if state.swap == SWAP_OFFERED and below(rng, state.empty_count + 1) == 0:
            return np.int64(SWAP)
        return draw_placement(state, state.mover + 1, rng)

    def play(state: Any, move: int) -> None:
        if move == SWAP:
            swap_sides(state)
            return
        cell = np.uint32(move)
        me = state.mover
        place(state, cell, me + 1)
        take(state, cell)
        state.key = np.uint64(state.key) ^ KEYS[me, cell]
        capture(state, cell, 2 - me)
        state.mover = 1 - me
        if state.swap != 0:
            state.swap -= 1
        if five(state, cell, me + 1):
            state.result = me + 1
        elif stuck(state, 2 - me):
            state.result = DRAW

    def hash(state: Any) -> np.uint64:
        key = np.uint64(state.key)
        if state.mover == 1:
            key ^= TURN_KEY
        if state.swap == SWAP_OFFERED:
            key ^= OFFER_KEY
        return key

    def parse_move(text: str) -> int:
        return SWAP if text.lower() == "swap" else hexagon.parse(text)

    def move_text(move: int) -> str:
        return "swap" if move == SWAP else hexagon.text(move)

    def draw(state: Any, paint: Paint) -> str:
        return hexagon.draw(stones(state.colour[:cells], paint))

    def set_up(state: Any, contents: Sequence[int], mover: int) -> None:
        """Nothing is captured on the way if every chain has a liberty in the end."""
        start(state)
        state.swap = 0
        stones = [cell for cell in range(cells) if contents[cell]]
        won = 0
        for cell in stones:
            state.mover = contents[cell] - 1
            play(state, cell)
            won = won or state.result % DRAW
        if list(state.colour[:cells]) != list(contents):
            raise ValueError("a chain has no liberty")
        state.mover = mover
        state.result = won or (DRAW if stuck(state, mover + 1) else 0)
        if swap and not stones:
            state.swap = SWAP_COMING
        elif swap and mover == 1 and len(stones) == 1:
            state.swap = SWAP_OFFERED

    small = [(name, np.uint8) for name in ("mover", "result", "swap")]
    return Game(
        name="pentalath",
        state=np.dtype([("key", np.uint64), *board.fields, *free.fields, *small], align=True),
        move_codes=cells + 1,
        max_moves=cells,
        max_length=MAX_LENGTH,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        policies={"uniform": uniform},
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        player_names=NAMES,
        board=Board(
            cells=hexagon.board_cells,
            pieces=men("stone", NAMES),
            contents=lambda state: list(state.colour[:cells]),
            clicks=lambda state, move: [] if move == SWAP else [move],
            place=set_up,
        ),
        symmetries=symmetries(hexagon.board_cells, by_cell(range(cells))),
    )
