"""Connect Four: drop a stone into a column; four in a row win, a full board is a draw.

A position is two bit boards (Tromp's layout): each column takes one bit more than it has rows, so
that a line never runs on into the next column.  Then shifts by the distance of two neighbours test
all lines of a direction at once.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tesuji.compile import below
from tesuji.facets import Board, symmetries
from tesuji.game import Game, Kernel, Paint, Size
from tesuji.games import result
from tesuji.games.board import LEFT_RIGHT, LETTERS, draw_grid, grid_cells, men, stones

U64 = np.uint64

State = np.dtype(
    [
        ("own", np.uint64),  # the stones of the player to move
        ("all", np.uint64),
        *result.FIELDS,
    ],
    align=True,
)


def start(state: Any) -> None:
    """The record arrives zeroed, and an empty board is all zeros."""


def hash(state: Any) -> np.uint64:
    """Exact: of a column with h stones the sum lies in 2**h - 1 .. 2**(h+1) - 2."""
    return U64(state.own) + U64(state.all)


def move_kernels(width: int, height: int) -> tuple[Kernel, Kernel, Kernel]:
    """``moves``, ``play`` and the uniform policy for one size of board."""
    TALL = height + 1
    BOTTOM = np.array([1 << x * TALL for x in range(width)], U64)
    TOP = np.array([1 << x * TALL + height - 1 for x in range(width)], U64)
    FULL = U64(sum(((1 << height) - 1) << x * TALL for x in range(width)))
    STEPS = np.array([1, height, height + 1, height + 2], U64)
    COLUMN = U64((1 << TALL) - 1)

    def moves(state: Any, out: Any) -> int:
        n = 0
        for x in range(width):
            if U64(state.all) & TOP[x] == 0:
                out[n] = x
                n += 1
        return n

    def play(state: Any, move: int) -> None:
        x = np.uint32(move)
        before = U64(state.all)
        column = COLUMN * BOTTOM[x]
        stone = (before + BOTTOM[x]) & column  # adding carries up to the lowest empty cell
        own = U64(state.own) | stone
        after = before | stone
        state.own = after ^ own
        state.all = after
        if four(own):
            state.result = state.mover + 1
        elif after == FULL:
            state.result = result.DRAW
        state.mover = 1 - state.mover

    def four(own: Any) -> bool:
        lines = U64(0)
        for i in range(4):
            pairs = own & (own >> STEPS[i])
            lines |= pairs & (pairs >> (STEPS[i] + STEPS[i]))
        return lines != 0

    def uniform(state: Any, playout: Any, rng: Any) -> int:
        """Draw a column until one has room; a column is rarely full before the game is over."""
        while True:
            x = np.uint32(below(rng, width))
            if U64(state.all) & TOP[x] == 0:
                return x

    return moves, play, uniform


def cells(state: Any, width: int, height: int) -> list[int]:
    """0, 1 or 2 for each cell, the bottom row first."""
    first = int(state.own) if state.mover == 0 else int(state.own) ^ int(state.all)
    second = first ^ int(state.all)
    bits = [x * (height + 1) + y for y in range(height) for x in range(width)]
    return [(first >> bit & 1) + 2 * (second >> bit & 1) for bit in bits]


def game(size: Size = Size(7, 6)) -> Game:
    width, height = size
    if not (1 <= width <= len(LETTERS) and height >= 1 and width * (height + 1) <= 64):
        raise ValueError(
            f"size must be 1 to {len(LETTERS)} columns of 1 row or more with "
            f"columns * (rows + 1) at most 64, not {width}x{height}"
        )
    moves, play, uniform = move_kernels(width, height)
    board_cells = grid_cells(width, height)

    def move_text(move: int) -> str:
        return LETTERS[move]

    def parse_move(text: str) -> int:
        column = LETTERS.find(text.lower()) if len(text) == 1 else -1
        if text.isascii() and text.isdigit():
            column = int(text) - 1
        if not 0 <= column < width:
            raise ValueError(
                f"a column is a letter a to {LETTERS[width - 1]} or a number 1 to {width}"
            )
        return column

    def draw(state: Any, paint: Paint) -> str:
        return draw_grid(stones(cells(state, width, height), paint), width, height)

    def clicks(state: Any, move: int) -> list[int]:
        """Where the stone comes to lie."""
        column = int(state.all) >> move * (height + 1) & (1 << height) - 1
        return [column.bit_count() * width + move]

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        won = 0
        for cell, what in enumerate(contents):
            if what:
                if cell >= width and not contents[cell - width]:
                    raise ValueError(f"there is nothing under {board_cells[cell].name}")
                turn(state, what - 1)
                play(state, cell % width)
                won = won or state.result % result.DRAW
        turn(state, mover)
        state.result = won or state.result

    def turn(state: Any, player: int) -> None:
        if state.mover != player:
            state.own = int(state.own) ^ int(state.all)
            state.mover = player

    return Game(
        name="connect4",
        state=State,
        move_codes=width,
        max_moves=width,
        max_length=width * height,
        start=start,
        moves=moves,
        play=play,
        over=result.over,
        mover=result.mover,
        rewards=result.rewards,
        hash=hash,
        policies={"uniform": uniform},
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        board=Board(
            cells=board_cells,
            pieces=men("stone", ("X", "O")),
            contents=lambda state: cells(state, width, height),
            clicks=clicks,
            place=place,
        ),
        symmetries=symmetries(board_cells, lambda goes, move: goes[move], [LEFT_RIGHT]),
    )
