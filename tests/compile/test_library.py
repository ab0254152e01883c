"""One piece of machine code for a whole call graph: what stays inside, what is kept apart."""

import re

import pytest

from tests.compile.test_specialise import in_new_process
from tesuji.compile import apart, inlined, specialise
from tesuji.compile.library import APART, InnerLibrary
from tesuji.compile.specialise import _READY
from tesuji.games import load
from tesuji.position import Position
from tesuji.searcher import search


def wander(x):
    """Long enough that the compiler would call it, were it not told what to do."""
    for i in range(100):
        x = ((x * 31 + i) ^ (x >> 3)) & 0xFFFF
    return x


def once(x):
    return wander(x) + 1


@apart
def kept(x):
    return x + 1


def calls_kept(x):
    return kept(x) + kept(x + 5)


@inlined
def copied(x):
    for i in range(100):
        x = ((x * 17 + i) ^ (x >> 5)) & 0xFFFF
    return x


def calls_copied(x):
    return copied(x) + copied(x + 5)


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """A cache of its own, so that every kernel is compiled here."""
    monkeypatch.setenv("TESUJI_CACHE_DIR", str(tmp_path))
    _READY.clear()


def compiled(entry, argument=3):
    """The compiled form of an entry, after a call of it."""
    run = specialise(entry, {}, label=f"test {entry.__name__}")
    assert run(argument) == specialise(entry, {}, label="plain", jit=False)(argument)
    dispatcher = run.dispatcher
    (signature,) = dispatcher.signatures
    return dispatcher, dispatcher.overloads[signature].library


def defined(library):
    """The functions that a library's optimised code still has, by name."""
    return re.findall(r"^define [^@]*@\"?([\w.$]+)", str(library.get_llvm_str()), re.MULTILINE)


def test_inner_functions_make_no_machine_code(fresh, monkeypatch):
    finished = []
    optimise = InnerLibrary._finalize_final_module

    def watched(library):
        optimise(library)
        finished.append(library)

    monkeypatch.setattr(InnerLibrary, "_finalize_final_module", watched)
    _, library = compiled(once)
    inner = [lib for lib in finished if "wander" in lib.name]
    assert inner
    assert all(not lib._codegen._engine.is_symbol_defined(lib.name) for lib in inner)
    assert not isinstance(library, InnerLibrary)


def test_what_is_apart_is_called_however_small(fresh):
    _, library = compiled(calls_kept)
    assert any(APART in name or "kept" in name for name in defined(library))
    assert len(re.findall(r"call [^\n]*apart_kept", str(library.get_llvm_str()))) == 2


def test_what_is_inlined_is_copied_however_large(fresh):
    _, library = compiled(calls_copied)
    assert not re.findall(r"call [^\n]*copied_1", str(library.get_llvm_str()))


def test_a_mark_gives_another_variant(fresh):
    """Otherwise code of before the mark would be taken from the cache."""

    def small(x):
        return x + 1

    def entry(x):
        return small(x)

    first = specialise(entry, {}, label="test mark")
    small.apart = True
    assert specialise(entry, {}, label="test mark") is not first


def test_code_from_the_disk_runs_in_a_new_process(tmp_path):
    code = """
        from tesuji.compile import cache, specialise
        from tests.compile.test_library import calls_kept
        run = specialise(calls_kept, {}, label="test process")
        print(run(3), len(run.dispatcher.stats.cache_hits), len(cache.entries()))
    """
    first, _ = in_new_process(code, TESUJI_CACHE_DIR=str(tmp_path))
    second, _ = in_new_process(code, TESUJI_CACHE_DIR=str(tmp_path))
    assert first.split() == ["13", "0", "1"]
    assert second.split() == ["13", "1", "1"]


def test_two_games_in_one_process_do_not_mix():
    """Their kernels have the same names, and only one of each pair is right for its records."""
    for spec in ("tictactoe", "connect4", "tictactoe"):
        position = Position.start(load(spec))
        fast, slow = (search(position, simulations=40, seed=3, jit=jit) for jit in (True, False))
        assert [c.visits for c in fast.children] == [c.visits for c in slow.children]
