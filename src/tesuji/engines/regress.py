"""Regression tests: does a program still answer what is known to be right?

A test file is a script of GTP commands.  A command with an id may be followed by a line that says
what the answer must be::

    loadsgf sgf/ladder-1.sgf
    10 reg_genmove black
    #? [D4|E5]          the answer is D4 or E5
    20 reg_genmove white
    #? [!PASS]*         anything but a pass; known to fail

The text in brackets is a regular expression for the whole answer, upper and lower case being the
same; ``!`` turns it around, and ``*`` marks a known failure.  Any other line with ``#`` is a
comment.  This is the form of gogui-regress and of the tests of GNU Go and Fuego (Enzenberger,
https://www.kayufu.com/gogui/reference-regress.html).  Paths after ``loadsgf`` count from the folder
of the file.

Start with `run`.
"""

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from tesuji.engines.gtp import GtpProgram, GtpRefused
from tesuji.errors import ConfigError

SUFFIX = ".tst"
PATIENCE = 600.0  # seconds for an answer
_COMMAND = re.compile(r"(?:(?P<id>\d+)\s+)?(?P<words>\S.*)")
_EXPECTED = re.compile(r"#\?\s*\[(?P<not>!?)(?P<pattern>.*)\]\s*(?P<known>\*?)\s*")


class Outcome(StrEnum):
    """How a test ended."""

    PASS = "pass"
    FAIL = "FAIL"
    KNOWN = "known failure"
    SURPRISE = "unexpected pass"


class Expected(NamedTuple):
    """What the answer must be."""

    pattern: str
    negated: bool  #: must not match
    known: bool  #: known to fail

    def fits(self, answer: str) -> bool:
        """Is this answer right?"""
        found = re.fullmatch(self.pattern, answer.strip(), re.IGNORECASE | re.DOTALL)
        return (found is None) is self.negated

    def outcome(self, right: bool) -> Outcome:
        if self.known:
            return Outcome.SURPRISE if right else Outcome.KNOWN
        return Outcome.PASS if right else Outcome.FAIL

    def __str__(self) -> str:
        return f"{'!' if self.negated else ''}{self.pattern}"


class Step(NamedTuple):
    """A command of a test file, and what the answer must be if that is said."""

    line: int  #: of the file, from 1
    number: int | None  #: the id of the command
    command: str
    expected: Expected | None


@dataclass(frozen=True)
class CaseResult:
    """One test that was run."""

    file: str
    id: int
    command: str
    expected: str
    answer: str
    outcome: Outcome
    seconds: float


@dataclass(frozen=True)
class Trouble:
    """A command without a test that was refused: what follows may mean nothing."""

    file: str
    line: int
    command: str
    message: str


@dataclass(frozen=True)
class SuiteReport:
    """What a program made of some test files."""

    program: str  #: its name and version
    results: tuple[CaseResult, ...]
    troubles: tuple[Trouble, ...]

    @property
    def counts(self) -> dict[Outcome, int]:
        """How many tests ended how."""
        ends = [result.outcome for result in self.results]
        return {outcome: ends.count(outcome) for outcome in Outcome}

    @property
    def ok(self) -> bool:
        """Did nothing fail that should not?"""
        return self.counts[Outcome.FAIL] == 0 and not self.troubles

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "program": self.program,
            "ok": self.ok,
            "counts": {str(outcome): count for outcome, count in self.counts.items()},
            "tests": [asdict(result) for result in self.results],
            "troubles": [asdict(trouble) for trouble in self.troubles],
        }


# --- reading -------------------------------------------------------------------------------------


def find_files(path: Path) -> list[Path]:
    """A test file, or all in a folder."""
    if not path.is_dir():
        return [path]
    files = sorted(path.glob(f"*{SUFFIX}"))
    if not files:
        raise ConfigError(f"there is no file *{SUFFIX} in the folder {path}")
    return files


