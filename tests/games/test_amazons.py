import math
from itertools import product
from typing import Any

import numpy as np
import pytest

import checks
from tesuji.compile import Slot, specialise
from tesuji.compile.plain import view
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft, value_of_start
from tesuji.games import load
from tesuji.games.amazons import STEEP, TEMPO
from tesuji.position import Position

evaluation = Slot("evaluation")

PERFT = [
    ("amazons", 1, 2176),
    ("amazons", 2, 4_307_152),
    ("amazons:size=4", 4, 2_918_272),
    ("amazons:size=6", 2, 238_532),
]


@pytest.mark.parametrize(("spec", "depth", "leaves"), PERFT)
def test_leaf_counts(spec: str, depth: int, leaves: int) -> None:
    assert perft(checks.after(spec), depth) == leaves


def test_setup() -> None:
    assert str(checks.after("amazons")).splitlines() == [
        "   a b c d e f g h i j",
        "10 . . . O . . O . . . 10",
        " 9 . . . . . . . . . . 9",
        " 8 . . . . . . . . . . 8",
        " 7 O . . . . . . . . O 7",
        " 6 . . . . . . . . . . 6",
        " 5 . . . . . . . . . . 5",
        " 4 X . . . . . . . . X 4",
        " 3 . . . . . . . . . . 3",
        " 2 . . . . . . . . . . 2",
        " 1 . . . X . . X . . . 1",
        "   a b c d e f g h i j",
    ]


@pytest.mark.parametrize(
    ("size", "white"), [(4, "b1 c1 a2 d2"), (6, "b1 e1 a2 f2"), (5, "b1 d1 a2 e2")]
)
def test_smaller_setups(size: int, white: str) -> None:
    position = checks.after(f"amazons:size={size}")
    assert {text.split("-")[0] for text in texts(position)} == set(white.split())
    assert str(position).count("O") == 4


def test_arrow_blocks_its_square() -> None:
    position = checks.after("amazons:size=4", "b1-a1/c3")
    assert str(position).splitlines()[1:5] == [
        "4 . O O . 4",
        "3 O . # O 3",
        "2 X . . X 2",
        "1 X . X . 1",
    ]
    assert position.mover_name == "Black"
    legal = texts(position)
    assert "c4-b3/c4" in legal
    assert "c4-c3/c4" not in legal  # onto the arrow
    assert "c4-c2/c4" not in legal  # over it
    assert "c4-b3/d3" not in legal  # an arrow over it


def test_arrow_may_fly_to_and_over_the_square_just_left() -> None:
    legal = texts(checks.after("amazons:size=6"))
    assert "a2-a4/a2" in legal
    assert "a2-a4/a1" in legal


def test_nobody_jumps() -> None:
    legal = texts(checks.after("amazons:size=6"))
    assert "b1-d1/c1" in legal
    assert "b1-f1/c1" not in legal  # over e1
    assert "b1-e1/c1" not in legal  # onto e1
    assert "b1-d1/f1" not in legal  # an arrow neither


ENDS = [
    ("b1-c2/d1 b4-b3/c3 a2-a1/b2 a3-a2/b1", "Black wins"),
    ("b1-b2/d4 d3-b3/d3 d2-c2/b1 b3-a4/b3 c2-d2/c3", "White wins"),
]


@pytest.mark.parametrize(("moves", "result"), ENDS)
def test_who_cannot_move_loses(moves: str, result: str) -> None:
    assert not checks.after("amazons:size=4", moves.rpartition(" ")[0]).over
    assert checks.after("amazons:size=4", moves).result_text() == result


def test_second_player_wins_the_smallest_board() -> None:
    assert value_of_start(checks.game("amazons:size=4")) == 0.0


def test_hash() -> None:
    one = "a2-a1/b2 a3-a4/b3 d2-d1/c2 d3-d4/c3"
    other = "d2-d1/c2 d3-d4/c3 a2-a1/b2 a3-a4/b3"
    hashes = [checks.hash_of(checks.after("amazons:size=4", line)) for line in (one, other)]
    assert hashes[0] == hashes[1]
    seen: dict[int, str] = {}
    for seed in range(20):
        for position in checks.random_game("amazons:size=4", seed):
            text = f"{position.mover} {position}"
            assert seen.setdefault(checks.hash_of(position), text) == text


def test_notation_variants() -> None:
    position = checks.after("amazons")
    move = position.parse_move("d1-d7/g7")
    assert position.move_text(move) == "d1-d7/g7"
    assert move == position.parse_move("d1d7g7") == position.parse_move("D1-D7/G7")
    assert position.move_text(position.parse_move("g1g9f10")) == "g1-g9/f10"


