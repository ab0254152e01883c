"""Positions of Go that no game led to: stones as a list, a diagram, or another player to move.

Start with `set_up`.  Stones are placed by the rules' own ``play``, so the record of the state needs
no second description of what belongs to it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile.plain import interpret
from tesuji.errors import GameError, PositionError
from tesuji.game import Game
from tesuji.games.board import SYMBOLS
from tesuji.games.go.board import BLACK, EMPTY, PASS, WHITE, Board, make_board
from tesuji.position import Position

STAR = "+"  # an empty point in a diagram
FORGET = 16  # passes, more than any state remembers of the moves before it


def board_of(game: Game) -> Board:
    """The geometry of a game of Go; other games are refused."""
    if game.name != "go" or "size" not in game.parameters:
        raise GameError(f"this needs a game of go from tesuji.load, not {game.spec}")
    return make_board(game.parameters["size"])


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
    states = Position.start(game).state.copy()
    interpret(_place_all)(game.play, states, sorted(wanted.items(), key=lambda item: item[1]))
    lost = [vertex for vertex, colour in wanted.items() if states[0]["board"][vertex] != colour]
    if lost:
        raise PositionError(
            f"the stone on {game.move_text(min(lost))} has no liberty; every chain needs one"
        )
    if komi is not None:
        states[0]["komi"] = komi
    return _begin(game, states, mover, previous)


def to_move(position: Position, mover: int) -> Position:
    """The same stones with this player to move, whoever's turn it was; no ko is forbidden then."""
    return _begin(position.game, position.state.copy(), mover, position)


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


def _place_all(play: Any, states: Any, stones: Sequence[tuple[int, int]]) -> None:
    """Kernel, uncompiled: put all stones, one colour after the other, and forget the order.

    As long as every chain has a liberty in the end, it has one at any time before, so nothing is
    captured on the way.  If one has none, it is gone afterwards.
    """
    state = states[0]
    for vertex, colour in stones:
        if state.board[vertex] == EMPTY:
            state.mover = colour
            play(state, vertex)
    for _ in range(FORGET):
        play(state, PASS)


def _begin(game: Game, states: npt.NDArray[Any], mover: int, previous: Position | None) -> Position:
    if mover not in (0, 1):
        raise PositionError(f"the mover is {mover}, it must be 0 (Black) or 1 (White)")
    states[0]["mover"] = BLACK + mover
    states[0]["ko"] = 0
    states[0]["passes"] = 0
    if previous is not None and previous.move is None:
        previous = previous.previous  # a set-up on top of another replaces it
    return Position(game, states, previous)
