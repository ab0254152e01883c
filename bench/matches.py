"""Matches: two processes against one, and how much of the time is search.

    python -m bench.matches

Both sides play the same games.  Each turn is one match, from the command to the result, with the
time that the processes need to start.
"""

import time

from bench.turns import HEADER, Ratio, Side, take_turns
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Match, Task, check
from tesuji.lab.runner import run
from tesuji.lab.store import Store

GAMES = 40
ROUNDS = 7
MATCH = Match("go:size=9", Entrant.parse("uct"), Entrant.parse("uct@c=0.5"))
SHARE_HEADER = (
    "| match | games | time in search | total | share not in search |\n|---|---|---|---|---|"
)


def playing(jobs: int) -> Side:
    """A side that plays the match with so many processes; wall time, since they share the work."""

    def turn() -> float:
        begin = time.perf_counter()
        with Store() as store:
            run([Task(MATCH, GAMES)], store, jobs=jobs)
        return 60 * GAMES / (time.perf_counter() - begin)

    return turn


def compare(rounds: int = ROUNDS) -> Ratio:
    """Games a minute with two processes against one."""
    check([MATCH])
    what = "games a minute with 2 jobs, Go 9x9, 1,000 simulations a move"
    return take_turns(what, playing(2), playing(1), rounds, "1 job; wall time")


def share(games: int = GAMES) -> str:
    """How much of a game's time passes outside the players' searches."""
    with Store() as store:
        run([Task(MATCH, games)], store, jobs=1)
        played = list(store.games(1))
    inside = sum(sum(game.thinking) for game in played)
    total = sum(game.seconds for game in played)
    cells = [f"{inside:.1f} s", f"{total:.1f} s", f"{1 - inside / total:.1%}"]
    return f"| {' | '.join(['Go 9x9, 1,000 simulations a move', str(games), *cells])} |"


def main() -> None:
    print(HEADER)
    print(compare().row())
    print()
    print(SHARE_HEADER)
    print(share())


if __name__ == "__main__":
    main()
