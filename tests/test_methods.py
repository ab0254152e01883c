"""Methods: every file is complete and commented, and wrong files are refused by name."""

import re
import tomllib

import numpy as np
import pytest

from tests.conftest import ROOT
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load, methods, search

ALL = pytest.mark.parametrize("name", methods.names())
METHOD = 'about = "Mine"\npaper = "None"\n[settings]\nc = 0.9\n'


# --- the files of the package --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("uct", {}),
        ("uct-tuned", {"select": "ucb1-tuned", "c": 1.0}),
        ("omc", {"select": "omc"}),
        ("pbbm", {"select": "pbbm"}),
        ("moss", {"select": "moss", "c": 1.0}),
        ("ucb-sqrt", {"select": "ucb-sqrt", "c": 0.2}),
        ("greedy", {"select": "greedy", "epsilon": 0.1}),
        ("sr+cr", {"root": "greedy", "epsilon": 0.5, "final": "max"}),
        ("sr+cr-sqrt", {"root": "ucb-sqrt", "final": "max"}),
        ("voi", {"root": "voi", "final": "max"}),
        ("brue", {"brue": True, "final": "max"}),
        ("sp-uct", {"select": "sp-uct", "c": 0.000076, "deviation": 0.00023}),
        ("omc-greedy", {"select": "omc", "greed": 75.0}),
        ("rave", {"rave": "equivalence", "c": 0.0, "expand_visits": 8}),
        ("solver", {"solver": "wins", "final": "secure", "secure": 0.5}),
    ],
)
def test_what_a_name_means(name, settings):
    assert methods.load(name) == SearchConfig(**settings)


def test_mango_has_the_constants_of_one_study():
    """Chaslot 2010, table 6.2, default settings; C and w are half as large on our scale."""
    config = methods.load("mango")
    table = {"k_init": 5, "A": 40, "B": 1.2, "T": 10, "C": 0.7, "w": 8, "e": 1}
    assert table == {
        "k_init": config.widen_first,
        "A": config.widen_base,
        "B": config.widen_growth,
        "T": config.policy_visits,
        "C": 2 * config.c,
        "w": 2 * config.bias_weight,
        "e": config.bias_exponent,
    }


def test_below_its_threshold_the_tree_of_mango_grows():
    """Nearly every simulation visits a new node, as far as the memory goes."""
    searcher = Searcher(load("go:size=4"), methods.load("mango"), seed=3, jit=False)
    searcher.search(Position.start(searcher.game, jit=False), Limit(40))
    assert np.count_nonzero(searcher.tree.nodes["visits"] > 0) >= 36


def test_no_two_methods_are_the_same():
    found = {
        (methods.load(name), str(methods.describe(name).get("games"))) for name in methods.names()
    }
    assert len(found) == len(methods.names())


@ALL
def test_a_method_begins_with_what_it_is(name):
    assert list(tomllib.loads(methods.text(name)))[:2] == ["about", "paper"]
    found = methods.describe(name)
    assert found["name"] == name
    assert found["paper"]
    assert 0 < len(found["about"].splitlines()[0]) == len(found["about"])


@ALL
def test_every_setting_has_a_comment(name):
    lines = methods.text(name).partition("[settings]\n")[2].splitlines()
    for before, line in zip(["", *lines], lines, strict=False):
        plain = not line or line.startswith("[games.")
        assert plain or "#" in line or before.startswith("#"), f"{name}: {line}"


@ALL
def test_settings_have_the_types_of_the_search(name):
    """`c = 1` would be another player in a store than `c = 1.0`, which ``@c=1`` gives."""
    usual = SearchConfig()
    found = methods.describe(name)
    for settings in (found["settings"], *found.get("games", {}).values()):
        for key, value in settings.items():
            assert type(value) is type(getattr(usual, key)), key


@ALL
def test_the_page_of_a_method_exists(name):
    page = tomllib.loads(methods.text(name)).get("doc")
    assert page is None or (ROOT / page).is_file()


@ALL
def test_a_name_can_name_a_player(name):
    assert re.fullmatch(r"[a-z0-9+-]+", name)
    assert name != "random"


