"""Searches leave the trees behind that they always left; see `tests.golden`."""

import copy

import pytest

from tests import golden

CASES = {case.name: case for case in golden.catalogue()}


@pytest.mark.parametrize("name", CASES)
def test_the_line_is_as_it_was(name):
    check(name, jit=False)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in golden.COMPILED_TOO else [pytest.mark.stress])
        for name in CASES
    ],
)
def test_the_compiled_line_is_as_it_was(name):
    check(name, jit=True)


def check(name, jit):
    known = golden.expected(name, jit)
    assert known is not None, "a new line: `python -m tests.golden` writes it"
    assert golden.digest(golden.line(CASES[name], jit)) == known, (
        "the search has changed: `python -m tests.golden --against PATH` shows where; if that is "
        "right, `python -m tests.golden` writes the new line"
    )


def test_every_line_of_the_file_is_run():
    assert {name.removeprefix(golden.COMPILED) for name in golden.read()} == set(CASES)
    assert set(golden.COMPILED_TOO) <= set(CASES)


def test_a_difference_is_named_by_node_and_field():
    case = CASES["parallel root"]
    mine = golden.line(case, jit=False)
    assert golden.difference(mine, mine) is None
    theirs = copy.deepcopy(mine)
    tree = theirs["trees"][1]
    place = {name: number for number, name in enumerate(tree["fields"], 1)}
    tree["nodes"][1][place["visits"]] += 1
    move, visits = (mine["trees"][1]["nodes"][1][place[name]] for name in ("move", "visits"))
    found = golden.difference(mine, theirs)
    assert found == f"tree 1, node {move}, visits: {visits} here, {visits + 1} there"
    theirs = copy.deepcopy(mine)
    theirs["decisions"][0]["visits"] += 1
    assert golden.difference(mine, theirs).startswith("decision, visits: ")
    theirs = copy.deepcopy(mine)
    theirs["trees"][0]["nodes"].pop()
    assert golden.difference(mine, theirs).startswith("tree 0, ")
