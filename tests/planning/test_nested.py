"""Nested search: optima of small games, the memorised line, restarts, chunks."""

from dataclasses import replace

import numpy as np
import pytest

from tests.toys import digits
from tesuji import ConfigError, Limit, Position
from tesuji.compile import specialise, stream
from tesuji.planning import Nested, Solver, nested, solve
from tesuji.search.bindings import bindings
from tesuji.search.config import SearchConfig
from tesuji.search.context import make_context, make_params, make_simulations

GAME = digits.game()
START = Position.start(GAME, jit=False)
BEST = 13 / 24


def search(config, count, *, seed=1, of=GAME):
    """The stack and the buffers after so many playouts."""
    settled = SearchConfig()
    own, stack = make_context(of, settled), nested.make_stack(of, config)
    own.root[0] = START.state[0]
    sims, params = make_simulations(of, settled), make_params(of, settled)
    kernel = specialise(nested.run, bindings(of, settled), label="nested", jit=False)
    kernel(stack, sims, own, params, stream(seed, "test"), count)
    return stack, own


def cost(level, made=0):
    """Playouts of a whole search after some moves; a finished game costs one on any level."""
    if level == 0 or made == digits.STEPS:
        return 1
    return sum(3 * cost(level - 1, ply + 1) for ply in range(made, digits.STEPS))


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_the_optimum_of_a_small_game(level):
    """Low levels have time to begin again; a high one needs its time to end."""
    playouts = max(600, cost(level))
    for seed in range(3):
        solution = solve(START, Nested(level=level), simulations=playouts, seed=seed, jit=False)
        assert solution.score == pytest.approx(BEST)


def test_a_search_of_level_one_tries_each_move_once_in_each_position():
    """Three moves in six positions: 18 playouts, then it begins again."""
    stack, _ = search(Nested(level=1), 17)
    assert stack.frames[1]["ply"] == 5
    assert stack.frames[1]["tried"] == 2
    stack, _ = search(Nested(level=1), 18)
    assert (stack.frames[1]["ply"], stack.frames[1]["tried"]) == (0, 0)
    assert stack.frames[1]["best"] == nested.NOTHING


@pytest.mark.parametrize(("level", "whole"), [(2, 138), (3, 588)])
def test_a_search_costs_a_search_of_the_level_below_for_each_move(level, whole):
    assert whole == cost(level)
    stack, _ = search(Nested(level=level), whole - 1)
    assert stack.frames[level]["ply"] == 5
    stack, _ = search(Nested(level=level), whole)
    assert stack.frames[level]["ply"] == 0


def followed(memory, seed):
    """The game that one search of level 1 plays, as scores before each of its moves."""
    scores = []
    for done in range(3, 18, 3):
        stack, _ = search(Nested(level=1, memory=memory), done, seed=seed)
        assert stack.frames[1]["ply"] == done // 3
        scores.append(float(stack.frames[1]["best"]))
    return scores


def test_the_memorised_line_is_followed_where_no_move_improves_it():
    """The best score never falls, and the position stays on the best line."""
    for seed in range(10):
        scores = followed(True, seed)
        assert scores == sorted(scores)
        stack, _ = search(Nested(level=1), 9, seed=seed)
        line = stack.lines[1][: stack.frames[1]["length"]].tolist()
        assert len(line) == digits.STEPS
        on_it = START.play(*line[:3]).state[0]
        assert stack.states[1] == on_it


def test_a_search_hands_its_best_line_to_the_level_above():
    """Level 2 has the best of all its searches of level 1, so the best that was ever seen."""
    improved = 0
    for seed in range(5):
        first = search(Nested(level=2), cost(1, 1), seed=seed)[0].frames[2]
        for playouts in range(cost(1, 1), cost(2) - 1, cost(1, 1)):
            stack, own = search(Nested(level=2), playouts, seed=seed)
            pending = stack.frames[1]["best"] if stack.level[0] == 1 else nested.NOTHING
            top = stack.frames[2]
            assert max(top["best"], pending) == own.line.score[0]
            assert START.play(*stack.lines[2][: top["length"]].tolist()).rewards == (top["best"],)
        improved += top["best"] > first["best"]
    assert improved > 0


def test_without_memory_each_position_begins_anew():
    assert all(score == nested.NOTHING for score in followed(False, 1))


def test_a_playout_that_scores_the_same_does_not_replace_the_line():
    flat = replace(GAME, rewards=lambda state, out: out.fill(0.5))
    first, _ = search(Nested(level=1), 1, of=flat)
    later, own = search(Nested(level=1), 17, of=flat)
    assert later.lines[1].tolist() == first.lines[1].tolist()
    assert own.line.moves.tolist() == first.lines[1].tolist()


def test_moves_that_score_the_same_are_all_chosen_sometimes():
    """The list is begun anywhere: the first of equals must not be the same move always."""
    flat = replace(GAME, rewards=lambda state, out: out.fill(0.5))
    firsts = {int(search(Nested(level=1), 1, seed=s, of=flat)[0].lines[1][0]) for s in range(30)}
    assert firsts == {0, 1, 2}


def test_games_that_never_end_give_no_line_and_no_hang():
    endless = replace(GAME, over=lambda state: False)
    stack, own = search(Nested(level=2), 300, of=endless)
    assert np.isneginf(own.line.score[0])
    assert 0 <= stack.level[0] <= 2


@pytest.mark.parametrize("config", [Nested(level=0), Nested(level=1, memory=False), Nested()])
def test_a_search_in_parts_equals_a_search_at_once(config):
    whole = solve(START, config, simulations=100, seed=5, jit=False)
    solver = Solver(START, config, seed=5, jit=False)
    for part in (1, 9, 90):
        parts = solver.run(Limit(part))
    assert (parts.score, parts.line) == (whole.score, whole.line)


def test_compiled_and_uncompiled_searches_agree():
    a, b = (solve(START, Nested(level=2), simulations=40, seed=2, jit=jit) for jit in (True, False))
    assert (a.score, a.line, a.playouts) == (b.score, b.line, b.playouts)


@pytest.mark.parametrize("level", [-1, 6, 1.5, True, "2"])
def test_wrong_levels_are_refused(level):
    with pytest.raises(ConfigError, match=r"level is .* must be an integer from 0 to 5"):
        Nested(level=level)
