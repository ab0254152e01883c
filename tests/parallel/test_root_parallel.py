"""Root parallelization: several trees, their sum, their averages."""

import numpy as np
import pytest

from tests.waiting import run_together
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load, start
from tesuji.parallel.slow import Circle, average, share
from tesuji.search.decide import children
from tesuji.search.tree import ROOT


def several(position, threads=3, seed=1, **settings):
    config = SearchConfig(parallel="root", **settings)
    return Searcher(position.game, config, seed=seed, threads=threads)


def by_move(tree, index=ROOT):
    nodes = tree.nodes[children(tree, index)]
    return {int(n["move"]): (int(n["visits"]), int(n["value"])) for n in nodes}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        *(
            pytest.param(s, marks=pytest.mark.stress)
            for s in ({"rave": "mse"}, {"select": "ucb1-tuned"})
        ),
    ],
)
def test_totals_equal_the_sum_over_trees(settings):
    position = start("connect4")
    searcher = several(position, **settings)
    decision = searcher.search(position, Limit(simulations=3001))
    assert decision.simulations == 3001
    assert int(searcher.tree.nodes[ROOT]["visits"]) == 3001
    trees = [by_move(tree) for tree in searcher._trees.trees]
    total = by_move(searcher.tree)
    for move, sums in total.items():
        assert sums == tuple(
            map(sum, zip(*(tree[move] for tree in trees if move in tree), strict=True))
        )
    assert decision.visits == max(visits for visits, _ in total.values())
    assert decision.nodes > 2500


def test_the_sum_has_all_visits_of_all_trees():
    position = Position.start(load("tictactoe"), jit=False)
    searcher = Searcher(position.game, threads=3, parallel="root", jit=False)
    decision = searcher.search(position, Limit(simulations=100))
    assert decision.simulations == int(searcher.tree.nodes[ROOT]["visits"]) == 100
    trees = [by_move(tree) for tree in searcher._trees.trees]
    for move, (visits, value) in by_move(searcher.tree).items():
        assert visits == sum(tree[move][0] for tree in trees)
        assert value == sum(tree[move][1] for tree in trees)


def test_trees_differ_and_the_same_seed_gives_the_same_sum():
    position = start("connect4")
    searchers = [several(position, seed=9) for _ in range(2)]
    found = [s.search(position, Limit(simulations=2000)).children for s in searchers]
    assert found[0] == found[1]
    trees = searchers[0]._trees.trees
    assert by_move(trees[0]) != by_move(trees[1])


def test_the_sum_goes_deeper_than_the_root():
    position = start("connect4")
    searcher = several(position)
    decision = searcher.search(position, Limit(simulations=6000))
    assert len(decision.line) > 2
    best = children(searcher.tree, ROOT)[0]
    move = int(searcher.tree.nodes[best]["move"])
    expected = {}
    for tree in searcher._trees.trees:
        for child in children(tree, ROOT):
            if int(tree.nodes[child]["move"]) == move:
                for answer, (visits, _) in by_move(tree, child).items():
                    expected[answer] = expected.get(answer, 0) + visits
    assert {answer: v for answer, (v, _) in by_move(searcher.tree, best).items()} == expected


def proofs(tree, index=ROOT, line=()):
    """The solver's bounds of every visited node, by the moves that lead to it."""
    node = tree.nodes[index]
    found = {line: (float(node["lower"]), float(node["upper"]))}
    for child in children(tree, index):
        found |= proofs(tree, child, (*line, int(tree.nodes[child]["move"])))
    return found


def test_what_one_tree_has_proven_is_certain_in_the_sum():
    """The tightest bounds count, whichever tree has them: won, lost and drawn."""
    position = Position.start(load("tictactoe"), jit=False).play("a1", "b2", "c3")
    searcher = Searcher(
        position.game, SearchConfig(solver="bounds"), threads=3, parallel="root", jit=False
    )
    searcher.search(position, Limit(simulations=300))
    trees = [proofs(tree) for tree in searcher._trees.trees]
    found = proofs(searcher.tree)
    alone = set()  # bounds of nodes that not all trees have proven
    for line, bounds in found.items():
        known = [tree[line] for tree in trees if line in tree]
        lower, upper = zip(*known, strict=True)
        assert bounds == (max(lower), min(upper))
        if len(set(known)) > 1:
            alone.add(bounds)
    assert alone >= {(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)}


def test_trees_are_used_again_after_a_move():
    position = start("connect4")
    searcher = several(position)
    decision = searcher.search(position, Limit(simulations=3000))
    searcher.search(position.play(decision.text), Limit(simulations=300))
    assert int(searcher.tree.nodes[ROOT]["visits"]) == decision.visits + 300


