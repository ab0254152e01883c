"""Keys of positions: of games without a hash, of set-ups, in other processes."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from tesuji import Position, load
from tesuji.games import tictactoe
from tesuji.games.go.setup import set_up
from tesuji.key import exact_key

NOUGHTS = load("tictactoe")
UNHASHED = replace(NOUGHTS, hash=None)


def after(game, line):
    return Position.start(game, jit=False).play(*line.split())


def test_images_have_the_same_key_and_other_exact_keys():
    corners = [after(NOUGHTS, corner) for corner in ("a1", "c1", "a3", "c3")]
    assert len({position.key for position in corners}) == 1
    assert len({position.exact_key for position in corners}) == 4
    edge, middle = after(NOUGHTS, "b1"), after(NOUGHTS, "b2")
    assert len({corners[0].key, edge.key, middle.key}) == 3


def test_the_symmetry_leads_to_the_image_with_the_key():
    for line in ("a1 b2", "c1 b2 a2", "b3 c1 a1", "b2"):
        position = after(NOUGHTS, line)
        symmetry = position.symmetry
        moves = position.line
        if symmetry is not None:
            moves = [symmetry.move(move) for move in moves]
        assert Position.start(NOUGHTS, jit=False).play(*moves).exact_key == position.key
    assert any(after(NOUGHTS, cell).symmetry is not None for cell in ("a1", "c1", "a3", "c3"))
    assert after(NOUGHTS, "b2").symmetry is None


def test_without_symmetries_both_keys_are_the_same():
    game = replace(NOUGHTS, symmetries=())
    position = after(game, "c1")
    assert position.key == position.exact_key != after(game, "a1").key
    assert position.symmetry is None


def test_keys_are_numbers_of_64_bits():
    for game in (NOUGHTS, UNHASHED, load("go:size=3"), load("hex:size=3")):
        for key in (Position.start(game, jit=False).key, Position.start(game, jit=False).exact_key):
            assert type(key) is int
            assert 0 <= key < 2**64


def test_without_a_hash_the_fields_are_the_key():
    one, other = after(UNHASHED, "a1 b2 c3"), after(UNHASHED, "c3 b2 a1")
    assert one.exact_key == other.exact_key
    assert one.key == after(UNHASHED, "a3 b2 c1").key
    assert one.exact_key != after(UNHASHED, "a3 b2 c1").exact_key
    assert after(UNHASHED, "a1").key != after(UNHASHED, "b2").key


def fields(dtype, fill, **values):
    state = np.full(np.dtype(dtype, align=True).itemsize, fill, np.uint8).view(
        np.dtype(dtype, align=True)
    )
    for name in state.dtype.names:
        state[name] = values.get(name, 0)
    return state


def test_gaps_between_fields_do_not_matter():
    dtype = [("small", np.int8), ("large", np.int64), ("row", np.int16, 3)]
    game = replace(UNHASHED, state=np.dtype(dtype, align=True), symmetries=(), board=None)
    clean, dirty = (fields(dtype, fill, small=3, large=-2) for fill in (0, 255))
    assert clean.tobytes() != dirty.tobytes()
    assert exact_key(game, clean) == exact_key(game, dirty)
    assert exact_key(game, fields(dtype, 0, small=3, large=-3)) != exact_key(game, clean)
    assert exact_key(game, fields(dtype, 0, large=3)) != exact_key(game, fields(dtype, 0, small=3))


def test_the_order_of_bytes_does_not_matter():
    little, big = ([("n", f"{sign}i4"), ("inner", [("x", f"{sign}u2", 2)])] for sign in "<>")
    games = [
        replace(UNHASHED, state=np.dtype(d, align=True), symmetries=(), board=None)
        for d in (little, big)
    ]
    states = [np.zeros(1, game.state) for game in games]
    for state in states:
        state["n"], state["inner"]["x"] = 77, (1, 513)
    assert states[0].tobytes() != states[1].tobytes()
    assert exact_key(games[0], states[0]) == exact_key(games[1], states[1])


def test_keys_are_kept_in_files():
    """These numbers must never change: books have them."""
    assert after(UNHASHED, "a1 b2").key == 9118978586866523539
    assert after(load("go:size=3"), "A1 B2").key == 4203315133172888668
    assert after(load("havannah:size=3"), "c3").key == 2279897755572018567


def test_keys_are_the_same_in_every_process():
    code = (
        "from dataclasses import replace; from tesuji import load, Position\n"
        "for game in (replace(load('tictactoe'), hash=None), load('go:size=3')):\n"
        "    print(Position.start(game, jit=False).play('a1', 'b2').key)"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    here = [after(game, "a1 b2").key for game in (UNHASHED, load("go:size=3"))]
    assert printed == {"".join(f"{key}\n" for key in here)}


# --- set-ups -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [NOUGHTS, UNHASHED], ids=["hash", "fields"])
def test_set_up_positions_have_the_keys_of_played_ones(game):
    played = after(game, "c1 b2 a2")
    made = Position.parse(game, played.text, jit=False)
    assert (made.line, made.key, made.exact_key) == ([], played.key, played.exact_key)
    assert made.symmetry.name == played.symmetry.name
    assert made.play("c3").key == played.play("c3").key


def test_handicap_stones_and_moves_after_them():
    """Black's two stones look the same from both sides, White's answers do not."""
    go = load("go:size=5")
    start = set_up(go, map(go.parse_move, ("B2", "D4")), [], mover=1)
    other = set_up(go, map(go.parse_move, ("D2", "B4")), [], mover=1)
    assert start.key == other.key
    assert start.play("A1", "pass").key == start.play("E5", "pass").key
    assert start.play("A1").key == other.play("E1").key == other.play("A5").key
    assert start.play("A1").key != start.play("A5").key
    whole = set_up(go, map(go.parse_move, ("B2", "D4")), [go.parse_move("E5")])
    assert start.play("A1").key == whole.key


def test_a_state_that_cannot_be_set_up_keeps_its_exact_key():
    """After a pass, without the moves that led there: no image can be made."""
    passed = after(load("go:size=3"), "A1 pass")
    alone = Position(passed.game, passed.state, jit=False)
    assert alone.exact_key == passed.exact_key
    assert alone.key == alone.exact_key
    assert alone.symmetry is None
    assert len({after(load("go:size=3"), f"{corner} pass").key for corner in ("A1", "C3")}) == 1


def test_the_mover_and_the_stones_are_what_counts():
    assert tictactoe.game().hash is not None
    go = load("go:size=3")
    assert after(go, "A1 B2 C3").key == after(go, "C3 B2 A1").key
    assert after(go, "pass").key != after(go, "").key
    assert after(load("go:size=3,komi=0.5"), "A1").key == after(go, "A1").key
