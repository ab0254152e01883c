"""Policy adaptation: golden steps, drawing by weights, the order of the levels."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.toys import digits
from tesuji import ConfigError, Limit, Position
from tesuji.compile import specialise, stream
from tesuji.planning import Adaptation, Solver, adaptation, solve
from tesuji.search.bindings import bindings
from tesuji.search.config import SearchConfig
from tesuji.search.context import make_context, make_params, make_simulations

GAME = digits.game()
START = Position.start(GAME, jit=False)
SLOTS = bindings(GAME, SearchConfig())


def made(config):
    """The stack, a simulation and the buffers."""
    sims, own = make_simulations(GAME, SearchConfig()), make_context(GAME)
    own.root[0] = START.state[0]
    return adaptation.make_stack(GAME, config), sims, own


def call(kernel, *arguments):
    return specialise(kernel, SLOTS, label="adaptation", jit=False)(*arguments)


def search(config, count, seed=1, of=GAME):
    stack, sims, own = made(config)
    kernel = specialise(adaptation.run, bindings(of, SearchConfig()), label="run", jit=False)
    kernel(stack, sims, own, make_params(of, SearchConfig()), stream(seed, "test"), count)
    return stack, sims, own


def learned(policy, line, alpha=1.0):
    """The policy of level 1 after one step along a line."""
    stack, sims, own = made(Adaptation(level=1, alpha=alpha))
    stack.policies[1] = policy
    stack.shares[1] = np.exp(policy)
    stack.frames[1]["length"] = len(line)
    stack.lines[1][: len(line)] = line
    call(adaptation.learn, stack, 1, sims[0], own)
    assert stack.shares[1] == pytest.approx(np.exp(stack.policies[1]))
    return stack.policies[1]


def test_one_step_from_equal_weights():
    """Each move has 1/3: the one that was made gains 2/3, the others lose 1/3."""
    assert learned([0, 0, 0], [2]) == pytest.approx([-1 / 3, -1 / 3, 2 / 3])


def test_alpha_scales_the_step():
    assert learned([0, 0, 0], [2], alpha=0.5) == pytest.approx([-1 / 6, -1 / 6, 1 / 3])


def test_one_step_from_unequal_weights():
    """Weights ln 1, ln 2, ln 5: probabilities 1/8, 2/8, 5/8."""
    policy = [0, math.log(2), math.log(5)]
    after = learned(policy, [1])
    assert after == pytest.approx([-1 / 8, math.log(2) + 3 / 4, math.log(5) - 5 / 8])


def test_a_step_uses_the_probabilities_before_it():
    """Six positions, 2 made thrice, 0 twice, 1 once; every move loses 6 x 1/3."""
    assert learned([0, 0, 0], [2, 0, 2, 1, 2, 0]) == pytest.approx([0, -1, 1])


def test_weights_stay_finite():
    policy = learned([0, 0, 0], [2] * 6, alpha=1e6)
    assert policy == pytest.approx([-500, -500, 500])
    assert np.isfinite(learned(policy, [0] * 6)).all()


def test_moves_are_drawn_by_their_weights():
    shares, moves = np.array([1.0, 2.0, 5.0]), np.array([0, 1, 2])
    rng = stream(1, "draw")
    draw = specialise(adaptation.draw, SLOTS, label="draw", jit=False)
    drawn = [draw(shares, moves, 3, rng) for _ in range(4000)]
    found = [drawn.count(move) / 4000 for move in range(3)]
    assert found == pytest.approx([1 / 8, 2 / 8, 5 / 8], abs=0.03)  # four standard errors


def test_only_moves_of_the_position_share_the_probability():
    shares, rng = np.array([1.0, 2.0, 5.0]), stream(1, "draw")
    moves = np.array([1, 0, 2])
    drawn = {call(adaptation.draw, shares, moves, 2, rng) for _ in range(200)}
    assert drawn == {0, 1}


def test_levels_count_their_iterations():
    """N = 3, level 2: 3 playouts end a search of level 1, 9 the whole search."""
    config = Adaptation(level=2, iterations=3)
    counts = [search(config, n)[0].frames["iteration"][1:].tolist() for n in (1, 2, 3, 4, 8, 9)]
    assert counts == [[1, 0], [2, 0], [0, 1], [1, 1], [2, 2], [0, 0]]


def test_a_new_search_has_the_policy_of_the_level_above():
    stack, *_ = search(Adaptation(level=2, iterations=3), 3)
    assert stack.policies[2].any()
    assert stack.policies[1].tolist() == stack.policies[2].tolist()


def test_lower_levels_adapt_a_copy():
    stack, *_ = search(Adaptation(level=2, iterations=3), 2)
    assert stack.policies[1].any()
    assert not stack.policies[2].any()


def test_a_whole_search_that_ended_begins_with_equal_weights():
    stack, _, own = search(Adaptation(level=2, iterations=3), 9)
    assert not stack.policies.any()
    assert (stack.shares == 1).all()
    assert own.line.length[0] == digits.STEPS


def test_a_result_that_scores_the_same_replaces_the_line():
    """As in the paper; nested search keeps the first."""
    flat = replace(GAME, rewards=lambda state, out: out.fill(0.5))
    lines = set()
    for playouts in (1, 2, 3):
        stack, sims, _ = search(Adaptation(level=1), playouts, of=flat)
        lines.add(tuple(stack.lines[1].tolist()))
        assert stack.lines[1].tolist() == sims[0]["trace"].tolist()
    assert len(lines) > 1


def test_a_playout_that_was_cut_off_teaches_nothing():
    endless = replace(GAME, over=lambda state: False)
    stack, *_ = search(Adaptation(level=2, iterations=3), 5, of=endless)
    assert not stack.policies.any()


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_optimum_of_a_small_game(level):
    solution = solve(START, Adaptation(level, 10), simulations=400, seed=1, jit=False)
    assert solution.score == pytest.approx(13 / 24)


def test_a_search_in_parts_equals_a_search_at_once():
    config = Adaptation(level=2, iterations=5)
    whole = solve(START, config, simulations=60, seed=5, jit=False)
    solver = Solver(START, config, seed=5, jit=False)
    for part in (1, 9, 50):
        parts = solver.run(Limit(part))
    assert (parts.score, parts.line) == (whole.score, whole.line)


def test_compiled_and_uncompiled_searches_agree():
    config = Adaptation(level=2, iterations=5)
    a, b = (solve(START, config, simulations=40, seed=2, jit=jit) for jit in (True, False))
    assert (a.score, a.line, a.playouts) == (b.score, b.line, b.playouts)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"level": 0}, "level is 0, it must be an integer from 1 to 10"),
        ({"iterations": 0}, "iterations is 0, it must be an integer from 1"),
        ({"alpha": 0.0}, "alpha is 0.0, it must be a number above 0"),
        ({"alpha": math.nan}, "alpha is nan, it must be a number above 0"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        Adaptation(**settings)
