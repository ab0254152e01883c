"""The bandit lab: plans and choices by hand, runs against reference values."""

from dataclasses import replace

import numpy as np
import pytest

from tesuji.compile import specialise, stream
from tesuji.errors import ConfigError
from tesuji.lab.bandit import (
    POLICIES,
    PROBLEMS,
    Problem,
    checkpoints,
    find_policy,
    find_problem,
    measure,
)
from tesuji.lab.bandit.kernels import (
    Params,
    best_mean,
    choose,
    follow_rounds,
    keep_best,
    leaders,
    make_bandit,
)
from tesuji.lab.bandit.policy import sequential_halving, successive_rejects, uniform
from tesuji.lab.bandit.problem import read_arms
from tesuji.search.parts.rules import RULES

SMALL = Problem("small", (0.6, 0.5, 0.3), 40)


def run_small(name, problem=SMALL, runs=30, **options):
    return measure(problem, find_policy(name), runs=runs, jit=False, **options)


def seen(*arms):
    """A bandit whose arms were pulled and have paid so often."""
    bandit = make_bandit([0.5] * len(arms), [0.0] * len(arms))
    for arm, (visits, wins) in enumerate(arms):
        bandit.visits[arm] = visits
        bandit.wins[arm] = wins
        bandit.means[arm] = wins / max(visits, 1)
    return bandit


# --- problems ------------------------------------------------------------------------------------


def test_the_problems_of_the_paper():
    sizes = [(len(problem.arms), problem.pulls) for problem in PROBLEMS.values()]
    assert sizes == [
        (20, 2000),
        (20, 2000),
        (4, 2000),
        (6, 600),
        (15, 4000),
        (20, 6000),
        (30, 6000),
    ]
    assert all(problem.arms[0] == 0.5 for problem in PROBLEMS.values())
    assert all(max(problem.arms[1:]) < 0.5 for problem in PROBLEMS.values())
    # What uniform sampling loses fixes the sum of the gaps.
    lost = [sum(p.gaps) * p.pulls / len(p.arms) for p in PROBLEMS.values()]
    expected = [190.0, 208.0, 103.1, 58.0, 793.3, 708.0, 486.0]
    assert lost == pytest.approx(expected, abs=0.1)


def test_problems_by_name_and_number():
    assert [find_problem(str(number)) for number in range(1, 8)] == list(PROBLEMS.values())
    assert find_problem("geometric").arms[1] == pytest.approx(0.3631)


def test_checkpoints_begin_with_each_arm_and_end_with_the_last_pull():
    for problem in PROBLEMS.values():
        found = checkpoints(problem)
        assert (found[0], found[-1]) == (len(problem.arms), problem.pulls)
        assert 10 < len(found) < 25
    assert checkpoints(replace(SMALL, pulls=2)) == (2,)


# --- plans ---------------------------------------------------------------------------------------


def pulls_of(plan, arms, pulls):
    """How often each arm was pulled in one run, fewest first."""
    bandit = make_bandit(np.linspace(0.1, 0.9, arms), np.zeros(arms))
    kernel = specialise(follow_rounds, {}, label="a test", jit=False)
    streams = np.stack([stream(1, "pulls")[:2], stream(2, "pulls")[:2]])[None]
    rounds = np.array(plan(arms, pulls), np.int64).reshape(-1, 2)
    kernel(bandit, rounds, pulls, streams, np.zeros((1, 1)), np.zeros((1, 1)))
    return sorted(bandit.visits)


def test_successive_rejects():
    """Five arms, 200 pulls: 22, 28, 37 and 55 of the arms by the end of each round."""
    rounds = successive_rejects(5, 200)
    assert np.cumsum([times for _, times in rounds]).tolist() == [22, 28, 37, 55]
    assert [arms for arms, _ in rounds] == [5, 4, 3, 2]
    assert pulls_of(successive_rejects, 5, 200) == [22, 28, 37, 55, 55]
    assert sum(pulls_of(successive_rejects, 5, 200)) == 197


def test_sequential_halving():
    """Five arms, 200 pulls: 5 x 13, 3 x 22, 2 x 33; the finalists have 68 each."""
    assert sequential_halving(5, 200) == [(5, 13), (3, 22), (2, 33)]
    assert pulls_of(sequential_halving, 5, 200) == [13, 13, 35, 68, 68]
    assert sum(pulls_of(sequential_halving, 5, 200)) == 197


def test_uniform():
    assert pulls_of(uniform, 5, 200) == [40] * 5
    assert pulls_of(uniform, 5, 203) == [40, 40, 41, 41, 41]


