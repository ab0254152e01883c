"""Simulation balancing: the gradient by hand and by differences, labels, and a planted answer."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.learn.test_patterns import number
from tesuji import methods
from tesuji.compile import specialise, stream
from tesuji.compile.plain import interpret
from tesuji.errors import ConfigError
from tesuji.game import Playout
from tesuji.games import load
from tesuji.learn.balance import (
    BalanceLearner,
    Balancing,
    Slope,
    add_gradient,
    make_slope,
)
from tesuji.learn.labels import Label, Labeller, append_label, read_labels
from tesuji.learn.patterns import NUMBER, TOTAL, own_playout, pattern_bindings, spread
from tesuji.position import Position

SMALL = load("go:size=3")
GO = load("go:size=5")


def choose(of: Any, state: Any, playout: Playout, seed: int) -> int:
    """The policy's move, uncompiled; it leaves urgencies in the state."""

    def draw(states: Any, playout: Any, rng: Any) -> Any:
        return of.policies["urgency"](states[0], playout, rng)

    return int(interpret(draw)(state, playout, stream(seed, "test")))


def gradient(of: Any, state: Any, move: int, playout: Playout, slope: Slope) -> None:
    def add(states: Any, playout: Any, numbers: Any, slope: Any) -> None:
        add_gradient(states[0], move, playout, numbers, slope)

    slots = {**pattern_bindings(of), "STRIDE": of.parameters["size"].width + 1}
    specialise(add, slots, label="", jit=False)(state, playout, NUMBER, slope)


def test_feature_minus_expected_feature_by_hand() -> None:
    """On the empty 3x3 board there are a middle, four sides and four corners.

    With weights 2, 1 and 0.5 for them the sum is 2 + 4 + 2 = 8: patterns are expected with 2/8,
    4/8 and 2/8.
    """
    playout, slope = own_playout(SMALL, ""), make_slope(SMALL)
    places = [number(s) for s in ("... .*. ...", "... .*. ###", "#.. #*. ###")]
    values = np.ones(TOTAL)
    values[places] = 2.0, 1.0, 0.5
    spread(values, playout)
    state = Position.start(SMALL, jit=False).state.copy()
    choose(SMALL, state, playout, 0)
    gradient(SMALL, state, SMALL.parse_move("B2"), playout, slope)
    assert slope.psi[places] == pytest.approx([1 - 0.25, -0.5, -0.25])
    gradient(SMALL, state, SMALL.parse_move("A1"), playout, slope)
    assert slope.psi[places] == pytest.approx([0.75 - 0.25, -0.5 - 0.5, -0.25 + 0.75])
    assert slope.drawn[places].tolist() == [1, 0, 1]


def log_chance(of: Any, position: Position, move: int, playout: Playout) -> float:
    """ln P(move) from the urgencies of the moves that may be drawn."""
    state = position.state.copy()
    choose(of, state, playout, 1)
    buffer = np.zeros(of.max_moves, np.int32)

    def listed(states: Any, out: Any) -> Any:
        return of.candidates(states[0], out)

    count = interpret(listed)(state, buffer)
    urgency = state[0]["urgency"]
    total = sum(urgency[m] for m in buffer[:count] if m != of.pass_move)
    return math.log(urgency[move] / total)


@pytest.mark.parametrize("line", ["C3 C2 B2", "C3 C2 B2 A1 D2 E5 C1", "B1 A1 E5 A2 E4"])
def test_the_gradient_is_that_of_the_real_policy(line: str) -> None:
    """Captures, escapes and proximity included: compared with differences of ln P."""
    position = Position.start(GO).play(*line.split())
    playout, slope = own_playout(GO, ""), make_slope(GO)
    values = np.exp(np.random.Generator(np.random.PCG64(5)).normal(5.0, 1.0, TOTAL))
    spread(values, playout)
    state = position.state.copy()
    move = choose(GO, state, playout, 2)
    gradient(GO, state, move, playout, slope)
    assert np.abs(slope.psi).max() > 0.01
    for k in np.flatnonzero(slope.psi):
        found = []
        for step in (1e-2, -1e-2):
            changed = values.copy()
            changed[k] *= math.exp(step)
            spread(changed, playout)
            found.append(log_chance(GO, position, move, playout))
        assert slope.psi[k] == pytest.approx((found[0] - found[1]) / 2e-2, abs=1e-4)


EVEN = load("go:size=5,komi=0.5")
LINES = (
    "",
    "C3",
    "C3 C2",
    "B2 D4 B4",
    "C3 B2 D2 C4",
    "A1 C3",
    "C3 D3 C2 D2 C4 D4 B2",
    "B3 C3 B2 C2",
)


