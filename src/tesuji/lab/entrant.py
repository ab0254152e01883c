"""How users name a player, and its full description.

==========  ====================================================================================
search      a method or a file of settings: ``uct``, ``uct@c=0.7,sims=1000``, ``moss@sims=500``,
            ``my.toml``, ``my.toml@sims=500``; the bare search, with exactly its limit
player      ``player:`` before any of these: the whole player, as over GTP, with its `Options`:
            ``player:tesuji``, ``player:uct@c=0.7,resign=0.1``
random      any legal move: ``random``
python      a file that defines ``player(game)``, see `Player`: ``greedy.py@depth=2``
gtp         a Go program: ``gtp:gnugo --mode gtp --level 1``
==========  ====================================================================================

Any of them can be given a name, ``weak=uct@sims=100``.
"""

import re
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from tesuji import methods, play
from tesuji.errors import ConfigError, choices
from tesuji.factory import digest, from_file, neighbours, read_options
from tesuji.game import Game
from tesuji.lab.gtp_player import GtpPlayer
from tesuji.lab.player import Player, RandomPlayer, SearchPlayer, WholePlayer
from tesuji.search.config import RENAMED, SearchConfig, read_settings

BUDGET_KEYS = ("sims", "seconds", "game_seconds")
PLAYER = "player:"
#: what a whole player can be told besides its settings, by type
#: defaults that were others when stores held all settings of a player; only sp-uct reads this one
OLD_DEFAULTS = {"deviation": 0.0004}
OPTIONS = {item.name: type(item.default) for item in fields(play.Options)}
NAME = re.compile(r"[\w.+-]+")  # what may stand before "=" in front of a player
_NAMED = re.compile(rf"({NAME.pattern})=(.+)", re.DOTALL)
SEARCHES = ("search", "player")  #: kinds of players whose settings are those of a search
#: in old stores, by the kind of player: which key has the hash of the file that a setting names
_OLD_HASHES = {"search": ("rule_sha256", "select"), "python": ("sha256", "path")}


@dataclass(frozen=True)
class Entrant:
    """The full description of a player: what a store keeps and a worker builds it from."""

    name: str
    kind: str  #: search, player, random, python or gtp
    settings: dict[str, Any] = field(default_factory=dict)
    budget: dict[str, str] = field(default_factory=dict)  #: own limits, as they were written
    files: dict[str, str] = field(default_factory=dict)  #: hashes of the files that settings name

    @classmethod
    def parse(cls, text: str, game: str = "") -> "Entrant":
        """Read a player of a game as users write it; a method may have other settings for it.

        >>> Entrant.parse("weak=uct@c=0.7,sims=100").budget
        {'sims': '100'}
        """
        named = _NAMED.fullmatch(text.strip())
        name, body = named.groups() if named else (text.strip(), text.strip())
        if body.startswith("gtp:"):
            return cls(name, "gtp", {"command": _command(body)})
        whole = body.startswith(PLAYER)
        base, _, words = body.removeprefix(PLAYER).partition("@")
        settings = _settings(words, text)
        options = _options(settings, text) if whole else {}
        if base == "random" and not whole:
            _refuse(settings, "the random player", text)
            return cls(name, "random")
        budget = {key: settings.pop(key) for key in BUDGET_KEYS if key in settings}
        if base.endswith(".py") and not whole:
            given = ",".join(f"{key}={value}" for key, value in settings.items())
            return cls._with_files(name, "python", {"path": base, "options": given}, budget)
        texts = [f"{key}={value}" for key, value in settings.items()]
        config = _search_config(base, game, text).parsed(texts)
        if whole:
            return cls._with_files(name, "player", {**asdict(config), **options}, budget)
        return cls.searching(name, config, budget)

    @classmethod
    def searching(cls, name: str, config: SearchConfig, budget: dict[str, str]) -> "Entrant":
        """A search with these settings."""
        return cls._with_files(name, "search", asdict(config), budget)

    @classmethod
    def _with_files(
        cls, name: str, kind: str, settings: dict[str, Any], budget: dict[str, str]
    ) -> "Entrant":
        """A player whose settings may name files."""
        named = {key: value for key, value in settings.items() if _is_file(key, value)}
        paths = {key: str(Path(path).resolve()) for key, path in named.items()}
        hashes = {key: _hash(key, path) for key, path in named.items()}
        return cls(name, kind, {**settings, **paths}, budget, hashes)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Entrant":
        """A player out of a store: settings have the names of today, new ones their defaults."""
        settings, files = dict(data["settings"]), dict(data.get("files", {}))
        old, key = _OLD_HASHES.get(data["kind"], ("", ""))
        if old in settings:
            files[key] = settings.pop(old)
        if data["kind"] in SEARCHES:
            today = {str(RENAMED.get(k, k)): v for k, v in settings.items()}
            usual = asdict(SearchConfig())
            if "files" not in data and "sp-uct" not in (today.get("select"), today.get("root")):
                today = {k: v for k, v in today.items() if v != OLD_DEFAULTS.get(k, usual.get(k))}
            settings = {**usual, **today}
        return cls(data["name"], data["kind"], settings, dict(data["budget"]), files)

    @property
    def meaning(self) -> dict[str, Any]:
        """What tells this player from others: settings that are not what they usually are.

        Files count by what is in them, and names only if somebody chose them.
        """
        usual = asdict(SearchConfig()) if self.kind in SEARCHES else {}
        settings = {
            key: self.files.get(key, _plain_number(value))
            for key, value in self.settings.items()
            if key not in usual or value != usual[key]
        }
        chosen = self.name if NAME.fullmatch(self.name) else ""
        return {"name": chosen, "kind": self.kind, "settings": settings, "budget": self.budget}

    def config(self, game: Game) -> SearchConfig:
        """The settings of a search of this game; refused if a file has changed."""
        self._check_files()
        settings = {key: value for key, value in self.settings.items() if key not in OPTIONS}
        config = SearchConfig(**settings)
        return config.changed(play.always(game)) if self.kind == "player" else config

    def _check_files(self) -> None:
        for key, known in self.files.items():
            path = self.settings[key]
            if _hash(key, path) != known:
                raise ConfigError(f"the {_what(key)} {path} has changed since the match began")

    def build(self, game: Game, *, start_seconds: float = 30.0, patience: float = 60.0) -> Player:
        """The player itself, ready to play ``game``; the times bound an external program."""
        if self.kind == "gtp":
            return GtpPlayer(game, self.settings["command"], start_seconds, patience)
        if self.kind == "random":
            return RandomPlayer()
        if self.kind == "python":
            self._check_files()
            return _python_player(game, self.settings)
        if self.kind == "player":
            options = {key: value for key, value in self.settings.items() if key in OPTIONS}
            return WholePlayer(game, self.config(game), play.Options(**options))
        return SearchPlayer(game, self.config(game))


