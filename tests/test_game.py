"""What a game says about itself is checked when it is made."""

from dataclasses import replace

import numpy as np
import pytest

from tesuji import GameError
from tesuji.game import MOST_CODES, WIDEST, Game, unpainted
from tesuji.games import tictactoe

GOOD = tictactoe.game()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"state": "record"}, "state is 'record', it must be a NumPy dtype with named fields"),
        ({"state": np.dtype(np.int8)}, "it must be a NumPy dtype with named fields"),
        ({"state": np.dtype([("a", np.int8), ("b", np.int64)])}, "an aligned dtype: np.dtype"),
        ({"players": 0, "player_names": ()}, "players is 0, it must be an integer from 1 to 127"),
        ({"players": 128}, "players is 128, it must be an integer from 1 to 127"),
        ({"players": 2.0}, "players is 2.0, it must be an integer"),
        ({"players": 3}, r"player_names is \('X', 'O'\), it must be 3 names"),
        ({"move_codes": 0}, f"move_codes is 0, it must be an integer from 1 to {MOST_CODES}"),
        ({"move_codes": MOST_CODES + 1}, "move_codes is 2147483648, it must be"),
        (
            {"score_range": (0, 5)},
            r"score_range is \(0, 5\), it must be None without score\(\), or two rising scores",
        ),
        ({"scratch": -1}, "scratch is -1, it must be 0 or more states"),
        ({"max_moves": -1}, f"max_moves is -1, it must be an integer from 1 to {WIDEST}"),
        ({"max_moves": WIDEST + 1}, "max_moves is 65536, it must be"),
        ({"max_length": None}, "max_length is None, it must be an integer"),
        ({"moves": None}, "moves is None, it must be a function"),
        ({"start": 3}, "start is 3, it must be a function"),
        ({"draw": "board"}, "draw is 'board', it must be a function"),
        ({"hash": 5}, "hash is 5, it must be a function"),
        ({"chance": "dice"}, "chance is 'dice', it must be a function"),
        ({"count": len}, "count, nth is .*, it must be both given or both left out"),
        ({"nth": len}, "count, nth is .*, it must be both given or both left out"),
    ],
)
def test_wrong_facts_are_refused(change, message):
    with pytest.raises(GameError, match=f"^game 'tictactoe': .*{message}"):
        replace(GOOD, **change)


def test_numpy_integers_are_integers():
    assert replace(GOOD, max_moves=np.int64(9)).max_moves == 9


def test_a_game_is_named_by_its_spec():
    assert GOOD.spec == "tictactoe"
    assert repr(replace(GOOD, spec="tictactoe:big=1")) == "<Game tictactoe:big=1>"


def test_games_cannot_be_changed():
    with pytest.raises(AttributeError):
        GOOD.players = 3


def test_games_are_themselves_only():
    """Compiled code is looked up by game, so two games are never taken for one."""
    assert GOOD == GOOD
    assert replace(GOOD) != GOOD
    assert len({GOOD, replace(GOOD)}) == 2


def test_candidates_are_all_moves_unless_told():
    def few(state, out):
        return 1

    assert GOOD.bindings["rules"]["candidates"] is GOOD.moves
    assert replace(GOOD, candidates=few).bindings["rules"]["candidates"] is few


def test_bindings_switch_what_a_game_has():
    def kernel(state):
        return 0

    assert [GOOD.bindings[switch] for switch in ("SUPERKO", "DICE", "WIDE")] == [False] * 3
    assert "repetition" not in GOOD.bindings["rules"]
    assert replace(GOOD, repetition=kernel).bindings["SUPERKO"]
    assert replace(GOOD, chance=kernel).bindings["DICE"]
    assert replace(GOOD, count=kernel, nth=kernel).bindings["WIDE"]
    assert replace(GOOD, chance=kernel).bindings["rules"]["chance"] is kernel


def test_plain_text_is_unpainted():
    assert unpainted("X", 1) == "X"


def test_every_fact_must_be_given():
    with pytest.raises(TypeError, match=r"missing 1[0-9] required keyword-only arguments"):
        Game(name="nothing")
