"""Damaged stores: one line that says so, never a traceback, and all that is whole can be saved.

The attack changes bytes at seeded places, over all pages, and runs every command that reads a
store.  The short form runs with the tests, the long one with the long checks.
"""

import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tesuji.errors import DamageError, StoppedError
from tesuji.lab.match import Task
from tesuji.lab.salvage import Salvage, open_store
from tesuji.lab.store import Store

from ..command import run_here
from ..waiting import end_of, next_line
from .matches import make, play_one
from .test_store import old_store

GAME = "go:size=3"
GAMES = 20
PAGE = 4096
EXPERIMENT = f"""
title = "T"
question = "Q"
game = "{GAME}"
games = {GAMES}
seed = 1
[players]
random = "random"
[opponents]
random = "random"
"""
PLAY = ["--game", GAME, "--games", GAMES, "--jobs", "1", "--store", "damaged.db", "--resume"]
COMMANDS = {
    "match": ["match", "random", "random", "--seed", "1", *PLAY],
    "tournament": ["tournament", "random", "x=random", "--seed", "1", *PLAY],
    "run": ["experiment", "run", "e.toml", "--store", "damaged.db"],
    "show": ["experiment", "show", "e.toml", "--store", "damaged.db"],
    "report": ["report", "damaged.db", "--json"],
    "json": ["export", "damaged.db", "--out", "out.json"],
    "store": ["export", "damaged.db", "--out", "out.db", "--format", "store"],
    "sgf": ["export", "damaged.db", "--out", "out", "--format", "sgf"],
}
READS_ALL = ("report", "json", "store", "sgf")


def flip(data, at, rng):
    data[at] ^= 1 << rng.randrange(8)


def zero(data, at, rng):
    stop = min(at + rng.choice([1, 16, 300]), len(data))
    data[at:stop] = bytes(stop - at)


def scramble(data, at, rng):
    stop = min(at + rng.choice([4, 64]), len(data))
    data[at:stop] = rng.randbytes(stop - at)


def zero_page(data, at, rng):
    start = at // PAGE * PAGE
    data[start : start + PAGE] = bytes(len(data[start : start + PAGE]))


def truncate(data, at, rng):
    del data[at:]


