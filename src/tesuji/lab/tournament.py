"""Many players: everybody against everybody, or the first against all others, and a rating list."""

import math
from collections.abc import Sequence
from itertools import combinations

from tesuji.errors import ConfigError, choices
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Match, Rules, Standing, Task
from tesuji.lab.rating import Rating, rate
from tesuji.lab.stats import tally


def pairings(
    game: str,
    entrants: Sequence[Entrant],
    games: int,
    *,
    gauntlet: bool = False,
    seed: int = 0,
    rules: Rules | None = None,
) -> list[Task]:
    """The matches of a tournament, ``games`` games each."""
    names = [entrant.name for entrant in entrants]
    if len(entrants) < 2:
        raise ConfigError(f"a tournament needs two players or more, not {len(entrants)}")
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"two players are called {name!r}; name one of them, NAME=PLAYER")
    pairs = combinations(entrants, 2)
    chosen = [(a, b) for a, b in pairs if not gauntlet or a is entrants[0]]
    return [Task(Match(game, a, b, seed, rules or Rules()), games) for a, b in chosen]


def results(standings: Sequence[Standing]) -> list[tuple[str, str, float, int]]:
    """Who scored how much against whom, in how many games."""
    found = []
    for standing in standings:
        match = standing.task.match
        counts = tally(standing.counted)
        if counts.games:
            points = counts.wins + counts.draws / 2
            found.append((match.a.name, match.b.name, points, counts.games))
    return found


def ratings(standings: Sequence[Standing], anchor: str | None = None) -> list[Rating]:
    """The rating list; ``anchor`` is a name, or ``NAME=RATING``, whose rating is fixed."""
    played = results(standings)
    if not played:
        return []
    if anchor is None:
        return rate(played)
    name, value = read_anchor(anchor, {name for row in played for name in row[:2]})
    return rate(played, anchor=name, anchor_rating=value)


def read_anchor(text: str, names: set[str]) -> tuple[str, float]:
    """A player and its rating, 0 when none is said."""
    if text in names:
        return text, 0.0
    name, _, value = text.rpartition("=")
    if name not in names:
        raise ConfigError(f"the anchor {text!r} is no player; {choices(text, names)}")
    try:
        rating = float(value)
        if not math.isfinite(rating):
            raise ValueError
    except ValueError:
        raise ConfigError(f"the anchor's rating is {value!r}, it must be a number") from None
    return name, rating