def test_few_pulls():
    """Fewer than halving has places for: one each while there are any."""
    assert sequential_halving(8, 10) == [(8, 1), (4, 1), (2, 1)]
    assert pulls_of(sequential_halving, 8, 10) == [1] * 6 + [2] * 2
    assert pulls_of(sequential_halving, 8, 3) == [0] * 5 + [1] * 3
    assert pulls_of(uniform, 8, 3) == [0] * 5 + [1] * 3
    assert pulls_of(successive_rejects, 8, 8) == [0] * 8


@pytest.mark.parametrize("name", POLICIES)
def test_one_arm(name):
    found = run_small(name, Problem("one", (0.3,), 5))
    assert (found.end.error.value, found.end.cumulative.value) == (0, 0)


@pytest.mark.parametrize("name", sorted({*POLICIES} - {"successive-rejects"}))
def test_fewer_pulls_than_arms(name):
    """The first pulls are on random arms, so that the place of the best one does not matter."""
    found = run_small(name, Problem("few", (1.0, 0.0, 0.0, 0.0), 2), runs=400)
    assert found.end.error.value == pytest.approx(0.5, abs=0.1)
    assert found.end.cumulative.value == pytest.approx(1.5, abs=0.1)


# --- choices -------------------------------------------------------------------------------------


def chosen(name, bandit, **settings):
    """The arm that a rule chooses next."""
    rule = RULES[name]
    slots = {"rule": {"shared": rule.shared, "score": rule.score}, "LEADER": rule.leader}
    kernel = specialise(one_choice, slots, label="a test", jit=False)
    params = np.zeros(1, Params)
    for key, value in settings.items():
        params[key] = value
    return kernel(bandit, int(sum(bandit.visits)), params, stream(1, "choice"))


def one_choice(bandit, done, params, rng):
    return choose(bandit, done, params[0], rng)


def test_a_rule_is_that_of_the_search():
    """Chaslot 2010: (v, n) = (0.5, 50), (0.3, 30), (0.4, 20) with C = 0.7 and 0.43."""
    bandit = seen((50, 25), (30, 9), (20, 8))
    assert chosen("uct", bandit, c=0.7) == 2
    assert chosen("uct", bandit, c=0.43) == 0


def test_the_value_of_information():
    """By hand: the leader has 0.5 / 11 exp(-0.2) = 0.0372, the others less or more than that."""
    leader, second = (10, 6), (10, 5)
    assert chosen("voi", seen(leader, second, (100, 1))) == 0
    # (1 - 0.6) / 3 exp(-2 0.1^2 2) = 0.128
    assert chosen("voi", seen(leader, second, (2, 1))) == 2


def test_the_two_leaders():
    best, second, error = leaders(seen((10, 3), (20, 12), (10, 5)))
    assert (best, second) == (0.6, 0.5)
    assert error == pytest.approx((0.24 / 20) ** 0.5)
    assert leaders(seen((10, 6), (10, 6)))[:2] == (0.6, 0.6)


def test_an_arm_without_pulls_is_not_named():
    bandit = seen((0, 0), (3, 0), (0, 0))
    assert {best_mean(bandit, stream(seed, "name")) for seed in range(20)} == {1}
    bandit.order[:] = [0, 1, 2]
    keep_best(bandit, 3, 1, stream(1, "name"))
    assert bandit.order[0] == 1


@pytest.mark.parametrize("name", POLICIES)
def test_ties_are_broken_at_random(name):
    """No arm ever pays, so one of four is named, whatever its place."""
    problem = Problem("dead", (1e-12, 0.0, 0.0, 0.0), 12)
    found = run_small(name, problem, runs=500)
    assert found.end.error.value == pytest.approx(0.75, abs=0.08)


# --- runs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", POLICIES)
def test_an_arm_that_always_pays_is_found(name):
    assert run_small(name, Problem("sure", (0.0, 1.0, 0.0), 30)).end.error.value == 0


def test_seeds():
    first = run_small("ucb1", seed=3)
    assert first.points == run_small("ucb1", seed=3).points
    assert first.points != run_small("ucb1", seed=4).points


@pytest.mark.parametrize("name", ["thompson", "sequential-halving"])
def test_a_look_in_between_changes_nothing(name):
    looked = run_small(name, checkpoints=(10, 20))
    assert [point.pulls for point in looked.points] == [10, 20, 40]
    assert looked.end == run_small(name).end
    assert looked.points[1] == run_small(name, replace(SMALL, pulls=20)).end


@pytest.mark.parametrize("name", ["ucb", "successive-rejects"])
def test_compiled_code_gives_the_same(name):
    problem = Problem("both", (0.5, 0.45, 0.4, 0.4, 0.3), 60)
    compiled = measure(problem, find_policy(name), runs=20, jit=True)
    assert compiled.points == run_small(name, problem, runs=20).points
    assert compiled.pulled == run_small(name, problem, runs=20).pulled


