"""The page of facts names tests that exist, each for at least one fact."""

import ast
import re

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "methods" / "facts.md"
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", PAGE.read_text("utf-8"))))


def test_every_fact_names_a_test():
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    facts = [row for row in rows if not row.startswith("| fact |")]
    assert len(facts) > 15
    assert not [row for row in facts if not re.search(r"\| `tests/[\w/]+\.py::test_\w+` \|$", row)]


@pytest.mark.parametrize(("file", "name"), NAMED, ids=[name for _, name in NAMED])
def test_a_test_of_the_page_exists(file, name):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
