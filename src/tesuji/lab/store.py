"""The results: one SQLite file with every match and every game.

A finished game is one committed row, written at once, so a crash loses at most the games that were
being played.  The rows of a match are keyed by the number of the game, so none can be counted
twice.  Any number of processes may use a store; a match is played by one of them at a time, which a
lock on one byte of ``FILE-lock`` ensures, because the system frees it however the process ends.

A match is found by what it means (`Match.key`), also in stores that describe it in older words.

Damage is looked for when a store is opened: every page, the count of games, and, as they are read,
a checksum for each game.  `tesuji.lab.salvage` reads what is whole of a damaged store.
"""

import fcntl
import hashlib
import json
import math
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from tesuji.errors import ConfigError, DamageError, StoppedError, StoreError
from tesuji.lab.match import Match, Result, Standing, Task
from tesuji.lab.play import Played, dense
from tesuji.lab.schema import APPLICATION, MISCOUNTED, SCHEMA, UPDATES, VERSION
from tesuji.lab.stats import Sprt

BUSY_SECONDS = 60.0
SETTLE_SECONDS = 1.0  # games stay in the file of changes so long: a copy without it lacks no more

LISTS = ("opening", "moves", "turns", "simulations", "thinking", "figures", "programs")
#: of the table of games; one that comes later must stay out of the checksum
COLUMNS = ("match", *(field.name for field in fields(Played)))
TEXTS = ("first", "seed", "reason", "detail", "started", "version", "code", "machine", *LISTS)
#: what SQLite says when the file is sound and the world around it is not
NOT_DAMAGE = frozenset(
    (
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CONSTRAINT,
    )
)
Row = dict[str, Any]


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

    damaged = False  #: is this what is whole of a damaged store (`tesuji.lab.salvage`)?
    lost: tuple[str, ...] = ()  #: what cannot be read, in words

    def __init__(self, path: str | Path | None = None, *, read_only: bool = False) -> None:
        self.path = Path(path) if path is not None else None
        if read_only and (self.path is None or not self.path.is_file()):
            raise StoreError(f"there is no store {path}")
        self._locks: Any = None
        self._settled = -math.inf  # when the file itself last had all games
        self._ids: dict[str, int] = {}  # of the matches that were looked at, by their keys
        address = _address(self.path, read_only) if self.path is not None else ":memory:"
        try:
            self._db = sqlite3.connect(
                address, timeout=BUSY_SECONDS, isolation_level=None, uri=True
            )
            self._check_format()
            self._check_whole()
            if not read_only:
                self._prepare()
        except sqlite3.Error as error:
            if _code(error) == sqlite3.SQLITE_CORRUPT:
                raise self._damage(error) from None
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

    def _check_whole(self) -> None:
        """Refuse a damaged file before anything is read from it or added to it."""
        version = self._pragma("user_version")
        if self.path is None or version == 0:
            return
        with self._reading():
            found = self._db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if found != "ok":
                raise self._damage(found.splitlines()[-1])
            miscounted = version > 1 and self._db.execute(MISCOUNTED).fetchone()
        if miscounted:
            raise self._damage(f"games of match {miscounted[0]} are missing")

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")  # a commit survives a power loss
        self._db.execute("PRAGMA foreign_keys = ON")
        with self._transaction():
            version = self._pragma("user_version")  # another process may have been faster
            if version < VERSION:
                for statement in UPDATES.get(version, SCHEMA).split(";\n"):
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
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def add(self, task: Task) -> int:
        """Note down a match, or find it again; gives its id."""
        match = task.match
        sprt = json.dumps(asdict(task.sprt)) if task.sprt is not None else None
        with self._saving(), self._transaction():
            number = self._id(match)
            if number < 0:
                players = [self._player(asdict(entrant)) for entrant in match.entrants]
                definition = json.dumps(match.to_json())
                self._db.execute(
                    "INSERT INTO match (key, definition, a, b, wanted) VALUES (?,?,?,?,?)",
                    (_key(definition), definition, *players, task.games),
                )
            self._db.execute(
                "UPDATE match SET wanted = max(wanted, ?), sprt = ? WHERE id = ?",
                (task.games, sprt, self._id(match)),
            )
        return self._id(match)

    def _id(self, match: Match) -> int:
        """Of a match by what it means; -1 if it is not here."""
        if match.key not in self._ids:
            latest = max(self._ids.values(), default=0)
            with self._reading():
                rows = self._db.execute(
                    "SELECT id, key, definition FROM match WHERE id > ? ORDER BY id", (latest,)
                )
                for row in rows.fetchall():
                    self._ids.setdefault(self._match(*row).key, row[0])
        return self._ids.get(match.key, -1)

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
        with self._reading():
            row = self._db.execute("SELECT count(*) FROM game WHERE match = ?", (self._id(match),))
            return int(row.fetchone()[0])

    def save(self, match: int, game: Played) -> None:
        """Keep one game, for good."""
        values = {"match": match, **asdict(game), "seed": str(game.seed)}  # 128 bits
        for key in LISTS:
            values[key] = dense(values[key])
        values["checksum"] = _checksum(values)
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        with self._saving(), self._transaction():
            self._db.execute(f"INSERT INTO game ({names}) VALUES ({marks})", [*values.values()])
            self._db.execute("UPDATE match SET saved = saved + 1 WHERE id = ?", (match,))
        if time.monotonic() - self._settled >= SETTLE_SECONDS:
            with self._saving():
                self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self._settled = time.monotonic()

    @contextmanager
    def _saving(self) -> Iterator[None]:
        """A disk that is full, or fails, stops the work; what was committed stays."""
        try:
            yield
        except sqlite3.Error as error:
            if not _is_sound(error):
                raise StoppedError(str(self._damage(error))) from None
            raise StoppedError(
                f"the store {self.path} cannot be written ({error}); all games saved before are "
                f"intact, --resume goes on with them"
            ) from None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """What cannot be read is damaged, unless the system refuses to give it."""
        try:
            yield
        except sqlite3.Error as error:
            if _is_sound(error):
                raise StoreError(f"cannot use the store {self.path}: {error}") from None
            readable = "decode" not in str(error)  # it quotes what cannot be
            raise self._damage(error if readable else "a text cannot be decoded") from None
        except (MemoryError, OverflowError) as error:  # of a length that was changed
            raise self._damage(type(error).__name__) from None

    def _damage(self, what: Any) -> DamageError:
        return DamageError(
            f"the store {self.path} is damaged ({what}); `tesuji export {self.path} --format store "
            f"--out NEW` saves what is whole of it"
        )

    def results(self, match: int) -> dict[int, Result]:
        """How the games ended, by their numbers."""
        return {
            row["number"]: Result(
                row["score"],
                row["reason"],
                hash((row["opening"], row["moves"])),
                row["code"],
                row["machine"],
            )
            for row in self._rows(match)
        }

    def standing(self, task: Task) -> Standing:
        """What has been played of a task, which need not be here."""
        number = self._id(task.match)
        return Standing(number, task, self.results(number))

    def matches(self) -> list[Standing]:
        """All matches, in the order in which they were added."""
        return [self._standing(*row) for row in self._match_rows()]

    def games(self, match: int) -> Iterator[Played]:
        """The games of a match, in order of their numbers."""
        for row in self._rows(match):
            yield self._played(row)

    def _match_rows(self) -> Iterable[tuple[Any, ...]]:
        with self._reading():
            query = "SELECT id, key, definition, wanted, sprt FROM match ORDER BY id"
            return self._db.execute(query).fetchall()

    def _rows(self, match: int) -> Iterator[Row]:
        """The games of a match as they are stored."""
        with self._reading():
            rows = self._db.execute("SELECT * FROM game WHERE match = ? ORDER BY number", (match,))
            for row in rows:
                yield self._whole(rows.description, row)

    def _whole(self, description: Any, values: tuple[Any, ...]) -> Row:
        """A row with all columns, none of which was changed since it was written."""
        names = [column[0] for column in description]
        row: Row = {"code": "", "machine": "", "checksum": None}
        row.update(zip(names, values, strict=True))
        sound = (
            isinstance(row["number"], int)
            and row["score"] in (0.0, 0.5, 1.0)
            and all(isinstance(row[key], str) for key in TEXTS)
            and row["checksum"] in (None, _checksum(row))
        )
        if not sound:
            raise self._damage(f"game {row['number']} of match {row['match']} was changed")
        return row

    def _played(self, row: Row) -> Played:
        values = {key: row[key] for key in COLUMNS if key != "match"}
        try:
            for key in LISTS:
                values[key] = json.loads(values[key])
            return Played(**{**values, "seed": int(values["seed"])})
        except ValueError:
            raise self._damage(f"game {row['number']} of match {row['match']}") from None

    def _standing(
        self, number: int, key: str, definition: str, wanted: int, sprt: str | None
    ) -> Standing:
        match = self._match(number, key, definition)
        try:
            task = Task(match, wanted, Sprt(**json.loads(sprt)) if sprt is not None else None)
        except (ValueError, TypeError, ConfigError):
            raise self._damage(f"what is wanted of match {number}") from None
        return Standing(number, task, self.results(number))

    def _match(self, number: int, key: str, definition: str) -> Match:
        try:
            if key in (_key(definition), _old_key(definition)):
                return Match.from_json(json.loads(definition))
        except (ValueError, TypeError, KeyError, AttributeError, ConfigError):
            pass
        raise self._damage(f"match {number} was changed")

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


def _key(definition: str) -> str:
    """A hash of the words that describe a match; `Match.key` is one of what they mean."""
    return hashlib.sha256(definition.encode()).hexdigest()


def _old_key(definition: str) -> str:
    """The same as the first version of stores had it."""
    table = json.loads(definition)
    for limit in ("start_seconds", "patience"):
        del table["rules"][limit]
    return _key(json.dumps(table, sort_keys=True))


def _checksum(row: Row) -> int:
    return zlib.crc32("\n".join(str(row[key]) for key in COLUMNS).encode())


def _is_sound(error: sqlite3.Error) -> bool:
    """Is an error no sign of damage?"""
    return _code(error) & 0xFF in NOT_DAMAGE and _code(error) != sqlite3.SQLITE_IOERR_SHORT_READ


def _code(error: sqlite3.Error) -> int:
    """What SQLite says; texts that are none are found by Python."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISMATCH)
