"""The results: one SQLite file with every match and every game.

A finished game is one committed row, written at once, so a crash loses at most the games that were
being played.  The rows of a match are keyed by the number of the game, so none can be counted
twice.  Any number of processes may use a store; a match is played by one of them at a time, which a
lock on one byte of ``FILE-lock`` ensures, because the system frees it however the process ends.
"""

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tesuji.errors import ConfigError, StoppedError, StoreError
from tesuji.lab.match import Match, Result, Standing, Task
from tesuji.lab.play import Played, dense
from tesuji.lab.stats import Sprt

VERSION = 1
APPLICATION = 0x54455355  # "TESU", in the header of the file
BUSY_SECONDS = 60.0

SCHEMA = """
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    settings TEXT NOT NULL,  -- JSON, everything that is needed to build the player again
    UNIQUE (name, kind, settings)
);
CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,  -- a hash of the definition
    definition TEXT NOT NULL,  -- JSON: game, players, seed, rules, openings
    a INTEGER NOT NULL REFERENCES player,
    b INTEGER NOT NULL REFERENCES player,
    wanted INTEGER NOT NULL,   -- games asked for, the last time
    sprt TEXT,                 -- JSON, the last time
    created TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE game (
    match INTEGER NOT NULL REFERENCES match,
    number INTEGER NOT NULL,
    first TEXT NOT NULL CHECK (first IN ('a', 'b')),
    seed TEXT NOT NULL,
    opening TEXT NOT NULL,     -- moves, as JSON
    moves TEXT NOT NULL,       -- after the opening
    score REAL NOT NULL CHECK (score IN (0, 0.5, 1)),
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    turns TEXT NOT NULL,       -- of a and b, as JSON; so are the next two
    simulations TEXT NOT NULL,
    thinking TEXT NOT NULL,    -- seconds
    figures TEXT NOT NULL,     -- move by move: seconds, simulations, value
    seconds REAL NOT NULL,
    started TEXT NOT NULL,
    version TEXT NOT NULL,     -- of tesuji
    programs TEXT NOT NULL,    -- of a and b, when they are external: name and version, as JSON
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
"""

LISTS = ("opening", "moves", "turns", "simulations", "thinking", "figures", "programs")


def _address(path: Path, read_only: bool) -> str:
    """The file as SQLite wants to hear it."""
    mode = "?mode=ro" if read_only else ""
    if read_only and not os.access(path.parent, os.W_OK):
        mode += "&immutable=1"  # reading the log of changes needs a file beside it
    return path.absolute().as_uri() + mode


