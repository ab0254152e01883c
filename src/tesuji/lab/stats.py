"""What the scores of a match prove: intervals, Elo, a sequential test, a scale of time.

Start at `summary`, which turns the scores of a match into everything that is printed about it.

The scores are those of player A, game by game in the order of their numbers: 0.0, 0.5 or 1.0, and
None for a game that is not there (yet).  Games 2k and 2k+1 are a pair: the same opening with
colours swapped.  The two games of a pair are not independent (an opening that favours one colour
gives one win to each side), so whatever depends on a variance counts pairs.  There are five totals
of a pair, hence "pentanomial".

SciPy is imported inside functions, because it is slow to import.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from tesuji.errors import ConfigError

Scores = Sequence[float | None]
Pentanomial = tuple[int, int, int, int, int]
Verdict = Literal["h0", "h1", "continue"]

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # mean score of a pair, in the order of the pentanomial

# Weight of "games are independent" in `design_effect`, in pairs.  With it the 95 % interval of Elo
# held the truth in 92.6 to 98.6 % of 20,000 simulated matches of every setting (20 to 200 games,
# scores 0.5 to 0.95, up to 40 % draws, openings worth up to 400 Elo to one colour).  Wilson's own
# interval falls to 92.4 % at 20 games.  2 does as well but trusts few pairs more; from 4 on, short
# matches with draws get intervals that are too wide.
PRIOR_PAIRS = 3

# Stands for the count of a cell that is still empty: without it a match without losses would have
# no likelihood at a lower mean.  Stockfish's testing site takes 0.001, for tests of thousands of
# pairs.  In short tests that trusts an empty cell too much: with openings that decide most games,
# true risks were 5.3 and 5.6 % instead of 5 % (20,000 matches, Elo 0 against 100).  With 0.03 they
# are at most 5.1 % wherever we looked.  With much more, tests far from equality err: with 0.5 the
# risk is 23 % between -500 and -300.
EMPTY_CELL = 0.03

MOST_ELO = 2000.0  # of a hypothesis: beyond it, less than one point in 100,000 games


def elo(p: float) -> float:
    """The difference in Elo at which the stronger player's mean score is ``p``.

    >>> round(elo(0.7597))
    200
    """
    _check(0 <= p <= 1, "a mean score", p, "0 to 1")
    if p in (0, 1):
        return math.inf if p else -math.inf
    return 400 * math.log10(p / (1 - p))


def expected(d: float) -> float:
    """The mean score of a player who is ``d`` Elo stronger, the inverse of `elo`."""
    from scipy.special import expit

    return float(expit(d * math.log(10) / 400))


def wilson(score: float, games: float, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval of a mean score; draws count as half a win.

    ``games`` need not be whole: an effective number of games is welcome.

    >>> low, high = wilson(0.5, 100)
    >>> f"{low:.3f} {high:.3f}"
    '0.404 0.596'
    """
    from scipy.special import ndtri

    _check(0 <= score <= 1, "a mean score", score, "0 to 1")
    _check(0 < games < math.inf, "a number of games", games, "more than 0")
    _check(0 < confidence < 1, "a confidence", confidence, "between 0 and 1")
    z2 = float(ndtri((1 + confidence) / 2)) ** 2
    centre = (score + z2 / (2 * games)) / (1 + z2 / games)
    half = math.sqrt(z2 * (score * (1 - score) / games + z2 / (4 * games**2))) / (1 + z2 / games)
    # At 0 and 1 the bound is exact; elsewhere rounding must push neither score nor bound out.
    low = 0.0 if score == 0 else min(max(centre - half, 0.0), score)
    high = 1.0 if score == 1 else max(min(centre + half, 1.0), score)
    return low, high


def normal_interval(p: float, n: float) -> float:
    """Half of the normal 95 % interval of a win rate, as theses print it.

    Chaslot (2010) and Pepels (2014) use it.  It is too short near 0 and 1: use it only beside
    their tables, and `wilson` elsewhere.

    >>> f"{normal_interval(0.5, 1000):.3f}"
    '0.031'
    """
    _check(0 <= p <= 1, "a mean score", p, "0 to 1")
    _check(n > 0, "a number of games", n, "more than 0")
    return 1.96 * math.sqrt(p * (1 - p) / n)


