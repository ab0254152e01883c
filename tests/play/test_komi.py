"""Dynamic komi: how much it is, and that nothing else changes."""

import pytest

from tesuji import load, start
from tesuji.games.go.board import PASS
from tesuji.games.go.setup import set_up
from tesuji.play.komi import faded_komi, handicap, with_komi


@pytest.mark.parametrize(("size", "plies", "more"), [(19, 0, 30), (19, 100, 15), (19, 200, 0)])
def test_komi_fades_to_the_real_one(size, plies, more):
    game = load(f"go:size={size},komi=0.5")
    stones = [game.parse_move(text) for text in ("D4", "Q16", "D16", "Q4")]
    position = set_up(game, stones, [], mover=1)
    for _ in range(plies):
        position = position.play(next(m for m in position.moves if m != PASS))
    assert faded_komi(position, 7.5) == 0.5 + more


def test_small_boards_fade_sooner():
    position = start("go").play("E5", "pass", "C3")
    assert handicap(position) == 2
    assert faded_komi(position, 7.5) == 7.5 + round(15 * (1 - 3 / (200 * 81 / 361)))


@pytest.mark.parametrize("moves", ["E5 C3 G7", "B1 A1 A2", "B1 A1 A2 pass C3 pass D4"])
def test_a_game_without_handicap_keeps_its_komi(moves):
    """Also when all of White's stones have been captured."""
    position = start("go").play(*moves.split())
    assert handicap(position) == 0
    assert faded_komi(position, 7.5) == 7.5


@pytest.mark.parametrize("moves", [(), ("C3", "pass", "B2")])
def test_only_komi_changes(moves):
    position = start("go:size=5").play(*moves)
    other = with_komi(position, 20.0)
    assert other.state[0]["komi"] == 20.0
    assert (other.line, other.ply, other.moves, other.repetition) == (
        position.line,
        position.ply,
        position.moves,
        position.repetition,
    )
    assert list(other.history) == list(position.history)
    state = other.state.copy()
    state["komi"] = position.state[0]["komi"]
    assert state.tobytes() == position.state.tobytes()
