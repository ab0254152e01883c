"""The engine with other games than Go."""

import re

import pytest

from tests.engines.talk import Talk, listed_commands


@pytest.fixture(scope="module")
def noughts():
    talk = Talk("--game", "tictactoe", "--sims", "200")
    yield talk
    assert talk.close() == 0


def test_a_game_as_gogui_plays_it(noughts):
    for command, answer in (
        ("gogui-rules_game_id", "tictactoe"),
        ("gogui-rules_board_size", "3"),
        ("gogui-rules_side_to_move", "black"),
        ("gogui-rules_legal_moves", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
        ("gogui-rules_final_result", "unknown"),
        ("play b b2", ""),
        ("play w b1", ""),
        ("gogui-rules_board", ". . .\n. X .\n. O ."),
        ("gogui-rules_side_to_move", "black"),
    ):
        assert noughts.text(command) == answer
    assert noughts.refusal("play w c3") == "illegal move: black is to move"
    assert noughts.refusal("play b b1") == "illegal move: black cannot play b1"
    assert noughts.refusal("genmove w") == "illegal move: black is to move"
    assert re.fullmatch("[abc][123]", noughts.text("genmove b"))
    assert noughts.text("gogui-rules_side_to_move") == "white"


def test_a_finished_game_is_over(noughts):
    noughts.text("clear_board")
    for move in ("b a1", "w c3", "b a2", "w c2"):
        noughts.text(f"play {move}")
    assert noughts.text("genmove b") == "a3"
    assert noughts.text("gogui-rules_final_result") == "black"
    assert noughts.text("gogui-rules_legal_moves") == ""
    assert "the game is over" in noughts.refusal("genmove w")
    assert "the game is over" in noughts.refusal("lz-analyze w")
    noughts.text("undo")
    assert noughts.text("gogui-rules_final_result") == "unknown"


def test_commands_of_go_are_not_there(noughts):
    known = noughts.text("list_commands").split()
    assert not {"boardsize", "komi", "final_score", "loadsgf"} & set(known)
    assert set(known) <= listed_commands()
    assert noughts.refusal("komi 5") == "unknown command"
    assert "final_score" not in noughts.text("gogui-analyze_commands")
    noughts.text("clear_board")
    assert noughts.text("tesuji-gfx line").startswith("VAR b ")
    assert noughts.text("tesuji-gfx values").startswith("LABEL ")
    assert noughts.refusal("tesuji-gfx ownership").startswith("syntax error")


def test_every_game_is_played_by_the_clock():
    talk = Talk("tictactoe", "--resign", "0", jit=False)  # no limit of a move: two seconds, or this
    talk.text("time_settings 0 1 1000")
    talk.text("time_left b 1 1000")
    assert re.fullmatch("[abc][123]", talk.text("genmove b"))
    talk.text("kgs-time_settings byoyomi 0 0.1 3")
    assert re.fullmatch("[abc][123]", talk.text("genmove w"))
    assert talk.refusal("time_left green 1 1").startswith("syntax error: the colour is 'green'")
    assert talk.close() == 0


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("samegame:size=5", r"= VAR b \w\d( b \w\d)*\n"),
        ("trio", r"\? lines are drawn in two colours, and this game has 3 players\n"),
    ],
)
def test_lines_of_other_numbers_of_players(game, line):
    talk = Talk(game, "--sims", "20", jit=False)
    assert re.match(line, talk.ask("tesuji-gfx line"))
    assert talk.close() == 0
