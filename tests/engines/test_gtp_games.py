"""The engine with other games than Go."""

import re
from pathlib import Path

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


@pytest.fixture
def playing():
    """Engines that compile nothing, by their games."""
    talks = []

    def start(game, *options, sims=40):
        talks.append(Talk(game, "--sims", str(sims), *options, jit=False))
        return talks[-1]

    yield start
    assert [talk.close() for talk in talks] == [0] * len(talks)


def numbers(line, kind):
    """The cells of a line of a picture with their numbers."""
    words = line.split()
    assert words[0] == kind
    return dict(zip(words[1::2], map(float, words[2::2]), strict=True))


def test_moves_of_two_clicks_are_drawn_where_they_begin(playing):
    talk = playing("breakthrough:size=3x4")
    talk.text("tesuji-param early_stop 0")
    visits, squares, text = talk.text("tesuji-gfx visits").split("\n")
    pawns = {"a2", "b2", "c2"}  # the others cannot move
    assert set(numbers(visits, "LABEL")) == pawns
    assert sum(numbers(visits, "LABEL").values()) == 40
    influence = numbers(squares, "INFLUENCE")
    assert set(influence) == pawns
    assert min(influence.values()) == -1.0  # White is to move, and the most visited pawn counts 1
    assert re.fullmatch(r"TEXT White \w\d-\w\d: .*, line .*", text)
    best = re.findall(r"[abc]\d", text)[:2]
    assert talk.text("tesuji-gfx line").split("\n")[0] == f"LABEL {best[0]} 1 {best[1]} 2"
    values = numbers(talk.text("tesuji-gfx values").split("\n")[0], "LABEL")
    assert set(values) == pawns


def test_three_clicks_of_an_amazon(playing):
    talk = playing("amazons:size=4", sims=20)
    assert talk.text("tesuji-gfx visits").startswith("LABEL ")
    line, text = talk.text("tesuji-gfx line").split("\n")
    best = re.search(r"(\w\d)-(\w\d)/(\w\d)", text)
    if best[1] != best[3]:
        assert line == f"LABEL {best[1]} 1 {best[2]} 2 {best[3]} 3"


def test_stones_that_fall_are_drawn_where_they_lie(playing):
    talk = playing("connect4:size=4")
    talk.text("play b b")
    found = numbers(talk.text("tesuji-gfx visits").split("\n")[0], "LABEL")
    assert set(found) == {"a1", "b2", "c1", "d1"}
    line = talk.text("tesuji-gfx line").split("\n")[0]
    assert re.fullmatch(r"VAR w (a1|b2|c1|d1)( b [abcd]\d w [abcd]\d)*( b [abcd]\d)?", line)


def test_hexagons_are_drawn_by_the_names_of_their_cells(playing):
    talk = playing("hex:size=3", "--method", "rave")
    talk.text("play b b2")
    for picture in ("visits", "values", "amaf"):
        found = numbers(talk.text(f"tesuji-gfx {picture}").split("\n")[0], "LABEL")
        assert set(found) <= {f"{x}{y}" for x in "abc" for y in "123"} - {"b2"}
        assert len(found) > 3
    influence = numbers(talk.text("tesuji-gfx visits").split("\n")[1], "INFLUENCE")
    assert min(influence.values()) == -1.0


def test_without_a_board_there_is_nothing_to_draw_on(playing):
    talk = playing("production:n=3")
    refusal = "production:n=3 declares no board, which this command needs"
    assert talk.refusal("tesuji-gfx visits") == refusal
    assert talk.refusal("tesuji-gfx line") == refusal


CLAIM = str(Path(__file__).parents[1] / "toys" / "claim.py")


def test_territory_is_asked_for_by_what_a_game_declares(playing):
    """A game of a file that knows nothing of Go: owners, passing at the end, turns out of order."""
    talk = playing(CLAIM, "--resign", "0", sims=200)
    assert not {"komi", "final_score"} & set(talk.text("list_commands").split())
    assert "gfx/Ownership/tesuji-gfx ownership" in talk.text("gogui-analyze_commands")
    talk.text("play b a1")
    talk.text("play b c1")
    talk.text("play b e1")
    assert talk.text("gogui-rules_side_to_move") == "white"
    owners, lead = talk.text("tesuji-gfx ownership").split("\n")
    assert list(numbers(owners, "INFLUENCE")) == ["a1", "b1", "c1", "d1", "e1"]
    assert numbers(owners, "INFLUENCE")["c1"] == 1.0
    assert re.fullmatch(r"TEXT B\+\d\S* on average", lead)
    talk.text("play w pass")
    assert talk.text("genmove b") == "pass"  # it is ahead, and nobody can take a point away
    talk.text("kgs-time_settings absolute 20")
    assert "illegal" not in talk.ask("reg_genmove w")
