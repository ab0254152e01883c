"""Exhaustive counting and solving, against known numbers and against slow Python."""

import pytest

from tesuji import ConfigError, GameError, Position, load, start
from tesuji.exact import first_player_wins, perft, solve
from tests.toys import dice_race, digits, triple_nim

TICTACTOE = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 255168]


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


@pytest.mark.parametrize(("depth", "leaves"), enumerate(TICTACTOE))
def test_tictactoe_has_the_known_counts(depth, leaves):
    """Games that ended before this depth count at their end: 255,168 games in all."""
    ended = {6: 1440 // 1, 7: 0, 8: 0}
    del ended
    assert perft(start("tictactoe"), depth) == leaves


def test_beyond_the_end_nothing_is_added():
    assert perft(start("tictactoe"), 30) == 255168
    over = start("tictactoe").play("a1", "a2", "b1", "b2", "c1")
    assert [perft(over, depth) for depth in (0, 1, 2)] == [1, 1, 1]
