"""Finding games: ``load("go:size=13,komi=6.5")`` or ``load("path/to/my_game.py")``.

A game is a module with a function ``game`` whose parameters are the game's options.  Built-in games
are the modules of this package that have one: one more file is one more game, and nothing else
lists them.  Others register under the entry-point group ``tesuji.games`` or are named by the path
of their file.
"""

import importlib
import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from tesuji.errors import GameError, choices
from tesuji.factory import defaults, from_file, read_options
from tesuji.game import Game

FOLDER = Path(__file__).parent
FACTORY = re.compile(r"^def game\(", re.MULTILINE)

Factory = Callable[..., Game]


def _found() -> tuple[str, ...]:
    """The modules of this folder that define a function ``game``; nothing is imported for that."""
    files = [*FOLDER.glob("*.py"), *FOLDER.glob("*/__init__.py")]
    games = [file for file in files if FACTORY.search(file.read_text(encoding="utf-8"))]
    return tuple(sorted(f.stem if f.parent == FOLDER else f.parent.name for f in games))


BUILT_IN = _found()


def names() -> list[str]:
    """All games that can be loaded by name."""
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group="tesuji.games"))})


def load(spec: str) -> Game:
    """The game that a user named, with its parameters applied.

    >>> load("tictactoe")
    <Game tictactoe>
    """
    name, _, options = _split(spec)
    factory = from_file(name, "game", GameError) if _is_path(name) else _by_name(name)
    parameters = read_options(options, factory, f"game {name!r}", GameError)
    try:
        made = factory(**parameters)
    except (ValueError, TypeError, GameError) as error:
        raise GameError(f"game {spec!r}: {error}") from error
    except Exception as error:
        raise GameError(f"game {spec!r}: game() raised {type(error).__name__}: {error}") from error
    if not isinstance(made, Game):
        raise GameError(f"{name}: game() returned {made!r}, it must return a tesuji.Game")
    shown = [f"{key}={_text(value)}" for key, value in parameters.items()]
    return replace(
        made,
        spec=":".join([name, ",".join(shown)] if shown else [name]),
        parameters={**defaults(factory), **parameters},
    )


def describe(name: str) -> dict[str, Any]:
    """What a list of games shows: players, parameters with their defaults, the first doc line."""
    factory = _by_name(name)
    module = inspect.getmodule(factory)
    about = (inspect.getdoc(module) or "").splitlines() or [""]
    return {
        "name": name,
        "players": factory().players,
        "parameters": {key: _text(value) for key, value in defaults(factory).items()},
        "about": about[0],
    }


def _split(spec: str) -> tuple[str, str, str]:
    """Name and options; a colon before a path separator (``C:\\``) belongs to the path."""
    cut = spec.find(":", 2)
    return (spec, "", "") if cut < 0 else (spec[:cut], ":", spec[cut + 1 :])


def is_file(spec: str) -> bool:
    """Does a user's way to name a game lead to a Python file, which runs when it is loaded?"""
    return _is_path(_split(spec)[0])


def _is_path(name: str) -> bool:
    return name.endswith(".py") or "/" in name or "\\" in name


def _by_name(name: str) -> Factory:
    if name in BUILT_IN:
        factory: Factory = importlib.import_module(f"{__name__}.{name}").game
        return factory
    for point in entry_points(group="tesuji.games", name=name):
        loaded: Factory = point.load()
        return loaded
    raise GameError(f"unknown game {name!r}; {choices(name, names())}, or a path to a Python file")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
