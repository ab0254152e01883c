"""Settings that can be changed while the engine runs, by name, in the form of GoGui's dialogs.

They are those of the search (`SearchConfig`), of thinking (`Options`), the limit of a move, and in
Go the rules.
"""

from dataclasses import fields, replace
from typing import Any

from tesuji.engines.engine import Engine, Setup
from tesuji.errors import ConfigError, choices
from tesuji.games.go import SUPERKOS
from tesuji.games.go.facets import is_go
from tesuji.play.player import Options
from tesuji.search.config import NAMES, SearchConfig, read_settings
from tesuji.search.limit import Limit

LIMITS = {"simulations": int, "seconds": float}  # 0 means none
RULES = {"suicide": bool, "superko": str}  # of Go; komi has a command of its own
EMPTY = '""'  # GoGui needs a word for a value
TRUTHS = {"1": "true", "0": "false"}  # as GoGui writes them


class Parameters:
    """The settings of an engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def listing(self) -> list[str]:
        """A line for each setting: its type, its name and its value."""
        setup = self._engine.setup
        found: dict[str, Any] = {name: getattr(setup.limit, name, None) or 0 for name in LIMITS}
        for part in (setup.options, setup.config):
            found |= {field.name: getattr(part, field.name) for field in fields(part)}
        found |= {name: setup.game.parameters[name] for name in self._rules}
        return [f"[{_type(name, value)}] {name} {_text(value)}" for name, value in found.items()]

    def change(self, name: str, text: str) -> None:
        """Change one setting; what the search needs for it is compiled before this returns."""
        kinds = {**LIMITS, **_kinds(Options), **_kinds(SearchConfig), **self._rules}
        if name not in kinds:
            raise ConfigError(f"unknown setting {name!r}; {choices(name, kinds)}")
        word = TRUTHS.get(text, text) if kinds[name] is bool else text
        value = read_settings([f"{name}={'' if word == EMPTY else word}"], kinds)[name]
        if name in self._rules:
            self._engine.change_rules(**{name: value})
        else:
            self._engine.change(_changed(self._engine.setup, name, value))

    @property
    def _rules(self) -> dict[str, type]:
        """The rules that can be changed."""
        return RULES if is_go(self._engine.game) else {}


def _changed(setup: Setup, name: str, value: Any) -> Setup:
    if name in LIMITS:
        return replace(setup, limit=_limit(setup.limit, name, value))
    if name in _kinds(Options):
        return replace(setup, options=replace(setup.options, **{name: value}))
    return replace(setup, config=setup.config.changed({name: value}))


def _limit(limit: Limit | None, name: str, value: Any) -> Limit | None:
    """The limit with one part changed; None if no part is left."""
    parts = {key: getattr(limit, key, None) for key in LIMITS} | {name: value or None}
    return Limit(**parts) if any(part is not None for part in parts.values()) else None


def _kinds(part: type[Any]) -> dict[str, type]:
    return {field.name: type(field.default) for field in fields(part)}


def _type(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    items = list(SUPERKOS if name == "superko" else NAMES.get(name, ()))
    return "/".join(["list", *items]) if items and all(items) else "string"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:g}" if isinstance(value, float) else str(value) or EMPTY
