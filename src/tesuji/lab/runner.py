"""Plays what is missing of some matches, on several cores.

Workers are processes that get one game at a time.  A worker that dies is replaced and its game is
given to another: a game depends only on its seed, so the result is the same.  Each game is in the
store before the next one is given out.
"""

import contextlib
import json
import os
import selectors
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tesuji.errors import ConfigError, StoppedError
from tesuji.lab.match import Standing, Task
from tesuji.lab.origin import UNKNOWN, code_of
from tesuji.lab.play import Played
from tesuji.lab.store import Store

ROUND = 10  # games of a match in a row before the next match has its turn
MOST_DEATHS = 3  # of workers over the same game
GOODBYE_SECONDS = 3.0


#: called after each game with all matches, the one that was played and the game
Watch = Callable[[list[Standing], Standing, Played], None]


def run(
    tasks: Sequence[Task],
    store: Store,
    *,
    jobs: int = 1,
    resume: bool = True,
    any_code: bool = False,
    watch: Watch | None = None,
) -> list[Standing]:
    """Play all games that the store does not hold; each one is saved as soon as it ends.

    Without ``resume`` a store that holds games of these matches is refused; so are games that other
    code has played, without ``any_code``.
    """
    if not 1 <= jobs <= 1024:
        raise ConfigError(f"jobs is {jobs}, it must be 1 to 1024")
    _refuse_twins(tasks)
    if not resume:
        _refuse_played(tasks, store)
    standings = open_all(tasks, store)
    if all(standing.finished for standing in standings):
        return standings
    codes = {
        standing.id: code_of(standing.task.match, standing.task.match.load())
        for standing in standings
        if not standing.finished
    }
    if not any_code:
        _refuse_other_code(standings, codes, store)
    missing = sum(standing.missing for standing in standings)
    with _Pool(min(jobs, missing)) as pool:
        _Run(standings, codes, store, pool, watch).run()
    return standings


def open_all(tasks: Sequence[Task], store: Store) -> list[Standing]:
    """Claim the matches and read what has been played of them."""
    standings = []
    for task in tasks:
        store.claim(store.add(task))
        standings.append(store.standing(task))
    return standings


def _refuse_twins(tasks: Sequence[Task]) -> None:
    keys = [task.match.key for task in tasks]
    for task in tasks:
        if keys.count(task.match.key) > 1:
            raise ConfigError(f"{task.match} is asked for twice")


def _refuse_played(tasks: Sequence[Task], store: Store) -> None:
    for task in tasks:
        played = store.played(task.match)
        if played:
            raise ConfigError(
                f"{store.path} already holds {played} games of {task.match}; "
                f"go on with them by --resume, or play others with another --seed"
            )


def _refuse_other_code(
    standings: Sequence[Standing], codes: Mapping[int, str], store: Store
) -> None:
    for standing in standings:
        code = codes.get(standing.id)
        others = standing.all_codes - {code}
        if code is not None and others:
            known = " and ".join(other or f"code {UNKNOWN}" for other in sorted(others))
            raise ConfigError(
                f"the games of {standing.task.match} in {store.path} were played by {known}, the "
                f"code is now {code}: use another store, or mix them with --any-code"
            )


