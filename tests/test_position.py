"""Positions: they never change, check moves, and remember the game."""

import numpy as np
import pytest

from tests.toys import dice_race, digits, triple_nim
from tesuji import ContractError, GameError, MoveError, Position, load, start
from tesuji.games import tictactoe


def play(spec, line):
    return start(spec).play(*line.split())


def test_playing_leaves_the_position_alone():
    before = start("tictactoe").play("b2")
    kept = before.state.tobytes(), before.moves, str(before)
    after = before.play("a1")
    assert (before.state.tobytes(), before.moves, str(before)) == kept
    assert after is not before
    assert after.previous is before
    assert after.state.tobytes() != before.state.tobytes()


def test_the_state_cannot_be_written():
    position = start("tictactoe")
    with pytest.raises(ValueError, match="read-only"):
        position.state["count"] = 3
    with pytest.raises(ValueError, match="read-only"):
        position.state[0]["board"][0] = 1


def test_the_given_state_is_copied():
    state = np.zeros(1, tictactoe.State)
    position = Position(load("tictactoe"), state)
    state["count"] = 4
    assert position.state[0]["count"] == 0


def test_facts_of_the_start():
    position = start("tictactoe")
    assert (position.ply, position.line, position.move, position.previous) == (0, [], None, None)
    assert (position.mover, position.mover_name, position.over) == (0, "X", False)
    assert position.moves == tuple(range(9))
    assert position.rewards is None
    assert position.repetition == 0
    assert repr(position) == "<Position tictactoe after 0 moves>"


def test_moves_are_texts_or_codes():
    texts = start("tictactoe").play("a1", "b2", " c3 ")
    codes = start("tictactoe").play(0, 4, np.int64(8))
    assert texts.line == codes.line == [0, 4, 8]
    assert all(type(move) is int for move in codes.line)
    assert texts.state.tobytes() == codes.state.tobytes()
    assert (texts.ply, texts.move, texts.mover_name) == (3, 8, "O")
    assert [texts.move_text(move) for move in texts.line] == ["a1", "b2", "c3"]
    assert texts.parse_move("a2") == 3


def test_playing_nothing_changes_nothing():
    position = start("tictactoe")
    assert position.play() is position


def test_moves_are_taken_back():
    position = play("tictactoe", "a1 b2")
    assert position.undo() is position.previous
    assert position.undo().undo().ply == 0
    with pytest.raises(MoveError, match="no move to take back at the start of tictactoe"):
        start("tictactoe").undo()


@pytest.mark.parametrize(
    ("moves", "wrong", "message"),
    [
        ("", "z9", "'z9' is not a move of tictactoe: a cell is a letter a to c and a digit 1 to 3"),
        ("", "", "'' is not a move of tictactoe"),
        (
            "a1",
            "a1",
            r"'a1' is not legal after move 1 \(3/3/X2 O\); valid: a2, a3, b1, b2, b3, c1, c2, c3",
        ),
        ("a1", 0, r"move 0 is not legal after move 1 \(3/3/X2 O\); valid: a2, a3"),
        ("", 9, r"move 9 is not legal after move 0 \(3/3/3 X\); valid: a1"),
        ("", -1, "move -1 is not legal after move 0"),
        (
            "a1 a2 b1 b2 c1",
            "c2",
            r"'c2' is not legal after move 5 \(3/OO1/XXX O\): the game is over",
        ),
    ],
)
def test_wrong_moves_are_refused(moves, wrong, message):
    with pytest.raises(MoveError, match=message):
        play("tictactoe", moves).play(wrong)


def test_long_lists_of_moves_are_only_counted():
    with pytest.raises(MoveError, match=r"move 1 \(5/5/2X2/5/5 White\); 24 moves are legal$"):
        play("hex:size=5", "c3").play("c3")


def test_what_was_played_before_a_wrong_move_is_lost():
    position = start("tictactoe")
    with pytest.raises(MoveError, match="after move 2"):
        position.play("a1", "b2", "a1")
    assert position.ply == 0


