"""Progressive bias, widening and prior visits: the schedules of the papers, and whole searches."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.toys.knowing import game as knowing
from tesuji import Limit, Position, SearchConfig, Searcher
from tesuji.compile import specialise
from tesuji.compile.plain import view
from tesuji.game import WIDEST
from tesuji.search import expand, select
from tesuji.search import tree as t
from tesuji.search.bindings import bindings, node_fields
from tesuji.search.context import make_context, make_params, make_simulations
from tesuji.search.decide import children
from tesuji.search.parts import knowledge
from tesuji.search.parts.knowledge import BIASES, WIDTHS

GAME = knowing()
KNOWING = {"knowledge": "squares"}


def params_of(**settings):
    return view(make_params(GAME, SearchConfig(**KNOWING, **settings)))[0]


# --- bias -----------------------------------------------------------------------------------------


def bias(name, prior, visits, **settings):
    return BIASES[name](prior, float(visits), params_of(bias=name, **settings))


@pytest.mark.parametrize(
    ("visits", "mango", "mogo"),
    [
        (0, 8, 1.4427),
        (1, 4, 0.9102),
        (9, 0.8, 0.4170),
        (29, 0.2667, 0.2912),
        (99, 0.08, 0.2167),
        (499, 0.016, 0.1609),
    ],
)
def test_biases_fade(visits, mango, mogo):
    """Chaslot 2010, chapter 5: 8 / (n + 1), and 1 / ln(n + 2)."""
    assert bias("mango", 1.0, visits, bias_weight=8.0) == pytest.approx(mango, abs=5e-5)
    assert bias("mogo", 1.0, visits) == pytest.approx(mogo, abs=5e-5)


def test_the_bias_of_gomorra():
    """Schäfers 2014: H / n; a child without visits counts as if it had one."""
    assert [bias("gomorra", 0.3, n) for n in (0, 1, 2, 10)] == pytest.approx([0.3, 0.3, 0.15, 0.03])


@pytest.mark.parametrize("name", BIASES)
def test_weight_and_exponent_of_the_bias(name):
    """MANGO as tuned: 5.3 H^1.1; 0.4^1.1 is 0.36499."""
    tuned = bias(name, 0.4, 7, bias_weight=5.3, bias_exponent=1.1)
    assert tuned == pytest.approx(5.3 * 0.36499 * bias(name, 1.0, 7), rel=1e-4)
    assert bias(name, 0.0, 7, bias_weight=5.3) == 0.0


@pytest.mark.parametrize(
    ("prior", "visits", "golden"), [(0.1, 5, 1.5767), (0.5, 5, 4.9101), (0.1, 50, 0.3331)]
)
def test_the_bound_of_mc_loa(prior, visits, golden):
    """Chaslot 2010: sqrt(0.6 ln(100) / n) + 50 P / (n + 1), on values in [-1, 1].

    Half of it here: c is half the root of 0.6, and the weight 25.
    """
    config = {"bias": "mango", "bias_weight": 25.0, "c": math.sqrt(0.6) / 2}
    assert 2 * scored(prior, visits, 0.0, parent=100, **config) == pytest.approx(golden, abs=5e-5)


def test_gomorra_counts_wins_as_we_do():
    """Schäfers 2014: W / N + C sqrt(2 ln N_p / N) + H / N with results of 0 and 1: no half of H.

    By hand: 0.6 + 0.35 sqrt(4.60517 / 10) + 0.3 / 10.
    """
    config = {"bias": "gomorra", "c": 0.35}
    assert scored(0.3, 10, 0.6, parent=100, **config) == pytest.approx(0.867515, abs=1e-6)


# --- prior visits ---------------------------------------------------------------------------------


def scored(prior, visits, mean, *, parent, **settings):
    """What selection makes of a child, by the very kernels of a search."""
    config = SearchConfig(**KNOWING, **settings)
    slots = bindings(GAME, config)
    tree = view(t.allocate(0.01, node_fields(GAME, config)))
    sim, own = make_simulations(GAME, config)[0], make_context(GAME, config)
    child = tree.nodes[1]
    child.visits = visits
    child.value = round(mean * visits * t.SCALE)
    child.prior = prior
    score = specialise(select.score_of, slots, label="score", jit=False)
    params = params_of(**settings)
    shared = slots["rule"]["shared"](parent, 9, 0.0, 0.0, 1.0, params, None)
    return score(child, 0, shared, sim, own, params, None)


@pytest.mark.parametrize(
    ("prior", "visits", "mean", "golden"),
    [
        # (v n + 20 Q) / (n + 20) + 0.5 sqrt(ln(100) / (n + 20)); ln(100) is 4.60517
        (0.75, 0, 0.0, 0.75 + 0.5 * 0.479853),
        (0.75, 20, 0.25, 0.5 + 0.5 * 0.339307),
        (0.25, 80, 0.5, 0.45 + 0.5 * 0.214597),
    ],
)
def test_prior_visits(prior, visits, mean, golden):
    """Gelly and Silver 2007: knowledge counts as the mean of virtual visits."""
    found = scored(prior, visits, mean, parent=100, c=0.5, prior_visits=20.0)
    assert found == pytest.approx(golden, abs=1e-5)


# --- widening -------------------------------------------------------------------------------------


def widths(name, visits, **settings):
    return [WIDTHS[name](n, params_of(widen=name, **settings)) for n in visits]


MANGO = [
    # k_init, A, B, and what must be surpassed before k children are open (Chaslot 2010, table)
    (5, 50, 1.3, {6: 65, 7: 84.5, 8: 109.9, 9: 142.8, 10: 185.6, 12: 313.7, 15: 689.3, 20: 2559.3}),
    (5, 40, 1.2, {6: 48, 7: 57.6, 8: 69.1, 9: 82.9, 10: 99.5, 12: 143.3, 15: 247.7}),
    (
        3,
        58,
        1.12,
        {5: 72.8, 6: 81.5, 7: 91.3, 8: 102.2, 9: 114.5, 10: 128.2, 12: 160.8, 15: 226.0},
    ),
]


@pytest.mark.parametrize(("first", "base", "growth", "thresholds"), MANGO)
def test_mango_opens_children(first, base, growth, thresholds):
    """Child k opens once the visits surpass A * B^(k - k_init); the first k_init are open."""
    settings = {"widen_first": first, "widen_base": base, "widen_growth": growth}
    assert widths("mango", [0, 1, base], **settings) == [first] * 3
    for k, threshold in thresholds.items():
        rounding = 0.05  # of the table
        visits = [math.ceil(threshold - rounding) - 1, math.floor(threshold + rounding) + 1]
        assert widths("mango", visits, **settings) == [k - 1, k]


def test_mango_opens_a_child_when_the_threshold_is_surpassed_not_met():
    assert widths("mango", [65, 66]) == [5, 6]


def test_mango_opens_all_when_the_thresholds_do_not_grow():
    assert widths("mango", [50, 51], widen_growth=1.0) == [5, 2**31 - 1]


def test_crazystone_thresholds():
    """Child n + 1 opens at t_(n+1) = t_n + 40 * 1.4^(n-1) visits (Coulom 2007; Schäfers 2014)."""
    opened = [0, 40, 96, 174.4, 284.16, 437.82, 652.95, 954.14, 1375.79, 1966.10, 2792.55, 3949.57]
    for k, threshold in enumerate(opened, 1):
        visits = math.ceil(threshold)
        assert widths("crazystone", [visits]) == [k]
        assert k == 1 or widths("crazystone", [visits - 1]) == [k - 1]


def test_power_widening_doubles_when_visits_grow_by_16():
    """Hoock 2013: K * n^(1/4), rounded up."""
    found = widths("power", [1, 16, 256, 4096, 65536], widen_base=3.0, widen_growth=0.25)
    assert found == [3, 6, 12, 24, 48]
    assert widths("power", [17, 4097], widen_base=3.0, widen_growth=0.25) == [7, 25]
    assert widths("power", [0, 1], widen_base=0.01, widen_growth=0.25) == [1, 1]


@pytest.mark.parametrize("jit", [True, False])
def test_power_widening_has_a_largest_width(jit):
    """What fits into no integer opens all children."""
    config = SearchConfig(**KNOWING, widen="power", widen_growth=1.0, widen_base=1e12)
    width = specialise(knowledge.power_width, {}, label="the width", jit=jit)
    assert width(1_000_000, view(make_params(GAME, config))[0]) == WIDEST


# --- the order of children ------------------------------------------------------------------------


@given(st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 3.0, 1e9]) | st.floats(0, 1), max_size=300))
def test_moves_are_ranked_by_knowledge(weights):
    """Whatever the game says, the order is a permutation, and the most promising come first."""

    def judge(state, playout, count, out):
        out[:count] = weights

    config = SearchConfig(**KNOWING, bias="mango")
    sim, own = make_simulations(GAME, config)[0], make_context(GAME, config)
    count = len(weights)
    order = np.random.default_rng(count).permutation(count).astype(np.int32)
    own = own._replace(judged=np.zeros(count), order=order)
    slots = {"knowledge": {"judge": judge}}
    specialise(expand.rank_moves, slots, label="rank", jit=False)(sim, own, count)
    assert sorted(own.order.tolist()) == list(range(count))
    assert [weights[i] for i in own.order] == sorted(weights, reverse=True)


def searched(simulations, seed=1, **settings):
    searcher = Searcher(GAME, SearchConfig(**KNOWING, **settings), seed=seed, jit=False)
    searcher.search(Position.start(GAME, jit=False), Limit(simulations))
    return searcher.tree


def block(tree, index):
    """All children of a node, visited or not."""
    node = tree.nodes[index]
    return tree.nodes[node["first"] : node["first"] + node["tried"]]


def expanded(tree):
    return np.flatnonzero(tree.nodes["status"][: tree.meta[0]["top"]] == t.EXPANDED).tolist()


@pytest.mark.parametrize("settings", [{"bias": "mango"}, {"prior_visits": 5.0}, {"widen": "mango"}])
def test_children_lie_in_the_order_of_knowledge(settings):
    tree = searched(100, **settings)
    for index in expanded(tree):
        priors = block(tree, index)["prior"]
        assert (np.diff(priors) <= 0).all()
    assert block(tree, t.ROOT)["move"][0] == 4
    assert block(tree, t.ROOT)["prior"].tolist() == pytest.approx([0.5] + [0.12] * 4 + [0.1] * 4)


def test_equal_moves_are_ordered_by_chance():
    orders = {tuple(block(searched(1, seed=s, bias="mango"), 0)["move"].tolist()) for s in range(9)}
    assert len(orders) > 5
    assert {order[0] for order in orders} == {4}


@pytest.mark.parametrize("bias", ["off", "mango"])
def test_only_open_children_have_visits(bias):
    """At each node only the first `width` children, and each of them before any comes twice."""
    tree = searched(300, bias=bias, widen="crazystone")
    for index in expanded(tree):
        visits = block(tree, index)["visits"]
        opened = WIDTHS["crazystone"](int(tree.nodes[index]["visits"]), None)
        assert (visits[opened:] == 0).all()
        assert (visits[: np.count_nonzero(visits)] > 0).all()
    assert np.count_nonzero(block(tree, t.ROOT)["visits"]) == 5  # 284.2 < 300 < 437.8


@pytest.mark.parametrize("simulations", range(1, 10))
def test_unvisited_children_are_tried_in_the_order_of_knowledge(simulations):
    tree = searched(simulations, bias="mango", bias_weight=1000.0)
    visits = block(tree, t.ROOT)["visits"].tolist()
    assert visits == [1] * simulations + [0] * (9 - simulations)


def test_a_proven_loss_leaves_room_for_the_next_child():
    """Proven children do not count towards the width. The thesis does not say so."""
    config = SearchConfig(**KNOWING, widen="mango", widen_first=1.0, widen_base=1e9, solver="wins")
    tree = t.allocate(0.01, node_fields(GAME, config))
    sim, own = make_simulations(GAME, config)[0], make_context(GAME, config)
    tree.nodes[t.ROOT]["count"] = 3
    slots = bindings(GAME, config)
    first = specialise(t.append_all, slots, label="children", jit=False)(tree, t.ROOT, 3)
    tree.nodes[t.ROOT]["tried"] = 3
    tree.nodes["visits"][[t.ROOT, first]] = 5
    best = specialise(select.best_child, slots, label="best", jit=False)
    params = view(make_params(GAME, config))[0]
    assert best(tree, t.ROOT, sim, own, params, None) == first
    tree.nodes[first]["upper"] = 0.0  # player 0 loses for sure
    assert best(tree, t.ROOT, sim, own, params, None) == first + 1


def test_a_search_with_widening_opens_the_rest_in_time():
    tree = searched(400, widen="mango", widen_first=2.0, widen_base=10.0, widen_growth=1.5)
    assert len(children(tree, t.ROOT)) == 9