def read_steps(path: Path) -> list[Step]:
    """The commands of a test file in their order."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"cannot read {path}: {reason}") from None
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            _read_line(number, line.strip(), steps)
        except ValueError as error:
            raise ConfigError(f"{path}, line {number}: {error}") from None
    if all(step.expected is None for step in steps):
        raise ConfigError(f"{path} has no test: a command with an id, and a line '#? [answer]'")
    return steps


def _read_line(number: int, line: str, steps: list[Step]) -> None:
    if line.startswith("#?"):
        expected = _read_expected(line)
        if not steps or steps[-1].number is None or steps[-1].expected is not None:
            raise ValueError(f"{line!r} must follow a command with an id")
        steps[-1] = steps[-1]._replace(expected=expected)
        return
    found = _COMMAND.fullmatch(line.partition("#")[0].strip())
    if found is None:
        return
    identity = None if found["id"] is None else int(found["id"])
    if identity is not None and any(step.number == identity for step in steps):
        raise ValueError(f"there is another command with the id {identity}; an id must be new")
    steps.append(Step(number, identity, found["words"], None))


def _read_expected(line: str) -> Expected:
    found = _EXPECTED.fullmatch(line)
    if found is None:
        raise ValueError(f"{line!r} is not of the form '#? [answer]' or '#? [answer]*'")
    try:
        re.compile(found["pattern"])
    except re.error as error:
        raise ValueError(f"{found['pattern']!r} is no regular expression: {error}") from None
    return Expected(found["pattern"], found["not"] == "!", found["known"] == "*")


# --- running -------------------------------------------------------------------------------------

Tell = Callable[[Path, Step], None]


def run(
    files: Sequence[Path],
    command: str | Sequence[str],
    *,
    patience: float = PATIENCE,
    tell: Tell | None = None,
) -> SuiteReport:
    """Let a program answer all commands of these files; each file gets a new process.

    ``tell`` is called before each test.  A program that dies or hangs is an error.
    """
    scripts = [(path, read_steps(path)) for path in files]  # mistakes are found before long work
    results: list[CaseResult] = []
    troubles: list[Trouble] = []
    name = ""
    for path, steps in scripts:
        with GtpProgram(command, start_seconds=patience) as program:
            name = f"{program.name} {program.version}".strip()
            for end in _run_steps(path, steps, program, patience, tell):
                if isinstance(end, CaseResult):
                    results.append(end)
                else:
                    troubles.append(end)
    return SuiteReport(name, tuple(results), tuple(troubles))


def _run_steps(
    path: Path, steps: Sequence[Step], program: GtpProgram, patience: float, tell: Tell | None
) -> Iterator[CaseResult | Trouble]:
    for step in steps:
        if tell is not None and step.expected is not None:
            tell(path, step)
        begin = time.perf_counter()
        refused = False
        try:
            answer = program.send(_located(step.command, path.parent), seconds=patience)
        except GtpRefused as error:
            refused, answer = True, error.message
        seconds = time.perf_counter() - begin
        if step.expected is not None and step.number is not None:
            right = not refused and step.expected.fits(answer)
            yield CaseResult(
                file=path.name,
                id=step.number,
                command=step.command,
                expected=str(step.expected),
                answer=f"? {answer}" if refused else answer.strip(),
                outcome=step.expected.outcome(right),
                seconds=seconds,
            )
        elif refused:
            yield Trouble(path.name, step.line, step.command, answer)


def _located(command: str, folder: Path) -> str:
    """A command whose file is found from where the program runs.

    The way there is written from the current folder, because GTP cannot carry blanks in a path and
    they are more common further up.
    """
    name, *arguments = command.split()
    if name != "loadsgf" or not arguments:
        return command
    path = os.path.relpath(folder / arguments[0])
    if " " in path:
        raise ConfigError(f"the path {path!r} has a blank, which GTP cannot carry")
    return " ".join([name, path, *arguments[1:]])
