"""The engine as a real process on a pipe: every command, nonsense, sessions of real programs."""

import json
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

import tesuji
from tests.engines.talk import LONG, SHARED, Talk, listed_commands, replay
from tests.gnugo import gnugo_command
from tesuji.engines.server import read_command

SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*.txt"))
ANSWER = re.compile(r"[=?](\d*)(?: [^\n]+)?\n(?:[^\n]+\n)*\n")
MOVE = r"(?:[A-E][1-5]|pass)"

#: each command with arguments that it takes, for the state that the line before has left
SAMPLES = {
    "protocol_version": "",
    "name": "",
    "version": "",
    "known_command": "play",
    "list_commands": "",
    "boardsize": "5",
    "rectangular_boardsize": "5 5",
    "komi": "0.5",
    "kata-get-rules": "",
    "kata-set-rule": "suicide true",
    "kata-set-rules": "chinese",
    "clear_board": "",
    "set_free_handicap": "B2 D4",
    "play": "w c3",
    "undo": "",
    "genmove": "w",
    "reg_genmove": "b",
    "analyze": "b 1",
    "lz-analyze": "1",
    "kata-analyze": "w 1 ownership true",
    "genmove_analyze": "b 1",
    "lz-genmove_analyze": "w 1",
    "kata-genmove_analyze": "b 1",
    "showboard": "",
    "cputime": "",
    "set_random_seed": "3",
    "time_settings": "60 0 0",
    "time_left": "b 50 0",
    "kgs-time_settings": "none",
    "tesuji-param": "",
    "tesuji-gfx": "visits",
    "gogui-analyze_commands": "",
    "gogui-interrupt": "",
    "printsgf": "",
    "final_score": "",
    "final_status_list": "alive",
    "kgs-genmove_cleanup": "w",
    "kgs-game_over": "",
}
OWN_TEST = {"quit", "loadsgf", "fixed_handicap", "place_free_handicap"}


@pytest.fixture(scope="module")
def talk():
    engine = Talk(*SHARED)
    yield engine
    assert engine.close() == 0
    assert engine.process.stderr is not None


@pytest.fixture
def fresh(talk):
    """The same engine with the usual rules and an empty board."""
    rules = ("boardsize 5", "clear_board", "komi 7.5", "kata-set-rules chinese")
    for command in (*rules, "kgs-time_settings none"):
        talk.text(command)
    return talk


@pytest.fixture(scope="module")
def slow():
    """An engine that compiles nothing, for boards that no other test uses."""
    talk = Talk("go:size=3", "--method", "uct", "--sims", "2", jit=False)
    yield talk
    assert talk.close() == 0


@pytest.fixture
def small(slow):
    """The same engine with the usual rules and an empty board."""
    for command in ("boardsize 3", "clear_board", "komi 7.5", "kata-set-rules chinese"):
        slow.text(command)
    return slow


def state(talk):
    """All that commands can change."""
    return [talk.text(command) for command in ("showboard", "printsgf", "tesuji-param")]


def test_every_command_answers(fresh):
    assert set(fresh.text("list_commands").split()) == set(SAMPLES) | OWN_TEST
    for number, (name, arguments) in enumerate(SAMPLES.items(), 1):
        fresh.send(f"{number} {name} {arguments}\n")
        if name.endswith("analyze") and "genmove" not in name:
            fresh.send("\n")
        answer = fresh.until(b"\n\n")
        assert ANSWER.fullmatch(answer), answer
        assert re.match(rf"={number}[ \n]", answer), (name, answer)


def test_the_guide_lists_every_command(fresh):
    assert set(fresh.text("list_commands").split()) <= listed_commands()


# --- nonsense ------------------------------------------------------------------------------------

WORDS = ["b", "w", "black", "x", "A1", "c3", "pass", "Z9", "5", "99", "0", "-1", "1e9", "nan"]
WORDS += ["true", "dead", "alive", "c", "0.4", "visits", "interval", "ownership", "\u00e9", "\x07"]
SLOW = {"quit", "boardsize", "rectangular_boardsize", "tesuji-param"}  # would end or compile


