"""Finding games: ``load("go:size=13,komi=6.5")`` or ``load("path/to/my_game.py")``.

A game is a module with a function ``game`` whose parameters are the game's options.  Built-in games
are the modules of this package; others register under the entry-point group ``tesuji.games`` or are
named by the path of their file.
"""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, get_type_hints

from tesuji.errors import GameError, choices
from tesuji.game import Game, Size

BUILT_IN = (
    "amazons",
    "atarigo",
    "ataxx",
    "breakthrough",
    "connect4",
    "go",
    "havannah",
    "hex",
    "nogo",
    "pentalath",
    "tictactoe",
)

Factory = Callable[..., Game]


def names() -> list[str]:
    """All games that can be loaded by name."""
    return sorted({*BUILT_IN, *(point.name for point in entry_points(group="tesuji.games"))})


def load(spec: str) -> Game:
    """The game that a user named, with its parameters applied.

    >>> load("tictactoe")
    <Game tictactoe>
    """
    name, _, options = _split(spec)
    factory = _from_file(name) if _is_path(name) else _by_name(name)
    parameters = _parse(options, factory, name)
    try:
        made = factory(**parameters)
    except (ValueError, TypeError, GameError) as error:
        raise GameError(f"game {spec!r}: {error}") from error
    except Exception as error:
        raise GameError(f"game {spec!r}: game() raised {type(error).__name__}: {error}") from error
    if not isinstance(made, Game):
        raise GameError(f"{name}: game() returned {made!r}, it must return a tesuji.Game")
    shown = [f"{key}={_text(value)}" for key, value in parameters.items()]
    return replace(made, spec=":".join([name, ",".join(shown)] if shown else [name]))


def describe(name: str) -> dict[str, Any]:
    """What a list of games shows: players, parameters with their defaults, the first doc line."""
    factory = _by_name(name)
    options = inspect.signature(factory).parameters
    module = inspect.getmodule(factory)
    about = (inspect.getdoc(module) or "").splitlines() or [""]
    return {
        "name": name,
        "players": factory().players,
        "parameters": {key: _text(option.default) for key, option in options.items()},
        "about": about[0],
    }


def _split(spec: str) -> tuple[str, str, str]:
    """Name and options; a colon before a path separator (``C:\\``) belongs to the path."""
    cut = spec.find(":", 2)
    return (spec, "", "") if cut < 0 else (spec[:cut], ":", spec[cut + 1 :])


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


def _from_file(name: str) -> Factory:
    path = Path(name)
    if not path.is_file():
        raise GameError(f"there is no game file {name!r}")
    module = f"tesuji_game_{path.stem}"
    spec = importlib.util.spec_from_file_location(module, path)
    if spec is None or spec.loader is None:
        raise GameError(f"{name} is not a Python file")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[module] = loaded
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)  # a game file may import its neighbours
    try:
        spec.loader.exec_module(loaded)
    except (Exception, SystemExit) as error:
        raise GameError(f"{name} cannot be loaded: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)
    factory = getattr(loaded, "game", None)
    if not inspect.isfunction(factory):
        raise GameError(f"{name} is no game: it does not define a function game()")
    return factory


def _parse(options: str, factory: Factory, name: str) -> dict[str, Any]:
    known = inspect.signature(factory).parameters
    kinds = get_type_hints(factory)
    found: dict[str, Any] = {}
    for option in filter(None, options.split(",")):
        key, equals, text = option.partition("=")
        if key not in known:
            raise GameError(f"game {name!r} has no parameter {key!r}; {choices(key, known)}")
        if not equals:
            raise GameError(f"game {name!r}: write {key}=VALUE instead of {option!r}")
        found[key] = _value(text, kinds.get(key, str), f"game {name!r}: {key}={text}")
    return found


def _value(text: str, kind: Any, what: str) -> Any:
    if kind is bool:
        if text.lower() in ("true", "yes", "1", "false", "no", "0"):
            return text.lower() in ("true", "yes", "1")
        raise GameError(f"{what}: expected true or false")
    if kind is Size:
        numbers = text.lower().split("x")
        if 1 <= len(numbers) <= 2 and all(n.isascii() and n.isdigit() for n in numbers):
            return Size(int(numbers[0]), int(numbers[-1]))
        raise GameError(f"{what}: expected a size such as 9, or columns x rows such as 9x7")
    try:
        return kind(text)
    except ValueError:
        raise GameError(
            f"{what}: expected {'a number' if kind is float else 'an integer'}"
        ) from None


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
