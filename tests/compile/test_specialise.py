"""Specialising: what makes a new variant, what does not, and that variants never mix."""

import os
import subprocess
import sys
import textwrap
import types
from enum import IntEnum

import numpy as np
import pytest

from tests.waiting import LONG
from tesuji.compile import Slot, specialise
from tesuji.compile.cache import directory
from tesuji.compile.specialise import fingerprint
from tesuji.errors import CompileError

game = Slot("game")
DOUBLE = Slot("DOUBLE")

SOURCE = """
import numpy as np
TABLE = np.array([10, 20, 30])
FACTOR = 3
def helper(x):
    return TABLE[x] * FACTOR
def entry(x):
    # a comment
    return helper(x) + 1
"""


def module(source):
    made = types.ModuleType("made")
    exec(compile(source, "made.py", "exec"), made.__dict__)
    return made


def tag(source):
    return fingerprint(module(source).entry, {})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("* FACTOR", "+ FACTOR"),  # a callee
        ("FACTOR = 3", "FACTOR = 4"),  # a constant
        ("20", "21"),  # a table
        ("np.array([10, 20, 30])", "np.array([10, 20, 30], np.int32)"),  # a table's type
        ("+ 1", "+ 2"),  # the entry itself
    ],
)
def test_an_edit_anywhere_gives_another_variant(old, new):
    assert old in SOURCE
    assert tag(SOURCE) != tag(SOURCE.replace(old, new))


def test_comments_and_lines_do_not_count():
    assert tag(SOURCE) == tag("\n\n" + SOURCE.replace("# a comment", "# another\n    # comment"))


def test_an_edit_changes_the_result():
    results = [
        specialise(module(source).entry, {}, label="test edit")(1)
        for source in (SOURCE, SOURCE.replace("20", "21"), SOURCE)
    ]
    assert results == [61, 64, 61]


def use(x):
    if DOUBLE:
        return game.value(x) * 2
    return game.value(x)


def test_slots_are_filled():
    def plus_one(x):
        return x + 1

    for jit in (True, False):
        for double, expected in ((False, 6), (True, 12)):
            bindings = {"game": {"value": plus_one}, "DOUBLE": double}
            assert specialise(use, bindings, label="test slots", jit=jit)(5) == expected


def branch(states):
    if DOUBLE:
        return states[0].absent  # would not compile
    return 1


def test_a_switched_off_branch_need_not_compile():
    states = np.zeros(1, np.dtype([("x", np.int8)]))
    assert specialise(branch, {"DOUBLE": False}, label="test switch")(states) == 1


def test_an_empty_slot_is_an_error():
    with pytest.raises(CompileError, match="nothing was bound to the slot 'game'"):
        specialise(use, {"DOUBLE": True}, label="x")
    with pytest.raises(CompileError, match="is empty"):
        use(1)


def test_closures_and_recursion_compile():
    def make(step):
        def down(n):
            return n if n <= 0 else down(n - step)

        return down

    assert [specialise(make(k), {}, label="test closure")(10) for k in (3, 4)] == [-2, -2]
    assert specialise(make(7), {}, label="test closure")(10) == -4


def test_functions_of_other_modules_compile():
    source = SOURCE.replace("return helper(x)", "return other.helper(x)")
    made = module(source)
    made.other = module(SOURCE)
    assert specialise(made.entry, {}, label="test module")(2) == 91
    changed = module(source)
    changed.other = module(SOURCE.replace("30", "40"))
    assert specialise(changed.entry, {}, label="test module")(2) == 121


def test_nested_modules_and_enumerations_count():
    source = SOURCE.replace("return helper(x)", "return package.other.helper(x) + Step.UP")
    results = []
    for table, up in (("30", 1), ("40", 1), ("40", 2)):
        made = module(source)
        made.package = types.ModuleType("package")
        made.package.other = module(SOURCE.replace("30", table))
        made.Step = IntEnum("Step", {"UP": up})
        results.append(specialise(made.entry, {}, label="test nested")(2))
    assert results == [92, 122, 123]


