"""The settings of a search: checked when they are made, read from TOML or from ``key=value``.

c = 0.7               # a file for `tesuji search --config`
memory_mb = 200
"""

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from tesuji.errors import ConfigError, choices
from tesuji.search.decide import FINALS
from tesuji.search.rules import RULES


@dataclass(frozen=True)
class SearchConfig:
    """How to search.  Values and constants are on the scale of rewards, [0, 1].

    The papers often use values in [-1, 1]; a constant quoted there is twice ours.
    """

    select: str = "uct"  #: name of the selection rule
    #: exploration constant of UCT, v + c * sqrt(ln(n_parent) / n); MANGO's 0.7 on our scale
    c: float = 0.35
    epsilon: float = 0.1  #: share of random choices of the rule `greedy`
    expand_visits: int = 1  #: visits that a leaf needs before it gets children
    playout: str = "uniform"  #: name of the playout policy
    playout_cap: int = 0  #: cut playouts off after so many moves; 0: at the game's own maximum
    memory_mb: float = 500.0  #: bound of the tree in megabytes (millions of bytes)
    final: str = "robust"  #: the move to play: robust, max, robust-max or secure
    secure: float = 2.0  #: `a` of the secure child, v - a / sqrt(n); 4 for values in [-1, 1]
    reuse: bool = True  #: keep the part of the tree below the moves played since the last search

    def __post_init__(self) -> None:
        for key, kind in _kinds().items():
            value = getattr(self, key)
            fits = int | float if kind is float else kind
            if not isinstance(value, fits) or (isinstance(value, bool) and kind is not bool):
                raise ConfigError(f"{key} is {value!r}, it must be {_KINDS[kind].what}")
        self._check("c", 0 <= self.c < math.inf, "0 or more")
        self._check("epsilon", 0 <= self.epsilon <= 1, "0 to 1")
        if self.select not in RULES:
            raise ConfigError(f"select is {self.select!r}; {choices(self.select, RULES)}")
        if self.final not in FINALS:
            raise ConfigError(f"final is {self.final!r}; {choices(self.final, FINALS)}")
        self._check("secure", 0 <= self.secure < math.inf, "0 or more")
        self._check("expand_visits", 1 <= self.expand_visits < 2**31, "1 or more")
        self._check("playout_cap", 0 <= self.playout_cap < 2**31, "0 or more")
        self._check("memory_mb", 0.01 <= self.memory_mb <= 1e5, "0.01 to 100,000")

    def _check(self, key: str, valid: bool, what: str) -> None:
        if not valid:
            raise ConfigError(f"{key} is {getattr(self, key)}, it must be {what}")

    @classmethod
    def from_toml(cls, path: str | Path) -> "SearchConfig":
        """Read a file of ``key = value`` lines."""
        return cls().changed(read_toml(path, "config"))

    def changed(self, settings: Mapping[str, Any]) -> "SearchConfig":
        """A copy with some settings replaced; unknown keys and wrong types are refused."""
        kinds = _kinds()
        for key in settings:
            if key not in kinds:
                raise ConfigError(f"unknown setting {key!r}; {choices(key, kinds)}")
        return replace(self, **settings)

    def parsed(self, settings: Iterable[str]) -> "SearchConfig":
        """A copy with settings given as texts, ``["c=0.7", "memory_mb=50"]``."""
        table: dict[str, Any] = {}
        kinds = _kinds()
        for setting in settings:
            key, equals, text = (part.strip() for part in setting.partition("="))
            if not equals:
                raise ConfigError(f"{setting!r} is not a setting: write key=value")
            kind = _KINDS[kinds.get(key, str)]
            try:
                table[key] = kind.parse(text)
            except ValueError:
                raise ConfigError(f"{key} is {text!r}, it must be {kind.what}") from None
        return self.changed(table)


def read_toml(path: str | Path, what: str) -> dict[str, Any]:
    """Read a TOML file; ``what`` it is stands in the message when that fails."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the {what} {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"the {what} {path} is not valid TOML: {error}") from None


def _kinds() -> dict[str, type]:
    return {field.name: type(field.default) for field in fields(SearchConfig)}


def _truth(text: str) -> bool:
    """Read a yes or no."""
    try:
        return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
    except KeyError:
        raise ValueError(text) from None


class _Kind(NamedTuple):
    """A type of settings: how to read one, and what to say when that fails."""

    parse: Callable[[str], Any]
    what: str


_KINDS = {
    float: _Kind(float, "a number"),
    int: _Kind(int, "an integer"),
    str: _Kind(str, "a name"),
    bool: _Kind(_truth, "true or false"),
}