@dataclass(frozen=True)
class Tally:
    """The counts of a match; made by `tally`."""

    wins: int
    draws: int
    losses: int
    pentanomial: Pentanomial  #: pairs in which A made 0, 0.5, 1, 1.5 and 2 points

    @property
    def games(self) -> int:
        """All games that were played."""
        return self.wins + self.draws + self.losses

    @property
    def pairs(self) -> int:
        """Pairs of which both games were played."""
        return sum(self.pentanomial)

    @property
    def unpaired(self) -> int:
        """Games whose partner is missing."""
        return self.games - 2 * self.pairs

    @property
    def score(self) -> float | None:
        """The mean score of A; None without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else None


def tally(scores: Scores) -> Tally:
    """Count the games and the pairs of a match.

    >>> tally([1.0, 0.5, 0.0, None])
    Tally(wins=1, draws=1, losses=1, pentanomial=(0, 0, 0, 1, 0))
    """
    counts = {0.0: 0, 0.5: 0, 1.0: 0}
    for number, score in enumerate(scores):
        if score is not None:
            _check(score in counts, f"the score of game {number}", score, "0, 0.5, 1 or None")
            counts[score] += 1
    return Tally(counts[1.0], counts[0.5], counts[0.0], _pentanomial(scores))


def _pentanomial(scores: Scores) -> Pentanomial:
    cells = [0, 0, 0, 0, 0]
    for first, second in zip(scores[::2], scores[1::2], strict=False):
        if first is not None and second is not None:
            cells[_cell(first, second)] += 1
    return (cells[0], cells[1], cells[2], cells[3], cells[4])


def _cell(first: float, second: float) -> int:
    return int(2 * (first + second))


def design_effect(match: Tally) -> float:
    """The variance of a game's share in the mean of its pair, relative to m(1-m) of a lone game.

    1 for independent games without draws; less with draws or with openings that favour a colour;
    up to 2 if both games of a pair always have the same winner.  ``games / design_effect`` is the
    number of independent games that would prove as much.  The estimate is drawn towards 1, as if
    `PRIOR_PAIRS` further degrees of freedom had shown exactly that.
    """
    mean = _mean_of_pairs(match)
    if not 0 < mean < 1:
        return 1.0
    squares = sum(
        count * (score - mean) ** 2
        for count, score in zip(match.pentanomial, PAIR_SCORES, strict=True)
    )
    # 2 * squares / (pairs - 1) estimates the variance of a game's share; times its weight.
    return (2 * squares / (mean * (1 - mean)) + PRIOR_PAIRS) / (match.pairs - 1 + PRIOR_PAIRS)


def _mean_of_pairs(match: Tally) -> float:
    if match.pairs == 0:
        return 0.0
    points = sum(c * s for c, s in zip(match.pentanomial, PAIR_SCORES, strict=True))
    return points / match.pairs


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is A ``elo1`` stronger than its opponent (h1), or only ``elo0`` (h0)?

    ``alpha`` bounds the risk of "h1" at a true difference of ``elo0``, ``beta`` the risk of "h0"
    at ``elo1``.  The test stops as soon as the log likelihood ratio leaves `bounds` (Wald 1945).

    The likelihoods are those of the most likely distributions of pair totals with the two mean
    scores (the generalised test of Van den Bergh's notes for Stockfish's testing site), so
    draws and openings that favour a colour shorten the test and do no harm.

    >>> Sprt(0, 100).verdict([1.0] * 40)
    'h1'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            value = getattr(self, name)
            _check(abs(value) <= MOST_ELO, name, value, f"{-MOST_ELO:g} to {MOST_ELO:g}")
        _check(self.elo0 < self.elo1, "elo0", self.elo0, f"less than elo1, {self.elo1}")
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            _check(0 < value < 0.5, name, value, "between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Accept h0 at or below the first, h1 at or above the second."""
        low = math.log(self.beta / (1 - self.alpha))
        return low, math.log((1 - self.beta) / self.alpha)

    @cached_property
    def _scores(self) -> tuple[float, float]:
        return expected(self.elo0), expected(self.elo1)

    def llr(self, scores: Scores) -> float:
        """The log likelihood ratio of h1 to h0 after all whole pairs."""
        return self.llr_of(_pentanomial(scores))

    def llr_of(self, counts: Sequence[int]) -> float:
        """The log likelihood ratio of h1 to h0 for the counts of a pentanomial."""
        if sum(counts) == 0:
            return 0.0
        weights = [count or EMPTY_CELL for count in counts]
        score0, score1 = self._scores
        return _log_likelihood(weights, score1) - _log_likelihood(weights, score0)

    def stop(self, scores: Scores) -> int | None:
        """The number of games after which the test was decided; None if it is not.

        It reads pair by pair up to the first missing game, so the answer does not depend on the
        order in which games finish.  Use a `SprtWatch` to ask again and again during a match.
        """
        return SprtWatch(self).stop(scores)

    def verdict(self, scores: Scores) -> Verdict:
        """What the test says at `stop`: "h1", "h0", or "continue"."""
        watch = SprtWatch(self)
        watch.stop(scores)
        return watch.verdict