def nonsense(seed, count):
    """Lines that are wrong in many ways, and some that are right."""
    random = Random(seed)
    names = [*(set(SAMPLES) | OWN_TEST) - SLOW, "nonsense", "", "boardsize x", "tesuji-param d"]
    for _ in range(count):
        number = random.choice(["", "", f"{random.randrange(10**6)} ", "99999999999 ", "-3 "])
        name = random.choice(sorted(names))
        words = " ".join(random.choices(WORDS, k=random.randrange(4)))
        line = f"{number}{name} {random.choice([words, words, SAMPLES.get(name, '')])}"
        line += random.choice(["", "", "", " # comment", "\t\t", "\x00", "\r"])
        yield line.encode() if random.random() < 0.95 else random.randbytes(20).replace(b"\n", b"")


def test_a_thousand_lines_of_nonsense_are_answered_one_by_one(fresh):
    lines = list(nonsense(seed=1, count=1000))
    fresh.text("tesuji-param simulations 2")
    fresh.send(b"".join(line + b"\n" for line in lines) + b"77 name\n")
    said = fresh.until(b"=77 Tesuji\n\n").removesuffix("=77 Tesuji\n\n")
    fresh.text("tesuji-param simulations 60")
    assert re.fullmatch(f"(?:{ANSWER.pattern})*", said)
    asked = [command.number for line in lines if (command := read_command(line)) is not None]
    assert ANSWER.findall(said) == asked
    assert "internal error" not in said
    assert said.count("\n=") > 100
    assert said.count("\n?") > 100


REFUSED = [
    ("play b", "syntax error"),
    ("play b c3 d4", "syntax error"),
    ("play green c3", "syntax error"),
    ("play b c6", "syntax error"),
    ("play b c3", "illegal move"),
    ("genmove", "syntax error"),
    ("genmove x", "syntax error"),
    ("komi", "syntax error"),
    ("komi five", "syntax error"),
    ("komi inf", "syntax error"),
    ("kata-set-rules", "unknown rules"),
    ("kata-set-rules {", "syntax error: '{' is not JSON"),
    ('kata-set-rules {"ko": "SIMPLE"}', 'ko is "SIMPLE", it must be "POSITIONAL" or "SITUATIONAL"'),
    ('kata-set-rules {"tax": "SEKI"}', 'tax is "SEKI", it must be "NONE"'),
    ("kata-set-rule suicide 1", 'suicide is "1", it must be false or true'),
    ("kata-set-rule kon POSITIONAL", "unknown rule 'kon'; did you mean"),
    ("kata-set-rules japanese", "unknown rules 'japanese'; valid: aga, chinese"),
    ("tesuji-param suicide maybe", "suicide is 'maybe', it must be true or false"),
    ("tesuji-param superko none", "game 'go:size=5,superko=none'"),
    ("boardsize 26", "unacceptable size"),
    ("boardsize 0", "unacceptable size"),
    ("boardsize -5", "syntax error"),
    ("boardsize", "syntax error"),
    ("rectangular_boardsize 5", "syntax error"),
    ("fixed_handicap 2", "invalid number of stones"),
    ("place_free_handicap 1", "invalid number of stones"),
    ("place_free_handicap 25", "invalid number of stones"),
    ("set_free_handicap A1 B2", "board not empty"),
    ("set_free_handicap A1", "bad vertex list"),
    ("loadsgf", "syntax error"),
    ("loadsgf /no/such/file.sgf", "cannot load file"),
    ("printsgf /no/such/folder/file.sgf", "cannot write file"),
    ("final_status_list", "syntax error"),
    ("final_status_list sleeping", "syntax error"),
    ("time_settings 1 2", "syntax error"),
    ("time_settings -1 0 0", ""),
    ("time_left b x 0", "syntax error"),
    ("kgs-time_settings sundial 3", "unknown time system"),
    ("tesuji-param c", "syntax error"),
    ("tesuji-param c cold", "c is 'cold', it must be a number"),
    ("tesuji-param d 1", "unknown setting 'd'"),
    ("tesuji-param c -1", "c is -1"),
    ("tesuji-param simulations -1", "simulations is -1"),
    ("tesuji-gfx nothing", "syntax error"),
    ("tesuji-gfx prior", "this method has no knowledge"),
    ("tesuji-gfx amaf", "this method has no AMAF values"),
    ("set_random_seed x", "syntax error"),
    ("lz-analyze b 10 avoid b a1 5", "syntax error: the depth of avoid is 5, it must be 1"),
    ("lz-analyze b 10 avoid b a1", "syntax error: avoid needs a colour, vertices"),
    ("lz-analyze b 10 avoid b a1,q16 1", "syntax error: 'q16' is not a move"),
    ("lz-analyze b avoid b a1 1 allow b a2 1", "syntax error: allow can be said once"),
    ("lz-genmove_analyze b 10 avoid b a1 1", "allow and avoid restrict analysis of Go"),
    ("kata-analyze b 10 colour true", "syntax error: 'colour' cannot be asked for"),
    ("kata-analyze b 10 pvVisits maybe", "syntax error: pvVisits is 'maybe'"),
    ("kata-analyze ownership", "syntax error"),
    ("kata-analyze ownership maybe", "syntax error"),
    ("analyze green 10", "syntax error"),
    ("showboard now", "syntax error"),
    ("nonsense", "unknown command"),
]


