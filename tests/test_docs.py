"""The examples of the documentation run, print what the pages say, and all links lead somewhere.

How a page is read, from top to bottom, in one empty folder:

* a ``python`` block is executed; all blocks of a page share their names; a ``text`` block after it
  is what it prints;
* after ``<!-- file: NAME -->`` a block is appended to that file instead;
* in a ``console`` block each ``$ command`` is run and must succeed; what stands below is what it
  prints; a line ``...`` stands for any lines;
* after ``<!-- not run: REASON -->`` a block is left alone.

Blanks, line breaks and times are not compared.  When the search itself changes, so does what it
prints: ``python -m tests.test_docs`` runs all pages and writes the new output into them.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.command import run_here
from tests.conftest import ROOT
from tesuji import ContractError, TesujiError, load
from tesuji.check import check_game
from tesuji.cli import app
from tesuji.games import BUILT_IN

DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("experiments/**/*.md")])
GAME_PAGES = sorted((DOCS / "games").glob("*.md"))

FENCE = re.compile(r"^```(\w*)$")
MARK = re.compile(r"^<!-- (file|not run): (.+) -->$")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SHELL = re.compile(r"[|<>;&$*?`]")  # what a shell would understand
TIMES = [
    (re.compile(r"in [\d.]+ s \([\d,]+(/s| a second)\)"), "in TIME"),
    (re.compile(r'"seconds": [\d.e-]+'), '"seconds": TIME'),
]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


# --- reading a page ------------------------------------------------------------------------------


@dataclass
class Block:
    """A fenced block; ``first`` is the index of its first inner line in the page."""

    kind: str
    first: int
    lines: list[str]
    mark: tuple[str, str] = ("", "")  # "file" or "not run", and what follows it
    after: str = ""  # the kind of the block before, if only blank lines lie between

    @property
    def code(self) -> str:
        return "\n".join(self.lines) + "\n"


def blocks(page: Path) -> Iterator[Block]:
    mark, after = ("", ""), ""
    current: Block | None = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines()):
        fence = FENCE.match(line)
        if current is not None and line == "```":
            yield current
            mark, after, current = ("", ""), current.kind, None
        elif current is not None:
            current.lines.append(line)
        elif fence:
            current = Block(fence[1], number + 1, [], mark, after)
        elif found := MARK.match(line):
            mark = (found[1], found[2])
        elif line.strip():
            mark, after = ("", ""), ""


@dataclass
class Example:
    """Something that was run: its output, and what the page says at ``lines[start:end]``."""

    what: str
    start: int
    end: int
    printed: str
    expected: str


@dataclass
class Runner:
    """Runs the blocks of one page in the current folder."""

    page: Path
    names: dict[str, object] = field(default_factory=dict)
    printed: str = ""
    skipped: bool = False

    def run(self) -> Iterator[Example]:
        for block in blocks(self.page):
            kind, what = block.mark
            if kind == "not run":
                self.skipped = True
                continue
            if kind == "file":
                with Path(what).open("a", encoding="utf-8") as file:
                    file.write(block.code)
            elif block.kind == "python":
                self.python(block)
            elif block.kind == "text" and block.after == "python" and not self.skipped:
                end = block.first + len(block.lines)
                yield Example("the block", block.first, end, self.printed, block.code)
            elif block.kind == "console":
                yield from self.console(block)
            self.skipped = False

    def python(self, block: Block) -> None:
        out = io.StringIO()
        padding = "\n" * block.first  # so that a traceback names the line of the page
        with contextlib.redirect_stdout(out):
            exec(compile(padding + block.code, str(self.page), "exec"), self.names)
        self.printed = out.getvalue()

    def console(self, block: Block) -> Iterator[Example]:
        starts = [i for i, line in enumerate(block.lines) if line.startswith("$ ")]
        for at, end in zip(starts, [*starts[1:], len(block.lines)], strict=True):
            command = block.lines[at].removeprefix("$ ")
            yield Example(
                command,
                block.first + at + 1,
                block.first + end,
                run_command(command),
                "\n".join(block.lines[at + 1 : end]),
            )


def run_command(command: str) -> str:
    """Run it, by a shell where it is more than a command of ours; it must succeed."""
    if command.startswith("tesuji ") and not SHELL.search(command):
        done = run_here(*shlex.split(command)[1:])
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout
    return run_by_shell(command)


def run_by_shell(command: str) -> str:
    """Run it by the shell with this Python's commands first; it must succeed."""
    scripts = str(Path(sys.executable).parent)
    env = {**os.environ, "PATH": scripts + os.pathsep + os.environ["PATH"], "NO_COLOR": "1"}
    done = subprocess.run(command, shell=True, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def words(text: str) -> list[str]:
    for pattern, replacement in TIMES:
        text = pattern.sub(replacement, text)
    return text.split()


def agrees(printed: str, expected: str) -> bool:
    parts = [re.escape(" ".join(words(part))) for part in re.split(r"(?m)^\.\.\.$", expected)]
    return re.fullmatch(" ?.* ?".join(parts), " ".join(words(printed))) is not None


# --- examples ------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_examples_print_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for example in Runner(page).run():
        assert agrees(example.printed, example.expected), (
            f"{name(page)}:{example.start}: {example.what} prints\n{example.printed}"
            "If that is right, `python -m tests.test_docs` writes it into the page."
        )


def command_lines(page: Path) -> list[str]:
    """Lines ``tesuji ...`` in blocks of no kind, as the pages of games have them."""
    plain = [block for block in blocks(page) if block.kind == ""]
    return [line for block in plain for line in block.lines if line.startswith("tesuji ")]


@pytest.mark.parametrize("page", GAME_PAGES, ids=name)
def test_commands_of_games_run(page, monkeypatch):
    """Uncompiled, one simulation and two games, which takes no time; the tests of games do more."""
    monkeypatch.setenv("TESUJI_JIT", "0")
    lines = command_lines(page)
    assert lines, "a game's page shows how to search it"
    for line in lines:
        line = re.sub(r"--sims \d+", "--sims 1", line)
        line = re.sub(r"--games \d+", "--games 2", line)
        result = CliRunner().invoke(app, shlex.split(line)[1:])
        assert result.exit_code == 0, f"{line}\n{result.output}"


def test_the_pages_run_something():
    """Guard against a change of form that would leave nothing to run."""
    found = [block.kind for page in PAGES for block in blocks(page) if block.mark[0] != "not run"]
    assert found.count("python") > 10
    assert found.count("console") > 5


# --- the guide to an own game --------------------------------------------------------------------

OWN_GAME = DOCS / "guide" / "own-game.md"


@pytest.fixture(scope="module")
def kayles() -> str:
    """The game file that the guide builds."""
    files = [block for block in blocks(OWN_GAME) if block.mark == ("file", "kayles.py")]
    return "".join(block.code for block in files)


def test_the_game_of_the_guide_keeps_the_contract(kayles, tmp_path):
    (tmp_path / "kayles.py").write_text(kayles)
    report = check_game(load(str(tmp_path / "kayles.py")), games=5)
    assert report.positions > 20


MISTAKES = [
    ("state.left -= 1", "state.letf -= 1"),
    ("n = 0\n", "n = len(np.zeros(9)) - 9\n"),
    ("max_moves=2 * pins - 1,", "max_moves=pins,"),
    ("out[1 - state.mover] = 1.0", "pass"),
    ("return state.left == 0", "return False"),
    ("max_length=pins,", "max_length=3,"),
    ("if move_text(move) == text:", "if move_text(move) == text + ' ':"),
    ("align=True", "align=False"),
]


@pytest.mark.parametrize(("right", "wrong"), MISTAKES, ids=[wrong for _, wrong in MISTAKES])
def test_mistakes_are_explained_as_the_guide_says(right, wrong, kayles, tmp_path):
    """Each mistake is made in the guide's game; its message stands in the guide's table."""
    assert kayles.count(right) == 1
    file = tmp_path / "kayles.py"
    file.write_text(kayles.replace(right, wrong))
    with pytest.raises(TesujiError) as caught:
        check_game(load(str(file)), games=5)
    table = OWN_GAME.read_text(encoding="utf-8")
    known = [row.split("`")[1] for row in table.splitlines() if row.startswith("| `")]
    message = str(caught.value)
    assert any(part in message for part in known), message
    assert isinstance(caught.value, ContractError) or "kayles" in message


# --- links ---------------------------------------------------------------------------------------


def links(page: Path) -> Iterator[Path]:
    """The files that a page refers to."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:|#", target):
            yield (page.parent / target.split("#")[0]).resolve()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    missing = [str(target) for target in links(page) if not target.exists()]
    assert not missing


def test_the_index_names_every_page():
    known = set(links(DOCS / "README.md"))
    assert not [
        name(page) for page in DOCS.rglob("*.md") if page not in known | {DOCS / "README.md"}
    ]


def test_every_game_has_a_page_and_is_in_the_readme():
    assert {page.stem for page in GAME_PAGES} == set(BUILT_IN)
    assert set(GAME_PAGES) <= set(links(ROOT / "README.md"))


# --- writing the output into the pages -----------------------------------------------------------


def rewrite(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    for example in reversed(list(Runner(page).run())):
        if not agrees(example.printed, example.expected):
            lines[example.start : example.end] = [
                line.rstrip() for line in example.printed.rstrip().splitlines()
            ]
            print(f"{name(page)}:{example.start}: {example.what}")
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for one in PAGES:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            rewrite(one)
