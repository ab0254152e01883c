import pytest

from stone_games import (
    after,
    after_random_moves,
    begin,
    check_texts,
    check_uncompiled,
    check_uniform,
    grid,
    key,
    random_game,
    sample,
)
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft, solve
from tesuji.games import load


@pytest.mark.parametrize(("depth", "leaves"), [(1, 81), (2, 6480), (3, 511_920)])
def test_perft(depth, leaves):
    assert perft(begin("atarigo"), depth) == leaves


@pytest.mark.parametrize(
    ("size", "winner", "jit"),
    [("2x2", 1, False), ("3x2", 1, False), ("3x3", 0, False), ("4x3", 0, True)],
)
def test_exact_winners(size, winner, jit):
    assert solve(begin(f"atarigo:size={size}", jit=jit), jit=jit) == 1 - winner


FINISHED = {
    "a capture in the corner": ("5x5", "B1 A1 A2", "Black wins"),
    "a capture of two": ("5x5", "A1 A2 B1 B2 E5 C1", "White wins"),
    "a capture with a stone that has no liberty itself": (
        "5x5",
        "B1 C1 A2 B2 E5 A3 E3 A1",
        "White wins",
    ),
    "nowhere to play": ("3x1", "B1", "Black wins"),
    "the last point captures": ("2x1", "A1 B1", "White wins"),
}


@pytest.mark.parametrize("case", FINISHED)
def test_end(case):
    size, moves, result = FINISHED[case]
    *before, last = moves.split()
    position = begin(f"atarigo:size={size}", " ".join(before), jit=False)
    assert not position.over
    assert position.play(last).result_text() == result


ILLEGAL = {
    "suicide in the corner": ("A2 E5 B1", "A1"),
    "suicide of two": ("A3 A2 B2 E5 B1", "A1"),
    "an occupied point": ("C3", "C3"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_illegal(case):
    moves, move = ILLEGAL[case]
    with pytest.raises(MoveError, match="not legal"):
        begin("atarigo:size=5", moves, jit=False).play(move)


def test_friends_with_another_liberty_make_it_legal():
    before = begin("atarigo:size=5", "A3 A2 B1 B2 E1", jit=False)
    assert before.parse_move("A1") in before.moves


def test_drawing():
    assert begin("atarigo:size=4x3", "A1 D3 B2", jit=False).draw().splitlines() == [
        "  A B C D",
        "3 . . . O 3",
        "2 . X . . 2",
        "1 X . . . 1",
        "  A B C D",
    ]


@pytest.mark.parametrize("size", ["0x9", "26x3", "1x1"])
def test_sizes_that_cannot_be(size):
    with pytest.raises(GameError, match="1 to 25 columns and rows"):
        load(f"atarigo:size={size}")


@pytest.mark.parametrize("seed", range(4))
def test_against_slow_rules(seed):
    near = grid(9, 9)
    board = [0] * 81
    for position in random_game(begin("atarigo"), seed):
        stone = position.mover + 1
        captures = 0
        if position.move is not None:
            board, captures = after(board, position.move, 3 - stone, near)
        legal = [p for p in range(81) if not board[p] and after(board, p, stone, near)[1] >= 0]
        assert position.over == (captures > 0 or not legal)
        if position.over:
            assert position.rewards[position.mover] == 0.0
        else:
            assert sorted(position.moves) == legal


def test_random_games():
    games = sample(begin("atarigo"), 20_000)
    assert games.length.mean() == pytest.approx(48, abs=1)
    assert games.branching == pytest.approx(56, abs=2)
    assert games.won.mean() == pytest.approx(0.51, abs=0.02)


@pytest.mark.parametrize("moves", [0, 50, 70])
def test_uniform_policy(moves):
    check_uniform(after_random_moves(begin("atarigo"), moves, seed=moves))


def test_texts():
    for position in random_game(begin("atarigo"), 5):
        check_texts(position)


@pytest.mark.parametrize("seed", range(2))
def test_uncompiled(seed):
    check_uncompiled(begin("atarigo"), begin("atarigo", jit=False), seed)


def test_hash_tells_positions_apart():
    one, other = begin("atarigo", "A1 B2 C3", jit=False), begin("atarigo", "C3 B2 A1", jit=False)
    third = begin("atarigo", "A1 C3 B2", jit=False)
    assert key(one) == key(other) != key(third)
