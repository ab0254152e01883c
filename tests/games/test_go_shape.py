"""Shapes of 3x3 points: codes against the board, symmetries, what diagrams leave open."""

import re

import numpy as np
import pytest

from checks import after
from go_kernels import random_steps
from tesuji.game import Size
from tesuji.games.go.board import BLACK, CODES, EMPTY, WALL, WHITE, make_board
from tesuji.games.go.setup import board_of
from tesuji.games.go.shape import (
    ALL,
    CANONICAL,
    PLACES,
    SYMBOL,
    code_of,
    diagram,
    is_exact,
    matches,
    swapped,
    turned,
)


def around(position, text):
    """What stands around a point, read off the board row by row."""
    board = board_of(position.game)
    stones, at = position.state[0]["board"], position.game.parse_move(text)
    rows = [[at + dy * board.stride + dx for dx in (-1, 0, 1)] for dy in (1, 0, -1)]
    return " ".join(
        "".join("*" if point == at else SYMBOL[int(stones[point])] for point in row) for row in rows
    )


@pytest.mark.parametrize("point", ["C3", "A1", "E5", "A3", "C1", "D4"])
def test_the_code_of_a_point_is_its_diagram(point):
    position = after("go:size=5", "B2 B3 D2 C4 E4 A2 B1 D5")
    code = int(position.state[0]["code"][position.game.parse_move(point)])
    assert diagram(code) == around(position, point)
    assert code_of(diagram(code)) == code


def test_codes_are_kept_up_move_by_move():
    """Stones that come and go change the codes around them; here they are read off the board."""
    board = make_board(Size(5, 5))
    steps = [int(step) for step in [*board.beside.astype(int), *board.across.astype(int)]]
    captures = 0
    for state, slow in random_steps(5, 60, seed=2):
        captures += len(slow.seen) - len(slow.stones) > captures
        for vertex in board.vertices.tolist():
            around = [state.board[vertex + step] for step in steps]
            assert state.code[vertex] == sum(at << 2 * k for k, at in enumerate(around))
    assert captures > 0


def test_every_code_has_its_own_diagram():
    assert [code_of(diagram(code)) for code in range(0, CODES, 97)] == list(range(0, CODES, 97))


def test_symmetries_are_the_eight_of_the_square():
    orders = [tuple(order) for order in turned(PLACES)]
    assert len(set(orders)) == 8
    assert tuple(range(8)) in orders
    for order in orders:
        composed = {tuple(order[i] for i in other) for other in orders}
        assert composed == set(orders)
        for here, there in enumerate(order):  # distances to the middle stay
            (r, c), (s, d) = PLACES[here], PLACES[there]
            assert abs(r - 1) + abs(c - 1) == abs(s - 1) + abs(d - 1)


def test_a_canonical_code_stands_for_all_symmetries_of_a_shape():
    upright = "XO. .*. ###"
    same = ["#.X #*O #..", "### .*. .OX", "..# O*# X.#", ".OX .*. ###"]
    codes = [int(CANONICAL[code_of(text)]) for text in (upright, *same)]
    assert len(set(codes)) == 1
    assert CANONICAL[code_of("OX. .*. ###")] != codes[0]  # other colours
    assert np.array_equal(CANONICAL[CANONICAL], CANONICAL)


def test_shapes_of_the_whole_plane_and_their_number():
    """Without walls there are 954 shapes up to symmetry: Burnside's count of 3^8 colourings."""
    cells = [ALL >> 2 * k & 3 for k in range(8)]
    inner = np.all([cell != WALL for cell in cells], axis=0)
    assert len(np.unique(CANONICAL[inner])) == (3**8 + 2 * 3**2 + 3**4 + 4 * 3**5) // 8


def test_swapping_colours_twice_changes_nothing():
    assert diagram(int(swapped(np.array([code_of("XO. #*X OO.")]))[0])) == "OX. #*O XX."
    assert np.array_equal(swapped(swapped(ALL)), ALL)


@pytest.mark.parametrize(
    ("symbol", "stands"),
    [
        (".", {EMPTY}),
        ("X", {BLACK}),
        ("O", {WHITE}),
        ("#", {WALL}),
        ("x", {EMPTY, WHITE, WALL}),
        ("o", {EMPTY, BLACK, WALL}),
        ("?", {EMPTY, BLACK, WHITE, WALL}),
    ],
)
def test_what_symbols_match(symbol, stands):
    """The other corners hold X, so that no symmetry can move this one."""
    found = np.flatnonzero(matches(f"X.X .*. X.{symbol}"))
    corner = code_of("X.X .*. X..")
    here = [code for code in found if code & ~(3 << 2 * PLACES.index((2, 2))) == corner]
    assert {int(code) >> 2 * PLACES.index((2, 2)) & 3 for code in here} == stands
    assert is_exact(f"X.X .*. X.{symbol}") == (len(stands) == 1)


def test_a_diagram_matches_in_all_its_symmetries_and_nothing_else():
    found = set(np.flatnonzero(matches("XO. .*. ...")).tolist())
    assert len(found) == 8
    assert found == {code for code in range(CODES) if CANONICAL[code] == min(found)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XO. .*.", "'XO. .*.' is no shape: write three rows of three, * in the middle"),
        ("XO. ... ...", "'XO. ... ...' is no shape"),
        ("XO. .*. ..+", "'+' in the shape 'XO. .*. ..+' is none of . X O # x o ?"),
    ],
)
def test_what_is_no_diagram(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        matches(text)


def test_the_empty_board_has_nine_shapes():
    """Inside, four edges and four corners, which are three up to symmetry."""
    position = after("go:size=5")
    vertices = make_board(board_of(position.game).size).vertices
    codes = position.state[0]["code"][vertices]
    assert len(np.unique(codes)) == 9
    assert len(np.unique(CANONICAL[codes])) == 3
