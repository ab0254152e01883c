"""Mixed playouts: drawn moves first, then the one that the evaluation likes best."""

from dataclasses import replace

import numpy as np
import pytest

from tests.search.inside import simulation
from tests.search.table import Table
from tests.toys.knowing import game as knowing
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load, methods
from tesuji.compile.plain import view
from tesuji.search.hooks import NO_MOVE
from tesuji.search.parts import mixed

VALUES = (0.3, 0.6, 0.2, 0.6, 0.1, 0.5, 0.4, 0.0, 0.55)  # of squares 0 to 8 for whoever has them


def weighed(state, out):
    """Evaluation: what both players have, one against the other."""
    balance = 0.0
    for square in range(9):
        if state.board[square] == 1:
            balance += VALUES[square]
        elif state.board[square] == 2:
            balance -= VALUES[square]
    out[0] = 0.5 + balance / 8.0
    out[1] = 1.0 - out[0]


GAME = replace(knowing(), evaluations={"weighed": weighed})
SETTINGS = {"evaluation": "weighed", "mixed_after": 2}


def table_at(moves, made):
    """A playout that has made so many moves."""
    table = Table(GAME, moves, **SETTINGS)
    table.call(mixed.no_playout_yet, table.sim, table.own)
    table.sim.length[0] = 4
    table.call(mixed.first_part_begins, None, table.sim, table.own, table.params)
    table.sim.length[0] = 4 + made
    return table


def chosen(table):
    state, sim, own = table.state, table.sim, table.own
    return table.call(mixed.best_by_evaluation, state, sim, own, table.params, table.rng)


def test_the_second_part_begins_after_so_many_moves():
    assert [chosen(table_at("", made)) == NO_MOVE for made in range(4)] == [
        True,
        True,
        False,
        False,
    ]


def test_each_player_makes_the_move_that_is_best_for_him():
    """Squares 1 and 3 are worth most, 0.6 each; then 8."""
    draws = {int(chosen(table_at("", 2)))}
    table = table_at("", 2)
    draws |= {int(chosen(table)) for _ in range(40)}
    assert draws == {1, 3}  # equals at random
    assert int(chosen(table_at("b1", 2))) == 3
    assert int(chosen(table_at("b1 a2", 2))) == 8


def test_a_game_that_ends_says_so_itself():
    """c1, square 2, completes a row, which the evaluation does not see."""
    table = table_at("a1 a2 b1 b2", 2)
    assert int(chosen(table)) == 2


def test_no_move_is_greedy_in_the_tree():
    """A node may ask the playout policy; that is no second part of a playout."""
    table = Table(GAME, **SETTINGS)
    table.call(mixed.no_playout_yet, table.sim, table.own)
    table.sim.length[0] = 7
    assert chosen(table) == NO_MOVE


def test_playouts_of_a_search_are_mixed():
    """From the third move of the last playout on, no move is better by evaluation."""
    config = SearchConfig(**SETTINGS)
    searcher = Searcher(GAME, config, seed=2, jit=False)
    searcher.search(Position.start(GAME, jit=False), Limit(60))
    sim = simulation(searcher)
    made = list(sim.trace[: sim.length[0]])
    position = Position.start(GAME, jit=False)
    for ply, move in enumerate(made):
        if ply >= sim.begun + 2:
            best = max(value_of(position, other) for other in position.moves)
            assert value_of(position, move) >= best - 1e-9
        position = position.play(int(move))
    assert len(made) > int(sim.begun) + 2


def value_of(position, move):
    after = position.play(int(move))
    if after.over:
        return after.rewards[position.mover]
    out = np.zeros(2)
    weighed(view(after.state)[0], out)
    return out[position.mover]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"mixed_after": 3}, "mixed_after needs evaluation: set it, or leave mixed_after out"),
        (
            {"evaluation": "weighed"},
            "evaluation is 'weighed', but playouts go to the end: set playout_cap, decide or "
            "mixed_after",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(settings, message):
    with pytest.raises(ConfigError) as refused:
        SearchConfig(**settings)
    assert str(refused.value) == message


def test_the_method_runs_compiled_as_uncompiled():
    game = load("loa:size=5")
    config = methods.load("mixed-greedy")
    decisions = [
        Searcher(game, config, seed=5, jit=jit).search(Position.start(game), Limit(60))
        for jit in (False, True)
    ]
    assert decisions[0].children == decisions[1].children
