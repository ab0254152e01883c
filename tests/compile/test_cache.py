"""The disk cache: pruning, damage, foreign code, and places that cannot be written."""

import errno
import os
import pickle
import random
import subprocess
import sys
import textwrap
import time
from contextlib import contextmanager

import pytest

from tests.compile.test_specialise import in_new_process
from tests.waiting import next_line
from tesuji.compile import cache, specialise
from tesuji.compile.specialise import _READY
from tesuji.errors import CompileError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TESUJI_CACHE_DIR", str(tmp_path))
    return tmp_path


def make_file(folder, name, size, age):
    path = folder / f"{name}{cache.SUFFIX}"
    path.write_bytes(b"x" * size)
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_pruning_removes_the_least_recently_used(folder):
    files = [make_file(folder, f"k{i}-0", 100, age=i * 10) for i in range(5)]
    assert cache.prune(keep_bytes=300, keep_seconds=1000) == 2
    assert [f.exists() for f in files] == [True, True, True, False, False]


def test_pruning_removes_what_is_old(folder):
    files = [make_file(folder, f"k{i}-0", 1, age=i * 100) for i in range(3)]
    assert cache.prune(keep_seconds=150) == 1
    assert [f.exists() for f in files] == [True, True, False]


def test_entries_and_clear(folder):
    make_file(folder, "the_search_of_go-abc", 10, age=0)
    (folder / "unrelated.txt").write_text("stays")
    assert [(e.label, e.bytes) for e in cache.entries()] == [("the_search_of_go", 10)]
    assert cache.clear() == 1
    assert cache.entries() == []
    assert (folder / "unrelated.txt").exists()


def add_seven(x):
    return x + 7


def run_from_disk(label):
    """Run a kernel as a new process would: without what this one remembers."""
    _READY.clear()
    return specialise(add_seven, {}, label=label)(1)


