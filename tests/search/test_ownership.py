"""Owners of points after simulations: counted, shown, and helping AMAF values."""

import numpy as np
import pytest

from tests.search.inside import context
from tesuji.compile.plain import interpret
from tesuji.errors import ConfigError
from tesuji.games import load
from tesuji.games.go.setup import from_diagram
from tesuji.search import parts
from tesuji.search.config import SearchConfig
from tesuji.search.context import make_context, make_params, make_simulations
from tesuji.search.limit import Limit
from tesuji.search.part import OFF
from tesuji.search.parts.criticality import FEWEST, criticality, with_criticality
from tesuji.search.parts.ownership import ownership
from tesuji.search.tree import node_dtype
from tesuji.searcher import Searcher

COUNTED = SearchConfig(ownership=True, memory_mb=5)
CRITICAL = SearchConfig(ownership=True, rave="mse", criticality=5.0, memory_mb=5)


def context_with(counts):
    """Buffers of a search that has seen these simulations: (owner of A1, winner, how many)."""
    go = load("go:size=2")
    own = make_context(go, CRITICAL)
    point = go.parse_move("A1")
    for owner, winner, times in counts:
        own.ownership.count[0] += times
        own.ownership.wins[winner] += times
        if owner >= 0:
            own.ownership.owned[owner, point] += times
        if owner == winner:
            own.ownership.decisive[point] += times
    return point, own


def read(kernel, *arguments):
    return interpret(kernel)(*arguments)


@pytest.mark.parametrize(
    ("counts", "value"),
    [
        # Who has the point always wins, and each half of the time: 1 - 2 * 0.25.
        ([(0, 0, 200), (1, 1, 200)], 0.5),
        # Never: 0 - 0.5.
        ([(0, 1, 200), (1, 0, 200)], -0.5),
        # It has nothing to do with the result: 0.5 - 0.5.
        ([(0, 0, 100), (0, 1, 100), (1, 0, 100), (1, 1, 100)], 0.0),
        # (150 + 30) / 300 - 200 / 300 * 170 / 300 - 50 / 300 * 130 / 300; 50 times it is nobody's.
        ([(0, 0, 150), (0, 1, 50), (1, 1, 30), (1, 0, 20), (-1, 1, 50)], 0.15),
        # Always the first player's: 0.7 - 1 * 0.7.
        ([(0, 0, 210), (0, 1, 90)], 0.0),
        # Too little is known.
        ([(0, 0, FEWEST // 2), (1, 1, FEWEST // 2 - 1)], 0.0),
    ],
)
def test_criticality(counts, value):
    point, own = context_with(counts)
    assert read(criticality, point, own) == pytest.approx(value)


def test_amaf_values_of_deciding_points_are_helped():
    """A criticality of 0.5 times 5 times 40 visits are 100 won simulations more."""
    point, own = context_with([(0, 0, 200), (1, 1, 200)])
    go = load("go:size=2")
    child = np.zeros(1, node_dtype())[0]
    child["move"] = point
    sim, params = make_simulations(go, CRITICAL)[0], make_params(go, CRITICAL)[0]

    def helped(own):
        return read(with_criticality, 0.25, 40.0, child, 0, sim, own, params)

    value, visits = helped(own)
    assert visits == pytest.approx(140)
    assert value == pytest.approx((0.25 * 40 + 100) / 140)
    point, own = context_with([(0, 1, 200), (1, 0, 200)])
    assert helped(own) == (0.25, 40.0)


def test_ownership_is_the_difference_of_shares():
    point, own = context_with([(0, 0, 60), (1, 1, 20), (-1, 1, 20)])
    owners = ownership([own.ownership])
    assert owners[point] == pytest.approx(0.4)
    assert np.flatnonzero(owners).tolist() == [point]
    assert ownership([OFF]) is None


#: nothing is left but passes
SETTLED = """
    . X O .
    X X O O
    . X O .
    X X O O
"""
#: both have two eyes, and points between them that anybody may take
LIVING = """
    . X . O .
    X X . O O
    . X . O .
    X X . O O
    . X . O .
"""


def searched(config, diagram=SETTLED, simulations=60):
    go = load(f"go:size={len(diagram.strip().splitlines())},komi=0.5")
    position = from_diagram(go, diagram)
    searcher = Searcher(go, config, seed=1, jit=False)
    searcher.search(position, Limit(simulations=simulations))
    return go, searcher


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"halving": "hybrid"},
        {"halving": "shot"},
        {"brue": True, "final": "max"},
        {"solver": "wins"},
        {"playout": "sequence", "weights": "mogo"},
    ],
    ids=lambda changed: " ".join(map(str, changed.values())) or "uct",
)
def test_living_chains_own_their_points_with_every_kind_of_search(changed):
    """Nobody fills his own two eyes, so the walls stay whatever is tried."""
    go, searcher = searched(COUNTED.changed(changed), LIVING, simulations=20)
    owners = searcher.ownership()
    for text in ("A1", "B2", "B5", "A5", "A2"):
        assert owners[go.parse_move(text)] == 1, text
    for text in ("D1", "E4", "D5", "E5", "E3"):
        assert owners[go.parse_move(text)] == -1, text
    assert abs(owners[go.parse_move("C3")]) < 1


OPEN = """
    . . X O
    . . X O
    X X X O
    . . O .
"""


def test_regions_of_several_points_have_owners_too():
    """A game that ends in the tree leaves them: both pass at once."""
    go = load("go:size=4")
    out = np.full(go.move_codes, -1, np.int8)
    position = from_diagram(go, OPEN)
    interpret(lambda states, out: go.owners(states[0], out))(position.state.copy(), out)
    owned = {
        text: int(out[go.parse_move(text)]) for text in ("A4", "B3", "B2", "D4", "D1", "A1", "B1")
    }
    assert owned == {"A4": 0, "B3": 0, "B2": 0, "D4": 1, "D1": 1, "A1": -1, "B1": -1}


def test_games_that_a_pass_of_the_tree_has_ended_do_not_count():
    """Only passes are left: the first is in the tree, and the second ends the game."""
    _, searcher = searched(COUNTED, simulations=30)
    assert searcher.decision().text == "pass"
    assert context(searcher).ownership.count[0] == 0
    assert searcher.ownership() is None


def test_counting_begins_anew_with_every_search():
    go, searcher = searched(COUNTED, OPEN, simulations=10)
    assert context(searcher).ownership.count[0] == 10
    searcher.search(from_diagram(go, OPEN), Limit(simulations=7))
    assert context(searcher).ownership.count[0] <= 7


def test_without_the_setting_there_is_no_ownership():
    _, searcher = searched(SearchConfig(memory_mb=5), simulations=3)
    assert searcher.ownership() is None


def test_a_search_listens_to_criticality(monkeypatch):
    """The same seed gives other visits as soon as enough simulations have been counted."""
    monkeypatch.setattr(parts.criticality, "FEWEST", 10)
    plain = CRITICAL.changed({"criticality": 0.0})
    few = [searched(config, OPEN, simulations=10)[1] for config in (plain, CRITICAL)]
    many = [searched(config, OPEN, simulations=40)[1] for config in (plain, CRITICAL)]
    visits = [[child.visits for child in s.decision().children] for s in (*few, *many)]
    assert visits[0] == visits[1]
    assert visits[2] != visits[3]


@pytest.mark.parametrize("name", ["tictactoe", "trio", "samegame"])
def test_games_without_territory_refuse(name):
    with pytest.raises(ConfigError, match=f"ownership cannot be used: {name} has no territory"):
        Searcher(load(name), COUNTED, jit=False)
