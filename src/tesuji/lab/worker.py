"""The process that plays games: ``python -m tesuji.lab.worker``.

It reads jobs from its standard input, one JSON object a line, ``{"match": ..., "number": 3}``, and
answers each with a line on its standard output: the game, or an error.  It ends when its input
does, in the middle of a game too, so nothing goes on when the process that gave the jobs is gone.
"""

import json
import os
import queue
import sys
import threading
from collections import OrderedDict
from dataclasses import asdict
from typing import Any

from tesuji.errors import TesujiError
from tesuji.lab.match import Match, game_of, referee
from tesuji.lab.play import play
from tesuji.lab.player import Player

MOST_TABLES = 8  # matches whose players are kept ready
GONE = 1


class Table:
    """A match with its players, ready for the next game."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.game = game_of(match.game)
        times = match.rules.program_times
        self.players: list[Player] = [e.build(self.game, **times) for e in match.entrants]
        self.referee = referee(match.rules, self.game) if match.rules.referee else None

    def play(self, number: int) -> dict[str, Any]:
        """One game, as plain data."""
        return asdict(play(self.match, number, self.game, self.players, self.referee))

    def close(self) -> None:
        """Let the players go."""
        for player in self.players:
            player.close()
        if self.referee is not None:
            self.referee.close()


class Worker:
    """Plays one job after another; keeps the players of the latest matches."""

    def __init__(self) -> None:
        self.tables: OrderedDict[str, Table] = OrderedDict()

    def table(self, definition: dict[str, Any]) -> Table:
        match = Match.from_json(definition)
        if match.key not in self.tables:
            self.tables[match.key] = Table(match)
            if len(self.tables) > MOST_TABLES:
                self.tables.popitem(last=False)[1].close()
        self.tables.move_to_end(match.key)
        return self.tables[match.key]

    def answer(self, job: dict[str, Any]) -> dict[str, Any]:
        """The game of a job, or what went wrong."""
        try:
            return {"game": self.table(job["match"]).play(job["number"])}
        except TesujiError as error:
            return {"error": str(error)}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}

    def close(self) -> None:
        """Let all players go."""
        while self.tables:
            self.tables.popitem()[1].close()


def main() -> None:
    """Serve until the input ends."""
    # What players print must not mix with the answers: it goes to stderr.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    worker = Worker()
    jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(jobs, worker), daemon=True).start()
    while True:
        print(json.dumps(worker.answer(jobs.get())), file=answers, flush=True)


def _read(jobs: "queue.SimpleQueue[dict[str, Any]]", worker: Worker) -> None:
    """Pass jobs on; when the input ends, let the programs go and end the process at once."""
    for line in sys.stdin:
        jobs.put(json.loads(line))
    try:
        worker.close()
    finally:
        os._exit(GONE)


if __name__ == "__main__":
    main()
