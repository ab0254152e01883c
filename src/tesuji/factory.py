"""Factories: functions of a module or of a user's file whose parameters are options.

A game is what ``game(size=9)`` returns, a player what ``player(game, depth=2)`` returns; users
write ``go:size=13`` and ``greedy.py@depth=3``.  Here such a function is found and its options are
read.  What is wrong is raised as the error class of the caller.
"""

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_type_hints

from tesuji.errors import TesujiError, choices
from tesuji.game import Size

Factory = Callable[..., Any]
ErrorClass = type[TesujiError]


def from_file(path: str, name: str, error: ErrorClass) -> Factory:
    """The function ``name`` of a Python file."""
    file = Path(path)
    if not file.is_file():
        raise error(f"there is no {name} file {path!r}")
    module = f"tesuji_{name}_{file.stem}"
    spec = importlib.util.spec_from_file_location(module, file)
    if spec is None or spec.loader is None:
        raise error(f"{path} is not a Python file")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[module] = loaded
    try:
        with neighbours(path):
            spec.loader.exec_module(loaded)
    except (Exception, SystemExit) as what:
        raise error(f"{path} cannot be loaded: {type(what).__name__}: {what}") from what
    factory = getattr(loaded, name, None)
    if not inspect.isfunction(factory):
        raise error(f"{path} is no {name}: it does not define a function {name}()")
    return factory


@contextmanager
def neighbours(path: str) -> Iterator[None]:
    """Let a file import what lies beside it, and keep that apart from other files' neighbours.

    Two versions of a player in two folders may both ``import search`` and mean different files.
    """
    folder = Path(path).resolve().parent
    sys.path.insert(0, str(folder))
    known = set(sys.modules)
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - known:
            source = getattr(sys.modules[name], "__file__", None)
            if source is not None and Path(source).is_relative_to(folder):
                del sys.modules[name]


def digest(path: str) -> str:
    """A hash of a file's content."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def defaults(factory: Factory) -> dict[str, Any]:
    """The options of a factory, with the values that they have when nothing is said."""
    parameters = inspect.signature(factory).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def read_options(options: str, factory: Factory, what: str, error: ErrorClass) -> dict[str, Any]:
    """Read ``size=13,komi=6.5`` by the types that the factory's parameters are marked with."""
    known = defaults(factory)
    kinds = get_type_hints(factory)
    found: dict[str, Any] = {}
    for option in filter(None, options.split(",")):
        key, equals, text = option.partition("=")
        if key not in known:
            raise error(f"{what} has no parameter {key!r}; {choices(key, known)}")
        if not equals:
            raise error(f"{what}: write {key}=VALUE instead of {option!r}")
        try:
            found[key] = _value(text, kinds.get(key, str))
        except ValueError as expected:
            raise error(f"{what}: {key}={text}: expected {expected}") from None
    return found


def _value(text: str, kind: Any) -> Any:
    """Read one option; `ValueError` says what was expected."""
    if kind is bool:
        if text.lower() in ("true", "yes", "1", "false", "no", "0"):
            return text.lower() in ("true", "yes", "1")
        raise ValueError("true or false")
    if kind is Size:
        numbers = text.lower().split("x")
        if 1 <= len(numbers) <= 2 and all(n.isascii() and n.isdigit() for n in numbers):
            return Size(int(numbers[0]), int(numbers[-1]))
        raise ValueError("a size such as 9, or columns x rows such as 9x7")
    try:
        return kind(text)
    except ValueError:
        raise ValueError("a number" if kind is float else "an integer") from None
