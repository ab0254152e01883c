"""Selection rules: golden values of the kernels that the search runs, and searches with each."""

import math

import numpy as np
import pytest
from scipy.stats import beta, chisquare, kstest

from tests.toys.knowing import game as knowing
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load, methods
from tesuji.compile import stream
from tesuji.compile.plain import interpret, view
from tesuji.search.context import Params, make_params
from tesuji.search.export import to_json
from tesuji.search.parts.rules import RULES, omc_urgency, pbbm_urgency, standard_error

RNG = stream(1, "rules")


def scores(name, parent, children, best=0.0, second=0.0, error=1.0, prior=0.0, **settings):
    """What a rule says about children (mean, visits, variance)."""
    params = np.zeros(1, Params)
    for key, value in {"c": 1.0, "epsilon": 0.1, "greed": 1.0, **settings}.items():
        params[key] = value
    rule = RULES[name]
    seen = view(params)[0]
    shared = rule.shared(parent, len(children), best, second, error, seen, RNG)
    return [rule.score(v, n, variance, prior, shared, seen, RNG) for v, n, variance in children]


def coin(v, n):
    """A child whose rewards were 0 and 1."""
    return v, n, v - v * v


@pytest.mark.parametrize(
    ("c", "expected"), [(0.7, [0.7124, 0.5743, 0.7359]), (0.43, [0.6305, 0.4685, 0.6063])]
)
def test_uct(c, expected):
    """Chaslot 2010: n_parent = 100, children (v, n) = (0.5, 50), (0.3, 30), (0.4, 20)."""
    children = [coin(0.5, 50), coin(0.3, 30), coin(0.4, 20)]
    assert scores("uct", 100, children, c=c) == pytest.approx(expected, abs=5e-5)


def test_a_parent_without_visits_explores_nothing():
    assert scores("uct", 0, [coin(0.5, 1)]) == scores("uct", 1, [coin(0.5, 1)]) == [0.5]


def test_ucb1_tuned():
    """Chaslot 2010: rewards in {0, 1}, C = 1."""
    few = scores("ucb1-tuned", 100, [coin(0.6, 50), coin(0.5, 30), coin(0.9, 20)])
    assert few == pytest.approx([0.7517, 0.6959, 1.1399], abs=5e-5)
    [many] = scores("ucb1-tuned", 5000, [coin(0.98, 2000)])  # V = 0.1119, below 1/4
    assert many == pytest.approx(1.00183, abs=5e-6)


@pytest.mark.parametrize(
    ("mean", "error", "urgency"),
    [(0.5, 0.1, 1.0), (0.4, 0.1, 0.3173), (0.3, 0.1, 0.0455), (0.3, 0.2, 0.3173)],
)
def test_omc_urgency(mean, error, urgency):
    """Chaslot 2010: the best child's value is 0.5."""
    assert omc_urgency(mean, error, 0.5, 1.0) == pytest.approx(urgency, abs=5e-5)


@pytest.mark.parametrize(("mean", "urgency"), [(0.499, 0.6171), (0.498, 0.3173), (0.49, 5.7e-7)])
def test_greedy_omc_urgency(mean, urgency):
    """Chaslot 2010, appendix A: the best child's value is 0.5, the standard error 0.1, G = 50."""
    assert omc_urgency(mean, 0.1, 0.5, 50.0) == pytest.approx(urgency, rel=6e-3)


def test_greed_makes_omc_greedier():
    """Of 100 and 10 visits: 0.4 +- 0.155 is urgent enough beside 0.5, and at G = 75 it is not."""
    children = [coin(0.5, 100), coin(0.4, 10)]
    plain = scores("omc", 110, children, best=0.5, error=0.05)
    greedy = scores("omc", 110, children, best=0.5, error=0.05, greed=75.0)
    assert plain[1] > plain[0] == greedy[0] == 1 / 100
    assert greedy[1] < 1e-300


