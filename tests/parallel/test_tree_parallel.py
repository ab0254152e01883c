"""One tree and several threads: nothing is lost, nothing is left behind, the answers are right."""

import time
from dataclasses import replace

import numpy as np
import pytest

from tests.parallel.whole import check_whole
from tests.toys import digits
from tesuji import Limit, Position, SearchConfig, Searcher, load, methods, start
from tesuji.compile import specialise
from tesuji.exact import solve
from tesuji.parallel.atomic import access_of
from tesuji.parallel.tree_parallel import CROWDED, batch_size
from tesuji.search.decide import records
from tesuji.search.tree import EXPANDED, ROOT, SCALE, allocate, reserved_bytes

#: name, game and settings of searches that do different things to a tree
KINDS = {
    "plain": ("connect4", {}),
    "superko": ("go:size=4", {}),
    "rave": ("connect4", {"rave": "mse"}),
    "bounded": ("connect4", {"solver": "bounds"}),
    "shared": ("connect4", {"solver": "bounds", "transpositions": True}),
    "small": ("connect4", {"memory_mb": 0.02}),
    "local": ("connect4", {"lock": "local"}),
    "global": ("connect4", {"lock": "global", "virtual_loss": 3}),
    "unseen": ("connect4", {"virtual_loss": 0, "expand": "all"}),
    "squares": ("connect4", {"select": "ucb1-tuned", "virtual_loss": 2}),
    "sources": ("connect4", {"rave": "mse", "grave": 50}),
    "restless": ("connect4", {"batch": 1}),
}


def searcher_of(kind, threads, seed=0, **more):
    game, settings = KINDS[kind]
    return Searcher(load(game), SearchConfig(**settings), seed=seed, threads=threads, **more)


def run_once(searcher, simulations):
    """A search from the start, and whether it left everything in order."""
    searcher.forget()
    decision = searcher.search(Position.start(searcher.game), Limit(simulations=simulations))
    if decision.proven is None:
        assert decision.simulations == simulations
        assert int(searcher.tree.nodes[ROOT]["visits"]) == simulations
    check_whole(searcher.tree)
    return decision


@pytest.mark.parametrize("threads", [2, 8])
@pytest.mark.parametrize("kind", ["plain", "rave", "bounded", "small", "local", "global"])
def test_the_tree_is_whole_afterwards(kind, threads):
    searcher = searcher_of(kind, threads)
    for _ in range(3):
        run_once(searcher, 3000)


@pytest.mark.stress
@pytest.mark.parametrize("threads", [1, 2, 4, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_the_tree_is_whole_after_many_runs(kind, threads):
    searcher = searcher_of(kind, threads)
    for _ in range(50):
        run_once(searcher, 4000)


@pytest.mark.stress
def test_the_tree_stays_whole_for_minutes_when_memory_is_tiny():
    searcher = Searcher(
        load("connect4"),
        SearchConfig(expand="all", expand_visits=1, memory_mb=0.02, virtual_loss=2),
        threads=8,
    )
    end = time.monotonic() + 600
    while time.monotonic() < end:
        run_once(searcher, 50_000)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"rave": "mse"},
        {"solver": "wins"},
        {"lock": "local"},
        {"lock": "global", "virtual_loss": 3},
    ],
)
def test_threads_taking_turns_keep_the_tree_whole_without_compilation(settings):
    searcher = Searcher(load("tictactoe"), SearchConfig(**settings), threads=3, jit=False)
    run_once(searcher, 200)


@pytest.mark.parametrize("virtual_loss", [0, 3])
def test_virtual_loss_changes_nothing_for_one_thread(virtual_loss):
    position = start("connect4")
    trees = []
    for loss in (1, virtual_loss):
        searcher = Searcher(position.game, seed=5, virtual_loss=loss)
        searcher.search(position, Limit(simulations=2000))
        trees.append(searcher.tree.nodes[: int(searcher.tree.meta[0]["top"])])
    assert trees[0].tobytes() == trees[1].tobytes()


@pytest.mark.parametrize(
    "parallel",
    ["tree", *(pytest.param(scheme, marks=pytest.mark.stress) for scheme in ("root", "leaf"))],
)
def test_several_threads_find_the_exact_value(parallel):
    position = start("connect4").play(*"dddddcccccaabbafebbgfffggbb")
    exact = solve(position)
    searcher = Searcher(position.game, SearchConfig(solver="bounds"), threads=2, parallel=parallel)
    decision = searcher.search(position, Limit(simulations=1_000_000))
    assert decision.proven == (exact if position.mover == 0 else 1 - exact)
    check_whole(searcher.tree)


def test_the_tree_is_used_again_after_a_move():
    position = start("connect4")
    searcher = Searcher(position.game, threads=2)
    decision = searcher.search(position, Limit(simulations=3000))
    following = position.play(decision.text)
    again = searcher.search(following, Limit(simulations=1000))
    assert int(searcher.tree.nodes[ROOT]["visits"]) == decision.visits + 1000
    assert again.simulations == 1000
    check_whole(searcher.tree)


@pytest.mark.parametrize("threads", [2, 8])
@pytest.mark.parametrize("megabytes", [0.02, 0.6])
def test_memory_stays_within_its_bound(megabytes, threads):
    position = start("connect4")
    config = SearchConfig(memory_mb=megabytes)
    searcher = Searcher(position.game, config, threads=threads)
    assert reserved_bytes(searcher.tree) < megabytes * 1e6 + 5000
    decision = run_once(searcher, 40_000)
    assert searcher.tree.meta[0]["top"] <= len(searcher.tree.nodes)
    assert decision.nodes * searcher.tree.nodes.itemsize <= decision.bytes <= megabytes * 1e6
    again = searcher.search(position.play(decision.text), Limit(simulations=20_000))
    assert again.simulations == 20_000
    check_whole(searcher.tree)


