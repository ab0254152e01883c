"""What the project writes down about itself agrees with what it is."""

import re

import tesuji
from tests.conftest import ROOT

DECISIONS = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8")


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
