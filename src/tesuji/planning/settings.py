"""Settings of planning methods: checked when they are made, or read as ``key=value``."""

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any, TypeVar

from tesuji.errors import ConfigError, choices
from tesuji.search.config import read_settings
from tesuji.search.part import LARGE

Config = TypeVar("Config", bound=Any)


def check_whole(name: str, value: Any, least: int, most: int) -> None:
    """Refuse what is not an integer in a range."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ConfigError(f"{name} is {value!r}, it must be an integer from {least} to {most:,}")


def check_positive(name: str, value: Any) -> None:
    """Refuse what is not a number above 0."""
    if not isinstance(value, int | float) or not 0 < value <= LARGE:
        raise ConfigError(f"{name} is {value!r}, it must be a number above 0, at most {LARGE:g}")


def changed(config: Config, settings: Iterable[str], allowed: Iterable[str]) -> Config:
    """A copy with settings given as texts; only those in ``allowed`` may change."""
    kinds = {field.name: type(field.default) for field in fields(config) if field.name in allowed}
    table = read_settings(settings, kinds)
    for key in table:
        if key not in kinds:
            raise ConfigError(f"unknown setting {key!r}; {choices(key, kinds)}")
    return replace(config, **table)