def test_a_damaged_file_is_replaced(folder):
    assert run_from_disk("test damage") == 8
    (entry,) = cache.entries()
    whole = entry.path.read_bytes()
    for damage in (b"", b"rubbish", whole[: len(whole) // 2]):
        entry.path.write_bytes(damage)
        assert run_from_disk("test damage") == 8
        assert len(entry.path.read_bytes()) == len(whole)


def wounds(whole):
    """Files as failing disks and machines that stopped leave them behind."""
    draw = random.Random(3)
    for _ in range(6):
        place = draw.randrange(len(whole))
        yield whole[:place] + bytes([whole[place] ^ 1 << draw.randrange(8)]) + whole[place + 1 :]
    for page in (0, len(whole) // 2, len(whole) - 1):
        start = page // 4096 * 4096
        yield (whole[:start] + bytes(4096) + whole[start + 4096 :])[: len(whole)]
    yield whole + b"more"


def test_damage_that_leaves_the_form_intact_is_seen(folder, monkeypatch):
    """One flipped bit in machine code would end the process, not raise an error."""
    assert run_from_disk("test wounds") == 8
    (entry,) = cache.entries()
    whole = entry.path.read_bytes()
    loaded = []
    monkeypatch.setattr(cache.pickle, "loads", loaded.append)
    for damaged in wounds(whole):
        entry.path.write_bytes(damaged)
        assert run_from_disk("test wounds") == 8
        assert cache._read(entry.path)  # whole again
    assert not loaded


def test_a_damaged_file_is_dropped_where_no_new_one_can_be_written(folder, monkeypatch):
    assert run_from_disk("test dropped") == 8
    (entry,) = cache.entries()
    entry.path.write_bytes(entry.path.read_bytes()[:-1])

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cache.os, "fsync", full)
    with pytest.warns(cache.CacheWarning, match="No space left"):
        assert run_from_disk("test dropped") == 8
    assert not list(folder.iterdir())


class Bomb:
    """Code that runs when it is unpickled."""

    def __init__(self, witness):
        self.witness = witness

    def __reduce__(self):
        return os.mkdir, (str(self.witness),)


def plant(path, bomb):
    """Replace a file by what anybody can make who knows its name."""
    code = pickle.dumps(bomb)
    path.write_bytes(cache.HEADER + cache._checksum(path.name, code) + code)


def test_a_planted_file_does_not_run(folder, tmp_path_factory):
    witness = tmp_path_factory.mktemp("outside") / "bombed"
    assert run_from_disk("test planted") == 8
    (entry,) = cache.entries()
    entry.path.write_bytes(pickle.dumps(Bomb(witness)))  # no checksum
    assert run_from_disk("test planted") == 8
    plant(entry.path, Bomb(witness))
    entry.path.chmod(0o666)  # others can have written it
    assert run_from_disk("test planted") == 8
    plant(entry.path, Bomb(witness))
    entry.path.rename(folder / "elsewhere")
    entry.path.symlink_to(folder / "elsewhere")
    assert run_from_disk("test planted") == 8
    assert not witness.exists()
    plant(entry.path, Bomb(witness))
    entry.path.chmod(0o600)
    assert run_from_disk("test planted") == 8
    assert witness.exists()  # the bomb is a real one: our own file, in our own directory


def test_a_file_under_the_name_of_another_is_not_loaded(folder):
    def add_nine(x):
        return x + 9

    assert run_from_disk("test names") == 8
    (seven,) = cache.entries()
    assert specialise(add_nine, {}, label="test names")(1) == 10
    (nine,) = (entry for entry in cache.entries() if entry.path != seven.path)
    seven.path.write_bytes(nine.path.read_bytes())
    _READY.clear()
    kernel = specialise(add_seven, {}, label="test names")
    assert kernel(1) == 8
    assert not kernel.dispatcher.stats.cache_hits


def test_only_the_user_can_read_or_write_the_cache(tmp_path):
    place = tmp_path / "new" / "cache"
    old = os.umask(0)
    try:
        in_new_process(RUN, TESUJI_CACHE_DIR=str(place))
    finally:
        os.umask(old)
    assert place.stat().st_mode & 0o777 == 0o700
    assert [path.stat().st_mode & 0o777 for path in place.iterdir()] == [0o600]


def shared_with_a_group(place):
    place.chmod(0o770)


def shared_with_all(place):
    place.chmod(0o707)


def of_another_user(place):
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(place, 12345, 12345)


def behind_a_link(place):
    place.rename(place.with_name("elsewhere"))
    place.symlink_to("elsewhere")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (shared_with_a_group, "can be written by others"),
        (shared_with_all, "can be written by others"),
        (of_another_user, "belongs to another user"),
        (behind_a_link, "is a symbolic link"),
    ],
)
def test_code_of_others_does_not_run(tmp_path, spoil, reason):
    place, witness = tmp_path / "cache", tmp_path / "bombed"
    in_new_process(RUN, TESUJI_CACHE_DIR=str(place))
    (file,) = place.iterdir()
    plant(file, Bomb(witness))
    planted = file.read_bytes()
    spoil(place)
    out, err = in_new_process(RUN, TESUJI_CACHE_DIR=str(place), TMPDIR=str(tmp_path))
    assert out == "42"
    assert err.count("CacheWarning") == 1
    assert reason in err
    assert "TESUJI_CACHE_DIR" in err
    assert not witness.exists()
    assert file.read_bytes() == planted  # nothing of the place was touched
    assert not list(tmp_path.glob("tesuji-cache-*"))  # and nothing is left behind


CHILD = """
    import subprocess, sys
    from tesuji.compile.cache import directory
    print(directory(), oct(directory().stat().st_mode & 0o777))
    sys.stdout.flush()
    if len(sys.argv) == 1:
        subprocess.run([sys.executable, "-c", CODE, "again"], check=True)
"""