class Store:
    """A file of results; without a path, one in memory that is gone with the process.

    ``read_only`` opens a store that exists, also where nothing can be written, and changes nothing.
    """

    def __init__(self, path: str | Path | None = None, *, read_only: bool = False) -> None:
        self.path = Path(path) if path is not None else None
        if read_only and (self.path is None or not self.path.is_file()):
            raise StoreError(f"there is no store {path}")
        self._locks: Any = None
        address = _address(self.path, read_only) if self.path is not None else ":memory:"
        try:
            self._db = sqlite3.connect(
                address, timeout=BUSY_SECONDS, isolation_level=None, uri=True
            )
            self._check_format()
            if not read_only:
                self._prepare()
        except sqlite3.Error as error:
            raise StoreError(f"cannot use the store {path}: {error}") from None
        if read_only and self._pragma("user_version") == 0:
            raise StoreError(f"{path} is not a store of tesuji")

    def _check_format(self) -> None:
        self._db.execute("BEGIN")  # one look: another process may be making the tables now
        application = self._pragma("application_id")
        version = self._pragma("user_version")
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        self._db.execute("COMMIT")
        if application != APPLICATION and tables:
            raise StoreError(f"{self.path} is an SQLite file, but not a store of tesuji")
        if version > VERSION:
            raise StoreError(
                f"the store {self.path} was written by a newer tesuji (version {version} of the "
                f"format, this one knows {VERSION})"
            )

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")  # a commit survives a power loss
        self._db.execute("PRAGMA foreign_keys = ON")
        with self._transaction():
            if self._pragma("user_version") == 0:  # another process may have been faster
                for statement in SCHEMA.split(";\n"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA application_id = {APPLICATION}")
                self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _pragma(self, name: str) -> int:
        return int(self._db.execute(f"PRAGMA {name}").fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def add(self, task: Task) -> int:
        """Note down a match, or find it again; gives its id."""
        match = task.match
        sprt = json.dumps(asdict(task.sprt)) if task.sprt is not None else None
        with self._saving(), self._transaction():
            players = [self._player(asdict(entrant)) for entrant in match.entrants]
            self._db.execute(
                "INSERT OR IGNORE INTO match (key, definition, a, b, wanted) VALUES (?,?,?,?,?)",
                (match.key, json.dumps(match.to_json()), *players, task.games),
            )
            self._db.execute(
                "UPDATE match SET wanted = max(wanted, ?), sprt = ? WHERE key = ?",
                (task.games, sprt, match.key),
            )
        return self._id(match)

    def _id(self, match: Match) -> int:
        row = self._db.execute("SELECT id FROM match WHERE key = ?", (match.key,)).fetchone()
        return -1 if row is None else int(row[0])

    def _player(self, entrant: dict[str, Any]) -> int:
        values = (entrant["name"], entrant["kind"], json.dumps(entrant, sort_keys=True))
        self._db.execute(
            "INSERT OR IGNORE INTO player (name, kind, settings) VALUES (?, ?, ?)", values
        )
        found = self._db.execute(
            "SELECT id FROM player WHERE name = ? AND kind = ? AND settings = ?", values
        )
        return int(found.fetchone()[0])

    def played(self, match: Match) -> int:
        """How many games of a match are here already."""
        row = self._db.execute("SELECT count(*) FROM game WHERE match = ?", (self._id(match),))
        return int(row.fetchone()[0])

    def save(self, match: int, game: Played) -> None:
        """Keep one game, for good."""
        values = asdict(game)
        values["seed"] = str(game.seed)  # 128 bits
        for key in LISTS:
            values[key] = dense(values[key])
        names = ", ".join(values)
        marks = ", ".join("?" * (len(values) + 1))
        with self._saving():
            self._db.execute(
                f"INSERT INTO game (match, {names}) VALUES ({marks})", (match, *values.values())
            )

    @contextmanager
    def _saving(self) -> Iterator[None]:
        """A disk that is full, or fails, stops the work; what was committed stays."""
        try:
            yield
        except sqlite3.Error as error:
            raise StoppedError(
                f"the store {self.path} cannot be written ({error}); all games saved before are "
                f"intact, --resume goes on with them"
            ) from None

    def results(self, match: int) -> dict[int, Result]:
        """How the games ended, by their numbers."""
        rows = self._db.execute(
            "SELECT number, score, reason, opening, moves FROM game WHERE match = ?", (match,)
        )
        return {
            number: Result(score, reason, hash((opening, moves)))
            for number, score, reason, opening, moves in rows
        }

    def matches(self) -> list[Standing]:
        """All matches, in the order in which they were added."""
        rows = self._db.execute("SELECT id, definition, wanted, sprt FROM match ORDER BY id")
        return [
            Standing(
                key,
                Task(
                    Match.from_json(json.loads(definition)),
                    wanted,
                    Sprt(**json.loads(sprt)) if sprt is not None else None,
                ),
                self.results(key),
            )
            for key, definition, wanted, sprt in rows.fetchall()
        ]

    def games(self, match: int) -> Iterator[Played]:
        """The games of a match, in order of their numbers."""
        rows = self._db.execute("SELECT * FROM game WHERE match = ? ORDER BY number", (match,))
        names = [column[0] for column in rows.description]
        for row in rows:
            values = dict(zip(names, row, strict=True))
            del values["match"]
            for key in LISTS:
                values[key] = json.loads(values[key])
            yield Played(**{**values, "seed": int(values["seed"])})

    def claim(self, match: int) -> None:
        """Make sure that no other process plays this match; freed when the process ends."""
        if self.path is None:
            return
        try:
            if self._locks is None:
                self._locks = Path(f"{self.path}-lock").open("a+b")  # noqa: SIM115  # kept open
        except OSError as error:
            raise StoreError(f"cannot lock the store {self.path}: {error.strerror}") from None
        try:
            fcntl.lockf(self._locks, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, match, os.SEEK_SET)
        except OSError:
            raise ConfigError(
                f"another process is playing this match in {self.path}; wait for it or stop it"
            ) from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
        if self._locks is not None:
            self._locks.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