class _Run:
    """Gives games to workers until nothing is missing."""

    def __init__(
        self,
        standings: list[Standing],
        codes: Mapping[int, str],
        store: Store,
        pool: "_Pool",
        watch: Watch | None,
    ) -> None:
        self.standings = standings
        self.codes = codes
        self.store = store
        self.pool = pool
        self.watch = watch
        self.waiting = deque(_order(standings))
        self.deaths: Counter[tuple[int, int]] = Counter()

    def run(self) -> None:
        self.hand_out()
        while self.pool.busy and not all(standing.finished for standing in self.standings):
            for worker, answer in self.pool.answers():
                self.take(worker, answer)
            self.hand_out()

    def take(self, worker: "_Worker", answer: dict[str, Any] | None) -> None:
        """Deal with what a worker says, or with its death."""
        job, worker.job = worker.job, None
        if answer is None:
            if job is not None:
                self.died(worker, *job)
            self.pool.replace(worker)
            return
        assert job is not None
        standing, number = job
        if "error" in answer:
            raise StoppedError(f"game {number} of {standing.task.match}: {answer['error']}")
        self.played(standing, Played(**answer["game"]))

    def hand_out(self) -> None:
        for worker in self.pool.idle():
            while self.waiting and self.waiting[0][0].finished:
                self.waiting.popleft()  # SPRT has decided this match
            if not self.waiting:
                return
            worker.give(*self.waiting.popleft())

    def played(self, standing: Standing, game: Played) -> None:
        if game.code != self.codes[standing.id]:  # a file was edited, and read again by a worker
            raise StoppedError(
                f"the code has changed since {standing.task.match} began: it was "
                f"{self.codes[standing.id]} and is {game.code}"
            )
        self.store.save(standing.id, game)
        standing.note(game.number, game.result)
        if self.watch is not None:
            self.watch(self.standings, standing, game)

    def died(self, worker: "_Worker", standing: Standing, number: int) -> None:
        """Play the game again, unless it is the game that kills."""
        self.deaths[standing.id, number] += 1
        if self.deaths[standing.id, number] >= MOST_DEATHS:
            raise StoppedError(
                f"game {number} of {standing.task.match} has killed {MOST_DEATHS} processes, "
                f"the last with exit code {worker.exit_code()}"
            )
        self.waiting.appendleft((standing, number))


def _order(standings: list[Standing]) -> list[tuple[Standing, int]]:
    """What is missing, all matches growing at the same pace."""
    missing = [
        (standing, number)
        for standing in standings
        for number in range(standing.task.games)
        if number >= len(standing.scores) or standing.scores[number] is None
    ]
    return sorted(missing, key=lambda item: item[1] // ROUND)


class _Worker:
    """One process and the job that it has."""

    def __init__(self) -> None:
        self.job: tuple[Standing, int] | None = None
        self.buffer = b""
        self.known: set[str] = set()  # matches that the worker has heard of
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tesuji.lab.worker"],  # -P: a player may be called json.py
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the main process alone
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin = self.process.stdin
        self.stdout = self.process.stdout

    def give(self, standing: Standing, number: int) -> None:
        self.job = standing, number
        match = standing.task.match
        job = {"key": match.key, "number": number}
        if match.key not in self.known:  # it may be long: openings are part of it
            job["match"] = match.to_json()
            self.known.add(match.key)
        try:
            self.stdin.write(json.dumps(job).encode() + b"\n")
            self.stdin.flush()
        except BrokenPipeError:
            pass  # it is dead: its output ends, which is noticed there

    def read(self) -> Iterator[dict[str, Any] | None]:
        """Whole answers that have arrived; None when the process has died."""
        data = os.read(self.stdout.fileno(), 1 << 20)
        if not data:
            yield None
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        yield from map(json.loads, lines)

    def exit_code(self) -> int:
        return self.process.wait()

    def close(self) -> None:
        """End the process; closing its input lets it end its programs first."""
        with contextlib.suppress(BrokenPipeError):
            self.stdin.close()
        try:
            self.process.wait(GOODBYE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.stdout.close()


class _Pool:
    """The workers."""

    def __init__(self, jobs: int) -> None:
        self.selector = selectors.DefaultSelector()
        self.workers: list[_Worker] = []
        for _ in range(jobs):
            self.start()

    def start(self) -> None:
        worker = _Worker()
        self.workers.append(worker)
        self.selector.register(worker.stdout, selectors.EVENT_READ, worker)

    @property
    def busy(self) -> bool:
        return any(worker.job is not None for worker in self.workers)

    def idle(self) -> list[_Worker]:
        return [worker for worker in self.workers if worker.job is None]

    def answers(self) -> Iterator[tuple[_Worker, dict[str, Any] | None]]:
        """Wait for answers."""
        for key, _ in self.selector.select():
            for answer in key.data.read():
                yield key.data, answer

    def replace(self, worker: _Worker) -> None:
        self.remove(worker)
        self.start()

    def remove(self, worker: _Worker) -> None:
        self.selector.unregister(worker.stdout)
        self.workers.remove(worker)
        worker.close()

    def __enter__(self) -> "_Pool":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:  # all at once: each needs a moment
            with contextlib.suppress(BrokenPipeError):
                worker.stdin.close()
        for worker in list(self.workers):
            self.remove(worker)
        self.selector.close()