def labelled(values: list[float]) -> list[Label]:
    return [Label(tuple(line.split()), v) for line, v in zip(LINES, values, strict=True)]


def test_a_step_is_the_rule() -> None:
    """theta moves by alpha * (V* - V) * mean((z - V) psi)."""
    learner = BalanceLearner(GO, [Label((), 0.9)], Balancing(playouts=20, alpha=3.0))
    before = learner.theta.copy()
    error = learner.step(Position.start(GO).state, 0.9)
    slope = learner.slope.total
    assert learner.theta - before == pytest.approx(3.0 * error * slope)
    assert np.abs(slope).max() > 0.001
    assert learner.steps == 1


def test_psi_is_zero_on_average() -> None:
    """So what is subtracted from z does not matter: with z always 1 nothing is learned."""
    winning = load("go:size=5,komi=-100")
    learner = BalanceLearner(winning, [Label((), 0.5)], Balancing(playouts=20))
    assert learner.step(Position.start(winning).state, 0.5) == -0.5
    assert (learner.slope.total == 0).all()


def test_finds_the_way_to_planted_weights() -> None:
    """Labels are the values that playouts have with other weights; then errors must shrink."""
    teacher = BalanceLearner(EVEN, labelled([0.5] * 8), Balancing(playouts=1000, alpha=0.0), seed=1)
    teacher.theta += np.random.Generator(np.random.PCG64(3)).normal(0.0, 2.0, TOTAL)
    positions = [label.position(EVEN).state for label in labelled([0.5] * 8)]
    truth = [-teacher.step(position, 0.0) for position in positions]
    learner = BalanceLearner(EVEN, labelled(truth), Balancing(playouts=300, alpha=10.0), seed=2)
    learner.run(10)
    assert len(learner.errors) == 10
    assert learner.steps == 80
    assert np.mean(learner.errors[-3:]) < 0.4 * learner.errors[0]


def test_labels_go_on_and_are_always_the_same(tmp_path: Path) -> None:
    labeller = Labeller(GO, methods.load("uct"), 50, seed=7)
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    labeller.fill(one, 1)
    told: list[int] = []
    labeller.fill(one, 3, told.append)
    labeller.fill(other, 3)
    assert told == [2, 3]
    assert one.read_text() == other.read_text()
    labels = read_labels(one, GO)
    assert len(labels) == 3
    assert labels[0] == labeller.label(0)._replace(value=labels[0].value)
    assert labels[0].value == pytest.approx(labeller.label(0).value, abs=1e-6)
    labeller.fill(one, 2)
    assert len(read_labels(one, GO)) == 3


def test_values_are_those_of_the_first_player(tmp_path: Path) -> None:
    """With a komi of -100 Black wins, whoever is to move."""
    of = load("go:size=5,komi=-100")
    labeller = Labeller(of, methods.load("uct"), 10)
    labels = [labeller.label(n) for n in range(8)]
    assert {len(label.moves) % 2 for label in labels} == {0, 1}
    assert [label.value for label in labels] == [1.0] * 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": 2}, "its value is 2.0, which must be 0 to 1"),
        ({"value": "high"}, "could not convert"),
        ({"game": "go:size=9"}, "it is one of go:size=9"),
        ({"moves": "B2 B2"}, "'B2' is not legal after move 1"),
        ({"moves": "pass pass"}, "the game is over"),
        ({"moves": 3}, "no attribute"),
    ],
)
def test_wrong_labels(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    append_label(path, GO, Label(("B2",), 0.75))
    assert read_labels(path, GO) == [Label(("B2",), 0.75)]
    row = {"game": GO.spec, "moves": "B2", "value": 0.75, **change}
    path.write_text(path.read_text() + json.dumps(row) + "\n")
    with pytest.raises(ConfigError, match=rf"line 2 is no position of go:size=5: .*{message}"):
        read_labels(path, GO)


def test_wrong_settings(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="playouts is 0, it must be 1"):
        Balancing(playouts=0)
    with pytest.raises(ConfigError, match="alpha is -1"):
        Balancing(alpha=-1)
    with pytest.raises(ConfigError, match="simulations is 3, it must be at least 10"):
        Labeller(GO, methods.load("uct"), 3)
    with pytest.raises(ConfigError, match="no labelled positions"):
        BalanceLearner(GO, [])
    with pytest.raises(ConfigError, match="cannot read the positions"):
        read_labels(tmp_path / "none.jsonl", GO)
