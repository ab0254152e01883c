"""What Go knows about moves, for the tree: golden values of MANGO, order on diagrams."""

import math

import numpy as np
import pytest

from go_kernels import playout_of, position_of
from tesuji.compile.plain import interpret

EMPTY = "\n".join([". . . . . . . . ."] * 9)


def judged(position, knowledge, weights="", **changed):
    """What knowledge says of each move, by its text."""
    playout = playout_of(position, weights, **changed)
    moves = position.moves
    playout.moves[: len(moves)] = moves
    out, judge = np.zeros(len(moves)), position.game.knowledge[knowledge]
    run = interpret(lambda states, playout, out: judge(states[0], playout, len(out), out))
    run(position.state.copy(), playout, out)
    return dict(zip(map(position.game.move_text, moves), out.tolist(), strict=True))


# --- MANGO ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def even(tmp_path_factory):
    """Weights with which every pattern is worth 10,000, so that proximity alone remains."""
    path = tmp_path_factory.mktemp("weights") / "even.toml"
    path.write_text("capture = 0\nescape = 0\n[patterns]\n'??? ?*? ???' = 10000.0\n")
    return str(path)


@pytest.mark.parametrize(
    ("moves", "distances", "value"),
    [
        ("E6", [1], 0.29730),
        ("E6 D5", [1, 1], 0.50753),
        ("E7", [2], 0.08839),
        ("E8 D4", [math.sqrt(2), 3], 0.17985),
        ("A5 D7 E6", [1, math.sqrt(5), 4], 0.33497),
    ],
)
def test_proximity(moves, distances, value, even):
    """Of E5, with these distances to the last move, the one before and so on."""
    found = judged(position_of(EMPTY, "X", moves), "mango", even)
    summed = sum(1 / (2 * d) ** (1.25 + k / 2) for k, d in enumerate(distances, 1))
    assert found["E5"] == pytest.approx(value, abs=5e-6)
    assert found["E5"] == pytest.approx(summed, rel=1e-6)
    assert found["pass"] == 0.0


def test_without_moves_there_is_no_proximity(even):
    assert set(judged(position_of(EMPTY), "mango", even).values()) == {1.0, 0.0}


def test_a_distance_of_zero_counts_as_a_half(even):
    """A9 was taken by A8; then White passed, which is nowhere."""
    position = position_of(EMPTY, "X", "B9 A9 A8 pass")
    terms = [2 ** -(1.25 + 2 / 2), 1.0, 2 ** -(1.25 + 4 / 2)]
    assert judged(position, "mango", even)["A9"] == pytest.approx(sum(terms))


CAPTURE = """
    . . . . . . . . .
    . . . . . . . . .
    . . X X . . . . .
    . X O O . . . . .
    . . X X . . . . .
    . . . . . . . . .
    . . . . . . X . .
    . . . . . X O . .
    . . . . . . X . .
"""


def test_captures_count_by_stones(even):
    """V_ce is that of the playouts: P_c for each captured stone, P_e for each that gets out."""
    position = position_of(CAPTURE)
    found = judged(position, "mango", even, capture=5000.0)
    assert found["E6"] == pytest.approx(1 + 2 * 0.5)
    assert found["H2"] == pytest.approx(1 + 0.5)
    assert found["A1"] == pytest.approx(1)
    rescued = judged(position_of(CAPTURE, "O"), "mango", even, escape=500.0)
    assert rescued["E6"] == pytest.approx(1 + 2 * 0.05)
    assert rescued["H2"] == pytest.approx(1 + 0.05)


# --- tactics -------------------------------------------------------------------------------------


def test_captures_lead_and_larger_ones_more():
    found = judged(position_of(CAPTURE), "tactics")
    assert found["E6"] > found["H2"] > found["C2"]
    assert max(found, key=found.get) == "E6"


def test_rescues_lead_for_the_other_side():
    found = judged(position_of(CAPTURE, "O"), "tactics")
    assert found["E6"] > found["H2"] > found["C2"]


def test_an_atari_is_worth_less_than_a_capture_and_more_than_nothing():
    position = position_of(CAPTURE.replace(". X O O", ". . O O"))
    found, quiet = judged(position, "tactics"), judged(position, "tactics", prior_atari=0.0)
    capture = judged(position_of(CAPTURE), "tactics")["E6"]
    assert capture > found["E6"] > quiet["E6"]


def test_self_atari_is_worse_than_a_quiet_move():
    diagram = """
        . . . . . . .
        . . X . . . .
        . X . X . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """
    found = judged(position_of(diagram, "O"), "tactics", prior_shape=0.0)
    assert found["C5"] < found["E2"]
    assert found["C5"] < judged(position_of(diagram, "X"), "tactics", prior_shape=0.0)["C5"]


LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . X . . . . . .
    . . X O . . . . .
    . . . X . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def test_running_in_a_ladder_that_works_is_bad_and_in_a_broken_one_good():
    works = judged(position_of(LADDER, "X", "E4"), "tactics")
    broken = judged(position_of(LADDER, "O", "G7 E4"), "tactics")
    assert works["D5"] < works["E5"]  # any move beside the last one
    assert broken["D5"] > works["D5"]
    assert max(broken, key=broken.get) == "D5"


def test_the_atari_that_catches_is_better_than_the_other():
    found = judged(position_of(LADDER), "tactics")
    assert found["E4"] > found["D5"]
    assert max(found, key=found.get) == "E4"


def test_values_are_the_logistic_of_sums():
    """On the empty board only lines and the pass count."""
    found = judged(position_of(EMPTY), "tactics", prior_edge=-1.0, prior_third=0.2, prior_pass=-2.0)
    assert found["A5"] == pytest.approx(1 / (1 + math.e))
    assert found["E3"] == pytest.approx(1 / (1 + math.exp(-0.2)))
    assert found["E5"] == pytest.approx(0.5)
    assert found["pass"] == pytest.approx(1 / (1 + math.exp(2)))


def test_nearness_fades():
    off = {"prior_shape": 0.0, "prior_third": 0.0}
    found = judged(position_of(EMPTY, "X", "E5"), "tactics", **off)
    nearness = [found[text] for text in ("E6", "F6", "E7", "F7")]
    assert nearness == sorted(nearness, reverse=True)
    assert len(set(nearness)) == 4


def test_everything_is_between_zero_and_one():
    for diagram in (CAPTURE, LADDER, EMPTY):
        for mover in "XO":
            assert all(
                0 < value < 1 for value in judged(position_of(diagram, mover), "tactics").values()
            )
