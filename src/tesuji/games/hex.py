"""Hex: Black joins the top and the bottom of a rhombus, White its left and right; nobody can draw.

A stone knows which edge of its owner it is connected to.  A new stone learns that from its six
neighbours with one OR, and if it brings an edge to stones that had none, a flood tells them.
Whoever would hear of a second edge has won, so each stone is told at most once a game.  This takes
less time than union-find, which has to look for two roots after every move.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tesuji.compile import zobrist
from tesuji.facets import Board, by_cell, symmetries
from tesuji.game import Game, Kernel, Paint
from tesuji.games import placement, result
from tesuji.games.board import (
    HALF_TURN,
    LETTERS,
    draw_rows,
    hexagon_cell,
    men,
    parse_point,
    point_text,
    stones,
)

U64 = np.uint64
ONE = U64(1)

# What stands on a cell, three bits a player.  The border cells carry just the bit of their edge.
LOOSE = 1  # a stone that is connected to no edge
LOW, HIGH = 2, 4  # one that is connected to the top (or left), to the bottom (or right)
SECOND = 3  # White's bits are shifted by so many

SWAP = 0  # a border cell: no stone is ever placed there
NAMES = ("Black", "White")


class Rhombus:
    """The cells and a border of one more cell all around, numbered row by row from the top left."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.width = size + 2
        self.codes = self.width * self.width
        self.cells = [self.cell(point) for point in range(size * size)]
        self.state = np.dtype(
            [
                ("board", np.uint8, self.codes),
                *result.FIELDS,
                *placement.fields(len(self.cells), self.codes),
            ],
            align=True,
        )

    def cell(self, point: int) -> int:
        """The cell of a point that is numbered without the border."""
        return (point // self.size + 1) * self.width + point % self.size + 1

    def point(self, cell: int) -> int:
        return (cell // self.width - 1) * self.size + cell % self.width - 1

    def clear(self, state: Any, swap: bool) -> None:
        far = self.size + 1
        for i in range(1, far):
            state.board[i] = LOW
            state.board[far * self.width + i] = HIGH
            state.board[i * self.width] = LOW << SECOND
            state.board[i * self.width + far] = HIGH << SECOND
        placement.clear(state, self.cells, swap)

    def stones(self, state: Any) -> list[int]:
        """0, 1 or 2 for each cell without the border."""
        contents = [int(state.board[cell]) for cell in self.cells]
        return [0 if c == 0 else 1 if c < LOOSE << SECOND else 2 for c in contents]


def play_kernel(rhombus: Rhombus) -> Kernel:
    W = U64(rhombus.width)
    LESS = U64(rhombus.width - 1)

    def play(state: Any, move: int) -> None:
        cell = U64(move)
        if state.swap != placement.SWAP_OFF and placement.swaps(state, cell, SWAP):
            cell = lift(state)
        place(state, cell)

    def lift(state: Any) -> Any:
        """Remove the first stone and tell where it lies when the board is mirrored."""
        cell = U64(state.first)
        state.board[cell] = 0
        return cell % W * W + cell // W

    def place(state: Any, cell: Any) -> None:
        placement.take(state, cell)
        board = state.board
        shift = SECOND * state.mover
        near = (
            board[cell - W]
            | board[cell - LESS]
            | board[cell - ONE]
            | board[cell + ONE]
            | board[cell + LESS]
            | board[cell + W]
        ) >> shift
        edges = near & (LOW | HIGH)
        if edges == 0:
            board[cell] = LOOSE << shift
        else:
            board[cell] = edges << shift
            if edges == LOW | HIGH:
                state.result = state.mover + 1
            elif near & LOOSE != 0:
                spread(state, cell, LOOSE << shift, edges << shift)
        state.mover = 1 - state.mover

    def spread(state: Any, cell: Any, loose: int, edge: int) -> None:
        """Tell all loose stones connected to this one.

        The part of the list of empty cells that is not in use holds those whose neighbours have not
        been told yet: it has room for all stones on the board.
        """
        queue = state.vacant
        bottom = U64(state.left)
        top = bottom
        queue[top] = cell
        top += ONE
        while top > bottom:
            top -= ONE
            at = U64(queue[top])
            for neighbour in (at - W, at - LESS, at - ONE, at + ONE, at + LESS, at + W):
                if state.board[neighbour] == loose:
                    state.board[neighbour] = edge
                    queue[top] = neighbour
                    top += ONE

    return play


def hash_kernel(rhombus: Rhombus) -> Kernel:
    CELLS = np.array(rhombus.cells, np.uint32)
    KEYS = zobrist("hex", 2, rhombus.codes)
    MOVER = zobrist("hex mover", 1)[0]

    def hash(state: Any) -> np.uint64:
        key = MOVER if state.mover == 1 else U64(0)
        for cell in CELLS:
            contents = state.board[cell]
            if contents != 0:
                key ^= KEYS[1 if contents >> SECOND != 0 else 0, cell]
        return key

    return hash


def game(size: int = 11, swap: bool = False) -> Game:
    if not 1 <= size <= len(LETTERS):
        raise ValueError(f"size must be 1 to {len(LETTERS)}, not {size}")
    rhombus = Rhombus(size)
    play = play_kernel(rhombus)
    cells = tuple(
        hexagon_cell(point_text(point, size), point % size + point // size / 2, point // size)
        for point in range(size * size)
    )

    def start(state: Any) -> None:
        rhombus.clear(state, swap)

    def move_text(move: int) -> str:
        return "swap" if move == SWAP else point_text(rhombus.point(move), size)

    def parse_move(text: str) -> int:
        if swap and text.lower() == "swap":
            return SWAP
        return rhombus.cell(parse_point(text, size, size))

    def draw(state: Any, paint: Paint) -> str:
        symbols = stones(rhombus.stones(state), paint)
        rows = [symbols[y * size : (y + 1) * size] for y in range(size)]
        names = [str(y) if y else "" for y in range(size + 1)]
        return draw_rows([list(LETTERS[:size]), *rows], lambda i: i, names)

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        rhombus.clear(state, False)
        stones = dict(zip(rhombus.cells, contents, strict=True))
        placement.set_up(state, play, stones, mover, SWAP if swap else None)

    return Game(
        name="hex",
        state=rhombus.state,
        move_codes=rhombus.codes,
        max_moves=size * size,
        max_length=size * size + 1,
        start=start,
        moves=placement.moves,
        play=play,
        over=result.over,
        mover=result.mover,
        rewards=result.rewards,
        hash=hash_kernel(rhombus),
        policies={"uniform": placement.uniform},
        player_names=NAMES,
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        board=Board(
            cells=cells,
            pieces=men("stone", NAMES),
            contents=rhombus.stones,
            clicks=lambda state, move: [] if move == SWAP else [rhombus.point(move)],
            place=place,
        ),
        # The mirrors of a rhombus would have each player join the other one's edges.
        symmetries=symmetries(cells, by_cell(rhombus.cells), [HALF_TURN]),
    )
