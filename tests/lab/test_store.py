"""The store: nothing is lost, nothing counted twice, foreign files are left alone."""

import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.waiting import LONG, end_of, next_line, run_together
from tesuji import ConfigError
from tesuji.errors import StoppedError, StoreError
from tesuji.lab.match import Task
from tesuji.lab.opening import Openings
from tesuji.lab.runner import run
from tesuji.lab.schema import APPLICATION, VERSION
from tesuji.lab.stats import Sprt
from tesuji.lab.store import Store

from .matches import make, play_one

MATCH = make("uct", "random")
TASK = Task(MATCH, 10)


@pytest.fixture(scope="module")
def games():
    return [play_one(MATCH, number) for number in range(4)]


def test_games_come_back_as_they_were(tmp_path, games):
    with Store(tmp_path / "games.db") as store:
        match = store.add(TASK)
        for game in games:
            store.save(match, game)
    with Store(tmp_path / "games.db", read_only=True) as store:
        [standing] = store.matches()
        assert standing.task == TASK
        assert standing.scores == [game.score for game in games]
        back = list(store.games(standing.id))
        assert [replace(game, figures=[tuple(f) for f in game.figures]) for game in back] == games


def test_gaps_are_seen(tmp_path, games):
    with Store(tmp_path / "games.db") as store:
        match = store.add(TASK)
        store.save(match, games[3])
        assert store.results(match) == {3: games[3].result}
        assert store.matches()[0].scores == [None, None, None, games[3].score]
        assert store.played(MATCH) == 1


def test_a_game_cannot_be_saved_twice(tmp_path, games):
    with Store(tmp_path / "games.db") as store:
        match = store.add(TASK)
        store.save(match, games[0])
        with pytest.raises(StoppedError, match="UNIQUE"):
            store.save(match, games[0])
        assert store.played(MATCH) == 1


def test_a_match_is_found_again_and_its_goal_may_change():
    with Store() as store:
        first = store.add(TASK)
        assert store.add(Task(MATCH, 50, Sprt(0, 20))) == first
        assert store.add(Task(replace(MATCH, seed=9), 10)) != first
        assert [s.task.games for s in store.matches()] == [50, 10]
        assert store.matches()[0].task.sprt == Sprt(0, 20)


def test_players_are_kept_once_with_all_settings(tmp_path):
    with Store(tmp_path / "games.db") as store:
        store.add(TASK)
        store.add(Task(replace(MATCH, seed=9), 10))
    rows = sqlite3.connect(tmp_path / "games.db").execute("SELECT name, settings FROM player")
    table = dict(rows.fetchall())
    assert set(table) == {"uct", "random"}
    assert '"memory_mb": 500.0' in table["uct"]


def test_one_process_plays_a_match_at_a_time(tmp_path):
    """Another process is refused this match, not others; the lock dies with its owner."""
    path = tmp_path / "games.db"
    script = textwrap.dedent(f"""
        import sys
        from tesuji.lab.store import Store
        store = Store({str(path)!r})
        store.claim(1)
        print("claimed", flush=True)
        sys.stdin.read()
    """)
    other = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with other, Store(path) as store:
        assert next_line(other) == b"claimed\n"
        with pytest.raises(ConfigError, match="another process is playing this match"):
            store.claim(1)
        store.claim(2)
        other.send_signal(signal.SIGKILL)
        end_of(other)
        store.claim(1)


def test_two_processes_write_at_the_same_time(tmp_path):
    """Each adds a match of its own with 200 games; none is lost."""
    path = tmp_path / "games.db"
    script = textwrap.dedent("""
        import sys
        from dataclasses import replace
        from tests.lab.matches import make, play_one
        from tesuji.lab.match import Task
        from tesuji.lab.store import Store
        match = make("random", "random", seed=int(sys.argv[2]))
        game = play_one(match)
        with Store(sys.argv[1]) as store:
            number = store.add(Task(match, 200))
            for n in range(200):
                store.save(number, replace(game, number=n))
    """)
    both = [subprocess.Popen([sys.executable, "-c", script, path, str(n)]) for n in (1, 2)]
    assert [end_of(process) for process in both] == [0, 0]
    with Store(path) as store:
        assert [len(standing.scores) for standing in store.matches()] == [200, 200]


def test_many_open_a_new_store_at_the_same_time(tmp_path):
    """A store that another one is just making is not taken for a foreign file."""
    for attempt in range(5):
        path = tmp_path / f"games{attempt}.db"
        failures = []
        barrier = threading.Barrier(8)

        def open_store(path=path, failures=failures, barrier=barrier):
            barrier.wait(LONG)
            try:
                Store(path).close()
            except Exception as error:
                failures.append(error)

        run_together(*[open_store] * 8)
        assert failures == []


def test_a_newer_store_is_refused(tmp_path):
    path = tmp_path / "games.db"
    Store(path).close()
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {VERSION + 1}")
    database.close()
    with pytest.raises(StoreError, match="was written by a newer tesuji"):
        Store(path)


