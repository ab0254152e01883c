"""Implicit minimax backups: what is judged, how it is backed up, and what it changes."""

from dataclasses import replace

import numpy as np
import pytest

from tests.toys.knowing import game as knowing
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load, methods
from tesuji.compile import specialise
from tesuji.compile.plain import view
from tesuji.search import tree as t
from tesuji.search.bindings import bindings
from tesuji.search.context import make_params
from tesuji.search.decide import records
from tesuji.search.parts import implicit


def centre_is_good(state, out):
    """Evaluation: whoever has the centre is ahead."""
    out[0] = 0.5
    if state.board[4] == 1:
        out[0] = 0.9
    if state.board[4] == 2:
        out[0] = 0.1
    out[1] = 1.0 - out[0]


GAME = replace(knowing(), evaluations={"centre": centre_is_good})
SETTINGS = {"minimax": 0.5, "minimax_evaluation": "centre"}


def searched(simulations=300, game=GAME, **settings):
    searcher = Searcher(game, SearchConfig(**{**SETTINGS, **settings}), seed=3, jit=False)
    searcher.search(Position.start(game, jit=False), Limit(simulations))
    return searcher.tree


def test_every_inner_node_has_the_best_of_its_children():
    """Bottom up: minimax over what is expected, of all children that a simulation has reached."""
    tree = searched()
    nodes = tree.nodes
    inner = 0
    for index in range(int(tree.meta[0]["top"])):
        found = records(tree, index)
        known = nodes["minimax"][found][nodes["minimax"][found] != implicit.UNKNOWN]
        if nodes[index]["visits"] > 0 and len(known):
            best = known.max() if nodes[index]["mover"] == 0 else known.min()
            assert nodes[index]["minimax"] == best
            inner += 1
    assert inner > 20


def test_a_leaf_has_its_evaluation_and_the_end_of_a_game_its_reward():
    tree = searched()
    nodes = tree.nodes[: int(tree.meta[0]["top"])]
    assert set(nodes["minimax"][(nodes["status"] == t.OPEN) & (nodes["visits"] > 0)]) <= {
        np.float32(value) for value in (0.1, 0.5, 0.9)
    }
    assert set(nodes["minimax"][nodes["status"] == t.OVER]) <= {0.0, 0.5, 1.0}
    assert (nodes["minimax"][nodes["visits"] == 0] == implicit.UNKNOWN).all()


@pytest.mark.parametrize(
    ("player", "share", "value"),
    [(0, 0.25, 0.75 * 0.4 + 0.25 * 0.9), (1, 0.25, 0.75 * 0.4 + 0.25 * 0.1), (0, 0.0, 0.4)],
)
def test_the_blend(player, share, value):
    config = SearchConfig(**SETTINGS)
    tree = searched(1)
    tree.nodes[1]["minimax"] = 0.9
    params = view(make_params(GAME, config))[0]
    params.minimax = share
    blend = specialise(implicit.blend_minimax, bindings(GAME, config), label="blend", jit=False)
    child = view(tree).nodes[1]
    assert blend(0.4, 7.0, child, player, None, None, params) == (pytest.approx(value), 7.0)
    tree.nodes[1]["minimax"] = implicit.UNKNOWN
    assert blend(0.4, 7.0, child, player, None, None, params) == (0.4, 7.0)


def test_the_evaluation_leads_the_search():
    """Few simulations: what the evaluation likes is visited far more than without it."""
    centre = {}
    for share in (0.0, 0.9):
        own = {} if share else {"minimax_evaluation": ""}
        tree = searched(60, minimax=share, **own)
        found = records(tree, t.ROOT)
        centre[share] = int(tree.nodes["visits"][found][tree.nodes["move"][found] == 4].sum())
    assert centre[0.9] > 1.5 * centre[0.0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"minimax": 0.5}, "minimax needs minimax_evaluation"),
        ({**SETTINGS, "transpositions": True}, "transpositions has no meaning with implicit"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        SearchConfig(**settings)


def test_games_without_the_evaluation_are_refused():
    with pytest.raises(ConfigError, match="has no evaluation 'centre'"):
        bindings(load("hex:size=3"), SearchConfig(**SETTINGS))


def test_the_method_runs_compiled_as_uncompiled():
    game = load("breakthrough:size=3x6")
    config = methods.load("implicit-minimax", "breakthrough")
    decisions = [
        Searcher(game, config, seed=5, jit=jit).search(Position.start(game), Limit(200))
        for jit in (False, True)
    ]
    assert decisions[0].children == decisions[1].children
