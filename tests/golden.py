"""Golden lines: searches whose trees are known, each by a hash in ``tests/golden.toml``.

A line stands for everything that a search left behind: all nodes of its trees, from the root on in
the order in which the children were tried, and its decision.  A change of the code that should not
alter a search alters no line.

    python -m tests.golden                  write the file again, and say which lines changed
    python -m tests.golden --against PATH   compare with another checkout, tree by tree
    python -m tests.golden ... -k TEXT      only the lines whose names contain TEXT
    python -m tests.golden ... --compiled   as machine code (slow: it compiles every search)

Start with `catalogue`, the searches; `line` runs one.  What is read of the package beyond its
public names is in one section, *inside*, with the names that older checkouts had.

Everything repeats: slices of work have a fixed number of simulations, and threads that share a tree
take turns, compiled or not.
"""

import argparse
import contextlib
import hashlib
import importlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.toys.knowing import game as knowing
from tesuji import Game, Limit, Position, SearchConfig, Searcher, load, methods

FILE = ROOT / "tests" / "golden.toml"
Line = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One search, as plain data: another checkout runs it, too."""

    name: str
    game: str = "hex:size=3"
    simulations: int = 60
    method: str = ""  #: of the tree search or of planning; empty: the default
    settings: dict[str, Any] = field(default_factory=dict)
    plan: bool = False  #: look for a solution, not for a move
    slice: int = 24  #: simulations between two looks at the clock, of all threads together
    more: int = 0  #: so many times play the move that was found, and search again


# --- the catalogue --------------------------------------------------------------------------------

#: boards on which simulations that are not compiled take no time
SMALL = {
    "amazons": "amazons:size=5",
    "breakthrough": "breakthrough:size=3x6",
    "go": "go:size=4",
    "loa": "loa:size=4",
}
#: of games of one player
ALONE = "samegame:size=4x4,colours=3"
LONG = "samegame:size=6x6,colours=4"
DRAWN = 200  # combinations of settings
CONNECT = "connect4:size=5x4"

#: searches by several threads, of all schemes, and by virtual threads
PARALLEL: dict[str, dict[str, Any]] = {
    "tree": {},
    "tree, three threads": {"threads": 3},
    "tree, lock local": {"lock": "local"},
    "tree, lock global": {"lock": "global", "virtual_loss": 3},
    "tree, virtual loss 0": {"virtual_loss": 0, "expand": "all"},
    "tree, virtual loss 3": {"virtual_loss": 3},
    "tree, rave": {"rave": "mse", "grave": 10},
    "tree, bounds": {"solver": "bounds"},
    "tree, transpositions": {"solver": "wins", "transpositions": True},
    "tree, little memory": {"expand": "all", "memory_mb": 0.01},
    "tree, backup max": {"backup": "max"},
    "tree, learning playouts": {"gibbs": "ngram", "pairs": 0.5, "pairs_visits": 2},
    "tree, halving": {"halving": "hybrid", "halving_switch": 20},
    "tree, shot": {"halving": "shot"},
    "tree, halving and solver": {"halving": "hybrid", "halving_switch": 0, "solver": "wins"},
    "leaf": {"parallel": "leaf", "threads": 3},
    "leaf, rave": {"parallel": "leaf", "rave": "mse"},
    "leaf, bounds": {"parallel": "leaf", "solver": "bounds"},
    "root": {"parallel": "root"},
    "root, three trees": {"parallel": "root", "threads": 3, "select": "ucb1-tuned"},
    "root, processes": {"parallel": "root", "processes": True},
    "root, virtual wins": {"parallel": "root", "virtual_wins": 7},
    "root, bounds": {"parallel": "root", "solver": "bounds", "threads": 3},
    "root, wins and twins": {"parallel": "root", "solver": "wins", "transpositions": True},
    "root, rave": {"parallel": "root", "rave": "mse"},
    "root, halving": {"parallel": "root", "halving": "hybrid", "halving_switch": 20},
    "root, brue": {"parallel": "root", "brue": True, "final": "max"},
    "root, slow tree": {"parallel": "root", "share_seconds": 1e-9, "threads": 3},
    "root, slow root": {"parallel": "root", "share_seconds": 1e-9, "share_depth": 0},
    "root, slow tree, virtual wins": {
        "parallel": "root",
        "share_seconds": 1e-9,
        "virtual_wins": 7,
    },
    "virtual threads": {"threads": 1, "in_flight": 8},
    "virtual threads, virtual loss 0": {"threads": 1, "in_flight": 8, "virtual_loss": 0},
    "virtual threads, many": {"threads": 1, "in_flight": 40, "virtual_loss": 2},
    "virtual threads, rave": {"threads": 1, "in_flight": 8, "rave": "mse"},
    "virtual threads, bounds": {"threads": 1, "in_flight": 8, "solver": "bounds"},
    "virtual threads, twins": {"threads": 1, "in_flight": 8, "transpositions": True},
}
#: threads that run several simulations from one node on
BATCHED: dict[str, dict[str, Any]] = {
    "batched descents": {},
    "batched descents, 4 at most": {"batch": 4, "virtual_loss": 2},
    "batched descents, none": {"batch": 1},
    "batched descents, virtual loss 0": {"virtual_loss": 0},
    "batched descents, variance": {"select": "ucb1-tuned", "virtual_loss": 3},
    "batched descents, bounds": {"solver": "bounds"},
    "batched descents, twins": {"transpositions": True},
    "batched descents, rave": {"rave": "mse"},
}
#: parts that no method of the package has, or not with one thread
ALONE_IN_TREE: dict[str, dict[str, Any]] = {
    "solver bounds": {"solver": "bounds"},
    "solver wins": {"solver": "wins"},
    "solver bounds, twins": {"solver": "bounds", "transpositions": True},
    "look-ahead": {"solver": "wins", "lookahead": True},
    "look-ahead, halving": {
        "solver": "wins",
        "lookahead": True,
        "halving": "hybrid",
        "halving_switch": 4,
    },
    "look-ahead, twins": {"solver": "bounds", "lookahead": True, "transpositions": True},
    "little memory": {"expand": "all", "memory_mb": 0.01},
    "little memory, twins": {"expand": "all", "memory_mb": 0.01, "transpositions": True},
    "little memory, halving": {
        "expand": "all",
        "memory_mb": 0.01,
        "halving": "hybrid",
        "halving_switch": 10,
    },
    "halving returns": {"halving": "hybrid", "halving_switch": 10, "halving_returns": True},
    "halving bounds": {"halving": "hybrid", "halving_bounds": True, "solver": "bounds"},
    "shot": {"halving": "shot"},
    "brue with a horizon": {"brue": True, "horizon": 4, "final": "max"},
    "playout cap": {"playout_cap": 3},
    "no reuse": {"reuse": False},
    "final secure": {"final": "secure", "secure": 0.5},
    "final robust-max": {"final": "robust-max"},
}
#: many parts at once, so that few compilations reach all of them
MIXED: dict[str, dict[str, Any]] = {
    "knowledge and AMAF": {
        "rave": "mogo",
        "grave": 4,
        "pool": 0.5,
        "pool_visits": 3,
        "pool_size": 4,
        "knowledge": "squares",
        "bias": "mango",
        "prior_visits": 3.0,
        "decisive": True,
        "final": "robust-max",
    },
    "widening, proofs and twins": {
        "knowledge": "squares",
        "widen": "power",
        "widen_base": 2.0,
        "widen_growth": 0.25,
        "solver": "wins",
        "transpositions": True,
        "backup": "mix",
        "policy_visits": 4,
        "playout": "squares",
        "memory_mb": 0.01,
    },
    "locks and learning playouts": {
        "threads": 2,
        "lock": "local",
        "virtual_loss": 2,
        "gibbs": "ngram",
        "pairs": 0.5,
        "pairs_visits": 2,
        "playout_cap": 4,
        "evaluation": "even",
        "root": "pbbm",
    },
    "a lock, the best child and MAST": {
        "threads": 2,
        "lock": "global",
        "backup": "max",
        "gibbs": "mast",
        "fpu": 1.1,
        "solver": "bounds",
    },
    "batched descents of all kinds": {
        "threads": 2,
        "select": "ucb1-tuned",
        "virtual_loss": 3,
        "solver": "bounds",
        "transpositions": True,
        "expand_visits": 2,
    },
    "slow tree of all kinds": {
        "threads": 2,
        "parallel": "root",
        "share_seconds": 1e-9,
        "select": "ucb1-tuned",
        "solver": "wins",
        "knowledge": "squares",
        "bias": "mogo",
    },
}
#: lines that `make test` compiles, too
COMPILED_TOO = [
    *(f"mixed {name}" for name in MIXED),
    "part superko",
    "part halving bounds",
    "part brue with a horizon",
    "parallel tree, shot",
    "parallel leaf",
    "parallel virtual threads",
    "plan nested",
    "plan nrpa",
]
#: searches for the best line; the second item goes to the settings of the method
PLANS: dict[str, tuple[str, list[str]]] = {
    "random": ("random", []),
    "greedy": ("greedy", []),
    "nested": ("nested", ["level=2"]),
    "nested without memory": ("nested", ["level=2", "memory=false"]),
    "nrpa": ("nrpa", ["level=2", "iterations=8"]),
    "tree": ("uct", []),
    "sp-uct": ("sp-uct", []),
    "sp-uct, two trees": ("sp-uct", ["threads=2", "parallel=root"]),
    "omc-greedy": ("omc-greedy", []),
}


def catalogue() -> list[Case]:
    """All lines, by family."""
    families = (
        _of_methods,
        _of_parts,
        _of_parallel,
        _of_mixtures,
        _of_plans,
        _of_combinations,
    )
    return [case for family in families for case in family()]


def _of_methods() -> Iterator[Case]:
    """Every method on its game, and on every game for which it has settings of its own."""
    for name in methods.names():
        found = methods.describe(name)
        own = SMALL.get(found.get("game", ""), "hex:size=3")
        yield Case(f"method {name}", own, method=name, more=1)
        if name in ("mogo", "hmcts-solver"):
            other = SMALL["breakthrough"]
            yield Case(f"method {name}, breakthrough", other, method=name, more=1)


def _of_parts() -> Iterator[Case]:
    for name, settings in ALONE_IN_TREE.items():
        game, more = _fitting(settings)
        yield Case(f"part {name}", game, 150, settings=settings, more=more)
    yield Case("part superko", "go:size=3", 100, settings={"ownership": True}, more=2)
    criticality = {"rave": "mse", "criticality": 4.0, "ownership": True}
    yield Case("part criticality", "go:size=3", 100, settings=criticality, more=1)
    yield Case("part three players", "trio:size=4x4,line=3", 200, more=1)
    yield Case("part one player", ALONE, 200, more=1)
    yield Case("part deviation", ALONE, 200, method="sp-uct", more=1)
    cap = {"playout_cap": 3, "evaluation": "even", "gibbs": "mast"}
    yield Case("part evaluation", "toy:knowing", 200, settings=cap, more=1)


def _fitting(settings: dict[str, Any]) -> tuple[str, int]:
    """A game, and how many moves to play in it.

    Proofs need an end that is near, and memory runs out where nodes have many children.
    """
    if "memory_mb" in settings:
        return "hex:size=4", 1
    return ("tictactoe", 4) if "solver" in settings else (CONNECT, 1)


def _of_parallel() -> Iterator[Case]:
    for name, settings in PARALLEL.items():
        game, more = _fitting(settings)
        yield Case(f"parallel {name}", game, 120, settings={"threads": 2, **settings}, more=more)
    for name, settings in BATCHED.items():
        settings = {"threads": 2, **settings}
        yield Case(f"parallel {name}", "tictactoe", 600, settings=settings, slice=300)
    yield Case("parallel tree, superko", "go:size=3", 100, settings={"threads": 2}, more=1)
    yield Case("parallel root, superko", "go:size=3", 100, settings=_ROOT, more=1)
    yield Case("parallel root, one player", ALONE, 200, settings=_ROOT, more=1)
    knowing = {"threads": 2, "knowledge": "squares", "bias": "mango", "widen": "crazystone"}
    yield Case("parallel tree, knowledge", "toy:knowing", 200, settings=knowing)
    yield Case("parallel root, knowledge", "toy:knowing", 200, settings={**knowing, **_ROOT})


_ROOT = {"threads": 2, "parallel": "root"}


def _of_mixtures() -> Iterator[Case]:
    for name, settings in MIXED.items():
        batched = "batched" in name
        size, slice = (600, 300) if batched else (160, 24)
        more = 4 if "solver" in settings and not batched else 1
        yield Case(f"mixed {name}", "toy:knowing", size, settings=settings, slice=slice, more=more)


def _of_plans() -> Iterator[Case]:
    for name, (method, texts) in PLANS.items():
        settings = dict(text.split("=") for text in texts)
        yield Case(f"plan {name}", LONG, 100, method, settings, plan=True)


def _of_combinations() -> Iterator[Case]:
    """Settings drawn at random.

    Once drawn they stay as they are in the file, when the generator knows new settings, too.
    """
    kept = [name for name in read() if name.startswith(COMBINATION)]
    for name in kept or _drawn():
        settings = {key: _value(text) for key, text in _pairs(name)}
        settings |= {"memory_mb": 1.0, "pool_visits": 3, "pool_size": 4}
        yield Case(name, "toy:knowing", settings=settings)


COMBINATION = "combination "


def _drawn() -> list[str]:
    from tests.search.test_config_combinations import sample  # only here, since it needs pytest

    texts = (
        " ".join(f"{key}={json.dumps(value).strip(chr(34))}" for key, value in settings.items())
        for settings in sample(DRAWN, seed=18)
    )
    return [f"{COMBINATION}{number:03}: {text}" for number, text in enumerate(texts)]


def _pairs(name: str) -> list[list[str]]:
    return [part.split("=") for part in name.partition(": ")[2].split()]


def _value(text: str) -> Any:
    """A number, a truth, or a name."""
    try:
        return json.loads(text)
    except ValueError:
        return text


# --- inside ---------------------------------------------------------------------------------------

#: where internals are, the newest place first: older checkouts have them elsewhere
PLACES = {
    "records": ["tesuji.search.decide:records"],
    "next_size": ["tesuji.search.slices:next_size", "tesuji.searcher:next_size"],
    "planning": ["tesuji.planning:Solver"],
    "read_method": ["tesuji.planning:read_method"],
}
#: settings that had other names: new, old
OLDER: dict[str, str] = {"batch": "stay"}
#: fields of a node, each by the names that it has had, the newest first; not where records lie in
#: memory, nor who holds a lock.  Lines know fields by their place here: rename them, add new ones
#: at the end, and no line changes.
FIELDS = [
    ["move"],
    ["visits"],
    ["value"],
    ["squares"],
    ["amaf_visits"],
    ["amaf_value"],
    ["prior"],
    ["lower"],
    ["upper"],
    ["free"],
    ["selections", "passes"],
    ["count"],
    ["tried"],
    ["mover"],
    ["status"],
]
TWIN = ["canonical", "twin"]
STATUS = ["status"]
SHARED = 4  # the status of a node whose twin has the children


def inside(name: str) -> Any:
    """Something of the package that is not public."""
    for place in PLACES[name]:
        module, _, attribute = place.partition(":")
        with contextlib.suppress(ImportError, AttributeError):
            return getattr(importlib.import_module(module), attribute)
    raise ImportError(f"{name} is at none of {', '.join(PLACES[name])}")


def known_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings by the names that this checkout has for them."""
    default = SearchConfig()
    return {
        key if hasattr(default, key) else OLDER.get(key, key): settings[key] for key in settings
    }


