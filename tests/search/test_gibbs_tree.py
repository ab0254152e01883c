"""MAST in the tree: untried moves of a node are drawn by how they did in other simulations."""

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.search.table import Table
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load, methods
from tesuji.compile.plain import view
from tesuji.search import tree as t
from tesuji.search.decide import records
from tesuji.search.parts.gibbs import untried_child

SETTINGS = {"gibbs": "mast", "gibbs_tree": True}
QUALITIES = [0.1, 0.35, 0.5, 0.2, 0.9, 0.45]  # of squares 0 to 5; the others were never made
TAU = 0.2


def searched(simulations, game="tictactoe", **settings):
    of = load(game)
    searcher = Searcher(of, SearchConfig(**{**SETTINGS, **settings}), seed=7, jit=False)
    searcher.search(Position.start(of, jit=False), Limit(simulations))
    return searcher.tree


def drawn(tried, count, **settings):
    """How often each square is drawn at a root where these squares were tried."""
    table = Table("tictactoe", gibbs_tau=TAU, **{**SETTINGS, **settings})
    for move, quality in enumerate(QUALITIES):
        for _ in range(3):
            table.learn([move], [quality, 1 - quality])
    tree = searched(2)  # the root has records for all children
    moves = tree.nodes["move"]
    for child in records(tree, t.ROOT):
        tree.nodes[child]["visits"] = 1 if moves[child] in tried else 0
    drawn = np.zeros(9, int)
    for _ in range(count):
        child = table.call(
            untried_child, view(tree), t.ROOT, table.sim, table.own, table.params, table.rng
        )
        if child == t.NONE:
            return None
        drawn[moves[child]] += 1
    return drawn


@pytest.mark.parametrize("gibbs", ["mast", "ngram"])
def test_untried_moves_are_drawn_by_their_qualities(gibbs):
    """p ~ exp(Q / tau), Q = 1 for a move that was never made; of 2, 4 and 6: 7.0, 51.8, 85.4."""
    counts = drawn({0, 1, 3, 5, 7, 8}, 1500, gibbs=gibbs)
    weights = np.exp(np.array([0.5, 0.9, 1.0]) / TAU)
    assert counts[[0, 1, 3, 5, 7, 8]].sum() == 0
    assert weights / weights[0] == pytest.approx([1.0, 7.389, 12.182], abs=1e-3)
    assert chisquare(counts[[2, 4, 6]], weights / weights.sum() * 1500).pvalue > 1e-3


def test_when_all_were_tried_the_rule_chooses():
    assert drawn(set(range(9)), 1) is None


@pytest.mark.parametrize("settings", [{}, {"threads": 2}, {"solver": "wins"}])
def test_all_moves_of_a_node_are_tried_before_one_of_them_again(settings):
    tree = searched(200, **settings)
    inner = 0
    for index in range(int(tree.meta[0]["top"])):
        found = tree.nodes[records(tree, index)]
        if len(found) and found["visits"].max() > 1 and not settings:
            assert found["visits"].min() > 0
            inner += 1
    assert tree.nodes[t.ROOT]["visits"] == 200
    assert inner > 3 or settings


def test_moves_that_did_well_are_tried_earlier():
    """In Connect Four the middle column wins most: young nodes try it before the edge."""
    first = {"middle": 0, "edge": 0}
    tree = searched(800, "connect4:size=5x4", gibbs_tau=0.02)
    for index in range(int(tree.meta[0]["top"])):
        found = tree.nodes[records(tree, index)]
        tried = found["move"][found["visits"] > 0]
        if len(found) == 5 and len(tried) in (1, 2):
            first["middle"] += int(2 in tried)
            first["edge"] += int(0 in tried)
    assert first["middle"] > 1.5 * first["edge"]


def test_superko_forbids_moves_that_are_drawn():
    """Moves that may not be made are not drawn again: the search goes on."""
    tree = searched(150, "go:size=2")
    assert tree.nodes[t.ROOT]["visits"] == 150


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gibbs_tree": True}, "gibbs_tree needs gibbs: set it, or leave gibbs_tree out"),
        *(
            (
                {**SETTINGS, **other},
                f"gibbs_tree has no meaning with {next(iter(other))}, which orders untried moves",
            )
            for other in (
                {"fpu": 1.0},
                {"rave": "mse"},
                {"knowledge": "squares", "bias": "mango"},
            )
        ),
    ],
)
def test_what_makes_no_sense_is_refused(settings, message):
    with pytest.raises(ConfigError) as refused:
        SearchConfig(**settings)
    assert str(refused.value) == message


def test_the_method_runs_compiled_as_uncompiled():
    game = load("breakthrough:size=3x6")
    config = methods.load("mast-tree")
    decisions = [
        Searcher(game, config, seed=5, jit=jit).search(Position.start(game), Limit(200))
        for jit in (False, True)
    ]
    assert decisions[0].children == decisions[1].children
