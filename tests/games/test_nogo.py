import pytest

from stone_games import (
    after,
    after_random_moves,
    begin,
    check_texts,
    check_uncompiled,
    check_uniform,
    grid,
    random_game,
    sample,
)
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft, solve
from tesuji.games import load


@pytest.mark.parametrize(("depth", "leaves"), [(1, 81), (2, 6480), (3, 511_912)])
def test_perft(depth, leaves):
    assert perft(begin("nogo"), depth) == leaves


@pytest.mark.parametrize(
    ("size", "winner", "jit"),
    [
        ("2x1", 0, False),
        ("3x1", 0, False),
        ("4x1", 1, False),
        ("5x1", 0, False),
        ("6x1", 0, False),
        ("2x2", 0, False),
        ("3x2", 1, False),
        ("4x2", 1, False),
        ("3x3", 0, False),
        ("4x3", 1, True),
    ],
)
def test_exact_winners(size, winner, jit):
    assert solve(begin(f"nogo:size={size}", jit=jit), jit=jit) == 1 - winner


ILLEGAL = {
    "a capture in the corner": ("B1 A1", "A2"),
    "a capture of two": ("A1 A2 B1 B2 E5", "C1"),
    "suicide in the corner": ("A2 E5 B1", "A1"),
    "suicide of two": ("A3 A2 B2 E5 B1", "A1"),
    "an occupied point": ("C3", "C3"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_illegal(case):
    moves, move = ILLEGAL[case]
    with pytest.raises(MoveError, match="not legal"):
        begin("nogo:size=5", moves, jit=False).play(move)


LEGAL = {
    "saving a chain from atari": ("B1 A1 E5", "A2"),
    "filling the corner beside a friend with another liberty": ("A3 A2 B1 B2 E1", "A1"),
}


@pytest.mark.parametrize("case", LEGAL)
def test_legal(case):
    moves, move = LEGAL[case]
    before = begin("nogo:size=5", moves, jit=False)
    assert before.parse_move(move) in before.moves


@pytest.mark.parametrize(
    ("size", "moves", "result"), [("2x1", "A1", "Black wins"), ("4x1", "B1 D1", "Black wins")]
)
def test_who_cannot_move_loses(size, moves, result):
    position = begin(f"nogo:size={size}", moves, jit=False)
    while not position.over:
        assert len(position.moves) == 1
        position = position.play(*position.moves)
    assert position.result_text() == result


@pytest.mark.parametrize("size", ["9x0", "3x26", "1"])
def test_sizes_that_cannot_be(size):
    with pytest.raises(GameError, match="1 to 25 columns and rows"):
        load(f"nogo:size={size}")


@pytest.mark.parametrize("seed", range(4))
def test_against_slow_rules(seed):
    near = grid(9, 9)
    board = [0] * 81
    for position in random_game(begin("nogo"), seed):
        stone = position.mover + 1
        if position.move is not None:
            board, _ = after(board, position.move, 3 - stone, near)
        legal = [p for p in range(81) if not board[p] and after(board, p, stone, near)[1] == 0]
        assert sorted(position.moves) == legal
        assert position.over == (not legal)
    assert position.rewards[position.mover] == 0.0


def test_random_games():
    games = sample(begin("nogo"), 20_000)
    assert games.length.mean() == pytest.approx(74, abs=1)
    assert games.branching == pytest.approx(42, abs=1)


@pytest.mark.parametrize("moves", [0, 60, 70])
def test_uniform_policy(moves):
    check_uniform(after_random_moves(begin("nogo"), moves, seed=moves))


def test_texts():
    for position in random_game(begin("nogo"), 5):
        check_texts(position)


@pytest.mark.parametrize("seed", range(2))
def test_uncompiled(seed):
    check_uncompiled(begin("nogo"), begin("nogo", jit=False), seed)
