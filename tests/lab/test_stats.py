"""Statistics of matches: printed values, properties, and how often the answers are right."""

import itertools
import json
import math
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from scipy.stats import binomtest, norm

from tesuji.errors import ConfigError
from tesuji.lab.stats import (
    PAIR_SCORES,
    Sprt,
    SprtWatch,
    StrengthScale,
    Tally,
    colour_bias,
    design_effect,
    elo,
    expected,
    fit_strength,
    normal_interval,
    summary,
    tally,
    wilson,
)

SCORE = st.sampled_from([0.0, 0.5, 1.0])
SCORES = st.lists(SCORE, min_size=1, max_size=60)
GAPPY = st.lists(st.none() | SCORE, max_size=60)

MATCHES = 2000  # of each simulation
MANGO = StrengthScale(56.7, -175.2, 0.9922)  # Chaslot 2010, chapter 7


def swapped(scores):
    """The same match seen by the other player."""
    return [None if score is None else 1 - score for score in scores]


# ---------------------------------------------------------------------------- Elo and intervals


@pytest.mark.parametrize(
    ("d", "p"),
    [
        (0, 0.5),
        (10, 0.5144),
        (50, 0.5715),
        (100, 0.6401),
        (200, 0.7597),
        (300, 0.8490),
        (400, 0.9091),
        (500, 0.9468),
        (600, 0.9693),
    ],
)
def test_the_printed_table_of_elo(d, p):
    """Schaefers 2014."""
    assert expected(d) == pytest.approx(p, abs=5e-5)
    assert elo(expected(d)) == pytest.approx(d, abs=1e-9)


def test_certain_results_have_no_finite_elo():
    assert (elo(1), elo(0)) == (math.inf, -math.inf)
    assert (expected(math.inf), expected(-math.inf)) == (1, 0)
    assert expected(-1e9) == 0


@given(st.floats(-1500, 1500))
def test_elo_is_symmetric(d):
    assert elo(expected(d)) == pytest.approx(d, abs=1e-6)
    assert expected(d) + expected(-d) == pytest.approx(1)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("wins", "games"), [(0, 7), (1, 1), (3, 10), (50, 100), (1999, 2000)])
def test_wilson_agrees_with_scipy(wins, games, confidence):
    ours = wilson(wins / games, games, confidence)
    theirs = binomtest(wins, games).proportion_ci(confidence, method="wilson")
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_wilson_ends_exactly_at_0_and_1():
    assert wilson(0, 13)[0] == 0
    assert wilson(1, 13)[1] == 1


@given(st.floats(0, 1), st.floats(0.1, 1e6))
def test_wilson_holds_the_score_and_narrows_with_more_games(score, games):
    low, high = wilson(score, games)
    assert 0 <= low <= score <= high <= 1
    more_low, more_high = wilson(score, 2 * games)
    assert more_high - more_low < high - low


def test_wilson_of_an_effective_number_of_games_lies_between():
    assert wilson(0.3, 50)[0] < wilson(0.3, 50.5)[0] < wilson(0.3, 51)[0]


@pytest.mark.parametrize(
    ("p", "n", "half"),
    [(0.5, 1000, 0.031), (0.5, 2000, 0.022), (0.267, 2000, 0.0195), (0.365, 500, 0.0425)],
)
def test_the_interval_of_the_theses(p, n, half):
    """Pepels 2014, and the tables 7.1 to 7.5 of Chaslot 2010 (2.0 % and 4.3 % there)."""
    assert normal_interval(p, n) == pytest.approx(half, abs=5e-4)


@pytest.mark.parametrize(
    "call",
    [
        lambda: elo(1.5),
        lambda: wilson(-0.1, 5),
        lambda: wilson(0.5, 0),
        lambda: wilson(0.5, 5, 95),
        lambda: normal_interval(0.5, 0),
        lambda: tally([1.0, 0.7]),
        lambda: Sprt(5, 5),
        lambda: Sprt(0, math.inf),
        lambda: Sprt(math.nan, 5),
        lambda: Sprt(0, 5, alpha=0),
        lambda: Sprt(0, 5, beta=0.5),
        lambda: fit_strength([1, 2], [5]),
        lambda: fit_strength([2, 2], [5, 6]),
        lambda: fit_strength([0, 2], [5, 6]),
        lambda: StrengthScale(0, 5, 0).speed_up(5),
        lambda: MANGO.rating(0),
    ],
)
def test_wrong_values_are_refused(call):
    with pytest.raises(ConfigError, match="must be"):
        call()


