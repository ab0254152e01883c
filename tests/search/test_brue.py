"""BRUE: who explores, who learns, and what it finds."""

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.search.inside import simulation
from tests.toys.dice_race import game as dice_race
from tests.toys.digits import game as digits
from tests.toys.knowing import game as knowing
from tests.toys.triple_nim import game as triple_nim
from tesuji import Limit, Position, SearchConfig, Searcher, load
from tesuji.compile import specialise, stream
from tesuji.compile.plain import view
from tesuji.search.bindings import bindings
from tesuji.search.decide import children, visited
from tesuji.search.export import to_json
from tesuji.search.parts import brue
from tesuji.search.tree import EXPANDED, FORBIDDEN, ROOT, SCALE


def searcher_of(game, horizon=0, *, jit=False, memory_mb=1.0):
    config = SearchConfig(brue=True, final="max", horizon=horizon, memory_mb=memory_mb)
    return Searcher(game, config, seed=4, jit=jit)


def searched(position, simulations, horizon=0, **settings):
    searcher = searcher_of(position.game, horizon, **settings)
    return searcher, searcher.search(position, Limit(simulations))


def rollouts(game, count, horizon=0):
    """One at a time: the visits and the values that nodes gained, and the searcher."""
    position = Position.start(game, jit=False)
    searcher = searcher_of(game, horizon)
    nodes = searcher.tree.nodes
    for _ in range(count):
        visits, value = nodes["visits"].copy(), nodes["value"].copy()
        searcher.search(position, Limit(1))
        yield nodes["visits"] - visits, nodes["value"] - value, searcher


# --- one rollout ----------------------------------------------------------------------------------


@pytest.mark.parametrize("horizon", [0, 4])
def test_one_node_learns_from_a_rollout(horizon):
    """And the root counts; the reward is that of the player who made the move."""
    for visits, value, searcher in rollouts(knowing(), 150, horizon):
        assert visits[ROOT] == 1
        [learner] = np.flatnonzero(visits[1:]) + 1
        assert visits[learner] == 1
        sim = simulation(searcher)
        depth = sim.path.tolist().index(learner)
        assert value[learner] == sim.rewards[(depth + 1) % 2] * SCALE
        assert np.count_nonzero(value) <= 1


def test_the_switching_point_falls_from_the_horizon_to_the_root():
    """After the first rollout, which is there so that a decision can be made."""
    depths = [
        simulation(searcher).path.tolist().index(int(np.argmax(visits[1:])) + 1)
        for visits, _, searcher in rollouts(digits(), 14, horizon=4)
    ]
    assert depths == [1, 4, 3, 2, 1, 4, 3, 2, 1, 4, 3, 2, 1, 4]


def test_without_a_horizon_it_falls_from_the_first_new_move():
    """Each rollout switches one move earlier than the last, or at a new move, or anywhere new."""
    last, new = 1, 0
    for visits, _, searcher in rollouts(digits(), 200):
        learner = int(np.argmax(visits[1:])) + 1
        depth = simulation(searcher).path.tolist().index(learner)
        is_new = searcher.tree.nodes[learner]["visits"] == 1
        new += is_new
        assert last == 1 or depth == last - 1 or (depth < last - 1 and is_new)
        last = depth
    assert 30 < new < 200


def test_without_a_horizon_the_tree_grows_one_node_at_a_time():
    """All nodes that have learnt hang together, and no rollout adds two."""

    def connected(tree, index=ROOT):
        return 1 + sum(connected(tree, int(child)) for child in children(tree, index))

    before = 0
    for _, _, searcher in rollouts(digits(), 120):
        now = visited(searcher.tree)
        assert now - before <= (1 if before else 2)
        assert connected(searcher.tree) == now
        before = now


def test_a_game_that_ends_before_the_horizon_lets_its_last_move_learn():
    """Tic-tac-toe ends after nine moves at the latest, so with 40 it always does."""
    for visits, _, searcher in rollouts(load("tictactoe"), 30, horizon=40):
        learner = int(np.argmax(visits[1:])) + 1
        first = searcher.tree.nodes[ROOT]["visits"] == 1
        assert first or searcher.tree.nodes[learner]["first"] == 0  # nothing follows it


# --- exploration and estimation -------------------------------------------------------------------


def test_every_move_is_explored_as_often_as_any_other():
    position = Position.start(load("tictactoe"), jit=False)
    _, decision = searched(position, 900, horizon=1)
    assert chisquare([child.visits for child in decision.children]).pvalue > 1e-3
    searcher, _ = searched(position, 1600, horizon=2)
    below = children(searcher.tree, int(children(searcher.tree, ROOT)[0]))
    visits = searcher.tree.nodes["visits"][below]
    assert len(visits) == 8
    assert chisquare(visits).pvalue > 1e-3


