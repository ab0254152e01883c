"""Halving: budgets to the last simulation, solver, bounds, memory and the clock.

The figures are those of Pepels (2014), worked out for children whose ranking never changes.
Where it changes, `test_halving_listing` compares with the thesis's listings.
"""

from collections import Counter

import numpy as np
import pytest

from tests.search.boards import LARGER, SMALL, TINY
from tests.search.inside import context
from tests.toys.chips import game as chips
from tests.toys.dice_duel import game as dice_duel
from tests.toys.fan import game as fan
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load
from tesuji.compile import specialise
from tesuji.compile.plain import view
from tesuji.exact import solve
from tesuji.search import tree as t
from tesuji.search.bindings import bindings
from tesuji.search.decide import children, records
from tesuji.search.parts import halving

GAME = load("tictactoe")


def searcher_of(game, seed=1, jit=False, **settings):
    return Searcher(game, SearchConfig(**{"halving": "hybrid", **settings}), seed=seed, jit=jit)


def searched(game, simulations, **settings):
    searcher = searcher_of(game, **settings)
    decision = searcher.search(Position.start(game, jit=False), Limit(simulations))
    return searcher, decision


def budgeted(game, simulations, **settings):
    """Compiled, once for all sizes: many simulations."""
    return searched(game, simulations, jit=True, **{"halving_switch": 10**6, **settings})


def visits(searcher):
    """Of the root's children, by move."""
    nodes = searcher.tree.nodes[records(searcher.tree, t.ROOT)]
    return dict(zip(nodes["move"].tolist(), nodes["visits"].tolist(), strict=True))


# --- budgets --------------------------------------------------------------------------------------


def test_five_children_share_two_hundred():
    searcher, decision = searched(fan(5), 200)
    assert [visits(searcher)[move] for move in range(5)] == [71, 68, 35, 13, 13]
    assert (decision.text, decision.simulations) == ("0", 200)


@pytest.mark.parametrize(
    ("count", "budget", "top", "quotas"),
    [
        (22, 10_000, [2303, 2270, 1270, 604], {90: 11, 271: 5, 604: 3}),
        (61, 10_000, [1693, 1641, 808, 808], {27: 30, 80: 15, 184: 8, 392: 4, 808: 2}),
        (
            81,
            25_000,
            [4220, 4195, 2410, 1220],
            {44: 40, 131: 20, 301: 10, 625: 5, 1220: 3, 2410: 1},
        ),
    ],
)
def test_rounds_and_quotas(count, budget, top, quotas):
    """What the listings of Pepels (2014) come to, by arithmetic: rounds, and visits of the best."""
    searcher, _ = budgeted(fan(count, 2, 1), budget)
    found = visits(searcher)
    assert [found[move] for move in range(4)] == top
    counts = Counter(found.values())
    assert {quota: counts[quota] for quota in quotas} == quotas
    assert sum(found.values()) == budget


def test_a_budget_may_end_in_the_middle_of_a_round():
    """As in Amazons: 2,176 moves, 10,000 simulations, which end in the round of three."""
    searcher, decision = budgeted(fan(2176, 1, 1), 10_000)
    found = visits(searcher)
    assert [found[move] for move in range(4)] == [632, 515, 355, 355]
    assert sum(found.values()) == 10_000
    assert [child.text for child in decision.children[:3]] == ["0", "1", "2"]


def test_fewer_simulations_than_moves():
    searcher, decision = searched(fan(9), 4)
    assert sum(visits(searcher).values()) == decision.simulations == 4
    assert decision.move == min(visits(searcher))


def test_shot_gives_what_a_child_lacks():
    """Children with 8, 24, 8 and 24 visits get 16, 0, 16, 0, and then the two best 48 each."""
    game = fan(4, 2, 30)
    searcher = searcher_of(game, halving="shot")
    searcher.search(Position.start(game, jit=False), Limit(4))
    nodes = searcher.tree.nodes
    for index in records(searcher.tree, t.ROOT).tolist():
        had = 24 if nodes[index]["move"] in (0, 1) else 8
        nodes[index]["value"] = nodes[index]["value"] * had
        nodes[index]["visits"] = had
    nodes[t.ROOT]["visits"] = 64
    searcher.search(Position.start(game, jit=False), Limit(128))
    assert visits(searcher) == {0: 72, 1: 72, 2: 24, 3: 24}
    assert nodes[t.ROOT]["visits"] == 192


def test_one_move_gets_everything():
    _, decision = searched(fan(1, 3, 2), 50)
    assert (decision.text, decision.visits, decision.simulations) == ("0", 50, 50)
    _, decision = searched(fan(3, 1, 6), 60, halving="shot")
    assert decision.text == "0"


