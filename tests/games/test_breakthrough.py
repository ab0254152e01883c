from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import checks
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft, solve
from tesuji.game import Game, Size
from tesuji.games import load
from tesuji.games.breakthrough import EMPTY, squares
from tesuji.position import Position

PERFT = [(1, 22), (2, 484), (3, 11_132), (4, 256_036)]

# columns, rows, White's reward
WINNERS = [(2, 5, 0.0), (3, 5, 0.0), (2, 6, 1.0)]
MORE_WINNERS = [(2, 7, 0.0), (2, 8, 1.0), (3, 6, 1.0), (4, 5, 0.0)]


@pytest.mark.parametrize(("depth", "leaves"), PERFT)
def test_leaf_counts(depth: int, leaves: int) -> None:
    assert perft(checks.after("breakthrough"), depth) == leaves


@pytest.mark.parametrize(("columns", "rows", "value"), WINNERS)
def test_winners(columns: int, rows: int, value: float) -> None:
    assert solve(checks.after(f"breakthrough:size={columns}x{rows}")) == value


@pytest.mark.stress
@pytest.mark.parametrize(("columns", "rows", "value"), MORE_WINNERS)
def test_more_winners(columns: int, rows: int, value: float) -> None:
    of = promising_first(load(f"breakthrough:size={columns}x{rows}"), Size(columns, rows))
    assert solve(Position.start(of), entries=1 << 23) == value


def promising_first(of: Game, size: Size) -> Game:
    """The same game, with captures and far pawns listed first: 4x5 is too big to solve without."""
    target = squares(size).target
    stride, last = size.width + 1, size.height - 1
    unordered = of.moves

    def promise(state: Any, move: int) -> int:
        to = target[np.uint32(move)]
        row = (to - 1) // stride
        capture = 20 if state.board[to] != EMPTY else 0
        return capture + 10 * (row if state.mover == 0 else last - row)

    def moves(state: Any, out: Any) -> int:
        n = unordered(state, out)
        for i in range(1, n):  # insertion sort
            move, at = out[i], i
            while at > 0 and promise(state, out[at - 1]) < promise(state, move):
                out[at] = out[at - 1]
                at -= 1
            out[at] = move
        return n

    return replace(of, moves=moves)


def test_setup() -> None:
    assert str(checks.after("breakthrough:size=3x5")).splitlines() == [
        "  a b c",
        "5 O O O 5",
        "4 O O O 4",
        "3 . . . 3",
        "2 X X X 2",
        "1 X X X 1",
        "  a b c",
    ]


def test_captures_are_diagonal() -> None:
    """
    4 O O O
    3 . X .
    2 X . X
    """
    position = checks.after("breakthrough:size=3x5", "b2-b3")
    assert texts(position) == {"a4-a3", "a4-b3", "b4-a3", "b4-c3", "c4-b3", "c4-c3"}
    after = position.play("a4xb3")
    assert str(after).splitlines()[1:5] == ["5 O O O 5", "4 . O O 4", "3 . O . 3", "2 X . X 2"]
    assert {"a2-b3", "c2-b3"} <= texts(after)


def test_captures_are_optional() -> None:
    assert "a2-a3" in texts(checks.after("breakthrough:size=3x5", "b2-b3 a4-b3"))


ENDS = [
    ("2x5", "a2-b3 a4-b3 a1-a2 b3-a2 b2-b3 a2-b1", "Black wins"),  # on the far rank
    ("2x5", "b2-a3 b4-a3 a2-b3 a4-b3 a1-b2 a3-b2 b1-a2 b3-a2", "Black wins"),  # no pawn left
    ("2x4", "a2-b3 a3-a2 b3-a4", "White wins"),
]


@pytest.mark.parametrize(("size", "moves", "result"), ENDS)
def test_ends(size: str, moves: str, result: str) -> None:
    spec = f"breakthrough:size={size}"
    assert not checks.after(spec, moves.rpartition(" ")[0]).over
    assert checks.after(spec, moves).result_text() == result


def test_hash() -> None:
    one = "a2-a3 a7-a6 b2-b3 b7-b6 c2-c3"
    other = "c2-c3 b7-b6 b2-b3 a7-a6 a2-a3"
    hashes = [checks.hash_of(checks.after("breakthrough", line)) for line in (one, other)]
    assert hashes[0] == hashes[1]
    seen: dict[int, str] = {}
    for seed in range(20):
        for position in checks.random_game("breakthrough:size=3x5", seed):
            text = f"{position.mover} {position}"
            assert seen.setdefault(checks.hash_of(position), text) == text


def test_notation_variants() -> None:
    position = checks.after("breakthrough", "a2-a3 b7-b6")
    assert position.parse_move("a3a4") == position.parse_move("A3-A4")
    assert position.move_text(position.parse_move("a3xb4")) == "a3-b4"


@pytest.mark.parametrize("text", ["", "a2", "a2-i3", "a2-a4", "a2-b2", "a2-a3-a4", "a2-c3"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="is not a move of breakthrough"):
        checks.after("breakthrough").parse_move(text)


@pytest.mark.parametrize("spec", ["breakthrough", "breakthrough:size=2x4", "breakthrough:size=26"])
def test_notation(spec: str) -> None:
    checks.check_notation(spec, games=1)


@pytest.mark.parametrize("ply", [0, 1, 20, 41])
def test_uniform(ply: int) -> None:
    positions = list(checks.random_game("breakthrough", seed=3))
    checks.check_uniform(positions[ply])


@pytest.mark.parametrize("spec", ["breakthrough", "breakthrough:size=2x5"])
def test_uncompiled(spec: str) -> None:
    checks.check_uncompiled(spec)


@pytest.mark.parametrize("size", ["1x8", "8x3", "27x8", "8x27"])
def test_size_is_checked(size: str) -> None:
    with pytest.raises(GameError, match=f"2 to 26 columns and 4 to 26 rows, not {size}"):
        load(f"breakthrough:size={size}")


def texts(position: Position) -> set[str]:
    return set(map(position.move_text, position.moves))
