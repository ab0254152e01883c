"""Virtual threads: late results, the same every time, and nothing in flight in the end."""

import pytest

from tests.parallel.whole import check_whole
from tesuji import Limit, SearchConfig, Searcher, start
from tesuji.search.tree import ROOT


def grown(in_flight, settings, simulations=3000, jit=None):
    position = start("connect4")
    config = SearchConfig(in_flight=in_flight, **settings)
    searcher = Searcher(position.game, config, seed=3, jit=jit)
    decision = searcher.search(position, Limit(simulations=simulations))
    return searcher, decision


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"virtual_loss": 0},
        {"virtual_loss": 4},
        {"memory_mb": 0.03},
        pytest.param({"rave": "mse"}, marks=pytest.mark.stress),
    ],
)
def test_all_simulations_end(settings):
    for in_flight in (2, 64):
        searcher, decision = grown(in_flight, settings)
        assert decision.simulations == 3000
        assert int(searcher.tree.nodes[ROOT]["visits"]) == 3000
        assert searcher._trees._runner.in_flight == 0
        check_whole(searcher.tree)


@pytest.mark.parametrize("virtual_loss", [0, 1, 4])
def test_all_simulations_end_without_compilation(virtual_loss):
    searcher, decision = grown(5, {"virtual_loss": virtual_loss}, simulations=83, jit=False)
    assert decision.simulations == int(searcher.tree.nodes[ROOT]["visits"]) == 83
    assert searcher._trees._runner.in_flight == 0
    check_whole(searcher.tree)


def test_more_than_there_are_simulations():
    searcher, decision = grown(5000, {}, simulations=700)
    assert decision.simulations == 700
    check_whole(searcher.tree)


def test_the_same_seed_gives_the_same_tree():
    trees = [grown(8, {}, 400, jit)[0].tree for jit in (None, None, False)]
    tops = [int(tree.meta[0]["top"]) for tree in trees]
    assert tops[0] == tops[1] == tops[2]
    for other in trees[1:]:
        assert trees[0].nodes[: tops[0]].tobytes() == other.nodes[: tops[0]].tobytes()


def test_results_that_come_late_send_simulations_elsewhere():
    """With a virtual loss the tree is broader than without when many are in flight."""
    nodes = {loss: grown(256, {"virtual_loss": loss}, 300)[1].nodes for loss in (0, 1)}
    assert nodes[1] > nodes[0]


@pytest.mark.stress
def test_a_proof_ends_the_search():
    position = start("connect4").play(*"dddddcccccaabbafebbgfffgg")
    config = SearchConfig(solver="bounds", in_flight=32)
    searcher = Searcher(position.game, config)
    decision = searcher.search(position, Limit(simulations=200_000))
    assert decision.proven is not None
    check_whole(searcher.tree)
