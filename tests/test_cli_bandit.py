"""`tesuji bandit`: what it prints and draws, and what wrong input gets."""

import json
import sys

import pytest

from tests.command import run_here
from tesuji.cli import main

OWN = ["--arms", "0.9,0.1", "--pulls", "20", "--runs", "30"]
TWO = ["--policy", "ucb", "--policy", "sequential-halving"]


def tesuji(*words):
    """Uncompiled: so few runs take less time than a compilation."""
    return run_here("bandit", *words, TESUJI_JIT="0")


def as_json(*words):
    done = tesuji(*words, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def without_time(rows):
    return [{**row, "seconds": None, "pulls_a_second": None} for row in rows]


def test_a_table_for_people():
    done = tesuji("six-arms", "--pulls", 12, "--runs", 10, "--policy", "ucb1", *TWO, *OWN[:2])
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "six-arms: 6 arms, 12 pulls, 10 runs"
    assert lines[1].split()[:2] == ["policy", "error"]
    assert [line.split()[0] for line in lines[2:5]] == ["ucb1", "ucb", "sequential-halving"]
    assert lines[2].count(" ± ") == 3
    assert lines[6] == "own: 2 arms, 12 pulls, 10 runs"


def test_results_for_programs():
    rows = as_json(*OWN, *TWO, "--c", 0.3, "--seed", 5)
    assert [row["policy"] for row in rows] == ["ucb", "sequential-halving"]
    first = rows[0]
    assert (first["problem"], first["arms"], first["pulls"]) == ("own", [0.9, 0.1], 20)
    assert (first["c"], first["runs"], first["seed"]) == (0.3, 30, 5)
    for measure in ("error", "simple", "cumulative"):
        assert first[measure]["low"] <= first[measure]["value"] <= first[measure]["high"]
    assert first["error"]["value"] == 0
    assert "c" not in rows[1]
    assert "curve" not in first
    again = as_json(*OWN, *TWO, "--c", 0.3, "--seed", 5)
    assert without_time(again) == without_time(rows)


def test_a_plot(tmp_path):
    file = tmp_path / "regret.svg"
    rows = as_json("4", "--pulls", 40, "--runs", 20, *TWO, "--plot", file)
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<?xml")
    assert "<svg" in text
    curve = rows[0]["curve"]
    assert (curve[0]["pulls"], curve[-1]["pulls"]) == (6, 40)
    assert curve[-1]["simple"] == rows[0]["simple"]
    file.unlink()
    tesuji("4", "--pulls", 40, "--runs", 20, *TWO, "--plot", file)
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("arithmetik", "there is no problem 'arithmetik'; did you mean 'arithmetic'?"),
        ("9", "there is no problem '9'; valid: "),
        ("1 --policy ucb3", "there is no policy 'ucb3'; did you mean 'ucb"),
        ("--arms 0.5,0.4", "--arms needs --pulls T"),
        ("--arms 0.5,x --pulls 9", "the arms are '0.5,x'; write their chances with commas"),
        ("--arms 0.5,2 --pulls 9", "the chance of an arm is 2.0, it must be 0 to 1"),
        ("1 --pulls many", "'--pulls': 'many' is not an integer; see 'tesuji bandit --help'"),
        ("1 --pulls 0", "pulls is 0, it must be 1 to"),
        ("1 --pulls 7", "pulls is 7, for successive-rejects it must be 20 or more"),
        ("1 --runs 0", "runs is 0, it must be 1 to"),
        ("1 --c -1", "c is -1.0, it must be 0 or more"),
        ("1 --epsilon nan", "epsilon is nan, it must be 0 to 1"),
        ("1 --policy ucb1 --c 1", "--c is 1.0, but no chosen policy has it; those that have it: "),
        ("1 --plot regret.pdf", "the plot is 'regret.pdf', its name must end in .svg or .png"),
        ("1 --plot no/where.svg", "cannot write no/where.svg: No such file or directory"),
    ],
)
def test_wrong_input_is_answered_in_one_line(words, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["tesuji", "bandit", *words.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr()
    assert (ended.value.code, printed.out) == (2, "")
    assert printed.err.startswith("tesuji: ")
    assert printed.err.count("\n") == 1
    assert message in printed.err
