import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import checks
from tesuji import Position
from tesuji.compile import stream
from tesuji.compile.plain import view
from tesuji.compile.specialise import fingerprint
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft
from tesuji.games import load
from tesuji.games.samegame import reward_range
from tesuji.position import examine

SMALL = "samegame:size=5x4,colours=3,seed=3"


def on(board: str, moves: str = "") -> Position:
    """A given board, uncompiled."""
    return Position.start(load(f"samegame:board={board}"), jit=False).play(*moves.split())


def rows(position: Position) -> str:
    """The stones as `on` takes them."""
    lines = str(position).splitlines()[1:-2]
    return "/".join("".join(line.split()[1:-1]) for line in lines)


def points(position: Position) -> int:
    assert position.game.score is not None
    return int(position.game.score(view(position.state)[0]))


def texts(position: Position) -> set[str]:
    return {position.move_text(move) for move in position.moves}


# --- rules by example ---------------------------------------------------------------------------


def test_a_group_is_named_by_the_lowest_cell_of_its_leftmost_column() -> None:
    position = on("3221/2213/1211/1131")
    assert texts(position) == {"a1", "a3", "c2"}
    with pytest.raises(MoveError, match="'b1' is not legal"):
        position.play("b1")


def test_corners_do_not_connect() -> None:
    assert on("12/21").over


@pytest.mark.parametrize(
    ("board", "move", "after", "scored"),
    [
        ("12/13/23", "a2", ".2/.3/23", 0),
        ("12/13/13", "a1", "2./3./3.", 1),
        ("2112/2133/1133", "a1", "..2./233./233.", 9),
        ("3221/2213/1211/1131", "a3", "...1/3.13/1.11/1131", 9),
        ("11213/11213", "a1", "213../213..", 4),
        ("1121/1221/1231/1111", "a1", "..../.2../22../23..", 81),
    ],
)
def test_stones_fall_and_columns_close(board: str, move: str, after: str, scored: int) -> None:
    position = on(board).play(move)
    assert rows(position) == after
    assert points(position) == scored


def test_an_empty_board_scores_a_thousand() -> None:
    position = on("121/121", "b1")
    assert not position.over
    position = position.play("a1")
    assert position.over
    assert points(position) == 0 + 4 + 1000


@pytest.mark.parametrize(
    ("board", "moves", "expected"),
    [
        ("21/12", "", 0),  # two of each colour
        ("123/231/312", "", -3 * 1),
        ("1213/2121/1212", "", -(16 + 9 + 1)),  # six, five, and a single stone
        ("1333/2121/1212", "b3", 1 - (9 + 4)),  # after a group of three: five and four
    ],
)
def test_what_is_left_is_deducted_as_if_it_were_one_group(
    board: str, moves: str, expected: int
) -> None:
    position = on(board, moves)
    assert position.over
    assert points(position) == expected


def test_stones_of_a_given_board_fall_before_the_first_move() -> None:
    assert rows(on("1.2/..3/2.3")) == ".2./13./23."


# --- against slow rules -------------------------------------------------------------------------

Columns = list[list[int]]  # each from the bottom


def columns(position: Position) -> Columns:
    lines = rows(position).split("/")[::-1]
    stacked = [[int(cell) for cell in column if cell != "."] for column in zip(*lines, strict=True)]
    return [column for column in stacked if column]


def groups(board: Columns) -> list[set[tuple[int, int]]]:
    cells = {(x, y): c for x, column in enumerate(board) for y, c in enumerate(column)}
    found: list[set[tuple[int, int]]] = []
    while cells:
        todo = [min(cells)]
        colour = cells[todo[0]]
        group = set()
        while todo:
            x, y = todo.pop()
            if cells.get((x, y)) == colour:
                del cells[x, y]
                group.add((x, y))
                todo += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        found.append(group)
    return [group for group in found if len(group) > 1]


def without(board: Columns, group: set[tuple[int, int]]) -> Columns:
    kept = [
        [c for y, c in enumerate(column) if (x, y) not in group] for x, column in enumerate(board)
    ]
    return [column for column in kept if column]


def final(board: Columns) -> int:
    left = Counter(c for column in board for c in column)
    return -sum((count - 2) ** 2 for count in left.values()) if left else 1000


@pytest.mark.parametrize(("spec", "seed"), [("samegame", 0), ("samegame", 1), (SMALL, 0)])
def test_random_games_against_slow_rules(spec: str, seed: int) -> None:
    chooser = random.Random(seed)
    position = Position.start(load(spec), jit=False)
    board, scored = columns(position), 0
    while True:
        heads = {f"{'abcdefghijklmno'[x]}{y + 1}": g for g in groups(board) for x, y in [min(g)]}
        assert columns(position) == board
        assert texts(position) == set(heads)
        if position.over:
            break
        assert points(position) == scored
        move = chooser.choice(sorted(heads))
        board, scored = without(board, heads[move]), scored + (len(heads[move]) - 2) ** 2
        position = position.play(move)
    assert not heads
    assert points(position) == scored + final(board)


def count_leaves(board: Columns, depth: int) -> int:
    found = groups(board)
    if depth == 0 or not found:
        return 1
    return sum(count_leaves(without(board, group), depth - 1) for group in found)


