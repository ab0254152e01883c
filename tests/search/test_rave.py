"""RAVE: schedules, who gets credit, GRAVE's source and the pool; all on the search's kernels."""

import numpy as np
import pytest

from tests.toys.knowing import game as knowing
from tesuji import Limit, Position, SearchConfig, Searcher, load
from tesuji.compile import specialise, stream
from tesuji.compile.plain import view
from tesuji.search import select
from tesuji.search import tree as t
from tesuji.search.bindings import bindings, node_fields
from tesuji.search.context import make_context, make_params, make_simulations
from tesuji.search.decide import children
from tesuji.search.parts import grave, pool, rave
from tesuji.search.parts.rave import BLENDS, beta_equivalence, beta_mse
from tesuji.search.select import score_of

GAME = knowing()


@pytest.mark.parametrize(
    ("visits", "beta"),
    [(0, 1.0), (1, 0.9985), (10, 0.9853), (100, 0.8771), (1000, 0.5), (3000, 0.3162)],
)
def test_equivalence(visits, beta):
    """Chaslot 2010: k = 1000; one half at n = k."""
    assert beta_equivalence(visits, 1000.0) == pytest.approx(beta, abs=5e-5)


@pytest.mark.parametrize("k", [3.0, 50.0, 10_000.0])
def test_equivalence_is_one_half_at_k(k):
    assert beta_equivalence(k, k) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("amaf_visits", "visits", "beta"),
    [(100, 10, 0.9009), (1000, 100, 0.8333), (1000, 1000, 0.3333), (0, 10, 0.0), (10, 0, 1.0)],
)
def test_least_squared_error(amaf_visits, visits, beta):
    """Chaslot 2010: D = 0.001; Schäfers 2014: 0 at n_a = 0 and 1 at n_u = 0."""
    assert beta_mse(visits, amaf_visits, 0.001) == pytest.approx(beta, abs=5e-5)


def blended(name, mean, visits, amaf, amaf_visits, prior=0.0, **settings):
    of = load("tictactoe")
    params = view(make_params(of, SearchConfig(**settings)))[0]
    return BLENDS[name](mean, visits, amaf, amaf_visits, prior, params)


@pytest.mark.parametrize("name", ["amaf", "equivalence", "mse"])
def test_without_amaf_simulations_the_mean_counts(name):
    assert blended(name, 0.7, 5, 0.0, 0) == 0.7


@pytest.mark.parametrize("name", ["amaf", "equivalence", "mse", "mogo"])
def test_without_visits_the_amaf_value_counts(name):
    assert blended(name, 1e9, 0, 0.3, 12, rave_prior=0.0) == pytest.approx(0.3)


def test_the_blend_moves_from_amaf_to_the_mean():
    values = [blended("equivalence", 0.8, n, 0.2, 1000) for n in (0, 10, 1000, 10**6)]
    assert values == sorted(values)
    assert values[2] == pytest.approx(0.5)
    assert blended("mse", 0.8, 1000, 0.2, 1000) == pytest.approx(0.8 - 0.6 / 3)


def test_mogo_lets_knowledge_lead_then_amaf_then_the_mean():
    """Hoock 2013, section 4.2: weights of mean, AMAF value and knowledge, in three regimes."""
    regimes = []
    for visits, amaf_visits in ((1, 2), (30, 300), (100_000, 200_000)):
        weights = [
            blended(
                "mogo",
                *(float(i == k) for i in (0,)),
                visits,
                float(k == 1),
                amaf_visits,
                float(k == 2),
            )
            for k in range(3)
        ]
        assert sum(weights) == pytest.approx(1.0)
        regimes.append(int(np.argmax(weights)))
    assert regimes == [2, 1, 0]


# --- the parent's visits --------------------------------------------------------------------------


