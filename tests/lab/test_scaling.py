"""What threads are worth: the ways to search, speed, and strength as Chaslot (2010) measures it."""

import pytest

from tests.lab.matches import standing_of
from tesuji import ConfigError, SearchConfig, load
from tesuji.lab import Budget, Entrant, Rules
from tesuji.lab.scaling import (
    IN_FLIGHT,
    SINGLE,
    Interval,
    Way,
    evaluate,
    fit,
    plan,
    rating,
    speeds,
    strength,
    tasks,
)
from tesuji.lab.scaling_plot import draw
from tesuji.lab.stats import StrengthScale, wilson

BASE = SearchConfig()
MANGO = StrengthScale(56.7, -175.2, 0.9922)
LADDER = plan(BASE, doublings=4)
MANGO_SCORES = [0.267, 0.336, 0.412, 0.493, 0.574]  # at 1, 2, 4, 8 and 16 seconds a move


def figures(score, games=2000):
    low, high = wilson(score, games)
    return {"games": games, "score": score, "score_low": low, "score_high": high}


def scores(wins, games):
    return [1.0] * wins + [0.0] * (games - wins)


# --- strength ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("score", "printed"), [(0.565, 14.8), (0.499, 8.4), (0.267, 1.0)])
def test_strength_speed_ups(score, printed):
    found = strength(MANGO, figures(score))
    assert found.value == pytest.approx(printed, abs=0.1)
    assert found.low < found.value < found.high


def test_the_interval_is_that_of_the_score():
    """2,000 games: 56.5 % is 54.3 to 58.7 %; E is 29.9 to 61.1, and S = 2^((E + 175.2) / 56.7)."""
    found = strength(MANGO, figures(0.565))
    assert (found.low, found.high) == pytest.approx((12.3, 17.9), abs=0.1)


def test_the_line_of_mango():
    points = {way: figures(score) for way, score in zip(LADDER, MANGO_SCORES, strict=True)}
    line = fit(points)
    assert line.a == pytest.approx(56.7, abs=0.5)
    assert line.b == pytest.approx(-175.2, abs=1)


def test_ratings_stay_finite():
    """A match without a loss counts as one with half a lost game."""
    assert rating(1.0, 50) == rating(0.99, 50)
    assert rating(0.0, 50) == pytest.approx(-rating(1.0, 50))
    assert rating(0.995, 50) == rating(1.0, 50)


def test_a_flat_line_measures_nothing():
    assert strength(StrengthScale(9.9, 0, 0.1), figures(0.5)) is None
    assert strength(StrengthScale(-50, 0, 0.9), figures(0.5)) is None
    extreme = strength(StrengthScale(10, -3000, 0.1), figures(1.0, 10_000_000))
    assert extreme.high < float("inf")


def test_a_line_needs_two_budgets():
    empty = {"games": 0, "score": None}
    assert fit({LADDER[0]: figures(0.5), LADDER[1]: empty}) is None
    assert strength(None, figures(0.5)) is None
    assert strength(MANGO, empty) is None


# --- ways to search ------------------------------------------------------------------------------


def test_a_plan():
    ways = plan(BASE, ["tree", "root@virtual_wins=5"], [1, 2, 4], [1, 16], doublings=2)
    assert [(way.scheme, way.threads, way.factor) for way in ways] == [
        (SINGLE, 1, 1),
        (SINGLE, 1, 2),
        (SINGLE, 1, 4),
        ("tree", 2, 1),
        ("tree", 4, 1),
        ("root@virtual_wins=5", 2, 1),
        ("root@virtual_wins=5", 4, 1),
        (IN_FLIGHT, 16, 1),
    ]
    config = ways[6].config
    assert (config.parallel, config.threads, config.virtual_wins) == ("root", 4, 5)
    assert ways[7].config == SearchConfig(in_flight=16)
    assert len({way.name for way in ways}) == len(ways)
    assert [way.timed for way in ways] == [True, False, False, True, True, True, True, False]


