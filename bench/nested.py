"""What does nested search cost beside the playouts that it is made of?

    python -m bench.nested

Morpion Solitaire, moves of playouts a second.  The other side makes playouts and nothing else: one
copy of a position, then uniform moves to the end.  It begins where nested search begins its own, in
positions sampled from the same search, and takes one position after the other, as nested search
tries the moves of one position in a row.  Both matter: late moves of Morpion are up to twice as
fast as early ones, and jumping between positions costs some percent.  Against playouts from the
start of the game, the last row, nested search looks faster than its own playouts.
"""

import time
from typing import Any

from bench.turns import HEADER, Ratio, Side, take_turns
from tesuji.compile import specialise, stream
from tesuji.game import Game
from tesuji.games import load
from tesuji.planning import nested
from tesuji.planning.nested import Nested
from tesuji.position import Position
from tesuji.search.bindings import bindings
from tesuji.search.config import SearchConfig
from tesuji.search.context import make_context, make_params, make_simulations
from tesuji.search.simulate import simulate

GAME = "morpion"
LEVELS = (1, 2, 3)
TARGET = 0.8
ROUNDS = 21
PLAYOUTS = 40_000  # in a turn
SAMPLES = 256  # positions: few enough to stay in the cache, as those of the search do
EVERY = (ROUNDS + 1) * PLAYOUTS // SAMPLES  # so they come from all turns


def search(stack: Any, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: nested search; how many moves its playouts had."""
    nested.run(stack, sims, own, params, rng, 0)
    moves = 0
    for _ in range(count):
        moves += nested.search_on(stack, sims[0], own, params[0], rng)
    return moves


def sample(stack: Any, sims: Any, own: Any, params: Any, rng: Any, out: Any, every: int) -> None:
    """Kernel: the positions in which every so many-th playout of nested search begins."""
    nested.run(stack, sims, own, params, rng, 0)
    sim = sims[0]
    for i in range(len(out) * every):
        level = nested.go_down(stack, sim, own, rng)
        if i % every == 0:
            out[i // every] = sim.state
        nested.play_out(stack, level, sim, own, params[0], rng)


def playouts(starts: Any, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: playouts from the positions, those of one in a row; how many moves they had."""
    sim = sims[0]
    moves = 0
    for i in range(count):
        sim.state = starts[i * len(starts) // count]
        sim.length[0] = 0
        simulate(None, sim, own, params[0], rng)
        moves += sim.length[0]
    return moves


class Bench:
    """The kernels with their buffers."""

    def __init__(self, of: Game) -> None:
        config = SearchConfig()
        self.of = of
        self.sims, self.own = make_simulations(of, config), make_context(of, config)
        self.own.root[0] = Position.start(of).state[0]
        self.params = make_params(of, config)
        self._slots = bindings(of, config)

    def kernel(self, entry: Any) -> Any:
        return specialise(entry, self._slots, label=f"{entry.__name__} of {self.of.name}")

    def stack(self, level: int) -> Any:
        return nested.make_stack(self.of, Nested(level=level))

    def starts(self, level: int) -> Any:
        """Where playouts of a level begin: the same seed as `searching`, so the same search."""
        out = self.own.root.repeat(SAMPLES)
        rng = stream(1, "nested", level)
        stack = self.stack(level)
        self.kernel(sample)(stack, self.sims, self.own, self.params, rng, out, EVERY)
        return out

    def searching(self, level: int) -> Side:
        return self._side(search, self.stack(level), stream(1, "nested", level))

    def playing(self, starts: Any) -> Side:
        return self._side(playouts, starts, stream(1, "playouts"))

    def _side(self, entry: Any, first: Any, rng: Any) -> Side:
        kernel = self.kernel(entry)

        def turn() -> float:
            begin = time.process_time()
            moves = kernel(first, self.sims, self.own, self.params, rng, PLAYOUTS)
            return float(moves) / (time.process_time() - begin)

        return turn


def compare_all() -> list[Ratio]:
    bench = Bench(load(GAME))
    root = bench.own.root.copy()
    cases = [(level, "the same positions", bench.starts(level)) for level in LEVELS]
    cases.append((LEVELS[-1], "the start", root))
    return [
        take_turns(
            f"nested search of level {level} / playouts from {where}, moves in {GAME}",
            bench.searching(level),
            bench.playing(starts),
            ROUNDS,
            f"at least {TARGET}",
        )
        for level, where, starts in cases
    ]


def main() -> None:
    print(HEADER)
    for ratio in compare_all():
        print(ratio.row(), flush=True)


if __name__ == "__main__":
    main()