# -------------------------------------------------------------------------------------- Counting


def test_a_tally_by_hand():
    scores = [1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.0, 0.5, 0.0, 0.0, None, 1.0, 0.0, None, 1.0]
    match = tally(scores)
    assert match == Tally(wins=5, draws=4, losses=4, pentanomial=(1, 1, 1, 1, 1))
    assert (match.games, match.pairs, match.unpaired) == (13, 5, 3)
    assert match.score == 7 / 13


@given(GAPPY)
def test_swapping_players_mirrors_the_tally(scores):
    match, mirror = tally(scores), tally(swapped(scores))
    assert (match.wins, match.draws, match.losses) == (mirror.losses, mirror.draws, mirror.wins)
    assert match.pentanomial == mirror.pentanomial[::-1]
    assert match.games == 2 * match.pairs + match.unpaired


@given(GAPPY, GAPPY)
def test_tallies_of_whole_pairs_add_up(first, second):
    first = [*first, None] if len(first) % 2 else first
    a, b, both = tally(first), tally(second), tally(first + second)
    assert both.games == a.games + b.games
    assert both.wins == a.wins + b.wins
    sums = np.add(a.pentanomial, b.pentanomial)
    assert list(both.pentanomial) == list(sums)


def test_the_design_effect_by_hand():
    """Of independent games it is 1; the estimate is shrunk by 3 degrees of freedom."""
    assert design_effect(Tally(0, 0, 0, (0, 0, 0, 0, 0))) == 1
    assert design_effect(Tally(1, 0, 1, (0, 0, 1, 0, 0))) == 1  # one pair shows no variance
    same_winner = Tally(50, 0, 50, (25, 0, 0, 0, 25))
    assert design_effect(same_winner) == pytest.approx((2 * 50 + 3) / (49 + 3))
    one_each = Tally(50, 0, 50, (0, 0, 50, 0, 0))
    assert design_effect(one_each) == pytest.approx(3 / 52)
    independent = Tally(400, 0, 400, (100, 0, 200, 0, 100))
    assert design_effect(independent) == pytest.approx(1, abs=0.005)


# --------------------------------------------------------------------------------------- Summary

KEYS = {
    "games",
    "wins",
    "losses",
    "draws",
    "score",
    "score_low",
    "score_high",
    "elo",
    "elo_low",
    "elo_high",
    "los",
    "pentanomial",
}
TEST_KEYS = {"sprt", "llr", "llr_low", "llr_high"}


@given(GAPPY)
def test_a_summary_is_json_with_fixed_keys(scores):
    assert set(summary(scores)) == KEYS
    table = summary(scores, Sprt(0, 50))
    assert set(table) == KEYS | TEST_KEYS
    assert json.loads(json.dumps(table, allow_nan=False)) == table


def test_a_summary_by_hand():
    """60 wins of 100 games, in pairs as of independent games: the design effect is 53/52."""
    scores = [1, 1] * 18 + [1, 0] * 24 + [0, 0] * 8
    table = summary(scores)
    assert (table["games"], table["wins"], table["losses"], table["draws"]) == (100, 60, 40, 0)
    assert (table["score_low"], table["score_high"]) == pytest.approx((0.5020, 0.6906), abs=5e-5)
    assert table["elo"] == pytest.approx(70.44, abs=0.005)
    assert table["elo_low"] == pytest.approx(elo(wilson(0.6, 100 * 52 / 53)[0]))
    assert table["elo_high"] == pytest.approx(elo(wilson(0.6, 100 * 52 / 53)[1]))
    assert table["los"] == pytest.approx(norm.cdf(2 * math.sqrt(52 / 53)))


def test_nothing_played_says_nothing():
    table = summary([None, None], Sprt(0, 50))
    assert table["games"] == 0
    assert {table[key] for key in ("score", "score_low", "elo", "elo_high", "los")} == {None}
    assert (table["sprt"], table["llr"]) == ("continue", 0)


