"""The best line of one-player searches: found, kept, replayed, forgotten."""

from dataclasses import replace

import numpy as np
import pytest

from tests.toys import dice_race, digits
from tests.toys.fan import game as fan
from tesuji import Limit, Position, SearchConfig, Searcher, load, search
from tesuji.search.bindings import parts_on
from tesuji.search.context import make_context
from tesuji.search.parts.line import NOTHING, PART, forget_line, known, play_on

GAME = digits.game()
START = Position.start(GAME, jit=False)
BEST = 13  # points: 2 x 2 x 2 2 and the like score 4 + 4 + 4 + 1


def scored(**changes):
    """The toy with a score on a scale of its own."""
    return replace(GAME, score=lambda state: 10 * state.points, **changes)


def points(line):
    return 24 * START.play(*line).rewards[0]


def test_the_best_line_replays_to_its_score():
    """Fact 14: the best line is stored and replayable."""
    decision = search(START, simulations=600, jit=False)
    assert decision.best_score == pytest.approx(BEST / 24)
    assert points(decision.best_line) == pytest.approx(BEST)


@pytest.mark.parametrize("config", [SearchConfig(halving=kind) for kind in ("shot", "hybrid")])
def test_halving_keeps_games_that_end_with_the_next_move(config):
    """There halving counts the end of the game, many times at once, and plays nothing out."""
    game = fan(3, 1, 0)
    decision = search(Position.start(game, jit=False), simulations=30, config=config, jit=False)
    assert (decision.best_line, decision.best_score) == (("0",), pytest.approx(2 / 3))


def test_compiled_searches_keep_the_same_line():
    plain, compiled = (search(START, simulations=100, seed=3, jit=jit) for jit in (False, True))
    assert (plain.best_score, plain.best_line) == (compiled.best_score, compiled.best_line)


def test_a_games_own_score_counts():
    decision = search(Position.start(scored(), jit=False), simulations=600, jit=False)
    assert decision.best_score == 10 * BEST


def test_the_first_line_of_several_that_score_the_same_stays():
    """So a longer search never changes the line without a gain."""
    searcher = Searcher(GAME, seed=1, jit=False)
    before = searcher.search(START, Limit(simulations=600))
    assert before.best_score == pytest.approx(BEST / 24)
    assert searcher.search(START, Limit(simulations=600)).best_line == before.best_line


def test_simulations_that_are_cut_off_do_not_count():
    decision = search(START, simulations=20, config=SearchConfig(playout_cap=1), jit=False)
    assert decision.depth < digits.STEPS - 1
    assert decision.best_score is None
    assert decision.best_line is None


def test_a_proven_game_has_its_line():
    decision = search(START, simulations=3000, config=SearchConfig(solver="bounds"), jit=False)
    assert decision.proven == pytest.approx(BEST / 24)
    assert decision.best_score == pytest.approx(BEST / 24)
    assert points(decision.best_line) == pytest.approx(BEST)


@pytest.mark.parametrize("game", [load("tictactoe"), dice_race.game()], ids=["two", "dice"])
def test_other_games_have_no_line(game):
    assert PART not in parts_on(game, SearchConfig())
    decision = search(Position.start(game, jit=False), simulations=20, jit=False)
    assert decision.best_score is None
    assert decision.to_json()["best_line"] is None
    assert "best line" not in str(decision)


def test_text_and_json_show_the_line():
    decision = search(START, simulations=50, jit=False)
    line = list(decision.best_line)
    assert f"best line: {decision.best_score:g} with {' '.join(line)}" in str(decision)
    assert decision.to_json()["best_line"] == line
    assert decision.to_json()["best_score"] == decision.best_score


# --- a game that goes on --------------------------------------------------------------------------


def searched():
    searcher = Searcher(GAME, seed=2, jit=False)
    return searcher, searcher.search(START, Limit(simulations=600))


@pytest.mark.parametrize("reuse", [True, False])
def test_the_rest_of_the_line_stays_when_it_is_followed(reuse):
    searcher = Searcher(GAME, SearchConfig(reuse=reuse), seed=2, jit=False)
    before = searcher.search(START, Limit(simulations=600))
    after = searcher.search(START.play(*before.best_line[:3]), Limit(simulations=1))
    assert after.best_line == before.best_line[3:]
    assert after.best_score == before.best_score


def test_a_line_that_is_left_is_forgotten():
    searcher, before = searched()
    other = START.play(str((int(before.best_line[0]) + 1) % 3))
    after = searcher.search(other, Limit(simulations=1))
    assert after.best_score == pytest.approx(points([other.move, *after.best_line]) / 24)


def test_another_game_begins_without_a_line():
    searcher, before = searched()
    searcher.search(START.play("1", "1", "1", "1"), Limit(simulations=5))
    after = searcher.search(START, Limit(simulations=1))
    assert len(after.best_line) == digits.STEPS
    assert after.best_score <= before.best_score


def test_forget_forgets_the_line():
    searcher, before = searched()
    searcher.forget()
    first = searcher.search(START, Limit(simulations=1))
    assert first.best_score == search(START, simulations=1, seed=2, jit=False).best_score
    assert first.best_score < before.best_score


def test_lines_are_cut_and_forgotten():
    line = make_context(GAME).line
    assert known(line) is None
    line.score[0], line.length[0] = 7.0, 3
    line.moves[:3] = [2, 0, 1]
    play_on(line, [2])
    assert known(line) == (7.0, [0, 1])
    play_on(line, [])
    assert known(line) == (7.0, [0, 1])
    play_on(line, [0, 2])
    assert known(line) is None
    line.score[0] = 1.0
    forget_line(line)
    assert line.score[0] == NOTHING
    assert np.isneginf(NOTHING)