@pytest.mark.parametrize(
    ("mean", "error", "urgency"),
    [(0.5, 0.1, 1.0), (0.4, 0.1, 0.3012), (0.3, 0.1, 0.0907), (0.3, 0.2, 0.2192)],
)
def test_pbbm_urgency(mean, error, urgency):
    """Chaslot 2010: the best child's value is 0.5, its standard error 0.1."""
    assert pbbm_urgency(mean, error, 0.5, 0.1) == pytest.approx(urgency, abs=5e-5)


@pytest.mark.parametrize("name", ["omc", "pbbm"])
def test_fairness_divides_the_urgency_by_the_visits(name):
    urgency = {
        "omc": lambda v, e, b: omc_urgency(v, e, b, 1.0),
        "pbbm": lambda v, e, b: pbbm_urgency(v, e, b, 0.05),
    }[name]
    children = [coin(0.5, 100), coin(0.4, 10)]
    errors = [0.05, math.sqrt(0.24 / 10)]
    expected = [urgency(v, e, 0.5) / n for (v, n, _), e in zip(children, errors, strict=True)]
    assert scores(name, 110, children, best=0.5, error=0.05) == pytest.approx(expected)
    assert expected[1] > expected[0]  # ten times fewer visits, more than a tenth of the urgency


def test_a_standard_error_is_never_zero():
    assert standard_error(0.25, 100) == pytest.approx(0.05)
    assert standard_error(0.0, 8) == 1 / 8
    assert standard_error(-1e-17, 8) == 1 / 8  # rounding


def test_moss():
    """N = 100 and K = 2: ln(100 / (2 * 5)) / 5, and nothing once n exceeds N / K."""
    found = scores("moss", 100, [coin(0.5, 5), coin(0.5, 60)])
    assert found == pytest.approx([0.5 + math.sqrt(math.log(10) / 5), 0.5])
    assert found[0] == pytest.approx(1.1786, abs=5e-5)


def test_ucb_with_a_square_root():
    """0.5 + sqrt(sqrt(100) / 25)."""
    assert scores("ucb-sqrt", 100, [coin(0.5, 25)]) == pytest.approx([1.1325], abs=5e-5)


def voi(children, best, second):
    """The values of information themselves; the rule gives their logarithms."""
    return [math.exp(s) for s in scores("voi", 100, children, best=best, second=second)]


def test_value_of_information():
    """By hand: 0.5 / 11 exp(-2 * 0.1^2 * 10), and 0.4 / (n + 1) exp(-2 (0.6 - v)^2 n)."""
    children = [coin(0.6, 10), coin(0.5, 5), coin(0.2, 20)]
    expected = [0.5 / 11 * math.exp(-0.2), 0.4 / 6 * math.exp(-0.1), 0.4 / 21 * math.exp(-6.4)]
    assert expected == pytest.approx([0.037215, 0.060322, 3.1649e-5], rel=1e-4)
    assert voi(children, 0.6, 0.5) == pytest.approx(expected)


def test_children_that_share_the_first_place_are_both_best_and_second():
    """All lost so far: one that wins would change the choice, so every visit is worth something."""
    assert voi([coin(0.0, 3), coin(0.0, 1)], 0.0, 0.0) == pytest.approx([1 / 4, 1 / 2])
    assert voi([coin(0.8, 3), coin(0.8, 1)], 0.8, 0.8) == pytest.approx([0.8 / 4, 0.8 / 2])


def test_the_value_of_information_does_not_vanish():
    """Where nothing can be gained, or very little, the child with fewer visits is worth more."""
    certain = scores("voi", 90, [coin(1.0, 40), coin(0.0, 30), coin(0.0, 20)], best=1.0, second=0.0)
    assert np.argmax(certain) == 2
    many = scores("voi", 10**6, [coin(0.9, 10**5), coin(0.1, 5000), coin(0.1, 4000)], 0.9, 0.1)
    assert np.argmax(many) == 2
    assert np.all(np.isfinite(certain + many))


def test_an_only_child_is_followed():
    assert np.isfinite(scores("voi", 5, [coin(0.5, 5)], best=0.5, second=-1.0)).all()