def test_a_match_without_losses_counts_one_more_draw():
    table = summary([1.0] * 10)
    assert table["elo"] == pytest.approx(elo(10.5 / 11))
    assert table["elo_low"] == pytest.approx(elo(10 / (10 + norm.ppf(0.975) ** 2)))
    assert table["elo_high"] is None
    assert table["score_high"] == 1


@given(st.integers(0, 60), st.integers(0, 60))
def test_superiority_of_lone_decisive_games(wins, losses):
    """Without pairs and draws it is the usual Phi((w - l) / sqrt(w + l))."""
    scores = [score for win in [1.0] * wins + [0.0] * losses for score in (win, None)]
    if scores:
        usual = norm.cdf((wins - losses) / math.sqrt(wins + losses))
        assert summary(scores)["los"] == pytest.approx(usual, abs=1e-12)


@given(SCORES)
def test_estimates_are_ordered_and_agree(scores):
    table = summary(scores)
    assert table["score_low"] <= table["score"] <= table["score_high"]
    if table["elo_low"] is not None:
        assert table["elo_low"] <= table["elo"] + 1e-9
        if abs(table["elo_low"]) > 1e-9:
            assert (table["los"] > 0.975) == (table["elo_low"] > 0)
    if table["elo_high"] is not None:
        assert table["elo"] <= table["elo_high"] + 1e-9


@given(SCORES)
def test_swapping_players_mirrors_the_summary(scores):
    table, mirror = summary(scores), summary(swapped(scores))
    assert table["elo"] == pytest.approx(-mirror["elo"], abs=1e-6)
    assert table["los"] == pytest.approx(1 - mirror["los"], abs=1e-9)
    if table["elo_low"] is None:
        assert mirror["elo_high"] is None
    else:
        assert table["elo_low"] == pytest.approx(-mirror["elo_high"], abs=1e-6)


# ------------------------------------------------------------------------------- Sequential test


def test_the_bounds_of_wald():
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=5e-4)
    assert Sprt(0, 5, alpha=0.01, beta=0.1).bounds == pytest.approx((-2.293, 4.500), abs=5e-4)


def test_the_ratio_of_two_totals_by_hand():
    """Only totals 0 and 2: the most likely distributions are s and 1 - s, as for a coin."""
    test = Sprt(0, 100)
    s1 = expected(100)
    by_hand = 70 * math.log(s1 / 0.5) + 30 * math.log((1 - s1) / 0.5)
    assert test.llr_of((30, 0, 0, 0, 70)) == pytest.approx(by_hand, rel=0.03)


def test_even_pairs_speak_for_equality_by_hand():
    """Totals of 1 only: with mean s1 > 1/2 at most 2 (1 - s1) of the pairs can be even."""
    by_hand = 20 * math.log(2 * (1 - expected(100)))
    assert Sprt(0, 100).llr([1.0, 0.0] * 20) == pytest.approx(by_hand, rel=0.03)


@pytest.mark.parametrize("counts", [(3, 9, 30, 14, 6), (1, 2, 3, 4, 5), (200, 1, 700, 2, 300)])
def test_the_ratio_agrees_with_a_general_optimiser(counts):
    test = Sprt(-20, 60)
    values = [_best_log_likelihood(counts, expected(e)) for e in (test.elo1, test.elo0)]
    assert test.llr_of(counts) == pytest.approx(values[0] - values[1], abs=1e-4)


def _best_log_likelihood(counts, mean):
    counts = np.array(counts)
    found = minimize(
        lambda p: -counts @ np.log(p) / counts.sum(),
        np.full(5, 0.2),
        jac=lambda p: -counts / p / counts.sum(),
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ np.array(PAIR_SCORES) - mean},
        ],
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 500},
    )
    assert found.success
    return -found.fun * counts.sum()


def test_the_ratio_of_a_long_match_is_that_of_its_normal_approximation():
    """Van den Bergh: N (s1 - s0) (2 m - s0 - s1) / (2 variance)."""
    counts = np.array([500, 2000, 5400, 2200, 600])
    scores = np.array(PAIR_SCORES)
    mean = counts @ scores / counts.sum()
    variance = counts @ (scores - mean) ** 2 / counts.sum()
    s0, s1 = expected(0), expected(5)
    normal = counts.sum() * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 5).llr_of(counts.tolist()) == pytest.approx(normal, rel=0.01)


