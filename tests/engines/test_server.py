"""The protocol alone: a server whose commands are functions of this file, on a pipe."""

import io
import os
import re
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.waiting import join, until
from tesuji.engines.gtp import LINE_LIMIT, is_filling, join_text, parse_head
from tesuji.engines.server import Arguments, GtpError, Input, Server, read_command
from tesuji.errors import MoveError


def refuse(arguments):
    raise MoveError("no,\nnot   that")


def fail(arguments):
    raise ZeroDivisionError("oops")


def serve(data):
    """All that a server answers to these bytes."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as pipe:
        threading.Thread(target=lambda: (pipe.write(data), pipe.close())).start()
        out = io.BytesIO()
        server = Server(Input(reader), out)
        server.add("echo", " ".join)
        server.add("board", lambda arguments: "\n  A B\n\n1 . .\n")
        server.add("refuse", refuse)
        server.add("fail", fail)
        server.add_stream("report", report)
        server.run()
    for thread in threading.enumerate():  # one that still reads would take the next test's input
        if thread.name == "gtp input":
            join(thread)
    os.close(reader)
    return out.getvalue().decode()


def report(arguments, stream):
    if arguments == ["refuse"]:
        raise GtpError("syntax error")
    if arguments != ["nothing"]:
        stream.say("one")
        stream.say("two")
    if arguments == ["fail"]:
        raise ZeroDivisionError("oops")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"echo\n", "=\n\n"),
        (b"echo a b\n", "= a b\n\n"),
        (b"3 echo a\n", "=3 a\n\n"),
        (b"007 echo\n", "=007\n\n"),
        (b"2147483647 echo a\n", "=2147483647 a\n\n"),
        (b"2147483648 echo a\n", "? unknown command\n\n"),
        (b"-1 echo a\n", "? unknown command\n\n"),
        (b"12\n", "?12 unknown command\n\n"),
        (b"3 nonsense\n", "?3 unknown command\n\n"),
        (b"ECHO\n", "? unknown command\n\n"),
        (b"  5\techo\ta\x07\x00b  c\r\n", "=5 ab c\n\n"),
        (b"echo a # b\n", "= a\n\n"),
        (b"# echo a\n", ""),
        (b"\n \t\n\r\n", ""),
        (b"echo a", "= a\n\n"),  # the last line has no end
        (b"echo \xff\xc3\xa9\n", "= \ufffd\u00e9\n\n"),
        (b"1 board\n", "=1\n  A B\n \n1 . .\n\n"),
        (b"1 refuse\n", "?1 no, not that\n\n"),
        (b"1 fail\n", "?1 internal error: ZeroDivisionError: oops\n\n"),
        (b"4 report\n", "=4\none\ntwo\n\n"),
        (b"4 report nothing\n", "=4\n\n"),
        (b"4 report refuse\n", "?4 syntax error\n\n"),
        (b"4 report fail\n", "=4\none\ntwo\n\n"),
        (b"echo " + b"a" * LINE_LIMIT + b"\necho b\n", "= b\n\n"),
        (b"quit\necho a\n", "=\n\n"),
        (b"1 quit now\n", "?1 syntax error: there are 1 arguments, it must be 0\n\n"),
        (b"1 protocol_version\n", "=1 2\n\n"),
        (b"known_command echo\nknown_command report\n", "= true\n\n= true\n\n"),
        (b"known_command Echo\n", "= false\n\n"),
    ],
)
def test_framing(line, answer):
    assert serve(line).removeprefix(TOO_LONG) == answer


TOO_LONG = f"? syntax error: the line has more than {LINE_LIMIT} bytes\n\n"


def test_a_line_that_is_too_long_is_refused():
    assert serve(b"echo " + b"a" * (3 * LINE_LIMIT) + b"\n") == TOO_LONG


def test_the_list_of_commands_is_complete():
    names = serve(b"list_commands\n")[2:].split()
    assert names == sorted(names)
    assert set(names) == {
        "board", "echo", "fail", "known_command", "list_commands", "protocol_version", "quit",
        "refuse", "report",
    }  # fmt: skip


@given(st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line), max_size=20))
def test_every_line_that_asks_gets_one_answer(lines):
    asked = [read_command(line) for line in lines]
    said = serve(b"".join(line + b"\n" for line in lines))
    answers = said.split("\n\n")
    assert answers.pop() == ""
    wanted = [command for command in asked if command is not None]
    if any(command.name == "quit" for command in wanted):
        return
    assert len(answers) == len(wanted)
    for answer, command in zip(answers, wanted, strict=True):
        assert answer[1:].startswith(command.number)


@given(st.text(st.characters(blacklist_categories=["Cc", "Cs"]), max_size=40))
def test_the_client_reads_what_the_server_writes(text):
    line = " ".join(text.partition("#")[0].split())
    head, *more = serve(f"7 echo {text}\n".encode()).split("\n")
    assert not is_filling(head)
    response = parse_head(head)
    assert response is not None
    assert (response.ok, response.number) == (True, 7)
    assert join_text(response.text, [m for m in more if m]) == line


def test_a_stream_ends_when_the_next_line_comes():
    reader, writer = os.pipe()
    out = io.BytesIO()
    server = Server(Input(reader), out)

    def stream_on(arguments, stream):
        stream.open()
        os.write(writer, b"2 quit\n")
        until(lambda: stream.say("info") or server.source.waiting, pause=0)

    server.add_stream("go", stream_on)
    os.write(writer, b"1 go\n")
    server.run()
    os.close(writer)
    assert re.fullmatch(r"=1\n(info\n)*\n=2\n\n", out.getvalue().decode())


def test_goguis_interrupt_is_heard_while_a_command_runs_and_then_forgotten():
    reader, writer = os.pipe()
    out = io.BytesIO()
    server = Server(Input(reader), out)

    def wait(arguments):
        os.write(writer, b"# nothing\n# interrupt\nask\nquit\n")
        until(lambda: server.source.interrupted, pause=0)
        return "interrupted"

    server.add("wait", wait)
    server.add("ask", lambda arguments: str(server.source.interrupted))
    os.write(writer, b"wait\n")
    server.run()
    os.close(writer)
    assert out.getvalue() == b"= interrupted\n\n= False\n\n=\n\n"


def test_the_reason_for_half_an_answer_goes_to_the_user(capsys):
    assert serve(b"report fail\n") == "=\none\ntwo\n\n"
    said = "tesuji: report ended early: internal error: ZeroDivisionError: oops\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("read", "word"),
    [
        ("integer", "-1"),
        ("integer", "1.5"),
        ("integer", "x"),
        ("integer", "\u0663"),
        ("integer", "2147483648"),
        ("integer", "9" * 5000),
        ("integer", "0" * 12 + "9" * 12),
        ("number", "x"),
        ("number", "nan"),
        ("number", "inf"),
        ("flag", "yes"),
    ],
)
def test_words_of_another_type_are_refused(read, word):
    with pytest.raises(GtpError, match="syntax error: it is"):
        getattr(Arguments([word]), read)(0, "it")


def test_words_are_read_by_type():
    words = Arguments(["3", "-0.5", "TRUE", "2147483647"])
    assert words.integer(0, "it") == 3
    assert words.number(1, "it") == -0.5
    assert words.flag(2, "it") is True
    assert words.integer(3, "it") == 2**31 - 1