def test_a_refused_command_changes_nothing(fresh):
    for command in ("play b c3", "play w c2"):
        fresh.text(command)
    before = state(fresh)
    for command, message in REFUSED:
        assert fresh.refusal(command).startswith(message), command
        assert state(fresh) == before, command


# --- the game ------------------------------------------------------------------------------------


def board(talk):
    """The rows of the board, the top one first."""
    rows = talk.text("showboard").replace("+", ".").split("\n")[1:6]
    return ["".join(row.split()[1:-1]) for row in rows]


def turn(talk):
    """Whose turn it is, or who has won."""
    return talk.text("showboard").rpartition(": ")[2]


def test_a_player_may_move_twice_and_undo_takes_back_one_move(fresh):
    fresh.text("play b c3")
    fresh.text("play b d3")
    assert board(fresh)[2] == "..XX."
    assert turn(fresh) == "White to move"
    fresh.text("undo")
    assert board(fresh)[2] == "..X.."
    assert turn(fresh) == "White to move"
    fresh.text("undo")
    assert board(fresh)[2] == "....."
    assert fresh.refusal("undo").startswith("cannot undo")


def test_a_game_goes_on_after_two_passes(fresh):
    for command in ("play b c3", "play w pass", "play b pass"):
        fresh.text(command)
    assert turn(fresh) == "Black wins"
    assert re.fullmatch(MOVE, fresh.text("genmove w"))
    fresh.text("undo")
    assert turn(fresh) == "Black wins"
    fresh.text("play b d3")
    assert board(fresh)[2] == "..XX."
    for _ in range(4):
        fresh.text("undo")
    assert fresh.refusal("undo").startswith("cannot undo")


def test_a_repeated_position_is_an_illegal_move(fresh):
    for vertex in ("b b3", "w c3", "b c4", "w d4", "b c2", "w d2", "b a1", "w e3", "b d3"):
        fresh.text(f"play {vertex}")
    assert board(fresh)[2] == ".X.XO"
    assert fresh.refusal("play w c3").startswith("illegal move: white cannot play C3")


def test_komi_decides_who_has_won(fresh):
    for command in ("play b c3", "play w pass", "play b pass"):
        fresh.text(command)
    assert fresh.text("final_score") == "B+17.5"
    fresh.text("komi 30")
    assert fresh.text("final_score") == "W+5"
    assert turn(fresh) == "White wins"
    fresh.text("undo")
    fresh.text("komi 25")
    fresh.text("play b pass")
    assert (fresh.text("final_score"), turn(fresh)) == ("0", "draw")
    assert "KM[25]" in fresh.text("printsgf")


