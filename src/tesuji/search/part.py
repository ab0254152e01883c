"""What a method of the search declares about itself: a *part*.

A part is one file of `tesuji.search.parts` that ends in one declaration.  It names its settings,
what it needs of the search and of the game, its data, and its hooks: kernels that the four steps
call at certain points (`tesuji.search.hooks`).  Settings, parameter record, node record, buffers,
bindings, merging, resets and refusals are loops over the parts, so that a method is added in one
file.

Start with `Part`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from tesuji.errors import ConfigError, choices
from tesuji.factory import digest, from_file
from tesuji.game import Game

Kernel = Callable[..., Any]
Config = Any  # `SearchConfig`, which is made from the parts
Shape = Callable[[Game, Config], Any]

MANY = 2**31 - 1
LARGE = 1e12
OFF: Any = ()  #: in the place of the buffers of a part that is off
STATE = object()  #: the kind of data that hold positions of the game


def one(game: Game, config: Config) -> int:
    """The shape of a buffer with one item."""
    return 1


def players(game: Game, config: Config) -> int:
    """One for each player."""
    return game.players


def move_codes(game: Game, config: Config) -> int:
    """One for each move."""
    return game.move_codes


def player_moves(game: Game, config: Config) -> tuple[int, int]:
    """By player and move."""
    return game.players, game.move_codes


@dataclass(frozen=True)
class Setting:
    """One setting of a search."""

    name: str
    default: Any  #: its type is that of the setting
    help: str
    span: tuple[float, float] | None = None  #: the least and the largest value of a number
    names: tuple[str, ...] | None = None  #: the values of a name
    own: str = ""  #: a Python file may stand for a name: the function in it that is asked
    kernel: bool = False  #: do kernels read it?
    was: str = ""  #: its name before: files and stores that have it are read


@dataclass(frozen=True)
class Field:
    """One field of a record: of every node, of a simulation, or of the tree as a whole."""

    name: str
    kind: Any  #: a scalar type
    help: str
    shape: Shape | None = None  #: of a simulation: so many of them
    blank: float = 0  #: in a new node
    #: of a node: what the sum of several trees holds (root parallelization); `keep`: what the first
    #: tree says
    merge: Literal["add", "max", "min", "keep", "none"] = "none"
    averaged: bool = False  #: of a node: does the slow tree average it?


@dataclass(frozen=True)
class Buffer:
    """One array of a thread."""

    name: str
    kind: Any  #: dtype, or `STATE`
    help: str
    shape: Shape = one
    shared: bool = False  #: one array for all threads of a tree?
    #: when it is as new again: with every root, or with a tree that knows nothing of its root
    forgotten: Literal["never", "root", "tree"] = "never"
    blank: float = 0


@dataclass(frozen=True)
class Need:
    """A setting that has no meaning unless another one is set."""

    what: str
    wants: Callable[[Config], bool]
    setting: str


def _always(game: Game) -> bool:
    return True


def _never(config: Config) -> bool:
    return False


def _nothing(config: Config) -> frozenset[str]:
    return frozenset()


def _empty(game: Game, config: Config) -> Mapping[str, Any]:
    return {}


def _no_objection(*arguments: Any) -> None:
    return None


@dataclass(frozen=True)
class Part:
    """A method, or a piece of the frame that methods stand in."""

    name: str
    settings: tuple[Setting, ...] = ()
    on: Callable[[Config], bool] = _never  #: are its data and hooks there?
    on_game: Callable[[Game], bool] = _always  #: and in which games?
    #: what it asks of the search: some of `NEEDS`
    needs: Callable[[Config], frozenset[str]] = _nothing
    node: tuple[Field, ...] = ()  #: data of every node
    simulation: tuple[Field, ...] = ()  #: of a simulation: ``sim.<part>.<field>``
    thread: tuple[Buffer, ...] = ()  #: of a thread: ``own.<part>.<buffer>``
    tree: tuple[Field, ...] = ()  #: of the tree: ``tree.meta[0].<field>``
    #: what its kernels read: constants and functions chosen by settings
    slots: Callable[[Game, Config], Mapping[str, Any]] = _empty
    #: settings that kernels read, where they have other values than those that were set
    values: Callable[[Game, Config], Mapping[str, float]] = _empty
    hooks: Callable[[Game, Config], Mapping[str, Kernel]] | Mapping[str, Kernel] = _empty
    settings_needed: Callable[[Config], tuple[Need, ...]] = lambda config: ()
    excludes: tuple[str, ...] = ()  #: settings that must have their defaults when it is on
    refuse: Callable[[Config], None] = _no_objection  #: raises `ConfigError`
    refuse_game: Callable[[Game, Config], None] = _no_objection
    #: by what the root's children are ranked, when it is not the setting ``final`` that says it
    ranking: str = ""
    #: may it end a simulation, or the search, before a playout has come to the end of the game?
    cuts_short: Callable[[Config], bool] = _never

    def hooks_of(self, game: Game, config: Config) -> Mapping[str, Kernel]:
        """Its hooks with these settings."""
        return self.hooks if isinstance(self.hooks, Mapping) else self.hooks(game, config)


ALL_CHILDREN = "ALL_CHILDREN"  #: records for all moves of a node before they are tried
MOVERS = "MOVERS"  #: who made which move of a simulation
KNOWLEDGE = "KNOWLEDGE"  #: what the game's knowledge says of moves
VARIANCE = "VARIANCE"  #: summed squares of rewards
UNVISITED = "UNVISITED"  #: children without visits are scored: something is known of them, too
BIAS = "BIAS"  #: something is added to scores
WIDTH = "WIDTH"  #: not all children of a node may be followed from the beginning
#: everything that a part may need; each is a slot that kernels ask before compilation
NEEDS = (ALL_CHILDREN, MOVERS, KNOWLEDGE, VARIANCE, UNVISITED, BIAS, WIDTH)
#: needs that follow from others: knowledge is asked about all moves of a node at once
IMPLIED = {KNOWLEDGE: frozenset((ALL_CHILDREN,))}


def need(condition: bool, *what: str) -> frozenset[str]:
    """These needs, if there is any reason for them."""
    return frozenset(what) if condition else frozenset()


def kernel_of(setting: str, name: str, known: Mapping[str, Kernel], function: str) -> Kernel | None:
    """The kernel of a name, None if the name says that there is none, or that of a user's file."""
    if not name.endswith(".py"):
        return known.get(name)
    made = made_by(name, function, f"{setting} {name}")
    if not callable(made):
        raise ConfigError(f"{name}: {function}() returned {made!r}, it must return a function")
    return made


def made_by(path: str, function: str, what: str) -> Any:
    """What the function of a user's file returns."""
    try:
        return _made(path, digest(path), function)
    except OSError as error:
        raise ConfigError(f"cannot read the {what}: {error.strerror}") from None


@lru_cache(maxsize=64)
def _made(path: str, content: str, function: str) -> Any:
    """Read again when the content changes."""
    factory = from_file(path, function, ConfigError)
    try:
        return factory()
    except Exception as error:
        raise ConfigError(f"{path}: {function}() raised {type(error).__name__}: {error}") from error


def refuse_unknown(game: Game, what: str, name: str, known: Mapping[str, Any]) -> None:
    """Refuse a name of something that a game does not have."""
    if name and name not in known:
        has = choices(name, known) if known else "it has none"
        raise ConfigError(f"{game.name} has no {what} {name!r}; {has}")
