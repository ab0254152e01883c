"""Input, output and messages of a process, whatever a shell has done to them.

They may be closed, full, without a reader, or unable to write a letter.  Output that cannot be
written is an error, messages that cannot be are not: nobody can be told, and the work goes on.
Start with `mend`.
"""

import codecs
import errno
import io
import os
import sys
import unicodedata
from contextlib import suppress

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
# Letters that are written without being in `unicodedata` as a form of plainer ones.
PLAINER = str.maketrans(
    {"\u2044": "/", "\xb1": "+-", "\u2212": "-", "\u2013": "-", "\xd7": "x", "\u2026": "..."}
)


class _Messages(io.TextIOWrapper):
    """A stream for messages, which may get lost."""

    def write(self, text: str) -> int:
        with suppress(OSError):
            super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


def mend() -> None:
    """Put streams that work in place of those that a shell has closed.

    What is opened for a closed stream takes its number, so that no file that is opened later, such
    as a store of results, gets it and with it what is meant for the stream.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")  # each write is an error
    elif sys.stdout is sys.__stdout__:  # what a program has put in its place stays as it is
        sys.__stdout__.reconfigure(errors="plainer")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    elif sys.stderr is sys.__stderr__:
        sys.stderr = _Messages(
            os.fdopen(sys.__stderr__.fileno(), "wb", closefd=False),
            encoding=sys.__stderr__.encoding,
            errors="backslashreplace",
            line_buffering=True,
        )


def mute() -> None:
    """Drop what could not be written, which Python would try again when it ends."""
    with suppress(OSError, ValueError):  # not a stream with a number
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def explain(error: OSError) -> tuple[str, int]:
    """An error of the system that nobody foresaw as one sentence, and the exit code for it."""
    reason = error.strerror or str(error)
    if error.filename is not None:
        return f"{error.filename}: {reason}", 1 if error.errno in FULL else 2
    if error.errno in (*FULL, errno.EBADF):  # files have names, streams have none
        return f"the output cannot be written: {reason}", 1
    if isinstance(error, FileNotFoundError):  # a relative name leads nowhere
        return "the working directory does not exist any more", 2
    return reason, 1


def _plainer(error: UnicodeError) -> tuple[str, int]:
    """How letters are written where they cannot be: one half as 1/2, an accent not at all."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = unicodedata.normalize("NFKD", error.object[error.start : error.end])
    if letters[0].isdigit() and error.object[: error.start][-1:].isdigit():
        letters = f" {letters}"  # one and a half, not eleven halves
    plain = (c for c in letters.translate(PLAINER) if not unicodedata.combining(c))
    return "".join(c if c.isascii() else "?" for c in plain), error.end


codecs.register_error("plainer", _plainer)
