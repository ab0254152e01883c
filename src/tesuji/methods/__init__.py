"""Methods: whole sets of settings of the search, by name.

A method is a TOML file of this folder.  Its text is its documentation: every setting has a comment
that says what it means and where its constant comes from.

    about = "UCT that explores less where rewards vary little"  # one line
    paper = "Auer, Cesa-Bianchi and Fischer 2002"
    doc = "docs/methods/selection.md"  # may be missing
    game = "breakthrough"  # only if the settings name something that one game has

    [settings]  # keys of `SearchConfig`; the others keep their defaults
    select = "ucb1-tuned"
    c = 1.0  # the paper has no constant

    [games.amazons]  # settings that are different for one game; may be missing
    c = 0.5

One more file is one more method: nothing else lists them.  Files of users may have this form, too,
or be lines ``key = value`` alone; `change` reads both.
"""

from pathlib import Path
from typing import Any

from tesuji.errors import ConfigError, choices
from tesuji.search.config import SearchConfig, read_toml

FOLDER = Path(__file__).parent
KEYS = {"about": str, "paper": str, "doc": str, "game": str, "settings": dict, "games": dict}
NEEDED = ("about", "paper", "settings")
SHOWN = ("about", "paper", "game", "settings", "games")


def names() -> list[str]:
    """All methods that can be loaded by name."""
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def load(name: str, game: str = "") -> SearchConfig:
    """The settings of a method, or those of a file if the name ends in ``.toml``.

    For a ``game``, with or without its parameters, they may be other ones.

    >>> load("uct-tuned").select
    'ucb1-tuned'
    >>> load("hmcts", "amazons").c, load("hmcts", "nogo:size=5").c
    (0.05, 0.35)
    """
    return change(SearchConfig(), name if name.endswith(".toml") else _file(name), game)


def describe(name: str) -> dict[str, Any]:
    """What a list of methods shows: name, about, paper, and the settings that the file has.

    And the game, if the method is for one only; settings that differ between games.
    """
    table = read_toml(_file(name), "method")
    return {"name": name, **{key: table[key] for key in SHOWN if key in table}}


def text(name: str) -> str:
    """A method's file with all its comments."""
    return _file(name).read_text(encoding="utf-8")


def change(config: SearchConfig, path: str | Path, game: str = "") -> SearchConfig:
    """A copy with the settings of a file replaced; what is wrong with the file is refused."""
    table = read_toml(path, "config")
    try:
        return config.changed(_settings(table, game.partition(":")[0]))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def _file(name: str) -> Path:
    if name not in names():
        raise ConfigError(f"unknown method {name!r}; {choices(name, names())}")
    return FOLDER / f"{name}.toml"


def _settings(table: dict[str, Any], game: str) -> dict[str, Any]:
    """The settings in a file of either form; one with any key of a method must be a method."""
    if not table.keys() & KEYS.keys():
        return table
    for key, value in table.items():
        if key not in KEYS:
            raise ConfigError(f"unknown key {key!r} above [settings]; {choices(key, KEYS)}")
        if not isinstance(value, KEYS[key]):
            what = "a table" if KEYS[key] is dict else "a text"
            raise ConfigError(f"{key} is {value!r}, it must be {what}")
    for key in NEEDED:
        if key not in table:
            raise ConfigError(f"a method needs the key {key!r}")
    for name, own in table.get("games", {}).items():
        if not isinstance(own, dict):
            raise ConfigError(f"games.{name} is {own!r}, it must be a table of settings")
    return {**table["settings"], **table.get("games", {}).get(game, {})}
