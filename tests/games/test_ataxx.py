import pytest

import checks
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft, solve
from tesuji.games import load

PERFT = [(1, 6), (2, 36), (3, 288), (4, 2304), (5, 23_040)]

WINNERS = [("2", 0.5), ("3", 1.0), ("4", 0.0)]  # 2x2 is full before the first move


@pytest.mark.parametrize(("depth", "leaves"), PERFT)
def test_leaf_counts(depth: int, leaves: int) -> None:
    assert perft(checks.after("ataxx"), depth) == leaves


@pytest.mark.parametrize(("size", "value"), WINNERS)
def test_winners(size: str, value: float) -> None:
    assert solve(checks.after(f"ataxx:size={size}")) == value


def test_setup() -> None:
    position = checks.after("ataxx:size=4x3")
    assert str(position) == "  a b c d\n3 O . . X 3\n2 . . . . 2\n1 X . . O 1\n  a b c d"
    assert set(map(position.move_text, position.moves)) == {"a2", "b1", "b2", "c2", "c3", "d2"}


def test_neighbours_turn() -> None:
    """b2 turns a3 and nothing else; c2 then turns b2 (next to it) and d3, but not a1."""
    assert rows("ataxx:size=4x3", "b2") == ["X . . X", ". X . .", "X . . O"]
    assert rows("ataxx:size=4x3", "b2 c2") == ["X . . O", ". O O .", "X . . O"]


def test_the_board_does_not_wrap_around() -> None:
    """Of two stones on the edges a and d, a new one at d2 is next to neither a2 nor a3."""
    assert rows("ataxx:size=4x3", "d2") == ["O . . X", ". . . X", "X . . X"]


PASSED = "d2 b3 c1 c3 c2 b2"


def test_pass_when_there_is_nothing_else() -> None:
    """
    3 O O O X
    2 . O O X
    1 O . O X    to move: no empty point is next to an X
    """
    position = checks.after("ataxx:size=4x3", PASSED)
    assert list(map(position.move_text, position.moves)) == ["pass"]
    assert position.moves == (position.game.pass_move,)
    after = position.play("pass")
    assert str(after) == str(position)
    assert after.mover_name == "O"
    assert set(map(after.move_text, after.moves)) == {"b1", "a2"}
    checks.check_uniform(position, draws=10)


def test_no_pass_otherwise() -> None:
    with pytest.raises(MoveError, match="not legal"):
        checks.after("ataxx", "pass")


ENDS = [
    ("4", "c3 d2 b1 c4 a2 b2", "O wins"),  # X has no stone left
    ("4", "d3 c1 c2 b4 b3", "X wins"),  # O has none
    ("4", "c3 a3 b1 b2 c4 d2 d3 b3 c2 a2 c1 b4", "draw"),
    ("2", "", "draw"),
]


@pytest.mark.parametrize(("size", "moves", "result"), ENDS)
def test_ends(size: str, moves: str, result: str) -> None:
    if moves:
        assert not checks.after(f"ataxx:size={size}", moves[:-3]).over
    assert checks.after(f"ataxx:size={size}", moves).result_text() == result


def test_odd_boards_have_a_winner() -> None:
    for seed in range(50):
        *_, end = checks.random_game("ataxx:size=5", seed)
        assert sorted(end.rewards or ()) == [0.0, 1.0]


def test_hash_tells_positions_apart() -> None:
    seen: dict[int, str] = {}
    for seed in range(200):
        for position in checks.random_game("ataxx:size=4x3", seed):
            text = f"{position.mover} {position}"
            assert seen.setdefault(checks.hash_of(position), text) == text


@pytest.mark.parametrize("spec", ["ataxx", "ataxx:size=8", "ataxx:size=2x8"])
def test_notation(spec: str) -> None:
    checks.check_notation(spec)


@pytest.mark.parametrize("ply", [0, 9, 22, 40])
@pytest.mark.parametrize("spec", ["ataxx", "ataxx:size=8"])
def test_uniform(spec: str, ply: int) -> None:
    checks.check_uniform(list(checks.random_game(spec, seed=2))[ply])


@pytest.mark.parametrize("spec", ["ataxx", "ataxx:size=8", "ataxx:size=4x3"])
def test_uncompiled(spec: str) -> None:
    checks.check_uncompiled(spec)


@pytest.mark.parametrize("size", ["1x7", "9", "7x9"])
def test_size_is_checked(size: str) -> None:
    with pytest.raises(GameError, match=f"both sides of size must be 2 to 8, not {size}"):
        load(f"ataxx:size={size}")


def rows(spec: str, moves: str) -> list[str]:
    return [line[2:-2] for line in str(checks.after(spec, moves)).splitlines()[1:-1]]
