"""Answers commands of the Go Text Protocol, version 2.

    server = Server(Input(sys.stdin.fileno()), sys.stdout.buffer)
    server.add("name", lambda arguments: "Tesuji")
    server.run()

This file knows the protocol and no game; what a command does is a function that others add.  It
gets the words behind the command, returns the text of the answer, and raises a `TesujiError` to
refuse: whatever went wrong becomes ``? message``, and the server goes on.  A command that reports
while it works gets a `Stream` as well.

`gtp` is the other side of the pipe, and has the source of the protocol.
"""

import math
import os
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from tesuji.engines.gtp import LINE_LIMIT, PROTOCOL, clean_line, quote
from tesuji.errors import TesujiError

CHUNK = 64 * 1024  # bytes that are read at once
MOST = 2**31 - 1  # integers of the protocol have 31 bits (section 2.9)
INTERRUPT = b"# interrupt"  # GoGui's way to end a command early: a comment for everybody else


class GtpError(TesujiError):
    """A command that is refused; the message is what stands behind the question mark."""


def bad_syntax(message: str) -> GtpError:
    """The refusal of a command that cannot be read (section 2.7)."""
    return GtpError(f"syntax error: {message}")


# --- arguments -----------------------------------------------------------------------------------


class Arguments(list[str]):
    """The words behind a command, read by their types (section 2.11)."""

    def expect(self, least: int, most: int | None = None) -> None:
        """Refuse fewer or more words; ``most`` is as ``least`` unless it is said."""
        most = least if most is None else most
        if not least <= len(self) <= most:
            span = f"{least}" if least == most else f"{least} to {most}"
            raise bad_syntax(f"there are {len(self)} arguments, it must be {span}")

    def integer(self, index: int, what: str) -> int:
        """An integer of 0 or more."""
        word = self[index]
        if not _is_number(word):
            raise bad_syntax(f"{what} is {quote(word)}, it must be an integer from 0 to {MOST}")
        return int(word)

    def number(self, index: int, what: str) -> float:
        """A finite number."""
        with suppress(ValueError):
            value = float(self[index])
            if math.isfinite(value):
                return value
        raise bad_syntax(f"{what} is {quote(self[index])}, it must be a number")

    def flag(self, index: int, what: str) -> bool:
        """A truth value."""
        found = {"true": True, "false": False}.get(self[index].lower())
        if found is None:
            raise bad_syntax(f"{what} is {quote(self[index])}, it must be true or false")
        return found


class Command(NamedTuple):
    """A line that asks for something."""

    number: str  #: its id as it was written, empty if it has none
    name: str
    arguments: Arguments


def read_command(line: bytes) -> Command | None:
    r"""What a line asks for; None if that is nothing.

    Control characters vanish, tabs are blanks, and a comment ends the line (section 3.1).

    >>> read_command(b"7 play b\tD4 # joseki\r\n")
    Command(number='7', name='play', arguments=['b', 'D4'])
    >>> read_command(b"# a comment")
    """
    if len(line) > LINE_LIMIT:
        raise bad_syntax(f"the line has more than {LINE_LIMIT} bytes")
    words = clean_line(line).partition("#")[0].split()
    if not words:
        return None
    number = words.pop(0) if _is_number(words[0]) else ""
    name, *arguments = words or [""]
    return Command(number, name, Arguments(arguments))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 10 and int(word) <= MOST


# --- input ---------------------------------------------------------------------------------------


