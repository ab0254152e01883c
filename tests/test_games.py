"""Finding games: names, parameters, files and installed plug-ins."""

import importlib
import inspect
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tesuji import GameError, Size, games
from tesuji.games import describe, load, names

OWN = """
'''My own game.

With more to say.
'''
from dataclasses import replace
from tesuji import Size
from tesuji.games import tictactoe
from neighbour import NAME

def game(size: Size = Size(3, 3), first: str = "X", points: int = 3, bonus: float = 0.5,
         swap: bool = False, untyped="a"):
    if size != (3, 3):
        raise ValueError(f"size must be 3, not {size}")
    names = (f"{first} {points!r} {bonus!r} {swap!r} {untyped!r}", NAME)
    return replace(tictactoe.game(), name="own", player_names=names)
"""


@pytest.fixture
def own(tmp_path):
    (tmp_path / "neighbour.py").write_text("NAME = 'neighbour'")
    path = tmp_path / "own.py"
    path.write_text(OWN)
    yield str(path)
    sys.modules.pop("neighbour", None)


PLAYERS = {"morpion": 1, "production": 1, "samegame": 1, "trio": 3}


@pytest.mark.parametrize("name", games.BUILT_IN)
def test_built_in_games_load(name):
    game = load(name)
    assert game.spec == game.name == name
    assert game.players == PLAYERS.get(name, 2)
    described = describe(name)
    assert described["name"] == name
    assert len(described["about"]) > 20
    options = ",".join(f"{key}={value}" for key, value in described["parameters"].items())
    assert load(f"{name}:{options}").max_moves == game.max_moves
    assert load(f"{name}:{options}").state == game.state


def test_games_are_the_files_with_a_factory():
    """In the order of their names, and none of the files that games share."""
    assert list(games.BUILT_IN) == sorted(games.BUILT_IN)
    assert {"amazons", "go", "trio"} < set(games.BUILT_IN)
    for path in Path(games.__file__).parent.iterdir():
        if path.suffix == ".py" or path.is_dir():
            module = importlib.import_module(f"tesuji.games.{path.stem}".removesuffix(".__init__"))
            found = inspect.isfunction(getattr(module, "game", None))
            assert found == (path.stem in games.BUILT_IN), path


def test_games_are_described():
    found = describe("go")
    assert found["players"] == 2
    assert found["parameters"] == {
        "size": "9",
        "komi": "7.5",
        "suicide": "false",
        "superko": "positional",
    }
    assert found["about"].startswith("Go: ")
    assert describe("tictactoe")["parameters"] == {}


@pytest.mark.parametrize(
    ("spec", "shown", "moves"),
    [
        ("connect4:size=4x4", "connect4:size=4", 4),
        ("connect4:size=4", "connect4:size=4", 4),
        ("connect4:size=5X4", "connect4:size=5x4", 5),
        ("connect4:", "connect4", 7),
        ("hex:size=5,swap=yes", "hex:size=5,swap=true", 25),
        ("hex:swap=0,size=5", "hex:swap=false,size=5", 25),
        ("go:size=5,komi=-0.5", "go:size=5,komi=-0.5", 26),
        ("go:komi=6,size=5,suicide=TRUE", "go:komi=6.0,size=5,suicide=true", 26),
    ],
)
def test_parameters_are_read(spec, shown, moves):
    game = load(spec)
    assert game.spec == shown
    assert repr(game) == f"<Game {shown}>"
    assert load(game.spec).spec == shown
    assert game.max_moves >= moves


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "conect4",
            "unknown game 'conect4'; did you mean 'connect4'\\? Valid: amazons, .*, or a path",
        ),
        ("", "unknown game ''; valid: amazons"),
        ("Go", "unknown game 'Go'"),
        (
            "go:sise=9",
            "'go' has no parameter 'sise'; did you mean 'size'\\? Valid: komi, size, sui",
        ),
        ("go:=9", "'go' has no parameter ''"),
        ("go:size", "write size=VALUE instead of 'size'"),
        ("go:size=", "size=: expected a size such as 9, or columns x rows such as 9x7"),
        ("go:size=9x", "size=9x: expected a size"),
        ("go:size=9x9x9", "size=9x9x9: expected a size"),
        ("go:size=-9", "size=-9: expected a size"),
        ("go:size=²", "size=²: expected a size"),
        ("go:size=26", "game 'go:size=26': size must be 1 to 25 columns and rows, not 26x26"),
        ("go:komi=half", "komi=half: expected a number"),
        ("go:komi=inf", "komi must be a finite number, not inf"),
        ("go:suicide=perhaps", "suicide=perhaps: expected true or false"),
        ("hex:size=5x5", "size=5x5: expected an integer"),
        ("hex:size=99", "game 'hex:size=99': size must be 1 to 26, not 99"),
        ("tictactoe:size=3", "'tictactoe' has no parameter 'size'; valid: \\(none\\)"),
    ],
)
def test_wrong_names_and_parameters_are_refused(spec, message):
    with pytest.raises(GameError, match=message):
        load(spec)


