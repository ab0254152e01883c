"""Looking one move ahead: what wins at once is proven by one simulation, and proofs stay true."""

import pytest

from tests.search.boards import TINY
from tests.search.test_solver import GAME
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load
from tesuji.exact import solve
from tesuji.search import tree as t
from tesuji.search.decide import records

#: X has two in a row, and six squares to choose from
AT_HAND = Position.start(GAME, jit=False).play("b2", "a1", "b1")
WINS_FOR_X = AT_HAND.play("a2")

SCHEMES = {
    "uct": {},
    "all children": {"expand": "all"},
    "first play": {"fpu": 0.3},
    "bounds": {"solver": "bounds"},
    "transpositions": {"transpositions": True},
    "halving": {"halving": "hybrid", "halving_switch": 4},
    "halving everywhere": {"halving": "hybrid", "halving_switch": 0},
    "tree": {"threads": 2},
    "leaf": {"threads": 2, "parallel": "leaf"},
    "root": {"threads": 2, "parallel": "root"},
    "virtual threads": {"in_flight": 4},
}


def searched(position, simulations, seed=1, **settings):
    config = SearchConfig(**{"solver": "wins", "lookahead": True, "memory_mb": 10, **settings})
    searcher = Searcher(position.game, config, seed=seed, jit=False)
    return searcher, searcher.search(position, Limit(simulations))


@pytest.mark.parametrize("name", SCHEMES)
def test_a_win_at_hand_is_proven_by_the_first_simulations(name):
    """Threads and simulations in flight have begun others by then."""
    alone = {"threads", "in_flight"}.isdisjoint(SCHEMES[name])
    for seed in range(4):
        _, decision = searched(WINS_FOR_X, 1000, seed, **SCHEMES[name])
        assert (decision.text, decision.proven) == ("b3", 1.0)
        assert decision.simulations <= (1 if alone else 8)


@pytest.mark.parametrize(("name", "visits"), [("uct", 2), ("halving", 1)])
def test_a_move_is_lost_as_soon_as_its_node_is_expanded(name, visits):
    """O must block at b3.  UCT expands a node at its second visit, halving before the first."""
    searcher, decision = searched(AT_HAND, 200, **SCHEMES[name])
    assert decision.text == "b3"
    nodes = searcher.tree.nodes[records(searcher.tree, t.ROOT)]
    lost = nodes[nodes["lower"] == nodes["upper"]]
    assert lost["visits"].tolist() == [visits] * 5


def test_without_it_proofs_take_longer():
    position = AT_HAND.play("b3")
    found = [searched(position, 20_000, solver="bounds", lookahead=on)[1] for on in (True, False)]
    assert [decision.proven for decision in found] == [0.5, 0.5]
    assert found[0].simulations < found[1].simulations


@pytest.mark.parametrize("expand", [{}, {"transpositions": True}], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_every_proof_is_true(seed, expand):
    position = Position.start(GAME, jit=False).play("a1", "b2")
    _, decision = searched(position, 4000, seed, solver="bounds", **expand)
    found = {child.move: child.proven for child in decision.children if child.proven is not None}
    assert found
    for move, proven in found.items():
        assert proven == 1.0 - solve(position.play(move), jit=False)


@pytest.mark.parametrize("switch", [None, 0, 30])
@pytest.mark.parametrize(("spec", "first"), TINY)
def test_tiny_boards_are_proven(spec, first, switch):
    halving = {} if switch is None else {"halving": "hybrid", "halving_switch": switch}
    position = Position.start(load(spec), jit=False)
    assert searched(position, 10**8, **halving)[1].proven == float(first)


def test_a_tree_is_kept_after_a_proof():
    """The node of the game's next position is proven, and has its winning move."""
    searcher, _ = searched(AT_HAND, 100)
    decision = searcher.search(WINS_FOR_X, Limit(100))
    assert (decision.text, decision.proven) == ("b3", 1.0)


@pytest.mark.parametrize(
    ("game", "settings", "message"),
    [
        ("tictactoe", {"solver": "off"}, "lookahead needs solver"),
        ("go:size=3", {}, "lookahead cannot be used: go forbids repetition"),
    ],
)
def test_refused(game, settings, message):
    with pytest.raises(ConfigError, match=message):
        searched(Position.start(load(game), jit=False), 1, **settings)
