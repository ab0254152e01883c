"""The match lab: strength measured with error bars.

A `Match` says who plays whom, at what, how often and from which seed.  `run` plays the games that a
`Store` does not hold yet, on as many cores as asked for, and `summary` turns the scores into
figures.  A tournament and an experiment are lists of matches::

    match = Match("hex", Entrant.parse("uct@c=0.5"), Entrant.parse("uct"), seed=1)
    with Store("games.db") as store:
        [standing] = run([Task(match, games=200)], store, jobs=2)
    print(standing.summary())
"""

from tesuji.lab.budget import Budget, Clock
from tesuji.lab.entrant import Entrant
from tesuji.lab.experiment import Experiment
from tesuji.lab.match import Match, Rules, Standing, Task, check
from tesuji.lab.opening import Openings
from tesuji.lab.play import Played, play
from tesuji.lab.player import Choice, ForfeitError, Player, RandomPlayer, SearchPlayer, WholePlayer
from tesuji.lab.rating import Rating, rate
from tesuji.lab.runner import run
from tesuji.lab.stats import Sprt, summary
from tesuji.lab.store import Store

__all__ = [
    "Budget",
    "Choice",
    "Clock",
    "Entrant",
    "Experiment",
    "ForfeitError",
    "Match",
    "Openings",
    "Played",
    "Player",
    "RandomPlayer",
    "Rating",
    "Rules",
    "SearchPlayer",
    "Sprt",
    "Standing",
    "Store",
    "Task",
    "WholePlayer",
    "check",
    "play",
    "rate",
    "run",
    "summary",
]
