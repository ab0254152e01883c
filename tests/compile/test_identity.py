"""The identity of code: what changes it, what does not, and that it is the same everywhere."""

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from tesuji.compile import Slot
from tesuji.compile.identity import Source, digest_of
from tesuji.compile.syntax import file_form

from ..conftest import ROOT

SOURCE = '''
"""A module."""
import math
import numpy as np
from tesuji.compile import Slot
TABLE = np.array([10, 20, 30])
FACTOR = 3
game = Slot("game")

class Point:
    """Where."""
    left = 4

def twice(x):
    """Double."""
    return x + x

def helper(x: int, scale: float = 0.5) -> float:
    """What it does."""
    total = 0.0  # a comment
    for i in range(x):
        total += TABLE[i] * FACTOR * scale
    return total

def entry(x):
    """Begin here."""
    best = max([helper(x, scale=y) for y in (1, 2)])
    def inner(z):
        return z + best
    return inner(game.value(x)) + math.sqrt(Point.left) + twice(x) + f"{x:>{best}}".count("a")
'''


def module(folder, source=SOURCE):
    """A module of a file; each one is a file of its own, as an edit would read it anew."""
    file = folder / f"made{len(list(folder.iterdir()))}.py"
    file.write_text(source)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    made = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = made
    spec.loader.exec_module(made)
    return made


def digest(folder, source=SOURCE):
    made = module(folder, source)
    return Source({"game": {"value": made.twice}}).add(made.entry).digest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0.0  #", "1.0  #"),  # a constant of a callee
        ("FACTOR = 3", "FACTOR = 4"),  # of its module
        ("20,", "21,"),  # a table
        ("[10, 20, 30]", "[10, 20, 30], np.int32"),  # the type of a table
        ("scale: float = 0.5", "scale: float = 0.6"),  # a default
        ("left = 4", "left = 5"),  # a class
        ("return x + x", "return x * x"),  # what fills a slot
        ("helper(x, scale=y)", "helper(y, scale=x)"),  # the entry
        ("z + best", "best + z"),
        ("math.sqrt", "math.sin"),  # another function of a library
        ("total += TABLE[i]", "total -= TABLE[i]"),
        ("range(x)", "reversed(x)"),  # a builtin
        ("x:>{best}", "x:<{best}"),
        # Swapped names of parameters: only the call that names one tells the difference.
        ("(x: int, scale: float = 0.5)", "(scale: float, x: int = 0.5)"),
    ],
)
def test_what_changes_it(tmp_path, old, new):
    assert old in SOURCE
    assert digest(tmp_path) != digest(tmp_path, SOURCE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""What it does."""', '"""Something else."""'),
        ('    """Where."""\n', '    """Where,\n\n    in many lines."""\n'),
        ("# a comment", "# another one"),
        ("def twice", "\n\n# further down\ndef twice"),
        ("total", "amount"),  # a local variable
        ("for y in (1, 2)", "for scale_of in (1, 2)"),
        ("x: int, scale: float = 0.5) -> float", "x, scale=0.5)"),  # annotations
        ("twice", "double"),  # a function is known by what it does
        ("TABLE", "NUMBERS"),
        ("    return total", "    pass\n    return total"),
    ],
)
def test_what_does_not(tmp_path, old, new):
    assert old in SOURCE
    source = SOURCE.replace(old, new)
    if "y in" in old:
        source = source.replace("scale=y", "scale=scale_of")
    made = module(tmp_path, source)
    filled = getattr(made, "twice", None) or made.double
    assert digest(tmp_path) == Source({"game": {"value": filled}}).add(made.entry).digest


def test_local_names_are_told_from_those_outside(tmp_path):
    """A name that stops being local is another thing, whatever it is called."""
    lines = ["x = 1", "def f():", "    x = 2", "    def g():", "        {}", "        x = 3"]
    source = "\n".join([*lines, "    g()", "    return x"])
    texts = [source.format(line) for line in ("pass", "nonlocal x", "global x")]
    found = [Source().add(module(tmp_path, text).f).digest for text in texts]
    assert len(set(found)) == 3


def test_closures_count_by_what_they_hold(tmp_path):
    made = module(tmp_path, "def make(k):\n    def add(x):\n        return x + k\n    return add\n")
    one, two, again = (Source().add(made.make(k)).digest for k in (1, 2, 1))
    assert one == again != two


def test_branches_behind_a_switch(tmp_path):
    lines = ["from tesuji.compile import Slot", "ON = Slot('ON')", "def f(x):", "    if ON:"]
    f = module(tmp_path, "\n".join([*lines, "        x += 1", "    return x"])).f
    assert Source({"ON": True}).add(f).digest != Source({"ON": False}).add(f).digest


def test_a_whole_file_and_the_files_beside_it(tmp_path):
    (tmp_path / "near.py").write_text("import math\nimport far\nK = 1\n")
    (tmp_path / "far.py").write_text("from near import K\n")
    start = tmp_path / "start.py"
    start.write_text("def f():\n    from near import K\n    return K\n")
    source = Source()
    assert source.add_program(start) == {"math"}
    before = source.digest
    for name, text in (("far.py", "from near import K as L\n"), ("near.py", "import far\nK = 2\n")):
        (tmp_path / name).write_text(text)
        changed = Source()
        changed.add_program(start)
        assert changed.digest != before
        before = changed.digest


def test_values_of_all_kinds():
    kinds = [
        *(1, 1.0, True, "1", b"1", None, (1,), [1], {1}, {"a": 1}, np.int8(1), np.float32(1)),
        *(np.ones(1), np.ones(1, np.int64), np.dtype("i8"), Slot("x"), len, int, range(3), Path),
    ]
    assert len({Source().add(value).digest for value in kinds}) == len(kinds)


def test_without_a_source_byte_code_has_to_do():
    scope = {}
    exec("def one(x):\n    return x + k\nk = 1", scope)
    first = Source().add(scope["one"]).digest
    scope["k"] = 2
    assert Source().add(scope["one"]).digest != first


def test_the_order_counts():
    assert Source().add(1, 2).digest != Source().add(2, 1).digest
    assert digest_of(1, 2) != digest_of(2, 1)


def test_it_is_the_same_on_every_python(tmp_path):
    """Pinned: continuous integration runs this on all supported versions."""
    assert digest(tmp_path) == "342ed2621ccc1700"


FORMS = """
import importlib.util, hashlib, pathlib, sys
spec = importlib.util.spec_from_file_location("syntax", sys.argv[1])
syntax = importlib.util.module_from_spec(spec)
sys.modules["syntax"] = syntax
spec.loader.exec_module(syntax)
files = sorted(pathlib.Path(sys.argv[2]).rglob("*.py"))
text = "".join(syntax.file_form(path).text for path in files)
print(hashlib.sha256(text.encode()).hexdigest())
"""


@pytest.mark.parametrize("version", ["3.12", "3.13", "3.14"])
def test_other_pythons_on_this_machine_read_the_source_alike(version):
    """They have no Numba: what they read is the syntax of all files of the package."""
    python = shutil.which(f"python{version}")
    source = ROOT / "src" / "tesuji"
    words = ["-c", textwrap.dedent(FORMS), source / "compile" / "syntax.py", source]
    done = python and subprocess.run([python, *words], capture_output=True, text=True)
    if not done or done.returncode == 127:
        pytest.skip(f"there is no Python {version} here")
    text = "".join(file_form(path).text for path in sorted(source.rglob("*.py")))
    assert done.stdout.strip() == hashlib.sha256(text.encode()).hexdigest(), done.stderr
