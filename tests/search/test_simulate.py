"""Playouts from a leaf: how long they last and what they are worth."""

from dataclasses import replace

import numpy as np
import pytest

from tests.search.inside import simulation
from tests.search.table import Table
from tests.toys import dice_duel, knowing
from tesuji import Limit, Position, SearchConfig, Searcher, load
from tesuji.search import simulate

NOWHERE = None  # nothing here asks the tree

ENDLESS = 10**6


def play_out(table, cap=ENDLESS):
    """Whether the playout was decided early; the rewards are in the table's simulation."""
    table.params.cap = cap
    table.call(simulate.simulate, NOWHERE, table.sim, table.own, table.params, table.rng)
    moves = table.sim.length[0] - table.sim.begun
    return moves < cap and not table.of.over(table.state)


def replayed(table, first=0):
    """The position that the trace of a playout leads to."""
    trace = table.sim.trace[first : table.sim.length[0]]
    return table.position.play(*(int(move) for move in trace))


@pytest.mark.parametrize("game", ["tictactoe", "hex:size=4", "breakthrough:size=3x5"])
def test_a_playout_goes_to_the_end_and_its_trace_leads_there(game):
    for seed in range(5):
        table = Table(game, seed=seed)
        assert not play_out(table)
        end = replayed(table)
        assert end.over
        assert tuple(table.sim.rewards) == end.rewards


def test_movers_are_noted_with_the_moves():
    """Dice are nobody's; each player's last move is remembered."""
    table = Table(dice_duel.game(), gibbs="mast", pairs=0.5)
    play_out(table)
    length = int(table.sim.length[0])
    position, movers, last = table.position, [], {}
    for move in table.sim.trace[:length].tolist():
        movers.append(position.mover)
        last[position.mover] = move
        position = position.play(move)
    assert position.over
    assert -1 in movers
    assert table.sim.movers[:length].tolist() == movers
    assert table.sim.pairs.last.tolist() == [last[0], last[1]]


def test_a_playout_begins_where_the_tree_ends():
    table = Table("tictactoe", "a1 b1 c1")
    table.simulated([0, 1, 2], [0.0, 0.0])
    play_out(table)
    assert table.sim.trace[:3].tolist() == [0, 1, 2]
    assert replayed(table, 3).over


# --- cut off --------------------------------------------------------------------------------------


def test_without_evaluation_the_rules_score_what_was_cut_off():
    table = Table("tictactoe", playout_cap=3)
    assert not play_out(table, cap=3)
    assert table.sim.length[0] == 3
    assert tuple(table.sim.rewards) == (0.5, 0.5)


@pytest.mark.parametrize("cap", [0, 1, 7])
def test_the_evaluation_scores_what_was_cut_off(cap):
    table = Table("breakthrough:size=5x6", playout_cap=cap or 1, evaluation="race")
    play_out(table, cap)
    assert table.sim.length[0] == cap
    expected = np.zeros(2)
    table.of.evaluations["race"](table.state, expected)
    assert tuple(table.sim.rewards) == tuple(expected)
    assert 0 < expected[0] < 1
    assert not replayed(table).over


def test_a_finished_game_keeps_its_reward():
    """The evaluation would call it even."""
    table = Table(knowing.game(), "a1 a2 b1 b2", playout_cap=1, evaluation="even", decisive=True)
    play_out(table, cap=1)
    assert tuple(table.sim.rewards) == (1.0, 0.0)


def test_a_search_cuts_playouts_off_after_so_many_moves_from_the_leaf():
    of = load("hex:size=4")
    searcher = Searcher(of, SearchConfig(playout_cap=2, memory_mb=1), jit=False)
    position = Position.start(of)
    for n in range(1, 60):
        searcher.search(position, Limit(1))
        depth = searcher.tree.meta[0]["depth"]
        assert simulation(searcher).length[0] <= depth + 2, n
    assert np.isin(simulation(searcher).rewards, [0.0, 0.5, 1.0]).all()