@given(GAPPY, st.sampled_from([(0, 100), (-30, 20), (300, 500), (-2000, 2000)]))
def test_swapping_players_turns_the_ratio(scores, elos):
    low, high = elos
    ratio = Sprt(low, high).llr(scores)
    assert Sprt(-high, -low).llr(swapped(scores)) == pytest.approx(-ratio, abs=1e-6)


@given(st.lists(st.tuples(SCORE, SCORE), max_size=40))
def test_the_ratio_knows_only_whole_pairs_not_their_order(pairs):
    scores = list(itertools.chain(*pairs))
    test = Sprt(0, 50)
    assert test.llr(scores[::-1]) == pytest.approx(test.llr(scores), abs=1e-9)
    assert test.llr([*scores, 1.0, None, None, 0.0]) == test.llr(scores)


def test_the_test_stops_at_the_first_pair_beyond_a_bound():
    test = Sprt(0, 100)
    stop = test.stop([1.0] * 100)
    assert test.llr([1.0] * (stop - 2)) < test.bounds[1] <= test.llr([1.0] * stop)
    assert test.verdict([1.0] * 100) == "h1"
    assert test.verdict([0.0] * 100) == "h0"
    assert test.verdict([1.0] * (stop - 1)) == "continue"
    assert test.stop([1.0] * (stop - 1)) is None


def test_a_missing_game_holds_the_test_up():
    scores = [1.0] * 100
    scores[6] = None
    assert Sprt(0, 100).stop(scores) is None
    watch = SprtWatch(Sprt(0, 100))
    watch.stop(scores)
    assert (watch.games, watch.verdict) == (6, "continue")


@given(st.data())
def test_the_verdict_does_not_depend_on_the_order_of_finishing(data):
    scores = data.draw(st.lists(SCORE, min_size=10, max_size=40))
    order = data.draw(st.permutations(range(len(scores))))
    test = Sprt(0, 300)
    watch = SprtWatch(test)
    so_far = [None] * len(scores)
    stops = []
    for number in order:
        so_far[number] = scores[number]
        stops.append(watch.stop(so_far))
    assert stops[-1] == test.stop(scores)
    assert set(stops) <= {None, stops[-1]}
    assert watch.verdict == test.verdict(scores)
    assert watch.llr == test.llr(scores[: watch.games])


def test_the_summary_tells_the_ratio_at_the_decision():
    test = Sprt(0, 100)
    stop = test.stop([1.0] * 100)
    table = summary([1.0] * 100, test)
    assert (table["sprt"], table["llr"]) == ("h1", test.llr([1.0] * stop))
    assert (table["llr_low"], table["llr_high"]) == test.bounds


# ------------------------------------------------------------------------- Simulations of matches


