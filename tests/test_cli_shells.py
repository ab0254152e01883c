"""The command line in shells that are unkind: streams closed or full, no reader, no folder.

Each attack is a real process: one line says what is wrong, the exit code is right, nothing is lost.
"""

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys

import pytest

from tests.command import run_here
from tests.test_cli import TESUJI, environment
from tests.waiting import LONG
from tesuji.cli import streams
from tesuji.lab.store import Store

SEARCH = "search tictactoe --sims 50"
MATCH = "match --game tictactoe random random --games 4"
MANY = 5000  # letters of a path, more than any system takes
DEEP = 5000  # brackets, more than any reader takes


def shell(words, streams="", before="", folder=None, **changes):
    """Run a command as ``sh`` does with the streams redirected: exit code, output and messages."""
    line = f"{before} exec {shlex.join(TESUJI)} {words} {streams}"
    done = subprocess.run(
        ["sh", "-c", line],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(TESUJI_JIT="0", **changes),
        cwd=folder,
        timeout=LONG,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def is_one_line(text):
    return text.startswith("tesuji: ") and text.count("\n") == 1 and text.endswith("\n")


@pytest.mark.parametrize("words", ["games", f"{SEARCH} --json", "--help"])
@pytest.mark.parametrize(
    ("stream", "reason"),
    [(">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")],
)
def test_output_that_cannot_be_written_is_an_error(words, stream, reason):
    code, _, errors = shell(words, stream)
    assert (code, errors) == (1, f"tesuji: the output cannot be written: {reason}\n")


def test_an_engine_that_cannot_answer_ends():
    code, _, errors = shell("gtp tictactoe", ">/dev/full", before="echo name |")
    assert (code, errors) == (1, "tesuji: the output cannot be written: No space left on device\n")


@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full"])
def test_messages_that_cannot_be_written_change_nothing(stream):
    assert shell("search nosuch", stream) == (2, "", "")
    code, out, _ = shell(MATCH, stream)
    assert code == 0
    assert "score +1 =2 -1" in out


@pytest.mark.parametrize("words", ["play tictactoe --sims 20", "gtp tictactoe", SEARCH])
def test_closed_input_is_at_its_end(words):
    code, _, errors = shell(words, "<&-")
    assert (code, errors) == (0, "")


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path):
    """A store with number 2 would take what libraries say in an emergency."""
    code, out, errors = shell(f"{MATCH} --store games.db", "<&- >&- 2>&-", folder=tmp_path)
    assert (code, out, errors) == (1, "", "")
    with Store(tmp_path / "games.db", read_only=True) as store:
        (standing,) = store.matches()
        assert len(standing.scores) == 4
    assert opened_without_streams(tmp_path) > 2


def opened_without_streams(folder):
    """The number that the first file gets when all streams are closed."""
    code = (
        "import os, sys\n"
        "from tesuji.cli import streams\n"
        "streams.mend()\n"
        "open('number', 'w').write(str(os.open('.', os.O_RDONLY)))"
    )
    line = f"exec {shlex.quote(sys.executable)} -c {shlex.quote(code)} <&- >&- 2>&-"
    subprocess.run(["sh", "-c", line], cwd=folder, check=True, timeout=LONG)
    return int((folder / "number").read_text())


def test_a_tree_is_saved_when_the_output_is_full(tmp_path):
    code, _, _ = shell(f"{SEARCH} --json --save-tree tree.json", ">/dev/full", folder=tmp_path)
    assert code == 1
    assert json.loads((tmp_path / "tree.json").read_text())


def test_a_line_is_saved_when_the_output_is_full(tmp_path):
    words = "solve samegame:size=4x4 --sims 2 --level 1 --out line.json"
    code, _, errors = shell(words, ">/dev/full", folder=tmp_path)
    assert code == 1, errors
    assert json.loads((tmp_path / "line.json").read_text())["line"]


