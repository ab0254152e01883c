"""What the tests of the lab share: small matches that are quick to play."""

from pathlib import Path

from tesuji.lab.budget import Budget
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Match, Result, Rules, Standing, Task, game_of
from tesuji.lab.play import play

PLAYERS = Path(__file__).parent / "players"
FIRST = f"first={PLAYERS / 'first.py'}"


def trouble(kind, turn=2):
    return f"trouble={PLAYERS / 'trouble.py'}@kind={kind},turn={turn}"


def make(a, b, game="tictactoe", seed=0, **rules):
    """A match from texts; 50 simulations a move unless something else is said."""
    rules.setdefault("budget", Budget(sims=50))
    return Match(game, Entrant.parse(a), Entrant.parse(b), seed, Rules(**rules))


def task(games, *arguments, **rules):
    return Task(make(*arguments, **rules), games)


def play_one(match, number=0):
    """Play one game in this process."""
    game = game_of(match.game)
    players = [entrant.build(game) for entrant in match.entrants]
    try:
        return play(match, number, game, players)
    finally:
        for player in players:
            player.close()


def standing_of(task, scores, identity=0):
    """A standing with these scores, each game different from the others."""
    results = {n: Result(s, "end", n) for n, s in enumerate(scores) if s is not None}
    return Standing(identity, task, results)
