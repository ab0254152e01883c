import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import checks
from stone_games import sample
from tesuji.compile.plain import view
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft
from tesuji.games import load
from tesuji.games.morpion import BARRED, CELLS, RULES, SIDE, State, lines, move_text, place
from tesuji.position import Position

SPECS = {rule: f"morpion:rule={rule}" for rule in RULES}


def begin(rule: str, moves: str = "") -> Position:
    """Uncompiled: there is little to play here."""
    return Position.start(checks.game(SPECS[rule]), jit=False).play(*moves.split())


# --- the rules again, slow and simple, on an endless grid ----------------------------------------

Point = tuple[int, int]
Line = tuple[Point, ...]

STEPS = [(1, 0), (0, 1), (1, 1), (1, -1)]
COLUMNS = "abcdefghijklmnopqrstuvwxyzABCD"


def cross() -> set[Point]:
    """The outline of a Greek cross whose twelve edges have four points each."""
    corners = re.findall(r"...", "n11n14k14k17n17n20q20q17t17t14q14q11n11")
    points = {point(corner) for corner in corners}
    for a, b in pairwise(corners):
        points |= set(between(point(a), point(b)))
    return points


def point(text: str) -> Point:
    return COLUMNS.index(text[0]) + 1, int(text[1:])


def between(a: Point, b: Point) -> Line:
    """All points from one end of a line to the other."""
    (x, y), (u, v) = a, b
    steps = max(abs(u - x), abs(v - y))
    return tuple((x + (u - x) * i // steps, y + (v - y) * i // steps) for i in range(steps + 1))


def read(text: str) -> Line:
    begin, end = text.split("-")
    return tuple(sorted(between(point(begin), point(end))))


def parts(line: Line, rule: str) -> set[tuple[object, ...]]:
    """What no other line of the same direction may have."""
    step = (line[1][0] - line[0][0], line[1][1] - line[0][1])
    if rule == "5D":
        return {(step, p) for p in line}
    return {(step, p, q) for p, q in pairwise(line)}


@cache
def lines_through(x: int, y: int) -> list[Line]:
    starts = [(x - dx * i, y - dy * i, dx, dy) for dx, dy in STEPS for i in range(5)]
    return [tuple((u + dx * i, v + dy * i) for i in range(5)) for u, v, dx, dy in starts]


def legal(points: set[Point], drawn: list[Line], rule: str) -> set[Line]:
    """All lines of five with one point to add, looked for around every point."""
    used = {part for line in drawn for part in parts(line, rule)}
    found = {
        line for at in points for line in lines_through(*at) if len(points.intersection(line)) == 4
    }
    return {line for line in found if not used & parts(line, rule)}


def leaves(points: set[Point], drawn: list[Line], rule: str, depth: int) -> int:
    found = legal(points, drawn, rule)
    if depth == 1:
        return len(found)
    return sum(leaves(points | set(line), [*drawn, line], rule, depth - 1) for line in found)


def random_game(rule: str, seed: int) -> Iterator[Position]:
    chooser = random.Random(seed)
    position = begin(rule)
    yield position
    while not position.over:
        position = position.play(chooser.choice(position.moves))
        yield position


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(4))
def test_against_slow_rules(rule: str, seed: int) -> None:
    points, drawn = cross(), []
    for position in random_game(rule, seed):
        if position.move is not None:
            line = read(position.move_text(position.move))
            assert len(points & set(line)) == 4
            points |= set(line)
            drawn.append(line)
        found = [read(position.move_text(move)) for move in position.moves]
        assert len(set(found)) == len(found)
        assert set(found) == legal(points, drawn, rule)
    assert position.over
    assert position.ply == len(points) - 36


@pytest.mark.parametrize("rule", RULES)
def test_drawn_lines_are_the_moves(rule: str) -> None:
    for position in random_game(rule, 7):
        assert sorted(lines(view(position.state)[0])) == sorted(position.line)


# --- leaf counts ---------------------------------------------------------------------------------

PERFT = {"5T": [28, 748, 18_992], "5D": [28, 740, 18_416]}


@pytest.mark.parametrize("rule", RULES)
def test_leaf_counts(rule: str) -> None:
    assert [perft(begin(rule), depth, jit=False) for depth in (1, 2, 3)] == PERFT[rule]
    assert [leaves(cross(), [], rule, depth) for depth in (1, 2, 3)] == PERFT[rule]


# --- rules by example ----------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_opening_moves(rule: str) -> None:
    directions = Counter(move // CELLS for move in begin(rule).moves)
    assert directions == {0: 12, 1: 12, 2: 2, 3: 2}


@pytest.mark.parametrize(
    ("move", "legal_5t", "legal_5d"),
    [
        ("o17-s17", True, False),  # shares a point with the line before
        ("p17-t17", True, True),  # begins beside it
        ("n17-r17", False, False),  # shares a segment
        ("j17-n17", False, False),
        ("o15-o19", False, False),  # the new point alone makes no line
    ],
)
def test_lines_of_one_direction(move: str, legal_5t: bool, legal_5d: bool) -> None:
    for rule, expected in (("5T", legal_5t), ("5D", legal_5d)):
        position = begin(rule, "k17-o17")
        assert (position.game.parse_move(move) in position.moves) == expected


def test_lines_of_two_directions_may_share_a_point() -> None:
    """They cross in n17; the point added is n16, then o17."""
    assert begin("5D", "n16-n20 k17-o17").ply == 2


def test_a_point_is_added_once() -> None:
    """Both lines lack o15.  Either takes the other away, and the position is not the same."""
    before = begin("5D", "o11-k15 q11-q15 k17-o17 r14-n18 p14-t14 n16-n20")
    rising, falling = map(before.parse_move, ("m13-q17", "q13-m17"))
    one, other = before.play(rising), before.play(falling)
    assert falling not in one.moves
    assert rising not in other.moves
    assert np.array_equal(one.state["points"], other.state["points"])
    assert checks.hash_of(one) != checks.hash_of(other)


@pytest.mark.parametrize("rule", RULES)
def test_scores_and_rewards(rule: str) -> None:
    *_, last = random_game(rule, 3)
    assert last.game.score is not None
    assert last.game.score(view(last.state)[0]) == last.ply
    assert last.rewards == (last.ply / (200 if rule == "5T" else 100),)


def test_the_order_of_moves_does_not_matter() -> None:
    one, other = begin("5T", "k17-o17 p17-t17 n16-n20"), begin("5T", "n16-n20 p17-t17 k17-o17")
    assert checks.hash_of(one) == checks.hash_of(other)
    assert sorted(one.moves) == sorted(other.moves)
    assert str(one) == str(other)


CORNERS = [(1, 1), (25, 1), (1, 25), (25, 25)]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_leaves_the_field(rule: str, seed: int) -> None:
    """Points in the corners of the field: no line wraps around or needs a point of the border."""
    chooser = random.Random(seed)
    squares = [[(x + i % 6, y + i // 6) for i in range(36)] for x, y in CORNERS]
    points = [point for square in squares for point in chooser.sample(square, 24)]
    state = view(np.zeros(1, State))[0]
    state.rule = RULES.index(rule)
    state.drawn[:] = BARRED[state.rule]
    for x, y in points:
        place(state, np.uint32(y * SIDE + x))
    found = {read(move_text(int(move))) for move in state.legal[: state.legal_count]}
    expected = {
        line
        for line in legal(set(points), [], rule)
        if all(1 <= x <= 30 and 1 <= y <= 30 for x, y in line)
    }
    assert 20 < len(expected) < len(legal(set(points), [], rule))
    assert found == expected


# --- many random games ---------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "mean", "choice"), [("5T", 53.6, 11.9), ("5D", 42.9, 11.6)])
def test_random_games(rule: str, mean: float, choice: float) -> None:
    """No game has fewer than 20 moves (Boyer, morpionsolitaire.com)."""
    games = sample(begin(rule), 20_000)
    assert games.length.min() == 20
    assert games.length.mean() == pytest.approx(mean, abs=0.5)
    assert games.branching == pytest.approx(choice, abs=0.2)


def test_the_uniform_policy() -> None:
    checks.check_uniform(checks.after("morpion"))


# --- text ----------------------------------------------------------------------------------------

DRAWING = """
   j k l m n o p q r s t u
21 . . . . . . . . . . . . 21

20 . . . . o o o o . . . . 20
           |
19 . . . . o . . o . . . . 19
           |
18 . . . . o . . o . . . . 18
           |
17 . o-o-o-o-* . o o o o . 17
           |
16 . o . . * . . . . . o . 16

15 . o . . . . . . . . o . 15

14 . o o o o . . o o o o . 14

13 . . . . o . . o . . . . 13

12 . . . . o . . o . . . . 12

11 . . . . o o o o . . . . 11

10 . . . . . . . . . . . . 10
   j k l m n o p q r s t u
"""


def test_drawing() -> None:
    assert str(begin("5D", "k17-o17 n16-n20")) == DRAWING.strip("\n")


def test_both_ends_may_come_first() -> None:
    assert begin("5T").parse_move("o17-k17") == begin("5T").parse_move("k17-o17")


@pytest.mark.parametrize(
    "text", ["k17", "k17-o18", "k17-n17", "k17-k17", "k0-k4", "k27-k31", "D1-H1", "k17-"]
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="both ends of a line of five points"):
        begin("5T").parse_move(text)


def test_columns_beyond_z() -> None:
    move = begin("5T").game.parse_move("z9-D9")
    assert move_text(move) == "z9-D9"
    assert move_text(begin("5T").game.parse_move("z9-D5")) == "D5-z9"


def test_rules_may_be_written_small() -> None:
    assert load("morpion:rule=5d").max_length == begin("5D").game.max_length


def test_wrong_parameters() -> None:
    with pytest.raises(GameError, match="rule must be 5T or 5D, not 4T"):
        load("morpion:rule=4T")
