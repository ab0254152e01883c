"""Text: vertices such as E5, and the diagram."""

from collections.abc import Callable
from typing import Any

from tesuji.game import Paint, Size
from tesuji.games.board import GO_LETTERS, draw_grid, parse_point, point_text, stones
from tesuji.games.go.board import PASS, Board


def writer(board: Board) -> Callable[[int], str]:
    """Makes ``move_text(move)``."""

    def move_text(move: int) -> str:
        if move == PASS:
            return "pass"
        return point_text(board.point(move), board.size.width, GO_LETTERS)

    return move_text


def parser(board: Board) -> Callable[[str], int]:
    """Makes ``parse_move(text)``."""

    def parse_move(text: str) -> int:
        if text.lower() == "pass":
            return PASS
        try:
            return int(board.vertices[parse_point(text, *board.size, GO_LETTERS)])
        except ValueError as error:
            raise ValueError(f"{error}, or pass") from None

    return parse_move


def drawer(board: Board) -> Callable[[Any, Paint], str]:
    """Makes ``draw(state, paint)``: X is Black, O is White, + marks the star points."""
    stars = star_points(board.size)

    def draw(state: Any, paint: Paint) -> str:
        cells = stones([int(state.board[v]) for v in board.vertices], paint)
        shown = ["+" if c == "." and i in stars else c for i, c in enumerate(cells)]
        return draw_grid(shown, *board.size, GO_LETTERS)

    return draw


def star_points(size: Size) -> set[int]:
    """Where handicap stones go, as points.

    On the fourth line from 13 up and on the third from 7 up, in the middle of odd boards from 5 up,
    and in the middle of the sides from 15 up.
    """
    width, height = size
    small = min(size)
    line = 3 if small >= 13 else 2
    points = set()
    if small >= 7:
        points |= {(x, y) for x in (line, width - 1 - line) for y in (line, height - 1 - line)}
    if small >= 5 and width % 2 and height % 2:
        points.add((width // 2, height // 2))
    if small >= 15 and width % 2:
        points |= {(width // 2, line), (width // 2, height - 1 - line)}
    if small >= 15 and height % 2:
        points |= {(line, height // 2), (width - 1 - line, height // 2)}
    return {y * width + x for x, y in points}
