"""Weights from evaluations: the rule by hand, its fixed point, and real games."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.learn.test_patterns import number
from tesuji.compile import specialise
from tesuji.errors import ConfigError
from tesuji.games import load
from tesuji.learn.evaluations import (
    Evaluated,
    EvaluationLearner,
    Tracker,
    Tracking,
    centre,
    new_tracker,
    track,
)

LN10 = math.log(10.0)


def evaluated(patterns: list[int], values: list[float]) -> Evaluated:
    count = len(patterns)
    return Evaluated(
        np.zeros(count, np.int32), np.array(patterns, np.int32), np.array(values), np.zeros(2)
    )


@pytest.fixture(scope="module")
def rule() -> Callable[..., Any]:
    return specialise(track, {"PASS": 0}, label="the tracking rule")


def test_one_pair_by_hand(rule: Callable[..., Any]) -> None:
    """delta = 0 - 4 * (0.75 - 0.5) = -1: a rises by 0.1, b falls by 0.1."""
    tracker = new_tracker()
    rule(evaluated([3, 5], [0.75, 0.5]), 2, tracker, 4.0, 0.1, 9.0)
    assert tracker.logs[[3, 5, 7]] == pytest.approx([LN10 + 0.1, LN10 - 0.1, LN10])
    assert tracker.matches[[3, 5, 7]].tolist() == [1, 1, 0]


def test_a_second_match_moves_less(rule: Callable[..., Any]) -> None:
    """Then delta = 0.2 - 1 = -0.8, and both step by 0.1 / sqrt(2) of it."""
    tracker = new_tracker()
    for _ in range(2):
        rule(evaluated([3, 5], [0.75, 0.5]), 2, tracker, 4.0, 0.1, 9.0)
    step = 0.1 + 0.1 / math.sqrt(2) * 0.8
    assert tracker.logs[[3, 5]] == pytest.approx([LN10 + step, LN10 - step])


def test_each_pattern_has_its_own_step(rule: Callable[..., Any]) -> None:
    """n is 4 and 16 after the position: steps are 0.1 / 2 and 0.1 / 4."""
    tracker = new_tracker()
    tracker.matches[[3, 5]] = 3, 15
    rule(evaluated([3, 5], [0.75, 0.5]), 2, tracker, 4.0, 0.1, 9.0)
    assert tracker.logs[[3, 5]] == pytest.approx([LN10 + 0.05, LN10 - 0.025])


def test_a_large_delta_is_clipped(rule: Callable[..., Any]) -> None:
    tracker = new_tracker()
    rule(evaluated([3, 5], [1.0, 0.0]), 2, tracker, 100.0, 0.1, 2.0)
    assert tracker.logs[[3, 5]] == pytest.approx([LN10 + 0.2, LN10 - 0.2])


def test_equal_patterns_say_nothing(rule: Callable[..., Any]) -> None:
    tracker = new_tracker()
    rule(evaluated([3, 3, 3], [1.0, 0.0, 0.5]), 3, tracker, 4.0, 0.1, 9.0)
    assert (tracker.logs == LN10).all()


def test_each_match_counts_once(rule: Callable[..., Any]) -> None:
    """However many pairs a move is in; here there are six, one of them with pattern 1 twice."""
    tracker = new_tracker()
    rule(evaluated([1, 2, 3, 1], [0.1, 0.2, 0.3, 0.4]), 4, tracker, 4.0, 0.1, 9.0)
    assert tracker.matches[[1, 2, 3, 4]].tolist() == [2, 1, 1, 0]


def test_all_pairs_of_a_position_make_whole_steps(rule: Callable[..., Any]) -> None:
    """By hand, alpha = 0.1, C = 4, one match each: 1 and 2, 1 and 3, then 2 and 3.

    delta = -4 * 0.25 = -1: Q_1 = 0.1, Q_2 = -0.1; delta = 0.1 - 4 * 0.5 = -1.9: Q_1 = 0.29,
    Q_3 = -0.19; delta = -0.1 + 0.19 - 4 * 0.25 = -0.91: Q_2 = -0.009, Q_3 = -0.281.
    """
    tracker = new_tracker()
    rule(evaluated([1, 2, 3], [0.75, 0.5, 0.25]), 3, tracker, 4.0, 0.1, 9.0)
    assert tracker.logs[[1, 2, 3]] - LN10 == pytest.approx([0.29, -0.009, -0.281])


def test_weights_come_to_the_target_relation(rule: Callable[..., Any]) -> None:
    """With fixed evaluations, exp(C (v_a - v_b)) = w_a / w_b can hold for all pairs."""
    values = [0.2, 0.5, 0.9, 0.55]
    tracker = new_tracker()
    found = evaluated([4, 9, 2, 7], values)
    for _ in range(3000):
        rule(found, 4, tracker, 5.0, 0.1, 9.0)
    weights = np.exp(tracker.logs[[4, 9, 2, 7]])
    for a in range(4):
        for b in range(4):
            wanted = math.exp(5.0 * (values[a] - values[b]))
            assert weights[a] / weights[b] == pytest.approx(wanted, rel=1e-3)


def test_noise_is_averaged(rule: Callable[..., Any]) -> None:
    """Evaluations by 20 playouts are rough; their mean is what counts."""
    noise = np.random.Generator(np.random.PCG64(1))
    tracker = new_tracker()
    for _ in range(20_000):
        rough = noise.binomial(20, [0.4, 0.6]) / 20
        rule(evaluated([0, 1], rough.tolist()), 2, tracker, 5.0, 0.1, 9.0)
    assert tracker.logs[1] - tracker.logs[0] == pytest.approx(1.0, abs=0.15)


def test_centring_keeps_ratios() -> None:
    tracker = Tracker(np.array([1.0, 3.0, LN10]), np.array([1, 5, 0]))
    centre(tracker)
    assert tracker.logs == pytest.approx([LN10 - 1, LN10 + 1, LN10])


@pytest.fixture(scope="module")
def learned() -> EvaluationLearner:
    learner = EvaluationLearner(load("go:size=5"), Tracking(stable=0.0), seed=3)
    learner.run(100)
    return learner


def test_learns_that_a_corner_is_no_place_to_begin(learned: EvaluationLearner) -> None:
    corner, middle = number("#.. #*. ###"), number("... .*. ...")
    assert learned.positions == 100
    assert learned.tracker.matches[corner] > 50
    assert learned.weights[corner] < 0.8 * learned.weights[middle]
    assert 0 < learned.change < 5


def test_the_same_seed_learns_the_same(learned: EvaluationLearner) -> None:
    again = EvaluationLearner(load("go:size=5"), Tracking(stable=0.0), seed=3)
    again.run(10)
    other = EvaluationLearner(load("go:size=5"), Tracking(stable=0.0), seed=4)
    other.run(10)
    assert (again.weights != other.weights).any()
    again.run(100)
    assert (again.weights == learned.weights).all()


def test_stops_when_stable() -> None:
    learner = EvaluationLearner(load("go:size=5"), Tracking(simulations=1, stable=100.0))
    learner.run(1000)
    assert learner.stable
    assert learner.positions == 100


@pytest.mark.parametrize("setting", ["simulations=0", "c=-1", "alpha=0.6", "clip=-1", "stable=-1"])
def test_wrong_settings(setting: str) -> None:
    name, value = setting.split("=")
    with pytest.raises(ConfigError, match=f"{name} is {value}.*, it must be"):
        Tracking(**{name: float(value)})  # type: ignore[arg-type]
