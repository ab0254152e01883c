"""Settings of the compiler are part of what compiled code is known by."""

import numba
import pytest

from tests.compile.test_specialise import in_new_process
from tesuji.compile import specialise
from tesuji.compile.toolchain import toolchain

RUN = """
    from tesuji.compile import specialise
    def entry(x): return x * 2
    kernel = specialise(entry, {}, label="x")
    print(kernel(21), len(kernel.dispatcher.stats.cache_hits))
"""


def test_code_made_without_optimisation_is_not_found_by_others(tmp_path):
    place = {"TESUJI_CACHE_DIR": str(tmp_path)}
    slow = {"NUMBA_OPT": "0", **place}
    runs = [in_new_process(RUN, **environment)[0] for environment in (slow, place, slow, place)]
    assert runs == ["42 0", "42 0", "42 1", "42 1"]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_settings_file_in_the_working_directory_counts(tmp_path):
    pytest.importorskip("yaml")
    code = f"""
        import os
        os.chdir({str(tmp_path)!r})
        from tesuji.compile.toolchain import toolchain
        print(toolchain())
    """
    before, _ = in_new_process(code)
    (tmp_path / ".numba_config.yaml").write_text("opt: '1'")
    after, _ = in_new_process(code)
    assert before == toolchain() != after


def twice(x):
    return x * 2


def test_settings_that_a_program_changes_count(monkeypatch):
    before = toolchain()
    monkeypatch.setattr(numba.config, "OPT", type(numba.config.OPT)(1))
    assert toolchain() != before
    monkeypatch.undo()
    assert toolchain() == before
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", 1)
    assert toolchain() == before


def test_what_one_process_compiled_first_is_not_what_it_gets_later(monkeypatch):
    first = specialise(twice, {}, label="test settings")
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    second = specialise(twice, {}, label="test settings")
    assert first is not second
