"""What is whole of a damaged store.

A damaged page takes the games on it away, and SQLite gives up where it meets one.  So `Salvage`
asks for matches and games one by one, by their numbers: those that do not lie behind the damage
come back, and ``lost`` says how many do not.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tesuji.errors import DamageError
from tesuji.lab.match import Standing
from tesuji.lab.store import Row, Store

MOST = 100_000  # numbers to ask for where nobody knows how many there were


def open_store(path: Path) -> Store:
    """A store to read from; if it is damaged, what is whole of it."""
    store = None
    try:
        store = Store(path, read_only=True)
        for standing in store.matches():
            for _ in store.games(standing.id):
                pass
        return store
    except DamageError:
        if store is not None:
            store.close()
        return Salvage(path)


class Salvage(Store):
    """A damaged store, opened for reading; begin with `matches`."""

    damaged = True

    def __init__(self, path: Path) -> None:
        self._lost_matches: list[int] = []
        self._saved: dict[int, int] = {}  # games that a match once had, as far as it is known
        self._wanted: dict[int, int] = {}  # and how many it was to have
        self._whole_games: dict[int, int] = {}
        self._bad: dict[int, int] = {}
        super().__init__(path, read_only=True)

    @property
    def lost(self) -> tuple[str, ...]:  # type: ignore[override]
        """What cannot be read, in words; complete when everything has been asked for."""
        found = [f"match {number} with its games" for number in self._lost_matches]
        for match, whole in self._whole_games.items():
            before = max(self._saved[match], whole + self._bad[match])
            if before > whole:
                found.append(f"{before - whole} of {before} games of match {match}")
        return tuple(found)

    def _check_format(self) -> None:
        self._db.execute("PRAGMA writable_schema = ON")  # or a file that was cut off is refused
        super()._check_format()

    def _check_whole(self) -> None:
        """It is not, and that is known."""

    def _damage(self, what: Any) -> DamageError:
        return DamageError(f"the store {self.path} is damaged ({what}): nothing of it can be read")

    def matches(self) -> list[Standing]:
        count = "saved" if self._pragma("user_version") > 1 else "0"
        query = f"SELECT id, key, definition, wanted, sprt, {count} FROM match WHERE id = ?"
        found = []
        for number in self._numbers("SELECT id FROM match", "SELECT match FROM game"):
            known = False
            with suppress(DamageError):
                known = self._asked("SELECT 1 FROM game WHERE match = ?", number) is not None
            with suppress(DamageError):
                row = self._asked(query, number)
                known = known or row is not None
                if row is not None:
                    wanted, saved = (n if isinstance(n, int) else 0 for n in (row[3], row[5]))
                    self._wanted[number], self._saved[number] = wanted, saved
                    found.append(self._standing(*row[:5]))
                    continue
            if known:
                self._lost_matches.append(number)
        return found

    def _rows(self, match: int) -> Iterator[Row]:
        self._whole_games[match] = self._bad[match] = 0
        seen = self._numbers(f"SELECT number FROM game WHERE match = {int(match)}")
        for number in range(max(len(seen), min(self._wanted[match], MOST))):
            row = None
            with suppress(DamageError), self._reading():
                query = "SELECT * FROM game WHERE match = ? AND number = ?"
                rows = self._db.execute(query, (match, number))
                values = rows.fetchone()
                if values is None:  # never played
                    continue
                row = self._whole(rows.description, values)
                self._played(row)  # games of old stores have no checksum, but JSON to be read
            if row is None:
                self._bad[match] += 1
            else:
                self._whole_games[match] += 1
                yield row

    def _asked(self, query: str, number: int) -> Any:
        with self._reading():
            return self._db.execute(query, (number,)).fetchone()

    def _numbers(self, *queries: str) -> list[int]:
        """All numbers up to the last one that can be seen, from either end."""
        last = 0
        for query in queries:
            for order in ("", "DESC"):
                last = max([last, *self._seen(f"{query} ORDER BY 1 {order}")])
        return list(range(last + 1))

    def _seen(self, query: str) -> Iterator[int]:
        try:
            for (number,) in self._db.execute(query):
                if isinstance(number, int) and 0 <= number < MOST:
                    yield number
        except sqlite3.Error:
            return
