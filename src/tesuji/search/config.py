"""The settings of a search: checked when they are made, also together, or read as ``key=value``.

Start with `SearchConfig`, which has a field for every setting that a part declares
(`tesuji.search.part`).  `tesuji.methods` reads whole sets of settings from TOML files.  Editors and
type checkers read the stub beside this file, ``config.pyi``, which is generated.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import make_dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from tesuji.errors import ConfigError, choices
from tesuji.search.catalogue import PARTS
from tesuji.search.part import ALL_CHILDREN, IMPLIED, KNOWLEDGE, MANY, Part, Setting

__all__ = [
    "NAMES",
    "RENAMED",
    "SETTINGS",
    "SearchConfig",
    "Settings",
    "allowed",
    "read_settings",
    "read_toml",
]

SETTINGS: dict[str, Setting] = {s.name: s for part in PARTS for s in part.settings}
#: settings by the names that they had before
RENAMED: dict[str, str] = {s.was: s.name for s in SETTINGS.values() if s.was}
#: settings that are one of a few names
NAMES: dict[str, Iterable[str]] = {s.name: s.names for s in SETTINGS.values() if s.names}
Settings = dict[str, Any]  #: what may be given by keyword; a TypedDict for type checkers


class _Checked:
    """What `SearchConfig` does, apart from having settings."""

    def __post_init__(self) -> None:
        for setting in SETTINGS.values():
            _check(setting, getattr(self, setting.name))
        self._check_combinations()

    def _check_combinations(self) -> None:
        """Refuse settings that have no meaning together."""
        for part in PARTS:
            if part.excludes and part.on(self):
                self._check_excluded(part)
        for part in PARTS:
            for need in part.settings_needed(self):
                if need.wants(self) and getattr(self, need.setting) in ("off", "", False):
                    raise ConfigError(
                        f"{need.what} needs {need.setting}: set it, or leave {need.what} out"
                    )
        for part in PARTS:
            part.refuse(self)

    def _check_excluded(self, part: Part) -> None:
        for key in part.excludes:
            if getattr(self, key) != SETTINGS[key].default:
                raise ConfigError(f"{key} has no meaning with {part.name}: leave it out")

    @property
    def needs(self) -> frozenset[str]:
        """What the parts in use ask of the search."""
        asked = frozenset().union(*(part.needs(self) for part in PARTS))
        return asked.union(*(IMPLIED[need] for need in asked if need in IMPLIED))

    @property
    def sharing(self) -> bool:
        """Do several threads work in one tree?"""
        return self.threads > 1 and self.parallel != "root"

    @property
    def batched(self) -> bool:
        """Do threads run several simulations from one node at once?

        Locks are there to be compared as they were published, and other backups than averages need
        every result at once.
        """
        alike = self.sharing and not self.led
        return alike and self.batch > 1 and self.lock == "free" and self.backup == "average"

    @property
    def led(self) -> bool:
        """Does one of them lead, and do the others help?"""
        return self.sharing and (self.parallel == "leaf" or self.halving != "off")

    @property
    def uses_knowledge(self) -> bool:
        """Does anything of the tree ask for the game's knowledge?"""
        return KNOWLEDGE in self.needs

    @property
    def all_children(self) -> bool:
        """Must all moves have records before they are tried?"""
        return ALL_CHILDREN in self.needs

    @property
    def ranking(self) -> str:
        """What ranks the root's children.

        ``visits``, ``value``, ``both`` of them, a lower ``bound``, the ``rounds`` of halving, or
        ``proofs`` before any of these.
        """
        for part in PARTS:
            if part.ranking and part.on(self):
                return part.ranking
        finals = {"max": "value", "secure": "bound", "robust-max": "both"}
        return finals.get(self.final, "visits")

    @property
    def plays_out(self) -> bool:
        """Does every simulation of a search end with a playout to the end of the game?"""
        return not any(part.cuts_short(self) for part in PARTS)

    def changed(self, settings: Mapping[str, Any]) -> "SearchConfig":
        """A copy with some settings replaced; unknown keys and wrong types are refused."""
        kinds = _kinds()
        settings = {RENAMED.get(key, key): value for key, value in settings.items()}
        for key in settings:
            if key not in kinds:
                raise ConfigError(f"unknown setting {key!r}; {choices(key, kinds)}")
        return replace(self, **settings)

    def parsed(self, settings: Iterable[str]) -> "SearchConfig":
        """A copy with settings given as texts, ``["c=0.7", "memory_mb=50"]``."""
        kinds = _kinds()
        return self.changed(
            read_settings(settings, kinds | {was: kinds[RENAMED[was]] for was in RENAMED})
        )


SearchConfig: Any = make_dataclass(
    "SearchConfig",
    [(setting.name, type(setting.default), setting.default) for setting in SETTINGS.values()],
    bases=(_Checked,),
    frozen=True,
)
SearchConfig.__module__ = __name__  # where pickle finds it
SearchConfig.__doc__ = """How to search.  Values and constants are on the scale of rewards, [0, 1].

The papers often use values in [-1, 1]; a constant quoted there is twice ours.
"""


def allowed(setting: Setting) -> str:
    """What a setting may be, in words."""
    kind = type(setting.default)
    if setting.names:
        names = ", ".join(name or "none" for name in setting.names)
        return f"{names}, or a file" if setting.own else names
    if setting.span:
        return f"{_KINDS[kind].what}, {_span(*setting.span)}"
    return _KINDS[kind].what


def _check(setting: Setting, value: Any) -> None:
    """Refuse a value that a setting cannot have."""
    kind = type(setting.default)
    fits = int | float if kind is float else kind
    if not isinstance(value, fits) or (isinstance(value, bool) and kind is not bool):
        raise ConfigError(f"{setting.name} is {value!r}, it must be {_KINDS[kind].what}")
    if setting.names and value not in setting.names:
        if not (setting.own and value.endswith(".py")):
            raise ConfigError(f"{setting.name} is {value!r}; {choices(value, setting.names)}")
    if setting.span and not setting.span[0] <= value <= setting.span[1]:
        raise ConfigError(f"{setting.name} is {value}, it must be {_span(*setting.span)}")


def read_settings(settings: Iterable[str], kinds: Mapping[str, type]) -> dict[str, Any]:
    """Values of settings given as texts; one of no known kind stays a text."""
    table: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise ConfigError(f"{setting!r} is not a setting: write key=value")
        kind = _KINDS[kinds.get(key, str)]
        try:
            table[key] = kind.parse(text)
        except ValueError:
            raise ConfigError(f"{key} is {text!r}, it must be {kind.what}") from None
    return table


def read_toml(path: str | Path, what: str) -> dict[str, Any]:
    """Read a TOML file; ``what`` it is stands in the message when that fails."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the {what} {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"the {what} {path} is not valid TOML: {error}") from None
    except RecursionError:
        raise ConfigError(f"the {what} {path} is nested too deeply") from None


def _kinds() -> dict[str, type]:
    return {setting.name: type(setting.default) for setting in SETTINGS.values()}


def _span(least: float, most: float) -> str:
    """A range in words."""
    return f"{least:g} or more" if most >= MANY else f"{least:g} to {most:,g}"


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