@pytest.mark.parametrize("text", ["", "d1", "d1-d7", "d1-d7/k7", "d1-d0/d1", "d1-d7/g7/g7"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="is not a move of amazons"):
        checks.after("amazons").parse_move(text)


@pytest.mark.parametrize("spec", ["amazons:size=5", "amazons"])
def test_notation(spec: str) -> None:
    checks.check_notation(spec, games=1)


# Many squares in reach, where the policy draws until a draw fits, and few, where it lists.
@pytest.mark.parametrize("left", [0, 4, 8, 12, 20])
def test_uniform(left: int) -> None:
    *positions, _ = checks.random_game("amazons:size=6", seed=left)
    checks.check_uniform(positions[max(0, len(positions) - 1 - left)], draws=50_000)


@pytest.mark.parametrize("spec", ["amazons:size=6", "amazons:size=4", "amazons:size=12"])
def test_uncompiled(spec: str) -> None:
    checks.check_uncompiled(spec, games=1)


@pytest.mark.parametrize("size", [3, 13])
def test_size_is_checked(size: int) -> None:
    with pytest.raises(GameError, match=f"size must be 4 to 12, not {size}"):
        load(f"amazons:size={size}")


def texts(position: Position) -> set[str]:
    return set(map(position.move_text, position.moves))


def test_the_nth_move_is_the_nth_of_the_list():
    position = Position.start(checks.game("amazons:size=6"))
    state = view(position.state.copy())[0]
    assert position.game.count(state) == len(position.moves)
    assert [position.game.nth(state, n) for n in range(len(position.moves))] == list(position.moves)


# --- territory ----------------------------------------------------------------------------------


def evaluate(states: Any, out: Any) -> None:
    """Kernel: what is expected for the first of the states."""
    evaluation.territory(states[0], out)


def expected(position: Position, *, jit: bool) -> list[float]:
    of = position.game
    bindings = {"evaluation": dict(of.evaluations)}
    out = np.zeros(2)
    specialise(evaluate, bindings, label="territory", jit=jit)(position.state.copy(), out)
    return out.tolist()


def distances(board: dict[tuple[int, int], str], amazon: str) -> dict[tuple[int, int], int]:
    """How many moves of a queen it takes to each free square, slowly."""
    found = {square: 0 for square, content in board.items() if content == amazon}
    waiting = list(found)
    for x, y in waiting:  # grows meanwhile
        for dx, dy in product((-1, 0, 1), repeat=2):
            u, v = x + dx, y + dy
            while board.get((u, v)) == "." and (dx, dy) != (0, 0):
                if (u, v) not in found:
                    found[u, v] = found[x, y] + 1
                    waiting.append((u, v))
                u, v = u + dx, v + dy
    return {square: moves for square, moves in found.items() if moves > 0}


def balance(position: Position) -> tuple[int, int]:
    """White's squares less Black's, and the squares that both reach at the same time."""
    rows = [line.split()[1:-1] for line in str(position).splitlines()[-2:0:-1]]
    board = {(x, y): content for y, row in enumerate(rows) for x, content in enumerate(row)}
    white, black = distances(board, "X"), distances(board, "O")
    lead = shared = 0
    for square in white.keys() | black.keys():
        moves = white.get(square, math.inf), black.get(square, math.inf)
        lead += (moves[0] < moves[1]) - (moves[0] > moves[1])
        shared += moves[0] == moves[1]
    return lead, shared


def logistic(squares: float) -> float:
    return 1 / (1 + math.exp(-STEEP * squares))


def test_territory_by_hand() -> None:
    """
    4 . . O .
    3 O O # O
    2 . # X X
    1 X . X #    a4, b4 and d4 are Black's, b1 is White's, both reach a2 in one move
    """
    position = checks.after("amazons:size=4", "b1-c2/d1 b4-b3/c3 a2-a1/b2")
    assert position.mover_name == "Black"
    black = logistic(3 - 1 + TEMPO)
    assert expected(position, jit=False) == pytest.approx([1 - black, black])


@pytest.mark.parametrize(
    ("spec", "games"),
    [("amazons:size=4", 10), ("amazons:size=7", 3), ("amazons", 3), ("amazons:size=12", 1)],
)
def test_territory_against_a_slow_count(spec: str, games: int) -> None:
    for seed in range(games):
        for position in checks.random_game(spec, seed):
            lead, shared = balance(position)
            mine = (lead if position.mover == 0 else -lead) + TEMPO * shared
            rewards = [logistic(mine), 1 - logistic(mine)]
            if position.mover == 1:
                rewards.reverse()
            assert expected(position, jit=True) == pytest.approx(rewards, abs=1e-12)


def test_territory_uncompiled() -> None:
    for position in checks.random_game("amazons:size=6", seed=4):
        assert expected(position, jit=True) == pytest.approx(expected(position, jit=False))


def test_territory_leaves_the_position_alone() -> None:
    position = list(checks.random_game("amazons:size=6", seed=1))[5]
    states = position.state.copy()
    position.game.evaluations["territory"](view(states)[0], view(np.zeros(2)))
    after = Position(position.game, states)
    assert (str(after), after.moves, after.mover) == (str(position), position.moves, position.mover)
