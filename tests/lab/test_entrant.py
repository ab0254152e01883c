"""How players are named, and what a wrong name gets."""

from dataclasses import asdict, fields, replace

import pytest

from tesuji import ConfigError, SearchConfig, load
from tesuji.lab.account import written
from tesuji.lab.entrant import Entrant
from tesuji.lab.player import RandomPlayer, SearchPlayer, WholePlayer
from tesuji.play import Options

from .matches import FIRST, PLAYERS, trouble

TICTACTOE = load("tictactoe")


def test_a_method_may_have_settings_for_a_game():
    found = [Entrant.parse("hmcts@sims=9", game).settings["c"] for game in ("", "amazons:size=6")]
    assert found == [0.35, 0.05]
    assert Entrant.parse("hmcts@c=0.2", "amazons").settings["c"] == 0.2


def test_uct_is_the_default_search():
    entrant = Entrant.parse("uct")
    assert entrant == Entrant("uct", "search", asdict(SearchConfig()))
    player = entrant.build(TICTACTOE)
    assert isinstance(player, SearchPlayer)
    assert player.searcher.config == SearchConfig()


def test_a_method_is_a_player():
    entrant = Entrant.parse("bold=moss@epsilon=0.2,sims=50")
    changed = SearchConfig(select="moss", c=1.0, epsilon=0.2)
    assert entrant == Entrant("bold", "search", asdict(changed), {"sims": "50"})


def test_a_whole_player_is_a_method_with_options(monkeypatch):
    monkeypatch.setenv("TESUJI_JIT", "0")
    entrant = Entrant.parse("bold=player:moss@epsilon=0.2,resign=0.1,early_stop=true,sims=50")
    settings = asdict(SearchConfig(select="moss", c=1.0, epsilon=0.2))
    assert entrant == Entrant("bold", "player", {**settings, "resign": 0.1}, {"sims": "50"})
    player = entrant.build(TICTACTOE)
    assert isinstance(player, WholePlayer)
    assert player.player.options == Options(resign=0.1)
    assert player.player.searcher.config == SearchConfig(**settings)


def test_a_whole_player_counts_owners_where_there_are_any(monkeypatch):
    monkeypatch.setenv("TESUJI_JIT", "0")
    entrant = Entrant.parse("player:uct")
    assert entrant.build(load("go:size=3")).player.searcher.config == SearchConfig(ownership=True)
    assert Entrant.parse("uct").build(load("go:size=3")).searcher.config == SearchConfig()


def test_settings_and_limits():
    entrant = Entrant.parse("uct@c=0.7,sims=2x,expand_visits=3,seconds=1")
    assert entrant.settings["c"] == 0.7
    assert entrant.settings["expand_visits"] == 3
    assert entrant.budget == {"sims": "2x", "seconds": "1"}
    assert entrant.name == "uct@c=0.7,sims=2x,expand_visits=3,seconds=1"


def test_the_full_configuration_is_kept():
    assert set(Entrant.parse("uct").settings) == set(asdict(SearchConfig()))


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("weak=uct@sims=5", "weak", "search"),
        ("random", "random", "random"),
        ("dice=random", "dice", "random"),
        (FIRST, "first", "python"),
        ("player:uct@sims=5", "player:uct@sims=5", "player"),
        ("whole=player:uct", "whole", "player"),
        ("gtp:gnugo --mode gtp --level=1", "gtp:gnugo --mode gtp --level=1", "gtp"),
        ("gnu=gtp:gnugo --mode gtp --level=1", "gnu", "gtp"),
    ],
)
def test_names(text, name, kind):
    entrant = Entrant.parse(text)
    assert (entrant.name, entrant.kind) == (name, kind)


def test_a_file_of_settings(tmp_path):
    file = tmp_path / "bold.toml"
    file.write_text("c = 0.9\n")
    entrant = Entrant.parse(f"{file}@sims=7,c=0.8")
    assert entrant.settings["c"] == 0.8
    assert entrant.budget == {"sims": "7"}


def test_a_file_in_the_form_of_a_method(tmp_path):
    file = tmp_path / "bold.toml"
    file.write_text('about = "Bold"\npaper = "None"\n[settings]\nc = 0.9\n')
    assert Entrant.parse(f"{file}@sims=7").settings == asdict(SearchConfig(c=0.9))


def test_a_player_in_python():
    assert Entrant.parse(f"{FIRST}@index=2").build(TICTACTOE).index == 2


