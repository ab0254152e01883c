"""Solve a one-player game: one interface to all planning methods.

    solution = solve(start("samegame"), "nested", seconds=10)

``nested``, ``nrpa``, ``random`` and ``greedy`` are searches by playouts; every other name is a
method of the tree search (`tesuji.methods`).  A `Solver` can be asked after an interruption.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import NamedTuple, Protocol

from tesuji import methods
from tesuji.errors import ConfigError, GameError, choices
from tesuji.game import Game
from tesuji.identity import machine, of_search
from tesuji.planning.adaptation import Adaptation
from tesuji.planning.nested import Nested
from tesuji.planning.settings import changed
from tesuji.planning.solution import Found, Solution
from tesuji.planning.stepped import Stepped, of_playouts
from tesuji.planning.tree import Tree
from tesuji.position import Position
from tesuji.search.config import SearchConfig
from tesuji.search.limit import Limit
from tesuji.search.parts.line import has_line

Config = Nested | Adaptation | SearchConfig
Progress = Callable[[Solution], None]


class Known(NamedTuple):
    """A method of this package: its settings, and those that users may change."""

    config: Nested | Adaptation
    open: tuple[str, ...]


METHODS = {
    "nested": Known(Nested(), ("level", "memory", "playout")),
    "nrpa": Known(Adaptation(), ("level", "iterations", "alpha")),
    "random": Known(Nested(level=0), ("playout",)),
    "greedy": Known(Nested(level=1, memory=False), ("playout",)),
}


def read_method(name: str, settings: Iterable[str] = (), game: str = "") -> Config:
    """The method that a user named, with settings given as texts, ``["level=2"]``.

    A method of the tree search may have other settings for a ``game``.
    """
    if name in METHODS:
        return changed(METHODS[name].config, settings, METHODS[name].open)
    if name not in methods.names() and not name.endswith(".toml"):
        raise ConfigError(f"unknown method {name!r}; {choices(name, {*METHODS, *methods.names()})}")
    return methods.load(name, game).parsed(settings)


class _Search(Protocol):
    """A search from one position that can be stopped and taken up again."""

    def run(self, limit: Limit, tell: Callable[[], None]) -> None: ...

    def found(self) -> Found | None: ...


class Solver:
    """Looks for the best line from one position with one method.

    ``settings`` are texts that change a method given by its name, ``["level=2"]``.
    """

    def __init__(
        self,
        position: Position,
        method: str | Config = "nested",
        *,
        settings: Sequence[str] = (),
        seed: int = 0,
        jit: bool | None = None,
    ) -> None:
        _check(position)
        self.position = position
        if isinstance(method, str):
            self.method = method
            self.config = read_method(method, settings, position.game.name)
        elif settings:
            raise ConfigError(f"settings {settings!r} need a method's name, not {method!r}")
        else:
            self.method = _name(method)
            self.config = method
        self.seed = seed
        self._search = _make_search(position, self.config, seed, jit)

    def run(self, limit: Limit, *, progress: Progress | None = None) -> Solution:
        """Search until the limit is reached; call ``progress`` twice a second.

        Simulations of the limit are playouts.  Ctrl-C raises `KeyboardInterrupt` as usual;
        `solution` still answers.  Another run goes on where this one ended.
        """

        def tell() -> None:
            if progress is not None and self._search.found() is not None:
                progress(self.solution())

        self._search.run(limit, tell)
        return self.solution()

    def solution(self) -> Solution:
        """The best line so far."""
        found = self._search.found()
        if found is None:
            raise ConfigError(
                "no playout has come to the end of the game: search longer, without playout_cap"
            )
        return Solution(
            game=self.position.game.spec,
            before=tuple(map(self.position.move_text, self.position.line)),
            score=found.score,
            line=found.line,
            method=self.method,
            settings=asdict(self.config),
            playouts=found.playouts,
            seconds=found.seconds,
            seed=self.seed,
            code=_code(self.position.game, self.config),
            machine=machine(),
        )


def solve(
    position: Position,
    method: str | Config = "nested",
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    jit: bool | None = None,
) -> Solution:
    """Look for the best line from a position of a one-player game."""
    limit = Limit(simulations, seconds)
    return Solver(position, method, seed=seed, jit=jit).run(limit, progress=progress)


def _make_search(position: Position, config: Config, seed: int, jit: bool | None) -> _Search:
    if isinstance(config, SearchConfig):
        return Tree(position, config, seed, jit)
    return Stepped(position, config, seed, jit)


def _code(game: Game, config: Config) -> str:
    """The identity of the code that runs a method."""
    searching = isinstance(config, SearchConfig)
    return of_search(game, config) if searching else of_playouts(game, config)


def _name(config: Config) -> str:
    """What to call settings that came without a name."""
    kinds: dict[type, str] = {Nested: "nested", Adaptation: "nrpa", SearchConfig: "tree"}
    known = (name for name in METHODS if METHODS[name].config == config)
    return next(known, kinds[type(config)])


def _check(position: Position) -> None:
    game = position.game
    if not has_line(game):
        raise GameError(f"{game.spec} cannot be solved as a one-player game: {_why_not(game)}")
    if position.over:
        raise GameError(f"the game {game.spec} is over: {position.result_text()}")


def _why_not(game: Game) -> str:
    if game.players > 1:
        return f"it has {game.players} players; `tesuji search` finds moves against others"
    return "dice decide" if game.chance is not None else "repeated positions are forbidden"
