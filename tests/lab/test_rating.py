"""Ratings of many players: cases solved by hand, properties, and how often the errors are right."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.errors import ConfigError
from tesuji.lab.rating import crosstable, rate
from tesuji.lab.stats import elo, expected

SIGMAS = 1.959964
ELO = 400 / math.log(10)

# Odds of 4 : 2 : 1, and results that fit them exactly.
THREE = [("a", "b", 4, 6), ("b", "c", 4, 6), ("a", "c", 4, 5)]


def by_name(lines):
    return {line.name: line for line in lines}


@pytest.mark.parametrize(("points", "games"), [(50, 100), (64, 100), (12.5, 20), (1999, 2000)])
def test_two_players_by_hand(points, games):
    """The difference is elo(p), its standard error that of p times the slope of Elo."""
    p = points / games
    error = SIGMAS * ELO * math.sqrt(1 / (games * p * (1 - p)))
    found = by_name(rate([("a", "b", points, games)], anchor="b", anchor_rating=1000))
    assert found["a"].rating == pytest.approx(1000 + elo(p))
    assert found["a"].high - found["a"].rating == pytest.approx(error)
    assert found["a"].rating - found["a"].low == pytest.approx(error)
    assert (found["b"].rating, found["b"].low, found["b"].high) == (1000, 1000, 1000)
    assert (found["a"].games, found["a"].score) == (games, p)
    assert (found["b"].games, found["b"].score) == (games, pytest.approx(1 - p))


def test_two_players_without_an_anchor_share_the_difference():
    anchored = by_name(rate([("a", "b", 64, 100)], anchor="b"))["a"]
    free = by_name(rate([("a", "b", 64, 100)], anchor_rating=500))
    assert free["a"].rating - 500 == pytest.approx(anchored.rating / 2)
    assert free["b"].rating + free["a"].rating == pytest.approx(1000)
    assert free["b"].high - free["b"].low == pytest.approx((anchored.high - anchored.low) / 2)


def test_three_players_by_hand():
    """The information of the pairings is 4/3, 4/3 and 4/5, so the variances are 15/22 and 6/11."""
    found = by_name(rate(THREE, anchor="c"))
    double = 400 * math.log10(2)
    assert found["a"].rating == pytest.approx(2 * double)
    assert found["b"].rating == pytest.approx(double)
    assert found["a"].high - found["a"].rating == pytest.approx(SIGMAS * ELO * math.sqrt(15 / 22))
    assert found["b"].high - found["b"].rating == pytest.approx(SIGMAS * ELO * math.sqrt(6 / 11))
    assert not any(line.corrected for line in found.values())


def test_a_circle_of_winners_is_level():
    lines = rate([("a", "b", 3, 4), ("b", "c", 3, 4), ("c", "a", 3, 4)])
    assert [line.name for line in lines] == ["a", "b", "c"]
    assert [line.rating for line in lines] == pytest.approx([0, 0, 0], abs=1e-9)


def test_ratings_through_a_common_opponent_add_up():
    """Players who never met differ by the sum of the differences, and so do the variances."""
    found = by_name(rate([("a", "b", 70, 100), ("b", "c", 60, 100)], anchor="c"))
    assert found["a"].rating == pytest.approx(elo(0.7) + elo(0.6))
    variance = ELO**2 * (1 / (100 * 0.21) + 1 / (100 * 0.24))
    assert found["a"].high - found["a"].rating == pytest.approx(SIGMAS * math.sqrt(variance))


def test_a_lopsided_result_converges():
    best, worst = rate([("a", "b", 999_999, 1_000_000)])
    assert best.rating - worst.rating == pytest.approx(elo(0.999999))


PAIRING = st.sampled_from([("a", "b"), ("b", "c"), ("c", "d"), ("a", "d"), ("a", "c")])
HALVES = st.integers(0, 40)
RESULT = st.tuples(PAIRING, HALVES, HALVES).map(
    lambda r: (*r[0], min(r[1:]) / 2, max(max(r[1:]) / 2, 1))
)
CHAIN = [("a", "b", 1, 2), ("b", "c", 1, 3), ("c", "d", 3, 4)]  # so that everybody is connected


@given(st.lists(RESULT, max_size=8), st.data())
def test_the_order_of_results_and_sides_changes_nothing(results, data):
    results = CHAIN + results
    shuffled = data.draw(st.permutations(results))
    turned = [
        (b, a, games - points, games) if data.draw(st.booleans()) else (a, b, points, games)
        for a, b, points, games in shuffled
    ]
    assert rate(turned, anchor="b") == rate(results, anchor="b")


@given(st.lists(RESULT, max_size=8))
def test_most_likely_ratings_expect_the_points_that_were_made(results):
    """The gradient of the likelihood is 0: a check that knows nothing of how it was reached."""
    results = CHAIN + results
    found = by_name(rate(results))
    surplus = dict.fromkeys("abcd", 0.0)
    for a, b, points, games in results:
        wanted = games * expected(found[a].rating - found[b].rating)
        surplus[a] += points - wanted
        surplus[b] -= points - wanted
    assert list(surplus.values()) == pytest.approx([0] * 4, abs=1e-5)
    assert sum(line.rating for line in found.values()) == pytest.approx(0, abs=1e-6)


@given(st.lists(RESULT, max_size=8), st.sampled_from("abcd"))
def test_an_anchor_shifts_all_ratings_alike(results, anchor):
    free, anchored = by_name(rate(CHAIN + results)), by_name(rate(CHAIN + results, anchor=anchor))
    shifts = [free[name].rating - anchored[name].rating for name in "abcd"]
    assert shifts == pytest.approx([free[anchor].rating] * 4, abs=1e-6)


def test_a_player_who_won_everything_gets_a_draw_more():
    """10 of 10 becomes 10.5 of 11; games and score stay those that were played."""
    best, worst = rate([("a", "b", 10, 10)])
    assert (best.name, best.games, best.score, best.corrected) == ("a", 10, 1, True)
    assert best.rating - worst.rating == pytest.approx(elo(10.5 / 11))
    assert worst.corrected


def test_a_group_that_never_lost_to_the_others_is_corrected():
    """Nobody won everything, yet {a, b} lost nothing to {c, d}."""
    results = [("a", "b", 5, 10), ("c", "d", 5, 10), ("a", "c", 10, 10), ("b", "d", 10, 10)]
    lines = rate(results)
    assert all(line.corrected for line in lines)
    assert all(math.isfinite(line.high) for line in lines)
    assert [line.name for line in lines] == ["a", "b", "c", "d"]
    assert not any(line.corrected for line in rate([*results, ("a", "d", 9.5, 10)]))


def test_groups_that_never_met_are_named():
    results = [("a", "b", 5, 10), ("c", "d", 5, 10), ("a", "d", 0, 0)]
    with pytest.raises(ConfigError, match=r"never met.*: a, b \| c, d"):
        rate(results)
    with pytest.raises(ConfigError, match="never met"):
        crosstable(results)


def test_an_unknown_anchor_is_named():
    with pytest.raises(ConfigError, match="anchor 'gnugo' is no player; did you mean 'gnugo0'"):
        rate([("gnugo0", "tesuji", 5, 10)], anchor="gnugo")


@pytest.mark.parametrize("result", [("a", "b", 6, 5), ("a", "b", -1, 5), ("a", "b", 0, math.inf)])
def test_impossible_points_are_refused(result):
    with pytest.raises(ConfigError, match="must be 0 up to the number of games"):
        rate([result])


def test_a_result_against_oneself_is_refused():
    with pytest.raises(ConfigError, match="'a' has a result against itself"):
        rate([("a", "a", 1, 2)])


def test_no_results_make_an_empty_list():
    assert rate([]) == []
    assert crosstable([]) == []


def test_a_cross_table_by_hand():
    """Results of one pairing are pooled, whoever is named first."""
    rows = crosstable([*THREE, ("c", "a", 2.5, 3)])
    assert [row.name for row in rows] == ["a", "b", "c"]
    assert rows[0].cells == (None, (4, 6), (4.5, 8))
    assert rows[1].cells == ((2, 6), None, (4, 6))
    assert rows[2].cells == ((3.5, 8), (2, 6), None)
    assert [(row.points, row.games) for row in rows] == [(8.5, 14), (6, 12), (5.5, 14)]


TRUTH = {"a": 250.0, "b": 120.0, "c": 60.0, "d": 0.0, "e": -130.0, "f": -300.0}


def tournament(rng):
    """Six players of known strength, everybody against everybody, 30 games each."""
    names = list(TRUTH)
    return [
        (a, b, float(rng.binomial(30, expected(TRUTH[a] - TRUTH[b]))), 30)
        for i, a in enumerate(names)
        for b in names[i + 1 :]
    ]


@pytest.mark.parametrize("anchor", [None, "d"])
def test_intervals_hold_the_truth_in_95_of_100_tournaments(anchor):
    """1000 tournaments of 6 players, each within four standard errors, as there are eleven."""
    rng = np.random.Generator(np.random.PCG64(3))
    lists = [by_name(rate(tournament(rng), anchor=anchor)) for _ in range(1000)]
    shares = []
    for name in [name for name in TRUTH if name != anchor]:
        found = [ratings[name] for ratings in lists]
        shares.append(np.mean([line.low <= TRUTH[name] <= line.high for line in found]))
        mean = np.mean([line.rating for line in found])
        print(f"{name}: {shares[-1]:.3f} held, mean {mean:.1f}")
        assert mean == pytest.approx(TRUTH[name], abs=10)
    assert shares == pytest.approx([0.95] * len(shares), abs=4 * math.sqrt(0.95 * 0.05 / 1000))
    assert np.mean(shares) == pytest.approx(0.95, abs=0.01)
