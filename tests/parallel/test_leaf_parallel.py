"""Leaf parallelization: so many playouts of each leaf."""

import pytest

from tests.parallel.whole import check_whole
from tesuji import Limit, SearchConfig, Searcher, start
from tesuji.search.tree import ROOT


@pytest.mark.parametrize(("threads", "jit"), [(4, True), (2, True), (4, False)])
def test_each_leaf_gets_as_many_playouts_as_there_are_threads(threads, jit):
    position = start("connect4")
    searcher = Searcher(position.game, threads=threads, parallel="leaf", jit=jit)
    count = 100 * threads if jit else 20 * threads
    decision = searcher.search(position, Limit(simulations=count))
    assert decision.simulations == count
    assert int(searcher.tree.nodes[ROOT]["visits"]) == count
    assert decision.nodes <= count / threads + 1  # a leaf adds one node, whatever is played out
    visits = searcher.tree.nodes["visits"][: decision.nodes]
    assert (visits % threads == 0).all()
    check_whole(searcher.tree)


def test_a_number_of_simulations_that_threads_do_not_divide_is_kept():
    position = start("connect4")
    searcher = Searcher(position.game, threads=4, parallel="leaf")
    assert searcher.search(position, Limit(simulations=1003)).simulations == 1003


@pytest.mark.parametrize(
    "settings",
    [
        {"memory_mb": 0.02},
        pytest.param({"solver": "bounds"}, marks=pytest.mark.stress),
        pytest.param({"rave": "mse"}, marks=pytest.mark.stress),
    ],
)
def test_other_methods_share_leaves_too(settings):
    position = start("connect4")
    searcher = Searcher(position.game, SearchConfig(**settings), threads=3, parallel="leaf")
    decision = searcher.search(position, Limit(simulations=5000))
    assert decision.simulations == 5000
    check_whole(searcher.tree)
