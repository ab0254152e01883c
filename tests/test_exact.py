"""Exhaustive counting and solving, against known numbers and against slow Python."""

import pytest

from tests.toys import dice_race, digits, triple_nim
from tesuji import ConfigError, GameError, Position, load, start
from tesuji.exact import perft, solve

# Tic-tac-toe after 0, 1, ... 9 moves: ways to get there, and how many of them end the game.
WAYS = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
ENDED = [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]


def count(position, depth):
    """Perft as anyone would write it."""
    if depth == 0 or position.over:
        return 1
    return sum(count(position.play(move), depth - 1) for move in position.moves)


def value(position):
    """Player 0's reward under perfect play, as anyone would write it."""
    if position.over:
        return position.rewards[0]
    best = max if position.mover == 0 else min
    return best(value(position.play(move)) for move in position.moves)


@pytest.mark.parametrize("depth", range(10))
def test_tictactoe_has_the_known_counts(depth):
    """A game that ended earlier counts, too."""
    assert perft(start("tictactoe"), depth) == WAYS[depth] + sum(ENDED[:depth])


def test_beyond_the_end_nothing_is_added():
    assert perft(start("tictactoe"), 30) == sum(ENDED) == 255_168
    over = start("tictactoe").play("a1", "a2", "b1", "b2", "c1")
    assert [perft(over, depth) for depth in (0, 1, 2)] == [1, 1, 1]


def test_counting_starts_anywhere():
    position = start("tictactoe")
    assert sum(perft(position.play(move), 5) for move in position.moves) == perft(position, 6)


def test_compiled_and_uncompiled_counts_agree():
    position = start("tictactoe")
    assert perft(position, 4, jit=False) == perft(position, 4, jit=True) == 3024


@pytest.mark.parametrize("depth", range(7))
def test_superko_is_counted_as_a_slow_count_does(depth):
    assert perft(start("go:size=2"), depth) == count(start("go:size=2"), depth)


@pytest.mark.parametrize("line", ["A1 B1 A2", "A1 B2 B1 A2 pass", "pass A1 B1 pass A2"])
def test_superko_looks_back_beyond_the_first_position(line):
    """What was on the board before the count begins is forbidden in it."""
    position = start("go:size=2").play(*line.split())
    fresh = Position(position.game, position.state)
    assert perft(position, 5) == count(position, 5)
    assert perft(position, 5) < perft(fresh, 5)


@pytest.mark.parametrize("toy", [dice_race, digits, triple_nim])
def test_other_numbers_of_players_are_counted(toy):
    position = Position.start(toy.game())
    assert perft(position, 4) == count(position, 4)


def test_a_negative_depth_is_refused():
    with pytest.raises(ConfigError, match="the depth is -1, it must be 0 or more"):
        perft(start("tictactoe"), -1)


@pytest.mark.parametrize(
    ("line", "reward"),
    [("", 0.5), ("b2 b1", 1.0), ("b1 b2 c3", 0.5), ("a1 c3 a3 a2", 1.0), ("a2 a1 b3 c1", 0.0)],
)
def test_tictactoe_is_solved(line, reward):
    position = start("tictactoe").play(*line.split())
    assert solve(position) == reward
    if position.ply > 1:
        assert value(position) == reward


def test_a_lost_game_is_solved():
    lost = start("tictactoe").play("a2", "b2", "c1", "a1", "b1")
    assert value(lost) == solve(lost) == 0.0
    over = start("tictactoe").play("a1", "a2", "b1", "b2", "c1")
    assert solve(over) == 1.0


def test_a_small_table_only_costs_time():
    assert solve(start("tictactoe"), entries=16) == solve(start("tictactoe")) == 0.5


def test_compiled_and_uncompiled_solutions_agree():
    position = start("tictactoe").play("a1", "c3")
    assert solve(position, jit=False) == solve(position, jit=True) == 1.0


def test_first_players_win_at_hex():
    assert solve(start("hex:size=3")) == 1.0


@pytest.mark.parametrize(
    "game", [load("go:size=2"), triple_nim.game(), dice_race.game()], ids=lambda game: game.name
)
def test_other_games_are_not_solved(game):
    with pytest.raises(GameError, match=f"{game.spec} cannot be solved: that needs two players, a"):
        solve(Position.start(game))


def test_nothing_lies_deeper_than_a_game_is_long():
    position = start("tictactoe").play("a1", "b2", "c3", "a3", "c1")
    whole = perft(position, 9, jit=False)
    assert whole == perft(position, 4, jit=False) > 1
    assert whole == perft(position, 2**31, jit=False) == perft(position, 10**30, jit=False)
