"""What AtariGo and NoGo share besides chains: the board, its notation, and who has lost.

Both are played by placing stones, Black first, without passing, and in both the game ends when the
player to move has lost: by a capture, or because there is no legal move.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tesuji.compile import zobrist
from tesuji.facets import Board, by_cell, symmetries
from tesuji.game import Game, Kernel, Paint, Size
from tesuji.games.board import (
    GO_LETTERS,
    draw_grid,
    grid_cells,
    men,
    parse_point,
    point_text,
    stones,
)

LONGEST = len(GO_LETTERS)
NAMES = ("Black", "White")


def check_size(size: Size) -> None:
    """A single point would leave Black without a move."""
    if not all(1 <= side <= LONGEST for side in size) or size.width * size.height < 2:
        raise ValueError(
            f"size must be 1 to {LONGEST} columns and rows with at least two points, not {size}"
        )


def mover(state: Any) -> int:
    return state.mover


def rewards(state: Any, out: Any) -> None:
    out[state.mover] = 0.0
    out[1 - state.mover] = 1.0


def hash(state: Any) -> np.uint64:
    """The stones tell who is to move: the players alternate and nothing leaves the board."""
    return np.uint64(state.key)


def stone_keys(size: Size) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The keys of Black's and White's stones on each point."""
    return zobrist("goban", 2, size.width * size.height)


def goban_game(
    name: str,
    size: Size,
    fields: list[Any],
    *,
    start: Kernel,
    moves: Kernel,
    play: Kernel,
    over: Kernel,
    uniform: Kernel,
    settle: Kernel,
) -> Game:
    """A game on this board; to its ``fields`` come ``key``, kept by ``play``, and ``mover``.

    ``settle(state)`` is told when a position was set up, with the player to move.
    """
    width, height = size
    points = width * height
    cells = grid_cells(width, height, GO_LETTERS, "point")

    def draw(state: Any, paint: Paint) -> str:
        return draw_grid(stones(state.colour[:points], paint), width, height, GO_LETTERS)

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        if contents.count(1) - contents.count(2) != mover:
            raise ValueError("Black begins, and the players take turns")
        start(state)
        for point, what in enumerate(contents):
            if what:
                state.mover = what - 1
                play(state, point)
        if any(state.liberties[state.head[p]] == 0 for p in range(points) if contents[p]):
            raise ValueError("a chain has no liberty")
        state.mover = mover
        settle(state)

    return Game(
        name=name,
        state=np.dtype([("key", np.uint64), *fields, ("mover", np.uint8)], align=True),
        move_codes=points,
        max_moves=points,
        max_length=points,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        policies={"uniform": uniform},
        parse_move=lambda text: parse_point(text, width, height, GO_LETTERS),
        move_text=lambda move: point_text(move, width, GO_LETTERS),
        draw=draw,
        player_names=NAMES,
        board=Board(
            cells=cells,
            pieces=men("stone", NAMES),
            contents=lambda state: list(state.colour[:points]),
            clicks=lambda state, move: [move],
            place=place,
        ),
        symmetries=symmetries(cells, by_cell(range(points))),
    )
