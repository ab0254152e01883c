"""Living and dead stones, the score without the dead ones, and handicap points."""

import numpy as np
import pytest

from tesuji import load
from tesuji.compile.plain import interpret
from tesuji.game import Size
from tesuji.games.go.handicap import fixed_points, most_fixed
from tesuji.games.go.score import scoring
from tesuji.games.go.setup import board_of, from_diagram
from tesuji.games.go.status import expected_lead, lead_text, settled_score, statuses

GO = load("go:size=5,komi=0.5")
#: Black's wall and two eyes on the left, White's on the right, a stone of each behind the other's
DIAGRAM = """
. X X O .
X X X O O
. O X O .
X X X O .
X . X O X
"""


def position():
    return from_diagram(GO, DIAGRAM)


def owners(**points):
    """Every point belongs to whoever has the stone, except where it is said otherwise."""
    values = np.zeros(GO.move_codes)
    board = position().state[0]["board"]
    values[board == 1], values[board == 2] = 0.9, -0.9
    for text, value in points.items():
        values[GO.parse_move(text)] = value
    return values


def named(found):
    return {
        status: [[GO.move_text(point) for point in chain] for chain in chains]
        for status, chains in found.items()
    }


def test_stones_on_points_of_the_other_colour_are_dead():
    found = named(statuses(position(), owners(B3=0.8, E1=-0.7)))
    assert found["dead"] == [["E1"], ["B3"]]
    assert found["seki"] == []
    assert [len(chain) for chain in found["alive"]] == [11, 6]


#: B1 and D1 share two liberties, and who fills one of them is captured
SEKI = """
. O O X .
O O X X X
O X . O X
. X . O X
O X X O O
"""


def test_stones_that_nobody_owns_are_in_seki_if_they_share_a_liberty():
    assert named(statuses(position(), owners(B3=0.1, E1=0.2)))["seki"] == []
    shared = from_diagram(GO, SEKI)
    values = np.where(shared.state[0]["board"] == 1, 0.9, -0.9)
    for text in ["B1", "C1", "B2", "B3", "D1", "E1", "D2", "D3"]:
        values[GO.parse_move(text)] = 0.1
    found = named(statuses(shared, values))
    assert found["seki"] == [["B1", "C1", "B2", "B3"], ["D1", "E1", "D2", "D3"]]
    assert found["dead"] == []


def test_all_stones_live_if_nothing_is_known():
    assert named(statuses(position(), None))["dead"] == []


def test_every_stone_has_one_status():
    for values in (None, owners(), owners(B3=0.8), owners(E1=0.0)):
        found = statuses(position(), values).values()
        points = [point for chains in found for chain in chains for point in chain]
        assert (
            sorted(points) == np.flatnonzero(np.isin(position().state[0]["board"], (1, 2))).tolist()
        )


def test_the_score_without_dead_stones():
    """Black has 11 stones and A5, A3, B3, B1; White 6 stones and E5, E3, E2, E1."""
    assert settled_score(position(), owners(B3=0.8, E1=-0.7)) == 15 - 10 - 0.5


@pytest.mark.parametrize("komi", [0.5, 7.0, -3.0])
def test_the_score_is_exact_when_all_stones_live(komi):
    score = scoring(board_of(GO))  # as the rules count
    for diagram in (
        DIAGRAM,
        DIAGRAM.replace("X", "O"),
        "\n".join(["....."] * 5).replace(".", ". "),
    ):
        at = from_diagram(GO, diagram, komi=komi)
        assert settled_score(at, None) == interpret(lambda states: score(states[0]))(
            at.state.copy()
        )


def test_the_lead_counts_every_point_by_its_owner():
    assert expected_lead(position(), np.zeros(GO.move_codes)) == -0.5
    assert expected_lead(position(), np.ones(GO.move_codes)) == 24.5


@pytest.mark.parametrize(
    ("lead", "text"), [(0.0, "0"), (0.25, "B+0.25"), (10.0, "B+10"), (-7.5, "W+7.5")]
)
def test_scores_as_text(lead, text):
    assert lead_text(lead) == text


@pytest.mark.parametrize(
    ("side", "number", "points"),
    [
        (19, 2, "D4 Q16"),
        (19, 3, "D4 Q16 D16"),
        (19, 4, "D4 Q16 D16 Q4"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (13, 5, "D4 K10 D10 K4 G7"),
        (12, 4, "C3 K10 C10 K3"),
        (9, 9, "C3 G7 C7 G3 C5 G5 E3 E7 E5"),
        (7, 4, "C3 E5 C5 E3"),
    ],
)
def test_handicap_points_are_those_of_the_protocol(side, number, points):
    """The table of section 4.1.1."""
    go = load(f"go:size={side}")
    assert [go.move_text(point) for point in fixed_points(go, number)] == points.split()


@pytest.mark.parametrize(
    ("size", "most"), [((6, 6), 0), ((7, 7), 4), ((8, 8), 4), ((9, 9), 9), ((18, 18), 4)]
)
def test_how_many_handicap_stones_there_are(size, most):
    assert most_fixed(Size(*size)) == most
    assert most_fixed(Size(9, 7)) == 0
