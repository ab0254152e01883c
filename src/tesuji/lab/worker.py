"""The process that plays games: ``python -m tesuji.lab.worker``.

It reads jobs from its standard input, one JSON object a line, ``{"key": ..., "number": 3}`` with
the ``"match"`` itself the first time, and answers each with a line on its standard output: the
game, or an error.  It ends when its input does, in the middle of a game too, so nothing goes on
when the process that gave the jobs is gone.
"""

import json
import os
import queue
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import asdict
from typing import Any, TextIO

from tesuji.errors import TesujiError
from tesuji.identity import machine
from tesuji.lab.match import Match, referee
from tesuji.lab.origin import code_of
from tesuji.lab.play import play
from tesuji.lab.player import Player

MOST_SEATINGS = 8  # matches whose players are kept ready
GONE = 1


class Seating:
    """A match with its players, ready for the next game."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.game = match.load()
        times = match.rules.program_times
        self.players: list[Player] = [e.build(self.game, **times) for e in match.entrants]
        self.referee = referee(match.rules, self.game) if match.rules.referee else None
        self.code = code_of(match, self.game, self._version)

    def _version(self, command: str) -> str:
        """What a program that runs here says of itself."""
        for entrant, player in zip(self.match.entrants, self.players, strict=True):
            if entrant.settings.get("command") == command:
                return player.version
        return self.referee.version if self.referee is not None else ""

    def play(self, number: int) -> dict[str, Any]:
        """One game, as plain data."""
        played = play(self.match, number, self.game, self.players, self.referee)
        played.code, played.machine = self.code, machine()
        return asdict(played)

    def close(self) -> None:
        """Let the players go."""
        for player in self.players:
            with suppress(Exception):  # a user's code; the game is over anyway
                player.close()
        if self.referee is not None:
            self.referee.close()


class Worker:
    """Plays one job after another; keeps the players of the latest matches."""

    def __init__(self) -> None:
        self.matches: dict[str, Match] = {}
        self.seatings: OrderedDict[str, Seating] = OrderedDict()

    def seating(self, job: dict[str, Any]) -> Seating:
        key = job["key"]
        if "match" in job:
            self.matches[key] = Match.from_json(job["match"])
        if key not in self.seatings:
            self.seatings[key] = Seating(self.matches[key])
            if len(self.seatings) > MOST_SEATINGS:
                self.seatings.popitem(last=False)[1].close()
        self.seatings.move_to_end(key)
        return self.seatings[key]

    def answer(self, job: dict[str, Any]) -> str:
        """The game of a job, or what went wrong, as JSON."""
        try:
            return json.dumps({"game": self.seating(job).play(job["number"])})
        except TesujiError as error:
            return json.dumps({"error": str(error)})
        except Exception as error:
            return json.dumps({"error": f"{type(error).__name__}: {error}"})

    def close(self) -> None:
        """Let all players go."""
        while self.seatings:
            self.seatings.popitem()[1].close()


def main() -> None:
    """Serve until the input ends."""
    # Jobs and answers must not mix with what players read and print.
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    worker = Worker()
    jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, jobs, worker), daemon=True).start()
    while True:
        print(worker.answer(jobs.get()), file=answers, flush=True)


def _read(requests: TextIO, jobs: "queue.SimpleQueue[dict[str, Any]]", worker: Worker) -> None:
    """Pass jobs on; when the input ends, let the programs go and end the process at once."""
    for line in requests:
        jobs.put(json.loads(line))
    try:
        worker.close()
    finally:
        os._exit(GONE)


if __name__ == "__main__":
    main()
