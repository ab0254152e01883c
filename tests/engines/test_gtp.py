"""The GTP client against real processes: polite ones, and all kinds of bad ones."""

import gc
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engines.programs.polite import BOARD
from tests.gnugo import gnugo_command
from tesuji.engines import gtp
from tesuji.engines.gtp import (
    GtpDied,
    GtpHung,
    GtpNonsense,
    GtpProgram,
    GtpRefused,
    clean_line,
    find_program,
    format_command,
    join_text,
    parse_head,
)
from tesuji.errors import ProgramError

ROOT = Path(__file__).parents[2]
LONG = 300.0  # seconds that only pass if something is broken
SHORT = 0.2  # seconds to wait for an answer that never comes


def command(name, *arguments):
    return [sys.executable, "-m", f"tests.engines.programs.{name}", *map(str, arguments)]


def program(name="polite", *arguments):
    return GtpProgram(command(name, *arguments), start_seconds=LONG, cwd=ROOT)


def children():
    """The processes whose parent is this one, zombies included."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:  # gone meanwhile
            continue
        if parent == os.getpid():
            found.add(stat.parent.name)
    return found


def pipes():
    links = set()
    for path in Path("/proc/self/fd").glob("*"):
        try:
            links.add(str(path.readlink()))
        except OSError:  # that of the listing itself
            continue
    return {link for link in links if link.startswith("pipe:")}


def threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("gtp ")]


@pytest.fixture(autouse=True)
def _nothing_is_left():
    before = children(), pipes()
    yield
    assert threads() == []
    assert (children(), pipes()) == before


@pytest.fixture
def fifo(tmp_path):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


# --- lines ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "response"),
    [
        ("=", (True, None, "")),
        ("= ", (True, None, "")),
        ("=12", (True, 12, "")),
        ("=12 ", (True, 12, "")),
        ("= 12", (True, None, "12")),
        ("=007  a  b ", (True, 7, "a  b")),
        ("? illegal move", (False, None, "illegal move")),
        ("?3", (False, 3, "")),
        ("=2147483647 x", (True, 2147483647, "x")),
        ("", None),
        (" = x", None),
        ("=x", None),
        ("=1x", None),
        ("=-1 x", None),
        ("=\N{ARABIC-INDIC DIGIT ONE} x", None),  # a digit, but not of ASCII
        ("=12345678901 x", None),
        ("== x", None),
        ("# = x", None),
    ],
)
def test_the_first_line_of_a_response(line, response):
    assert parse_head(line) == response


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"= D4\n", "= D4"),
        (b"= D4\r\n", "= D4"),
        (b"=\tD4", "= D4"),
        (b"= \x00D\x1b\x7f4\x0b\x0c", "= D4"),
        ("= Farnebäck 碁\n".encode(), "= Farnebäck 碁"),
        (b"= \xff\n", "= \ufffd"),
    ],
)
def test_control_characters_are_removed(line, text):
    assert clean_line(line) == text


def test_the_text_keeps_its_inner_lines_and_the_indentation():
    assert join_text("a", ["b  ", "", " c", ""]) == "a\nb\n\n c"
    assert join_text("", ["   A", " 1 ."]) == "   A\n 1 ."
    assert join_text("", []) == ""


@pytest.mark.parametrize("text", ["", "  ", "play b A1\nquit", "a\tb", "a # b", "\x00", "\udcff"])
def test_what_is_no_command_is_not_sent(text):
    with program() as polite:
        with pytest.raises(ProgramError, match="is no GTP command, it must be a line of printable"):
            polite.send(text, seconds=LONG)
        assert polite.send("echo usable", seconds=LONG) == "usable"


@given(st.text())
def test_a_formatted_command_is_always_one_line(text):
    try:
        line = format_command(1, text)
    except ProgramError:
        return
    assert clean_line(line.encode()) == f"1 {text}"
    assert line.count("\n") == 1


# --- finding a program ---------------------------------------------------------------------------


def executable(path):
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_a_program_is_found_on_path_or_by_its_path(tmp_path, monkeypatch):
    path = str(executable(tmp_path / "player"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("player", "./player", path):
        assert find_program([name, "a b"]) == [path, "a b"]
    assert find_program("player --name 'a b' $HOME") == [path, "--name", "a b", "$HOME"]


def test_games_are_also_found_where_debian_puts_them(tmp_path, monkeypatch):
    path = executable(tmp_path / "player")
    monkeypatch.setattr(gtp, "GAME_FOLDERS", (str(tmp_path),))
    assert find_program("player") == [str(path)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "gnugoo --mode gtp",
            "there is no program 'gnugoo' on PATH; install it or give its path",
        ),
        ("./missing", "there is no executable file './missing'"),
        ("./plain", "there is no executable file './plain'"),
        ("./", "there is no executable file './'"),
        (["./\0"], "there is no executable file './\\x00'"),
        ("", "the command '' names no program"),
        ([], "the command [] names no program"),
        ("'' x", "the command \"'' x\" names no program"),
        ("player 'x", 'the command "player \'x" cannot be split: No closing quotation'),
    ],
)
def test_a_missing_program_is_one_clear_line(words, message, tmp_path, monkeypatch):
    (tmp_path / "plain").write_text("#!/bin/sh\n")
    monkeypatch.chdir(tmp_path)
    for action in (find_program, GtpProgram):
        with pytest.raises(ProgramError) as caught:
            action(words)
        assert str(caught.value) == message


@pytest.mark.parametrize("problem", ["interpreter", "folder", "zero"])
def test_a_program_that_cannot_be_started(problem, tmp_path):
    path = executable(tmp_path / "player")
    if problem == "interpreter":
        path.write_text("#!/missing/interpreter\n")
    words = [str(path), "\0"] if problem == "zero" else [str(path)]
    folder = tmp_path / "missing" if problem == "folder" else tmp_path
    with pytest.raises(ProgramError, match=r"^cannot start "):
        GtpProgram(words, cwd=folder)


# --- good programs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dialects", [[], ["crlf"], ["comments"], ["bare"], ["crlf", "comments", "bare"]]
)
def test_a_polite_program_in_every_dialect(dialects):
    with program("polite", *dialects) as polite:
        assert (polite.name, polite.version) == ("Polite Program", "1.5")
        assert polite.knows("echo")
        assert not polite.knows("genmove")
        assert polite.send("echo", seconds=LONG) == ""
        assert polite.send("echo D4", seconds=LONG) == "D4"
        assert polite.send("board", seconds=LONG) == BOARD[1:]
        with pytest.raises(GtpRefused) as caught:
            polite.send("genmove b", seconds=LONG)
        assert caught.value.message == "unknown command"
        assert str(caught.value).endswith("refused 'genmove b': 'unknown command'")
        assert polite.send("echo Färnebäck 碁", seconds=LONG) == "Färnebäck 碁"
        assert polite.alive
    assert not polite.alive


def test_a_program_without_a_list_is_asked_for_each_command():
    with program("polite", "listless") as polite:
        assert polite.knows("echo")
        assert not polite.knows("list_commands")


def test_a_program_that_only_plays_is_fine():
    with program("polite", "nameless") as polite:
        assert (polite.name, polite.version) == (Path(sys.executable).name, "")
        assert not polite.knows("echo")  # it cannot say
        assert polite.send("echo D4", seconds=LONG) == "D4"


def test_another_version_of_the_protocol_is_refused():
    with pytest.raises(GtpNonsense, match="speaks version '1' of GTP, it must be 2"):
        program("polite", "old")


def test_many_commands_in_a_row():
    with program() as polite:
        for i in range(500):
            assert polite.send(f"echo {i}", seconds=LONG) == str(i)


def test_a_long_command_and_the_longest_line():
    text = "x" * (gtp.LINE_LIMIT - len("=5 "))
    with program() as polite:
        assert polite.send(f"echo {text}", seconds=LONG) == text


def test_a_long_answer():
    with program("floods") as flooding:
        text = flooding.send("lines 10", seconds=LONG)
    assert text == "\n".join(str(i) * 65_000 for i in range(10))


def test_closing_twice_is_harmless_and_ends_the_use():
    polite = program()
    polite.close()
    polite.close()
    with pytest.raises(GtpDied, match="has ended and cannot answer 'name'"):
        polite.send("name", seconds=LONG)


def test_a_refusal_survives_a_pickle():
    error = GtpRefused("gnugo", "play b Z9", "illegal move")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.message) == (str(error), "illegal move")


def test_gnu_go():
    words = [gnugo_command(), "--mode", "gtp", "--seed", "1"]
    with GtpProgram(words, start_seconds=LONG) as gnugo:
        assert gnugo.name == "GNU Go"
        assert gnugo.version.startswith("3.")
        assert gnugo.knows("genmove")
        assert not gnugo.knows("dance")
        assert gnugo.send("boardsize 5", seconds=LONG) == ""
        assert gnugo.send("play b C3", seconds=LONG) == ""
        with pytest.raises(GtpRefused) as caught:
            gnugo.send("play w C3", seconds=LONG)
        assert caught.value.message == "illegal move"
        assert re.fullmatch("[A-E][1-5]", gnugo.send("genmove w", seconds=LONG))
        board = gnugo.send("showboard", seconds=LONG).split("\n")
        assert board[0] == board[-1] == "   A B C D E"
        assert board[3].startswith(" 3 ")


def test_gnu_go_is_found_without_its_folder_on_path(monkeypatch):
    path = gnugo_command()
    if not path.startswith(gtp.GAME_FOLDERS):
        pytest.skip(f"GNU Go is installed as {path}")
    monkeypatch.setenv("PATH", "/usr/bin")
    assert find_program("gnugo") == [path]


# --- programs that die ---------------------------------------------------------------------------


def test_death_at_the_start():
    with pytest.raises(GtpDied) as caught:
        program("dies", "at-start")
    assert str(caught.value).endswith(
        " ended with exit code 1 before it answered 'protocol_version';"
        " its last words: 'no licence found'"
    )


def test_death_in_the_middle_of_an_answer():
    dying = program("dies")
    with pytest.raises(GtpDied) as caught:
        dying.send("half", seconds=LONG)
    assert str(caught.value).endswith(
        " was killed by SIGTERM before it answered 'half'; its last words: 'last words'"
    )
    assert dying.stderr == "first words\nlast words\n"
    assert not dying.alive


def test_death_instead_of_an_answer_and_without_a_word():
    dying = program()
    with pytest.raises(GtpDied) as caught:
        dying.send("exit 7", seconds=LONG)
    assert str(caught.value).endswith(" ended with exit code 7 before it answered 'exit 7'")


def test_death_between_two_commands():
    with program() as polite:
        os.kill(int(polite.send("pid", seconds=LONG)), signal.SIGKILL)
        with pytest.raises(GtpDied, match="was killed by SIGKILL before it answered 'name'"):
            polite.send("name", seconds=LONG)


def test_a_program_that_died_unasked_is_not_alive():
    with program() as polite:
        os.kill(int(polite.send("pid", seconds=LONG)), signal.SIGKILL)
        while polite.alive:
            pass
        assert not polite.alive


@pytest.mark.skipif(not hasattr(signal, "SIGRTMIN"), reason="this system has no such signals")
def test_a_real_time_signal_has_no_name():
    with program() as polite:
        pid = int(polite.send("pid", seconds=LONG))
        os.kill(pid, signal.SIGRTMIN + 3)
        with pytest.raises(GtpDied, match=f"was killed by signal {signal.SIGRTMIN + 3} before"):
            polite.send("name", seconds=LONG)


def test_a_program_that_closes_its_output_counts_as_dead():
    mute = program("dies")
    with pytest.raises(GtpDied, match="closed its output before it answered 'mute'"):
        mute.send("mute", seconds=LONG)


# --- programs that hang --------------------------------------------------------------------------


def test_a_program_that_hangs_is_killed():
    hanging = program()
    with pytest.raises(GtpHung, match=r"did not answer 'hang' within 0\.2 seconds"):
        hanging.send("hang", seconds=SHORT)
    assert not hanging.alive
    with pytest.raises(GtpDied, match="has ended and cannot answer 'name'"):
        hanging.send("name", seconds=LONG)


def test_a_program_that_hangs_at_the_start():
    with pytest.raises(GtpHung, match=r"did not answer 'protocol_version' within 0\.2 seconds"):
        GtpProgram(["sleep", "1000"], start_seconds=SHORT)


def test_half_an_answer_is_no_answer():
    hanging = program()
    with pytest.raises(GtpHung):
        hanging.send("raw " + b"= D4\n".hex(), seconds=SHORT)


def test_a_long_command_to_a_program_that_does_not_read():
    deaf = program("deaf")
    assert deaf.name == "Deaf"
    with pytest.raises(GtpHung, match=r"did not answer 'xxx+\.\.\.' within 0\.2 seconds"):
        deaf.send("x" * 1_000_000, seconds=SHORT)
    assert not deaf.alive


def test_closing_a_program_that_cannot_be_asked_to_quit():
    deaf = program("deaf")
    with pytest.raises(TimeoutError):
        deaf._process.write(b"x" * 1_000_000, deadline=0.0)
    deaf.close()


def test_a_program_that_ignores_quit_and_sigterm_is_killed():
    stubborn = program("stubborn")
    os.kill(int(stubborn.send("pid", seconds=LONG)), signal.SIGTERM)
    assert stubborn.send("echo still here", seconds=LONG) == "still here"
    stubborn.close()
    assert not stubborn.alive


def test_an_interruption_ends_the_program():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        polite = program()
        with pytest.raises(KeyboardInterrupt):
            polite.send("interrupt", seconds=LONG)
        assert not polite.alive
    finally:
        signal.signal(signal.SIGINT, before)


# --- programs that talk nonsense -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (b"hello\n\n", "'hello', a response begins with '=' or '?'"),
        (b"\n# x\nhello\n\n", "'hello', a response begins with '=' or '?'"),
        (b"=4 D4\n\n", "the id 4, it must be 5"),
        (b"?6 no\n\n", "the id 6, it must be 5"),
        (b"=D4\n\n", "'=D4', a response begins with '=' or '?'"),
        (b"h" * 1000 + b"\n", "'" + "h" * 77 + "...', a response begins with '=' or '?'"),
    ],
)
def test_nonsense_is_quoted(said, complaint):
    talking = program()
    with pytest.raises(GtpNonsense) as caught:
        talking.send(f"raw {said.hex()}", seconds=LONG)
    assert str(caught.value).endswith(f" with {complaint}")
    assert not talking.alive


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (b"=5 D4\n\n", "D4"),
        (b"=05 D4\n\n", "D4"),
        (b"\x00=\x1b5 D\x074\r\n\r\n", "D4"),
        (b"=5\tD4\n\n", "D4"),
        (b"= \xff\n\n", "\ufffd"),
        (b"= a\n# b\n \n= c\n\n", "a\n# b\n\n= c"),
    ],
)
def test_odd_answers_that_are_allowed(said, text):
    with program() as talking:
        assert talking.send(f"raw {said.hex()}", seconds=LONG) == text


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (b"x", "a line of more than 65536 bytes"),
        (b"x" * 65_537 + b"\n", "a line of more than 65536 bytes"),
        (b"= x\n", "more than 1048576 bytes"),
        (b"#\n", "more than 1048576 bytes"),
        (b"\n", "more than 1048576 bytes"),
    ],
)
def test_a_flood_of_output_is_cut_off(said, complaint):
    flooding = program("floods")
    with pytest.raises(GtpNonsense) as caught:
        flooding.send(f"flood {said.hex()}", seconds=LONG)
    assert str(caught.value).endswith(f" with {complaint}")


def test_a_flood_that_nobody_reads_blocks_the_program_and_costs_no_memory(fifo):
    with program("floods") as flooding:
        flooding.send(f"flood_until_blocked {fifo}", seconds=LONG)
        assert int(fifo.read_text()) < 4 * 1024 * 1024


def test_of_a_flood_of_errors_the_end_is_kept():
    with program("floods") as flooding:
        assert flooding.send("flood_stderr 5000000", seconds=LONG) == "done"
    assert len(flooding.stderr) == 64 * 1024
    assert "x" not in flooding.stderr
    assert flooding.stderr.endswith("yyy\nthe last line\n")


PIECES = [b"=", b"?", b"= ", b"1", b"2", b"3", b"= 2\n\n", b"\n", b"\n\n", b"\r\n", b"#", b"\0"]


@settings(max_examples=60)
@given(said=st.lists(st.sampled_from(PIECES) | st.binary(max_size=9), max_size=20).map(b"".join))
def test_random_output_is_answered_by_our_own_errors(said, tmp_path_factory):
    path = tmp_path_factory.mktemp("replay") / "said"
    path.write_bytes(said)
    with pytest.raises((GtpDied, GtpNonsense)):
        replay(path)


def replay(path):
    """Talk to a program that says what is in a file, until it is no longer usable."""
    with GtpProgram([*command("replay"), str(path)], start_seconds=LONG, cwd=ROOT) as replaying:
        while True:
            try:
                replaying.send("name", seconds=LONG)
            except GtpRefused:
                continue


# --- what is left behind -------------------------------------------------------------------------


def test_a_child_dies_with_a_program_that_is_closed(fifo):
    with program("parent", fifo, "writes"):
        reading = fifo.open()
    with reading:
        assert reading.read() == ""


def test_a_child_that_holds_the_pipes_does_not_hide_the_death_of_the_program(fifo):
    parent = program("parent", fifo, "writes")
    with fifo.open() as reading:
        with pytest.raises(GtpDied, match="ended with exit code 3 before it answered 'exit 3'"):
            parent.send("exit 3", seconds=LONG)
        assert reading.read() == ""


def test_a_child_that_left_the_group_does_not_hide_it_either(fifo):
    parent = program("parent", fifo, "reads")
    with fifo.open("w"), pytest.raises(GtpDied, match="ended with exit code 3 before it answered"):
        parent.send("exit 3", seconds=LONG)
    for thread in threads():  # they end with the child, whose input is closed now
        thread.join(LONG)


def test_a_forgotten_program_is_ended():
    polite = program()
    assert polite.alive
    del polite
    gc.collect()


def test_a_forgotten_program_in_a_cycle_is_ended():
    """That it ended is checked after every test: no process, thread or pipe is left."""
    polite = program()
    polite.itself = polite
    assert polite.alive
    del polite
    gc.collect()


def test_a_program_is_ended_when_python_exits():
    code = (
        "from tesuji.engines.gtp import GtpProgram\n"
        f"program = GtpProgram({command('stubborn')!r})\n"
        "print(program.send('pid', seconds=300))"
    )
    words = [sys.executable, "-W", "error", "-X", "dev", "-c", code]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)
