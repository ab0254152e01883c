"""A real `tesuji gtp` process to talk to, byte by byte, and recorded sessions to play again.

A session is a text file; each line says what happens next:

    > text       this line is sent
    < text       the next line of the answer is exactly this
    ~ regex      the next line of the answer is like this
    * regex      all lines up to the next empty one are like this, or there are none
    # text       a comment
"""

import os
import re
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.waiting import LONG

SHARED = ("go:size=5", "--method", "uct", "--sims", "60")  # what most tests use, compiled once
MOVE = r"(?:[A-E][1-5]|pass)"  # on that board


class Talk:
    """A running engine, in a folder of its own: some commands write files."""

    def __init__(self, *arguments: str, jit: bool = True) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tesuji", "gtp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder.name,
            env={**os.environ, "TESUJI_JIT": str(int(jit))},
        )
        self._read = b""

    def send(self, text: str | bytes) -> None:
        data = text.encode() if isinstance(text, str) else text
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def until(self, end: bytes) -> str:
        """What is said up to and with these bytes."""
        deadline = time.monotonic() + LONG
        while end not in self._read:
            self._fill(deadline)
        found, _, self._read = self._read.partition(end)
        return (found + end).decode()

    def _fill(self, deadline: float) -> None:
        assert self.process.stdout is not None
        pipe = self.process.stdout.fileno()
        assert select.select([pipe], [], [], max(deadline - time.monotonic(), 0))[0], self._read
        chunk = os.read(pipe, 65536)
        assert chunk, f"the engine has ended; it said {self._read!r}"
        self._read += chunk

    def ask(self, command: str) -> str:
        """The whole answer to a command, with its sign."""
        self.send(f"{command}\n")
        return self.until(b"\n\n")

    def text(self, command: str) -> str:
        """The text of an answer, which must be a success."""
        answer = self.ask(command)
        assert answer.startswith("="), (command, answer)
        return answer[1:].strip()

    def refusal(self, command: str) -> str:
        """The message of an answer, which must be a refusal."""
        answer = self.ask(command)
        assert answer.startswith("? "), (command, answer)
        return answer[2:].strip()

    def rest(self) -> str:
        """Everything that is still to come, when no more is sent."""
        out, _ = self.process.communicate(timeout=LONG)
        self.folder.cleanup()
        found, self._read = self._read + out, b""
        return found.decode()

    def close(self) -> int:
        """End of input; the exit code."""
        self.rest()
        return self.process.returncode


def listed_commands() -> set[str]:
    """The commands that the guide has in its tables."""
    page = Path(__file__).parents[2] / "docs" / "guide" / "go-engine.md"
    _, _, tables = page.read_text(encoding="utf-8").partition("## All commands")
    rows = [row.split("|")[1] for row in tables.splitlines() if row.startswith("| `")]
    return {quoted.split()[0] for row in rows for quoted in re.findall("`([^`]+)`", row)}


def replay(talk: Talk, session: Path) -> int:
    """Do what a session says; how many of its lines told what the answer must be."""
    compared = 0
    for number, line in enumerate(session.read_text().splitlines(), 1):
        sign, text = line[:1], line[2:]
        where = f"{session.name}:{number}: {line}"
        if sign == ">":
            talk.send(f"{text}\n")
        elif sign == "<":
            assert talk.until(b"\n") == f"{text}\n", where
        elif sign == "~":
            said = talk.until(b"\n")
            assert re.fullmatch(text, said[:-1]), f"{where}\n{said}"
        elif sign == "*":
            while (said := talk.until(b"\n")) != "\n":
                assert re.fullmatch(text, said[:-1]), f"{where}\n{said}"
        else:
            assert sign in ("#", ""), where
        compared += sign in ("<", "~", "*")
    return compared


def turn(talk: Talk) -> str:
    """Whose turn it is, or who has won."""
    return talk.text("showboard").rpartition(": ")[2]


def infos(line: str) -> tuple[list[dict[str, Any]], list[float]]:
    """A report of live analysis as one dictionary for each move, and who owns the points."""
    line, _, owners = line.partition(" ownership ")
    moves = []
    for part in line.removeprefix("info ").split(" info "):
        figures, _, pv = part.partition(" pv ")
        words = figures.split()
        moves.append({**dict(zip(words[::2], words[1::2], strict=True)), "pv": pv.split()})
    return moves, [float(owner) for owner in owners.split()]


def reported(talk: Talk, command: str) -> str:
    """One report of live analysis as it is written."""
    talk.send(f"{command}\n")
    assert talk.until(b"\n") == "=\n"
    line = talk.until(b"\n")
    talk.send("\n")
    while talk.until(b"\n") != "\n":
        pass
    return line.rstrip("\n")


def analysed(talk: Talk, command: str) -> tuple[list[dict[str, Any]], list[float]]:
    """One report of live analysis."""
    return infos(reported(talk, command))
