"""The positions in `regression`: their form, and that they are neither too easy nor too hard."""

import re

import pytest

from tests.conftest import ROOT
from tesuji.cli.regress import own_engine
from tesuji.engines.regress import Outcome, Step, find_files, read_steps, run
from tesuji.games.go.sgf import read_sgf

SUITE = ROOT / "regression"
FILES = find_files(SUITE)
KINDS = {
    "capture",
    "endgame",
    "ko",
    "ladder",
    "life",
    "nakade",
    "passing",
    "rave",
    "seki",
    "semeai",
    "snapback",
}
SMALLEST_SUITE, SMALLEST_FAILURE, MOST_FAILURE = 60, 20, 40
MOVE = re.compile(r"pass|[a-hj-z]\d+", re.IGNORECASE)
COLOURS = ("black", "white")


def pairs_in(path):
    """Pairs of a command that loads a position and one that asks for a move."""
    steps = read_steps(path)
    return list(zip(steps[::2], steps[1::2], strict=True))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_position_loads_and_every_move_is_legal(path):
    for load, ask in pairs_in(path):
        command, file = load.command.split()
        assert (command, load.expected) == ("loadsgf", None)
        position = read_sgf(SUITE / file)
        assert ask.command == f"reg_genmove {COLOURS[position.mover]}"
        _check_moves(position, ask)


def _check_moves(position, ask: Step):
    expected = ask.expected
    assert expected is not None
    for text in expected.pattern.split("|"):
        assert MOVE.fullmatch(text), text
        move = position.game.parse_move(text)
        # A move that must not be played may be illegal: that is what tests of superko say.
        assert move in position.moves or expected.negated, (ask.line, text)
    legal = [m for m in position.moves if expected.fits(position.move_text(m))]
    assert legal, f"no legal move is right: line {ask.line}"
    if not expected.negated:
        assert len(legal) < len(position.moves), f"every move is right: line {ask.line}"


def test_the_suite_is_complete():
    assert {path.stem for path in FILES} == KINDS
    used = [load.command.split()[1] for path in FILES for load, _ in pairs_in(path)]
    assert len(used) == len(set(used)) >= SMALLEST_SUITE
    assert {f"sgf/{file.name}" for file in (SUITE / "sgf").iterdir()} == set(used)


@pytest.mark.stress
def test_the_suite_is_neither_too_easy_nor_too_hard():
    """Plain UCT with 1,000 simulations fails where reading is deep, and only there."""
    report = run(FILES, own_engine("uct", 1000, None, 0, []))
    assert not report.troubles
    failed = [r for r in report.results if r.outcome in (Outcome.FAIL, Outcome.KNOWN)]
    assert SMALLEST_FAILURE <= len(failed) <= MOST_FAILURE