def simulate(rng, matches, games, score, draws=0.0, bias=0.0):
    """Matches in which A's true mean score is ``score``: an array of matches × games.

    Every pair has an opening that is worth ``bias`` Elo to whoever moves first, to whoever moves
    second, or to nobody.  ``draws`` is the share of draws, less where a score leaves no room.
    """
    openings = np.array([-bias, 0.0, bias])
    strength = brentq(lambda e: np.mean([expected(e + b) for b in openings]) - score, -3000, 3000)
    worth = openings[rng.integers(3, size=(matches, games // 2))]
    worth = np.stack([worth, -worth], axis=2).reshape(matches, -1)
    means = np.select([worth == b for b in openings], [expected(strength + b) for b in openings])
    share = np.minimum(draws, 1.6 * np.minimum(means, 1 - means))
    dice = rng.random(means.shape)
    return np.where(dice < means - share / 2, 1.0, np.where(dice < means + share / 2, 0.5, 0.0))


def test_simulated_matches_have_the_score_that_was_asked_for():
    rng = np.random.Generator(np.random.PCG64(1))
    for score, draws, bias in [(0.5, 0, 0), (0.8, 0.4, 0), (0.65, 0.3, 300)]:
        scores = simulate(rng, 1000, 200, score, draws, bias)
        assert scores.mean() == pytest.approx(score, abs=0.005)
        assert bool((scores == 0.5).any()) == (draws > 0)


class RememberingSprt(Sprt):
    """The same test; it remembers ratios, as simulated matches go through the same counts."""

    def llr_of(self, counts):
        return _remembered(Sprt(self.elo0, self.elo1), tuple(counts))


@cache
def _remembered(test, counts):
    return test.llr_of(counts)


def outcomes(test, truth, draws, bias, seed, games=2000):
    """The share of each verdict in simulated matches, and their mean length in games."""
    rng = np.random.Generator(np.random.PCG64(seed))
    watches = [SprtWatch(test) for _ in range(MATCHES)]
    matches = simulate(rng, MATCHES, games, expected(truth), draws, bias)
    for watch, scores in zip(watches, matches, strict=True):
        watch.stop(scores.tolist())
    verdicts = [watch.verdict for watch in watches]
    shares = {v: verdicts.count(v) / MATCHES for v in ("h0", "h1", "continue")}
    return shares, np.mean([watch.games for watch in watches])


def check_errors(elos, draws, bias, games=2000):
    """Both risks are at most 5 %, within three standard errors of the simulation (1.5 %)."""
    test = RememberingSprt(*elos)
    most = 0.05 + 3 * math.sqrt(0.05 * 0.95 / MATCHES)
    at_elo0, length0 = outcomes(test, test.elo0, draws, bias, 11, games)
    at_elo1, length1 = outcomes(test, test.elo1, draws, bias, 12, games)
    print(f"{elos} draws {draws} bias {bias}: false h1 {at_elo0['h1']:.4f} in {length0:.0f} games,")
    print(f"    false h0 {at_elo1['h0']:.4f} in {length1:.0f} games")
    assert at_elo0["continue"] == at_elo1["continue"] == 0
    assert at_elo0["h1"] <= most
    assert at_elo1["h0"] <= most
    return length0, length1


def test_errors_of_the_sequential_test_without_draws():
    lengths = check_errors((0, 100), draws=0, bias=0)
    assert max(lengths) < 90  # a match of fixed length with these risks needs 132 games


def test_errors_of_the_sequential_test_with_draws_and_biased_openings():
    lengths = check_errors((0, 50), draws=0.2, bias=500)
    assert max(lengths) < 120


@pytest.mark.stress
@pytest.mark.parametrize(
    ("elos", "draws", "bias"),
    [
        ((0, 400), 0, 0),
        ((0, 200), 0, 600),
        ((0, 200), 0.4, 500),
        ((-50, 50), 0, 0),
        ((200, 300), 0, 0),
        ((-500, -300), 0.3, 200),
        ((0, 30), 0.8, 0),
        ((0, 50), 0, 800),
        ((0, 100), 0, 600),
    ],
)
def test_errors_of_the_sequential_test_elsewhere(elos, draws, bias):
    check_errors(elos, draws, bias, games=4000)


# One way to make each total of a pair: intervals know no more.
PAIRS = [[0.0, 0.0], [0.0, 0.5], [0.0, 1.0], [0.5, 1.0], [1.0, 1.0]]


def coverage(score, games, draws, bias, matches=MATCHES):
    """How often the 95 % interval of Elo holds the truth."""
    rng = np.random.Generator(np.random.PCG64(5))
    totals = simulate(rng, matches, games, score, draws, bias).reshape(matches, -1, 2).sum(axis=2)
    counts = np.stack([(totals == 2 * s).sum(axis=1) for s in PAIR_SCORES], axis=1)
    held = 0
    for match, times in zip(*np.unique(counts, axis=0, return_counts=True), strict=True):
        table = summary([s for pair, n in zip(PAIRS, match, strict=True) for s in pair * n])
        low = -math.inf if table["elo_low"] is None else table["elo_low"]
        high = math.inf if table["elo_high"] is None else table["elo_high"]
        held += times * (low - 1e-9 <= elo(score) <= high + 1e-9)
    return held / matches


@pytest.mark.parametrize("bias", [0, 200])
@pytest.mark.parametrize("draws", [0, 0.3])
@pytest.mark.parametrize("score", [0.5, 0.65, 0.8, 0.95])
@pytest.mark.parametrize("games", [20, 60, 200])
def test_the_interval_of_elo_holds_the_truth(games, score, draws, bias):
    """In 93 to 98 % of matches, within three standard errors of the simulation (1.5 %)."""
    share = coverage(score, games, draws, bias)
    error = 3 * math.sqrt(0.05 * 0.95 / MATCHES)
    print(f"{score} {games} games, draws {draws}, bias {bias}: {share:.3f}")
    assert 0.93 - error <= share <= 0.98 + error


@pytest.mark.stress
@pytest.mark.parametrize("bias", [0, 100, 200, 400])
@pytest.mark.parametrize("draws", [0, 0.2, 0.4])
def test_the_interval_of_elo_holds_the_truth_in_many_matches(draws, bias):
    """Short matches have few possible results, so 92.6 % and 98.6 % occur among them."""
    grid = itertools.product([0.5, 0.65, 0.8, 0.95], [20, 24, 30, 50])
    shares = [coverage(score, games, draws, bias, 20_000) for score, games in grid]
    print(f"draws {draws}, bias {bias}: {min(shares):.4f} to {max(shares):.4f}")
    assert min(shares) >= 0.925
    assert max(shares) <= 0.987


def test_counting_pairs_is_needed_and_enough():
    """Openings that decide the game: Wilson's interval over games is twice too wide."""
    rng = np.random.Generator(np.random.PCG64(6))
    tables = [summary(s.tolist()) for s in simulate(rng, 50, 200, 0.5, bias=800)]
    over_games = np.mean([elo(t["score_high"]) - elo(t["score_low"]) for t in tables])
    over_pairs = np.mean([t["elo_high"] - t["elo_low"] for t in tables])
    assert over_pairs < 0.8 * over_games


# ------------------------------------------------------------------- Colours and the scale of time


def test_a_bias_for_the_first_by_hand():
    """60 against 40: (10² + 10²) / 50 = 4; draws and missing games do not count."""
    chi2, p = colour_bias([1.0] * 60 + [0.0] * 40 + [0.5] * 30 + [None])
    assert chi2 == pytest.approx(4)
    assert p == pytest.approx(0.0455, abs=5e-5)
    assert colour_bias([0.5, None]) == (0, 1)


@pytest.mark.parametrize(
    ("seconds", "p"), [(1, 0.267), (2, 0.336), (4, 0.412), (8, 0.493), (16, 0.574)]
)
def test_the_regression_line_of_mango(seconds, p):
    assert expected(MANGO.rating(seconds)) == pytest.approx(p, abs=5e-4)


@pytest.mark.parametrize(
    ("p", "printed"),
    [
        (0.267, 1.0),
        (0.320, 1.7),
        (0.380, 3.0),
        (0.468, 6.5),
        (0.565, 14.9),
        (0.313, 1.6),
        (0.379, 3.0),
        (0.365, 2.6),
        (0.329, 1.9),
        (0.338, 2.0),
        (0.402, 3.6),
        (0.499, 8.5),
    ],
)
def test_the_strength_speed_ups_of_mango(p, printed):
    """Tables 7.1 to 7.5 of Chaslot 2010."""
    assert MANGO.speed_up(elo(p)) == pytest.approx(printed, abs=0.1)


def test_a_fit_finds_the_line_and_the_way_back():
    seconds = [1, 2, 4, 8, 16]
    line = fit_strength(seconds, [MANGO.rating(s) for s in seconds])
    assert (line.a, line.b, line.r2) == pytest.approx((56.7, -175.2, 1))
    assert line.speed_up(line.rating(5)) == pytest.approx(5)


def test_a_fit_by_hand():
    """Ratings 0, 30, 30 at 1, 2, 4 seconds: slope 15, intercept 5, r² = 450 / 600."""
    line = fit_strength([1, 2, 4], [0, 30, 30])
    assert (line.a, line.b, line.r2) == pytest.approx((15, 5, 0.75))


def test_a_fit_of_equal_ratings():
    line = fit_strength([1, 2, 4], [30, 30, 30])
    assert (line.a, line.b, line.r2) == pytest.approx((0, 30, 0))


def test_importing_is_fast():
    """The command line imports these modules before it knows whether it needs SciPy."""
    code = (
        "import sys, tesuji.lab.stats, tesuji.lab.rating;"
        "print({'scipy.stats', 'scipy.optimize', 'scipy.special'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