@contextlib.contextmanager
def slices(size: int) -> Iterator[None]:
    """Let searches look at the clock after so many simulations, however long they take."""
    module = sys.modules[inside("next_size").__module__]
    usual = module.next_size
    module.next_size = lambda done, seconds: size
    try:
        yield
    finally:
        module.next_size = usual


def take_turns(searcher: Searcher) -> None:
    """Let compiled threads that share a tree run one after another, as uncompiled ones do."""
    if searcher.config.sharing:
        runner = inside_of(searcher)
        assert hasattr(runner, "_jit"), "threads cannot be made to take turns: see take_turns"
        runner._jit = False
        if hasattr(runner, "contexts"):
            if searcher.config.led:
                runner.contexts[0].leaf.signal["helpers"] = 0
        elif searcher.config.crewed:
            runner.works[0].crew.bell["hands"] = 0


def inside_of(searcher: Searcher) -> Any:
    """What runs the simulations of a searcher."""
    if hasattr(searcher, "_trees"):
        return searcher._trees._runner
    return searcher._grower._driver


def trees_of(searcher: Searcher) -> list[Any]:
    """The tree that answers, and those that it is the sum of."""
    several = (searcher._trees if hasattr(searcher, "_trees") else searcher._grower).trees
    return [searcher.tree, *(several if len(several) > 1 else [])]


