"""The disk cache: pruning, damage, and places that cannot be written."""

import os
import time

import pytest

from tests.compile.test_specialise import in_new_process
from tesuji.compile import cache, specialise
from tesuji.compile.specialise import _READY


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
