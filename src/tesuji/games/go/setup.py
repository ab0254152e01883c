"""Positions of Go that no game led to: stones as a list, a diagram, or another player to move.

Start with `set_up`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile.plain import view
from tesuji.errors import GameError, PositionError
from tesuji.game import Game
from tesuji.games.board import SYMBOLS
from tesuji.games.go.board import BLACK, EMPTY, WHITE, Board
from tesuji.games.go.facets import Goban
from tesuji.position import Position
from tesuji.text import set_up as place

STAR = "+"  # an empty point in a diagram


def board_of(game: Game) -> Board:
    """The geometry of a game of Go; other games are refused."""
    if not isinstance(game.board, Goban):
        raise GameError(f"this needs a game of Go, not {game.spec}")
    return game.board.geometry


def set_up(
    game: Game,
    black: Iterable[int],
    white: Iterable[int],
    mover: int = 0,
    *,
    komi: float | None = None,
    previous: Position | None = None,
) -> Position:
    """A position with these stones, given as move codes, and nothing captured or forbidden yet.

    ``komi`` replaces that of the game.  ``previous`` is the position that a game in progress had
    before someone changed it: taking back leads there, and its stones may not be repeated.

    >>> from tesuji.games import load
    >>> go = load("go:size=3")
    >>> print(set_up(go, [go.parse_move("B2")], [go.parse_move("A1")], mover=1))
      A B C
    3 . . . 3
    2 . X . 2
    1 O . . 1
      A B C
    """
    wanted = _wanted(game, black, white)
    _check_mover(mover)
    vertices = board_of(game).vertices.tolist()
    states = place(game, [wanted.get(vertex, EMPTY) for vertex in vertices], mover)
    if komi is not None:
        states[0]["komi"] = komi
    return _after(previous, game, states)


def to_move(position: Position, mover: int) -> Position:
    """The same stones with this player to move, whoever's turn it was; no ko is forbidden then."""
    if position.game.territory is None:
        raise GameError(f"nobody moves out of turn in {position.game.spec}")
    _check_mover(mover)
    states = position.state.copy()
    position.game.territory.turn(view(states)[0], mover)
    return _after(position, position.game, states)


def with_rules(
    position: Position, previous: Position | None, rules: Mapping[str, Any], game: Game
) -> Position:
    """The same position of ``game``, after ``previous``, with other rules in its state.

    ``rules`` are fields of the state, such as ``komi``.
    """
    before = position.previous if position.move is not None else None
    states = (position if before is None else before).state.copy()
    for key, value in rules.items():
        states[key] = value
    return Position(game, states, previous, None if before is None else position.move)


def without_moves(position: Position, moves: Iterable[int]) -> Position:
    """The same position where these legal moves are forbidden; a pass cannot be.

    They are forbidden by superko, as if the stones that they lead to had been there before.
    """
    at = position
    for move in moves:
        at = Position(position.game, position.play(move).state, at)
    return position if at is position else Position(position.game, position.state, at)


def path_to(position: Position) -> list[Position]:
    """All positions from the first to this, also across set-ups."""
    path = [position]
    while path[-1].previous is not None:
        path.append(path[-1].previous)
    return path[::-1]


def stones(position: Position, colour: int) -> list[int]:
    """Where the stones of `BLACK` or `WHITE` are, as move codes."""
    return np.flatnonzero(position.state[0]["board"] == colour).tolist()


def from_diagram(
    game: Game, diagram: str, mover: int = 0, *, komi: float | None = None
) -> Position:
    """Read a diagram as ``print(position)`` shows it; coordinates may be left out."""
    board = board_of(game)
    rows = [row for line in diagram.splitlines() if (row := _row(line))]
    width, height = board.size
    if len(rows) != height or any(len(row) != width for row in rows):
        shape = f"{len(rows)} rows of {', '.join(sorted({str(len(row)) for row in rows})) or 0}"
        raise PositionError(f"the diagram has {shape}, {game.spec} needs {height} rows of {width}")
    cells = [SYMBOLS.find(symbol) for row in reversed(rows) for symbol in row]
    black, white = (
        [int(v) for v, cell in zip(board.vertices, cells, strict=True) if cell == colour]
        for colour in (BLACK, WHITE)
    )
    return set_up(game, black, white, mover, komi=komi)


def _row(line: str) -> list[str]:
    """The points of a line, or nothing if it shows the names of the columns."""
    words = [word for word in line.split() if not word.isdigit()]
    return words if all(word in SYMBOLS or word == STAR for word in words) else []


def _wanted(game: Game, black: Iterable[int], white: Iterable[int]) -> dict[int, int]:
    """The colour of each stone."""
    points = frozenset(board_of(game).vertices.tolist())
    wanted: dict[int, int] = {}
    for colour, vertices in ((BLACK, black), (WHITE, white)):
        for vertex in sorted(vertices):
            if vertex not in points:
                raise PositionError(
                    f"{vertex} is not the code of a point of {game.spec}; valid: "
                    f"{min(points)} to {max(points)} without those of the walls"
                )
            if vertex in wanted:
                raise PositionError(
                    f"there are two stones on {game.move_text(vertex)}; a point holds one"
                )
            wanted[vertex] = colour
    return wanted


def _check_mover(mover: int) -> None:
    if mover not in (0, 1):
        raise PositionError(f"the mover is {mover}, it must be 0 (Black) or 1 (White)")


def _after(previous: Position | None, game: Game, states: npt.NDArray[Any]) -> Position:
    """A set-up position; one on top of another replaces it."""
    if previous is not None and previous.move is None:
        previous = previous.previous
    return Position(game, states, previous)