@pytest.mark.parametrize(
    ("words", "before"),
    [
        ("games", ""),
        ("--help", ""),
        (SEARCH, ""),
        ("gtp tictactoe", "echo name |"),
        ("gtp go:size=5", "echo lz-analyze 1 |"),  # in the middle of an answer
    ],
)
def test_a_reader_that_has_gone_ends_a_command_in_silence(words, before):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        ["bash", "-c", f"{before} {shlex.join(TESUJI)} {words}; exit ${{PIPESTATUS[-1]}}"],
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(TESUJI_JIT="0"),
        timeout=LONG,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_results_can_be_written_in_every_locale():
    code, out, errors = shell(MATCH, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (code, errors) == (0, "")
    assert "pairs with 0, 1/2, 1, 1 1/2, 2 points: " in out


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("0, ½, 1, 1½", "0, 1/2, 1, 1 1/2"),
        ("0.5 ± 0.1, R² = 1", "0.5 +- 0.1, R2 = 1"),
        ("Szepesvári, Björnsson", "Szepesvari, Bjornsson"),
        ("×…", "x..."),  # noqa: RUF001  # the multiplication sign
        ("碁\udcff", "??"),
    ],
)
def test_letters_that_cannot_be_written_become_plainer(text, plain):
    assert text.encode("ascii", "plainer").decode() == plain


@pytest.mark.parametrize(
    ("words", "code"),
    [(SEARCH, 0), (MATCH, 0), (f"{MATCH} --store games.db", 2), ("search ./own.py", 2)],
)
def test_the_working_directory_may_be_gone(words, code, tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    found, _, errors = shell(words, before="rmdir ../gone;", folder=folder)
    assert found == code, errors
    assert errors == "" if code == 0 else is_one_line(errors)


LONG_NAMES = [
    "search {}.py --sims 5",
    "search tictactoe --sims 5 --config {}.toml",
    "search tictactoe --sims 5 --save-tree {}",
    "search go:size=5 --set weights={}.toml",
    "match --game tictactoe {}.py random",
    f"{MATCH} --store {{}}.db",
    f"{MATCH} --opening {{}}",
    "experiment run {}.toml",
    "report {}.db",
    "export {}.db --out games",
    "regress {}.tst",
    "solve --replay {}",
    "bandit 1 --runs 2 --plot {}.svg",
    "check-game {}.py",
]


@pytest.mark.parametrize("words", LONG_NAMES)
def test_names_of_files_may_be_too_long(words, tmp_path):
    done = run_here(*words.format("a" * MANY).split(), folder=tmp_path, TESUJI_JIT="0")
    assert done.returncode == 2
    assert is_one_line(done.stderr)
    assert not list(tmp_path.iterdir())


NESTED = [
    "search tictactoe --config {}",
    "search tictactoe --method {}",
    "search go:size=5 --sims 5 --set weights={}",
    "match --game tictactoe {} random",
    "experiment run {}",
    "solve --replay {}",
]


@pytest.mark.parametrize("words", NESTED)
def test_files_may_be_nested_too_deeply(words, tmp_path):
    is_json = "replay" in words
    (tmp_path / "deep.toml").write_text(("" if is_json else "a = ") + "[" * DEEP + "]" * DEEP)
    done = run_here(*words.format("deep.toml").split(), folder=tmp_path, TESUJI_JIT="0")
    assert done.returncode == 2
    assert is_one_line(done.stderr)
    assert "deep.toml" in done.stderr


def test_a_full_disk_spoils_only_the_picture(tmp_path):
    """A limit on file sizes makes real writes fail, as on a full disk."""
    words = "bandit 1 --runs 20 --pulls 200 --policy ucb --plot curve.svg"
    code, out, errors = shell(words, before="ulimit -f 8;", folder=tmp_path)
    assert "simple regret" in out
    assert errors == "tesuji: cannot write curve.svg: File too large\n"
    assert code == 2


def test_a_stream_of_messages_loses_what_cannot_be_written():
    """With a buffer, which keeps what it cannot write, and without."""
    for buffered in (True, False):
        full = os.fdopen(os.open("/dev/full", os.O_WRONLY), "wb", buffering=0)
        messages = streams._Messages(io.BufferedWriter(full) if buffered else full)
        for _ in range(10_000):
            assert messages.write("a line\n") == 7
            messages.flush()
        with contextlib.suppress(OSError):
            messages.detach().close()
        full.close()