# --- where halving ends ---------------------------------------------------------------------------


def deepest_frame(searcher):
    """How many levels have ever halved."""
    return int(np.count_nonzero(context(searcher).halving.frames["total"]))


@pytest.mark.parametrize(("switch", "levels"), [(6, 2), (7, 1)])
def test_a_share_of_b_halves_and_one_less_does_not(switch, levels):
    """4 moves, 128 simulations: 48 reach the best child; its 4 moves share them in two rounds."""
    searcher, _ = searched(fan(4, 4, 2), 128, halving_switch=switch)
    assert max(visits(searcher).values()) == 48
    assert deepest_frame(searcher) == levels


def test_the_root_always_halves():
    searcher, _ = searched(fan(4), 40, halving_switch=10**6)
    assert sorted(visits(searcher).values()) == [5, 5, 15, 15]


def test_the_opening_of_nogo_halves_at_the_root_only():
    """81 moves, then 80: with 25,000 simulations and B = 30 the best child's share is 7."""
    searcher, _ = budgeted(fan(81, 80, 1), 25_000, halving_switch=30)
    assert deepest_frame(searcher) == 1
    best = visits(searcher)[0]
    assert best // (80 * 7) == 7


def test_dice_are_not_halved():
    searcher, decision = searched(dice_duel(), 300, halving_switch=1)
    assert decision.simulations == 300
    check_counts(searcher)


# --- counters -------------------------------------------------------------------------------------


def check_counts(searcher):
    """Every node has been visited as often as its children, and where it was a leaf."""
    tree = searcher.tree
    for index in range(int(tree.meta[0]["top"])):
        if tree.nodes[index]["status"] == t.EXPANDED:
            below = int(tree.nodes["visits"][records(tree, index)].sum())
            own = int(tree.nodes[index]["visits"])
            assert own - searcher.config.expand_visits <= below <= own


@pytest.mark.parametrize("line", ["", "a1 a2 b1", "a1 a2 b1 b2"])
@pytest.mark.parametrize("switch", [1, 4, 50])
def test_no_simulation_is_lost(line, switch):
    searcher = searcher_of(GAME, halving_switch=switch)
    position = Position.start(GAME, jit=False).play(*line.split())
    decision = searcher.search(position, Limit(300))
    assert decision.simulations == searcher.tree.nodes[t.ROOT]["visits"] == 300
    check_counts(searcher)


def test_the_end_of_a_game_costs_nothing_in_shot():
    """X wins at once with c1: its visits grow, the budget does not shrink; hybrid pays for them."""
    position = Position.start(GAME, jit=False).play("a1", "a2", "b1", "b2")
    found = {}
    for kind in ("shot", "hybrid"):
        searcher = searcher_of(GAME, halving=kind, halving_switch=2)
        decision = searcher.search(position, Limit(100))
        root = searcher.tree.nodes[t.ROOT]
        found[kind] = int(root["visits"])
        assert (decision.text, decision.value) == ("c1", 1.0)
    assert found["hybrid"] == 100
    assert found["shot"] > 100
    assert int(root["visits"]) == 100


def test_shot_plays_out_single_simulations():
    """A child with a budget of one stays a leaf, whatever it has below."""
    searcher, _ = searched(fan(6, 3, 3), 6, halving="shot")
    below = records(searcher.tree, t.ROOT)
    assert (searcher.tree.nodes["status"][below] == t.OPEN).all()


def test_a_second_search_goes_on_with_the_tree():
    searcher = searcher_of(GAME, halving_switch=4)
    position = Position.start(GAME, jit=False)
    for budget in (100, 150, 50):
        assert searcher.search(position, Limit(budget)).simulations == budget
    assert searcher.tree.nodes[t.ROOT]["visits"] == 300
    moved = position.play(searcher.decision().move)
    assert searcher.search(moved, Limit(80)).simulations == 80
    check_counts(searcher)


# --- the move that is played ----------------------------------------------------------------------


def test_the_survivor_is_played_even_if_its_value_has_dropped():
    searcher, before = searched(fan(5), 200)
    nodes = searcher.tree.nodes
    (best,) = (c for c in records(searcher.tree, t.ROOT) if nodes[c]["move"] == before.move)
    nodes[best]["value"] = 0
    assert searcher.decision().move == before.move


def test_before_the_first_round_is_over_the_most_visited_move_is_played():
    game = fan(50)
    searcher = searcher_of(game)
    searcher.search(Position.start(game, jit=False), Limit(30))
    context(searcher).halving.ranked[0] = 0
    assert searcher.decision().visits == max(visits(searcher).values())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["shot", "hybrid"])
