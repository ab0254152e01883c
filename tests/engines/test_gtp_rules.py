"""The rules of Go by commands of the real process: records, superko, suicide, KataGo's form."""

import json
import re

SUICIDE = ";B[ac];W[aa];B[];W[bb];B[];W[bc];B[ab]"  # of two stones


def test_a_record_brings_its_rules(small, tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text(f"(;SZ[3]RU[Tromp-Taylor]{SUICIDE})")
    small.text(f"loadsgf {file}")
    assert "suicide=true, after 7 moves: White to move" in small.text("showboard")
    assert "RU[Tromp-Taylor]" in small.text("printsgf")
    file.write_text(f"(;SZ[3]{SUICIDE})")
    small.text(f"loadsgf {file}")  # it says nothing of rules: they stay
    before = small.text("showboard")
    file.write_text(f"(;SZ[3]RU[Chinese]{SUICIDE})")
    refusal = small.refusal(f"loadsgf {file}")
    assert refusal == "cannot load file: move 7, Black A2, is not legal there"
    assert small.text("showboard") == before
    file.write_text("(;SZ[3]RU[Chinese])")
    small.text(f"loadsgf {file}")
    assert "suicide" not in small.text("showboard")


def test_rules_change_while_a_game_goes_on(small):
    for move in ("b a1", "w a3", "b pass", "w b2", "b pass", "w b1"):
        small.text(f"play {move}")
    small.text("genmove b")
    small.text("undo")
    assert small.refusal("play b a2").startswith("illegal move")
    small.text("tesuji-param suicide 1")
    assert "[bool] suicide 1" in small.text("tesuji-param")
    assert "go:size=3,suicide=true, after 6 moves: Black to move" in small.text("showboard")
    small.text("play b a2")
    before = [small.text(command) for command in ("showboard", "printsgf", "tesuji-param")]
    refusal = "move 7 of this game, Black A2, is not legal in go:size=3"
    assert small.refusal("tesuji-param suicide 0") == refusal
    assert small.refusal("kata-set-rules chinese") == refusal
    assert [small.text(command) for command in ("showboard", "printsgf", "tesuji-param")] == before
    small.text("undo")
    small.text("tesuji-param suicide 0")
    assert small.refusal("play b a2").startswith("illegal move")
    assert re.fullmatch("[A-C][1-3]|pass|resign", small.text("genmove b"))


SEND_TWO = ";B[ae];W[ce];B[be]"  # and return one: the same stones again, White to move


def test_superko_changes_while_a_game_goes_on(small, tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text(f"(;SZ[5]RU[AGA]AB[cd][be][de]AW[ad][bd]{SEND_TWO})")
    small.text(f"loadsgf {file}")
    lines = small.text("tesuji-param").split("\n")
    assert "[list/positional/situational] superko situational" in lines
    refusal = "move 3 of this game, Black B1, is not legal in go:size=5"
    assert small.refusal("tesuji-param superko positional") == refusal
    small.text("undo")
    small.text("tesuji-param superko positional")
    assert small.refusal("play b b1").startswith("illegal move")
    small.text("tesuji-param superko situational")
    small.text("play b b1")
    assert "superko is 'none'; valid: positional, situational" in small.refusal(
        "tesuji-param superko none"
    )


def test_rules_of_other_programs(small):
    def rules():
        return json.loads(small.text("kata-get-rules"))

    usual = rules()
    assert (usual["ko"], usual["scoring"], usual["suicide"]) == ("POSITIONAL", "AREA", False)
    small.text("kata-set-rules tromp-taylor")
    assert rules() == {**usual, "suicide": True}
    small.text("kata-set-rules new-zealand")
    assert rules() == {**usual, "suicide": True, "ko": "SITUATIONAL"}
    assert "RU[NZ]" in small.text("printsgf")
    assert small.refusal("kata-set-rules japanese") == (
        "unknown rules 'japanese'; valid: aga, chinese, new-zealand, tromp-taylor"
    )
    small.text("kata-set-rules Chinese")
    assert rules() == usual
    other = {**usual, "suicide": True, "ko": "SITUATIONAL"}
    small.text(f"kata-set-rules {json.dumps({**other, 'friendlyPassOk': True})}")
    assert rules() == other
    small.text("kata-set-rule suicide false")
    small.text("kata-set-rule ko POSITIONAL")
    assert rules() == usual