def scored(visits, mean, amaf_visits, amaf, *, parent, **settings):
    """What selection makes of a child, by the very kernels of a search."""
    of, config = load("tictactoe"), SearchConfig(**settings)
    slots = bindings(of, config)
    tree = view(t.allocate(0.01, node_fields(of, config)))
    sim, own = make_simulations(of, config)[0], make_context(of, config)
    params = view(make_params(of, config))[0]
    tree.nodes[t.ROOT].visits = parent
    child = tree.nodes[t.ROOT + 1]
    child.visits, child.value = visits, round(mean * visits * t.SCALE)
    child.amaf_visits, child.amaf_value = amaf_visits, round(amaf * amaf_visits * t.SCALE)
    if settings["rave"] == "parent":
        note = specialise(rave.note_parent, slots, label="note", jit=False)
        note(tree, t.ROOT, sim, own, params)
    shared = slots["rule"]["shared"](parent, 9, 0.0, 0.0, 1.0, params, None)
    score = specialise(select.score_of, slots, label="score", jit=False)
    return score(child, 0, shared, sim, own, params, None)


def test_the_visits_of_the_parent_weigh_the_whole_of_uct():
    """By hand, k = 1000: beta is sqrt(1 / 7) = 0.37796 by the parent's 2,000 visits.

    The score of UCT is 0.5 + 0.5 sqrt(ln(2000) / 100) = 0.63785.  By the child's 100 visits beta
    is 0.87706, and the bound is added as a whole.
    """
    child = (100, 0.5, 400, 0.8)
    parent = scored(*child, parent=2000, rave="parent", c=0.5)
    assert parent == pytest.approx(0.622036 * 0.637849 + 0.377964 * 0.8, abs=1e-5)
    own = scored(*child, parent=2000, rave="equivalence", c=0.5)
    assert own == pytest.approx(0.122942 * 0.5 + 0.877058 * 0.8 + 0.137849, abs=1e-5)


def test_of_an_untried_child_only_the_amaf_value_is_known():
    assert scored(0, 0.0, 40, 0.3, parent=2000, rave="parent") == pytest.approx(0.3)
    assert scored(0, 0.0, 0, 0.0, parent=2000, rave="parent") == select.UNTRIED


# --- knowledge as AMAF simulations ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("visits", "amaf", "amaf_visits", "score"),
    [
        (0, 0.0, 0, 0.9),  # knowledge alone
        (0, 0.4, 30, 0.6),  # (30 * 0.4 + 20 * 0.9) / 50
        (100, 0.4, 30, 0.1229 * 0.5 + 0.8771 * 0.6),  # faded by RAVE's own schedule
        (100, 0.4, 10**6, 0.1229 * 0.5 + 0.8771 * 0.40001),
    ],
)
def test_knowledge_counts_as_initial_amaf_simulations(visits, amaf, amaf_visits, score):
    """Hoock 2013, section 4.2: twenty simulations with H = 0.9 before the first one."""
    config = SearchConfig(rave="equivalence", knowledge="squares", prior_amaf=20.0, c=0.0)
    tree = t.allocate(0.1, node_fields(GAME, config))
    child = tree.nodes[1]
    child["visits"], child["value"] = visits, 0.5 * visits * t.SCALE
    child["amaf_visits"], child["amaf_value"] = amaf_visits, amaf * amaf_visits * t.SCALE
    child["prior"] = 0.9
    kernel = specialise(score_of, bindings(GAME, config), label="score", jit=False)
    params = view(make_params(GAME, config))[0]
    found = kernel(view(tree).nodes[1], 0, 0.0, None, None, params, stream(1, "score"))
    assert found == pytest.approx(score, abs=5e-5)


def test_what_knowledge_favours_is_visited_without_any_simulation_of_it():
    """Few simulations: the square that it favours most has most of them."""
    config = SearchConfig(
        rave="equivalence", knowledge="squares", prior_amaf=1000.0, c=0.0, expand_visits=2
    )
    searcher = Searcher(GAME, config, seed=3, jit=False)
    searcher.search(Position.start(GAME, jit=False), Limit(30))
    found = searcher.tree.nodes[children(searcher.tree, t.ROOT)]
    assert int(found["move"][found["visits"].argmax()]) == int(found["move"][0])
    assert found["prior"][0] == found["prior"].max()


