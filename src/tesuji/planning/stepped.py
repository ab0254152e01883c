"""Runs the kernel of a planning method in short slices, so that clock, Ctrl-C and progress work."""

import inspect
from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from tesuji.compile import jit_enabled, specialise, stream
from tesuji.compile.identity import Source, digest_of
from tesuji.game import Game
from tesuji.identity import of_files, of_game, of_weights
from tesuji.planning import adaptation, nested
from tesuji.planning.adaptation import Adaptation
from tesuji.planning.nested import Nested
from tesuji.planning.solution import Found
from tesuji.position import Position
from tesuji.search.bindings import bindings
from tesuji.search.config import SearchConfig
from tesuji.search.context import make_context, make_params, make_simulations
from tesuji.search.limit import Limit
from tesuji.search.parts.line import known
from tesuji.search.slices import SliceRunner


class Stepped:
    """A search by playouts from one position; it can be stopped and taken up again."""

    def __init__(
        self, position: Position, config: Nested | Adaptation, seed: int, jit: bool | None
    ) -> None:
        game = position.game
        playouts = _playouts_of(config)
        self._game = game
        self._playouts = 0  # of this run
        self._slices = SliceRunner()
        self._sims = make_simulations(game, playouts)
        self._own = make_context(game, playouts)
        self._own.root[0] = position.state[0]
        self._params = make_params(game, playouts)
        self._rng = stream(seed, "planning")
        self._stack, kernel = _parts(game, config)
        self._kernel = _compiled(kernel, game, playouts, jit_enabled(jit), str(self._sims.dtype))
        self._step(0)  # compiles, before any clock runs

    def _step(self, count: int) -> int:
        return int(self._kernel(self._stack, self._sims, self._own, self._params, self._rng, count))

    def run(self, limit: Limit, tell: Callable[[], None]) -> None:
        """Search until the limit is reached; call ``tell`` twice a second."""
        self._playouts = 0
        self._slices.run(self._play, lambda: self._playouts, limit, tell=tell)

    def _play(self, count: int) -> int:
        done = self._step(count)
        self._playouts += done
        return done

    def found(self) -> Found | None:
        """The best line so far, if a game has been finished."""
        best = known(self._own.line)
        if best is None:
            return None
        line = tuple(map(self._game.move_text, best[1]))
        return Found(best[0], line, self._playouts, self._slices.seconds)


def _playouts_of(config: Nested | Adaptation) -> SearchConfig:
    return SearchConfig(playout=config.playout if isinstance(config, Nested) else "uniform")


def _parts(game: Game, config: Nested | Adaptation) -> tuple[Any, Callable[..., Any]]:
    """The buffers and the kernel of a method."""
    if isinstance(config, Nested):
        return nested.make_stack(game, config), nested.run
    return adaptation.make_stack(game, config), adaptation.run


@lru_cache(maxsize=64)
def of_playouts(game: Game, config: Nested | Adaptation) -> str:
    """The identity of the code that runs a method on a game."""
    slots = bindings(game, _playouts_of(config))
    source = Source(slots, game.start).add(_parts(game, config)[1])
    files = of_files(inspect.getfile(Stepped), inspect.getfile(type(config)))
    rules = of_game(game), of_weights(game, "")
    return digest_of(source.digest, files, rules, sorted(asdict(config).items()))


@lru_cache(maxsize=64)
def _compiled(
    kernel: Callable[..., Any], game: Game, config: SearchConfig, jit: bool, variant: str
) -> Callable[..., Any]:
    label = f"planning in {game.name}"
    return specialise(kernel, bindings(game, config), label=label, variant=variant, jit=jit)