def test_progress_is_told():
    shares = []
    run_small("uniform", checkpoints=(10,), watch=shares.append)
    assert shares == [0.5, 1.0]


def test_intervals():
    """Two arms, one pull: the named arm is right half of the time, and costs 0.2 or nothing."""
    end = run_small("ucb1", Problem("pair", (0.5, 0.3), 1), runs=1000).end
    wrong = end.error.value
    assert wrong == pytest.approx(0.5, abs=0.06)
    assert end.error.margin == pytest.approx(1.96 * 0.5 / 1000**0.5, rel=0.02)
    assert end.simple.value == end.cumulative.value == pytest.approx(0.2 * wrong)
    assert end.simple.high - end.simple.low == pytest.approx(0.4 * end.error.margin, rel=0.02)


# --- reference values of 4,000 runs ---------------------------------------------------------------


def error_of(problem, policy):
    return measure(find_problem(problem), find_policy(policy)).end.error.value


def test_errors_on_problem_1():
    """Uniform 0.44, UCB1 0.29, successive rejects 0.19, sequential halving 0.29."""
    assert error_of("1", "uniform") == pytest.approx(0.438, abs=0.03)
    assert error_of("1", "ucb1") == pytest.approx(0.290, abs=0.03)
    assert error_of("1", "successive-rejects") == pytest.approx(0.185, abs=0.03)
    assert error_of("1", "sequential-halving") == pytest.approx(0.290, abs=0.03)


def test_halving_on_problem_5():
    """At most 0.03, and a quarter of uniform's 0.15 or less."""
    halving = error_of("5", "sequential-halving")
    assert halving <= 0.03
    assert error_of("5", "uniform") >= 4 * halving


def simple(problem, policy, runs):
    return measure(problem, find_policy(policy), runs=runs).end.simple.value


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
def test_plans_that_drop_arms_beat_uniform(problem):
    runs = min(4000, 4_000_000 // problem.pulls)
    worst = simple(problem, "uniform", runs)
    assert simple(problem, "successive-rejects", runs) < worst
    assert simple(problem, "sequential-halving", runs) < worst


REFERENCE = ["ucb1", "ucb-sqrt", "half-greedy", "voi", "successive-rejects", "sequential-halving"]


@pytest.mark.stress
@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
def test_uniform_has_the_highest_simple_regret(problem):
    """On problem 3 half-greedy is nearly as bad: 0.0060 against 0.0064."""
    runs = 40_000 if problem.name == "geometric" else 4000
    worst = simple(problem, "uniform", runs)
    assert all(simple(problem, policy, runs) < worst for policy in REFERENCE)


# --- wrong input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Problem("none", (), 5), "there are 0 arms, there must be 1 to 1,000"),
        (lambda: Problem("odd", (0.5, 1.5), 5), "the chance of an arm is 1.5, it must be 0 to 1"),
        (lambda: Problem("no", (0.5, float("nan")), 5), "the chance of an arm is nan"),
        (lambda: Problem("no", (0.5,), 0), "pulls is 0, it must be 1 to 1,000,000,000"),
        (lambda: find_problem("8"), "there is no problem '8'; valid: arithmetic, "),
        (lambda: find_problem("one-grup"), "did you mean 'one-group'?"),
        (lambda: find_policy("ucb2"), "there is no policy 'ucb2'; did you mean 'ucb"),
        (lambda: read_arms("0.5;0.4"), "the arms are '0.5;0.4'; write their chances with commas"),
        (lambda: find_policy("ucb").tuned(c=-1), "c is -1, it must be 0 or more"),
        (lambda: find_policy("ucb").tuned(epsilon=2), "epsilon is 2, it must be 0 to 1"),
        (lambda: run_small("ucb1", runs=0), "runs is 0, it must be 1 to 1,000,000"),
        (
            lambda: run_small("successive-rejects", replace(SMALL, pulls=2)),
            "pulls is 2, for successive-rejects it must be 3 or more",
        ),
    ],
)
def test_wrong_input(call, message):
    with pytest.raises(ConfigError) as caught:
        call()
    assert message in str(caught.value)


def test_settings_reach_only_policies_that_have_them():
    tuned = {name: policy.tuned(c=0.3, epsilon=0.2) for name, policy in POLICIES.items()}
    assert {name for name in tuned if tuned[name].c == 0.3} == {
        "ucb",
        "ucb1-tuned",
        "ucb-sqrt",
        "moss",
    }
    assert [name for name in tuned if tuned[name].epsilon == 0.2] == ["epsilon-greedy"]


def test_every_policy_has_a_rule_or_a_plan():
    assert all((policy.rule in RULES) != (policy.plan is not None) for policy in POLICIES.values())