@pytest.mark.parametrize("jit", [False, pytest.param(True, marks=pytest.mark.stress)])
@pytest.mark.parametrize("name", ["shot", "hmcts", "hmcts-solver"])
def test_halving_runs_the_budget_of_a_move_on_all_threads(name, jit):
    position = start("connect4")
    searcher = Searcher(position.game, methods.load(name), threads=3, jit=jit)
    limit = Limit(simulations=3000 if jit else 200)
    decision = searcher.search(position, limit)
    check_whole(searcher.tree)
    alone = Searcher(position.game, methods.load(name), jit=jit).search(position, limit)
    if jit:
        assert decision.simulations == pytest.approx(alone.simulations, rel=0.02)
    else:
        assert decision.children == alone.children  # nobody helps, nothing is random


def test_a_time_limit_and_a_stop_end_all_threads():
    position = start("connect4")
    searcher = Searcher(position.game, threads=4)
    decision = searcher.search(position, Limit(seconds=0.2))
    assert decision.simulations > 0
    looked = []
    searcher.search(position, Limit(seconds=60), enough=lambda: bool(looked.append(1)) or True)
    assert looked == [1]
    check_whole(searcher.tree)


def test_ownership_counts_what_all_threads_saw():
    position = start("go:size=4")
    searcher = Searcher(position.game, SearchConfig(ownership=True), threads=2, jit=False)
    searcher.search(position, Limit(simulations=60))
    counts = [int(each.count[0]) for each in searcher._trees.territories]
    assert min(counts) > 0
    assert sum(counts) <= 60
    assert np.abs(searcher.ownership()).max() <= 1


def broken(after):
    """Rules that fail when so many moves have been made."""
    made = []

    def play(state, move):
        made.append(move)
        if len(made) > after:
            raise RuntimeError("the rules are broken")
        digits.play(state, move)

    return replace(digits.game(), play=play)


@pytest.mark.parametrize("after", range(9000, 9012))
def test_what_a_thread_did_before_it_failed_is_not_lost(after):
    """Wherever it is: on its way, or at one of the nodes where a batch has begun."""
    searcher = Searcher(broken(after), threads=2, virtual_loss=1 + after % 2, jit=False)
    with pytest.raises(RuntimeError, match="the rules are broken"):
        searcher.search(Position.start(digits.game()), Limit(simulations=5000))
    check_whole(searcher.tree, players=1)
    nodes = searcher.tree.nodes
    below = nodes[records(searcher.tree, ROOT)]
    assert nodes[ROOT]["visits"] > CROWDED * 20
    assert nodes[ROOT]["visits"] == below["visits"].sum()
    assert (below["visits"] > CROWDED * 2).any()  # there were batches below, too


@pytest.mark.parametrize(
    ("visits", "left", "simulations"),
    [
        (0, 64, 0),
        (2 * CROWDED - 1, 64, 1),
        (2 * CROWDED, 64, 2),
        (9 * CROWDED, 64, 9),
        (10**6, 7, 7),
    ],
)
def test_batches_are_larger_where_more_was_visited(visits, left, simulations):
    tree = allocate(0.01)
    tree.nodes[ROOT]["visits"] = visits
    slots = {"access": access_of(SearchConfig(threads=2))}
    kernel = specialise(
        lambda tree, left: batch_size(tree.nodes[ROOT], left), slots, label="", jit=False
    )
    assert kernel(tree, left) == 0  # a leaf
    tree.nodes[ROOT]["status"] = EXPANDED
    assert kernel(tree, left) == simulations


@pytest.mark.parametrize("virtual_loss", [0, 1, 3])
@pytest.mark.parametrize("batch", [4, 64])
def test_a_batch_tells_all_nodes_above(batch, virtual_loss):
    """One thread, so that it is known which: every result reaches every node of its path."""
    config = SearchConfig(select="ucb1-tuned", batch=batch, virtual_loss=virtual_loss)
    searcher = Searcher(digits.game(), config, threads=2, jit=False)
    runner = searcher._trees._runner
    runner.sims, runner.contexts, runner.rngs = (
        runner.sims[:1],
        runner.contexts[:1],
        runner.rngs[:1],
    )
    searcher.search(Position.start(digits.game()), Limit(simulations=3000))
    tree = searcher.tree
    for index in range(1, int(tree.meta[0]["top"])):
        below = records(tree, index)
        if len(below):  # the first simulation of a node ends there
            node, children = tree.nodes[index], tree.nodes[below]
            assert node["visits"] == children["visits"].sum() + 1
            for what in ("value", "squares"):
                assert 0 <= node[what] - children[what].sum() <= SCALE


@pytest.mark.parametrize("parallel", ["tree", "leaf", "root"])
def test_a_thread_that_fails_stops_the_search_and_leaves_the_tree_readable(parallel):
    position = Position.start(digits.game())
    searcher = Searcher(broken(after=500), threads=2, parallel=parallel, jit=False)
    with pytest.raises(RuntimeError, match="the rules are broken"):
        searcher.search(position, Limit(simulations=5000))
    if parallel != "root":
        check_whole(searcher.tree, players=1)
