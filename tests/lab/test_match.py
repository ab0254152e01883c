"""What a match is: its seeds, its identity, and which scores count."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tesuji import ConfigError
from tesuji.lab.budget import Budget
from tesuji.lab.match import Match, Result, Rules, Standing, Task, check
from tesuji.lab.opening import Openings
from tesuji.lab.stats import Sprt

from .matches import FIRST, make, standing_of

MATCH = make("uct", "random", "hex:size=4", seed=5)


def test_colours_swap_within_a_pair():
    assert [MATCH.first(number) for number in range(4)] == [0, 1, 0, 1]


def test_every_game_has_its_own_seed():
    seeds = {replace(MATCH, seed=seed).game_seed(number) for seed in (1, 2) for number in range(50)}
    assert len(seeds) == 100


def test_a_match_survives_json():
    match = make("uct@sims=2x", FIRST, openings=Openings.parse("random:2"), resign=0.1)
    again = Match.from_json(json.loads(json.dumps(match.to_json())))
    assert again == match
    assert again.key == match.key


@pytest.mark.parametrize(
    "other",
    [
        make("uct@c=0.7", "random", "hex:size=4", seed=5),
        make("uct", FIRST, "hex:size=4", seed=5),
        make("uct", "random", "hex:size=5", seed=5),
        make("uct", "random", "hex:size=4", seed=6),
        make("uct", "random", "hex:size=4", seed=5, budget=Budget(sims=51)),
        make("uct", "random", "hex:size=4", seed=5, resign=0.1),
        make("uct", "random", "hex:size=4", seed=5, openings=Openings.parse("random:1")),
    ],
)
def test_any_difference_makes_another_match(other):
    assert other.key != MATCH.key


def test_what_is_as_usual_makes_no_other_match():
    """So a rule that comes later finds old matches."""
    definition = MATCH.to_json()
    del definition["rules"]["resign"], definition["a"]["settings"]["c"]
    assert Match.from_json(definition).key == MATCH.key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("uct@c=1", "uct@c=1.0"),
        ("uct@c=0.35", "uct@expand_visits=1"),
        ("uct@stay=8", "uct@batch=8"),
    ],
)
def test_the_same_settings_in_other_words(one, other):
    assert make(one, "random").key == make(other, "random").key


def test_budgets():
    match = make("uct@sims=2x", "gtp:gnugo --mode gtp", "go", budget=Budget(sims=100, seconds=3))
    assert match.budgets == (Budget(sims=200), Budget(seconds=3))


def test_how_long_a_program_may_take_makes_no_other_match():
    assert make("uct", "random", "hex:size=4", seed=5, patience=7).key == MATCH.key


def test_an_edited_game_is_another_one(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(Path("src/tesuji/games/tictactoe.py").read_text())
    match = make("random", "random", str(file))
    again = Match.from_json(match.to_json())
    again.load()
    file.write_text(file.read_text() + "# changed\n")
    assert make("random", "random", str(file)).key != match.key
    with pytest.raises(ConfigError, match="has changed since the match began"):
        again.load()


def test_forfeits_and_repeated_games_are_counted():
    results = {
        0: Result(0.0, "crash", 1),
        1: Result(1.0, "hang", 2),
        2: Result(0.0, "crash", 3),
        3: Result(1.0, "end", 3),
        4: Result(0.0, "resignation", 4),
    }
    figures = Standing(0, Task(MATCH, 5), results).summary()
    assert figures["forfeits"] == {"a": {"crash": 2}, "b": {"hang": 1}}
    assert figures["different"] == 4


def test_only_what_was_asked_for_counts():
    standing = standing_of(Task(MATCH, 3), [1.0, None, 0.5, 0.0])
    assert standing.counted == [1.0, None, 0.5]
    assert not standing.finished
    standing.note(1, Result(0.0, "end", 1))
    assert standing.finished
    assert standing.summary()["games"] == 3


def test_sprt_counts_the_games_up_to_its_decision_whatever_came_later():
    sprt = Sprt(0, 400)
    wins = [1.0] * 10
    assert sprt.stop(wins) == 10
    for later in ([], [0.0, None, 0.0], [1.0] * 50):
        standing = standing_of(Task(MATCH, 100, sprt), wins + later)
        assert standing.finished
        assert standing.counted == wins
        assert standing.summary()["sprt"] == "h1"


def test_sprt_waits_for_missing_games():
    scores = [1.0] * 4 + [None] + [1.0] * 20
    standing = standing_of(Task(MATCH, 100, Sprt(0, 400)), scores)
    assert not standing.finished
    standing.note(4, Result(1.0, "end", 4))
    assert standing.finished
    assert len(standing.counted) == 10


def test_sprt_does_not_look_beyond_the_games_that_were_asked_for():
    standing = standing_of(Task(MATCH, 8, Sprt(0, 400)), [1.0] * 20)
    assert standing.summary()["sprt"] == "continue"
    assert len(standing.counted) == 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"resign": 0.5}, "resign is 0.5, it must be at least 0 and below 0.5"),
        ({"resign": -1}, "resign is -1"),
        ({"patience": 0}, "patience is 0, it must be more than 0"),
        ({"start_seconds": -3}, "start_seconds is -3"),
    ],
)
def test_wrong_rules(change, message):
    with pytest.raises(ConfigError) as caught:
        Rules(**change)
    assert message in str(caught.value)


@pytest.mark.parametrize("games", [0, -1, 10_000_001])
def test_a_wrong_number_of_games(games):
    with pytest.raises(ConfigError, match=f"games is {games}, it must be 1 to"):
        Task(MATCH, games)


def test_check_refuses_what_cannot_be_played():
    check([MATCH])
    with pytest.raises(ConfigError, match="plays Go over GTP, not hex"):
        check([make("uct", "gtp:gnugo --mode gtp", "hex:size=4")])
    with pytest.raises(ConfigError, match="needs a number of simulations for its first side"):
        check([make("uct@seconds=1", "uct", time_equalised=True)])
    with pytest.raises(ConfigError, match="the second player has no limits of its own"):
        check([make("uct", "uct@sims=3", time_equalised=True)])
    with pytest.raises(ConfigError, match="the second player has no limits of its own"):
        check([make("uct", "uct", budget=Budget(sims=3, game_seconds=9), time_equalised=True)])
    with pytest.raises(ConfigError, match="cannot be time-equalised"):
        check([make("uct", "gtp:gnugo", "go:size=5", time_equalised=True)])
    with pytest.raises(ConfigError, match=r"a match needs two players, .* has 3"):
        check([make("uct", "random", "tests/toys/triple_nim.py")])