def test_single_player_uct():
    """0.5 + 0.1 sqrt(ln 100 / 10) + sqrt(0.25 + 0.2 / 10); then a child that never varied."""
    found = scores("sp-uct", 100, [coin(0.5, 10), coin(1.0, 4)], c=0.1, deviation=0.2)
    assert found == pytest.approx([1.087477, 1.330905], abs=5e-7)
    # The same from the sums of the paper: five wins in ten games, sum of x^2 = 5.
    spread = math.sqrt((5 - 10 * 0.5**2 + 0.2) / 10)
    assert found[0] == pytest.approx(0.5 + 0.1 * math.sqrt(math.log(100) / 10) + spread)


@pytest.mark.parametrize(
    ("spec", "points_a_reward", "settings"),
    [
        ("samegame", 6568, {}),  # from -506 to 6,062 points
        ("samegame:size=6x6,colours=4", 1178, {}),
        ("samegame", 6568, {"c": 0.9, "deviation": 0.9}),  # points come first
    ],
)
def test_constants_in_points_are_divided_by_the_range_of_scores(spec, points_a_reward, settings):
    """C = 0.5 and D = 10,000 order children by their rewards as they do by their points."""
    game = load(spec)
    low, high = game.score_range
    assert high - low == points_a_reward
    params = make_params(game, methods.load("sp-uct", spec).changed(settings))[0]
    points = [(2500.0, 40, 300.0**2), (2300.0, 10, 500.0**2), (2600.0, 3, 90.0**2)]
    rewards = [(v / (high - low), n, s / (high - low) ** 2) for v, n, s in points]
    paper = scores("sp-uct", 60, points, c=0.5, deviation=10_000.0)
    ours = scores("sp-uct", 60, rewards, c=params["c"], deviation=params["deviation"])
    assert [(high - low) * score for score in ours] == pytest.approx(paper)


def test_constants_in_points_are_those_of_the_method_elsewhere():
    """To two digits, on a board of 15x15 with five colours."""
    game, config = load("samegame"), methods.load("sp-uct")
    params = make_params(game, methods.load("sp-uct", "samegame"))[0]
    assert config.c == pytest.approx(params["c"], rel=0.01)
    assert config.deviation == pytest.approx(params["deviation"], rel=0.01)


def test_points_need_a_range_of_scores():
    with pytest.raises(ConfigError, match=r"c_points is 0\.5, but hex does not say which scores"):
        Searcher(load("hex:size=3"), SearchConfig(c_points=0.5), jit=False)


def test_puct():
    """v + c P sqrt(N) / (1 + n), also for a child without visits, whose mean is `fpu`."""
    [visited] = scores("puct", 100, [(0.5, 4, 0.0)], prior=0.3, c=2.0)
    [unvisited] = scores("puct", 100, [(0.4, 0, 0.0)], prior=0.3, c=2.0)
    assert visited == pytest.approx(0.5 + 2 * 0.3 * 10 / 5)
    assert unvisited == pytest.approx(0.4 + 2 * 0.3 * 10)


@pytest.mark.parametrize(("won", "lost"), [(0, 0), (1, 0), (7, 3), (200, 100)])
def test_thompson_draws_from_a_beta_distribution(won, lost):
    visits = won + lost
    child = (won / visits if visits else 0.5, visits, 0.0)
    rule = RULES["thompson"]
    draw = interpret(lambda rng: rule.score(*child, 0.0, 0.0, None, rng))
    rng = stream(2, "thompson", won)
    drawn = [draw(rng) for _ in range(3000)]
    assert kstest(drawn, beta(won + 1, lost + 1).cdf).pvalue > 1e-3


def test_greedy_follows_the_mean_except_for_a_share_of_random_choices():
    children = [coin(0.2, 10), coin(0.9, 10), coin(0.5, 10)]
    assert scores("greedy", 30, children, epsilon=0.0) == [0.2, 0.9, 0.5]
    chosen = np.zeros(3)
    draw = interpret(lambda: scores("greedy", 30, children, epsilon=0.3))
    for _ in range(3000):
        chosen[int(np.argmax(draw()))] += 1
    assert chisquare(chosen, [300, 2400, 300]).pvalue > 1e-3