@pytest.mark.parametrize(
    ("moves", "rewards", "result"),
    [
        ("a1 a2 b1 b2 c1", (1.0, 0.0), "X wins"),
        ("a1 a2 b1 b2 c3 c2", (0.0, 1.0), "O wins"),
        ("a1 b2 c3 b1 b3 a3 c1 c2 a2", (0.5, 0.5), "draw"),
    ],
)
def test_results(moves, rewards, result):
    position = play("tictactoe", moves)
    assert position.over
    assert position.moves == ()
    assert position.rewards == rewards
    assert position.result_text() == result


def test_results_of_one_and_of_three_players():
    alone = Position.start(digits.game()).play(*[2] * digits.STEPS)
    assert alone.result_text() == f"rewards {alone.rewards[0]:g}"
    three = Position.start(triple_nim.game(4)).play(2, 2)
    assert three.rewards == (0.4, 1.0, 0.0)
    assert three.result_text() == "B wins"


def test_a_running_game_has_no_result():
    with pytest.raises(GameError, match="the game tictactoe is not over"):
        start("tictactoe").result_text()


def test_drawings():
    position = play("tictactoe", "a1 b2")
    assert str(position) == position.draw() == "3 . . .\n2 . O .\n1 X . .\n  a b c"
    assert position.draw(colour=True) == (
        "3 . . .\n2 . \x1b[1;36mO\x1b[0m .\n1 \x1b[1;31mX\x1b[0m . .\n  a b c"
    )


def test_dice_move_too():
    rolling = Position.start(dice_race.game()).play(dice_race.ROLL)
    assert rolling.mover == -1
    assert rolling.mover_name == "chance"
    assert rolling.moves == (1, 2, 3, 4, 5, 6)


def test_compiled_and_uncompiled_positions_agree():
    compiled, plain = (
        Position.start(load("tictactoe"), jit=jit).play("a1", "b2", "c3") for jit in (True, False)
    )
    assert compiled.state.tobytes() == plain.state.tobytes()
    assert (compiled.moves, compiled.mover) == (plain.moves, plain.mover)


def test_a_game_without_moves_is_reported():
    position = Position.start(triple_nim.game(4))
    state = position.state.copy()
    state["pile"] = -1
    with pytest.raises(ContractError, match="triple_nim: the game is not over, but nobody can"):
        Position(position.game, state)


# --- superko -------------------------------------------------------------------------------------


def legal(position):
    return {position.move_text(move) for move in position.moves}


KO = "C4 D4 B3 E3 C2 D2 D3 C3"  # White has just taken at D3


def test_a_ko_may_not_be_taken_back_at_once():
    taken = play("go:size=5", KO)
    assert "D3" not in legal(taken)
    with pytest.raises(MoveError, match="'D3' is not legal after move 8"):
        taken.play("D3")
    assert "D3" in legal(taken.play("A1", "A5"))


def test_what_is_forbidden_depends_on_the_whole_game():
    """A lone stone at A1 was seen five moves ago; without that past it may stand there again."""
    position = play("go:size=2", "A1 B2 A2 B1 A1 A2")
    assert legal(Position(position.game, position.state)) == legal(position) | {"A1"}


def test_no_position_comes_back_in_a_long_game():
    """Two by two points, where stones are taken all the time."""
    for seed in range(20):
        position = start("go:size=2")
        choose = np.random.default_rng(seed).choice
        while not position.over and position.ply < 40:
            passing = position.parse_move("pass")
            others = [move for move in position.moves if move != passing]
            position = position.play(int(choose(others or [passing])))
            assert (
                position.repetition == position.history[-1]
                or position.repetition not in position.history
            )


def test_history_grows_with_the_game():
    position = start("go:size=2")
    keys = [position.repetition]
    assert position.history.tolist() == []
    for move in ("A1", "B2", "pass", "A2"):
        position = position.play(move)
        assert position.history.tolist() == list(dict.fromkeys(keys))  # each once
        keys.append(position.repetition)
    assert keys[2] == keys[3]
    assert position.undo().history.tolist() == keys[:3]


def test_games_that_repeat_have_no_history():
    assert play("tictactoe", "a1 b2 c3").history.size == 0
