"""The rules agree with OpenSpiel: legal moves, mover, end and result at every step of random games.

A `Pair` names the same game in both libraries and says which OpenSpiel action is meant by a move.
To add a game, add its pairs to `PAIRS`.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import pytest

import checks
from tesuji.exact import perft
from tesuji.games.board import GO_LETTERS
from tesuji.games.hexagon import Hexagon
from tesuji.position import Position

pyspiel = pytest.importorskip("pyspiel")


@dataclass(frozen=True)
class Pair:
    spec: str  #: the game here
    spiel: str  #: the game there
    action: Callable[[Position, int], int]  #: their action for our move in a position
    depth: int = 3  #: of the comparison of leaf counts; 0 means none
    wrap: Callable[[Any], Any] = lambda state: state  #: makes one action of what is several there

    def __str__(self) -> str:
        return self.spec

    def start(self) -> tuple[Position, Any]:
        state = pyspiel.load_game(self.spiel).new_initial_state()
        return checks.after(self.spec), self.wrap(state)


class ThreeSteps:
    """A state of Amazons there: a move is three actions, each a square; here one number."""

    BASE = 1000

    def __init__(self, state: Any) -> None:
        self.state = state
        self.is_terminal = state.is_terminal
        self.current_player = state.current_player
        self.returns = state.returns

    def legal_actions(self) -> list[int]:
        return sorted(
            (origin * self.BASE + square) * self.BASE + arrow
            for origin in self.state.legal_actions()
            for to in [self.state.child(origin)]
            for square in to.legal_actions()
            for arrow in to.child(square).legal_actions()
        )

    def apply_action(self, action: int) -> None:
        head, arrow = divmod(action, self.BASE)
        for step in (*divmod(head, self.BASE), arrow):
            self.state.apply_action(step)

    def child(self, action: int) -> "ThreeSteps":
        after = ThreeSteps(self.state.clone())
        after.apply_action(action)
        return after


class WithoutSuperko:
    """A state of Go there: a move that repeats a position is legal and ends the game as a draw.

    Here such a move is illegal, so it is taken out.  (Games end there after twice the area, too,
    unless ``max_game_length`` says otherwise.)
    """

    def __init__(self, state: Any) -> None:
        self.state = state
        self.is_terminal = state.is_terminal
        self.current_player = state.current_player
        self.returns = state.returns
        self.apply_action = state.apply_action

    def legal_actions(self) -> list[int]:
        *points, pass_action = self.state.legal_actions()
        return [*(point for point in points if not self.repeats(point)), pass_action]

    def repeats(self, point: int) -> bool:
        after = self.state.child(point)
        if after.is_terminal():
            assert after.returns() == [0, 0]
            return True
        return False

    def child(self, action: int) -> "WithoutSuperko":
        return WithoutSuperko(self.state.child(action))


class BeyondComparisonError(Exception):
    """The game is over there and goes on here, by a rule that no adapter can take back."""


class WithRepetition:
    """A state of Lines of Action there: a board that was there before ends the game as a draw.

    Here the game goes on, so it goes on there from the earlier state with that board.  When the
    other player was to move then, which their rule does not look at, there is no such state.
    """

    def __init__(self, state: Any) -> None:
        self.state = state
        self.earlier = {str(state): state.clone()}
        self.boards = {self.board()}

    def board(self) -> str:
        return str(self.state).partition("Current player: ")[0]

    def is_terminal(self) -> bool:
        return bool(self.state.is_terminal())

    def current_player(self) -> int:
        return int(self.state.current_player())

    def legal_actions(self) -> list[int]:
        return list(self.state.legal_actions())

    def returns(self) -> list[float]:
        return list(self.state.returns())

    def child(self, action: int) -> Any:
        return self.state.child(action)

    def apply_action(self, action: int) -> None:
        following = "ox"[self.current_player()]
        self.state.apply_action(action)
        if self.is_terminal() and self.board() in self.boards:
            assert self.returns() == [0, 0]
            after = f"{self.board()}Current player: {following}"
            if after not in self.earlier:
                raise BeyondComparisonError
            self.state = self.earlier[after].clone()
        self.earlier[str(self.state)] = self.state.clone()
        self.boards.add(self.board())


def go_action(position: Position, move: int) -> int:
    """Points are numbered row by row; the pass comes after the last one."""
    text = position.move_text(move)
    size = round((position.game.max_moves - 1) ** 0.5)
    if text == "pass":
        return size * size
    return (int(text[1:]) - 1) * size + GO_LETTERS.index(text[0])


def go_pair(size: int, komi: float, depth: int) -> Pair:
    there = f"go(board_size={size},komi={komi},max_game_length=100000)"
    return Pair(f"go:size={size},komi={komi}", there, go_action, depth, WithoutSuperko)


def amazons_action(position: Position, move: int) -> int:
    """Squares are numbered row by row from the top."""
    squares = round(position.game.move_codes ** (1 / 3))
    size = round(squares**0.5)
    action = 0
    for square in (move // squares**2, move // squares % squares, move % squares):
        y, x = divmod(square, size)
        action = action * ThreeSteps.BASE + (size - 1 - y) * size + x
    return action


def breakthrough_action(position: Position, move: int) -> int:
    """Row (the first player's is the top one), column, direction (of six) and capture."""
    origin, target = position.move_text(move).split("-")
    width = position.game.max_moves // 6
    x, y = ord(origin[0]) - ord("a"), int(origin[1:]) - 1
    direction = 3 * position.mover + 1 + ord(target[0]) - ord(origin[0])
    return ((y * width + x) * 6 + direction) * 2 + (cells(position)[target] != ".")


def loa_action(position: Position, move: int) -> int:
    """Both squares and whether it is a capture."""
    target = position.move_text(move).split("-")[1]
    return 2 * move + (cells(position)[target] != ".")


@lru_cache(maxsize=1)
def cells(position: Position) -> dict[str, str]:
    """What is drawn on each square of a board."""
    names, *rows, _ = (line.split() for line in str(position).splitlines())
    return {name + row[0]: cell for row in rows for name, cell in zip(names, row[1:], strict=False)}


def same_code(position: Position, move: int) -> int:
    return move


def hex_action(position: Position, move: int) -> int:
    """Points are numbered row by row; swap comes after the last one."""
    text = position.move_text(move)
    size = round(position.game.max_moves**0.5)
    if text == "swap":
        return size * size
    return (int(text[1:]) - 1) * size + ord(text[0]) - ord("a")


def havannah_action(position: Position, move: int) -> int:
    """Cells are numbered in a square around the hexagon; a swap repeats the first move."""
    if position.move_text(move) == "swap":
        move = position.line[0]
    hexagon = hexagon_of(position.game.max_moves)
    x, y = hexagon.places[move]
    return y * hexagon.width + x


@cache
def hexagon_of(cells: int) -> Hexagon:
    return next(h for h in map(Hexagon, range(1, 14)) if h.cells == cells)


PAIRS = [
    Pair("amazons", "amazons", amazons_action, depth=1, wrap=ThreeSteps),
    Pair("amazons:size=6", "amazons(board_size=6)", amazons_action, depth=2, wrap=ThreeSteps),
    Pair("amazons:size=8", "amazons(board_size=8)", amazons_action, depth=1, wrap=ThreeSteps),
    Pair("breakthrough", "breakthrough", breakthrough_action),
    Pair("breakthrough:size=6", "breakthrough(rows=6,columns=6)", breakthrough_action),
    Pair("breakthrough:size=3x7", "breakthrough(rows=7,columns=3)", breakthrough_action, depth=5),
    Pair("connect4", "connect_four", same_code, depth=5),
    Pair("connect4:size=5x4", "connect_four(columns=5,rows=4)", same_code, depth=7),
    go_pair(3, komi=0.0, depth=5),
    go_pair(5, komi=2.0, depth=3),
    go_pair(9, komi=7.5, depth=2),
    Pair("hex", "hex(board_size=11)", hex_action, depth=2),
    Pair("hex:size=3", "hex(board_size=3)", hex_action, depth=6),
    Pair("hex:size=4,swap=true", "hex(board_size=4,swap=true)", hex_action, depth=4),
    Pair("havannah", "havannah(board_size=8)", havannah_action, depth=2),
    Pair("havannah:size=3", "havannah(board_size=3)", havannah_action, depth=4),
    Pair("havannah:size=4,swap=true", "havannah(board_size=4,swap=true)", havannah_action),
    Pair("havannah:size=10", "havannah(board_size=10)", havannah_action, depth=0),
    Pair("loa", "lines_of_action", loa_action, wrap=WithRepetition),
]

by_pair = pytest.mark.parametrize("pair", PAIRS, ids=str)


def check_random_game(pair: Pair, seed: int) -> int:
    """Compare every step of a game; how many moves could be compared."""
    rng = random.Random(seed)
    position, state = pair.start()
    while not position.over:
        assert not state.is_terminal(), position
        assert position.mover == state.current_player()
        actions = [pair.action(position, move) for move in position.moves]
        assert sorted(actions) == state.legal_actions(), position
        chosen = rng.randrange(len(actions))
        position = position.play(position.moves[chosen])
        try:
            state.apply_action(actions[chosen])
        except BeyondComparisonError:
            return position.ply
    assert state.is_terminal(), position
    assert position.rewards == tuple((1 + score) / 2 for score in state.returns()), position
    return position.ply


@by_pair
def test_random_games(pair: Pair) -> None:
    for seed in range(20):
        check_random_game(pair, seed)


@pytest.mark.parametrize(("seed", "plies"), [(487, 385), (488, 218), (578, 176)])
def test_a_board_that_returns_with_the_other_player_to_move(seed: int, plies: int) -> None:
    """Random games of Lines of Action in which a cycle of boards has an odd length."""
    (pair,) = (pair for pair in PAIRS if pair.spec == "loa")
    assert check_random_game(pair, seed) == plies


@pytest.mark.stress
@by_pair
def test_more_random_games(pair: Pair) -> None:
    for seed in range(100, 300):
        check_random_game(pair, seed)


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.depth], ids=str)
def test_leaf_counts(pair: Pair) -> None:
    position, state = pair.start()
    assert perft(position, pair.depth) == count_leaves(state, pair.depth)


def count_leaves(state: Any, depth: int) -> int:
    if depth == 0 or state.is_terminal():
        return 1
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(count_leaves(state.child(action), depth - 1) for action in actions)
