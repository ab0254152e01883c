"""The engine as a real process on a pipe: every command, nonsense, whole games, how it ends."""

import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from random import Random

import pytest

import tesuji
from tests.engines.talk import LONG, MOVE, SHARED, Talk, analysed, listed_commands, turn
from tests.gnugo import gnugo_command
from tesuji.engines.server import read_command

ANSWER = re.compile(r"[=?](\d*)(?: [^\n]+)?\n(?:[^\n]+\n)*\n")

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