# --- credit ---------------------------------------------------------------------------------------


class Simulated:
    """A simulation, and a tree along its first moves: each node has all children 0 .. 8."""

    def __init__(self, trace, movers, rewards, tree_moves, config=None):
        of = load("tictactoe")
        self.config = config or SearchConfig(rave="equivalence")
        self.slots = bindings(of, self.config)
        self.tree = t.allocate(0.1, node_fields(of, self.config))
        self.sim = view(make_simulations(of, self.config))[0]
        self.own = view(make_context(of, self.config))
        self.params = view(make_params(of, self.config))[0]
        self.grow(trace, movers, tree_moves)
        self.sim.depth = tree_moves
        self.sim.trace[: len(trace)] = trace
        self.sim.length[0] = len(trace)
        self.sim.movers[: len(trace)] = movers
        self.rewarded(rewards)

    def grow(self, trace, movers, tree_moves):
        nodes = self.tree.nodes
        index = t.ROOT
        for depth in range(tree_moves + 1):
            self.sim.path[depth] = index
            nodes[index]["mover"] = movers[depth]
            nodes[index]["count"] = 9
            first = self.kernel(t.append_all)(self.tree, index, 9)
            nodes[index]["tried"] = 9
            nodes["move"][first : first + 9] = range(9)
            index = first + trace[depth]

    def rewarded(self, rewards):
        self.sim.rewards[:] = rewards
        self.sim.gains[:] = (np.array(rewards) * t.SCALE).astype(np.int64)

    def kernel(self, function, **slots):
        return specialise(function, {**self.slots, **slots}, label="kernel", jit=False)

    def credit(self, **slots):
        self.kernel(rave.credit, **slots)(self.tree, self.sim, self.own, self.params)

    def node(self, depth):
        """On the path."""
        return self.tree.nodes[self.sim.path[depth]]

    def credits(self, depth):
        """Moves with AMAF visits of a node on the path."""
        first = int(self.node(depth)["first"])
        block = self.tree.nodes[first : first + 9]
        return {
            int(move): (int(visits), float(value / t.SCALE / visits))
            for move, visits, value in block[["move", "amaf_visits", "amaf_value"]].tolist()
            if visits
        }


def test_only_the_players_own_later_moves_get_credit():
    """Moves 4 0 8 2 6: player 0 made 4, 8, 6 and won; player 1 made 0, 2."""
    simulated = Simulated([4, 0, 8, 2, 6], [0, 1, 0, 1, 0], [1.0, 0.0], 2)
    simulated.credit()
    assert simulated.credits(0) == {4: (1, 1.0), 8: (1, 1.0), 6: (1, 1.0)}
    assert simulated.credits(1) == {0: (1, 0.0), 2: (1, 0.0)}
    assert simulated.credits(2) == {8: (1, 1.0), 6: (1, 1.0)}


def test_a_move_made_twice_counts_once():
    """Only the first occurrence of a move counts, whoever made it (Hoock 2013, 4.3)."""
    simulated = Simulated([4, 0, 4, 4, 6], [0, 1, 0, 1, 0], [1.0, 0.0], 1)
    simulated.credit()
    assert simulated.credits(0) == {4: (1, 1.0), 6: (1, 1.0)}
    assert simulated.credits(1) == {0: (1, 0.0)}


def test_amaf_values_are_running_means():
    simulated = Simulated([4, 0, 8], [0, 1, 0], [1.0, 0.0], 0)
    rewards = [1.0, 0.0, 1.0, 0.5]
    for reward in rewards:
        simulated.rewarded([reward, 1 - reward])
        simulated.credit()
    mean = 0.0
    for n, reward in enumerate(rewards, 1):
        mean += (reward - mean) / n
    assert simulated.credits(0) == {4: (4, mean), 8: (4, mean)}


