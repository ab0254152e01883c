"""Analysis by the real process on a pipe: live reports, pictures, sessions of other programs."""

import re
from pathlib import Path

import pytest

from tests.engines.talk import MOVE, analysed, replay, reported, turn

SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*.txt"))
WALLS = "b b1,w c1,b b2,w c2,b b3,w c3,b b4,w c4,b b5,w c5"


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_recorded_sessions(session, fresh):
    assert replay(fresh, session) > 0


def test_live_analysis_ranks_moves_that_can_be_played(fresh):
    fresh.text("play b c3")
    legal = {"pass", *(f"{column}{row}" for column in "ABCDE" for row in range(1, 6))} - {"C3"}
    for command, one in (("lz-analyze w 1", 10_000.0), ("kata-analyze w interval 1", 1.0)):
        moves, _ = analysed(fresh, command)
        assert [int(move["order"]) for move in moves] == list(range(len(moves)))
        assert {move["move"] for move in moves} <= legal
        assert all(move["pv"][0] == move["move"] for move in moves)
        visits = [int(move["visits"]) for move in moves]
        assert visits == sorted(visits, reverse=True)
        for move in moves:
            assert 0 <= float(move["lcb"]) <= float(move["winrate"]) <= one
            assert 0 < float(move["prior"]) <= one
        assert len(analysed(fresh, f"{command} maxmoves 2")[0]) == 2


def test_analysis_understands_what_other_programs_are_asked(small):
    asked = "rootInfo true pvVisits true movesOwnership false minmoves 1 maxmoves 0"
    line = reported(small, f"kata-analyze b interval 5 {asked}")
    info, _, root = line.partition(" rootInfo ")
    assert info.count("info move") == 1
    figures = dict(zip(root.split()[::2], root.split()[1::2], strict=True))
    assert int(figures["visits"]) > 0
    assert 0 <= float(figures["winrate"]) <= 1


def test_analysis_of_some_moves_alone(small):
    small.text("play b b2")

    def shown(command):
        return {move["move"] for move in analysed(small, f"lz-analyze w 20 {command}")[0]}

    assert not shown("avoid w a1,a2 1 avoid w C3 1") & {"A1", "A2", "C3"}
    assert shown("allow w a1,a2,b2,pass 1") <= {"A1", "A2", "pass"}
    assert shown("avoid b pass 1")  # a move of the player who is not to move is no matter
    assert turn(small) == "White to move"


def test_analysis_for_the_other_colour_is_not_about_passing(fresh):
    """As if it were his turn: an inserted pass would let him win by passing, too."""
    fresh.text("play b c3")
    fresh.text("komi -30")
    moves, _ = analysed(fresh, "lz-analyze b 10")
    assert len(moves) > 1
    assert turn(fresh) == "White to move"


def test_genmove_analyze_reports_and_plays(fresh):
    answer = fresh.ask("3 lz-genmove_analyze b 1")
    assert re.fullmatch(rf"=3\n(info move .*\n)+play {MOVE}\n\n", answer)
    move = answer.split()[-1]
    assert ";B[" in fresh.text("printsgf")
    assert answer.split("\n")[-4].startswith(f"info move {move} ")


def test_pictures_name_points_of_the_board(fresh):
    fresh.text("play b c3")
    offered = fresh.text("gogui-analyze_commands").split("\n")
    assert all(re.fullmatch(r"(gfx|param|plist|string)/[^/]+/[^/]+", line) for line in offered)
    known = fresh.text("list_commands").split()
    assert all(line.split("/")[2].split()[0] in known for line in offered)
    point = "[A-E][1-5]"
    visits = fresh.text("tesuji-gfx visits").split("\n")
    assert re.fullmatch(rf"LABEL( {point} \d+k?)+", visits[0])
    assert re.fullmatch(rf"INFLUENCE( {point} -[01]\.\d\d)+", visits[1])
    values = fresh.text("tesuji-gfx values").split("\n")
    assert re.fullmatch(rf"LABEL( {point} \d+)+", values[0])
    line = fresh.text("tesuji-gfx line").split("\n")
    assert re.fullmatch(rf"VAR w {MOVE}( b {MOVE} w {MOVE})*( b {MOVE})?", line[0])
    assert line[1].startswith("TEXT White ")


def test_pondering_does_not_change_what_is_answered(fresh):
    fresh.text("tesuji-param ponder 1")
    for colour in "bwbw":
        assert re.fullmatch(MOVE, fresh.text(f"genmove {colour}"))
        assert fresh.text("name") == "Tesuji"
        assert re.fullmatch(MOVE, fresh.text(f"reg_genmove {'bw'['bw'.index(colour) - 1]}"))
    fresh.text("undo")
    fresh.text("tesuji-param ponder 0")
    moves, _ = analysed(fresh, "lz-analyze 1")
    assert moves


def test_analysis_shows_whose_the_points_are(fresh):
    for command in WALLS.split(","):
        fresh.text(f"play {command}")
    _, owners = analysed(fresh, "kata-analyze b 1 ownership true")
    rows = [owners[i : i + 5] for i in range(0, 25, 5)]
    assert len(owners) == 25
    assert sum(row[1] for row in rows) > 0 > sum(row[2] for row in rows)  # the walls
    picture = fresh.text("tesuji-gfx ownership")
    assert len(re.findall(r"[A-E][1-5] -?[01]\.\d\d", picture)) == 25