def test_a_win_is_found(kind, seed):
    searcher = searcher_of(GAME, seed=seed, halving=kind, halving_switch=5)
    position = Position.start(GAME, jit=False).play("a1", "c3", "b2", "a2")
    exact = {m for m in position.moves if solve(position.play(m), jit=False) == 1.0}
    assert searcher.search(position, Limit(600)).move in exact


# --- solver ---------------------------------------------------------------------------------------


def test_a_win_ends_the_cycle():
    searcher = searcher_of(GAME, solver="wins", halving_switch=3)
    position = Position.start(GAME, jit=False).play("a1", "a2", "b1", "b2")
    decision = searcher.search(position, Limit(1000))
    assert (decision.text, decision.proven) == ("c1", 1.0)
    assert decision.simulations < 100


def test_a_lost_move_is_left_alone_and_its_budget_goes_on():
    """O must answer at a3: everything else is lost, and the rest of the budget is a3's."""
    searcher = searcher_of(GAME, solver="wins", halving_switch=3)
    position = Position.start(GAME, jit=False).play("b2", "a1", "c1")
    decision = searcher.search(position, Limit(500))
    assert decision.simulations == 500
    assert decision.text == "a3"
    proven = {child.text: child for child in decision.children}
    assert all(child.proven == 0.0 for text, child in proven.items() if text != "a3")
    assert proven["a3"].visits > 350
    again = searcher.search(position, Limit(100))
    assert {c.text: c.visits for c in again.children if c.text != "a3"} == {
        text: child.visits for text, child in proven.items() if text != "a3"
    }


def test_when_all_moves_lose_so_does_the_node():
    position = Position.start(GAME, jit=False).play("a1", "b2", "c3", "a3", "c1")
    decision = searcher_of(GAME, solver="wins", halving_switch=2).search(position, Limit(5000))
    assert decision.proven == 0.0
    assert decision.simulations < 500


@pytest.mark.parametrize("switch", [0, 4])
def test_scores_are_proven(switch):
    config = {"solver": "bounds", "halving_switch": switch}
    _, decision = searched(chips(), 6000, **config)
    assert decision.proven == 10 / 16


def proof(spec, switch, jit):
    """The proven reward of the first player: by SHOT with a switch of 0, else by Hybrid MCTS."""
    of = load(spec)
    searcher = searcher_of(of, solver="wins", halving_switch=switch, jit=jit)
    return searcher.search(Position.start(of, jit=jit), Limit(100_000_000)).proven


@pytest.mark.parametrize("switch", [0, 30])
@pytest.mark.parametrize(("spec", "first"), TINY)
def test_tiny_boards_are_proven(spec, first, switch):
    assert proof(spec, switch, jit=False) == float(first)


@pytest.mark.stress
@pytest.mark.parametrize("switch", [0, 30])
@pytest.mark.parametrize(("spec", "first"), [*SMALL, *LARGER])
def test_small_boards_are_proven(spec, first, switch):
    assert proof(spec, switch, jit=True) == float(first)


# --- bounds ---------------------------------------------------------------------------------------


def give_values(searcher, values):
    """Let the root's children have these values after 10 visits each, or no visits."""
    nodes = searcher.tree.nodes
    found = records(searcher.tree, t.ROOT)
    for index, value in zip(found, values, strict=True):
        nodes[index]["visits"] = 0 if value is None else 10
        nodes[index]["value"] = int((value or 0) * 10 * t.SCALE)
    context(searcher).halving.order[0, : len(found)] = range(len(found))


@pytest.mark.parametrize(("upper", "skipped"), [(0.05, True), (0.15, False), (None, False)])
def test_what_cannot_reach_the_best_is_skipped(upper, skipped):
    """The best child's value is 0.5, its lower bound 0.1: bounds are 0.4 away from values."""
    searcher, _ = searched(fan(2), 2, halving_bounds=True)
    give_values(searcher, [0.5, None if upper is None else upper - 0.4])
    params = searcher._trees._runner.params
    params["c"] = 0.4 / np.sqrt(np.log(2) / 10)
    frame = context(searcher).halving.frames[0]
    frame["node"], frame["rank"], frame["size"] = t.ROOT, 1, 2
    beaten = specialise(
        halving.beaten, bindings(searcher.game, searcher.config), label="kernel", jit=False
    )
    own = view(context(searcher))
    assert beaten(view(searcher.tree), own, view(params)[0], 0, 1) == skipped
    assert frame["floor"] == pytest.approx(0.1)


def test_bounds_leave_the_budget_to_the_others():
    searcher, decision = searched(fan(6, 2, 1), 600, halving_bounds=True, c=0.02)
    plain, _ = searched(fan(6, 2, 1), 600, c=0.02)
    assert decision.simulations == 600
    assert visits(searcher)[0] > visits(plain)[0]
    assert visits(searcher)[5] <= visits(plain)[5]


