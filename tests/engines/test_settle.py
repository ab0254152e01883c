"""Who owns the board at the end of a game of Go, with every method that can play it."""

import pytest

from tesuji import methods
from tesuji.engines.engine import Engine, Setup
from tesuji.errors import ConfigError
from tesuji.games import load
from tesuji.games.go.setup import from_diagram
from tesuji.games.go.status import settled_score, statuses
from tesuji.play import player as module
from tesuji.search.bindings import bindings

#: both live, and Black's stone on D3 can be taken whoever moves
BOARD = """
    . X O . O
    X X O O O
    . X O X .
    X X O . O
    . X O O .
"""
GAME = load("go:size=5,komi=0.5")


def playable(name):
    """Is a method for Go, with what Go has?"""
    if methods.describe(name).get("game") not in (None, "go"):
        return False
    try:
        bindings(GAME, methods.load(name, "go"))
    except ConfigError:
        return False
    return True


@pytest.fixture
def settling(monkeypatch):
    """Makes an engine at the end of a game, uncompiled, for which few simulations will do."""
    monkeypatch.setenv("TESUJI_JIT", "0")
    monkeypatch.setattr(module, "SETTLE", 24)

    def make(name, diagram=BOARD, komi=0.5, **settings):
        config = methods.load(name, "go").changed({"memory_mb": 5, **settings})
        engine = Engine(Setup(game=GAME, config=config))
        engine.begin(from_diagram(GAME, diagram, komi=komi))
        return engine

    return make


COMMON = ("mogo", "tesuji", "uct")  # the others take a minute to compile


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in COMMON else pytest.mark.stress)
        for name in filter(playable, methods.names())
    ],
)
def test_every_method_finds_the_dead_stone(name, settling):
    engine = settling(name, ownership=True)
    owners = engine.settle()
    assert statuses(engine.position, owners)["dead"] == [[GAME.parse_move("D3")]]
    assert settled_score(engine.position, owners) == -5.5


def test_a_second_question_needs_no_second_search(settling):
    engine = settling("uct", ownership=True)
    first = engine.settle()
    spent = engine.computer.searcher.tree.nodes[0]["visits"]
    assert (engine.settle() == first).all()
    assert engine.computer.searcher.tree.nodes[0]["visits"] == spent


def test_settings_that_do_not_count_get_a_referee(settling):
    engine = settling("uct", ownership=False)
    owners = engine.settle()
    assert engine.owners() is None
    assert owners[GAME.parse_move("D3")] < -0.5


def test_a_stone_with_one_liberty_inside_is_dead(settling):
    diagram = """
        . X X O .
        X . X O O
        . X X O .
        X X X O O
        . O X O .
    """
    engine = settling("uct", diagram, ownership=True)
    owners = engine.settle()
    dead = statuses(engine.position, owners)["dead"]
    assert [list(map(GAME.move_text, chain)) for chain in dead] == [["B1"]]
    assert settled_score(engine.position, owners) == 15 - 10 - 0.5


def test_a_finished_game_has_its_exact_score(settling):
    diagram = """
        . X X O .
        X X X O O
        . X X O .
        X X X O O
        X X X O O
    """
    engine = settling("uct", diagram, komi=3.0, ownership=True)
    for owners in (engine.settle(), None):
        assert settled_score(engine.position, owners) == 15 - 10 - 3
