"""Tic-tac-toe, the reference to copy for a game of your own.

Everything a game needs, and its facets, which it could do without: what programs with a board want
to know.  Run ``tesuji check-game FILE`` while you change it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tesuji.facets import Board, Cell, Piece, by_cell, symmetries
from tesuji.game import Game, Paint

# A position: who stands where (0 nobody, 1 and 2 the players), how many moves were made, who won.
State = np.dtype([("board", np.int8, 9), ("count", np.int8), ("winner", np.int8)], align=True)

LINES = np.array(
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
)


def start(state: Any) -> None:
    """The record arrives zeroed, and an empty board is all zeros."""


def mover(state: Any) -> int:
    return state.count % 2


def moves(state: Any, out: Any) -> int:
    n = 0
    for cell in range(9):
        if state.board[cell] == 0:
            out[n] = cell
            n += 1
    return n


def play(state: Any, move: int) -> None:
    stone = mover(state) + 1
    state.board[move] = stone
    state.count += 1
    if has_line(state, stone):
        state.winner = stone


def has_line(state: Any, stone: int) -> bool:
    """Kernel: are three in a row?"""
    for i in range(len(LINES)):
        if (
            state.board[LINES[i, 0]] == stone
            and state.board[LINES[i, 1]] == stone
            and state.board[LINES[i, 2]] == stone
        ):
            return True
    return False


def over(state: Any) -> bool:
    return state.winner != 0 or state.count == 9


def rewards(state: Any, out: Any) -> None:
    for player in range(2):
        if state.winner == 0:
            out[player] = 0.5
        else:
            out[player] = 1.0 if state.winner == player + 1 else 0.0


def hash(state: Any) -> np.uint64:
    """Two bits a cell: here the whole board fits into the 64 bits."""
    key = np.uint64(0)
    for cell in range(9):
        key = (key << np.uint64(2)) | np.uint64(state.board[cell])
    return key


def move_text(move: int) -> str:
    return "abc"[move % 3] + "123"[move // 3]


def parse_move(text: str) -> int:
    names = [move_text(move) for move in range(9)]
    if text not in names:
        raise ValueError("a cell is a letter a to c and a digit 1 to 3, for example b2")
    return names.index(text)


def draw(state: Any, paint: Paint) -> str:
    symbols = [".", paint("X", 0), paint("O", 1)]
    rows = [
        f"{3 - y} " + " ".join(symbols[state.board[3 * (2 - y) + x]] for x in range(3))
        for y in range(3)
    ]
    return "\n".join([*rows, "  a b c"])


# --- facets --------------------------------------------------------------------------------------

CELLS = tuple(Cell(move_text(cell), x=cell % 3, y=cell // 3) for cell in range(9))


def contents(state: Any) -> list[int]:
    """What stands on each cell."""
    return list(state.board)


def clicks(state: Any, move: int) -> list[int]:
    """What a person clicks for a move."""
    return [move]


def place(state: Any, contents: Sequence[int], mover: int) -> None:
    """Set a position up, in a record of zeros."""
    state.board[:] = contents
    state.count = 9 - contents.count(0)
    lines = [stone for stone in (1, 2) if has_line(state, stone)]
    if contents.count(1) - contents.count(2) != mover or len(lines) > 1:
        raise ValueError("X begins, the players take turns, and one line of three ends the game")
    state.winner = sum(lines)


def game() -> Game:
    return Game(
        name="tictactoe",
        state=State,
        move_codes=9,
        max_moves=9,
        max_length=9,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        board=Board(
            cells=CELLS,
            pieces=(Piece("X", "X", player=0), Piece("O", "O", player=1)),
            contents=contents,
            clicks=clicks,
            place=place,
        ),
        symmetries=symmetries(CELLS, by_cell(range(9))),
    )
