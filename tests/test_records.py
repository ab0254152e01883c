"""What the project writes down about itself agrees with what it is."""

import ast
import builtins
import re
import tomllib
from pathlib import Path

import pytest

import tesuji
from tests.conftest import ROOT
from tesuji.lab.experiment import Experiment

EXPERIMENTS = sorted((ROOT / "experiments").glob("0*"))
SOURCE = ROOT / "src" / "tesuji"
INDEX = (ROOT / "experiments" / "README.md").read_text(encoding="utf-8")
DECISIONS = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")
#: names in docstrings and comments: `name`, but not ``code``
MENTION = re.compile(r"(?<!`)`([A-Za-z_][A-Za-z_0-9.]*)`(?!`)")
#: mentions of what is gone, to be mended
GONE = {("search/tree.py", "transpose")}


def test_decisions_are_numbered_and_dated():
    heads = re.findall(r"^\*\*(.+?)\*\* *(\(\d{4}-\d\d-\d\d[^)]*\))?", DECISIONS, re.MULTILINE)
    assert all(date for _, date in heads), [head for head, date in heads if not date]
    numbers = [int(head.split(".")[0]) for head, _ in heads]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))


def test_a_superseded_decision_and_its_successor_name_each_other():
    paragraphs = re.findall(r"^\*\*(\d+)\. (.*?)(?=\n\n|\Z)", DECISIONS, re.MULTILINE | re.DOTALL)
    forward, backward = set(), set()
    for number, text in paragraphs:
        flat = " ".join(text.split())
        forward |= {(number, new) for new in re.findall(r"Superseded by (\d+)", flat)}
        backward |= {(old, number) for old in re.findall(r"supersedes (?:\D*? of )?(\d+)", flat)}
    assert forward == backward
    assert ("19", "55") in forward


def test_the_citation_is_that_of_this_version():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    facts = dict(re.findall(r"^([\w-]+): *(\S.*)$", text, re.MULTILINE))
    assert facts["cff-version"] == "1.2.0"
    assert facts["version"] == tesuji.__version__
    assert f'license = "{facts["license"]}"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert len(re.findall(r"^  - type: ", text, re.MULTILINE)) == 5


@pytest.mark.parametrize("folder", EXPERIMENTS, ids=lambda folder: folder.name)
def test_an_experiment_says_whether_it_is_complete(folder):
    text = (folder / "README.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| \[.*\]\({folder.name}/README.md\) \|.*$", INDEX, re.MULTILINE)
    (state,) = re.findall(r"^\*\*Record\.\*\* (\w+)", text, re.MULTILINE)
    counts = re.search(r"([\d,]+) games played of ([\d,]+\d)", text)
    complete = counts is None or counts[1] == counts[2]
    assert state == ("Complete" if complete else "Incomplete")
    assert ("incomplete" in row) == (not complete)
    if counts is not None:
        shown = counts[1] if complete else f"incomplete: {counts[1]} of {counts[2]}"
        assert shown in row
        assert shown.removeprefix("incomplete: ") in record(folder)


@pytest.mark.parametrize("folder", EXPERIMENTS, ids=lambda folder: folder.name)
def test_an_experiment_says_whether_it_repeats(folder):
    said = re.search(r"Repeats bit for bit: (yes|no\b|not known)", record(folder))
    assert said is not None
    assert (said[1] == "yes") == (not chance_decides(folder))
    assert f"| {said[1]}" in INDEX.split(f"({folder.name}/README.md)")[1].splitlines()[0]
    assert "Machine: " in record(folder)


@pytest.mark.parametrize(
    "folder", [f for f in EXPERIMENTS if f.name >= "033"], ids=lambda folder: folder.name
)
def test_an_experiment_says_whether_it_measured_a_search_or_a_whole_player(folder):
    table = tomllib.loads((folder / "experiment.toml").read_text(encoding="utf-8"))
    players = table["players"].values()
    whole = [text for text in players if text.startswith(("player:", "gtp:tesuji"))]
    assert whole in ([], list(players))
    said = "whole player, over GTP" if whole else "bare search, with exactly its limit"
    assert f"Measured: the {said}." in record(folder)
    assert f"Measured: the {said}." in " ".join(table["conclusion"].split())


def test_planned_experiments_can_be_played():
    """Each is complete, and has a seed of its own."""
    files = sorted((ROOT / "experiments" / "planned").glob("*.toml"))
    seeds = [tomllib.loads(file.read_text(encoding="utf-8"))["seed"] for file in files]
    assert len(set(seeds)) == len(seeds) > 0
    assert all(Experiment.read(file).tasks for file in files)


def record(folder: Path) -> str:
    """The last paragraph of an experiment's page, on one line."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    return " ".join(text[text.index("**Record.**") :].split())


def chance_decides(folder: Path) -> bool:
    """Do a clock, another program, or threads at one tree or leaf have a say in the games?"""
    file = folder / "experiment.toml"
    if not file.exists():
        return False
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    players = [*table["players"].values(), *table["opponents"].values()]
    return (
        "seconds" in table
        or table.get("time_equalised", False)
        or any(player.startswith("gtp:") for player in players)
        or any("threads=" in player and "parallel=root" not in player for player in players)
    )


def test_docstrings_and_comments_name_what_exists():
    """Modules, definitions anywhere, names in the same file, and words in short texts count."""
    trees = {file: ast.parse(file.read_text("utf-8")) for file in sorted(SOURCE.rglob("*.py"))}
    known = set(dir(builtins)) | {part for file in trees for part in file.with_suffix("").parts}
    known |= {file.stem for file in SOURCE.rglob("*.toml")} | {"Makefile"}
    for node in (node for tree in trees.values() for node in ast.walk(tree)):
        known |= defined(node)
    gone = set()
    for file, tree in trees.items():
        used = {
            name
            for node in ast.walk(tree)
            for name in (getattr(node, key, "") for key in ("id", "attr", "arg"))
        }
        for mention in MENTION.findall(file.read_text("utf-8")):
            names = set(mention.removesuffix(".py").split("."))
            if not names <= known | used:
                gone.add((str(file.relative_to(SOURCE)), mention))
    assert gone <= GONE


def defined(node: ast.AST) -> set[str]:
    """What a node of a syntax tree defines: a function, a class, a variable, words of a text."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Name(id=name, ctx=ast.Store()):
            return {name}
        case ast.Constant(value=str(text)) if len(text) < 40:
            return set(re.findall(r"\w+", text))
    return set()
