"""The disk cache: pruning, damage, and places that cannot be written."""

import errno
import os
import subprocess
import sys
import textwrap
import time
from contextlib import contextmanager

import pytest

from tests.compile.test_specialise import in_new_process
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
        assert process.stdout.readline() == "holding\n"
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
