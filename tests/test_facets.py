"""What boards, territory and symmetries are, and what a game may not declare."""

from dataclasses import replace

import numpy as np
import pytest

from tesuji import Board, Cell, GameError, Piece, Position, Symmetry, load
from tesuji.facets import NOBODY, by_cell, isometries, symmetries
from tesuji.games.board import grid_cells, hexagon_cell
from tesuji.games.hexagon import Hexagon

NOUGHTS = load("tictactoe")
GO = load("go:size=3")


def board(cells, symbols="XO", **more):
    pieces = tuple(Piece(symbol, symbol, player) for player, symbol in enumerate(symbols))
    given = {"contents": lambda state: [0] * len(cells), "clicks": lambda state, move: [move]}
    return Board(cells=tuple(cells), pieces=pieces, **{**given, **more})


# --- boards --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "symbols", "message"),
    [
        ([], "XO", "a board needs at least one cell"),
        ([Cell("a", 0, 0), Cell("a", 1, 0)], "XO", "2 cells of the board have the name 'a'"),
        ([Cell("a", 0, 0), Cell("b", 0, 0)], "XO", r"2 cells .* have the place \(0, 0\)"),
        ([Cell("a", 0, 0, "circle")], "XO", "the shape of cell a is 'circle'; valid: hexagon, "),
        ([Cell("a", 0, 0)], "XX", "the symbol of a piece is 'X', it must be one character of its"),
        ([Cell("a", 0, 0)], ["XO"], "the symbol of a piece is 'XO'"),
        ([Cell("a", 0, 0)], ".", r"the symbol of a piece is '\.'"),
        ([Cell("a", 0, 0)], "/", "the symbol of a piece is '/'"),
        ([Cell("a", 0, 0)], " ", "the symbol of a piece is ' '"),
    ],
)
def test_wrong_boards_are_refused(cells, symbols, message):
    with pytest.raises(GameError, match=message):
        board(cells, symbols)


def test_rows_go_from_the_upper_left():
    names = [
        [cell.name for cell in grid_cells(3, 2)][c]
        for row in board(grid_cells(3, 2)).rows
        for c in row
    ]
    assert names == ["a2", "b2", "c2", "a1", "b1", "c1"]
    hexagon = board(Hexagon(2).board_cells)
    assert [[hexagon.cells[cell].name for cell in row] for row in hexagon.rows] == [
        ["a1", "b1"],
        ["a2", "b2", "c2"],
        ["b3", "c3"],
    ]


def test_neighbours_are_one_apart():
    for side in (1, 2, 4):
        hexagon = Hexagon(side)
        found = board(hexagon.board_cells).neighbours
        for cell in range(hexagon.cells):
            expected = set(hexagon.neighbours[cell].tolist()) - {hexagon.outside}
            assert set(found[cell]) == expected
    assert board(grid_cells(3, 3)).neighbours[4] == (1, 3, 5, 7)
    assert board(grid_cells(3, 3)).neighbours[0] == (1, 3)


def test_contents_are_written_and_read():
    grid = board(grid_cells(12, 2), "XO")
    contents = [0] * 24
    contents[0], contents[23], contents[22] = 1, 2, 1
    assert grid.write(contents) == "10XO/X11"
    assert grid.read("10XO/X11") == grid.read("9.XO/X....7") == contents
    digits = board(grid_cells(3, 1), "12")
    assert digits.write([2, 0, 1]) == "2.1"
    assert digits.read("2.1") == [2, 0, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3", "the board has rows of 3, 3 cells, these are 3"),
        ("3/2", "the board has rows of 3, 3 cells, these are 3, 2"),
        ("3/99999999999", "these are 3, 1000"),
        ("3/XZX", "'Z' is no piece; valid: ., O, X"),
        ("", "these are 0"),
    ],
)
def test_wrong_rows_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        board(grid_cells(3, 2)).read(text)


# --- symmetries ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "count"),
    [
        (grid_cells(4, 4), 7),
        (grid_cells(4, 3), 3),
        (grid_cells(4, 1), 1),
        (grid_cells(1, 1), 0),
        (Hexagon(4).board_cells, 11),
        ((Cell("a", 0, 0), Cell("b", 1, 0), Cell("c", 0, 1)), 1),
        ((Cell("a", 0, 0), Cell("b", 1, 0, "hexagon")), 0),
        (tuple(hexagon_cell(str(9 * y + x), x + y / 2, y) for y in range(3) for x in range(3)), 3),
    ],
)
def test_boards_have_as_many_symmetries_as_their_shape(cells, count):
    found = symmetries(cells, by_cell(range(len(cells))))
    assert len(found) == len({symmetry.cells for symmetry in found}) == count
    for symmetry in found:
        assert sorted(symmetry.cells) == list(range(len(cells)))


