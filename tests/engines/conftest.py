"""Engines that run as long as the tests of one file."""

import pytest

from tests.engines.talk import SHARED, Talk


@pytest.fixture(scope="module")
def talk():
    engine = Talk(*SHARED)
    yield engine
    assert engine.close() == 0
    assert engine.process.stderr is not None


@pytest.fixture
def fresh(talk):
    """The same engine with the usual rules and an empty board."""
    rules = ("boardsize 5", "clear_board", "komi 7.5", "kata-set-rules chinese")
    for command in (*rules, "kgs-time_settings none"):
        talk.text(command)
    return talk


@pytest.fixture(scope="module")
def slow():
    """An engine that compiles nothing, for boards that no other test uses."""
    talk = Talk("go:size=3", "--method", "uct", "--sims", "2", jit=False)
    yield talk
    assert talk.close() == 0


@pytest.fixture
def small(slow):
    """The same engine with the usual rules and an empty board."""
    for command in ("boardsize 3", "clear_board", "komi 7.5", "kata-set-rules chinese"):
        slow.text(command)
    return slow