def nodes_of(tree: Any) -> dict[str, list[Any]]:
    """The fields that nodes have, by their newest names, and the nodes, each before its children.

    The first item of a node is its depth, the last one the number of its twin, or 0.
    """
    records = inside("records")
    table = tree.nodes
    present = [(names[0], _called(names, table)) for names in FIELDS]
    present = [(newest, name) for newest, name in present if name is not None]
    status, twin = _called(STATUS, table), _called(TWIN, table)
    numbers: dict[int, int] = {}
    found: list[list[Any]] = []
    twins: list[tuple[int, int]] = []
    todo = [(0, 0)]
    while todo:
        depth, index = todo.pop()
        numbers[index] = len(found)
        node = table[index]
        found.append([depth, *(node[name].item() for _, name in present), 0])
        if node[status] == SHARED:
            twins.append((len(found) - 1, int(node[twin])))
        else:
            todo += [(depth + 1, each) for each in reversed(records(tree, index).tolist())]
    for number, of in twins:
        found[number][-1] = numbers.get(of, -1)
    return {"fields": [newest for newest, _ in present], "nodes": found}


def _called(names: Sequence[str], table: Any) -> str | None:
    """The name that this checkout has for a field; None: its nodes have no such field."""
    return next((name for name in names if name in table.dtype.names), None)


