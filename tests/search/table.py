"""A position with everything that a kernel of the playouts gets, for tests that call kernels."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from tesuji import Position, SearchConfig, load
from tesuji.compile import specialise, stream
from tesuji.compile.plain import view
from tesuji.game import Game
from tesuji.search.bindings import bindings
from tesuji.search.context import make_context, make_params, make_simulations
from tesuji.search.parts import gibbs, pairs


class Table:
    """The kernels of one configuration, uncompiled, with their buffers at one position."""

    def __init__(self, game: str | Game, moves: str = "", *, seed: int = 1, **settings: Any):
        self.of = load(game) if isinstance(game, str) else game
        self.config = SearchConfig(**settings)
        self.sim = view(make_simulations(self.of, self.config))[0]
        self.own = view(make_context(self.of, self.config))
        self.params = view(make_params(self.of, self.config))[0]
        self.rng = stream(seed, "playouts")
        self._slots = bindings(self.of, self.config)
        self._kernels: dict[Any, Any] = {}
        self.position = Position.start(self.of, jit=False).play(*moves.split())
        self.put(self.position)

    def put(self, position: Position) -> None:
        """Stand at a position."""
        self.sim.state = position.state[0]

    @property
    def state(self) -> Any:
        return self.sim.state

    def call(self, kernel: Any, *arguments: Any) -> Any:
        """Run a kernel as the search does."""
        if kernel not in self._kernels:
            self._kernels[kernel] = specialise(kernel, self._slots, label="a test", jit=False)
        return self._kernels[kernel](*arguments)

    def next_move(self) -> int:
        next_move = self._slots["hooks"]["next_move"]
        return int(self.call(next_move, self.state, self.sim, self.own, self.params, self.rng))

    def draws(self, count: int) -> Any:
        """How often each move was chosen."""
        chosen = np.zeros(self.of.move_codes, int)
        for _ in range(count):
            chosen[self.next_move()] += 1
        return chosen

    def simulated(
        self, moves: Iterable[int], rewards: Iterable[float], movers: Iterable[int] | None = None
    ) -> None:
        """Fill the record as a simulation with these moves does; players take turns."""
        trace = list(moves)
        players = list(movers) if movers is not None else [i % 2 for i in range(len(trace))]
        self.sim.trace[: len(trace)] = trace
        self.sim.length[0] = len(trace)
        if "movers" in self.sim.dtype.names:
            self.sim.movers[: len(trace)] = players
        self.sim.rewards[:] = list(rewards)

    def learn(self, moves: Iterable[int], rewards: Iterable[float], **who: Any) -> None:
        """Let `learn_moves` see a simulation."""
        self.simulated(moves, rewards, **who)
        self.call(gibbs.learn_moves, self.sim, self.own, self.params)

    def learn_pairs(self, moves: Iterable[int], rewards: Iterable[float], **who: Any) -> None:
        """Let `learn_pairs` see a simulation."""
        self.simulated(moves, rewards, **who)
        self.call(pairs.learn_pairs, self.sim, self.own, self.params)
