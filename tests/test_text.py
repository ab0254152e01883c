"""Positions as one line of text: what is written, what is read, and what is refused."""

from dataclasses import replace

import pytest

from tests.toys import dice_race, digits, triple_nim
from tesuji import MoveError, Position, PositionError, load
from tesuji.games.go.setup import set_up, to_move

NOUGHTS = load("tictactoe")


def after(spec, line=""):
    return Position.start(load(spec), jit=False).play(*line.split())


def parse(spec, text):
    return Position.parse(load(spec), text, jit=False)


# --- writing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "line", "text"),
    [
        ("tictactoe", "", "3/3/3 X"),
        ("tictactoe", "a1 b2", "3/1O1/X2 X"),
        ("breakthrough:size=3x5", "a2-b3", "OOO/OOO/1X1/1XX/XXX Black"),
        ("loa:size=5", "b1-b3", "1XXX1/O3O/OX2O/O3O/2XX1 White 1"),
        ("amazons:size=4", "a2-b2/a2", "1OO1/O2O/#X1X/1XX1 Black"),
        ("hex:size=3", "c3 a1", "O2/3/2X Black"),
        ("havannah:size=3", "c1", "2O/4/5/4/3 Black"),
        ("samegame:board=112/221", "", "112/221 solver 0"),
        ("samegame:board=112/221", "a1", "..2/111 solver 0"),
        ("go:size=3", "B2 A1", "3/1X1/O2 Black"),
        ("trio:size=3,line=3", "a1 b1 c1", "3/3/XOY X"),
    ],
)
def test_the_board_and_who_is_to_move(spec, line, text):
    assert after(spec, line).text == text


@pytest.mark.parametrize(
    ("spec", "line", "text"),
    [
        ("morpion", "", "start"),
        ("morpion", "n10-n14 k14-o14", "start moves n10-n14 k14-o14"),
        ("go:size=3", "A1 pass", "3/3/X2 White moves pass"),
        ("go:size=3", "A1 pass pass", "3/3/X2 White moves pass pass"),
        ("go:size=5", "C4 D4 B3 E3 C2 D2 D3 C3", "x moves C3"),
        ("atarigo:size=2x1", "A1 B1", "x moves B1"),
    ],
)
def test_what_the_board_does_not_tell_is_told_by_moves(spec, line, text):
    position = after(spec, line)
    before = position.previous.text if text.startswith("x") else "x"
    assert position.text == text.replace("x", before, 1)


def test_the_line_is_told_from_where_it_begins():
    assert after("tictactoe", "a1 b2").line_text == "start moves a1 b2"
    assert after("tictactoe").line_text == "start"
    set_up = parse("tictactoe", "3/1O1/X2 X").play("c3")
    assert set_up.line_text == "3/1O1/X2 X moves c3"
    assert parse("go:size=3", "3/3/X2 White moves pass A3").line_text == (
        "3/3/X2 White moves pass A3"
    )


def test_games_without_a_board_are_told_by_moves():
    position = Position.start(triple_nim.game(), jit=False).play(3, 1)
    assert position.text == position.line_text == "start moves 3 1"
    assert Position.parse(triple_nim.game(), "start moves 3 1", jit=False).state == position.state
    rolled = Position.start(dice_race.game(), jit=False)
    assert rolled.text == "start"
    assert Position.start(digits.game(), jit=False).text == "start"


def test_a_state_without_a_past_that_no_board_tells():
    position = after("morpion", "n10-n14")
    alone = Position(position.game, position.state, jit=False)
    for name in ("text", "line_text"):
        with pytest.raises(
            PositionError, match="a position of morpion that no moves led to cannot"
        ):
            getattr(alone, name)
    with pytest.raises(MoveError, match=r"^'n10-n14' is not legal after move 0 \(morpion\); "):
        alone.play("n10-n14")


def test_a_set_up_that_misses_the_end_is_not_believed():
    """It has the same stones and the same hash, but the game goes on there."""

    def place(state, contents, mover):
        state.board[:] = contents
        state.count = 9 - contents.count(0)

    game = replace(NOUGHTS, board=replace(NOUGHTS.board, place=place))
    position = Position.start(game, jit=False).play("a1", "a2", "b1", "b2")
    assert position.text == "3/OO1/XX1 X"
    assert position.play("c1").text == "3/OO1/XX1 X moves c1"


def test_players_are_one_word_each():
    game = replace(NOUGHTS, player_names=("Player One", "Player Two"))
    position = Position.start(game, jit=False).play("a1")
    assert position.text == "3/3/X2 Player_Two"
    assert Position.parse(game, "3/3/X2 player_two", jit=False).mover == 1


# --- reading -------------------------------------------------------------------------------------


def test_a_text_is_read_without_a_past():
    position = parse("breakthrough:size=3x5", "OOO/3/3/X2/2X black moves c5-c4")
    assert (position.ply, position.mover_name) == (1, "White")
    moves = {position.move_text(move) for move in position.moves}
    assert moves == {"a2-a3", "a2-b3", "c1-b2", "c1-c2"}
    assert position.origin.previous is None


@pytest.mark.parametrize(
    ("spec", "text", "over"),
    [
        ("breakthrough:size=2x4", "X1/2/2/1O Black", "White wins"),
        ("breakthrough:size=2x4", "2/X1/2/2 Black", "White wins"),
        ("connect4:size=4", "4/4/4/XXXX O", "X wins"),
        ("tictactoe", "XXX/OO1/3 O", "X wins"),
        ("hex:size=2", "1X/OX White", "Black wins"),
        ("loa:size=4", "4/1O1O/XX2/4 White 9", "Black wins"),
        ("loa:size=4,tie=true", "4/1O1O/XX2/4 White 9", "Black wins"),
        ("loa:size=4,tie=true", "4/1OO1/XX2/4 White 9", "draw"),
        ("loa:size=4", "4/1OO1/XX2/4 White 9", "Black wins"),
        ("ataxx:size=2", "XX/XX O", "X wins"),
        ("havannah:size=3", "2O/2O1/2O2/1O2/O2 Black", "White wins"),
    ],
)
def test_ends_are_seen(spec, text, over):
    position = parse(spec, text)
    assert position.over
    assert position.result_text() == over
    assert position.text == text


