"""Leaf parallelization: so many playouts of each leaf."""

import pytest

from tests.parallel.whole import check_whole
from tesuji import Limit, SearchConfig, Searcher, start
from tesuji.search.decide import records
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


@pytest.mark.parametrize(("threads", "jit"), [(4, True), (3, False)])
@pytest.mark.parametrize("virtual_loss", [0, 1, 3])
def test_visits_are_exact_whatever_the_virtual_loss(virtual_loss, threads, jit):
    """A node has the playouts of its time as a leaf, one of each thread, and those of its children.

    The root gets children at once.
    """
    position = start("connect4")
    searcher = Searcher(
        position.game, threads=threads, parallel="leaf", virtual_loss=virtual_loss, jit=jit
    )
    count = 100 * threads if jit else 40 * threads
    searcher.search(position, Limit(simulations=count))
    nodes = searcher.tree.nodes
    assert int(nodes[ROOT]["visits"]) == count
    inner = [n for n in range(int(searcher.tree.meta[0]["top"])) if nodes[n]["tried"]]
    assert len(inner) > 5
    for index in inner:
        below = int(nodes["visits"][records(searcher.tree, index)].sum())
        assert int(nodes[index]["visits"]) == below + (0 if index == ROOT else threads)


def test_the_leader_alone_chooses_the_same_with_any_virtual_loss():
    """When it descends nothing else is in flight."""
    position = start("connect4")
    found = []
    for virtual_loss in (0, 1, 3):
        searcher = Searcher(
            position.game, threads=3, parallel="leaf", virtual_loss=virtual_loss, jit=False
        )
        searcher.search(position, Limit(simulations=120))
        found.append(searcher.tree.nodes[: int(searcher.tree.meta[0]["top"])].tobytes())
    assert found[0] == found[1] == found[2]


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
