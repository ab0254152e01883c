"""`tesuji solve` as users run it: lines, files, replays, Ctrl-C, errors."""

import json
import signal
import subprocess
import time

import pytest

from tests.conftest import ROOT
from tests.test_cli import PLAIN, TESUJI, environment, on_a_terminal, run, run_json
from tesuji.planning import read

GAME = ROOT / "tests" / "toys" / "digits.py"
PATIENCE = 60.0  # seconds until the first write, on a busy machine


def test_a_line_is_printed_kept_and_replayed(tmp_path):
    file = tmp_path / "line.json"
    out, errors = run("solve", GAME, "--sims", 300, "--out", file, **PLAIN)
    solution = read(file)
    assert errors == ""
    assert out.splitlines()[:2] == ["score 0.541667 with 6 moves:", " ".join(solution.line)]
    assert "300 playouts in" in out
    out, _ = run("solve", GAME, "--replay", file, **PLAIN)
    assert "6 legal moves, score 0.541667 as the file says" in out


@pytest.mark.parametrize(
    ("words", "method", "level"),
    [
        (["--level", 2], "nested", 2),
        (["--method", "nrpa", "--level", 1, "--set", "iterations=5"], "nrpa", 1),
        (["--method", "random"], "random", 0),
        (["--method", "greedy"], "greedy", 1),
        (["--method", "uct", "--set", "c=1.0"], "uct", None),
        (["--method", "sp-uct"], "sp-uct", None),
    ],
)
def test_methods(words, method, level):
    found = run_json("solve", GAME, "--sims", 50, "--seed", 4, *words, **PLAIN)
    assert (found["method"], found["settings"].get("level")) == (method, level)
    assert (found["playouts"], found["seed"], len(found["line"])) == (50, 4, 6)


def test_moves_come_before_the_line(tmp_path):
    file = tmp_path / "line.json"
    found = run_json("solve", GAME, "--moves", "1 2", "--sims", 50, "--out", file, **PLAIN)
    assert (found["before"], len(found["line"])) == (["1", "2"], 4)
    assert run_json("solve", GAME, "--replay", file, **PLAIN)["score"] == found["score"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name a game to solve, or a file to --replay"),
        ([GAME, "--replay", "x"], "cannot read x: No such file"),
        (["connect4"], "connect4 cannot be solved as a one-player game: it has 2 players"),
        ([GAME, "--method", "nrp"], "unknown method 'nrp'; did you mean 'nrpa'?"),
        ([GAME, "--method", "random", "--level", 1], "unknown setting 'level'; valid: playout"),
        ([GAME, "--level", 6], "level is 6, it must be an integer from 0 to 5"),
        ([GAME, "--set", "playout=tabu"], "digits has no playout policy 'tabu'"),
        ([GAME, "--sims", 0], "simulations is 0"),
        ([GAME, "--out", "nowhere/line.json"], "cannot write nowhere/line.json: No such file"),
        (["--replay", "missing.json"], "cannot read missing.json: No such file"),
    ],
)
def test_mistakes_are_one_line(words, message, tmp_path):
    out, errors = run("solve", *words, code=2, folder=tmp_path, **PLAIN)
    assert out == ""
    assert errors.startswith(f"tesuji: {message}")
    assert errors.count("\n") == 1


def test_a_changed_file_is_refused(tmp_path):
    file = tmp_path / "line.json"
    run("solve", GAME, "--sims", 20, "--out", file, **PLAIN)
    file.write_text(json.dumps({**json.loads(file.read_text()), "score": 7}))
    _, errors = run("solve", GAME, "--replay", file, code=2, **PLAIN)
    assert "the line scores" in errors


OWN = """
from pathlib import Path
Path("it-ran").touch()
from tests.toys.digits import game
"""


@pytest.mark.parametrize("name", ["evil.py", "./evil.py", "evil.py:x=1", "{folder}/evil.py"])
def test_a_file_that_a_line_names_does_not_run(name, tmp_path):
    """Whoever sends a line may name a file that the receiver has, or sends one along."""
    file, evil = tmp_path / "line.json", tmp_path / "evil.py"
    evil.write_text(OWN)
    run("solve", GAME, "--sims", 20, "--out", file, **PLAIN)
    line = json.loads(file.read_text())
    file.write_text(json.dumps({**line, "game": name.format(folder=tmp_path)}))
    out, errors = run("solve", "--replay", file, code=2, folder=tmp_path, **PLAIN)
    assert out == ""
    assert "a Python file, which runs only if you name it" in errors
    assert not (tmp_path / "it-ran").exists()
    run("solve", "evil.py", "--replay", file, folder=tmp_path, **PLAIN)
    assert (tmp_path / "it-ran").exists()  # the user's own choice


def test_ctrl_c_shows_and_keeps_the_best(tmp_path):
    """The file is there before the search ends, and the last line is the one in it."""
    file = tmp_path / "line.json"
    process = subprocess.Popen(
        [*TESUJI, "solve", str(GAME), "--seconds", "600", "--out", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**PLAIN),
    )
    end = time.monotonic() + PATIENCE
    while not (file.exists() and file.read_text()) and time.monotonic() < end:
        time.sleep(0.05)
    assert len(read(file).line) == 6
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert errors == "interrupted; this is what was found so far\n"
    assert out.splitlines()[1] == " ".join(read(file).line)


def test_a_terminal_shows_progress():
    shown = on_a_terminal("solve", str(GAME), "--seconds", "1.5", **PLAIN)
    assert "best score" in shown
    assert "playouts" in shown
