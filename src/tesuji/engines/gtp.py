"""Talks to a program that speaks the Go Text Protocol, version 2.

    with GtpProgram("gnugo --mode gtp") as program:
        program.send("boardsize 9", seconds=10)
        print(program.send("genmove b", seconds=60))

This file knows the protocol and no Go.  The program is not trusted: it may be missing, die, hang,
flood its output or talk nonsense, and each of these becomes a `ProgramError` within the time limit.
Start with `GtpProgram.send`; `_Process` below it keeps the pipes.

The protocol: Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2" (2002),
http://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/.
"""

import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from io import BufferedReader
from itertools import takewhile
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from tesuji.errors import ProgramError

GAME_FOLDERS = ("/usr/games", "/usr/local/games")  # Debian's, often missing on PATH
PROTOCOL = "2"
LINE_LIMIT = 64 * 1024  # bytes
RESPONSE_LIMIT = 1024 * 1024  # bytes, with the comments before it
STDERR_LIMIT = 64 * 1024  # bytes that are kept
CHUNK = 64 * 1024  # bytes that are read at once
QUEUED_CHUNKS = 16  # a program that says more than anybody reads has to wait
QUIT_SECONDS = 1.0  # between "quit" and the kill
KILL_SECONDS = 10.0  # not for ever: under sudo a program can be asked to end, but not be killed
GRACE_SECONDS = 1.0  # for the last words of a program that has ended
PAUSE_SECONDS = 0.05  # between two looks at a silent program
QUOTED = 80  # characters of foreign text in a message


# The names say what happened; that it is an error is said by the base class.
class GtpRefused(ProgramError):  # noqa: N818
    """The program answered "? message"; it can go on."""

    def __init__(self, program: str, command: str, message: str) -> None:
        super().__init__(program, command, message)  # all of them, or it could not be pickled
        self.program = program
        self.command = command
        self.message = message

    def __str__(self) -> str:
        return f"{quote(self.program)} refused {quote(self.command)}: {quote(self.message)}"


class GtpDied(ProgramError):  # noqa: N818
    """The program has ended."""


class GtpHung(ProgramError):  # noqa: N818
    """The program did not answer in time and has been killed."""


class GtpNonsense(ProgramError):  # noqa: N818
    """The program broke the protocol and has been killed."""


# --- the protocol --------------------------------------------------------------------------------

_CONTROL = {**dict.fromkeys([*range(32), 127]), ord("\t"): " "}
_HEAD = re.compile(r"([=?])([0-9]{0,10})(?: (.*))?")  # an id has at most 31 bits


class Response(NamedTuple):
    """An answer: success or refusal, the id of the command if it was given, and the text."""

    ok: bool
    number: int | None
    text: str


def clean_line(line: bytes) -> str:
    r"""A line as text, without control characters; tabs become spaces (section 3.1).

    >>> clean_line(b"=\tD4\r\n")
    '= D4'
    """
    return line.decode("utf-8", "replace").translate(_CONTROL)


def format_command(number: int, command: str) -> str:
    r"""The line to send.

    >>> format_command(7, "genmove b")
    '7 genmove b\n'
    """
    if not command.strip() or not command.isprintable() or "#" in command:
        raise ProgramError(
            f"{quote(command)} is no GTP command, it must be a line of printable text without '#'"
        )
    return f"{number} {command}\n"


def is_filling(line: str) -> bool:
    """May this line stand before a response: a comment or a blank line?"""
    return not line.strip() or line.startswith("#")


def parse_head(line: str) -> Response | None:
    """The first line of a response, or None if it is not one.

    >>> parse_head("?12 illegal move")
    Response(ok=False, number=12, text='illegal move')
    >>> parse_head("illegal move")
    """
    match = _HEAD.fullmatch(line)
    if match is None:
        return None
    sign, number, text = match.groups()
    return Response(sign == "=", int(number) if number else None, (text or "").strip())


def join_text(first: str, more: Iterable[str]) -> str:
    r"""The text of a response: what follows the id, and the lines below.

    >>> join_text("", ["   A B", " 2 . ."])
    '   A B\n 2 . .'
    """
    return "\n".join([first, *(line.rstrip() for line in more)]).strip("\n")


def quote(text: str) -> str:
    """Foreign text for a message: on one line, and not too long."""
    return repr(text if len(text) <= QUOTED else text[: QUOTED - 3] + "...")


# --- the client ----------------------------------------------------------------------------------


def find_program(command: str | Sequence[str]) -> list[str]:
    """The words of a command, the first one replaced by the path of its program.

    A name is looked up on PATH and where Debian keeps games; a relative path counts from the
    current folder.
    """
    name, *arguments = _words(command)
    folders = os.pathsep.join([*os.get_exec_path(), *GAME_FOLDERS])
    found = shutil.which(name, path=folders)
    if found is None and os.sep in name:
        raise ProgramError(f"there is no executable file {quote(name)}")
    if found is None:
        raise ProgramError(
            f"there is no program {quote(name)} on PATH; install it or give its path"
        )
    return [str(Path(found).absolute()), *arguments]