def with_rule(name):
    if name == "voi":  # at the root: below it every visit counts
        return SearchConfig(root=name, c=0.5, final="max")
    return SearchConfig(select=name, c=0.5, knowledge="squares" if RULES[name].prior else "")


# A compilation takes seconds: the other rules have the shape of one of these.
COMPILED = (
    "puct",
    *(pytest.param(name, marks=pytest.mark.stress) for name in ("omc", "ucb1-tuned", "thompson")),
)


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_and_uncompiled_trees_agree(name):
    game = knowing()
    config = with_rule(name)
    trees = []
    for jit in (True, False):
        searcher = Searcher(game, config, seed=3, jit=jit)
        searcher.search(Position.start(game, jit=jit), Limit(400))
        trees.append(to_json(game, searcher.tree, fewest=1))
    assert trees[0] == trees[1]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(
    ("moves", "only"),
    [("a1 a2 b1 b2", "c1"), ("b2 a1 c1", "a3"), ("a1 b2 c3", None)],
)
def test_every_rule_finds_the_only_move(name, moves, only):
    """A win at once, a threat to stop, and (with several good moves) the edges that draw."""
    position = Position.start(knowing()).play(*moves.split())
    jit = name in COMPILED
    searcher = Searcher(position.game, with_rule(name), seed=5, jit=jit)
    move = searcher.search(position, Limit(3000 if jit else 400)).text
    assert move == only if only else move in ("a2", "b1", "b3", "c2")


def test_squares_are_summed_exactly():
    """With rewards of 0, 1/2 and 1 the sum of squares is what the values say."""
    game = load("tictactoe")
    searcher = Searcher(game, SearchConfig(select="ucb1-tuned"), seed=1, jit=False)
    searcher.search(Position.start(game), Limit(1000))
    nodes = searcher.tree.nodes[1 : searcher.tree.meta[0]["top"]]
    visited = nodes[nodes["visits"] > 0]
    assert len(visited) > 300
    # n0, nh, n1 games: value = nh / 2 + n1, squares = nh / 4 + n1, so 4 (value - squares) = nh.
    halves = 4 * (visited["value"] - visited["squares"]) / (1 << 30)
    assert np.all(halves == np.round(halves))
    assert np.all((halves >= 0) & (halves <= visited["visits"]))


def test_an_unknown_rule():
    with pytest.raises(ConfigError, match="select is 'ucb1tuned'; did you mean 'ucb1-tuned'"):
        SearchConfig(select="ucb1tuned")


OWN = """
import math
import tesuji

def shared(visits, count, best, second, error, params, rng):
    return params.c * math.sqrt(math.log(max(visits, 1)))

def score(mean, visits, variance, prior, shared, params, rng):
    return mean + shared * math.sqrt(1.0 / visits)

def rule():
    return tesuji.Rule(shared, score)
"""


def test_a_rule_of_ones_own_runs_compiled(tmp_path):
    """UCT, written by a user, grows the same tree as UCT."""
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    game = load("tictactoe")
    trees = []
    for select in ("uct", str(path)):
        searcher = Searcher(game, SearchConfig(select=select), seed=3)
        searcher.search(Position.start(game), Limit(500))
        trees.append(to_json(game, searcher.tree))
    assert trees[0] == trees[1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x = 1", "is no rule: it does not define a function rule"),
        ("def rule(): return 3", r"rule\(\) returned 3, it must return a tesuji.Rule"),
        ("def rule(): return 1 / 0", r"rule\(\) raised ZeroDivisionError"),
        ("import nothing_at_all", "cannot be loaded"),
    ],
)
def test_wrong_rules_are_refused(content, message, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(content)
    with pytest.raises(ConfigError, match=message):
        SearchConfig(select=str(path))


def test_a_rule_that_is_not_there():
    with pytest.raises(ConfigError, match=r"cannot read the rule nowhere.py: No such file"):
        SearchConfig(select="nowhere.py")