# --- one line -------------------------------------------------------------------------------------


def line(case: Case, jit: bool) -> Line:
    """Run a search; what it left behind."""
    game = _game(case.game)
    position = Position.start(game, jit=jit)
    with slices(case.slice):
        return _plan(case, position, jit) if case.plan else _search(case, position, jit)


def _game(spec: str) -> Game:
    return knowing() if spec == "toy:knowing" else load(spec)


def _search(case: Case, position: Position, jit: bool) -> Line:
    config = methods.load(case.method or "uct", position.game.name)
    config = config.changed(known_settings({"memory_mb": 20.0, **case.settings}))
    searcher = Searcher(position.game, config, seed=8, jit=jit)
    take_turns(searcher)
    decision = searcher.search(position, Limit(case.simulations))
    decisions = [_facts(searcher, decision)]
    trees = [nodes_of(tree) for tree in trees_of(searcher)]
    for _ in range(case.more):
        position = position.play(decision.text)
        if position.over:
            break
        decision = searcher.search(position, Limit(case.simulations))
        decisions.append(_facts(searcher, decision))
        trees += [nodes_of(tree) for tree in trees_of(searcher)]
    return {"decisions": decisions, "trees": trees}


DECIDED = ["move", "value", "visits", "simulations", "line", "depth", "nodes", "proven"]


