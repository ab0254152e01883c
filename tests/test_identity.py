"""The identity of searches and games: the same code has the same one, wherever it lies."""

import subprocess
import sys

import pytest

from tesuji import Limit, Position, SearchConfig, Searcher, identity, load, methods
from tesuji.identity import machine, of_game, of_package, of_search
from tesuji.search.config import SETTINGS

SEARCHES = [
    ("tictactoe", "uct"),
    ("go:size=5", "tesuji"),
    ("hex:size=4", "rave"),
    ("amazons:size=5", "hmcts"),
    ("trio:size=4", "brue"),
    ("samegame:size=4x4,colours=2", "sp-uct"),
]
TICTACTOE = load("tictactoe")
#: of a game whose rules are spread over three files
GAME = """
from dataclasses import replace
from near import MORE
from tesuji.games import load

def game(bonus: float = 0.0):
    \"\"\"Tic-tac-toe with a bonus.\"\"\"
    base = load("tictactoe")
    def rewards(state, out):
        base_rewards(state, out)
        out[0] += bonus + MORE  # a comment
    base_rewards = base.rewards
    return replace(base, rewards=rewards)
"""
RULE = """
import tesuji
from near import MORE

def shared(visits, *rest):
    return MORE

def score(mean, visits, variance, prior, shared, params, rng):
    return mean + shared

def rule():
    return tesuji.Rule(shared, score)
"""


def of(game, method, **settings):
    made = load(game)
    return of_search(made, methods.load(method, game).changed(settings))


def folder_with(folder, more, **files):
    folder.mkdir(exist_ok=True)
    (folder / "near.py").write_text(f"MORE = {more}\n")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def test_another_process_finds_the_same():
    """In a process in which nothing was searched, with another order of sets."""
    script = f"""
from tests.test_identity import of
print([of(*search) for search in {SEARCHES!r}])
"""
    for game, method in SEARCHES[:2]:
        made = load(game)
        config = methods.load(method, game)
        Searcher(made, config, jit=False).search(Position.start(made), Limit(3))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    found = [of(*search) for search in SEARCHES]
    assert done.stdout.strip() == str(found)
    assert len(set(found)) == len(SEARCHES)


@pytest.mark.parametrize(
    "settings",
    [
        {"c": 0.7},  # kernels read it
        {"final": "max"},  # Python does
        {"playout": "sequence"},  # another policy
        {"threads": 2},
        {"threads": 2, "parallel": "root"},
        {"threads": 2, "parallel": "leaf"},
        {"weights": "mogo"},
    ],
)
def test_another_setting_is_another_search(settings):
    assert of("go:size=5", "uct", **settings) != of("go:size=5", "uct")


def test_whole_numbers_are_numbers():
    assert of("tictactoe", "uct", c=1) == of("tictactoe", "uct", c=1.0)


def test_only_settings_in_use_count():
    """So a setting that comes later, of a part that is off, changes nothing."""
    used = dict(identity._in_use(SearchConfig(rave_d=0.5), {"c"}))
    assert used == {"c": SETTINGS["c"].default, "rave_d": 0.5}


def test_weights_count_by_what_they_are(tmp_path):
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    first.write_text("capture = 2.0\n")
    second.write_text("# the same\ncapture = 2.0\n")
    one, two = (of("go:size=5", "uct", weights=str(path)) for path in (first, second))
    assert one == two
    third = tmp_path / "third.toml"
    third.write_text("capture = 2.5\n")
    assert of("go:size=5", "uct", weights=str(third)) != one


def test_a_rule_of_a_user_counts_with_all_that_it_calls(tmp_path):
    found = [
        of(
            "tictactoe",
            "uct",
            select=str(folder_with(tmp_path / name, more, rule=text) / "rule.py"),
        )
        for name, more, text in (
            ("a", 1, RULE),
            ("b", 1, RULE.replace("mean +", "mean  +  ") + "\n# a comment"),
            ("c", 2, RULE),
            ("d", 1, RULE.replace("mean + shared", "mean - shared")),
        )
    ]
    assert found[0] == found[1]
    assert len(set(found)) == 3


def test_a_game_of_a_user_counts_with_all_that_it_calls(tmp_path):
    files = [
        folder_with(tmp_path / name, more, game=text) / "game.py"
        for name, more, text in (
            ("a", 1, GAME),
            ("b", 1, GAME.replace("with a bonus", "with more").replace("a comment", "none")),
            ("c", 2, GAME),
            ("d", 1, GAME.replace("+=", "-=")),
        )
    ]
    for found in ([of(str(file), "uct") for file in files], [of_game(load(str(f))) for f in files]):
        assert found[0] == found[1]
        assert len(set(found)) == 3


def test_parameters_of_a_game_count():
    found = [load(f"go:size=5,komi={komi}") for komi in (6.5, 7.5)]
    assert of_game(found[0]) != of_game(found[1])
    assert of_search(found[0], SearchConfig()) != of_search(found[1], SearchConfig())
    assert of_game(load("go:size=5,komi=7.5")) == of_game(found[1])


def test_the_package_and_the_machine():
    assert len(of_package()) == len(of_game(TICTACTOE)) == 16
    assert "Python 3." in machine()
    assert "Numba" in machine()
