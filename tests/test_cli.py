"""The command line: what each command prints and answers, and how it behaves as a process.

What depends on a process (pipes, a terminal, signals, exit codes) gets one; the rest runs here.
"""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

import tesuji
from tests.command import run_here
from tests.engines.talk import Talk
from tesuji import methods

TESUJI = [sys.executable, "-m", "tesuji"]
ANSI = "\x1b["
PLAIN = {"TESUJI_JIT": "0"}  # for what would take longer to compile
NEEDS_PROCESSORS = pytest.mark.skipif(shutil.which("taskset") is None, reason="needs taskset")


def environment(**changes):
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return {**kept, "TERM": "xterm-256color", **changes}


def process(*words, before=(), code=0, folder=None, **changes):
    """Run a command as a process; stdout and stderr, without the notes about compiling."""
    done = subprocess.run(
        [*before, *TESUJI, *map(str, words)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(**changes),
        cwd=folder,
        timeout=300,
    )
    return answer(done, code)


def run(*words, code=0, **options):
    """Run a command in this process; stdout and stderr, without the notes about compiling."""
    return answer(run_here(*words, **options), code)


def answer(done, code):
    errors = "".join(line for line in done.stderr.splitlines(True) if "compiling" not in line)
    assert "Traceback" not in errors
    assert done.returncode == code, errors
    return done.stdout, errors


def run_json(*words, by=run, **options):
    out, errors = by(*words, "--json", **options)
    assert errors == ""
    assert out.count("\n") == 1
    return json.loads(out)


def on_a_terminal(*words, **changes):
    """What a command writes when its output is a terminal of 80 columns."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*TESUJI, *words],
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
        env=environment(COLUMNS="80", **changes),
    )
    os.close(follower)
    written = read_until(leader, None)
    os.close(leader)
    assert process.wait(timeout=60) == 0
    return written


def read_until(end, wanted):
    """What comes out of a terminal or a pipe until ``wanted`` has come, or until it is closed."""
    text = ""
    while wanted is None or wanted not in text:
        assert select.select([end], [], [], 300)[0], f"nothing but {text!r}"
        try:
            piece = os.read(end, 4096)
        except OSError:  # how a terminal says that the other end is closed
            break
        if not piece:
            break
        text += piece.decode()
    return text


def interrupted(*words, out="", progress=""):
    """Press Ctrl-C when a command has written a text to stdout, or to the terminal on stderr."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*TESUJI, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=follower,
        env=environment(PYTHONUNBUFFERED="1"),
    )
    os.close(follower)
    written = read_until(process.stdout.fileno(), out) if out else ""
    errors = read_until(leader, progress) if progress else ""
    process.send_signal(signal.SIGINT)
    errors += read_until(leader, None)
    os.close(leader)
    rest, _ = process.communicate(timeout=60)
    return written + rest.decode(), errors, process.returncode


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compile once, so that no run below waits for it."""
    for game in ("tictactoe", "connect4"):
        run("search", game, "--sims", 10)


# --- the commands --------------------------------------------------------------------------------


def test_version():
    assert process("--version")[0] == f"tesuji {tesuji.__version__}\n"


def test_help_is_shown_without_a_command():
    out, _ = process()
    for command in ("games", "methods", "search", "play", "perft", "check-game", "cache"):
        assert f" {command} " in out
    assert out == run("--help")[0] == run("-h")[0]


def test_the_script_is_installed():
    script = Path(sys.executable).with_name("tesuji")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"tesuji {tesuji.__version__}\n"


def test_games_are_listed():
    out, _ = run("games")
    lines = {line.split()[0]: line for line in out.splitlines()}
    assert {"game", *tesuji.games.BUILT_IN} <= set(lines)
    assert " size=9,komi=7.5,suicide=false,superko=positional " in lines["go"]
    rows = {row["name"]: row for row in run_json("games")}
    assert rows["go"]["parameters"] == {
        "size": "9",
        "komi": "7.5",
        "suicide": "false",
        "superko": "positional",
    }
    assert rows["go"]["players"] == 2
    assert rows["go"]["about"].startswith("Go:")


def test_methods_are_listed():
    out, _ = run("methods")
    lines = {line.split()[0]: line for line in out.splitlines()}
    assert {"method", *methods.names()} == set(lines)
    assert "Audibert and Bubeck 2009" in lines["moss"]
    rows = {row["name"]: row for row in run_json("methods")}
    assert rows["moss"]["settings"] == {"select": "moss", "c": 1.0}
    assert rows["moss"] == run_json("methods", "moss")


def test_a_method_is_shown_as_its_file():
    assert run("methods", "moss")[0] == (methods.FOLDER / "moss.toml").read_text("utf-8")


def test_a_search_for_people():
    out, errors = run("search", "tictactoe", "--moves", "a1 b2", "--sims", 300)
    assert errors == ""
    assert "2 . O .\n1 X . .\n" in out
    assert "tictactoe, after 2 moves: X to move" in out
    assert "main line: " in out
    assert "300 simulations in " in out
    assert len(re.findall(r"^[abc][123] +\d+ +[\d.]+%$", out, re.MULTILINE)) == 7


def test_a_search_shows_ten_moves():
    out, _ = run("search", "hex:size=5", "--sims", 100)
    assert "... and 15 more moves" in out


KEYS = "game move value visits simulations seconds children pv nodes seed"


def test_a_search_for_programs():
    found = run_json("search", "tictactoe", "--moves", "a1,b2", "--sims", 300, "--seed", 5)
    assert set(KEYS.split()) <= set(found)
    best = found["children"][0]
    assert {"move", "visits", "value", "proven"} == set(best)
    assert best["proven"] is found["proven"] is None
    assert (best["move"], best["visits"], best["value"]) == tuple(
        found[key] for key in ("move", "visits", "value")
    )
    assert sum(child["visits"] for child in found["children"]) == found["simulations"] == 300
    assert all(0 <= child["value"] <= 1 for child in found["children"])
    assert found["pv"][0] == found["move"]
    assert (found["game"], found["seed"]) == ("tictactoe", 5)
    assert 1 < found["nodes"] <= 301


def without_time(found):
    return {**found, "seconds": None}


def test_the_same_seed_gives_the_same_answer():
    words = ("search", "connect4", "--sims", 2000, "--seed", 3)
    first = without_time(run_json(*words))
    assert without_time(run_json(*words)) == first
    assert without_time(run_json(*words[:-1], 4)) != first


@NEEDS_PROCESSORS
def test_one_processor_gives_the_same_answer():
    words = ("search", "connect4", "--sims", 2000, "--seed", 3)
    before = ("taskset", "-c", str(min(os.sched_getaffinity(0))))
    alone = run_json(*words, by=process, before=before)
    assert without_time(alone) == without_time(run_json(*words))


def test_seconds_are_kept():
    assert run_json("search", "tictactoe", "--seconds", 0.2)["seconds"] >= 0.2
    both = run_json("search", "tictactoe", "--seconds", 60, "--sims", 50)
    assert both["simulations"] == 50


def test_settings_come_from_a_file_and_from_words(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text("c = 0.0\nexpand_visits = 40\n")
    words = ("search", "tictactoe", "--sims", 200)
    plain = run_json(*words)
    from_file = run_json(*words, "--config", file)
    assert from_file["nodes"] < plain["nodes"]
    from_words = run_json(*words, "--set", "c=0", "--set", "expand_visits=40")
    assert without_time(from_words) == without_time(from_file)
    usual = tesuji.SearchConfig()
    back = (f"c={usual.c}", f"expand_visits={usual.expand_visits}")
    changed_back = run_json(*words, "--config", file, "--set", back[0], "--set", back[1])
    assert without_time(changed_back) == without_time(plain)


METHOD = """
about = "Hardly grows"
paper = "None"
[settings]
expand_visits = 40
c = 0.2
"""


def test_settings_come_from_a_method_then_a_file_then_words(tmp_path):
    method, file = tmp_path / "mine.toml", tmp_path / "settings.toml"
    method.write_text(METHOD)
    file.write_text('c = 0.3\nselect = "moss"\n')
    settled = partial(run_json, "search", "tictactoe", "--sims", 200, **PLAIN)
    layered = ("--set", "c=0.4", "--config", file, "--method", method)
    same = ("--set", "expand_visits=40", "--set", "select=moss", "--set", "c=0.4")
    found = without_time(settled(*layered))
    assert found == without_time(settled(*same))
    assert found != without_time(settled(*layered[2:]))
    as_config = settled("--method", "moss", "--config", method, "--set", "c=0.4")
    assert without_time(as_config) == found


def test_a_method_by_name():
    settled = partial(run_json, "search", "tictactoe", "--sims", 200, **PLAIN)
    found = without_time(settled("--method", "moss"))
    assert found == without_time(settled("--set", "select=moss", "--set", "c=1"))
    assert found != without_time(settled())


def test_trees_are_saved(tmp_path):
    tree, drawing = tmp_path / "tree.json", tmp_path / "tree.dot"
    words = ("search", "tictactoe", "--sims", 100, "--save-tree", tree, "--save-dot", drawing)
    found = run_json(*words)
    saved = json.loads(tree.read_text())
    assert saved["game"] == "tictactoe"
    assert saved["tree"]["visits"] == 100
    assert [
        {key: child[key] for key in ("move", "visits", "value")}
        for child in saved["tree"]["children"]
    ] == [{key: child[key] for key in ("move", "visits", "value")} for child in found["children"]]
    assert drawing.read_text().startswith("digraph tree {")


def test_perft():
    assert run_json("perft", "tictactoe", 5) == {
        "game": "tictactoe",
        "depth": 5,
        "leaves": 15120,
    }
    assert run_json("perft", "tictactoe", 2, "--moves", "a1 b2")["leaves"] == 42
    assert run("perft", "tictactoe", 5)[0] == "tictactoe: 15,120 positions at depth 5\n"


def test_the_cache_is_shown_and_cleared(tmp_path):
    place = {"TESUJI_CACHE_DIR": str(tmp_path)}
    assert run_json("cache", **place) == {"directory": str(tmp_path), "entries": []}
    process("perft", "tictactoe", 1, **place)
    entries = run_json("cache", "show", **place)["entries"]
    assert sorted(entry["label"] for entry in entries) == [
        "perft_of_tictactoe",
        "the_rules_of_tictactoe",
    ]
    assert all(entry["bytes"] > 0 and entry["used"] > 0 for entry in entries)
    out, _ = run("cache", **place)
    assert "perft of tictactoe" in out
    assert f"2 files, 0.1 MB in {tmp_path}" in out
    assert run("cache", "clear", **place)[0] == f"deleted 2 files from {tmp_path}\n"
    assert run_json("cache", "clear", **place) == {"directory": str(tmp_path), "deleted": 0}
    assert list(tmp_path.iterdir()) == []


# --- playing -------------------------------------------------------------------------------------

HELP = "(a move, or: undo, hint, moves, help, quit)"


def play(*lines, sims=50, words=(), **options):
    typed = "".join(f"{line}\n" for line in lines)
    return run("play", "tictactoe", "--sims", sims, *words, typed=typed, **options)


def test_a_whole_game_against_the_search():
    """All cells are tried in turn, taken ones are refused, and the game comes to its end."""
    out, errors = play(*(f"{column}{row}" for row in "123" for column in "abc"), sims=500)
    assert errors == ""
    assert re.search(r"^(O wins|X wins|draw)$", out, re.MULTILINE)
    own = out.count("X, your move: ") - out.count("is not legal")
    assert own - out.count("O plays ") in (0, 1)


def test_a_wrong_move_is_explained_and_the_game_goes_on():
    out, _ = play("z9", "[b]", "b2", "b2", "")
    assert "'z9' is not a move of tictactoe: a cell is a letter a to c and a digit 1 to 3" in out
    assert "'[b]' is not a move of tictactoe" in out
    assert "tictactoe, after 1 moves: O to move" in out
    assert re.search(r"'b2' is not legal after move 2 \([3XO12/]+ X\); valid: ", out)
    assert out.count(HELP) == 3
    assert out.count("X, your move: ") == 6


def test_a_move_is_taken_back():
    out, _ = play("undo", "b2", "undo", "a1", "quit")
    assert "there is no move of yours to take back" in out
    boards = re.findall(r"after (\d) moves: (\w) to move", out)
    assert boards == [(n, "XO"[int(n) % 2]) for n in "012012"]


def test_hints_moves_and_help():
    out, _ = play("moves", "hint", "help", "?", "exit", words=("--moves", "a1 b2 c3 a2"))
    assert "b1 c1 c2 a3 b3" in out
    assert "main line: " in out
    assert "50 simulations in" in out
    assert out.count("a move, or: undo, hint, moves, help, quit") == 2


def test_the_end_of_the_input_ends_the_game():
    out, errors = play("b2")
    assert errors == ""
    assert out.endswith("X, your move: \n")


@pytest.mark.parametrize("side", ["2", "O", "o"])
def test_the_second_side(side):
    out, _ = play("quit", words=("--side", side))
    assert out.index("X plays ") < out.index("O, your move: ")
    assert "X, your move" not in out


def test_nobody_plays():
    out, _ = play(words=("--side", "none"), sims=200)
    assert "your move" not in out
    assert out.count(" plays ") >= 5
    assert out.splitlines()[-1] in ("X wins", "O wins", "draw")


SMALL = ("play", "go:size=3", "--side", "none", "--method", "uct", "--sims", "100")


def test_it_is_the_player_that_gtp_has():
    """The same moves with the same seed, and the end of the game."""
    out, _ = run(*SMALL, "--seed", 2, TESUJI_JIT="0")
    played = re.findall(r"(?:Black|White) (?:plays (\w+)|(resigns)) ", out)
    moves = [move or "resign" for move, _ in played]
    commands = [f"genmove {'bw'[n % 2]}" for n in range(len(moves))]
    talk = Talk("go:size=3", "--method", "uct", "--sims", "100", "--seed", "2", jit=False)
    assert moves == [talk.text(command) for command in commands]
    assert talk.close() == 0


def test_the_computer_resigns_and_passes():
    out, _ = run(*SMALL, TESUJI_JIT="0")
    assert re.search(r"^White resigns \(\d\.\d%\)\nBlack wins\n\Z", out, re.MULTILINE)
    out, _ = run(*SMALL, "--resign", "0", TESUJI_JIT="0")
    assert "resigns" not in out
    assert re.findall(r"plays (\w+)", out)[-2:] == ["pass", "pass"]
    assert out.endswith("\nBlack wins\n")


def test_it_may_think_while_a_human_does():
    out, errors = play("b2", "undo", "a1", "hint", "quit", words=("--ponder",))
    assert errors == ""
    assert out.count("O plays ") == 2
    assert not [thread for thread in threading.enumerate() if thread.name == "pondering"]


def test_dice_are_rolled(tmp_path):
    copy = tmp_path / "race.py"
    shutil.copy(Path(__file__).parent / "toys" / "dice_race.py", copy)
    out, _ = run("play", copy, "--sims", 50, typed="7\n" * 4)
    assert "rolling 1" in out
    assert re.search(r"^rewards [\d.]+$", out, re.MULTILINE)


# --- pipes, terminals and interruptions ----------------------------------------------------------


SEARCH = ("search", "tictactoe", "--moves", "a1 b2", "--sims", "9")
ALONE = ("play", "tictactoe", "--side", "none", "--sims", "9")


@pytest.mark.parametrize("words", [("games",), SEARCH, ALONE])
def test_pipes_get_no_colour(words):
    assert ANSI not in "".join(process(*words))


def test_lines_in_pipes_are_whole():
    assert "nobody can draw.\n" in re.sub(" +\n", "\n", process("games", COLUMNS="40")[0])


def test_terminals_get_colour():
    written = on_a_terminal(*SEARCH)
    assert re.search(r"\x1b\[1;31mX\x1b\[0m", written)
    assert re.search(r"\x1b\[1;36mO\x1b\[0m", written)


def test_colour_can_be_switched_off():
    written = on_a_terminal(*SEARCH, NO_COLOR="1")
    assert "X" in written
    assert not re.search(r"\x1b\[[\d;]*3\dm", written)


def test_a_terminal_is_filled_but_not_exceeded():
    written = re.sub(r"\x1b\[[\d;?]*\w", "", on_a_terminal("games"))
    assert max(map(len, written.splitlines())) <= 80
    assert "size=9,komi=7.5,suicide=false" in written


SIXTY = ("search", "connect4", "--seconds", "60")


def test_ctrl_c_ends_a_search_with_an_answer(tmp_path):
    drawing = tmp_path / "tree.dot"
    words = (*SIXTY, "--set", "memory_mb=1", "--save-dot", str(drawing))
    out, errors, code = interrupted(*words, progress=" simulations, best")
    assert code == 0
    assert "interrupted; this is what was found so far" in errors
    assert "main line: " in out
    assert drawing.read_text().startswith("digraph")


@pytest.mark.parametrize(
    "threads",
    [[], ["--threads", "2"], ["--threads", "2", "--parallel", "root"]],
    ids=["one thread", "one tree", "two trees"],
)
def test_ctrl_c_gives_valid_json(threads):
    words = (*SIXTY, *threads, "--json")
    out, _, code = interrupted(*words, progress=" simulations, best")
    assert code == 0
    found = json.loads(out)
    assert 0 < found["seconds"] < 60
    assert 0 < found["simulations"] == sum(child["visits"] for child in found["children"])


@pytest.mark.parametrize(
    ("side", "sign"),
    [("1", {"out": "your move: "}), ("2", {"progress": " simulations, best"})],
    ids=["asked", "thinking"],
)
def test_ctrl_c_leaves_a_game(side, sign):
    _, errors, code = interrupted("play", "connect4", "--seconds", "60", "--side", side, **sign)
    assert errors.endswith("tesuji: interrupted\r\n")
    assert "Traceback" not in errors
    assert code == 130


@pytest.mark.parametrize("words", [("games",), SEARCH, ALONE])
def test_a_reader_may_leave(words):
    """Like `| head -1`: the reading end is closed after the first byte."""
    process = subprocess.Popen(
        [*TESUJI, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED="1"),
    )
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) in (0, 141)


def test_a_reader_may_never_come():
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [*TESUJI, "--version"], stdout=writing, stderr=subprocess.PIPE, env=environment()
    )
    os.close(writing)
    assert process.stderr == b""


# --- wrong input ---------------------------------------------------------------------------------

FILES = {
    "empty.py": "",
    "typo.py": "def game(:\n",
    "crash.py": "1 / 0\n",
    "number.py": "def game():\n    return 42\n",
    "needy.py": "def game(size: int):\n    return size\n",
    "unknown.toml": "cc = 1\n",
    "text.toml": 'c = "high"\n',
    "flag.toml": "memory_mb = true\n",
    "negative.toml": "c = -1\n",
    "broken.toml": "c = \n",
    "binary.toml": b"\xff\xfe",
    "method.toml": 'about = "Mine"\npaper = "None"\n[settings]\ncc = 1\n',
    "lists.py": (
        "from dataclasses import replace\n"
        "from tesuji.games import tictactoe\n"
        "def over(state):\n"
        "    return [1, 2][state.count] == 9\n"
        "def game():\n"
        "    return replace(tictactoe.game(), name='lists', over=over)\n"
    ),
    "stuck.py": (
        "from dataclasses import replace\n"
        "from tesuji.games import tictactoe\n"
        "def moves(state, out):\n"
        "    return 0\n"
        "def game():\n"
        "    return replace(tictactoe.game(), name='stuck', moves=moves)\n"
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("wrong")
    for name, content in FILES.items():
        (place / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return place


WRONG = [
    ("search gox", "unknown game 'gox'; did you mean 'go'? Valid: amazons, "),
    ("play gox", "unknown game 'gox'; did you mean 'go'? Valid: amazons, "),
    ("perft gox 3", "unknown game 'gox'; did you mean 'go'? Valid: amazons, "),
    ("check-game gox", "unknown game 'gox'; did you mean 'go'? Valid: amazons, "),
    (
        "search go:sise=9",
        "game 'go' has no parameter 'sise'; did you mean 'size'? Valid: komi, size",
    ),
    ("search go:size", "game 'go': write size=VALUE instead of 'size'"),
    ("search go:size=big", "game 'go': size=big: expected a size such as 9"),
    ("search go:size=99", "size must be 1 to 25 columns and rows, not 99x99"),
    ("search go:komi=x", "game 'go': komi=x: expected a number"),
    ("search go:suicide=maybe", "game 'go': suicide=maybe: expected true or false"),
    ("search hex:size=2.5", "game 'hex': size=2.5: expected an integer"),
    ("search tictactoe:size=3", "game 'tictactoe' has no parameter 'size'; valid: (none)"),
    ("search tictactoe --moves z9", "'z9' is not a move of tictactoe: a cell is a letter a to c"),
    (
        "search tictactoe --moves a1,a1",
        "'a1' is not legal after move 1 (3/3/X2 O); valid: a2, a3, b1, b2, b3",
    ),
    (
        "search tictactoe --moves a1,a2,b1,b2,c1,c2",
        "'c2' is not legal after move 5 (3/OO1/XXX O): the game is over",
    ),
    ("search tictactoe --sims 0", "simulations is 0, it must be 1 to 2,147,483,647"),
    ("search tictactoe --sims -3", "simulations is -3, it must be 1 to 2,147,483,647"),
    (
        "search tictactoe --sims 9e9",
        "'--sims': '9e9' is not an integer; see 'tesuji search --help'",
    ),
    ("search tictactoe --seconds 0", "seconds is 0.0, it must be more than 0"),
    ("search tictactoe --seconds -1", "seconds is -1.0, it must be more than 0"),
    ("search tictactoe --seconds nan", "seconds is nan, it must be more than 0"),
    ("search tictactoe --seconds 1e308", "and at most 1,000,000,000"),
    ("search tictactoe --seconds soon", "'--seconds': 'soon' is not a number; see 'tesuji search"),
    ("search tictactoe --seed x", "'--seed': 'x' is not an integer; see 'tesuji search --help'"),
    (
        "search tictactoe --set cc=1",
        "unknown setting 'cc'; did you mean 'c'? Valid: backup, batch",
    ),
    ("search tictactoe --set c", "'c' is not a setting: write key=value"),
    ("search tictactoe --set c=high", "c is 'high', it must be a number"),
    ("search tictactoe --set expand_visits=1.5", "expand_visits is '1.5', it must be an integer"),
    ("search tictactoe --set memory_mb=0", "memory_mb is 0.0, it must be 0.01 to 100,000"),
    (
        "search tictactoe --set playout=best",
        "tictactoe has no playout policy 'best'; valid: uniform",
    ),
    ("search tictactoe --config none.toml", "cannot read the config none.toml: No such file"),
    (
        "search tictactoe --config unknown.toml",
        "unknown setting 'cc'; did you mean 'c'? Valid: backup, ",
    ),
    ("search tictactoe --config text.toml", "c is 'high', it must be a number"),
    ("search tictactoe --config flag.toml", "memory_mb is True, it must be a number"),
    ("search tictactoe --config negative.toml", "c is -1, it must be 0 or more"),
    ("search tictactoe --config broken.toml", "the config broken.toml is not valid TOML: Invalid"),
    ("search tictactoe --config binary.toml", "the config binary.toml is not valid TOML: "),
    ("search tictactoe --config .", "cannot read the config .: Is a directory"),
    ("search tictactoe --config method.toml", "method.toml: unknown setting 'cc'; did you mean"),
    ("search tictactoe --method mos", "unknown method 'mos'; did you mean 'moss'? Valid: "),
    ("search tictactoe --method none.toml", "cannot read the config none.toml: No such file"),
    ("play tictactoe --method mos", "unknown method 'mos'; did you mean 'moss'? Valid: "),
    ("methods mos", "unknown method 'mos'; did you mean 'moss'? Valid: "),
    ("search tictactoe --save-tree none/tree", "cannot write none/tree: No such file or directory"),
    ("search tictactoe --save-dot .", "cannot write .: Is a directory"),
    ("search none.py", "there is no game file 'none.py'"),
    ("search ./none/", "there is no game file './none/'"),
    ("search empty.py", "empty.py is no game: it does not define a function game()"),
    ("search typo.py", "typo.py cannot be loaded: SyntaxError: invalid syntax (typo.py, line 1)"),
    ("search crash.py", "crash.py cannot be loaded: ZeroDivisionError: division by zero"),
    ("search number.py", "number.py: game() returned 42, it must return a tesuji.Game"),
    ("search needy.py", "game 'needy.py': game() missing 1 required positional argument: 'size'"),
    ("search lists.py", "a kernel cannot allocate memory"),
    ("play tictactoe --side 3", "--side is '3'; valid: 1, 2, none, o, x"),
    ("play tictactoe --sims 0", "simulations is 0, it must be 1 to"),
    ("perft tictactoe deep", "'DEPTH': 'deep' is not an integer; see 'tesuji perft --help'"),
    ("perft tictactoe -- -1", "the depth is -1, it must be 0 or more"),
    ("check-game tictactoe --games 0", "games is 0, it must be 1 or more"),
    ("check-game empty.py", "empty.py is no game: it does not define a function game()"),
    ("check-game lists.py", "a kernel cannot allocate memory"),
    ("cache empty", "'empty' is not one of 'show', 'clear'; see 'tesuji cache --help'"),
    ("serch tictactoe", "No such command 'serch'"),
    ("search", "Missing argument 'GAME'; see 'tesuji search --help'"),
    ("search tictactoe --simulations 5", "--simulations"),
    ("search tictactoe hex", "unexpected extra argument"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[words for words, _ in WRONG])
def test_wrong_input_is_answered_in_one_line(words, message, folder):
    _, errors = run(*words.split(), code=2, folder=folder)
    assert errors.count("\n") == 1
    assert errors.startswith("tesuji: ")
    assert message in errors


def test_a_finished_game_is_not_searched():
    _, errors = process("search", "tictactoe", "--moves", "a1 a2 b1 b2 c1", code=2)
    assert errors == "tesuji: the game tictactoe is over: X wins\n"


# --- checking games ------------------------------------------------------------------------------


def test_a_good_game_passes_the_check(tmp_path):
    assert "2 random games" in run("check-game", "tictactoe", "--games", 2)[0]
    found = run_json("check-game", "tictactoe", "--games", 2)
    assert found["game"] == "tictactoe"
    assert found["positions"] >= 12


def test_a_broken_game_fails_the_check(folder):
    _, errors = process("search", "stuck.py", folder=folder, code=1)
    assert errors == "tesuji: stuck.py: the game is not over, but nobody can move\n"
    out, errors = run("check-game", folder / "stuck.py", code=1)
    assert out == ""
    assert errors == (
        "tesuji: moves() returned 0 in a game that goes on, it must be 1 to max_moves = 9, "
        "at the start\n"
    )