def _facts(searcher: Searcher, decision: Any) -> dict[str, Any]:
    owned = searcher.ownership()
    best = [decision.best_score, decision.best_line]
    return {
        **{name: getattr(decision, name) for name in DECIDED},
        "best": None if best[0] is None else best,
        "ownership": None if owned is None else owned.tolist(),
    }


def _plan(case: Case, position: Position, jit: bool) -> Line:
    texts = [f"{key}={value}" for key, value in case.settings.items()]
    method = inside("read_method")(case.method, texts, position.game.name)
    found = inside("planning")(position, method, seed=8, jit=jit).run(Limit(case.simulations))
    facts = {"score": found.score, "line": found.line, "playouts": found.playouts}
    return {"decisions": [facts], "trees": []}


def digest(found: Line) -> str:
    """A hash of the values of a line, in a fixed order and without the names of anything."""
    newest = [names[0] for names in FIELDS]
    trees = [[list(map(newest.index, tree["fields"])), tree["nodes"]] for tree in found["trees"]]
    decisions = [list(facts.values()) for facts in found["decisions"]]
    return hashlib.sha256(json.dumps([decisions, trees]).encode()).hexdigest()[:16]


# --- the file -------------------------------------------------------------------------------------

HEAD = """\
# Golden lines: a hash of the trees and the decision of each search, see tests/golden.py.
# `python -m tests.golden` writes this file.
"""
COMPILED = "compiled: "  # before the name of a line that machine code rounds otherwise


def read() -> dict[str, str]:
    """The lines as they should be, by name."""
    if not FILE.exists():
        return {}
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def expected(name: str, jit: bool) -> str | None:
    """The hash of a line.  Compiled it is the same, unless the file has another one."""
    known = read()
    return known.get(COMPILED + name, known.get(name)) if jit else known.get(name)


def write(known: dict[str, str]) -> None:
    """Write the file."""
    texts = (
        f"{json.dumps(name, ensure_ascii=False)} = {json.dumps(known[name])}" for name in known
    )
    FILE.write_text(HEAD + "\n" + "\n".join(texts) + "\n", encoding="utf-8")