DEAD = "b b1,w c1,b b2,w c2,b b3,w c3,b b4,w c4,b b5,w c5,b d4,w pass,b pass"


def test_dead_stones_are_found_and_do_not_count(fresh):
    """Two walls that live with their sides, and a stone of Black's behind White's."""
    fresh.text("komi 0.5")
    for command in DEAD.split(","):
        fresh.text(f"play {command}")
    assert fresh.text("final_status_list dead") == "D4"
    assert fresh.text("final_status_list alive").split("\n") == [
        "B1 B2 B3 B4 B5",
        "C1 C2 C3 C4 C5",
    ]
    assert fresh.text("final_score") == "W+5.5"


def test_analysis_shows_whose_the_points_are(fresh):
    for command in DEAD.split(",")[:-3]:
        fresh.text(f"play {command}")
    _, owners = analysed(fresh, "kata-analyze b 1 ownership true")
    rows = [owners[i : i + 5] for i in range(0, 25, 5)]
    assert len(owners) == 25
    assert sum(row[1] for row in rows) > 0 > sum(row[2] for row in rows)  # the walls
    picture = fresh.text("tesuji-gfx ownership")
    assert len(re.findall(r"[A-E][1-5] -?[01]\.\d\d", picture)) == 25


def test_the_same_seed_gives_the_same_moves(fresh):
    def moves():
        fresh.text("clear_board")
        fresh.text("set_random_seed 5")
        return [fresh.text(f"genmove {colour}") for colour in "bwbw"]

    assert moves() == moves()


def test_handicap_stones_stand_and_white_moves(fresh):
    fresh.text("set_free_handicap B2 D4 B4")
    assert board(fresh) == [".....", ".X.X.", ".....", ".X...", "....."]
    assert turn(fresh) == "White to move"
    assert fresh.refusal("undo").startswith("cannot undo")
    assert fresh.refusal("set_free_handicap B2 D4") == "board not empty"


def test_a_game_is_saved_and_loaded(fresh, tmp_path):
    file = tmp_path / "a game.sgf"
    for command in ("komi 3.5", "play b c3", "play w d3", "play b pass"):
        fresh.text(command)
    fresh.text(f"printsgf {file}")
    played = state(fresh)
    fresh.text("clear_board")
    fresh.text("komi 0")
    fresh.text(f'loadsgf "{file}"')
    assert state(fresh) == played
    fresh.text("undo")
    fresh.text("undo")
    assert board(fresh)[2] == "..X.."
    fresh.text(f"loadsgf {file} 2")
    assert board(fresh)[2] == "..X.."
    assert turn(fresh) == "White to move"


NOTE = re.compile(r"C\[win rate \d+\.\d%, \d+ visits, 2 simulations\]")


def test_a_saved_game_tells_what_was_thought_of_its_moves(small):
    small.text("play b b2")
    assert not NOTE.search(small.text("printsgf"))
    small.text("genmove w")
    small.text("play b pass")
    small.text("genmove w")
    written = small.text("printsgf")
    assert len(NOTE.findall(written)) == 2
    assert len(re.findall(rf"{NOTE.pattern}W\[", written)) == 2
    assert written.count("(") > 2  # main lines are variations
    small.text("komi 0.5")
    assert NOTE.findall(small.text("printsgf")) == NOTE.findall(written)
    small.text("undo")
    assert len(NOTE.findall(small.text("printsgf"))) == 1
    small.text("reg_genmove w")
    assert len(NOTE.findall(small.text("printsgf"))) == 1
    small.text("clear_board")
    small.text("play b b2")
    assert not NOTE.search(small.text("printsgf"))


def test_thoughts_stay_with_their_moves_after_two_passes(small):
    for command in ("play b b2", "play w pass", "play b pass", "genmove w", "play b pass"):
        small.text(command)
    (root, *nodes) = small.text("printsgf").split(";")[1:]
    assert "C[" not in root
    assert [bool(NOTE.search(node)) for node in nodes[:2]] == [False, True]


