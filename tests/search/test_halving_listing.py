"""Whole searches against the listings of the thesis: same visits, same ranking, same move."""

import numpy as np
import pytest

from tests.search.halving_listing import Listing
from tests.toys.script import game as scripted
from tesuji import Limit, Position, SearchConfig, Searcher
from tesuji.search import tree as t
from tesuji.search.decide import records

#: settings by name; with B = 30 hardly any node below the root halves
SEARCHES = {
    "shot": {"halving": "shot", "halving_returns": True},
    "shot-solver": {"halving": "hybrid", "halving_switch": 0, "solver": "wins"},
    "hmcts": {"halving": "hybrid", "halving_switch": 6},
    "hmcts-solver": {"halving": "hybrid", "halving_switch": 6, "solver": "wins"},
    "hmcts, B = 30": {"halving": "hybrid", "halving_switch": 30},
    "hmcts-solver, B = 30": {"halving": "hybrid", "halving_switch": 30, "solver": "wins"},
}


class Both:
    """The same search twice: the package's and the listing's, which takes its order of moves."""

    def __init__(self, name, script, seed):
        settings = SEARCHES[name]
        game = scripted(script)
        config = SearchConfig(c=0.35, memory_mb=20, **settings)
        self.searcher = Searcher(game, config, seed=seed, jit=False)
        self.position = Position.start(game, jit=False)
        self.solver = "solver" in settings
        self.listing = Listing(
            script,
            self.order,
            shot=settings["halving"] == "shot",
            switch=settings.get("halving_switch", 0),
            c=0.35,
            solver=self.solver,
        )

    def search(self, *budgets):
        """Let the package search, then the listing; the last decision, which must be the same."""
        decisions = [self.searcher.search(self.position, Limit(budget)) for budget in budgets]
        moves = [self.listing.search(budget) for budget in budgets]
        assert [decision.move for decision in decisions] == moves
        return decisions[-1]

    def children(self, index):
        """Records by their moves, in the order in which they were tried."""
        below = records(self.searcher.tree, index).tolist()
        return {int(self.searcher.tree.nodes["move"][each]): each for each in below}

    def order(self, path):
        """The moves of a position as they were tried; nobody asks for those that were not."""
        index, script = t.ROOT, self.listing.script
        for move in path:
            index = None if index is None else self.children(index).get(move)
            script = script[move]
        tried = [] if index is None else list(self.children(index))
        return [*tried, *sorted({*range(len(script))} - {*tried})]

    def found(self, index=t.ROOT, path=()):
        """Visited nodes of the tree: visits, what the first player got, what is proven for him."""
        node = self.searcher.tree.nodes[index]
        visits, value = int(node["visits"]), float(node["value"]) / t.SCALE
        if visits:
            reward = value if len(path) % 2 else visits - value
            proven = self.solver and node["lower"] == node["upper"]
            yield path, (visits, reward if path else None, float(node["lower"]) if proven else None)
            for move, child in self.children(index).items():
                yield from self.found(child, (*path, move))

    def expected(self):
        """The same of the listing.  (Nobody's reward is kept in the root.)"""
        for node in self.listing.root.below():
            reward = node.count.reward if node.path else None
            yield node.path, (node.count.visits, reward, node.solved)


def drawn(seed, certain):
    """A script of five plies and one to five moves.

    All results differ, but for a share of ``certain`` wins and losses.  (They are exact in a tree,
    so that equal means are equal on both sides.)
    """
    rng = np.random.default_rng(seed)

    def grow(ply):
        if ply < 5 and (ply < 2 or rng.random() < 0.85):
            return [grow(ply + 1) for _ in range(5 if ply == 0 else rng.integers(1, 6))]
        if rng.random() < certain:
            return float(rng.random() < 0.5)
        return int(rng.integers(1, 1 << 20)) / (1 << 20)

    return grow(0)


@pytest.mark.parametrize("budgets", [(60,), (400,), (90, 300, 40)], ids=str)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", SEARCHES)
def test_every_node_gets_what_the_listing_gives_it(name, seed, budgets):
    """Also nodes that are entered again, and the tree of the search before."""
    both = Both(name, drawn(seed, 0.4 if "solver" in name else 0.0), seed)
    decision = both.search(*budgets)
    if decision.proven is None:
        ranked = [child.move for child in decision.children if child.proven is None]
        assert ranked == both.listing.rankings[-1]
    assert len(list(both.found())) > 20
    assert dict(both.found()) == dict(both.expected())


#: Four moves; the first looks best at a glance, but of its two answers one refutes it.
SWAP = [
    [[0.875, 0.875], [0.0625, 0.0625]],
    [[0.75, 0.6875], [0.6875, 0.75]],
    [[0.25, 0.25], [0.25, 0.25]],
    [[0.125, 0.125], [0.125, 0.125]],
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SEARCHES)
def test_the_finalists_change_places_in_the_last_round(name, seed):
    """Eight simulations: one for each move, two more for each of the finalists."""
    both = Both(name, SWAP, seed)
    decision = both.search(8)
    assert [ranking[:2] for ranking in both.listing.rankings] == [[0, 1], [1, 0]]
    assert decision.move == 1
    assert [child.move for child in decision.children] == [1, 0, 2, 3]
    assert {child.move: child.visits for child in decision.children} == {0: 3, 1: 3, 2: 1, 3: 1}


@pytest.mark.parametrize("name", [name for name in SEARCHES if "solver" in name])
def test_a_finalist_that_is_refuted_in_the_last_round_is_not_played(name):
    """The same, and the refutation is a proven loss."""
    both = Both(name, [[[0.875, 0.875], 0.0], *SWAP[1:]], seed=1)
    decision = both.search(8)
    assert both.listing.rankings == [[0, 1, 2, 3], [1, 2, 3]]
    assert decision.move == 1
    assert decision.children[-1].proven == 0.0
    assert dict(both.found()) == dict(both.expected())


#: Two ways to lose: the first one looks bad, but is refuted late.
LOST = [[0.0625, [[[[[[[[[[0.0]]]]]]]]]]], [[0.875], 0.0]]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [name for name in SEARCHES if "solver" in name])
def test_a_lost_root_plays_what_took_the_most_visits_to_refute(name, seed):
    both = Both(name, LOST, seed)
    decision = both.search(200)
    assert decision.proven == both.listing.root.solved == 0.0
    assert decision.visits == max(child.visits for child in decision.children)
    assert dict(both.found()) == dict(both.expected())