# --- rounds that let moves come back --------------------------------------------------------------


@pytest.mark.parametrize("returns", [False, True])
def test_a_dropped_move_may_return(returns):
    """The first half of a round sinks below what was dropped before."""
    searcher, _ = searched(fan(4), 64, halving_returns=returns)
    nodes = searcher.tree.nodes
    found = records(searcher.tree, t.ROOT)
    best = np.argsort(nodes["move"][found])
    nodes["value"][found[best[:2]]] = 0
    stack = context(searcher).halving
    frame = stack.frames[0]
    frame["kept"], frame["size"] = 4, 2
    stack.order[0, :4] = best
    rank = specialise(
        halving.rank_children, bindings(searcher.game, searcher.config), label="kernel", jit=False
    )
    rank(
        view(searcher.tree),
        view(context(searcher)),
        view(searcher._trees._runner.params)[0],
        0,
    )
    moves = nodes["move"][found[stack.order[0, :4]]].tolist()
    assert moves == ([2, 0, 1, 3] if returns else [0, 1, 2, 3])


# --- memory, clock, chunks ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "solver"), [("shot", "off"), ("hybrid", "off"), ("hybrid", "wins")]
)
def test_a_full_tree_loses_no_simulation(kind, solver):
    position = Position.start(GAME, jit=False)
    searcher = searcher_of(GAME, halving=kind, solver=solver, halving_switch=2, memory_mb=0.01)
    decision = searcher.search(position, Limit(1500))
    assert decision.simulations == 1500
    root = searcher.tree.nodes[t.ROOT]
    assert searcher.tree.nodes["visits"][children(searcher.tree, t.ROOT)].sum() == root["visits"]


def test_a_clock_doubles_the_budget():
    """Cycles of 1,000, then of all that was spent: 1,000, 2,000 ..., until the time is up."""
    searcher = searcher_of(GAME, halving_switch=4)
    asked = []
    budgeted = searcher._trees.budgeted

    def watch(limit):
        more = budgeted(limit)
        if context(searcher).halving.budget[0]:
            asked.append(int(context(searcher).halving.budget[0]))
        return more

    searcher._trees.budgeted = watch
    searcher.search(Position.start(GAME, jit=False), Limit(4000, 600))
    assert asked == [4000]
    asked.clear()
    searcher.forget()
    decision = searcher.search(Position.start(GAME, jit=False), Limit(seconds=2.5))
    assert asked == [1000, *(1000 * 2**n for n in range(len(asked) - 1))]
    assert decision.simulations > 0
    check_counts(searcher)


def test_a_search_that_is_stopped_answers():
    """In the middle of a cycle that would take hours; another search goes on with the tree."""
    searcher = searcher_of(GAME, halving_switch=4)
    position = Position.start(GAME, jit=False)
    decision = searcher.search(position, Limit(10**9), progress=lambda _: searcher.stop())
    assert 0 < decision.simulations < 10**9
    check_counts(searcher)
    assert searcher.search(position, Limit(50)).simulations == 50
    check_counts(searcher)


@pytest.mark.parametrize("kind", ["shot", "hybrid"])
def test_chunks_change_nothing(kind):
    """A cycle that is run one simulation at a time is the cycle that is run at once."""
    found = []
    for size in (1, 1000):
        searcher = searcher_of(GAME, halving=kind, halving_switch=3)
        searcher._slice = lambda _size, _limit, size=size: size
        decision = searcher.search(Position.start(GAME, jit=False), Limit(250))
        found.append([(c.move, c.visits, c.value) for c in decision.children])
    assert found[0] == found[1]


@pytest.mark.stress
def test_compiled_and_plain_runs_agree():
    trees = []
    for jit in (True, False):
        searcher = searcher_of(GAME, halving_switch=3, solver="wins", jit=jit, memory_mb=1)
        searcher.search(Position.start(GAME, jit=False), Limit(700))
        trees.append(searcher.tree.nodes[: searcher.tree.meta[0]["top"]].tobytes())
    assert trees[0] == trees[1]


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"halving": "off", "halving_bounds": True}, "halving_bounds needs halving"),
        ({"halving": "off", "halving_returns": True}, "halving_returns needs halving"),
        ({"rave": "mse"}, "rave has no meaning with halving=hybrid"),
        ({"transpositions": True}, "transpositions has no meaning with halving=hybrid"),
        ({"final": "secure"}, "final=secure has no meaning with halving=hybrid"),
        ({"halving": "shot", "solver": "wins"}, "the method shot-solver"),
        ({"halving_switch": -1}, "halving_switch is -1, it must be 0 or more"),
    ],
)
def test_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        SearchConfig(**{"halving": "hybrid", **settings})