def test_passes_and_dice_get_no_credit():
    of = load("ataxx:size=4")
    assert bindings(of, SearchConfig(rave="equivalence"))["PASS"] == of.pass_move == 16
    simulated = Simulated([4, 0, 8], [0, -1, 0], [1.0, 0.0], 0)
    simulated.credit(PASS=8)
    assert simulated.credits(0) == {4: (1, 1.0)}


@pytest.mark.parametrize(
    "game",
    [
        "tictactoe",
        *(
            pytest.param(game, marks=pytest.mark.stress)
            for game in ("go:size=3", "hex:size=4", "breakthrough:size=3x5")
        ),
    ],
)
def test_a_searched_tree_has_amaf_visits_of_at_least_the_visits(game):
    of = load(game)
    searcher = Searcher(of, SearchConfig(rave="mse", c=0.1), seed=4, jit=False)
    searcher.search(Position.start(of, jit=False), Limit(300))
    nodes = searcher.tree.nodes
    for index in np.flatnonzero(nodes["status"][: searcher.tree.meta[0]["top"]] == t.EXPANDED):
        for child in children(searcher.tree, int(index)).tolist():
            if nodes[child]["move"] != of.pass_move:
                assert nodes[child]["amaf_visits"] >= nodes[child]["visits"]


# --- GRAVE ----------------------------------------------------------------------------------------


def test_grave_takes_values_from_the_nearest_ancestor_of_the_same_player():
    config = SearchConfig(rave="mse", grave=10)
    simulated = Simulated([4, 0, 8, 2, 6], [0, 1, 0, 1, 0], [1.0, 0.0], 3, config)
    simulated.credit()
    tree, sim, own, params = simulated.tree, simulated.sim, simulated.own, simulated.params
    note = simulated.kernel(grave.note_source)
    amaf_of = simulated.kernel(simulated.slots["hooks"]["amaf"])
    simulated.kernel(grave.forget_source)(sim, own)
    for depth, visits in enumerate([20, 12, 3, 2]):
        simulated.node(depth)["visits"] = visits
        note(tree, sim.path[depth], sim, own, params)
    assert sim.grave.source.tolist() == [sim.path[0], sim.path[1]]
    assert sim.grave.filled.tolist() == [1, 1]
    leaf = int(simulated.node(2)["first"])
    # Whatever a child knows itself, here 0.25 of 7 visits, the ancestor's values count.
    found = {
        move: amaf_of(0.25, 7.0, view(tree).nodes[leaf + move], 0, sim, own, params)
        for move in (4, 1)
    }
    assert found[4] == (1.0, 1.0)  # only the ancestor saw move 4
    assert found[1][1] == 0.0


# --- poolRAVE -------------------------------------------------------------------------------------


def test_the_pool_has_the_best_moves_of_the_deepest_node_with_enough_visits():
    config = SearchConfig(rave="mse", pool=0.5, pool_size=3, pool_visits=5)
    simulated = Simulated([4, 0, 8, 2], [0, 1, 0, 1], [1.0, 0.0], 2, config)
    tree, sim = simulated.tree, simulated.sim
    for depth, visits in enumerate([50, 7, 4]):
        simulated.node(depth)["visits"] = visits
    first = int(simulated.node(1)["first"])
    tree.nodes["amaf_visits"][first : first + 9] = [5, 6, 9, 4, 20, 7, 0, 5, 5]
    means = np.array([0.1, 0.9, 0.3, 1.0, 0.8, 0.2, 0.0, 0.85, 0.4])
    tree.nodes["amaf_value"][first : first + 9] = (
        means * tree.nodes["amaf_visits"][first : first + 9] * t.SCALE
    )
    fill = simulated.kernel(pool.fill_pool)
    fill(tree, sim, simulated.own, simulated.params)
    assert sim.pool.count == 3
    assert sim.pool.moves.tolist() == [1, 7, 4]
    tree.nodes["visits"] = 4
    fill(tree, sim, simulated.own, simulated.params)
    assert sim.pool.count == 0
