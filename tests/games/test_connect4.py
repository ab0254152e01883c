import pytest

import checks
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft, solve
from tesuji.games import load

PERFT = [(1, 7), (4, 2401), (7, 823_536), (8, 5_686_266)]

WINS = [
    ("a b a b a b a", "X wins"),  # upright
    ("a a b b c c d", "X wins"),  # level
    ("g f f e e d e d d a d", "X wins"),  # falling
    ("a b b c c d c d d g d", "X wins"),  # rising
    ("a b a b a b g b", "O wins"),
]


@pytest.mark.parametrize(("depth", "leaves"), PERFT)
def test_leaf_counts(depth: int, leaves: int) -> None:
    assert perft(checks.after("connect4"), depth) == leaves


@pytest.mark.parametrize(("moves", "result"), WINS)
def test_four_in_a_row(moves: str, result: str) -> None:
    assert not checks.after("connect4", moves[:-2]).over
    assert checks.after("connect4", moves).result_text() == result


def test_no_line_runs_on_into_the_next_column() -> None:
    """Three on top of a and one at the bottom of b are neighbours in the bits, not on the board."""
    position = checks.after("connect4", "b a g a g a g b a a b a")
    assert not position.over
    assert position.mover == 0


def test_full_board_is_a_draw() -> None:
    position = checks.after("connect4:size=3x3", "a b c a b c a b c")
    assert position.rewards == (0.5, 0.5)
    assert position.result_text() == "draw"


def test_full_column_is_closed() -> None:
    position = checks.after("connect4", "a a a a a a")
    assert position.moves == (1, 2, 3, 4, 5, 6)
    with pytest.raises(MoveError, match="not legal"):
        position.play("a")


def test_small_board_is_a_draw() -> None:
    assert solve(checks.after("connect4:size=4x4")) == 0.5


def test_hash_is_exact() -> None:
    seen: dict[int, str] = {}
    for seed in range(20):
        for position in checks.random_game("connect4", seed):
            assert seen.setdefault(checks.hash_of(position), str(position)) == str(position)
    assert checks.hash_of(checks.after("connect4", "a b c")) == checks.hash_of(
        checks.after("connect4", "c b a")
    )


def test_picture() -> None:
    assert str(checks.after("connect4:size=4x3", "b b c")).splitlines() == [
        "  a b c d",
        "3 . . . . 3",
        "2 . O . . 2",
        "1 . X X . 1",
        "  a b c d",
    ]


def test_notation() -> None:
    checks.check_notation("connect4")
    assert checks.after("connect4", "D 4").line == [3, 3]
    with pytest.raises(MoveError, match="letter a to g or a number 1 to 7"):
        checks.after("connect4", "h")


@pytest.mark.parametrize("moves", ["", "a a a a a a d d d d d d b"])
def test_uniform(moves: str) -> None:
    checks.check_uniform(checks.after("connect4", moves))


@pytest.mark.parametrize("spec", ["connect4", "connect4:size=8x7", "connect4:size=1x1"])
def test_uncompiled(spec: str) -> None:
    checks.check_uncompiled(spec)


@pytest.mark.parametrize("size", ["8x8", "0x6", "7x0", "27x1"])
def test_size_must_fit_64_bits(size: str) -> None:
    with pytest.raises(GameError, match="at most 64"):
        load(f"connect4:size={size}")