DAMAGES = [flip, zero, scramble, zero_page, truncate]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store in which nothing is missing, so that no command needs to play."""
    path = tmp_path_factory.mktemp("stores") / "games.db"
    matches = [
        *(make("random", "random", GAME, seed=seed) for seed in (1, 2)),
        make("random", "x=random", GAME, seed=1),
    ]
    with Store(path) as made:
        for match in matches:
            number = made.add(Task(match, GAMES))
            for n in range(GAMES):
                game = play_one(match, n)
                still = {"thinking": [0.5, 0.25], "seconds": 1.0, "started": "2026-11-18"}
                figures = [(0.5, 0, None)] * len(game.moves)
                made.save(number, replace(game, figures=figures, **still))
    return path


def all_games(path):
    """The games of an exported document, by match and number."""
    document = json.loads(path.read_text())
    return {
        (match["id"], game["number"]): game
        for match in document["matches"]
        for game in match["games"]
    }


@pytest.fixture(scope="module")
def whole(store):
    """What an export of the store holds."""
    out = store.with_name("whole.json")
    assert run_here("export", store, "--out", out).returncode == 0
    return all_games(out)


def attack(data, case, folder, whole, commands):
    """Damage a store once and run commands on it; gives their exit codes."""
    rng = random.Random(case)
    damage = DAMAGES[case % len(DAMAGES)]
    changed = bytearray(data)
    damage(changed, rng.randrange(len(data)), rng)
    codes = {}
    for name in commands:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "e.toml").write_text(EXPERIMENT)
        (folder / "damaged.db").write_bytes(changed)
        done = run_here(*COMMANDS[name], folder=folder)
        codes[name] = done.returncode
        where = f"case {case}, {damage.__name__}, {name}: {done}"
        if done.returncode:
            assert done.returncode in (1, 2), where
            lines = done.stderr.splitlines()
            assert len(lines) == 1, where
            assert lines[0].startswith("tesuji: "), where
            assert lines[0].isprintable(), where
        if name == "json" and (folder / "out.json").exists():
            found = all_games(folder / "out.json")
            assert found.items() <= whole.items(), where  # nothing is invented
            complete = done.returncode == 0 or "no game is known to be lost" in done.stderr
            assert (len(found) == len(whole)) == complete, where
            assert done.stdout.startswith(f"{len(found)} games written"), where
        if name == "store" and (folder / "out.db").exists():
            with Store(folder / "out.db", read_only=True) as saved:
                standings = saved.matches()
                assert f"{sum(s.summary()['games'] for s in standings)} games" in done.stdout, where
    return codes


@pytest.mark.parametrize("case", range(15))
def test_a_damaged_store_is_told_in_one_line(case, store, whole, tmp_path):
    codes = attack(store.read_bytes(), case, tmp_path / "x", whole, ["match", "show", *READS_ALL])
    assert (codes["report"] == 0) == (codes["json"] == 0) == (codes["sgf"] == 0)


@pytest.mark.stress
def test_many_damaged_stores(store, whole, tmp_path):
    found = Counter()
    for case in range(1000):
        codes = attack(store.read_bytes(), case, tmp_path / "x", whole, COMMANDS)
        found.update(codes.items())
    print(sorted(found.items()))
    assert all(found[name, 2] for name in COMMANDS)  # they do see it


@pytest.mark.parametrize("case", range(10))
def test_a_damaged_store_of_the_first_version(case, tmp_path):
    """Its games have no checksums, so a changed letter may pass; a traceback may not."""
    check_old(case, tmp_path)


@pytest.mark.stress
def test_many_damaged_stores_of_the_first_version(tmp_path):
    for case in range(500):
        check_old(case, tmp_path)


def check_old(case, tmp_path):
    path = tmp_path / "old.db"
    path.unlink(missing_ok=True)
    old_store(path)
    data = bytearray(path.read_bytes())
    rng = random.Random(case)
    DAMAGES[case % len(DAMAGES)](data, rng.randrange(len(data)), rng)
    path.write_bytes(data)
    for words in (["report", path, "--json"], ["export", path, "--out", tmp_path / "out.json"]):
        (tmp_path / "out.json").unlink(missing_ok=True)
        done = run_here(*words)
        assert done.returncode in (0, 1, 2), (case, done)
        assert len(done.stderr.splitlines()) == bool(done.returncode), (case, done)


def test_an_export_says_what_is_missing(store, tmp_path):
    """The page of some games is gone; the others come back, and the new store can be used."""
    data = bytearray(store.read_bytes())
    lost = len(data) // PAGE - 2
    data[lost * PAGE : (lost + 1) * PAGE] = bytes(PAGE)
    path, out = tmp_path / "damaged.db", tmp_path / "saved.db"
    path.write_bytes(data)
    with pytest.raises(DamageError, match=r"is damaged \(.*\); `tesuji export .*--format store"):
        Store(path)
    done = run_here("export", path, "--out", out, "--format", "store")
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    kept = int(done.stdout.split()[0])
    assert 0 < kept < 3 * GAMES
    assert line.startswith(f"tesuji: the store {path} is damaged; lost: {3 * GAMES - kept} of 20")
    with Store(out) as saved:
        assert sum(standing.summary()["games"] for standing in saved.matches()) == kept
    again = run_here("report", out, "--json")
    assert json.loads(again.stdout)["games"] == kept


def test_a_lost_match_is_named(store, tmp_path):
    path = tmp_path / "damaged.db"
    shutil.copy(store, path)
    database = sqlite3.connect(path)
    database.execute(
        "UPDATE match SET definition = replace(definition, '\"seed\": 2', '\"seed\": 3')"
    )
    database.commit()
    database.close()
    with open_store(path) as opened:
        assert isinstance(opened, Salvage)
        assert [standing.id for standing in opened.matches()] == [1, 3]
        assert opened.lost == ("match 2 with its games",)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM game WHERE number = 3 AND match = 1",
        "UPDATE game SET moves = '[\"A1\"]' WHERE number = 3 AND match = 1",
        "UPDATE game SET score = 1 - score, number = 3 WHERE number = 3 AND match = 1",
        "UPDATE game SET match = 77 WHERE number = 3 AND match = 1",
    ],
)
def test_rows_are_checked_and_counted(store, tmp_path, change):
    """Also where SQLite itself sees nothing wrong."""
    path = tmp_path / "damaged.db"
    shutil.copy(store, path)
    database = sqlite3.connect(path)
    if "1 - score" in change:
        database.execute("UPDATE game SET score = 0.5 WHERE score = 1 AND match = 1")
    database.execute(change)
    database.commit()
    database.close()
    with pytest.raises(DamageError, match="is damaged"), Store(path, read_only=True) as opened:
        opened.matches()
    with open_store(path) as opened:
        standings = opened.matches()
        [games] = [len(list(opened.games(s.id))) for s in standings if s.id == 1]
        assert games < GAMES
        assert f"{GAMES - games} of {GAMES} games of match 1" in opened.lost


def test_nothing_is_added_to_a_damaged_store(store, tmp_path):
    """It is seen while writing, too; that all is intact is not promised then."""
    path = tmp_path / "damaged.db"
    shutil.copy(store, path)
    with Store(path) as opened:
        match = opened.matches()[0].task.match
        game = next(opened.games(1))
        number = opened.add(Task(replace(match, seed=9), 2))
        data = bytearray(path.read_bytes())
        data[PAGE:] = bytes(len(data) - PAGE)
        path.write_bytes(data)
        opened._db.execute("PRAGMA cache_size = 0")
        with pytest.raises(StoppedError, match="is damaged"):
            save_all(opened, number, game)


def save_all(opened, number, game):
    for n in range(50):
        opened.save(number, replace(game, number=n))


def test_a_copy_of_a_killed_match_needs_no_other_file(tmp_path):
    """A second after a game was played, the file itself has it."""
    path = tmp_path / "games.db"
    script = textwrap.dedent("""
        import sys, time
        from dataclasses import replace
        from tests.lab.matches import make, play_one
        from tesuji.lab.match import Task
        from tesuji.lab.store import SETTLE_SECONDS, Store
        match = make("random", "random")
        game = play_one(match)
        store = Store(sys.argv[1])
        number = store.add(Task(match, 10))
        for n in range(6):
            if n == 5:
                time.sleep(SETTLE_SECONDS)
            store.save(number, replace(game, number=n))
        print("saved", flush=True)
        time.sleep(1000)
    """)
    process = subprocess.Popen([sys.executable, "-c", script, path], stdout=subprocess.PIPE)
    with process:
        assert next_line(process) == b"saved\n"
        process.send_signal(signal.SIGKILL)
        end_of(process)
    assert Path(f"{path}-wal").exists()
    copy = tmp_path / "copy.db"
    shutil.copy(path, copy)
    with Store(copy, read_only=True) as opened:
        assert opened.matches()[0].summary()["games"] == 6