@dataclass
class SprtWatch:
    """A test that follows one match: it reads every pair once.

    Once decided it reads no further: `games`, `llr` and `verdict` stay those of the decision.

    >>> watch = SprtWatch(Sprt(0, 400))
    >>> [watch.stop([1.0] * games) for games in (8, 9, 10, 11)]
    [None, None, 10, 10]
    """

    sprt: Sprt
    games: int = field(default=0, init=False)  #: read so far, in whole pairs
    llr: float = field(default=0.0, init=False)  #: after those games
    _counts: list[int] = field(default_factory=lambda: [0] * 5, init=False, repr=False)

    @property
    def verdict(self) -> Verdict:
        """What the test says so far: "h1", "h0", or "continue"."""
        low, high = self.sprt.bounds
        if self.llr >= high:
            return "h1"
        return "h0" if self.llr <= low else "continue"

    def stop(self, scores: Scores) -> int | None:
        """Read what is new in the scores of the match; as `Sprt.stop`.

        ``scores`` are always those of the whole match, from its first game.
        """
        while self.verdict == "continue":
            pair = scores[self.games : self.games + 2]
            if len(pair) < 2 or pair[0] is None or pair[1] is None:
                return None
            self._counts[_cell(pair[0], pair[1])] += 1
            self.games += 2
            self.llr = self.sprt.llr_of(self._counts)
        return self.games


def _log_likelihood(weights: Sequence[float], mean: float) -> float:
    """Of the most likely distribution of pair scores with this mean, up to a constant.

    With a Lagrange multiplier x the probabilities are (weight / total) / (1 + x (score - mean)),
    and x is the root of ``excess``, which falls.  No probability is above 1: that brackets x.
    """
    from scipy.optimize import brentq

    cells = [(weight, score - mean) for weight, score in zip(weights, PAIR_SCORES, strict=True)]

    def excess(x: float) -> float:
        return sum([weight * a / (1 + x * a) for weight, a in cells])

    total = sum(weights)
    low = -(1 - weights[-1] / total) / (1 - mean)
    high = (1 - weights[0] / total) / mean
    # At the root the likelihood is stationary in x: an error of 1e-9 does not show in it.
    x = brentq(excess, low, high, xtol=1e-9)
    return -sum([weight * math.log1p(x * a) for weight, a in cells])


def summary(scores: Scores, sprt: Sprt | None = None) -> dict[str, Any]:
    """Everything that is printed about a match, ready for JSON.

    - ``score_low``, ``score_high``: Wilson's 95 % interval over games;
    - ``elo_low``, ``elo_high``: the same with the effective number of games (`design_effect`);
      None means "no bound".  The ``elo`` of a match without losses (or wins) counts one more
      game, a draw, for it has no finite value;
    - ``los``: the likelihood of superiority, that A is the stronger one.  It is above 97.5 % just
      when ``elo_low`` is above 0, since both rest on the same variance at equal strength;
    - with a test: ``sprt`` (its verdict), ``llr`` (at the decision, or now), and its bounds
      ``llr_low`` and ``llr_high``.

    Without games the estimates are None.  After a test has stopped a match they lean towards its
    verdict: they are made for a number of games that was fixed before.
    """
    match = tally(scores)
    table: dict[str, Any] = {
        "games": match.games,
        "wins": match.wins,
        "losses": match.losses,
        "draws": match.draws,
        "pentanomial": list(match.pentanomial),
        "score": match.score,
    }
    table |= _estimates(match)
    if sprt is not None:
        table |= _test(scores, sprt)
    return table


