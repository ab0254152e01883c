"""Processes instead of threads: they grow the same trees, and nobody is left behind."""

import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

from tests.parallel.test_root_parallel import by_move
from tests.parallel.whole import check_whole
from tests.test_cli import interrupted
from tests.waiting import next_line
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, StoppedError, load, start
from tesuji.games import BUILT_IN
from tesuji.parallel.process import _refuse_own
from tesuji.search.tree import ROOT

CONFIG = SearchConfig(threads=2, parallel="root", processes=True, memory_mb=20)


def both(game, jit=True, **settings):
    """The same search with threads and with processes."""
    return [
        Searcher(game, CONFIG, seed=5, jit=jit, processes=processes, **settings)
        for processes in (False, True)
    ]


def contents(searcher):
    return [
        tree.nodes[: int(tree.meta[0]["top"])].tobytes()
        for tree in (searcher.tree, *searcher._trees.trees)
    ]


def alike(searchers, position, simulations):
    """Search with all; they must find the same, in the same trees.  The decision."""
    limit = Limit(simulations=simulations)
    found = [replace(s.search(position, limit), seconds=0) for s in searchers]
    assert found[0] == found[1]
    assert contents(searchers[0]) == contents(searchers[1])
    return found[0]


def children_of(searcher):
    return [search._runner._process for search in searcher._trees._searches]


def test_processes_grow_the_same_trees_as_threads():
    position = start("connect4")
    searchers = both(position.game, memory_mb=0.05)  # so that room must be made
    decision = alike(searchers, position, 2001)
    assert decision.simulations == int(searchers[1].tree.nodes[ROOT]["visits"]) == 2001
    assert max(len(tree.nodes) for tree in searchers[1]._trees.trees) < 1000
    trees = [by_move(tree) for tree in searchers[1]._trees.trees]
    assert trees[0] != trees[1]
    for move, sums in by_move(searchers[1].tree).items():
        assert sums == tuple(map(sum, zip(*(tree[move] for tree in trees), strict=True)))
    alike(searchers, position.play(decision.text), 300)
    assert int(searchers[1].tree.nodes[ROOT]["visits"]) == decision.visits + 300
    for searcher in searchers:
        searcher.seed = 6
        searcher.forget()
    assert alike(searchers, position, 2001).children != decision.children


@pytest.mark.parametrize(
    ("name", "moves", "settings"),
    [
        ("go:size=3,superko=situational", ["B2", "A1", "pass"], {"ownership": True}),
        ("samegame:size=4x4,colours=2", [], {"gibbs": "mast"}),
        ("tictactoe", ["a1"], {"halving": "hybrid", "solver": "wins"}),
    ],
)
def test_everything_that_a_search_keeps_is_shared(name, moves, settings):
    """Repetition, owners, the best line, what playouts learn, budgets, proofs."""
    position = Position.start(load(name), jit=False)
    searchers = both(position.game, jit=False, **settings)
    decision = alike(searchers, position.play(*moves), 121)
    assert 0 < decision.simulations <= 121
    owners = [searcher.ownership() for searcher in searchers]
    assert np.array_equal(*owners) if settings.get("ownership") else owners == [None, None]


@pytest.mark.stress
def test_trees_of_processes_are_averaged_on_the_way():
    position = start("connect4")
    searcher = Searcher(position.game, CONFIG, share_seconds=0.001)
    decision = searcher.search(position, Limit(simulations=20_000))
    assert decision.simulations == 20_000
    assert abs(int(searcher.tree.nodes[ROOT]["visits"]) - 20_000) <= 60


def test_a_process_that_dies_stops_the_search_and_is_replaced():
    position = start("connect4")
    searcher = Searcher(position.game, CONFIG)
    searcher.search(position, Limit(simulations=1000))
    killed, other = children_of(searcher)
    os.kill(killed.pid, signal.SIGKILL)
    with pytest.raises(StoppedError, match=r"the process of a tree has died with exit code -9; "):
        searcher.search(position, Limit(simulations=1000))
    with pytest.raises(ChildProcessError):
        os.waitpid(killed.pid, os.WNOHANG)  # it is no zombie
    assert searcher.decision().visits > 0
    check_whole(searcher._trees.trees[1])
    assert searcher.search(position, Limit(simulations=1000)).simulations == 1000
    assert children_of(searcher)[0] is not killed
    assert children_of(searcher)[1] is other
    check_whole(searcher._trees.trees[0])


def test_processes_end_with_the_searcher():
    position = start("connect4")
    searcher = Searcher(position.game, CONFIG)
    searcher.search(position, Limit(simulations=100))
    processes = children_of(searcher)
    assert [process.poll() for process in processes] == [None, None]
    del searcher
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process.pid, 0)


def test_an_error_of_a_process_reaches_the_searcher(tmp_path):
    """Rules that break when they are not run by the process that searches."""
    path = tmp_path / "broken.py"
    path.write_text(
        "import os\n"
        "from dataclasses import replace\n"
        "from tesuji.games import tictactoe\n"
        "def play(state, move):\n"
        f"    if os.getpid() != {os.getpid()}:\n"
        "        raise ValueError('no such cell')\n"
        "def game():\n"
        "    return replace(tictactoe.game(), play=play)\n"
    )
    position = Position.start(load(str(path)), jit=False)
    searcher = Searcher(position.game, CONFIG, jit=False)
    with pytest.raises(StoppedError, match=r"the process of a tree: ValueError: no such cell"):
        searcher.search(position, Limit(simulations=10))


@pytest.mark.stress
def test_ctrl_c_does_not_wait_for_the_compiler():
    position = Position.start(load("tictactoe"), jit=False)
    searchers = both(position.game, jit=False)
    main = threading.main_thread().ident
    threading.Timer(0.05, signal.pthread_kill, [main, signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        searchers[1].prepare()
    alike(searchers, position, 50)


def test_ctrl_c_answers_and_leaves_no_process():
    """Its terminal is open as long as any of its processes lives."""
    words = ("search", "connect4", "--seconds", "60", "--threads", "2", "--parallel", "root")
    out, errors, code = interrupted(
        *words, "--set", "processes=true", progress=" simulations, best"
    )
    assert code == 0
    assert "interrupted; this is what was found so far" in errors
    assert "Traceback" not in errors
    assert "main line: " in out


def test_processes_end_when_the_one_that_searches_is_killed():
    code = (
        "from tesuji import *; position = start('connect4');"
        "Searcher(position.game, threads=2, parallel='root', processes=True).search("
        "position, Limit(seconds=600), progress=lambda _: print('on the way', flush=True))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert next_line(process) == b"on the way\n"
        process.kill()
        assert b"Traceback" not in process.stderr.read()  # ends when nobody can write to it


@pytest.mark.parametrize(
    "name", ["tictactoe", *(pytest.param(n, marks=pytest.mark.stress) for n in BUILT_IN)]
)
def test_games_that_can_be_loaded_again_are_accepted(name):
    _refuse_own(load(name), SearchConfig())


def test_other_games_are_refused():
    game = load("tictactoe")

    def rewards(state, out):
        out[0] = out[1] = 0.5

    for own, message in (
        (replace(game, name="mine", spec="mine"), "by its name: unknown game 'mine'; "),
        (replace(game, rewards=rewards), "by its name: tictactoe is another game than this one"),
        (replace(game, max_length=99), "by its name: tictactoe is another game than this one"),
    ):
        with pytest.raises(ConfigError, match=f"^processes need a game .* {message}"):
            Searcher(own, CONFIG)