def test_reading_changes_nothing(tmp_path, games):
    path = tmp_path / "games.db"
    with Store(path) as store:
        store.save(store.add(TASK), games[0])
    before = path.read_bytes()
    with Store(path, read_only=True) as store:
        assert len(list(store.games(1))) == 1
        with pytest.raises(StoppedError, match="readonly"):
            store.save(1, games[1])
    assert path.read_bytes() == before
    empty = tmp_path / "empty.db"
    empty.touch()
    with pytest.raises(StoreError, match="is not a store of tesuji"):
        Store(empty, read_only=True)
    assert empty.stat().st_size == 0


def test_a_lock_that_cannot_be_made(tmp_path):
    (tmp_path / "games.db-lock").mkdir()
    with Store(tmp_path / "games.db") as store, pytest.raises(StoreError, match="cannot lock"):
        store.claim(1)


def test_a_match_never_wants_fewer_games_than_before():
    with Store() as store:
        store.add(Task(MATCH, 20))
        store.add(Task(MATCH, 6))
        assert store.matches()[0].task.games == 20


def test_files_that_are_no_stores(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("my notes, not a database at all\n" * 100)
    with pytest.raises(StoreError, match=r"cannot use the store .*notes.txt"):
        Store(text)
    assert text.read_text().startswith("my notes")
    other = tmp_path / "other.db"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE recipe (name)")
    database.commit()
    database.close()
    with pytest.raises(StoreError, match="not a store of tesuji"):
        Store(other)
    with pytest.raises(StoreError, match="there is no store"):
        Store(tmp_path / "nothing.db", read_only=True)
    with pytest.raises(StoreError, match="cannot use the store"):
        Store(tmp_path / "no" / "folder.db")


def test_a_disk_that_fills_up_stops_the_work_and_keeps_what_is_saved(tmp_path):
    """The system refuses to let the files grow; what was committed is there afterwards."""
    path = tmp_path / "games.db"
    script = textwrap.dedent("""
        import resource, signal, sys
        from dataclasses import replace
        from tests.lab.matches import make, play_one
        from tesuji.errors import StoppedError
        from tesuji.lab.match import Task
        from tesuji.lab.store import Store
        match = make("random", "random")
        game = play_one(match)
        saved = 0
        with Store(sys.argv[1]) as store:
            number = store.add(Task(match, 10_000))
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            try:
                for n in range(10_000):
                    store.save(number, replace(game, number=n))
                    saved += 1
            except StoppedError as error:
                print(error, file=sys.stderr)
        print(saved)
    """)
    done = subprocess.run(
        [sys.executable, "-c", script, path], capture_output=True, text=True, check=True
    )
    saved = int(done.stdout)
    assert 10 < saved < 10_000
    assert "cannot be written" in done.stderr
    with Store(path) as store:
        assert list(store.results(1)) == list(range(saved))
        assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)
        store.save(1, replace(play_one(make("random", "random")), number=saved))


def old_store(path):
    """A store as the first version wrote it, when settings had other names and all were part of
    what told matches apart."""
    database = sqlite3.connect(path)
    database.executescript((Path(__file__).parent / "stores" / "version-1.sql").read_text())
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute("PRAGMA user_version = 1")
    database.commit()
    database.close()


OLD = [
    (make("uct", "random", seed=3), 4),
    (
        make(
            *("uct@batch=8,c=1", "few=uct@sims=20,batch=8"),
            seed=4,
            openings=Openings.parse("random:2"),
        ),
        2,
    ),
    (make("uct", "dice=random", seed=3), 0),
]


def test_an_old_store_is_read_as_it_is(tmp_path):
    path = tmp_path / "old.db"
    old_store(path)
    before = path.read_bytes()
    with Store(path, read_only=True) as store:
        assert [len(standing.scores) for standing in store.matches()] == [4, 2, 0]
        assert [game.number for game in store.games(1)] == [0, 1, 2, 3]
        for match, games in OLD:
            assert len(store.standing(Task(match, 4)).scores) == games
        assert store.standing(Task(OLD[0][0], 4)).codes == {"": 4}
    assert path.read_bytes() == before


def test_an_old_store_goes_on(tmp_path):
    """Its matches are found by what their settings mean today."""
    path = tmp_path / "old.db"
    old_store(path)
    with Store(path) as store:
        assert [store.add(Task(match, 4)) for match, _ in OLD] == [1, 2, 3]
        assert store.add(Task(make("uct@c=0.5", "random", seed=3), 4)) == 4
        store.save(2, play_one(OLD[1][0], 2))
        with pytest.raises(ConfigError, match="were played by code what was not kept, the code is"):
            run([Task(OLD[1][0], 4)], store)
        [standing] = run([Task(OLD[1][0], 4)], store, any_code=True)
        assert standing.finished
        assert standing.codes[""] == 3
    with Store(path) as store:
        assert [len(standing.scores) for standing in store.matches()] == [4, 4, 0, 0]
