import pytest

import checks
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft
from tesuji.games import load
from tesuji.position import Position

PERFT = [
    ("havannah", 2, 169 * 168),
    ("havannah:size=3", 5, 1_395_360),
    ("havannah:size=3,swap=true", 2, 19 * 19),
]

# White's stones on the board of side 4; the last one wins.
#
#       a b c d
#    1 . . . . e
#   2 . . . . . f
#  3 . . . . . . g
# 4 . . . . . . .
#  5 . . . . . .
#   6 . . . . .
#    7 . . . .
WINS = {
    "bridge along the top": "a1 b1 d1 c1",
    "bridge across": "a1 b2 c3 e5 f6 g7 d4",
    "fork of left, top and upper right": "a2 b2 b1 c1 e2 d2",
    "fork with a corner in its chain": "b1 a1 a2 b2 b3 b4 b5",
    "ring": "c3 d3 e4 e5 d5 c4",
    "ring of eight": "c3 d3 e3 f4 f5 e5 d5 c4",
    "ring around an own stone": "d4 d3 e4 e5 d5 c4 c3",
    "ring around an own stone, closed at the left": "d4 d3 e4 e5 d5 c3 c4",
    "ring at the edge": "a1 b1 c2 c3 b3 a2",
}

NO_WINS = {
    "corner and the two sides that meet there": "b1 a1 a2 b2",
    "three sides that are not connected": "b1 a2 e2",
    "five of the six around an own stone": "c3 d3 d4 e4 e5 d5",
    "rhombus": "c3 d3 d4 e4",
    "three around a corner": "b1 b2 a2",
}

DRAWN = "c3 b4 a3 c4 c2 e3 d2 c1 d3 d4 d5 e5 a1 b2 e4 b1 b3 a2 c5"


def white_stones(stones: str, black: str = "g5 e7 c6 a4 f3 d1 g7 d7") -> Position:
    """White puts these stones one by one, Black answers with scattered ones."""
    white = stones.split()
    answers = [cell for cell in black.split() if cell not in white]
    moves = [move for pair in zip(white[:-1], answers, strict=False) for move in pair]
    return checks.after("havannah:size=4", " ".join([*moves, white[-1]]))


@pytest.mark.parametrize(("spec", "depth", "leaves"), PERFT)
def test_leaf_counts(spec: str, depth: int, leaves: int) -> None:
    assert perft(checks.after(spec), depth) == leaves


@pytest.mark.parametrize("stones", WINS.values(), ids=WINS)
def test_win(stones: str) -> None:
    position = white_stones(stones)
    assert position.result_text() == "White wins"
    assert not position.undo().over


@pytest.mark.parametrize("stones", NO_WINS.values(), ids=NO_WINS)
def test_no_win(stones: str) -> None:
    assert not white_stones(stones).over


def test_ring_around_an_enemy_stone() -> None:
    assert white_stones("c3 d3 e4 e5 d5 c4", black="d4 g5 e7 c6 a4").result_text() == "White wins"


def test_full_board_is_a_draw() -> None:
    position = checks.after("havannah:size=3", DRAWN)
    assert position.ply == 19
    assert position.result_text() == "draw"


def test_swap_recolours_the_first_stone() -> None:
    position = checks.after("havannah:size=3,swap=true", "b2 swap")
    assert str(position).splitlines() == [
        "     a b c",
        "  1 . . . d",
        " 2 . X . . e",
        "3 . . . . .",
        " 4 . . . .",
        "  5 . . .",
    ]
    assert position.mover_name == "White"
    assert len(position.moves) == 18
    # the stone is Black's for good: it is part of a bridge from a1 to c1
    bridge = position.play("c3", "a1", "d3", "b1", "e5", "c1")
    assert bridge.result_text() == "Black wins"


@pytest.mark.parametrize("moves", ["swap", "a1 b1 swap", "a1 swap swap", "a1 swap a1"])
def test_swap_is_only_the_second_move(moves: str) -> None:
    with pytest.raises(MoveError):
        checks.after("havannah:size=3,swap=true", moves)


def test_no_swap_unless_asked_for() -> None:
    with pytest.raises(MoveError):
        checks.after("havannah:size=3", "a1 swap")


def test_hash() -> None:
    spec = "havannah:size=3,swap=true"
    one, other = checks.after(spec, "a1 b1 c1 c3"), checks.after(spec, "c1 c3 a1 b1")
    assert checks.hash_of(one) == checks.hash_of(other)
    # the same stones with the other player to move
    assert checks.hash_of(checks.after(spec, "b1 swap c1")) != checks.hash_of(
        checks.after(spec, "c1 b1")
    )


@pytest.mark.parametrize("spec", ["havannah", "havannah:size=4,swap=true"])
def test_notation(spec: str) -> None:
    checks.check_notation(spec, games=1)


@pytest.mark.parametrize("moves", ["", "a1", "a1 b2 c3 d4"])
def test_uniform(moves: str) -> None:
    checks.check_uniform(checks.after("havannah:size=3,swap=true", moves))


@pytest.mark.parametrize("spec", ["havannah:size=10", "havannah:size=4,swap=true"])
def test_uncompiled(spec: str) -> None:
    checks.check_uncompiled(spec)


@pytest.mark.parametrize("size", [2, 11])
def test_size_is_checked(size: int) -> None:
    with pytest.raises(GameError, match=f"size must be 3 to 10, not {size}"):
        load(f"havannah:size={size}")