def _settings(options: str, text: str) -> dict[str, str]:
    found = {}
    for option in filter(None, options.split(",")):
        key, equals, value = (part.strip() for part in option.partition("="))
        if not equals:
            raise ConfigError(f"player {text!r}: {option!r} is not a setting, write key=value")
        if key in found:
            raise ConfigError(f"player {text!r} gives {key} twice")
        found[key] = value
    return found


def _options(settings: dict[str, str], text: str) -> dict[str, Any]:
    """Take the options of a whole player off its settings; those that are not as usual."""
    if "ownership" in settings:
        raise ConfigError(f"player {text!r}: a whole player counts ownership wherever it can")
    texts = [f"{key}={settings.pop(key)}" for key in OPTIONS if key in settings]
    options = play.Options(**read_settings(texts, OPTIONS))
    if options.ponder:
        raise ConfigError(f"player {text!r}: nobody ponders in a match, it takes the other's time")
    return {
        key: value for key, value in asdict(options).items() if value != getattr(play.Options, key)
    }


def _refuse(settings: dict[str, str], who: str, text: str) -> None:
    if settings:
        raise ConfigError(f"player {text!r}: {who} has no setting {next(iter(settings))!r}")


def _command(body: str) -> str:
    command = body.removeprefix("gtp:").strip()
    if not command:
        raise ConfigError("player 'gtp:' needs a command, such as 'gtp:gnugo --mode gtp'")
    return command


def _search_config(base: str, game: str, text: str) -> SearchConfig:
    if base in methods.names() or base.endswith(".toml"):
        return methods.load(base, game)
    known = [*methods.names(), "FILE.toml"]
    if PLAYER not in text:
        known += ["random", "FILE.py", "gtp:COMMAND", "player:METHOD"]
    hint = "; a name before = has letters, digits and . + - _ only" if "=" in base else ""
    raise ConfigError(f"unknown player {text!r}; {choices(base, known)}{hint}")


def _is_file(key: str, value: Any) -> bool:
    """Does a setting name a file?  Names of other things have no dot."""
    return key == "path" or (isinstance(value, str) and "." in value and Path(value).is_file())


def _what(key: str) -> str:
    """The file that a setting names, in a word."""
    return "player" if key == "path" else key


def _hash(key: str, path: str) -> str:
    try:
        return digest(path)
    except OSError as error:
        raise ConfigError(f"cannot read the {_what(key)} {path}: {error.strerror}") from None


def _plain_number(value: Any) -> Any:
    """1 and 1.0 are the same setting."""
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _python_player(game: Game, settings: dict[str, Any]) -> Player:
    path = settings["path"]
    factory = from_file(path, "player", ConfigError)
    options = read_options(settings["options"], factory, path, ConfigError)
    try:
        with neighbours(path):
            made = factory(game, **options)
    except (Exception, SystemExit) as error:
        raise ConfigError(f"{path}: player() raised {type(error).__name__}: {error}") from error
    if not isinstance(made, Player):
        raise ConfigError(f"{path}: player() returned {made!r}, it must return a tesuji.lab Player")
    return made
