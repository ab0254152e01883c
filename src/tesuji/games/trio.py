"""Trio: a row of stones wins, and three players want it; a small game for more than two.

The rules are those of tic-tac-toe for two to four players.  With three, whoever blocks a row does
it for a third player, too: a search has to know what each player wants for himself.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tesuji.compile import zobrist
from tesuji.facets import Board, by_cell, symmetries
from tesuji.game import Game, Paint, Size
from tesuji.games.board import draw_grid, grid_cells, men, parse_point, point_text

NAMES = ("X", "O", "Y", "Z")
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def rows(size: Size, line: int) -> list[list[int]]:
    """All rows of ``line`` points that win, level, upright or diagonal."""
    width, height = size
    ends = [
        (x, y, dx, dy)
        for y in range(height)
        for x in range(width)
        for dx, dy in WAYS
        if x + (line - 1) * dx < width and 0 <= y + (line - 1) * dy < height
    ]
    return [[(y + i * dy) * width + x + i * dx for i in range(line)] for x, y, dx, dy in ends]


def rows_through(size: Size, line: int) -> np.ndarray[Any, Any]:
    """``table[point]`` has the rows through a point; the first is repeated to fill the table."""
    every = rows(size, line)
    through = [[row for row in every if p in row] for p in range(size.width * size.height)]
    most = max(map(len, through))
    return np.array([(found + most * found[:1])[:most] for found in through], np.uint8)


def check(players: int, size: Size, line: int) -> None:
    if not 2 <= players <= len(NAMES):
        raise ValueError(f"players must be 2 to {len(NAMES)}, not {players}")
    if not all(3 <= side <= 15 for side in size):
        raise ValueError(f"both sides of size must be 3 to 15, not {size}")
    if not 3 <= line <= min(size):
        raise ValueError(f"line must be 3 to {min(size)} on a board of {size}, not {line}")


def game(players: int = 3, size: Size = Size(6, 6), line: int = 4) -> Game:
    check(players, size, line)
    POINTS = size.width * size.height
    ROWS = rows_through(size, line)
    KEYS = zobrist("trio", len(NAMES), POINTS)
    cells = grid_cells(*size)

    def start(state: Any) -> None:
        """The record arrives zeroed, and an empty board is all zeros."""

    def mover(state: Any) -> int:
        return state.count % players

    def moves(state: Any, out: Any) -> int:
        n = 0
        for point in range(POINTS):
            if state.board[point] == 0:
                out[n] = point
                n += 1
        return n

    def complete(state: Any, row: Any, stone: int) -> bool:
        for i in range(line):
            if state.board[row[i]] != stone:
                return False
        return True

    def play(state: Any, move: int) -> None:
        stone = mover(state) + 1
        state.board[move] = stone
        state.count += 1
        judge(state, move, stone)

    def judge(state: Any, move: int, stone: int) -> None:
        """Kernel: does the stone there win?"""
        for i in range(ROWS.shape[1]):
            if complete(state, ROWS[move, i], stone):
                state.winner = stone

    def over(state: Any) -> bool:
        return state.winner != 0 or state.count == POINTS

    def rewards(state: Any, out: Any) -> None:
        """The winner gets everything; a draw is shared by all."""
        for player in range(players):
            if state.winner == 0:
                out[player] = 1.0 / players
            else:
                out[player] = 1.0 if state.winner == player + 1 else 0.0

    def hash(state: Any) -> np.uint64:
        """The stones tell who is to move."""
        key = np.uint64(0)
        for point in range(POINTS):
            if state.board[point] != 0:
                key ^= KEYS[state.board[point] - 1, point]
        return key

    def draw(state: Any, paint: Paint) -> str:
        symbols = [".", *(paint(name, player) for player, name in enumerate(NAMES))]
        return draw_grid([symbols[stone] for stone in state.board], size.width, size.height)

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        stones = [contents.count(player + 1) for player in range(players)]
        count = sum(stones)
        if stones != [(count + players - 1 - player) // players for player in range(players)]:
            raise ValueError(f"{NAMES[0]} begins, and the players take turns: not {stones} stones")
        if mover != count % players:
            raise ValueError(f"after {count} stones {NAMES[count % players]} is to move")
        state.board[:] = contents
        state.count = count
        for point, what in enumerate(contents):
            if what:
                judge(state, point, what)

    return Game(
        name="trio",
        # who stands where (0 nobody, 1 and more the players), how many moves were made, who won
        state=np.dtype(
            [("board", np.uint8, POINTS), ("count", np.uint8), ("winner", np.uint8)], align=True
        ),
        players=players,
        player_names=NAMES[:players],
        move_codes=POINTS,
        max_moves=POINTS,
        max_length=POINTS,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        parse_move=lambda text: parse_point(text, size.width, size.height),
        move_text=lambda move: point_text(move, size.width),
        draw=draw,
        board=Board(
            cells=cells,
            pieces=men("stone", NAMES[:players], "." + "".join(NAMES)),
            contents=lambda state: list(state.board),
            clicks=lambda state, move: [move],
            place=place,
        ),
        symmetries=symmetries(cells, by_cell(range(POINTS))),
    )
