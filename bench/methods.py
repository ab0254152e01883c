"""What do the methods cost, and what do they cost when they are off?

    python -m bench.methods                   # each method against plain UCT, most on 9x9 Go
    python -m bench.methods ../before         # and plain UCT against an earlier checkout

Each side is a process of its own that waits while it is not its turn.  A turn is one search from
the empty board; its rate is simulations per CPU second.  *Loading* is the time from ``import
tesuji`` to a search that is ready, with a warm cache.
"""

import os
import subprocess
import sys
from pathlib import Path

from bench.turns import HEADER, Ratio, Side, take_turns
from tesuji import methods

SIMULATIONS = 20_000
ROUNDS = 21
GAME = "go"
#: name, settings, the ratio that it is to reach, and the game
METHODS: list[tuple[str, dict[str, object], float, str]] = [
    ("RAVE", {"rave": "equivalence", "c": 0.0, "expand_visits": 8}, 0.75, GAME),
    ("GRAVE", {"rave": "mse", "grave": 50, "c": 0.0, "expand_visits": 8}, 0.0, GAME),
    ("solver", {"solver": "wins"}, 0.95, GAME),
    ("MAST, two proposals", {"gibbs": "mast"}, 0.5, GAME),
    ("MAST, exact Gibbs sampling", {"gibbs": "mast", "gibbs_tries": 0}, 0.0, GAME),
    ("Hybrid MCTS, B = 30", {"halving": "hybrid", "halving_switch": 30}, 1.0, "pentalath"),
    ("tesuji, the strongest Go", methods.describe("tesuji")["settings"], 0.2, GAME),
    ("tesuji, the strongest Go, 19x19", methods.describe("tesuji")["settings"], 0.2, "go:size=19"),
    ("SHOT", {"halving": "shot", "halving_returns": True}, 0.0, "pentalath"),
]

# Runs in every version of the package: it uses nothing else than `Searcher`.
SEARCHER = """
import sys, time
begin = time.perf_counter()
from tesuji import Limit, Position, SearchConfig, Searcher, load
searcher = Searcher(load(sys.argv[1]), SearchConfig(memory_mb=1000, **eval(sys.argv[2])), seed=1)
searcher.prepare()
print(time.perf_counter() - begin, flush=True)
position = Position.start(searcher.game)
for line in sys.stdin:
    searcher.forget()
    begin = time.process_time()
    searcher.search(position, Limit(int(line)))
    print(time.process_time() - begin, flush=True)
"""


class Process:
    """A search in another process, of this version or of another checkout."""

    def __init__(
        self, settings: dict[str, object], checkout: Path | None = None, game: str = GAME
    ) -> None:
        source = {} if checkout is None else {"PYTHONPATH": str(checkout / "src")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", SEARCHER, game, repr(settings)],
            env={**os.environ, **source},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.loading = self._answer()

    def _answer(self) -> float:
        assert self.process.stdout is not None
        return float(self.process.stdout.readline())

    def turn(self) -> float:
        assert self.process.stdin is not None
        print(SIMULATIONS, file=self.process.stdin, flush=True)
        return SIMULATIONS / self._answer()

    def close(self) -> None:
        self.process.communicate()


def against_uct(what: str, settings: dict[str, object], target: float, game: str) -> Ratio:
    """Simulations a second of a method, as a share of plain UCT's."""
    method, uct = Process(settings, game=game), Process({}, game=game)
    note = f"at least {target}" if target else ""
    ratio = take_turns(f"{what} / UCT, {game}", method.turn, uct.turn, ROUNDS, note)
    method.close(), uct.close()
    return ratio


def against_before(checkout: Path) -> list[Ratio]:
    """Plain UCT, and the time to load it, against an earlier version."""
    now, before = Process({}), Process({}, checkout)
    speed = take_turns("UCT now / before", now.turn, before.turn, ROUNDS, "at least 0.97")
    now.close(), before.close()
    loading = take_turns(
        "loads a second now / before", _loads(None), _loads(checkout), ROUNDS, "at least 0.67"
    )
    return [speed, loading]


def _loads(checkout: Path | None) -> Side:
    def turn() -> float:
        process = Process({}, checkout)
        process.close()
        return 1 / process.loading

    return turn


def compare_all(checkout: Path | None = None) -> list[Ratio]:
    before = [] if checkout is None else against_before(checkout)
    return before + [against_uct(*method) for method in METHODS]


def main() -> None:
    print(HEADER)
    for ratio in compare_all(Path(sys.argv[1]) if len(sys.argv) > 1 else None):
        print(ratio.row(), flush=True)


if __name__ == "__main__":
    main()
