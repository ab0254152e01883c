"""The end of a game of Go: what is played instead of what the search wants."""

from dataclasses import replace

import numpy as np
import pytest

from tesuji import Limit, SearchConfig, load
from tesuji.games.go.board import BLACK, PASS, WHITE
from tesuji.games.go.setup import from_diagram
from tesuji.play.ending import ahead, chosen, resigned
from tesuji.searcher import Searcher

ALIVE = """
. X X O .
X X X O O
X X X O .
X X X O O
. X X O .
"""
DEAD = """
. X X O .
X X X O O
X O X O .
X . X O O
. X X O .
"""
OPEN = """
. . . . .
. X . O .
. X . O .
. X . O .
. . . . .
"""


def board(diagram, mover=0, komi=2.5, passed=False):
    """A position; ``passed``: the opponent has just passed."""
    game = load(f"go:size=5,komi={komi}")
    if not passed:
        return from_diagram(game, diagram, mover)
    return from_diagram(game, diagram, 1 - mover).play("pass")


def owners(position, **marks):
    """Every point belongs to who has its stone, empty ones to Black on the left; but for marks."""
    stones = position.state[0]["board"].astype(int)
    found = np.where(stones == BLACK, 1.0, np.where(stones == WHITE, -1.0, 0.0))
    for vertex in np.flatnonzero(stones == 0):
        if vertex != PASS:
            found[vertex] = 1.0 if position.move_text(int(vertex))[0] < "D" else -1.0
    for name, value in marks.items():
        found[position.game.parse_move(name)] = value
    return found


@pytest.fixture(scope="module")
def searcher():
    return Searcher(load("go:size=5"), SearchConfig(memory_mb=20))


def decided(searcher, position, move=None):
    """What a search says, as if it had decided for another move."""
    searcher.game = position.game
    decision = searcher.search(position, Limit(simulations=400))
    return decision if move is None else replace(decision, move=position.parse_move(move))


def test_a_pass_that_wins_is_answered_with_a_pass(searcher):
    position = board(ALIVE, passed=True)
    assert ahead(position, None)
    assert chosen(position, decided(searcher, position, "A1"), None, cleanup=False) == PASS


def test_a_pass_that_loses_is_not_played_while_there_is_hope(searcher):
    position = board(OPEN, passed=True)
    assert not ahead(position, None)
    decision = decided(searcher, position, "pass")
    move = chosen(position, decision, None, cleanup=False)
    assert move == next(c.move for c in decision.children if c.move != PASS)


def test_a_lost_game_is_ended_by_a_pass(searcher):
    position = board(ALIVE, komi=50, passed=True)
    decision = decided(searcher, position, "pass")
    assert chosen(position, decision, None, cleanup=False) == PASS


def test_a_settled_board_is_left_alone(searcher):
    position = board(ALIVE)
    decision = decided(searcher, position, "A1")
    known = owners(position)
    assert chosen(position, decision, known, cleanup=False) == PASS
    doubtful = owners(position, A1=0.5)
    assert chosen(position, decision, doubtful, cleanup=False) == decision.move


def test_dead_stones_are_captured_before_the_game_ends_where_they_matter(searcher):
    """White's stone on B3 is dead; as long as it stands there Black is behind."""
    position = board(DEAD, komi=3.5, passed=True)
    known = owners(position, B3=1.0)
    assert not ahead(position, None)
    assert ahead(position, known)
    decision = decided(searcher, position, "B2")
    assert chosen(position, decision, known, cleanup=False) == decision.move
    assert chosen(position, decision, None, cleanup=False) == decision.move


def test_cleaning_up_takes_dead_stones_first(searcher):
    position = board(DEAD, passed=True)
    known = owners(position, B3=1.0)
    decision = decided(searcher, position, "pass")
    move = chosen(position, decision, known, cleanup=True)
    assert position.move_text(move) == "B2"
    after = position.play("B2", "pass")
    known = owners(after)
    assert chosen(after, decided(searcher, after, "B3"), known, cleanup=True) == PASS


@pytest.mark.parametrize(
    ("before", "least", "resigns"),
    [(0.01, 0.05, True), (0.06, 0.05, False), (None, 0.05, False), (0.01, 0.0, False)],
)
def test_a_game_must_be_lost_twice(searcher, before, least, resigns):
    position = board(ALIVE.replace("X X O .", "X . . ."), komi=50)
    decision = decided(searcher, position)
    assert decision.value < 0.05
    assert resigned(position, decision, None, before, least) == resigns