#: small boards, so that uncompiled searches take no time
SMALL = {
    "amazons": "amazons:size=5",
    "breakthrough": "breakthrough:size=3x6",
    "go": "go:size=4",
    "loa": "loa:size=4",
}


@ALL
def test_a_method_can_search_its_game(name):
    """Uncompiled: the tests of the kernels compile, and a compilation takes many seconds."""
    spec = SMALL.get(methods.describe(name).get("game", ""), "hex:size=3")
    position = Position.start(load(spec), jit=False)
    decision = search(position, simulations=60, config=methods.load(name), jit=False)
    assert decision.move in position.moves
    assert decision.simulations == 60 or decision.proven is not None


def test_methods_of_one_game_say_so():
    """Settings that name something of a game are refused by others."""
    for name in methods.names():
        config = methods.load(name)
        named = config.knowledge or config.evaluation or config.minimax_evaluation
        assert bool(named) == ("game" in methods.describe(name)), name


@ALL
def test_settings_for_games_are_valid(name):
    for game, settings in methods.describe(name).get("games", {}).items():
        of = load(game)
        assert methods.load(name, of.spec) == methods.load(name).changed(settings)


def test_a_game_may_have_settings_of_its_own(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(METHOD + "[games.hex]\nc = 0.1\n")
    found = {game: methods.load(str(file), game).c for game in ("", "go", "hex", "hex:size=5")}
    assert found == {"": 0.9, "go": 0.9, "hex": 0.1, "hex:size=5": 0.1}


def test_a_file_is_all_it_takes(tmp_path, monkeypatch):
    (tmp_path / "mine.toml").write_text(METHOD)
    monkeypatch.setattr(methods, "FOLDER", tmp_path)
    assert methods.names() == ["mine"]
    assert methods.load("mine") == SearchConfig(c=0.9)
    assert methods.describe("mine") == {
        "name": "mine",
        "about": "Mine",
        "paper": "None",
        "settings": {"c": 0.9},
    }


# --- files of users ------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [METHOD, "c = 0.9\n"], ids=["method", "settings alone"])
def test_a_file_has_either_form(tmp_path, content):
    file = tmp_path / "mine.toml"
    file.write_text(content)
    assert methods.load(str(file)) == SearchConfig(c=0.9)
    base = SearchConfig(c=0.1, select="moss")
    assert methods.change(base, file) == SearchConfig(c=0.9, select="moss")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("c = 0.9", "cc = 0.9", "unknown setting 'cc'; did you mean 'c'?"),
        ("c = 0.9", "c = -1", "c is -1, it must be 0 or more"),
        ("paper", "papers", "unknown key 'papers' above [settings]; did you mean 'paper'?"),
        (
            "[settings]",
            "",
            "unknown key 'c' above [settings]; valid: about, doc, game, games, paper, settings",
        ),
        ('about = "Mine"', "", "a method needs the key 'about'"),
        ('paper = "None"', "", "a method needs the key 'paper'"),
        ("[settings]\nc = 0.9", "", "a method needs the key 'settings'"),
        ("[settings]\nc = 0.9", "settings = 3", "settings is 3, it must be a table"),
        ('"Mine"', "3", "about is 3, it must be a text"),
        ('about = "Mine"', 'about = "Mine"\ngame = 9', "game is 9, it must be a text"),
        (
            "[settings]",
            "[games]\ngo = 3\n[settings]",
            "games.go is 3, it must be a table of settings",
        ),
    ],
)
def test_wrong_files_are_refused_by_name(tmp_path, old, new, message):
    file = tmp_path / "mine.toml"
    file.write_text(METHOD.replace(old, new))
    with pytest.raises(ConfigError) as caught:
        methods.load(str(file))
    assert str(caught.value).startswith(f"{file}: ")
    assert message in str(caught.value)


def test_an_unknown_name():
    with pytest.raises(ConfigError, match="unknown method 'mos'; did you mean 'moss'"):
        methods.describe("mos")
    with pytest.raises(ConfigError, match="unknown method 'mos'; did you mean 'moss'"):
        methods.load("mos")
