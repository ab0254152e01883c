"""Elo ratings of many players from who scored how much against whom.

Start at `rate`.  The model is that of Bradley and Terry: A's expected score against B is
``expected(rating of A - rating of B)``; a draw is half a win for each.  The ratings are the most
likely ones, and their errors come from the inverse of the Fisher information.  As the model knows
only wins and losses, draws make the true errors smaller than the printed ones.

Only differences of ratings mean anything: an anchor, or else the mean, fixes the rest.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.errors import ConfigError, choices

Results = Iterable[tuple[str, str, float, float]]  # a, b, points of a, games; in any order
Matrix = NDArray[np.float64]

ELO = 400 / math.log(10)  # Elo in a unit of the natural logarithm of the odds
SIGMAS = 1.959964  # half of a 95 % interval of the normal distribution, in standard errors
TOLERANCE = 1e-10  # of a rating, in natural units: far below what can be printed
MOST_STEPS = 200  # Newton needs about ten


@dataclass(frozen=True)
class Rating:
    """One line of a rating list."""

    name: str
    rating: float
    low: float  #: of the 95 % interval: of the difference to the anchor, or else to the mean
    high: float
    games: float
    score: float  #: mean score against all opponents
    #: The most likely ratings are infinite, because a player (or a group) never lost a point to
    #: the others or never won one; so a draw was added to every pairing.  True for all or none.
    corrected: bool = False


@dataclass(frozen=True)
class Row:
    """One line of a cross table: points and games against each player in the order of the rows."""

    name: str
    cells: tuple[tuple[float, float] | None, ...]  #: (points, games), None where none were played
    points: float
    games: float


def rate(
    results: Results, *, anchor: str | None = None, anchor_rating: float = 0.0
) -> list[Rating]:
    """The rating list, best first.

    The rating of ``anchor`` is ``anchor_rating`` and has no error; without an anchor the mean of
    all ratings is ``anchor_rating``.

    >>> for line in rate([("new", "old", 64, 100)], anchor="old"):
    ...     print(f"{line.name} {line.rating:.0f} [{line.low:.0f}, {line.high:.0f}]")
    new 100 [29, 171]
    old 0 [0, 0]
    """
    names, points = _points(results)
    if anchor is not None and anchor not in names:
        raise ConfigError(f"the anchor {anchor!r} is no player; {choices(anchor, names)}")
    if not names:
        return []
    played = points + points.T
    _check_connected(names, played)
    corrected = not _finite(points)
    counted = points + 0.5 * (played > 0) if corrected else points
    fixed = None if anchor is None else names.index(anchor)
    ratings = ELO * _most_likely(counted)
    ratings -= ratings.mean() if fixed is None else ratings[fixed]
    ratings += anchor_rating
    errors = SIGMAS * _errors(counted + counted.T, ratings, fixed)
    games = played.sum(axis=1)
    scores = points.sum(axis=1) / games
    columns = (column.tolist() for column in (ratings, errors, games, scores))
    lines = [
        Rating(name, rating, rating - error, rating + error, count, score, corrected)
        for name, rating, error, count, score in zip(names, *columns, strict=True)
    ]
    # Rounded, so that equal players stand in the order of their names.
    return sorted(lines, key=lambda line: (-round(line.rating, 4), line.name))


def crosstable(results: Results) -> list[Row]:
    """Who scored how much against whom, in the order of the ratings.

    >>> for row in crosstable([("a", "b", 1, 4), ("a", "c", 3, 4), ("b", "c", 3, 4)]):
    ...     print(row.name, *row.cells)
    b None (3.0, 4.0) (3.0, 4.0)
    a (1.0, 4.0) None (3.0, 4.0)
    c (1.0, 4.0) (1.0, 4.0) None
    """
    results = list(results)
    names, points = _points(results)
    played = points + points.T
    order = [names.index(line.name) for line in rate(results)]
    return [
        Row(
            names[i],
            tuple(
                (float(points[i, j]), float(played[i, j])) if played[i, j] else None for j in order
            ),
            float(points[i].sum()),
            float(played[i].sum()),
        )
        for i in order
    ]


def _points(results: Results) -> tuple[list[str], Matrix]:
    """The players, sorted, and the points of each (row) against each (column)."""
    results = list(results)
    names = sorted({name for result in results for name in result[:2]})
    number = {name: i for i, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    for a, b, won, games in results:
        if a == b:
            raise ConfigError(f"player {a!r} has a result against itself, it must be another's")
        if not 0 <= won <= games < math.inf:
            raise ConfigError(
                f"{a} has {won} points in {games} games against {b}, "
                "it must be 0 up to the number of games"
            )
        points[number[a], number[b]] += won
        points[number[b], number[a]] += games - won
    return names, points


def _check_connected(names: Sequence[str], played: Matrix) -> None:
    count, group = _components(played, "weak")
    if count > 1:
        groups = [[n for n, g in zip(names, group, strict=True) if g == i] for i in range(count)]
        text = " | ".join(", ".join(members) for members in groups)
        raise ConfigError(f"these groups never met, and ratings need games between them: {text}")


def _finite(points: Matrix) -> bool:
    """Are the most likely ratings finite?

    Just when, however the players are parted in two, each part won a point from the other (Ford
    1957): when the graph of "took a point from" is strongly connected.
    """
    count, _ = _components(points, "strong")
    return bool(count == 1)


def _components(edges: Matrix, connection: str) -> Any:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    return connected_components(csr_array(edges > 0), directed=True, connection=connection)


def _most_likely(points: Matrix) -> Matrix:
    """The most likely ratings in natural units, the first one 0, by Newton's method.

    The log likelihood is concave.  A step that overshoots is halved until it gains.
    """
    played = points + points.T
    ratings = np.zeros(len(points))
    for _ in range(MOST_STEPS):
        gradient = (points - played * _wins(ratings)).sum(axis=1)
        step = np.zeros(len(points))
        step[1:] = np.linalg.solve(_information(played, ratings)[1:, 1:], gradient[1:])
        reached = _log_likelihood(points, ratings)
        while np.abs(step).max() > TOLERANCE and _log_likelihood(points, ratings + step) < reached:
            step /= 2
        ratings += step
        if np.abs(step).max() <= TOLERANCE:
            break
    return ratings


def _wins(ratings: Matrix) -> Matrix:
    """The expected score of each (row) against each (column)."""
    from scipy.special import expit

    return np.asarray(expit(ratings[:, None] - ratings))


def _log_likelihood(points: Matrix, ratings: Matrix) -> float:
    from scipy.special import log_expit

    return float((points * log_expit(ratings[:, None] - ratings)).sum())


def _information(played: Matrix, ratings: Matrix) -> Matrix:
    """The Fisher information, in natural units; singular, as a common shift changes nothing."""
    wins = _wins(ratings)
    weight = played * wins * (1 - wins)
    return np.diag(weight.sum(axis=1)) - weight


def _errors(played: Matrix, ratings: Matrix, fixed: int | None) -> Matrix:
    """Standard errors in Elo, of the difference to the fixed player, or else to the mean."""
    information = _information(played, ratings / ELO)
    if fixed is None:
        # The pseudo-inverse: its null space is that of a common shift, filled and emptied again.
        share = 1 / len(played)
        variance = np.diag(np.linalg.inv(information + share)) - share
    else:
        others = np.delete(np.arange(len(played)), fixed)
        variance = np.zeros(len(played))
        variance[others] = np.diag(np.linalg.inv(information[np.ix_(others, others)]))
    return ELO * np.sqrt(variance)
