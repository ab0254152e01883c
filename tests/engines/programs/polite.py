"""Speaks GTP well, in every dialect that is allowed; the others of this folder grow from it.

Dialects, as arguments: "crlf" (lines end as on Windows), "comments" (before each answer), "bare"
(no ids), "listless" (no list of commands), "nameless" (not even a name), "old" (version 1).
"""

import os
import re
import signal
import sys
import time
from collections.abc import Callable

Answers = dict[str, Callable[[str], str | None]]

BOARD = "\n   A B\n 2 . X\n 1 O ."


def answers(dialects: set[str]) -> Answers:
    """What it knows: a function of the arguments for each command; None is no answer at all."""
    known: Answers = {
        "protocol_version": lambda _: "1" if "old" in dialects else "2",
        "name": lambda _: "Polite Program",
        "version": lambda _: "1.5",
        "list_commands": lambda _: "\n".join(known),
        "known_command": lambda name: "true" if name in known else "false",
        "echo": lambda text: text,
        "board": lambda _: BOARD,
        "raw": raw,
        "pid": lambda _: str(os.getpid()),
        "exit": lambda code: os._exit(int(code)),
        "hang": hang,
        "interrupt": interrupt,
    }
    if "listless" in dialects:
        del known["list_commands"]
    if "nameless" in dialects:
        for name in ("protocol_version", "name", "version", "list_commands", "known_command"):
            known.pop(name, None)
    return known


def raw(code: str) -> None:
    """Write these bytes, given as hexadecimal numbers, instead of an answer."""
    sys.stdout.buffer.write(bytes.fromhex(code))
    sys.stdout.buffer.flush()


def hang(_: str) -> None:
    """Never answer, and never read again."""
    while True:
        time.sleep(1000)


def interrupt(_: str) -> None:
    """Press Ctrl-C on the other side instead of answering."""
    os.kill(os.getppid(), signal.SIGINT)


def serve(known: Answers, dialects: set[str]) -> None:
    """Answer commands until "quit" or the end of the input."""
    end = "\r\n" if "crlf" in dialects else "\n"
    for line in sys.stdin:
        number, name, arguments = re.fullmatch(r"(\d*) ?(\S*) ?(.*)\n?", line).groups()
        if "bare" in dialects:
            number = ""
        if "comments" in dialects:
            print("# thinking", "", " \t", "#= not an answer", sep=end, end=end)
        if name == "quit":
            print(f"={number}", end=end * 2, flush=True)
            return
        text = known[name](arguments) if name in known else "unknown command"
        if text is not None:
            answer = f"{'=' if name in known else '?'}{number} {text}"
            print(answer.replace("\n", end), end=end * 2, flush=True)


if __name__ == "__main__":
    sys.stdout.reconfigure(newline="")
    serve(answers(set(sys.argv[1:])), set(sys.argv[1:]))