def test_a_cut_off_playout_has_so_many_moves_however_deep_the_leaf_is():
    of = load("hex:size=4")
    searcher = Searcher(of, SearchConfig(playout_cap=2, memory_mb=1), jit=False)
    lengths = set()
    for _ in range(60):
        searcher.search(Position.start(of), Limit(1))
        lengths.add(int(simulation(searcher).length[0]))
    assert lengths == {3, 4}  # leaves are one or two moves from the root


# --- early decision -------------------------------------------------------------------------------


def filling(state, out):
    """Evaluation: the second player's chances grow by an eighth with each stone."""
    out[0] = 0.0
    out[1] = min(1.0, (25 - state.left) / 8.0)


def deciding(every, enough=0.7, moves="", **settings):
    of = replace(load("hex:size=5"), evaluations={"filling": filling})
    return Table(of, moves, evaluation="filling", decide=enough, decide_every=every, **settings)


@pytest.mark.parametrize(("every", "length"), [(1, 6), (2, 6), (3, 6), (4, 8), (5, 10), (8, 8)])
def test_a_playout_stops_at_the_first_look_that_is_enough(every, length):
    """0.7 is reached with the sixth stone; nobody can win on this board before the ninth."""
    table = deciding(every)
    if length < 9:
        assert play_out(table)
        assert table.sim.length[0] == length
        assert tuple(table.sim.rewards) == (0.0, 1.0)
    else:
        play_out(table)
        assert table.sim.length[0] >= 9


def test_looks_are_counted_from_the_leaf():
    table = deciding(4, moves="a1 b1 c1")
    table.simulated(table.position.line, [0.0, 0.0])
    assert play_out(table)
    assert table.sim.length[0] == 3 + 4


def test_what_is_never_decided_goes_to_the_end():
    of = knowing.game()
    table = Table(of, evaluation="even", decide=0.9, decide_every=1)
    assert not play_out(table)
    assert replayed(table).over
    assert tuple(table.sim.rewards) == replayed(table).rewards


def hopeful(state, out):
    """Evaluation: the second player has won."""
    out[0] = 0.0
    out[1] = 1.0


def test_a_game_that_is_over_is_not_decided():
    of = replace(load("tictactoe"), evaluations={"hopeful": hopeful})
    table = Table(
        of, "a1 a2 b1 b2", evaluation="hopeful", decide=0.9, decide_every=1, decisive=True
    )
    assert not play_out(table)
    assert tuple(table.sim.rewards) == (1.0, 0.0)


def test_the_first_player_can_be_ahead_too():
    table = Table(
        "breakthrough:size=4x6", "a2-a3 d5-d4 a3-a4 d4-d3", evaluation="race", decide=0.55,
        decide_every=1,
    )  # fmt: skip
    for _ in range(30):
        table.put(table.position)
        table.sim.length[0] = 0
        if play_out(table):
            leader = int(np.argmax(table.sim.rewards))
            expected = np.zeros(2)
            table.of.evaluations["race"](table.state, expected)
            assert sorted(table.sim.rewards) == [0.0, 1.0]
            assert expected[leader] >= 0.55


# --- compiled -------------------------------------------------------------------------------------


STOPPING = {
    "evaluation": "race",
    "playout_cap": 6,
    "decide": 0.8,
    "decide_every": 2,
    "gibbs": "mast",
    "pairs": 0.3,
    "pairs_visits": 5,
    "memory_mb": 1,
}


@pytest.mark.stress
@pytest.mark.parametrize("tries", [0, 2])
def test_compiled_playouts_that_stop_early_are_the_same(tries):
    of = load("breakthrough:size=4x5")
    config = SearchConfig(gibbs_tries=tries, **STOPPING)
    trees = []
    for jit in (True, False):
        searcher = Searcher(of, config, seed=5, jit=jit)
        searcher.search(Position.start(of), Limit(200))
        trees.append(searcher.tree.nodes[: searcher.tree.meta[0]["top"]].copy())
    assert (trees[0] == trees[1]).all()