def regenerate(cases: Sequence[Case], jit: bool) -> None:
    """Run lines and write the file; say what changed."""
    known = read()
    before = dict(known)
    for case in cases:
        found = digest(line(case, jit))
        if not jit:
            known[case.name] = found
        elif found == known.get(case.name):
            known.pop(COMPILED + case.name, None)
        else:
            known[COMPILED + case.name] = found
    names = [name for case in catalogue() for name in (case.name, COMPILED + case.name)]
    known = {name: known[name] for name in names if name in known}
    for name in [*known, *(name for name in before if name not in known)]:
        if known.get(name) != before.get(name):
            what = "new" if name not in before else "changed" if name in known else "gone"
            print(f"{what}: {name}")
    write(known)
    print(f"{len(known)} lines")


# --- two checkouts --------------------------------------------------------------------------------


def compare(cases: Sequence[Case], jit: bool, other: Path) -> int:
    """Run lines here and there; name the first difference of each, and return how many differ."""
    differing = 0
    for case, theirs in zip(cases, _lines_of(other, cases, jit), strict=True):
        try:
            mine = json.loads(json.dumps(line(case, jit)))
            found = difference(mine, theirs)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if found is not None:
            differing += 1
            print(f"{case.name}: {found}", flush=True)
    print(f"{differing} of {len(cases)} lines differ from {other}")
    return differing


def _lines_of(checkout: Path, cases: Sequence[Case], jit: bool) -> Iterator[Line]:
    """The same lines with the source of another checkout, in a process of its own."""
    source = checkout / "src"
    if not (source / "tesuji").is_dir():
        raise SystemExit(f"{checkout} is no checkout: it has no src/tesuji")
    command = [sys.executable, "-m", "tests.golden", "--serve", *(["--compiled"] if jit else [])]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{ROOT}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        for case in cases:
            process.stdin.write(json.dumps(asdict(case)) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            if not answer:
                raise SystemExit(f"the source of {checkout} cannot be run")
            yield json.loads(answer)
        process.stdin.close()


def serve(jit: bool) -> None:
    """Run the lines that another process asks for."""
    for text in sys.stdin:
        try:
            answer = line(Case(**json.loads(text)), jit)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


def difference(mine: Line, theirs: Line) -> str | None:
    """Where two lines differ first: the tree, the moves to the node and the field; or None."""
    if "error" in theirs:
        return f"there: {theirs['error']}"
    for number, (here, there) in enumerate(zip(mine["trees"], theirs["trees"], strict=False)):
        found = _first_node(here, there)
        if found is not None:
            return f"tree {number}, {found}"
    if len(mine["trees"]) != len(theirs["trees"]):
        return f"{len(mine['trees'])} trees here, {len(theirs['trees'])} there"
    for here, there in zip(mine["decisions"], theirs["decisions"], strict=False):
        for name in here:
            if here[name] != there.get(name):
                return f"decision, {name}: {here[name]} here, {there.get(name)} there"
    return None


def _first_node(here: Line, there: Line) -> str | None:
    path: list[Any] = []
    for mine, theirs in zip(here["nodes"], there["nodes"], strict=False):
        node = dict(zip(["depth", *here["fields"], "twin"], mine, strict=True))
        other = dict(zip(["depth", *there["fields"], "twin"], theirs, strict=True))
        path = [*path[: max(node["depth"] - 1, 0)], *([node["move"]] if node["depth"] else [])]
        for name in [*node, *(name for name in other if name not in node)]:
            if node.get(name) != other.get(name):
                at = " ".join(map(str, path)) or "the root"
                return f"node {at}, {name}: {node.get(name)} here, {other.get(name)} there"
    if len(here["nodes"]) != len(there["nodes"]):
        return f"{len(here['nodes'])} nodes here, {len(there['nodes'])} there"
    return None


def main(arguments: Iterable[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description="Golden lines.")
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout")
    parser.add_argument("-k", default="", metavar="TEXT", help="only lines with this in the name")
    parser.add_argument("--compiled", action="store_true", help="as machine code")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(None if arguments is None else list(arguments))
    if asked.serve:
        serve(asked.compiled)
        return 0
    cases = [case for case in catalogue() if asked.k in case.name]
    if asked.against is not None:
        return int(compare(cases, asked.compiled, asked.against.resolve()) > 0)
    regenerate(cases, asked.compiled)
    return 0


if __name__ == "__main__":
    sys.exit(main())