def test_virtual_wins_send_trees_apart_and_do_not_count():
    position = start("connect4")
    searcher = several(position, threads=2, virtual_wins=500)
    decision = searcher.search(position, Limit(simulations=4000))
    assert int(searcher.tree.nodes[ROOT]["visits"]) == decision.simulations == 4000
    assert sum(visits for visits, _ in by_move(searcher.tree).values()) == 4000
    favoured = [
        sum(visits for move, (visits, _) in by_move(tree).items() if move % 2 == n)
        for n, tree in enumerate(searcher._trees.trees)
    ]
    assert min(favoured) > 1000


def test_what_one_tree_lacks_counts_as_nothing_there():
    assert average([{7: (30, 20)}, {7: (10, 4), 9: (2, 2)}]) == {7: (20, 12), 9: (1, 1)}


@pytest.mark.parametrize("depth", [0, 2])
def test_the_slow_tree_averages_nodes_with_enough_visits(depth):
    """Averages, not sums, of nodes with 5 % of the root's visits, down to a depth."""
    position = start("connect4")
    trees = []
    for seed, count in ((1, 4000), (2, 2000)):
        searcher = Searcher(position.game, seed=seed)
        searcher.search(position, Limit(simulations=count))
        trees.append(searcher.tree)
    before = [by_move(tree) for tree in trees]
    circle, calls = Circle(2), [[], []]

    def take_part(number):
        exchange = circle.member(number)

        def counted(mine):
            everyone = exchange(mine)
            calls[number].append(sorted(set().union(*everyone)))
            return everyone

        share(trees[number], counted, depth, 0.05)

    run_together(lambda: take_part(0), lambda: take_part(1))
    assert calls[0] == calls[1]  # the same exchanges, in the same order
    assert (len(calls[0]) > 2) == (depth > 0)
    assert [int(tree.nodes[ROOT]["visits"]) for tree in trees] == [3000, 3000]
    for number, tree in enumerate(trees):
        for move, found in by_move(tree).items():
            mean = average([{move: each[move]} for each in before])[move]
            assert found == (mean if mean[0] >= 150 else before[number][move])


def test_sharing_on_the_way_keeps_the_number_of_simulations():
    position = start("connect4")
    searcher = several(position, share_seconds=0.001)
    decision = searcher.search(position, Limit(simulations=20_000))
    assert decision.simulations == 20_000
    assert abs(int(searcher.tree.nodes[ROOT]["visits"]) - 20_000) <= 60
    visits = [int(tree.nodes[ROOT]["visits"]) for tree in searcher._trees.trees]
    assert np.ptp(visits) < 8000


def test_virtual_wins_are_not_shared():
    """Each tree keeps its own and gives back what it got."""
    position = start("connect4")
    searcher = several(position, threads=2, virtual_wins=500)
    searcher.search(position, Limit(simulations=4000))
    trees = searcher._trees.trees
    favoured = [set(moves) for moves in searcher._trees._favours]
    searcher._trees.share()
    for move in by_move(trees[0]):
        first, second = (by_move(tree)[move][0] for tree in trees)
        gift = 500 * ((move in favoured[0]) - (move in favoured[1]))
        assert abs(first - second - gift) <= 1 or min(first, second) < 0.05 * 2000
    searcher._trees._disfavour()
    for tree in trees:
        visits = [visits for visits, _ in by_move(tree).values()]
        assert min(visits) >= 0
        assert abs(sum(visits) - int(tree.nodes[ROOT]["visits"])) <= len(visits)


@pytest.mark.stress
def test_halving_and_one_player_games_work_in_several_trees():
    position = start("connect4")
    decision = several(position, halving="hybrid").search(position, Limit(simulations=3001))
    assert decision.simulations == 3001
    plan = start("samegame:size=5x5,colours=3")
    found = several(plan, threads=2).search(plan, Limit(simulations=600))
    assert found.best_line
    assert found.best_score is not None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"threads": 2, "in_flight": 2}, "in_flight is for one thread"),
        ({"lock": "local", "parallel": "root"}, "lock=local needs parallel=tree"),
        ({"share_seconds": 1.0}, "share_seconds needs parallel=root"),
        ({"virtual_wins": 1}, "virtual_wins needs parallel=root"),
        ({"processes": True}, "processes needs parallel=root"),
        ({"in_flight": 4, "halving": "hybrid"}, "in_flight has no meaning with halving"),
        ({"threads": 2, "brue": True, "final": "max"}, "parallel=tree has no meaning with brue"),
        ({"threads": 2, "parallel": "leaf", "halving": "shot"}, "parallel=leaf has no meaning"),
    ],
)
def test_settings_without_meaning_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        SearchConfig(**settings)
