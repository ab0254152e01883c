"""Regression files: how they are read, and what real programs make of them."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.gnugo import gnugo_command
from tesuji.cli import app
from tesuji.cli.regress import own_engine
from tesuji.engines.regress import Expected, Outcome, find_files, read_steps, run
from tesuji.errors import ConfigError, ProgramError

ROOT = Path(__file__).parents[2]
POLITE = [sys.executable, "-m", "tests.engines.programs.polite"]
DIES = [sys.executable, "-m", "tests.engines.programs.dies"]

SCRIPT = """
# all ways to end
10 echo D4      # a comment
#? [C3|D4]
20 echo D4
#? [C3|E5]
30 echo D4
#? [C3]*
40 echo d4
#? [D4]*
50 echo D4
#? [!C3|D4]
60 echo E5
#? [!C3|D4]   *
70 echo without a test
echo without an id
80 unheard of
#? [.*]
90 board
#? [.*X.*]
"""
ENDS = {
    10: Outcome.PASS,
    20: Outcome.FAIL,
    30: Outcome.KNOWN,
    40: Outcome.SURPRISE,
    50: Outcome.FAIL,
    60: Outcome.SURPRISE,
    80: Outcome.FAIL,
    90: Outcome.PASS,
}


@pytest.fixture
def script(tmp_path):
    def write(text, name="some.tst"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_how_tests_end(script):
    told = []
    report = run([script(SCRIPT)], POLITE, tell=lambda path, step: told.append(step.number))
    assert {result.id: result.outcome for result in report.results} == ENDS
    assert told == list(ENDS)
    assert report.program == "Polite Program 1.5"
    assert report.counts == {
        Outcome.PASS: 2,
        Outcome.FAIL: 3,
        Outcome.KNOWN: 1,
        Outcome.SURPRISE: 2,
    }
    assert not report.ok
    first, *_, refused, board = report.results
    assert (first.command, first.expected, first.answer) == ("echo D4", "C3|D4", "D4")
    assert refused.answer == "? unknown command"
    assert "X" in board.answer


@pytest.mark.parametrize(
    ("pattern", "negated", "answer", "right"),
    [
        ("D4", False, "D4", True),
        ("D4", False, "D40", False),  # the whole answer
        ("D4|E5", False, "E5", True),
        ("D4|E5", True, "E5", False),
        ("D4|E5", True, "E50", True),
        ("PASS", False, "pass", True),
        ("D4", False, " D4 ", True),
        ("[A-C]1", False, "B1", True),
    ],
)
def test_what_fits(pattern, negated, answer, right):
    assert Expected(pattern, negated, False).fits(answer) is right


def test_a_known_failure_is_no_failure(script):
    assert run([script("1 echo D4\n#? [E5]*\n2 echo D4\n#? [E5]*\n")], POLITE).ok


def test_commands_that_are_refused_are_told(script):
    report = run([script("nonsense 1 2\n5 echo a\n#? [a]\n")], POLITE)
    assert [(t.line, t.command, t.message) for t in report.troubles] == [
        (1, "nonsense 1 2", "unknown command")
    ]
    assert report.counts[Outcome.PASS] == 1
    assert not report.ok


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#? [D4]", "line 1: '#\\? \\[D4\\]' must follow a command with an id"),
        ("echo D4\n#? [D4]", "line 2: .* must follow a command with an id"),
        ("1 echo D4\n#? [D4]\n#? [D4]", "line 3: .* must follow"),
        ("1 echo D4\n#? D4", r"line 2: '#\? D4' is not of the form"),
        ("1 echo D4\n#? [D4", "line 2: .* is not of the form"),
        ("1 echo D4\n#? [(]", "line 2: '\\(' is no regular expression"),
        ("1 echo D4\n1 echo D5", "line 2: there is another command with the id 1"),
        ("", "has no test: a command with an id"),
        ("1 echo D4\n# nothing is expected", "has no test"),
    ],
)
def test_mistakes_in_files(script, text, message):
    with pytest.raises(ConfigError, match=message):
        read_steps(script(text))


def test_files_and_folders(script, tmp_path):
    with pytest.raises(ConfigError, match=r"no file \*.tst in the folder"):
        find_files(tmp_path)
    two = [script("", "b.tst"), script("", "a.tst")]
    assert find_files(tmp_path) == two[::-1]
    assert find_files(two[0]) == [two[0]]
    with pytest.raises(ConfigError, match=r"cannot read .*none.tst: No such file"):
        run([tmp_path / "none.tst"], POLITE)


def test_mistakes_are_found_before_the_program_starts(script):
    with pytest.raises(ConfigError):
        run([script("1 echo a\n#? [a]"), script("#? [a]", "b.tst")], ["no-such-program"])


def test_a_program_that_dies(script):
    with pytest.raises(ProgramError, match="before it answered 'half'"):
        run([script("1 half\n#? [D4]")], DIES)


def test_paths_count_from_the_file(script, monkeypatch, tmp_path):
    """GNU Go reads a game from a folder beside the file, wherever it is started."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one.sgf").write_text("(;GM[1]SZ[5]KM[0.5];B[cc];W[dd])")
    path = script(
        "loadsgf games/one.sgf\n1 list_stones white\n#? [D2]\n"
        "loadsgf games/one.sgf 2\n2 list_stones white\n#? []\n3 list_stones black\n#? [C3]\n"
    )
    for folder in (tmp_path, ROOT):
        monkeypatch.chdir(folder)
        report = run([path], f"{gnugo_command()} --mode gtp --level 1")
        assert report.ok, report
        assert len(report.results) == 3


