from collections import Counter

import pytest

import checks
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft, value_of_start
from tesuji.games import load

PERFT = [("hex", 3, 121 * 120 * 119), ("hex:size=3", 9, 257_760), ("hex:swap=true", 2, 121 * 121)]

WINS = [
    ("hex:size=3", "b1 a1 b2 a2 b3", "Black wins"),
    ("hex:size=3", "c1 a1 b2 a2 a3", "Black wins"),  # c1, b2 and a3 are neighbours
    ("hex:size=3", "c1 a2 c3 b2 a1 c2", "White wins"),
    ("hex:size=4", "b3 a1 b2 a2 b4 a3 b1", "Black wins"),  # the last stone brings both edges
    ("hex:size=1", "a1", "Black wins"),
]


@pytest.mark.parametrize(("spec", "depth", "leaves"), PERFT)
def test_leaf_counts(spec: str, depth: int, leaves: int) -> None:
    assert perft(checks.after(spec), depth) == leaves


@pytest.mark.parametrize(("spec", "moves", "result"), WINS)
def test_chain_between_the_edges_wins(spec: str, moves: str, result: str) -> None:
    assert not checks.after(spec, moves[:-2]).over
    assert checks.after(spec, moves).result_text() == result


def test_long_diagonal_does_not_connect() -> None:
    assert not checks.after("hex:size=3", "a1 a2 b2 b3 c3").over


@pytest.mark.parametrize("size", [1, 2, 3])
def test_value_of_start(size: int) -> None:
    """Nash's strategy stealing."""
    assert value_of_start(checks.game(f"hex:size={size}")) == 1.0


@pytest.mark.parametrize("size", [2, 3])
def test_second_player_wins_with_swap(size: int) -> None:
    assert value_of_start(checks.game(f"hex:size={size},swap=true")) == 0.0


def test_swap_mirrors_the_first_stone() -> None:
    position = checks.after("hex:size=3,swap=true", "b1 swap")
    assert str(position).splitlines() == [
        "  a b c",
        " 1 . . .",
        "  2 O . .",
        "   3 . . .",
    ]
    assert position.mover_name == "Black"
    assert len(position.moves) == 8
    assert position.play("b1", "b2", "a1", "c2").result_text() == "White wins"


def test_swap_on_the_diagonal_stays_in_place() -> None:
    assert str(checks.after("hex:size=3,swap=true", "b2 swap")).count("O") == 1
    with pytest.raises(MoveError, match="not legal"):
        checks.after("hex:size=3,swap=true", "b2 swap b2")


@pytest.mark.parametrize("moves", ["swap", "a1 b1 swap", "a1 swap swap", "a1 b1 c1 swap"])
def test_swap_is_only_the_second_move(moves: str) -> None:
    with pytest.raises(MoveError):
        checks.after("hex:size=3,swap=true", moves)


def test_no_swap_unless_asked_for() -> None:
    with pytest.raises(MoveError):
        checks.after("hex:size=3", "a1 swap")


def test_hash() -> None:
    spec = "hex:size=4,swap=true"
    one, other = checks.after(spec, "a1 b1 c1 d1"), checks.after(spec, "c1 d1 a1 b1")
    assert checks.hash_of(one) == checks.hash_of(other)
    # the same stones with the other player to move
    assert checks.hash_of(checks.after(spec, "b1 swap c1")) != checks.hash_of(
        checks.after(spec, "c1 a2")
    )


def test_picture() -> None:
    assert str(checks.after("hex:size=2", "b1 a2")) == "  a b\n 1 . X\n  2 O ."


@pytest.mark.parametrize("spec", ["hex", "hex:size=26", "hex:size=5,swap=true"])
def test_notation(spec: str) -> None:
    checks.check_notation(spec, games=1)


@pytest.mark.parametrize("moves", ["", "a1", "a1 b2 c3 d4"])
def test_uniform(moves: str) -> None:
    checks.check_uniform(checks.after("hex:size=4,swap=true", moves))


@pytest.mark.parametrize("spec", ["hex", "hex:size=16", "hex:size=3,swap=true"])
def test_uncompiled(spec: str) -> None:
    checks.check_uncompiled(spec)


def test_somebody_always_wins() -> None:
    winners = Counter(
        list(checks.random_game("hex:size=5", seed))[-1].rewards for seed in range(50)
    )
    assert set(winners) == {(1.0, 0.0), (0.0, 1.0)}


@pytest.mark.parametrize("size", [0, 27])
def test_size_is_checked(size: int) -> None:
    with pytest.raises(GameError, match=f"size must be 1 to 26, not {size}"):
        load(f"hex:size={size}")