def test_a_file_is_a_game(own):
    game = load(own)
    assert game.spec == own
    assert game.player_names == ("X 3 0.5 False 'a'", "neighbour")
    game = load(f"{own}:first=A,points=7,bonus=2,swap=true,untyped=b,size=3")
    assert game.player_names[0] == "A 7 2.0 True 'b'"
    assert game.spec == f"{own}:first=A,points=7,bonus=2.0,swap=true,untyped=b,size=3"
    with pytest.raises(GameError, match="size must be 3, not 4x3"):
        load(f"{own}:size=4x3")


def test_a_file_leaves_the_path_as_it_was(own):
    before = list(sys.path)
    load(own)
    assert sys.path == before


def test_an_edited_file_is_read_again(own):
    assert load(own).name == "own"
    Path(own).write_text(OWN.replace('name="own"', 'name="another name"'))
    assert load(own).name == "another name"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "is no game: it does not define a function game"),
        ("game = 3", "is no game: it does not define a function game"),
        ("def game(:", r"cannot be loaded: SyntaxError: invalid syntax \(wrong.py, line 1\)"),
        ("import nowhere", "cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"),
        ("def game(): return 42", "returned 42, it must return a tesuji.Game"),
        ("def game(): return None", "returned None, it must return a tesuji.Game"),
        ("def game(size): return size", "missing 1 required positional argument: 'size'"),
        ("def game(): raise ValueError('no luck')", "wrong.py': no luck"),
        ("from tesuji import Game\ndef game(): return Game(name='x')", "missing 1[0-9] required"),
    ],
)
def test_wrong_files_are_refused(source, message, tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(source)
    with pytest.raises(GameError, match=message):
        load(str(path))


@pytest.mark.parametrize("path", ["nowhere.py", "./nowhere", "no/where.py"])
def test_missing_files_are_refused(path):
    with pytest.raises(GameError, match=f"there is no game file '{path}'"):
        load(path)


def test_installed_games_are_found(own, monkeypatch):
    """A package that registers ``mine = module:game`` under the group ``tesuji.games``."""
    folder = Path(own).parent
    info = folder / "mine-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tesuji.games]\nmine = own:game\n")
    monkeypatch.syspath_prepend(folder)
    assert "mine" in names()
    assert load("mine:points=9").spec == "mine:points=9"
    assert describe("mine") == {
        "name": "mine",
        "players": 2,
        "parameters": {
            "size": "3",
            "first": "X",
            "points": "3",
            "bonus": "0.5",
            "swap": "false",
            "untyped": "a",
        },
        "about": "My own game.",
    }
    sys.modules.pop("own", None)


def test_built_in_names_come_first(own, monkeypatch):
    monkeypatch.setattr(games, "entry_points", lambda **_: [EntryPoint("go", "own:game", "x")])
    assert load("go").name == "go"


def test_sizes_are_written_short():
    assert str(Size(9, 9)) == "9"
    assert str(Size(9, 7)) == "9x7"