class Input:
    """The lines of a file, read ahead by a thread, so that work can look for the next one.

    The thread reads the descriptor itself: a buffered file is locked while it waits, and Python
    cannot exit then.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._interrupts = 0  # among the lines that wait: they are for the command under way
        self._lock = threading.Lock()
        threading.Thread(target=self._read, name="gtp input", daemon=True).start()

    @property
    def waiting(self) -> bool:
        """Has another line come, or the end?"""
        return not self._lines.empty()

    @property
    def interrupted(self) -> bool:
        """Has GoGui asked to end the command under way?"""
        return self._interrupts > 0

    def next(self) -> bytes | None:
        """The next line, or None at the end."""
        line = self._lines.get()
        self._count(line, -1)
        return line

    def _read(self) -> None:
        rest = b""
        with suppress(OSError):  # a terminal that has gone away ends as a file does
            while chunk := os.read(self._descriptor, CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._put(line)
                rest = rest[: LINE_LIMIT + 1]  # enough to know that it is too long
        if rest:
            self._put(rest)
        self._lines.put(None)

    def _put(self, line: bytes) -> None:
        self._count(line, 1)
        self._lines.put(line)

    def _count(self, line: bytes | None, change: int) -> None:
        if line is not None and line.strip() == INTERRUPT:
            with self._lock:
                self._interrupts += change


# --- answers -------------------------------------------------------------------------------------


class Stream:
    """The answer to a command that reports while it works, line by line."""

    def __init__(self, write: Callable[[str], None], number: str) -> None:
        self._write = write
        self._number = number
        self.opened = False

    def open(self) -> None:
        """Say that the command was understood; it cannot be refused any more."""
        if not self.opened:
            self.opened = True
            self._write(f"={self._number}\n")

    def say(self, line: str) -> None:
        """One line of the answer."""
        self.open()
        self._write(f"{line}\n")


Handler = Callable[[Arguments], str]
Streamer = Callable[[Arguments, Stream], None]


class Server:
    """Reads commands, calls what does them and writes the answers."""

    def __init__(self, source: Input, out: BinaryIO) -> None:
        self.source = source
        self._out = out
        self._running = False
        self._handlers: dict[str, Handler] = {}
        self._streamers: dict[str, Streamer] = {}
        self.add("protocol_version", self._protocol_version)
        self.add("known_command", self._known_command)
        self.add("list_commands", self._list_commands)
        self.add("quit", self._quit)

    def add(self, name: str, handler: Handler) -> None:
        """Let a function answer a command."""
        self._handlers[name] = handler

    def add_stream(self, name: str, streamer: Streamer) -> None:
        """Let a function answer a command bit by bit."""
        self._streamers[name] = streamer

    @property
    def commands(self) -> list[str]:
        """The names of all commands."""
        return sorted([*self._handlers, *self._streamers])

    def run(self) -> None:
        """Answer until ``quit`` or the end of the input."""
        self._running = True
        while self._running and (line := self.source.next()) is not None:
            self.answer(line)

    def answer(self, line: bytes) -> None:
        """Answer one line."""
        try:
            command = read_command(line)
        except GtpError as error:
            self._write(_refusal("", error))
            return
        if command is None:
            return
        stream = Stream(self._write, command.number)
        try:
            end = self._do(command, stream)
        except TesujiError as error:
            end = _failure(command, stream, error)
        except BrokenPipeError:  # nobody reads the answer: no reason to answer that
            raise
        except Exception as error:  # a mistake of ours must not end somebody's game
            what = GtpError(f"internal error: {type(error).__name__}: {error}")
            end = _failure(command, stream, what)
        self._write(end)

    def _do(self, command: Command, stream: Stream) -> str:
        """Do what is asked; what is left to be written."""
        if command.name in self._streamers:
            self._streamers[command.name](command.arguments, stream)
            stream.open()
            return "\n"
        if command.name not in self._handlers:
            raise GtpError("unknown command")
        text = self._handlers[command.name](command.arguments)
        return f"={command.number}{_text(text)}\n\n"

    def _write(self, text: str) -> None:
        self._out.write(text.encode())
        self._out.flush()

    def _protocol_version(self, arguments: Arguments) -> str:
        arguments.expect(0)
        return PROTOCOL

    def _known_command(self, arguments: Arguments) -> str:
        arguments.expect(1)
        return str(arguments[0] in self.commands).lower()

    def _list_commands(self, arguments: Arguments) -> str:
        arguments.expect(0)
        return "\n".join(self.commands)

    def _quit(self, arguments: Arguments) -> str:
        arguments.expect(0)
        self._running = False
        return ""


def _failure(command: Command, stream: Stream, error: Exception) -> str:
    """What ends the answer to a command that failed.

    An answer that has begun with ``=`` cannot say so any more: the reason goes to the user.
    """
    if not stream.opened:
        return _refusal(command.number, error)
    print(f"tesuji: {command.name} ended early: {error}", file=sys.stderr)
    return "\n"


def _refusal(number: str, error: Exception) -> str:
    return f"?{number} {' '.join(str(error).split())}\n\n"


def _text(text: str) -> str:
    """A text as it stands in an answer, where an empty line would be the end.

    A text that begins with a line break, such as a board, begins on a line of its own.
    """
    lines = [line.rstrip() or " " for line in text.strip("\n").split("\n")]
    start = "" if lines == [" "] else "\n" if text.startswith("\n") else " "
    return (start + "\n".join(lines)).rstrip()