def test_estimation_follows_the_highest_mean_and_ties_at_random():
    game = load("tictactoe")
    searcher, _ = searched(Position.start(game, jit=False), 300)
    slots = bindings(game, searcher.config)
    known = specialise(brue.known_child, slots, label="known", jit=False)
    rng = stream(5, "ties")
    below = children(searcher.tree, ROOT)
    nodes = searcher.tree.nodes
    nodes["visits"][below] = 4
    nodes["value"][below] = SCALE
    nodes["value"][below[3:6]] = 2 * SCALE
    chosen = [int(known(view(searcher.tree), ROOT, rng)) for _ in range(600)]
    assert set(chosen) == set(below[3:6].tolist())
    assert chisquare(np.unique(chosen, return_counts=True)[1]).pvalue > 1e-3


# --- what it finds --------------------------------------------------------------------------------


@pytest.mark.parametrize("horizon", [0, 9])
@pytest.mark.parametrize(("moves", "only"), [("a1 a2 b1 b2", "c1"), ("b2 a1 c1", "a3")])
def test_it_finds_the_only_move(moves, only, horizon):
    """A win at once, and a threat to stop."""
    position = Position.start(load("tictactoe"), jit=False).play(*moves.split())
    assert searched(position, 2000, horizon)[1].text == only


@pytest.mark.parametrize("horizon", [0, 6])
def test_means_are_those_of_best_play(horizon):
    """Of digits the best is 2 x 2 x 2 2, which scores 13 of 24; random play scores far less."""
    _, decision = searched(Position.start(digits(), jit=False), 6000, horizon)
    assert decision.text == "2"
    assert decision.value == pytest.approx(13 / 24, abs=0.05)
    assert decision.best_score == 13 / 24


def test_dice_are_neither_explored_nor_learn():
    """Four safe turns give 8 points of 24; a roll loses all with probability 1/3."""
    searcher, decision = searched(Position.start(dice_race(), jit=False), 3000)
    assert decision.text == "0"
    assert decision.value == pytest.approx(8 / 24, abs=0.04)
    tree = searcher.tree
    chance = np.flatnonzero((tree.nodes["mover"] < 0) & (tree.nodes["status"] == EXPANDED))
    assert len(chance) > 0
    assert all(len(children(tree, int(index))) == 0 for index in chance)


def test_three_players_each_want_their_own_reward():
    position = Position.start(triple_nim(4), jit=False)
    searcher, decision = searched(position, 600)
    assert decision.move in position.moves
    nodes = searcher.tree.nodes
    assert (nodes["value"] <= nodes["visits"].astype(np.int64) * SCALE).all()


def test_positions_do_not_repeat():
    searcher, decision = searched(Position.start(load("go:size=2"), jit=False), 600, horizon=12)
    nodes = searcher.tree.nodes
    forbidden = nodes[nodes["status"] == FORBIDDEN]
    assert len(forbidden) > 0
    assert not forbidden["visits"].any()
    assert decision.simulations == 600


# --- with the rest of the search ------------------------------------------------------------------


def test_compiled_and_uncompiled_trees_agree():
    game = knowing()
    trees = [
        to_json(game, searched(Position.start(game, jit=jit), 500, jit=jit)[0].tree)
        for jit in (True, False)
    ]
    assert trees[0] == trees[1]


@pytest.mark.parametrize("horizon", [0, 5])
def test_a_search_in_parts_is_the_same_as_one_at_once(horizon):
    position = Position.start(load("tictactoe"), jit=False)
    _, whole = searched(position, 300, horizon)
    searcher = searcher_of(position.game, horizon)
    for part in (1, 99, 200):
        decision = searcher.search(position, Limit(part))
    assert decision.children == whole.children


@pytest.mark.parametrize("horizon", [0, 9])
def test_memory_is_bounded(horizon):
    searcher, decision = searched(
        Position.start(load("tictactoe"), jit=False), 800, horizon, memory_mb=0.01
    )
    assert decision.simulations == 800
    assert searcher.tree.meta[0]["top"] <= len(searcher.tree.nodes)
    assert visited(searcher.tree) < 300


@pytest.mark.parametrize("horizon", [0, 9])
def test_the_tree_is_kept_and_one_rollout_is_enough_for_a_decision(horizon):
    start = Position.start(load("tictactoe"), jit=False)
    searcher, decision = searched(start, 300, horizon)
    for _ in range(4):
        start = start.play(decision.move)
        decision = searcher.search(start, Limit(1))
        assert decision.simulations == 1
        assert decision.move in start.moves