def test_a_way_is_there_once():
    assert len(plan(BASE, ["tree", "tree"], [2, 2], [4, 4])) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["twig"], [2]), "unknown scheme 'twig'; valid: leaf, root, tree"),
        ((["tree"], [0]), "threads is 0, it must be 1 to"),
        (([], [], [0]), "in_flight is 0, it must be 1 to"),
        ((["root@lock=local"], [2]), "lock=local needs parallel=tree"),
        ((["tree@lock"], [2]), "'lock' is not a setting"),
        ((["tree@sims=5"], [2]), "unknown setting 'sims'"),
        ((["tree@threads=3"], [2]), "scheme 'tree@threads=3' sets threads"),
    ],
)
def test_wrong_plans(arguments, message):
    with pytest.raises(ConfigError, match=message):
        plan(BASE, *arguments)


def test_the_base_has_one_thread():
    with pytest.raises(ConfigError, match="threads is 2, it must be left to the schemes"):
        plan(SearchConfig(threads=2), ["tree"], [2])


def test_matches_are_against_one_opponent():
    ways = plan(BASE, ["root"], [2], doublings=1)
    made = tasks("tictactoe", ways, 10, rules=Rules(budget=Budget(seconds=0.5)))
    assert [task.match.budgets[0].seconds for task in made] == [0.5, 1.0, 0.5]
    assert {task.match.budgets[1].seconds for task in made} == {0.5}
    assert made[0].match.b.settings == made[0].match.a.settings
    assert made[2].match.a.settings["threads"] == 2
    named = tasks("tictactoe", ways, 10, opponent=Entrant.parse("random"))
    assert [task.match.budgets[0].sims for task in named] == [1000, 2000, 1000]
    assert {task.match.b.kind for task in named} == {"random"}


# --- all together --------------------------------------------------------------------------------


def test_speeds_have_a_rate_for_each_round(monkeypatch):
    """Uncompiled, which takes no time: no search is timed here, only counted."""
    monkeypatch.setenv("TESUJI_JIT", "0")
    ways = [Way(SINGLE, 1, BASE), Way("other", 2, SearchConfig(c=1.0))]
    shares = []
    rates = speeds(load("tictactoe"), ways, rounds=3, seconds=0.01, watch=shares.append)
    assert [len(found) for found in rates] == [3, 3]
    assert all(rate > 0 for found in rates for rate in found)
    assert shares == pytest.approx([1 / 3, 2 / 3, 1])


def test_speed_ups_are_ratios_within_a_round():
    """The machine was slower in the second round; the third is an outlier."""
    ways = plan(BASE, ["tree"], [2])
    found = evaluate(ways, dict(zip(ways, ([100, 10, 100], [180, 19, 40]), strict=True)), {})
    assert found.rows[0].speed == Interval(1, 1, 1)
    assert found.rows[1].speed == pytest.approx(Interval(1.8, 1.1, 1.85))
    assert found.rows[1].rate == 40
    assert found.rows[1].strength is found.rows[1].figures is found.line is None


def evaluated():
    """One thread wins 4, 8 and 12 of 16 games; two threads win 8, four have not played yet."""
    ways = plan(BASE, ["tree"], [2, 4], doublings=2)
    made = tasks("tictactoe", ways, 16)
    played = [scores(wins, 16) for wins in (4, 8, 12, 8)] + [[]]
    standings = [standing_of(task, found) for task, found in zip(made, played, strict=True)]
    return evaluate(ways, {}, dict(zip(ways, standings, strict=True)))


def test_what_has_been_played_counts():
    found = evaluated()
    assert found.measures
    assert found.line.a == pytest.approx(190.8, abs=0.1)  # 400 log10(3)
    values = [row.strength and row.strength.value for row in found.rows]
    assert values == [pytest.approx(1), pytest.approx(2), pytest.approx(4), pytest.approx(2), None]
    data = found.rows[3].to_json()
    assert (data["scheme"], data["threads"], data["match"]["wins"]) == ("tree", 2, 8)
    assert data["strength"]["value"] == pytest.approx(2)


def test_plots(tmp_path):
    rows = evaluated().rows
    for file in (tmp_path / "a.svg", tmp_path / "b.svg"):
        draw(rows, file, equal_time=True)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert "<svg" in (tmp_path / "a.svg").read_text()
    draw(rows[:1], tmp_path / "nothing.png", equal_time=False)
    assert (tmp_path / "nothing.png").read_bytes().startswith(b"\x89PNG")
