"""A Go program as a player: a real one, and programs that misbehave."""

import sys
from pathlib import Path

import pytest

from tests.gnugo import gnugo_command
from tesuji import ConfigError, load, start
from tesuji.errors import ProgramError
from tesuji.lab.budget import Budget
from tesuji.lab.gtp_player import GtpPlayer, Referee, read_score
from tesuji.lab.match import check, game_of
from tesuji.lab.play import play

from .matches import FIRST, make, play_one

GAME = "go:size=5,komi=0.5"
PROGRAM = Path(__file__).parent / "programs" / "passer.py"


def program(*arguments):
    """A program that passes, and does something wrong in its second turn if asked to."""
    return " ".join([f"gtp:{sys.executable}", str(PROGRAM), *arguments])


def against_first(*arguments, number=0):
    return play_one(make(program(*arguments), f"{FIRST}@index=3", GAME), number)


@pytest.mark.parametrize(
    ("trouble", "reason", "detail"),
    [
        ("die", "crash", "last words"),
        ("hang", "hang", "genmove"),
        ("nonsense", "nonsense", "garbage"),
        ("not-a-vertex", "nonsense", "Q99"),
        ("illegal", "illegal move", "not legal"),
        ("refuse", "refusal", "I do not want to"),
        ("refuse-play", "refusal", "play"),
    ],
)
@pytest.mark.parametrize("number", [0, 1])
def test_a_program_that_does_wrong_loses_and_the_reason_is_kept(trouble, reason, detail, number):
    patience = 1.0 if reason == "hang" else 60
    match = make(program("--trouble", trouble), f"{FIRST}@index=3", GAME, patience=patience)
    game = game_of(GAME)
    players = [
        match.a.build(game, **match.rules.program_times),
        match.b.build(game),
    ]
    try:
        played = play(match, number, game, players)
        assert (played.score, played.reason) == (0.0, reason)
        assert detail in played.detail
        again = play(match, number + 2, game, players)  # the program was started again
        assert (again.score, again.reason) == (0.0, reason)
    finally:
        players[0].close()


def test_a_program_that_behaves_plays_to_the_end():
    for number in (0, 1):
        played = against_first(number=number)
        assert played.reason == "end"
        assert played.turns[0] > 0


def test_resignation():
    played = against_first("--trouble", "resign")
    assert (played.score, played.reason) == (0.0, "resignation")


def test_the_program_hears_everything(tmp_path):
    """Board, komi, seed, time and moves arrive in the order of the game."""
    log = tmp_path / "log"
    match = make(
        program("--log", str(log)), "random", "go:size=5,komi=3.5", budget=Budget(seconds=2)
    )
    played = play_one(match, 1)
    heard = log.read_text().splitlines()
    assert heard.count("clear_board") == 2  # the check at the start, and the game
    tail = heard[heard.index("clear_board", heard.index("clear_board") + 1) - 1 :]
    assert tail[0] == "boardsize 5"
    assert tail[2] == "komi 3.5"
    assert tail[3].startswith("set_random_seed ")
    assert tail[4] == "time_settings 0 2 1"
    moves = [f"play black {move}" for move in played.moves[::2]]
    assert [line for line in tail if line.startswith("play")] == moves[: len(played.moves[1::2])]
    assert tail.count("genmove white") == len(played.moves[1::2])


def test_the_clock_of_a_game_is_told(tmp_path):
    log = tmp_path / "log"
    play_one(make(program("--log", str(log)), "random", GAME, budget=Budget(game_seconds=30)))
    heard = log.read_text().splitlines()
    assert "time_settings 30 0 0" in heard
    assert any(line.startswith("time_left black 30 0") for line in heard)


@pytest.mark.parametrize(
    ("text", "points"),
    [("B+3.5", 1.0), ("b+12", 1.0), ("W+R", 0.0), ("W+0.5", 0.0), ("0", 0.5), ("Draw", 0.5)],
)
def test_scores(text, points):
    assert read_score(text) == points


@pytest.mark.parametrize("text", ["", "cannot score", "B", "3.5", "B+3.5 (estimate)"])
def test_wrong_scores(text):
    with pytest.raises(ProgramError, match="is not a score"):
        read_score(text)


@pytest.mark.parametrize(
    ("game", "message"),
    [("hex", "plays Go over GTP, not hex"), ("go:size=5x7", "square boards only, not 5x7")],
)
def test_games_that_gtp_cannot_play(game, message):
    with pytest.raises(ConfigError, match=message):
        GtpPlayer(load(game), program().removeprefix("gtp:"))


def test_missing_programs_are_found_out_before_the_first_game():
    with pytest.raises(ProgramError, match="there is no program 'no-such-program'"):
        check([make("random", "gtp:no-such-program --mode gtp", GAME)])
    with pytest.raises(ProgramError, match="there is no program 'no-such-referee'"):
        check([make("random", "random", GAME, referee="no-such-referee")])


def test_a_referee_that_fails_says_so():
    game = game_of(GAME)
    referee = Referee(game, program("--trouble", "score").removeprefix("gtp:"), 10.0, 10.0)
    with pytest.raises(ProgramError, match="the referee failed: 'undecided' is not a score"):
        referee.score(start(GAME).play("pass", "pass"))
    referee.close()


def test_gnu_go_plays_and_referees():
    command = f"{gnugo_command()} --mode gtp --chinese-rules --level 1"
    match = make(f"gnugo=gtp:{command}", "random", "go:size=7,komi=7", resign=0.0, referee=command)
    check([match])
    game = game_of(match.game)
    players = [entrant.build(game) for entrant in match.entrants]
    referee = Referee(game, command, 30.0, 30.0)
    try:
        games = [play(match, number, game, players, referee) for number in range(2)]
    finally:
        players[0].close()
        referee.close()
    assert [game.score for game in games] == [1.0, 1.0]
    assert games[0].programs[0].startswith("GNU Go 3.")
    assert games[0].programs[1] == ""
    assert games[0].detail.startswith("B+")
    assert games[1].detail.startswith("W+")


def test_gnu_go_repeats_itself_with_the_same_seed():
    command = f"gnugo=gtp:{gnugo_command()} --mode gtp --chinese-rules --level 1"
    match = make(command, "random", "go:size=7,komi=7", seed=3)
    assert play_one(match).moves == play_one(match).moves