def test_symmetries_are_named_by_turns_and_axes():
    """On a rectangle whose first row is numbered 0, 1, 2 from the left."""
    found = isometries(grid_cells(3, 2))
    assert found["mirror 90"] == (2, 1, 0, 5, 4, 3)
    assert found["mirror 0"] == (3, 4, 5, 0, 1, 2)
    assert found["turn 180"] == (5, 4, 3, 2, 1, 0)
    square = isometries(grid_cells(2, 2))
    assert square["turn 90"] == (1, 3, 0, 2)  # against the clock: a1 goes to b1
    assert square["mirror 45"] == (0, 2, 1, 3)  # the rising diagonal stays


def test_moves_that_are_no_cell_stay_what_they_are():
    (symmetry,) = symmetries(grid_cells(3, 1), by_cell([10, 11, 12]))
    assert [symmetry.move(move) for move in (10, 11, 12, 99)] == [12, 11, 10, 99]


def test_a_name_that_the_board_does_not_have_is_left_out():
    assert symmetries(grid_cells(4, 3), by_cell(range(12)), ["turn 90"]) == ()


# --- games ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "change", "message"),
    [
        (NOUGHTS, {"board": "3x3"}, "board is '3x3', it must be a tesuji.Board"),
        (NOUGHTS, {"territory": 5}, "territory is 5, it must be a tesuji.Territory"),
        (NOUGHTS, {"board": board(grid_cells(2, 2))}, "must be each cell of the board once"),
        (NOUGHTS, {"board": None}, r"it must be \(\) without a board"),
        (NOUGHTS, {"symmetries": (Symmetry("s", int, (0,) * 9),)}, "symmetry 's': cells is"),
        (
            NOUGHTS,
            {"board": replace(NOUGHTS.board, numbers=("count", "coins"))},
            "a facet's field is 'coins', it must be one of the state",
        ),
        (
            GO,
            {"territory": replace(GO.territory, komi="debt")},
            "a facet's field is 'debt', it must be one of the state",
        ),
        (
            GO,
            {"territory": replace(GO.territory, points=(5, 6))},
            "territory is 'of 2 points', it must be of all cells, on a board with one piece",
        ),
        (
            GO,
            {"board": None, "symmetries": ()},
            "it must be of all cells, on a board with one piece for each of two players",
        ),
    ],
)
def test_wrong_facets_are_refused(game, change, message):
    with pytest.raises(GameError, match=f"^game '{game.name}': .*{message}"):
        replace(game, **change)


def test_owners_are_those_of_the_territory():
    assert GO.owners is GO.territory.owners
    assert GO.bindings["rules"]["owners"] is GO.territory.owners
    assert NOUGHTS.owners is None
    assert "owners" not in NOUGHTS.bindings["rules"]
    assert GO.territory.most == 9


def test_positions_tell_what_stands_where_and_what_is_clicked():
    position = Position.start(load("connect4:size=3"), jit=False).play("b", "b")
    assert position.contents == (0, 1, 0, 0, 2, 0, 0, 0, 0)
    assert [position.clicks(move) for move in position.moves] == [(0,), (7,), (2,)]
    pawns = Position.start(load("breakthrough:size=2x4"), jit=False)
    move = pawns.parse_move("a2-b3")
    cells = pawns.game.board.cells
    assert [cells[cell].name for cell in pawns.clicks(move)] == ["a2", "b3"]
    with pytest.raises(GameError, match="production:n=2 has no board"):
        _ = Position.start(load("production:n=2"), jit=False).contents


def test_planes_of_an_observation():
    """As the docstring of `facets` makes them: one plane a kind of piece."""
    position = Position.start(NOUGHTS, jit=False).play("a1", "b2", "c3")
    pieces = range(1, len(NOUGHTS.board.pieces) + 1)
    planes = np.array([[what == k for what in position.contents] for k in pieces])
    assert planes.sum(axis=1).tolist() == [2, 1]
    assert np.flatnonzero(planes[0]).tolist() == [0, 8]


def test_neutral_pieces_have_no_player():
    arrow = load("amazons:size=4").board.pieces[2]
    assert (arrow.name, arrow.symbol, arrow.player) == ("arrow", "#", NOBODY)


def test_lines_of_morpion_are_strokes_between_cells():
    position = Position.start(load("morpion"), jit=False)
    board = position.game.board
    assert position.strokes == Position.start(NOUGHTS, jit=False).strokes == []
    position = position.play("n10-n14")
    first, last = position.clicks(position.move)
    assert position.strokes == [(first, last)]
    assert {board.cells[cell].name for cell in (first, last)} == {"n10", "n14"}
