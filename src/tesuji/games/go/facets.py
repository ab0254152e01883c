"""What others may ask of Go without knowing that it is Go: the board, territory, symmetries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tesuji.facets import Board as BoardFacet
from tesuji.facets import Symmetry, Territory, by_cell, symmetries
from tesuji.game import Game, Kernel
from tesuji.games.board import GO_LETTERS, grid_cells, men
from tesuji.games.go.board import BLACK, EMPTY, PASS, WHITE, Board
from tesuji.games.go.score import owning

NAMES = ("Black", "White")
PARAMETERS = ("size", "komi", "suicide", "superko")
FORGET = 16  # passes, more than any state remembers of the moves before it


@dataclass(frozen=True, kw_only=True, eq=False)
class Goban(BoardFacet):
    """The board of a game whose positions are Go's records: game records, handicap, rules of Go."""

    geometry: Board


def is_go(game: Game) -> bool:
    """Is this Go as game records and other programs know it?

    Its positions are Go's, and what they tell apart is a parameter: size, komi, rules.
    """
    return isinstance(game.board, Goban) and all(key in game.parameters for key in PARAMETERS)


def goban(board: Board, start: Kernel, play: Kernel) -> Goban:
    """The board; positions are set up by the rules' own ``play``."""

    def contents(state: Any) -> list[int]:
        return [int(state.board[vertex]) for vertex in board.vertices]

    def clicks(state: Any, move: int) -> list[int]:
        return [] if move == PASS else [board.point(move)]

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        """Put all stones, one colour after the other, and forget the order.

        As long as every chain has a liberty in the end, it has one at any time before, so nothing
        is captured on the way.  If one has none, it is gone afterwards.
        """
        start(state)
        stones = list(zip(board.vertices, contents, strict=True))
        for colour in (BLACK, WHITE):
            for vertex in (vertex for vertex, what in stones if what == colour):
                if state.board[vertex] == EMPTY:
                    state.mover = colour
                    play(state, vertex)
        for _ in range(FORGET):
            play(state, PASS)
        give_turn(state, mover)
        lost = [point for point, (v, what) in enumerate(stones) if state.board[v] != what]
        if lost:
            raise ValueError(
                f"the stone on {cells[lost[0]].name} has no liberty; every chain needs one"
            )

    cells = grid_cells(*board.size, GO_LETTERS, "point")
    return Goban(
        cells=cells,
        pieces=men("stone", NAMES),
        contents=contents,
        clicks=clicks,
        place=place,
        geometry=board,
    )


def area(board: Board, score: Kernel) -> Territory:
    """Points are owned, and counted against komi."""
    return Territory(
        owners=owning(board),
        score=score,
        points=tuple(board.vertices.tolist()),
        komi="komi",
        turn=give_turn,
    )


def give_turn(state: Any, player: int) -> None:
    """Let a player move next: no ko is forbidden, and no pass was made."""
    state.mover = BLACK + player
    state.ko = 0
    state.passes = 0


def images(board: Board) -> tuple[Symmetry, ...]:
    """All turns and mirrors of the board."""
    return symmetries(grid_cells(*board.size), by_cell(board.vertices.tolist()))