def test_processes_share_the_private_directory_of_the_one_that_started_them(tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    code = textwrap.dedent(CHILD)
    out, err = in_new_process(
        f"CODE = {code!r}\n{code}", TESUJI_CACHE_DIR=str(tmp_path / "cache"), TMPDIR=str(tmp_path)
    )
    first, second = out.splitlines()
    assert first == second
    assert first.startswith(str(tmp_path / "tesuji-cache-"))
    assert first.endswith("0o700")
    assert err.count("CacheWarning") == 1


def test_without_a_home_nobody_can_know_the_place(tmp_path):
    code = """
        import os
        from pathlib import Path
        os.environ.pop("HOME", None)
        os.environ.pop("XDG_CACHE_HOME", None)
        del os.environ["TESUJI_CACHE_DIR"]
        import pwd
        pwd.getpwuid = {}.__getitem__  # a user without an entry, as in many containers
        from tesuji.compile.cache import directory
        print(directory())
    """
    places, errors = zip(
        *(in_new_process(code, TMPDIR=str(tmp_path)) for _ in range(2)), strict=True
    )
    assert places[0] != places[1]
    assert all(place.startswith(str(tmp_path / "tesuji-cache-")) for place in places)
    assert all("there is no home directory" in error for error in errors)


def test_a_cache_home_that_is_no_absolute_path_is_ignored(monkeypatch):
    monkeypatch.delenv("TESUJI_CACHE_DIR")
    monkeypatch.setenv("HOME", "/home/of/someone")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert str(cache.wanted_directory()) == "/home/of/someone/.cache/tesuji"
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert str(cache.wanted_directory()) == "/elsewhere/tesuji"


def test_a_write_that_was_killed_is_cleared_away(folder):
    for name, age in (("new", 10), ("old", 2 * cache.KEEP_PART_SECONDS)):
        part = folder / f"x-0{cache.SUFFIX}.{name}{cache.PART}"
        part.write_bytes(b"half")
        os.utime(part, (time.time() - age,) * 2)
    cache.prune()
    assert [".new." in path.name for path in folder.iterdir()] == [True]
    cache.clear()
    assert not list(folder.iterdir())


def test_using_an_entry_keeps_it_young(folder):
    run_from_disk("test young")
    (entry,) = cache.entries()
    os.utime(entry.path, (1000, 1000))
    run_from_disk("test young")
    assert cache.entries()[0].used > 1000


class Codegen:
    """What a cache asks of Numba to name a file."""

    def magic_tuple(self):
        return ()


@pytest.fixture
def kernel(folder):
    return cache.DiskCache("a kernel", "tag")


def locks(folder):
    return list(folder.glob("*" + cache.LOCK))


HOLD = """
    import os, sys
    from tesuji.compile import cache
    from tests.compile.test_cache import Codegen
    with cache.DiskCache("a kernel", "tag").turn((), Codegen()):
        print("holding", flush=True)
        sys.stdin.readline()
"""


@contextmanager
def another_process_compiles(folder):
    """A process that has its turn until it is told to go on, or killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOLD)],
        env={**os.environ, "TESUJI_CACHE_DIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert next_line(process) == "holding\n"
        yield process
        process.kill()


@pytest.fixture
def glances(monkeypatch):
    """What happens at each look at a process that is waited for, in place of a pause."""
    planned = []
    monkeypatch.setattr(cache.time, "sleep", lambda _: planned.pop(0)())
    return planned


def test_a_turn_leaves_nothing_behind(folder, kernel):
    with kernel.turn((), Codegen()):
        assert len(locks(folder)) == 1
    assert not locks(folder)


def test_a_process_waits_for_the_code_of_another(folder, kernel, glances):
    made = kernel.path((), Codegen())
    with another_process_compiles(folder):
        glances += [lambda: None, lambda: made.write_bytes(b"code")]
        with kernel.turn((), Codegen()):
            assert not glances


def test_a_process_that_was_killed_holds_up_nobody(folder, kernel, glances):
    with another_process_compiles(folder) as process:

        def kill():
            process.kill()
            process.wait()

        glances.append(kill)
        with kernel.turn((), Codegen()):
            assert not glances
    assert not locks(folder)


def test_a_process_that_was_stopped_holds_up_nobody_for_long(folder, kernel, monkeypatch):
    monkeypatch.setattr(cache, "PATIENCE", 0.1)
    with another_process_compiles(folder), kernel.turn((), Codegen()):
        assert len(locks(folder)) == 1  # it still holds its turn; this process went on without


def test_a_file_system_without_locks_is_no_obstacle(folder, kernel, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(cache.fcntl, "flock", refuse)
    with kernel.turn((), Codegen()):
        assert not kernel.path((), Codegen()).exists()


def test_clearing_removes_locks_of_processes_that_were_killed(folder, kernel):
    with another_process_compiles(folder) as process:
        process.kill()
    assert len(locks(folder)) == 1
    assert cache.clear() == 0
    assert not locks(folder)


def test_a_failed_compilation_ends_the_turn(folder):
    def wrong(x):
        return x.nothing

    for _ in range(2):
        with pytest.raises(CompileError):
            specialise(wrong, {}, label="test wrong")(1)
    assert not list(folder.iterdir())


RUN = """
    from tesuji.compile import specialise
    def entry(x): return x * 2
    print(specialise(entry, {}, label="x")(21))
"""


def test_a_place_that_cannot_be_written_is_replaced_with_a_warning(tmp_path):
    file = tmp_path / "file"
    file.write_text("in the way")
    out, err = in_new_process(RUN, TESUJI_CACHE_DIR=str(file / "cache"))
    assert out == "42"
    assert "cannot be written" in err
    assert "TESUJI_CACHE_DIR" in err


def test_a_full_disk_does_not_stop_anything(tmp_path):
    """A limit on file sizes makes real writes fail, as on a full disk."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
    out, err = in_new_process(limit + RUN.replace("\n    ", "\n"), TESUJI_CACHE_DIR=str(tmp_path))
    assert out == "42"
    assert "could not be kept" in err
    assert not list(tmp_path.iterdir())