def test_a_blank_in_a_path(script, monkeypatch, tmp_path):
    (tmp_path / "a b").mkdir()
    path = script("1 loadsgf x.sgf\n#? []", "a b/some.tst")
    monkeypatch.chdir(ROOT)
    with pytest.raises(ConfigError, match="has a blank, which GTP cannot carry"):
        run([path], POLITE)


# --- the command ---------------------------------------------------------------------------------


def regress(*words):
    return CliRunner().invoke(app, ["regress", *map(str, words)])


def test_the_command(script):
    program = " ".join(POLITE)
    done = regress(script(SCRIPT), program)
    assert done.exit_code == 1
    assert "Polite Program 1.5: 8 tests: 2 pass, 3 FAIL, 1 known failure, 2 unexpected pass" in (
        done.stdout
    )
    assert "? unknown command" in done.stdout
    good = regress(script("1 echo D4\n#? [D4]\n", "good.tst"), program)
    assert good.exit_code == 0
    bad = regress(script("oh\n1 echo D4\n#? [D4]\n", "bad.tst"), program)
    assert bad.exit_code == 1
    assert "bad.tst, line 1: 'oh' was refused: unknown command" in bad.stdout


def test_json(script):
    done = regress(script(SCRIPT), " ".join(POLITE), "--json")
    data = json.loads(done.stdout)
    assert data["ok"] is False
    assert {test["id"]: test["outcome"] for test in data["tests"]} == {
        number: str(outcome) for number, outcome in ENDS.items()
    }


def test_options_of_our_engine_are_not_for_others(script):
    with pytest.raises(ConfigError, match="no options of another"):
        CliRunner().invoke(
            app, ["regress", str(script("")), "gnugo", "--sims", "5"], catch_exceptions=False
        )


def test_our_own_engine(script, tmp_path):
    """The real process: capturing a chain is worth the whole board."""
    (tmp_path / "one.sgf").write_text(
        "(;GM[1]SZ[5]KM[0.5]AB[bb][bc][cb]AW[ba][ab][ac][bd][cc][da][ca]PL[W])"
    )
    path = script("loadsgf one.sgf\n1 reg_genmove white\n#? [D4]\n")
    report = run([path], own_engine("uct", 500, None, 0, []))
    assert report.ok, report
    assert report.program.startswith("Tesuji")
