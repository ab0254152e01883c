"""What AtariGo and NoGo share besides chains: the board, its notation, and who has lost.

Both are played by placing stones, Black first, without passing, and in both the game ends when the
player to move has lost: by a capture, or because there is no legal move.
"""

from typing import Any

import numpy as np

from tesuji.compile import zobrist
from tesuji.game import Game, Kernel, Paint, Size
from tesuji.games.board import GO_LETTERS, draw_grid, parse_point, point_text, stones

LONGEST = len(GO_LETTERS)


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
) -> Game:
    """A game on this board; to its ``fields`` come ``key``, kept by ``play``, and ``mover``."""
    width, height = size
    points = width * height

    def draw(state: Any, paint: Paint) -> str:
        return draw_grid(stones(state.colour[:points], paint), width, height, GO_LETTERS)

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
        player_names=("Black", "White"),
    )
