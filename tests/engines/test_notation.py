"""How GTP writes players, moves and boards of games that are not Go."""

import pytest

from tesuji import Position, load, start
from tesuji.engines.notation import Notation
from tesuji.engines.server import GtpError


def test_columns_have_no_letter_i_on_wide_boards():
    notation = Notation(load("hex:size=11"))
    for own, theirs in (("a1", "A1"), ("h3", "H3"), ("i5", "J5"), ("k11", "L11")):
        move = load("hex:size=11").parse_move(own)
        assert notation.text(move) == theirs
        assert notation.move(theirs) == notation.move(theirs.lower()) == move
    with pytest.raises(GtpError, match="syntax error: 'I5' is not a move of hex:size=11"):
        notation.move("I5")


def test_every_move_of_a_wide_board_is_read_as_it_is_written():
    for spec in ("hex:size=11", "go:size=13", "connect4", "loa"):
        game = load(spec)
        notation = Notation(game)
        for move in Position.start(game, jit=False).moves:
            assert notation.move(notation.text(move)) == move


@pytest.mark.parametrize(
    ("spec", "black", "white"),
    [("hex:size=3", 0, 1), ("havannah:size=3", 1, 0), ("tictactoe", 0, 1), ("loa", 0, 1)],
)
def test_black_and_white_are_who_the_game_says(spec, black, white):
    notation = Notation(load(spec))
    for words, player in ((("b", "Black", "BLACK"), black), (("w", "white"), white)):
        assert {notation.player(word) for word in words} == {player}
        assert notation.colour(player) == words[1].lower()
    with pytest.raises(GtpError, match="syntax error: the colour is 'green'"):
        notation.player("green")


def test_names_of_the_game_are_players_too():
    notation = Notation(load("trio"))
    assert [notation.player(name) for name in ("X", "o", "Y")] == [0, 1, 2]
    assert [notation.colour(player) for player in range(3)] == ["black", "white", "Y"]


def test_boards_have_row_one_at_the_bottom():
    hexagons = start("hex:size=3").play("a1", "c2")
    assert Notation(hexagons.game).rows(hexagons) == ["...", "..O", "X.."]
    noughts = start("tictactoe").play("a1", "c2")
    assert Notation(noughts.game).rows(noughts) == ["...", "..O", "X.."]


def test_points_are_listed_from_the_upper_left():
    game = load("go:size=3")
    texts = [game.move_text(move) for move in Notation(game).points()]
    assert texts == ["A3", "B3", "C3", "A2", "B2", "C2", "A1", "B1", "C1"]
    with pytest.raises(GtpError, match="tictactoe has no territory, which this command needs"):
        Notation(load("tictactoe")).points()


def test_stones_have_the_colours_that_players_have_in_gtp():
    """White begins, and has the symbol X in drawings; arrows are no stones."""
    amazons = start("amazons:size=4").play("a2-a1/a2")
    assert Notation(amazons.game).rows(amazons) == [".XX.", "X..X", "...O", "OOO."]


def test_cells_have_the_letters_of_the_protocol():
    position = start("amazons").play("d1-d2/j8")
    notation = Notation(position.game)
    assert notation.clicks(position.previous, position.move) == ["D1", "D2", "K8"]
    hexagons = start("hex:size=11")
    assert Notation(hexagons.game).clicks(hexagons, hexagons.parse_move("i9")) == ["J9"]
    pawns = start("breakthrough:size=2x4")
    assert Notation(pawns.game).clicks(pawns, pawns.parse_move("a2-b3")) == ["a2", "b3"]
    go = start("go:size=3")
    assert Notation(go.game).clicks(go, go.game.pass_move) == []


def test_games_without_a_board_are_refused():
    position = start("production:n=2")
    with pytest.raises(GtpError, match="production:n=2 declares no board, which this command"):
        Notation(position.game).rows(position)


@pytest.mark.parametrize("spec", ["connect4", "havannah:size=3", "samegame:size=5x4", "morpion"])
def test_other_boards_than_squares_are_refused(spec):
    position = start(spec)
    with pytest.raises(GtpError, match="no square board"):
        Notation(position.game).rows(position)