def test_a_saved_game_names_the_program_and_the_handicap(small, tmp_path):
    assert f"AP[tesuji:{tesuji.__version__}]" in small.text("printsgf")
    assert "HA[" not in small.text("printsgf")
    small.text("set_free_handicap A1 C3")
    small.text("play w b2")
    assert "HA[2]" in small.text("printsgf")
    small.text(f"printsgf {tmp_path / 'game.sgf'}")
    shown = small.text("showboard")
    small.text(f"loadsgf {tmp_path / 'game.sgf'}")
    assert small.text("showboard") == shown
    small.text("boardsize 7")
    small.text("fixed_handicap 4")
    assert "HA[4]" in small.text("printsgf")
    small.text("clear_board")
    small.text("place_free_handicap 3")
    assert "HA[3]" in small.text("printsgf")


def test_moves_out_of_turn_are_saved_loaded_and_taken_back(fresh, tmp_path):
    shown = [fresh.text("showboard")]
    for move in ("b c3", "b d3", "w e5", "w pass"):
        fresh.text(f"play {move}")
        shown.append(fresh.text("showboard"))
    assert "after 4 moves" in shown[-1]
    fresh.text(f"printsgf {tmp_path / 'game.sgf'}")
    fresh.text("clear_board")
    fresh.text(f"loadsgf {tmp_path / 'game.sgf'}")
    for board in shown[:0:-1]:
        assert fresh.text("showboard") == board
        fresh.text("undo")
    assert fresh.text("showboard") == shown[0]


def test_a_broken_record_changes_nothing(fresh, tmp_path):
    file = tmp_path / "broken.sgf"
    before = state(fresh)
    for text in ("", "hello", "(;SZ[5];B[aa];W[aa])", "(;SZ[99])", "(;SZ[5]"):
        file.write_text(text)
        assert fresh.refusal(f"loadsgf {file}").startswith("cannot load file")
        assert state(fresh) == before


def test_settings_are_listed_as_gogui_wants_them_and_changed(fresh):
    lines = fresh.text("tesuji-param").split("\n")
    assert all(re.fullmatch(r"\[(string|bool|list(/\S+)+)\] \w+ \S+", line) for line in lines)
    assert "[string] c 0.35" in lines
    fresh.text("tesuji-param c 0.5")
    fresh.text("tesuji-param reuse 0")
    after = fresh.text("tesuji-param").split("\n")
    assert {"[string] c 0.5", "[bool] reuse 0"} <= set(after)
    fresh.text("tesuji-param c 0.35")
    fresh.text("tesuji-param reuse 1")
    assert fresh.text("tesuji-param").split("\n") == lines


# --- analysis ------------------------------------------------------------------------------------


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_recorded_sessions(session, fresh):
    replay(fresh, session)


def infos(line):
    """A report of live analysis as one dictionary for each move, and who owns the points."""
    line, _, owners = line.partition(" ownership ")
    moves = []
    for part in line.removeprefix("info ").split(" info "):
        figures, _, pv = part.partition(" pv ")
        words = figures.split()
        moves.append({**dict(zip(words[::2], words[1::2], strict=True)), "pv": pv.split()})
    return moves, [float(owner) for owner in owners.split()]


def reported(talk, command):
    """One report of live analysis as it is written."""
    talk.send(f"{command}\n")
    assert talk.until(b"\n") == "=\n"
    line = talk.until(b"\n")
    talk.send("\n")
    while talk.until(b"\n") != "\n":
        pass
    return line.rstrip("\n")


def analysed(talk, command):
    """One report of live analysis."""
    return infos(reported(talk, command))


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


# --- other boards --------------------------------------------------------------------------------