def test_an_edited_file_is_another_player(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text((PLAYERS / "first.py").read_text())
    before = Entrant.parse(str(file))
    file.write_text(file.read_text() + "# changed\n")
    assert Entrant.parse(str(file)) != before


def test_neighbours_of_two_versions_are_kept_apart(tmp_path):
    """Comparing two versions of one player, each with its own modules, is what a lab is for."""
    found = []
    for name, index in (("old", 1), ("new", 2)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "helper.py").write_text(f"INDEX = {index}\n")
        (folder / "late.py").write_text(f"INDEX = {10 * index}\n")
        (folder / "bot.py").write_text(
            "from helper import INDEX\n"
            + (PLAYERS / "first.py")
            .read_text()
            .replace(
                "return First(index)",
                "import late\n    return First(INDEX + late.INDEX)",
            )
        )
        found.append(Entrant.parse(str(folder / "bot.py")).build(TICTACTOE).index)
    assert found == [11, 22]


def test_a_player_that_changes_during_a_match_is_refused(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text((PLAYERS / "first.py").read_text())
    entrant = Entrant.parse(str(file))
    file.write_text(file.read_text() + "# changed\n")
    with pytest.raises(ConfigError, match="has changed since the match began"):
        entrant.build(TICTACTOE)


def test_the_random_player_plays_everything():
    from tesuji import Position
    from tesuji.lab.budget import Budget, Clock

    player = RandomPlayer()
    start = Position.start(TICTACTOE)
    player.begin(start, 1, Budget())
    chosen = {player.choose(start, Clock(Budget())).move for _ in range(200)}
    assert chosen == set(start.moves)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("utc", "unknown player 'utc'; did you mean 'uct'?"),
        ("mos@sims=5", "unknown player 'mos@sims=5'; did you mean 'moss'?"),
        ("", "unknown player ''"),
        ("uct@c", "'c' is not a setting, write key=value"),
        ("uct@c=1,c=2", "gives c twice"),
        ("uct@c=lots", "c is 'lots', it must be a number"),
        ("uct@d=1", "unknown setting 'd'"),
        ("random@c=1", "the random player has no setting 'c'"),
        ("random@sims=5", "the random player has no setting 'sims'"),
        ("my name=uct", "a name before = has letters, digits and . + - _ only"),
        ("nothing.toml", "cannot read the config nothing.toml"),
        ("nothing.py", "cannot read the player nothing.py"),
        ("gtp:", "needs a command"),
        ("player:utc", "unknown player 'player:utc'; did you mean 'uct'?"),
        ("player:random", "unknown player 'player:random'; valid: FILE.toml, all-children, "),
        ("player:uct@resign=0.6", "resign is 0.6, it must be 0 to 0.5"),
        ("player:uct@resign=soon", "resign is 'soon', it must be a number"),
        ("player:uct@d=1", "unknown setting 'd'"),
        ("player:uct@ponder=true", "nobody ponders in a match"),
        ("player:uct@ownership=no", "a whole player counts ownership wherever it can"),
        ("uct@resign=0.1", "unknown setting 'resign'"),
    ],
)
def test_wrong_players(text, message):
    with pytest.raises(ConfigError) as caught:
        Entrant.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1", "is no player: it does not define a function player()"),
        ("1 / 0", "cannot be loaded: ZeroDivisionError"),
        ("def player(game): return 3", "player() returned 3, it must return"),
        ("def player(game): raise OSError('no file')", "player() raised OSError: no file"),
        ("def player(game): raise SystemExit(3)", "player() raised SystemExit: 3"),
    ],
)
def test_wrong_files(source, message, tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text(source)
    with pytest.raises(ConfigError) as caught:
        Entrant.parse(str(file)).build(TICTACTOE)
    assert message in str(caught.value)


def test_wrong_options_of_a_file():
    with pytest.raises(ConfigError, match="has no parameter 'depth'"):
        Entrant.parse(f"{FIRST}@depth=2").build(TICTACTOE)
    with pytest.raises(ConfigError, match="turn=soon: expected an integer"):
        Entrant.parse(trouble("raise", "soon")).build(TICTACTOE)


KERNELS = """
def one(mean, visits, *rest):
    return 0.5

def two(*rest):
    return 0.1
"""


def test_a_rule_in_a_file_belongs_to_the_player(tmp_path, monkeypatch):
    """A match is the same only as long as the rule is; a changed file stops it."""
    monkeypatch.setenv("TESUJI_JIT", "0")
    path = tmp_path / "mine.py"
    path.write_text(f"import tesuji\n{KERNELS}\ndef rule():\n    return tesuji.Rule(one, two)\n")
    first = Entrant.parse(f"uct@select={path}")
    assert first.build(TICTACTOE).searcher.config.select == str(path)
    path.write_text(f"import tesuji\n{KERNELS}\ndef rule():\n    return tesuji.Rule(two, one)\n")
    assert Entrant.parse(f"uct@select={path}") != first
    with pytest.raises(ConfigError, match="has changed since the match began"):
        first.build(TICTACTOE)


@pytest.mark.parametrize(
    "text", ["moss@sims=50", "weak=omc", "uct@c=0.5", "random", "player:uct@c=0.5,resign=0.1"]
)
def test_a_player_is_written_as_it_was(text):
    entrant = Entrant.parse(text)
    assert Entrant.parse(written(entrant)) == entrant


def test_a_player_with_another_name_is_written_in_full():
    entrant = replace(Entrant.parse("player:uct@c=0.5,resign=0.1,sims=50"), name="the whole one")
    assert written(entrant) == "player:uct@c=0.5,resign=0.1,sims=50"


def test_options_of_players_and_settings_of_searches_have_different_names():
    assert not {item.name for item in fields(Options)} & set(asdict(SearchConfig()))


@pytest.mark.parametrize(
    "setting", ["select", "root", "rave", "bias", "widen", "backup", "weights"]
)
def test_every_file_that_a_setting_names_belongs_to_the_player(setting, tmp_path):
    """What is in it counts, not where it lies."""
    needs = {"bias": "knowledge=tactics,", "widen": "knowledge=tactics,"}.get(setting, "")
    suffix = "toml" if setting == "weights" else "py"
    paths = [tmp_path / f"{name}.{suffix}" for name in ("one", "two", "three")]
    rule = f"import tesuji\n{KERNELS}\ndef rule():\n    return tesuji.Rule(one, two)\n"
    for path, text in zip(paths, ("# 1", "# 1", "# 2"), strict=True):
        path.write_text(text if setting == "weights" else rule + text)
    found = [Entrant.parse(f"uct@{needs}{setting}={path}") for path in paths]
    assert found[0].files.keys() == {setting}
    meanings = [entrant.meaning for entrant in found]
    assert meanings[0] == meanings[1] != meanings[2]
    paths[0].write_text("a = 3")
    with pytest.raises(ConfigError, match=rf"the {setting} .*one\.{suffix} has changed since"):
        found[0].config(TICTACTOE)
    paths[0].unlink()
    with pytest.raises(ConfigError, match=rf"cannot read the {setting} .*one\.{suffix}: No such"):
        found[0].config(TICTACTOE)


def test_entrants_from_a_store_have_all_settings_of_today():
    """One that came since is as usual, one that was renamed has its new name."""
    entrant = Entrant.parse("few=uct@batch=8,c=1")
    old = {"name": "few", "kind": "search", "settings": {"c": 1.0, "stay": 8}, "budget": {}}
    assert Entrant.from_json(old) == replace(entrant, settings={**entrant.settings, "c": 1.0})
    assert Entrant.from_json(old).meaning == entrant.meaning
    assert Entrant.from_json({**old, "settings": {"gone": 1}}).meaning != entrant.meaning


def test_only_what_is_not_as_usual_tells_players_apart():
    assert Entrant.parse("uct").meaning["settings"] == {}
    assert Entrant.parse("uct@c=1").meaning["settings"] == {"c": 1.0}
    assert Entrant.parse("uct@c=1").meaning == Entrant.parse("uct@c=1.0").meaning
    assert Entrant.parse("x=uct@c=1").meaning != Entrant.parse("y=uct@c=1").meaning


def test_old_stores_have_hashes_among_the_settings():
    search = {"name": "x", "kind": "search", "budget": {}}
    entrant = Entrant.from_json({**search, "settings": {"select": "/a.py", "rule_sha256": "1"}})
    assert (entrant.files, entrant.settings["select"]) == ({"select": "1"}, "/a.py")
    settings = {"path": "/a.py", "sha256": "1", "options": ""}
    entrant = Entrant.from_json({**search, "kind": "python", "settings": settings})
    assert (entrant.files, entrant.settings) == ({"path": "1"}, {"path": "/a.py", "options": ""})