def test_the_swap_is_offered_where_one_stone_stands():
    for spec, one, none in (
        ("hex:size=2,swap=true", "2/1X White", "2/1X Black"),
        ("havannah:size=3,swap=true", "O2/4/5/4/3 Black", "O2/4/5/4/3 White"),
        ("pentalath:size=3,swap=true", "X2/4/5/4/3 White", "X2/4/5/4/3 Black"),
    ):
        offered, declined = parse(spec, one), parse(spec, none)
        assert "swap" in [offered.move_text(move) for move in offered.moves]
        assert "swap" not in [declined.move_text(move) for move in declined.moves]
        start = Position.start(load(spec), jit=False)
        swapped = start.play(start.moves[0]).play("swap")
        assert parse(spec, swapped.text).play(*swapped.moves[1:2]).contents
        assert parse(spec, start.text).key == start.key


@pytest.mark.parametrize(
    ("spec", "text", "message"),
    [
        ("tictactoe", "", "'' is not a position of tictactoe: write BOARD MOVER"),
        ("tictactoe", "3/3/3", "'3/3/3' is not a position of tictactoe: write BOARD MOVER"),
        ("tictactoe", "3/3/3 X 7", "write BOARD MOVER"),
        ("tictactoe", "3/3/3 Z", "the player to move is 'Z'; valid: o, x"),
        ("tictactoe", "3/3 X", "the board has rows of 3, 3, 3 cells, these are 3, 3"),
        ("tictactoe", "3/3/2Y X", "'Y' is no piece; valid: ., O, X"),
        ("tictactoe", "3/3/2X X", "this is not a position of tictactoe: X begins, the players"),
        ("tictactoe", "XXX/OOO/3 X", "one line of three ends the game"),
        ("trio:size=3,line=3", "3/3/XXO X", r"the players take turns: not \[2, 1, 0\] stones"),
        ("trio:size=3,line=3", "3/3/XO1 X", "after 2 stones Y is to move"),
        ("connect4:size=4", "4/4/X3/4 O", "there is nothing under a2"),
        ("breakthrough:size=2x4", "2/XX/XX/X1 White", "White has at most 4 pawns"),
        ("amazons:size=4", "4/4/4/XXXX White", "each player has 4 amazons, not 4, 0"),
        ("loa:size=4", "4/4/4/XX2 White 3", "each player needs a piece"),
        ("loa:size=4", "4/1OO1/XX2/4 White 70000", "ply is '70000', it must be 0 to 65535"),
        ("loa:size=4", "4/1OO1/XX2/4 White -1", "ply is '-1', it must be 0 to 65535"),
        ("loa:size=4", "4/1OO1/XX2/4 White x", "ply is 'x', it must be 0 to 65535"),
        ("loa:size=4", "4/1OO1/XX2/4 White", "write BOARD MOVER PLY"),
        ("go:size=3", "1X1/XOX/1X1 White", "the stone on B2 has no liberty; every chain needs"),
        ("nogo:size=3", "1XO/XO1/3 Black", None),
        ("nogo:size=3", "1XO/XOX/2X Black", "Black begins, and the players take turns"),
        ("atarigo:size=3", "XO1/OX1/3 Black", "a chain has no liberty"),
        ("pentalath:size=3", "XO1/OO2/5/4/3 Black", "a chain has no liberty"),
        ("samegame:size=3,colours=2", "1../.../... solver 0", "stones fall, and empty columns"),
        ("production:n=2", "3/3 solver", "positions of production:n=2 are written by their moves"),
    ],
)
def test_what_is_no_position_is_refused(spec, text, message):
    if message is None:
        assert parse(spec, text).text == text
        return
    with pytest.raises(PositionError, match=message):
        parse(spec, text)


def test_moves_of_a_text_are_checked():
    with pytest.raises(MoveError, match=r"'a1' is not legal after move 1 \(3/3/X2 O\)"):
        parse("tictactoe", "start moves a1 a1")
    with pytest.raises(MoveError, match="'z' is not a move of tictactoe"):
        parse("tictactoe", "3/3/X2 O moves z")


def test_errors_show_the_end_of_a_long_text():
    position = after("production:n=20")
    while position.ply < 200:
        position = position.play(position.moves[0])
    with pytest.raises(MoveError) as caught:
        position.play("a40")
    shown = str(caught.value).partition(" (")[2].partition(")")[0]
    assert shown.startswith("... ")
    assert len(shown) < 410
    assert position.text.endswith(shown.removeprefix("... "))


# --- Go ------------------------------------------------------------------------------------------


def test_the_past_is_kept_by_moves_and_lost_with_the_board():
    """A lone stone at A1 was seen five moves ago, so it may not stand there again."""
    position = after("go:size=2", "A1 B2 A2 B1 A1 A2")
    assert parse("go:size=2", position.line_text).moves == position.moves
    assert set(parse("go:size=2", position.text).moves) > set(position.moves)


def test_set_ups_and_turns_out_of_order_are_written():
    go = load("go:size=3")
    position = to_move(set_up(go, [go.parse_move("B2")], []), 0)
    assert position.text == position.line_text == "3/1X1/3 Black"
    assert position.play("A1").line_text == "3/1X1/3 Black moves A1"