def test_leaf_counts() -> None:
    position = checks.after(SMALL)
    counts = [perft(position, depth) for depth in range(1, 9)]
    assert counts == [6, 27, 94, 241, 403, 462, 462, 462]
    assert counts == [count_leaves(columns(position), depth) for depth in range(1, 9)]


@pytest.mark.parametrize(("depth", "leaves"), [(1, 50), (2, 2455), (3, 118_448)])
def test_leaf_counts_of_the_usual_board(depth: int, leaves: int) -> None:
    """The slow rules agree; here they would take some seconds."""
    assert perft(checks.after("samegame"), depth) == leaves


# --- playouts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("plies", [0, 50])
def test_uniform_policy(plies: int) -> None:
    checks.check_uniform(list(checks.random_game("samegame", 1))[plies])


def drawn(position: Position, policy: str, draws: int) -> set[str]:
    """What a policy chooses, uncompiled."""
    choose: Any = position.game.policies[policy]
    rng = view(stream(1, "drawn"))
    state = view(position.state.copy())[0]
    with np.errstate(over="ignore"):
        return {position.move_text(choose(state, None, rng)) for _ in range(draws)}


@pytest.mark.parametrize(
    ("board", "allowed"),
    [
        ("33112/11222/11233", {"a3", "c1", "d1"}),  # six 1, five 2, four 3
        ("3112/1121/1131", {"a1", "d1"}),  # nothing else is a group
        ("2211/1122", {"a2", "c1"}),  # a tie: the lowest colour is tabu
    ],
)
def test_the_most_frequent_colour_is_tabu(board: str, allowed: set[str]) -> None:
    position = on(board)
    assert drawn(position, "tabu", 100) == allowed
    assert drawn(position, "uniform", 100) == texts(position)


# --- boards, rewards, keys ----------------------------------------------------------------------


def test_a_seed_gives_the_same_board_everywhere() -> None:
    assert rows(checks.after(SMALL)) == "13131/11331/33221/31112"
    assert rows(checks.after("samegame:size=5x4,colours=3")) == "31122/13132/12131/13333"


def test_colours_are_equally_likely() -> None:
    cells = Counter(rows(checks.after("samegame:size=26")).replace("/", ""))
    assert sorted(cells) == list("12345")
    assert all(abs(count - 26 * 26 / 5) < 5 * (26 * 26 * 0.16) ** 0.5 for count in cells.values())


def test_other_boards_of_a_size_need_no_other_code() -> None:
    one, *others = (
        load(f"samegame:{options}")
        for options in ("size=3x2", "size=3x2,seed=1", "size=3x2,colours=9", "board=112/223")
    )
    for other in others:
        assert other.state == one.state
        for policy in one.policies:
            pair = [{**of.bindings, "policy": of.policies[policy]} for of in (one, other)]
            assert fingerprint(one.policies[policy], pair[0]) == fingerprint(
                other.policies[policy], pair[1]
            )
        assert fingerprint(examine, one.bindings) == fingerprint(examine, other.bindings)


def test_rewards_are_shares_of_a_range() -> None:
    assert reward_range(225, 5) == (-506, 6062)
    low, high = reward_range(6, 2)
    assert on("121/121", "b1 a1").rewards == ((1004 - low) / (high - low),)
    assert on("12/21").rewards == (-reward_range(4, 2)[0] / (1002 - reward_range(4, 2)[0]),)


def test_rewards_stay_in_their_range() -> None:
    best = on("1" * 26 + 25 * ("/" + "1" * 26), "a1")
    assert points(best) == 674**2 + 1000
    assert best.rewards == (1.0,)
    worst = on("/".join(["12" * 13, "21" * 13] * 13))
    assert points(worst) == -2 * 336**2
    assert worst.rewards == (0.0,)


def test_hash() -> None:
    one, other = on("1133/2121", "a2"), on("1133/2121", "c2")
    start = on("33411/33412/22422")
    assert checks.hash_of(start.play("a2", "a1")) == checks.hash_of(start.play("a1", "a1"))
    assert checks.hash_of(one) != checks.hash_of(other)


def test_the_hash_knows_the_points() -> None:
    """The same stones after other groups are not worth the same."""
    position = on("112/221")
    richer = position.state.copy()
    richer["points"] += 1
    assert checks.hash_of(Position(position.game, richer, jit=False)) != checks.hash_of(position)


# --- parameters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("size=0x3", "size must be 1 to 26 columns and rows with at least two cells, not 0x3"),
        ("size=27", "size must be 1 to 26 columns and rows with at least two cells, not 27"),
        ("size=1", "with at least two cells, not 1"),
        ("colours=0", "colours must be 1 to 9, not 0"),
        ("colours=10", "colours must be 1 to 9, not 10"),
        ("board=12/1", "board must be rows of one length .*, not '12/1'"),
        ("board=10/12", "board must be rows .* a digit 1 to 9 .*, not '10/12'"),
        ("board=../..", "colours must be 1 to 9, not 0"),
    ],
)
def test_wrong_parameters(options: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        load(f"samegame:{options}")


def test_nonsense_is_refused() -> None:
    with pytest.raises(MoveError, match="a letter a to o and a number 1 to 15"):
        Position.start(load("samegame"), jit=False).parse_move("p1")
