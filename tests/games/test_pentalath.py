import pytest

from stone_games import (
    Neighbours,
    after,
    after_random_moves,
    begin,
    chain,
    check_texts,
    check_uncompiled,
    check_uniform,
    key,
    random_game,
    sample,
)
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft
from tesuji.games import load
from tesuji.games.hexagon import Hexagon


@pytest.mark.parametrize(("depth", "leaves"), [(1, 61), (2, 3660), (3, 215_940)])
def test_perft(depth, leaves):
    assert perft(begin("pentalath"), depth) == leaves


def test_perft_with_swap():
    """One reply more, after which the first player has one stone less on the board."""
    assert perft(begin("pentalath:swap=true"), 2) == 3660 + 61
    assert perft(begin("pentalath:swap=true"), 3) == 215_940 + 61 * 60


def test_lines_of_five():
    assert len(list(Hexagon(5).lines(5))) == 75


WON = {
    "along a row": "c3 a1 d3 b1 e3 d1 f3 e1 g3",
    "down a column": "c3 a1 c4 b1 c5 d1 c6 e1 c7",
    "along a diagonal": "c3 a1 d4 b1 e5 d1 f6 e1 g7",
    "with the gap filled last": "c3 a1 d3 b1 f3 d1 g3 e1 e3",
    "six": "b3 a1 c3 b1 d3 d1 f3 e1 g3 a2 e3",
}


@pytest.mark.parametrize("case", WON)
def test_five_in_a_row_wins(case):
    *before, last = WON[case].split()
    position = begin("pentalath", " ".join(before), jit=False)
    assert not position.over
    assert position.play(last).result_text() == "Black wins"


def test_a_line_ends_at_the_edge():
    """Cells that follow each other by number but lie in different rows are no line."""
    hexagon = Hexagon(5)
    cells = [hexagon.text(cell) for cell in (3, 4, 5, 6, 7)]  # d1 e1 | a2 b2 c2
    others = ["c5", "d5", "f5", "g5"]
    moves = [m for pair in zip(cells, [*others, ""], strict=True) for m in pair]
    assert not begin("pentalath", " ".join(moves), jit=False).over


def test_capture_in_the_corner():
    position = begin("pentalath:size=3", "b1 a1 b2 e5", jit=False)
    assert position.draw().splitlines()[1].split() == ["1", "O", "X", ".", "d"]
    taken = position.play("a2")
    assert taken.draw().splitlines()[1].split() == ["1", ".", "X", ".", "d"]
    assert taken.game.parse_move("a1") not in taken.moves  # now suicide for White
    assert taken.game.parse_move("a1") in taken.play("e4").moves  # not for Black


def test_a_stone_without_liberty_may_capture():
    """White's a1 would be dead but for the capture of b1."""
    position = begin("pentalath:size=3", "b1 c1 b2 c2 a2 c3 e5 b3 e4 a3 d4", jit=False)
    taken = position.play("a1")
    assert taken.draw().splitlines()[1:3] == [
        "  1 O . O d",
        " 2 . . O . e",
    ]


def test_captured_cells_are_free_again():
    position = begin("pentalath:size=3", "b1 a1 b2 e5 a2", jit=False)
    assert sorted(position.moves) == [cell for cell in range(1, 19) if cell not in {1, 3, 4, 18}]


def test_swap():
    offered = begin("pentalath:size=3,swap=true", "c3", jit=False)
    assert offered.mover_name == "White"
    swapped = offered.play("swap")
    assert swapped.mover_name == "Black"
    assert swapped.draw() == offered.draw().replace("X", "O")
    assert swapped.game.move_codes - 1 not in swapped.moves
    assert len(swapped.moves) == 18
    with pytest.raises(MoveError, match="not legal"):
        offered.play("b2", "swap")
    with pytest.raises(MoveError, match="not legal"):
        begin("pentalath:size=3", "c3", jit=False).play("swap")


def test_hash():
    swapped = begin("pentalath:size=3,swap=true", "c3 swap", jit=False)
    offered = begin("pentalath:size=3,swap=true", "c3", jit=False)
    plain = begin("pentalath:size=3", "c3", jit=False)
    assert len({key(swapped), key(offered), key(plain)}) == 3
    one = begin("pentalath:size=3", "b1 a1 b2 e5 a2", jit=False)
    other = begin("pentalath:size=3", "a2 a1 b1 e5 b2", jit=False)
    assert key(one) == key(other)


@pytest.mark.parametrize("size", [2, 14])
def test_sizes_that_cannot_be(size):
    with pytest.raises(GameError, match="size must be 3 to 13"):
        load(f"pentalath:size={size}")


def slow_capture(board: list[int], cell: int, stone: int, near: Neighbours) -> list[int]:
    filled, _ = after(board, cell, stone, near)
    dead = [chain(filled, p, near) for p in near[cell] if filled[p] == 3 - stone]
    for stones, liberties in dead:
        for p in stones if not liberties else ():
            filled[p] = 0
    return filled


@pytest.mark.parametrize(("size", "seeds"), [(5, range(3)), (3, range(30))])
def test_against_slow_rules(size, seeds):
    hexagon = Hexagon(size)
    near = [[int(n) for n in row if n != hexagon.outside] for row in hexagon.neighbours[:-1]]
    lines = list(hexagon.lines(5))
    draws = captures = 0
    for seed in seeds:
        board = [0] * hexagon.cells
        for position in random_game(begin(f"pentalath:size={size}", jit=size == 5), seed):
            stone = position.mover + 1
            stones = hexagon.cells - board.count(0)
            if position.move is not None:
                board = slow_capture(board, position.move, 3 - stone, near)
                captures += hexagon.cells - board.count(0) <= stones
            won = any(all(board[p] == 3 - stone for p in line) for line in lines)
            legal = [
                p
                for p in range(hexagon.cells)
                if not board[p] and after(board, p, stone, near)[1] >= 0
            ]
            assert position.over == (won or not legal)
            if not position.over:
                assert sorted(position.moves) == legal
        if position.over:
            assert position.rewards[position.mover] == (0.0 if won else 0.5)
            draws += not won
    assert captures > 0
    assert draws > 0 or size > 3


def test_random_games():
    games = sample(begin("pentalath"), 20_000, longest=500)
    assert games.length.mean() == pytest.approx(45.6, abs=0.5)
    assert games.won.mean() == pytest.approx(0.526, abs=0.015)
    assert (games.won == 0.5).mean() < 0.005


def test_a_game_that_is_cut_off_is_a_draw():
    assert set(sample(begin("pentalath"), 10, longest=5).won.tolist()) == {0.5}


@pytest.mark.parametrize("moves", [0, 40, 55])
def test_uniform_policy(moves):
    check_uniform(after_random_moves(begin("pentalath"), moves, seed=moves))


def test_uniform_policy_with_swap():
    check_uniform(begin("pentalath:swap=true", "e5"))


def test_texts():
    check_texts(begin("pentalath:swap=true", "e5"))
    for position in random_game(begin("pentalath"), 5):
        check_texts(position)


@pytest.mark.parametrize("spec", ["pentalath", "pentalath:swap=true"])
def test_uncompiled(spec):
    check_uncompiled(begin(spec), begin(spec, jit=False), 3)