def test_boards_of_other_sizes(small):
    small.text("komi 6.5")
    small.text("play b b2")
    small.text("boardsize 7")
    shown = small.text("showboard").split("\n")
    assert len(shown) == 10
    assert "X" not in "".join(shown[:-1])
    assert shown[-1] == "go:size=7,komi=6.5, after 0 moves: Black to move"
    assert re.fullmatch("[A-G][1-7]|pass", small.text("genmove b"))
    small.text("rectangular_boardsize 4 2")
    assert len(small.text("showboard").split("\n")) == 5
    assert re.fullmatch("[A-D][12]|pass", small.text("genmove b"))
    _, owners = analysed(small, "kata-analyze w 1 ownership true")
    assert len(owners) == 8
    assert len(re.findall(r"[A-D][12] -?[01]\.\d\d", small.text("tesuji-gfx ownership"))) == 8
    assert small.refusal("fixed_handicap 2").startswith("invalid number of stones")
    assert small.refusal("place_free_handicap 2").startswith("invalid number of stones")


def test_handicap_on_the_usual_points(small):
    small.text("boardsize 7")
    assert small.text("fixed_handicap 3") == "C3 E5 C5"
    assert small.text("showboard").endswith("White to move")
    small.text("clear_board")
    assert small.text("place_free_handicap 9") == "C3 E5 C5 E3"
    assert small.refusal("fixed_handicap 2") == "board not empty"
    small.text("clear_board")
    assert small.refusal("fixed_handicap 5").startswith("invalid number of stones: 5")


# --- rules ---------------------------------------------------------------------------------------

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


def test_handicap_stones_stand_on_points(small):
    before = small.text("showboard")
    refusal = "bad vertex list: 'Pass' is no point, valid: A1 to C3"
    assert small.refusal("set_free_handicap A1 Pass") == refusal
    refusal = "bad vertex list: there are two stones on A1; a point holds one"
    assert small.refusal("set_free_handicap A1 B2 a1") == refusal
    assert small.text("showboard") == before


# --- how it ends ---------------------------------------------------------------------------------


def test_the_end_of_input_is_quit():
    talk = Talk(*SHARED)
    talk.send("1 genmove b")
    assert re.fullmatch(rf"=1 {MOVE}\n\n", talk.rest())
    assert talk.process.returncode == 0


def test_nothing_is_answered_after_quit():
    talk = Talk(*SHARED)
    talk.send("1 quit\n2 name\n")
    assert talk.rest() == "=1\n\n"
    assert talk.process.returncode == 0


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_signals_end_it_cleanly_while_it_thinks(number, code):
    talk = Talk(*SHARED[:-2], "--seconds", "600")
    talk.send("1 name\n2 genmove b\n")
    talk.until(b"\n\n")
    talk.process.send_signal(number)
    out, err = talk.process.communicate(timeout=LONG)
    talk.folder.cleanup()
    assert talk.process.returncode == code
    assert b"Traceback" not in err
    assert out == b""


def test_gogui_interrupts_a_long_thought():
    talk = Talk(*SHARED[:-2], "--seconds", "600")
    talk.send("2 genmove b\n# interrupt\n")
    assert re.fullmatch(rf"=2 {MOVE}\n\n", talk.until(b"\n\n"))
    talk.send("3 genmove_analyze w 100000\n# interrupt\n")
    assert re.search(rf"\nplay {MOVE}\n\n$", talk.until(b"\n\n"))
    talk.close()


# --- against others ------------------------------------------------------------------------------


def test_it_plays_gnu_go_in_the_match_lab(tmp_path):
    """Every game ends by the rules: no refusal, no illegal move, the same score for both."""
    own = f"tesuji=gtp:{sys.executable} -m tesuji gtp {' '.join(SHARED)}"
    gnugo = f"gnugo=gtp:{gnugo_command()} --mode gtp --chinese-rules --level 1"
    done = subprocess.run(
        [sys.executable, "-m", "tesuji", "match", own, gnugo, "--game", "go:size=5,komi=0.5"]
        + ["--games", "4", "--jobs", "1", "--store", "games.db", "--start-seconds", "300"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LONG,
    )
    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(tmp_path / "games.db")) as store:
        reasons = [reason for (reason,) in store.execute("SELECT reason FROM game")]
    assert len(reasons) == 4
    assert set(reasons) <= {"end", "resignation"}