def _words(command: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise ProgramError(f"the command {quote(str(command))} cannot be split: {error}") from None
    if not words or not words[0]:
        raise ProgramError(f"the command {command!r} names no program")
    return words


class GtpProgram:
    """One running program; to be used by one thread at a time.

    It has ``start_seconds`` for its first answer, and for each that tells what it is and knows.

    After `GtpRefused` the program can go on.  After any other error, or an interruption, it has
    been killed: a late answer would be taken for the answer to the next command.
    """

    name: str
    """What the program calls itself, or else the name of its file."""

    version: str
    """The version that the program states; empty if it states none."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        start_seconds: float = 30.0,
        cwd: str | Path | None = None,
    ) -> None:
        words = _words(command)
        self._label = shlex.join(words)
        self._number = 0
        self._start_seconds = start_seconds
        self._process = _start(find_program(words), cwd)
        weakref.finalize(self, self._process.kill)  # also runs when Python exits
        self._introduce(Path(words[0]).name)

    def _introduce(self, file_name: str) -> None:
        """Ask who it is.  Programs that know none of these commands exist, and play."""
        protocol = self._ask("protocol_version")
        if protocol not in (None, PROTOCOL):
            self.close()
            raise GtpNonsense(
                f"{quote(self._label)} speaks version {quote(str(protocol))} of GTP,"
                f" it must be {PROTOCOL}"
            )
        self.name = self._ask("name") or file_name
        self.version = self._ask("version") or ""
        commands = self._ask("list_commands")
        self._commands = None if commands is None else frozenset(commands.split())

    def _ask(self, command: str) -> str | None:
        with suppress(GtpRefused):
            return self.send(command, seconds=self._start_seconds)
        return None

    def knows(self, command: str) -> bool:
        """Does the program know this command?  It is only asked if it has no list of commands."""
        if self._commands is not None:
            return command in self._commands
        return self._ask(f"known_command {command}") == "true"

    def send(self, command: str, *, seconds: float) -> str:
        """Send a command and return the text of the answer, without sign and id."""
        line = format_command(self._number + 1, command)
        if self._process.closed:
            raise GtpDied(f"{quote(self._label)} has ended and cannot answer {quote(command)}")
        self._number += 1
        try:
            response = self._exchange(command, line, seconds)
        except BaseException:
            self._process.kill()
            raise
        if not response.ok:
            raise GtpRefused(self._label, command, response.text)
        return response.text

    def _exchange(self, command: str, line: str, seconds: float) -> Response:
        deadline = time.monotonic() + seconds
        try:
            self._process.write(line.encode(), deadline)
            return self._receive(command, deadline)
        except TimeoutError:
            raise GtpHung(
                f"{quote(self._label)} did not answer {quote(command)} within {seconds:g} seconds"
            ) from None
        except EOFError:
            raise GtpDied(self._obituary(command)) from None

    def _receive(self, command: str, deadline: float) -> Response:
        lines = self._lines(command, deadline)
        first = next(line for line in lines if not is_filling(line))
        head = parse_head(first)
        if head is None:
            raise self._nonsense(command, f"{quote(first)}, a response begins with '=' or '?'")
        if head.number not in (None, self._number):
            raise self._nonsense(command, f"the id {head.number}, it must be {self._number}")
        return head._replace(text=join_text(head.text, takewhile(bool, lines)))

    def _lines(self, command: str, deadline: float) -> Iterator[str]:
        """What the program says, without end, within the limits of time and memory."""
        size = 0
        while True:
            line = self._process.read_line(deadline)
            size += len(line) + 1
            if len(line) > LINE_LIMIT:
                raise self._nonsense(command, f"a line of more than {LINE_LIMIT} bytes")
            if size > RESPONSE_LIMIT:
                raise self._nonsense(command, f"more than {RESPONSE_LIMIT} bytes")
            yield clean_line(line)

    def _nonsense(self, command: str, what: str) -> GtpNonsense:
        return GtpNonsense(f"{quote(self._label)} answered {quote(command)} with {what}")

    def _obituary(self, command: str) -> str:
        how = _how_ended(self._process.exit_code(GRACE_SECONDS))
        self._process.kill()  # only then all of its stderr has come
        last = self.stderr.strip().rpartition("\n")[2]
        words = f"; its last words: {quote(last)}" if last else ""
        return f"{quote(self._label)} {how} before it answered {quote(command)}{words}"

    @property
    def stderr(self) -> str:
        """The last 64 kB of what the program wrote to its standard error, also after its end."""
        return self._process.tail.decode("utf-8", "replace")

    @property
    def alive(self) -> bool:
        """Can a command be sent?"""
        return not self._process.closed and self._process.exit_code() is None

    def close(self) -> None:
        """Ask the program to quit, then kill it with all that it started.  Twice is harmless."""
        try:
            if not self._process.closed:
                self._process.quit()
        finally:
            self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _how_ended(code: int | None) -> str:
    if code is None:
        return "closed its output"
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:  # a real-time signal has no name
        return f"was killed by signal {-code}"


# --- the process ---------------------------------------------------------------------------------


class _Process:
    """A process with its pipes.

    It knows nothing of its `GtpProgram`, so that its threads do not keep that one from being
    collected.  Threads read because no other way is the same on all systems; each closes its pipe.
    They are daemons for one case: a descendant that left the group of processes survives the kill
    and may hold the pipes open.
    """

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        assert popen.stdin is not None
        self.closed = False
        self.tail = b""
        self._popen = popen
        self._stdin = popen.stdin
        os.set_blocking(self._stdin.fileno(), False)
        self._queue: queue.Queue[bytes] = queue.Queue(QUEUED_CHUNKS)
        self._lines: deque[bytes] = deque()
        self._rest = b""  # of the last chunk: a line without its end
        self._reader = threading.Thread(target=self._read_out, args=(popen.stdout,), daemon=True)
        other = threading.Thread(target=self._read_err, args=(popen.stderr,), daemon=True)
        self._threads = [self._reader, other]
        for thread in self._threads:
            thread.name = f"gtp {popen.pid}"
            thread.start()

    def _read_out(self, pipe: BufferedReader) -> None:
        """Queue what comes, and an empty chunk at the end."""
        with pipe:
            while not self.closed:
                chunk = pipe.read1(CHUNK)
                self._put(chunk)
                if not chunk:
                    return

    def _put(self, chunk: bytes) -> None:
        # Looks at a plain flag now and then instead of being woken: the kill may come from the
        # garbage collector in this very thread, which then must not need the lock of the queue.
        while not self.closed:
            with suppress(queue.Full):
                self._queue.put(chunk, timeout=PAUSE_SECONDS)
                return

    def _read_err(self, pipe: BufferedReader) -> None:
        with pipe:
            while chunk := pipe.read1(CHUNK):
                self.tail = (self.tail + chunk)[-STDERR_LIMIT:]

    def write(self, data: bytes, deadline: float) -> None:
        """Write, or raise `TimeoutError` if the program does not read."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._stdin.fileno(), rest) :]
            except BrokenPipeError:
                return  # how it ended, and what it said before, is found by reading
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise TimeoutError from None
                time.sleep(PAUSE_SECONDS)

    def read_line(self, deadline: float) -> bytes:
        """The next line without its end, or `TimeoutError`, or `EOFError` if none is to come.

        A line without an end is returned when it is too long.
        """
        while not self._lines:
            *lines, rest = (self._rest + self._read(deadline)).split(b"\n")
            self._lines.extend(lines)
            if len(rest) > LINE_LIMIT:
                self._lines.append(rest)
                rest = b""
            self._rest = rest
        return self._lines.popleft()

    def _read(self, deadline: float) -> bytes:
        while (left := deadline - time.monotonic()) > 0:
            with suppress(queue.Empty):
                chunk = self._queue.get(timeout=min(left, PAUSE_SECONDS))
                if not chunk:
                    raise EOFError
                return chunk
            # A descendant may hold the pipe open when the program itself has ended.
            if self.exit_code() is not None:
                self._reader.join(GRACE_SECONDS)
                if self._queue.empty():
                    raise EOFError
        raise TimeoutError

    def exit_code(self, seconds: float = 0.0) -> int | None:
        """The exit code, negative for a signal; None if the program still runs after so long."""
        if self._popen.returncode is None:
            try:
                self._popen.wait(seconds)
            except subprocess.TimeoutExpired:
                return None
            self._kill_group()  # at once: from now on its number may be given to others
        return self._popen.returncode

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # the latter: macOS, only zombies left
            os.killpg(self._popen.pid, signal.SIGKILL)

    def quit(self) -> None:
        """Ask the program to end, and wait a little."""
        with suppress(TimeoutError):
            self.write(b"quit\n", deadline=0.0)
        self._stdin.close()
        self.exit_code(QUIT_SECONDS)

    def kill(self) -> None:
        """End the program and all that it started, reap it, and end the threads."""
        self.closed = True
        if self._popen.returncode is None:
            self._kill_group()
        self._stdin.close()
        self.exit_code(KILL_SECONDS)
        while self._threads:
            thread = self._threads.pop()
            if thread is not threading.current_thread():
                thread.join(GRACE_SECONDS)


def _start(words: list[str], cwd: str | Path | None) -> _Process:
    """Start a process in its own session: Ctrl-C is not for it, and its group can be killed."""
    pipe = subprocess.PIPE
    try:
        popen = subprocess.Popen(
            words, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, start_new_session=True
        )
    except (OSError, ValueError) as error:  # ValueError: a zero character among the words
        raise ProgramError(f"cannot start {quote(shlex.join(words))}: {error}") from None
    return _Process(popen)
