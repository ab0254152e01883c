"""Do the tests see a fault?  Each mutant of `mutants.toml` is one, and tests must fail with it.

    python -m tests.mutants               all of them, with progress
    python -m tests.mutants elo-wrong-sign ...

A mutant is found by its text, wherever that stands below ``src/tesuji``, so code may move between
files.  It is *killed* when one of the tests that it names fails; it *survives* when they pass, and
also when they cannot be imported, do not end, or do not exist: then they say nothing about it.
Start with `run`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "tesuji"
SECONDS = 300  # for the tests of one mutant: far more than they take, as a fault may let them hang


@dataclass(frozen=True)
class Mutant:
    """One fault, and the tests that see it."""

    name: str
    text: str  #: of the source, exactly once
    becomes: str
    tests: tuple[str, ...]  #: files or node ids
    only: str = ""  #: which tests of those: pytest's ``-k``
    compiled: bool = False  #: else tests run uncompiled wherever they do not insist

    def place(self, source: Path = SOURCE) -> Path:
        """The file that has the text; an error if that is not exactly one, once."""
        counts = {path: path.read_text().count(self.text) for path in sorted(source.rglob("*.py"))}
        found = [path for path, count in counts.items() if count]
        if sum(counts.values()) != 1:
            where = " and ".join(str(path.relative_to(source)) for path in found) or "no file"
            raise LookupError(
                f"the text of mutant {self.name} occurs {sum(counts.values())} times, in {where}; "
                "it must occur once"
            )
        return found[0]

    def apply(self, source: Path) -> None:
        """Put the fault into a copy of the source."""
        path = self.place(source)
        path.write_text(path.read_text().replace(self.text, self.becomes))


def read(path: Path = ROOT / "tests" / "mutants.toml") -> list[Mutant]:
    """All mutants of a file."""
    tables = tomllib.loads(path.read_text())
    return [
        Mutant(name, **{**table, "tests": tuple(table["tests"])}) for name, table in tables.items()
    ]


def run(mutant: Mutant) -> str:
    """Run the tests of a mutant on a copy of the source: why it survives, or nothing."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder) / "tesuji"
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        mutant.apply(copy)
        return _survives(mutant, Path(folder))


def _survives(mutant: Mutant, folder: Path) -> str:
    """Run the tests with the copy of the source in a folder; why they do not kill the mutant."""
    report = folder / "report.xml"
    choice = ["-k", mutant.only] if mutant.only else []
    options = ["-x", "-p", "no:cacheprovider", f"--junitxml={report}", *choice]
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "TESUJI_JIT": "1" if mutant.compiled else "0",
        "TESUJI_CACHE_DIR": str(folder / "cache"),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
    }
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *mutant.tests],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"its tests do not end within {SECONDS} seconds"
    return _verdict(report, done.stdout + done.stderr)


def _verdict(report: Path, output: str) -> str:
    if not report.exists():
        return f"its tests cannot be run:\n{output}"
    suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    tests, errors, failures = (
        sum(int(suite.attrib[what]) for suite in suites) for what in ("tests", "errors", "failures")
    )
    if tests == 0:
        return f"no test was run:\n{output}"
    if errors:
        return f"its tests cannot be run:\n{output}"
    return "" if failures else f"its tests pass ({tests})"


def main(names: Sequence[str]) -> int:
    """Run the mutants with these names, or all, and tell the score; how many survive."""
    mutants = {mutant.name: mutant for mutant in read()}
    unknown = [name for name in names if name not in mutants]
    if unknown:
        print(f"there is no mutant {unknown[0]!r}; there are {', '.join(mutants)}")
        return len(unknown)
    chosen = [mutants[name] for name in names or mutants]
    killed = 0
    for number, mutant in enumerate(chosen, 1):
        why = run(mutant)
        killed += not why
        print(f"{number:3} {mutant.name}: {f'SURVIVES, {why}' if why else 'killed'}", flush=True)
    print(score(killed, len(chosen)))
    return len(chosen) - killed


def score(killed: int, count: int) -> str:
    """How many mutants the tests have seen."""
    return f"mutants: {killed} of {count} killed"


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