def _estimates(match: Tally) -> dict[str, float | None]:
    score, games = match.score, match.games
    if score is None:
        keys = ("score_low", "score_high", "elo", "elo_low", "elo_high", "los")
        return dict.fromkeys(keys)
    effective = games / design_effect(match)
    score_low, score_high = wilson(score, games)
    elo_low, elo_high = (elo(bound) for bound in wilson(score, effective))
    return {
        "score_low": score_low,
        "score_high": score_high,
        "elo": elo(score if 0 < score < 1 else (score * games + 0.5) / (games + 1)),
        "elo_low": elo_low if math.isfinite(elo_low) else None,
        "elo_high": elo_high if math.isfinite(elo_high) else None,
        "los": _superiority(score, effective),
    }


def _superiority(score: float, effective: float) -> float:
    """Phi(z), z the distance from 1/2 in standard errors; (w-l)/sqrt(w+l) for decisive games."""
    from scipy.special import ndtr

    return float(ndtr((score - 0.5) * 2 * math.sqrt(effective)))


def _test(scores: Scores, sprt: Sprt) -> dict[str, Any]:
    watch = SprtWatch(sprt)
    watch.stop(scores)
    low, high = sprt.bounds
    return {"sprt": watch.verdict, "llr": watch.llr, "llr_low": low, "llr_high": high}


def colour_bias(first_scores: Scores) -> tuple[float, float]:
    """Does moving first matter?  Chi-square and its p-value, from the scores of who moved first.

    Only decisive games count; without one the answer is (0, 1).

    >>> chi2, p = colour_bias([1.0] * 60 + [0.0] * 40)
    >>> f"{chi2:.1f} {p:.3f}"
    '4.0 0.046'
    """
    from scipy.stats import chisquare

    match = tally(first_scores)
    if match.wins + match.losses == 0:
        return 0.0, 1.0
    test = chisquare([match.wins, match.losses])
    return float(test.statistic), float(test.pvalue)


@dataclass(frozen=True)
class StrengthScale:
    """The rating of a program as a function of its seconds a move, ``a * log2(seconds) + b``.

    Chaslot (2010, chapter 7) measures parallel search with it: a search that reaches ``rating``
    in one second is as strong as a plain one with `speed_up` seconds.
    """

    a: float  #: Elo for each doubling of the time
    b: float  #: rating at one second
    r2: float  #: share of the variance of the ratings that the line explains

    def rating(self, seconds: float) -> float:
        """The rating at so many seconds a move."""
        _check(seconds > 0, "a time", seconds, "more than 0 seconds")
        return self.a * math.log2(seconds) + self.b

    def speed_up(self, rating: float) -> float:
        """How many seconds the plain program needs for this rating.

        >>> round(StrengthScale(56.7, -175.2, 0.9922).speed_up(elo(0.565)), 1)
        14.8
        """
        _check(self.a > 0, "the rating's growth with each doubling of time", self.a, "more than 0")
        return float(2 ** ((rating - self.b) / self.a))


def fit_strength(seconds: Sequence[float], ratings: Sequence[float]) -> StrengthScale:
    """Fit the scale to ratings that were measured at two or more times a move."""
    from scipy.stats import linregress

    if len(seconds) != len(ratings):
        raise ConfigError(f"{len(seconds)} times have {len(ratings)} ratings, they must be as many")
    _check(all(time > 0 for time in seconds), "the times", list(seconds), "more than 0 seconds")
    _check(len(set(seconds)) >= 2, "the times", list(seconds), "two or more different ones")
    line = linregress([math.log2(time) for time in seconds], ratings)
    r2 = float(line.rvalue) ** 2 if len(set(ratings)) > 1 else 0.0  # there is no variance
    return StrengthScale(float(line.slope), float(line.intercept), r2)


def _check(valid: bool, name: str, value: object, what: str) -> None:
    if not valid:
        raise ConfigError(f"{name} is {value}, it must be {what}")