def test_a_table_may_not_be_huge():
    made = module(SOURCE)
    made.TABLE = np.zeros(1 << 18)
    with pytest.raises(CompileError, match="2,097,152 bytes"):
        specialise(made.entry, {}, label="x")


def test_what_cannot_be_hashed_is_refused():
    made = module(SOURCE)
    made.FACTOR = object()
    with pytest.raises(CompileError, match="neither a number, a table, nor a function"):
        specialise(made.entry, {}, label="x")


def in_new_process(code, **environment):
    """Run Python code; give what it printed on stdout and on stderr."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=LONG,
    )
    return done.stdout.strip(), done.stderr


TWO_VARIANTS = """
    import sys
    from tesuji.compile import specialise
    def make(k):
        def helper(x):  # recursive, so that it stays a function of its own
            return 0 if x <= 0 else k + helper(x - 1)
        def entry(x):
            return helper(x) + helper(x + 1)
        return entry
    for k in map(int, sys.argv[1:] or ORDER):
        kernel = specialise(make(k), {}, label="test collision")
        print(kernel(10), len(kernel.dispatcher.stats.cache_hits), end=" ")
"""


def test_cached_variants_never_run_each_others_code(tmp_path):
    """Two variants of one closure, compiled in two processes, loaded together in a third.

    With Numba's own names both would define the same symbol, and the second to be loaded would
    silently run the first one's helper.
    """
    cache = {"TESUJI_CACHE_DIR": str(tmp_path)}
    for k in (3, 5):
        out, _ = in_new_process(TWO_VARIANTS.replace("ORDER", f"[{k}]"), **cache)
        assert out.split()[0] == str(21 * k)
    for order in ([3, 5], [5, 3], [5, 3, 7, 5]):
        out, _ = in_new_process(TWO_VARIANTS.replace("ORDER", str(order)), **cache)
        assert out.split()[::2] == [str(21 * k) for k in order]


COUNT_HITS = """
    from tesuji.compile import specialise
    from numba.core import event
    compiled = []
    class Listener(event.Listener):
        def on_start(self, event): compiled.append(event.data["dispatcher"].py_func.__name__)
        def on_end(self, event): pass
    event.register("numba:compile", Listener())
    {source}
    print(specialise(entry, {{}}, label="test process")(2), len(compiled))
"""


def test_a_new_process_finds_the_cache(tmp_path):
    cache = {"TESUJI_CACHE_DIR": str(tmp_path)}
    source = textwrap.indent(SOURCE, "    ")
    first, _ = in_new_process(COUNT_HITS.format(source=source), **cache)
    second, _ = in_new_process(COUNT_HITS.format(source=source), **cache)
    commented = source.replace("# a comment", "# changed")
    third, _ = in_new_process(COUNT_HITS.format(source=commented), **cache)
    edited, _ = in_new_process(COUNT_HITS.format(source=source.replace("30", "31")), **cache)
    assert first.split()[0] == second.split()[0] == "91"
    assert int(first.split()[1]) > 0
    assert second.split()[1] == third.split()[1] == "0"
    assert edited.split()[0] == "94"
    assert int(edited.split()[1]) > 0


def test_jit_can_be_switched_off(tmp_path):
    code = """
        from tesuji.compile import specialise
        def entry(x): return x + 1
        kernel = specialise(entry, {}, label="x")
        print(kernel(1), hasattr(kernel, "dispatcher"))
    """
    assert in_new_process(code, TESUJI_JIT="0", TESUJI_CACHE_DIR=str(tmp_path))[0] == "2 False"
    assert not list(tmp_path.iterdir())


def test_a_slow_compilation_is_announced(tmp_path):
    code = """
        import time
        from tesuji.compile.specialise import notice
        with notice("the search of chess"):
            time.sleep({})
    """
    assert "compiling the search of chess" in in_new_process(code.format(1.3))[1]
    assert in_new_process(code.format(0.1))[1] == ""


def test_the_cache_lies_where_the_environment_says():
    assert str(directory()) == os.environ["TESUJI_CACHE_DIR"]
