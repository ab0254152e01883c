"""What do the methods cost, and what do they cost when they are off?

    python -m bench.methods                            # some methods against plain UCT
    python -m bench.methods --against PATH [-k TEXT]   # all methods against another checkout

Each side is a process of its own that waits while it is not its turn.  A turn is one search from
the start position; its rate is simulations per CPU second.

Another checkout is compared in three figures, each here / there: *speed* with its quartiles; the
CPU time to *compile* the search into an empty cache (once); the CPU time to *load* it from there,
``import tesuji`` included (median of five).  Each side has a cache of its own.  Settings come from
here; names that are other ones there are in ``OLDER`` of `tests.golden`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.turns import HEADER, Ratio, take_turns
from tests.golden import OLDER
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

# Runs in every version of the package: it uses nothing else than `Searcher`.  It answers with the
# CPU time until it is ready, all and without importing; then, for each number of simulations that
# it is given, with how many there were and their CPU time.
SEARCHER = """
import json, sys, time
game, settings, older = sys.argv[1], *map(json.loads, sys.argv[2:])
begin = time.process_time()
from tesuji import Limit, Position, SearchConfig, Searcher, load
imported = time.process_time()
known = SearchConfig()
names = {name: name if hasattr(known, name) else older.get(name, name) for name in settings}
config = SearchConfig(memory_mb=1000, **{names[name]: settings[name] for name in settings})
searcher = Searcher(load(game), config, seed=1)
searcher.prepare()
ready = time.process_time()
print(ready - begin, ready - imported, flush=True)
position = Position.start(searcher.game)
for line in sys.stdin:
    searcher.forget()
    begin = time.process_time()
    done = searcher.search(position, Limit(int(line))).simulations
    print(done, time.process_time() - begin, flush=True)
"""


class CannotRunError(Exception):
    """A checkout cannot run a search; the message is the last line of what it says."""


class Process:
    """A search in another process, of this version or of another checkout."""

    def __init__(
        self,
        settings: dict[str, object],
        checkout: Path | None = None,
        game: str = GAME,
        cache: Path | None = None,
    ) -> None:
        source = {} if checkout is None else {"PYTHONPATH": str(checkout / "src")}
        own = {} if cache is None else {"TESUJI_CACHE_DIR": str(cache)}
        self.simulations = SIMULATIONS
        self.process = subprocess.Popen(
            [sys.executable, "-c", SEARCHER, game, json.dumps(settings), json.dumps(OLDER)],
            env={**os.environ, **source, **own},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.loading, self.preparing = self._answer()

    def _answer(self) -> list[float]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            said = self.process.communicate()[1].strip().splitlines()
            raise CannotRunError(said[-1] if said else "it ended without a word")
        return [float(word) for word in line.split()]

    def turn(self) -> float:
        assert self.process.stdin is not None
        print(self.simulations, file=self.process.stdin, flush=True)
        done, seconds = self._answer()
        return done / seconds

    def close(self) -> None:
        self.process.communicate()


# --- against plain UCT ----------------------------------------------------------------------------


def against_uct(what: str, settings: dict[str, object], target: float, game: str) -> Ratio:
    """Simulations a second of a method, as a share of plain UCT's."""
    method, uct = Process(settings, game=game), Process({}, game=game)
    note = f"at least {target}" if target else ""
    ratio = take_turns(f"{what} / UCT, {game}", method.turn, uct.turn, ROUNDS, note)
    method.close(), uct.close()
    return ratio


def compare_all() -> list[Ratio]:
    """All of `METHODS`."""
    return [against_uct(*method) for method in METHODS]


# --- against another checkout ---------------------------------------------------------------------

TURN_SECONDS = 0.4  # of CPU time, about
LOADS = 5
#: where a method is at home that does not say so itself
GAMES = {
    "sp-uct": "samegame",
    **dict.fromkeys(("shot", "shot-solver", "hmcts", "hmcts-solver"), "pentalath"),
}
TWO = {"threads": 2}
#: name, method, more settings, and the game if it is another one
MORE: list[tuple[str, str, dict[str, object], str]] = [
    ("tesuji, 19x19", "tesuji", {}, "go:size=19"),
    ("uct, two threads", "uct", TWO, ""),
    ("uct, two threads, local lock", "uct", {**TWO, "lock": "local"}, ""),
    ("uct, two threads, leaf", "uct", {**TWO, "parallel": "leaf"}, ""),
    ("uct, two threads, root", "uct", {**TWO, "parallel": "root"}, ""),
    ("rave, two threads", "rave", TWO, ""),
    ("hmcts, two threads", "hmcts", TWO, ""),
    ("tesuji, two threads", "tesuji", TWO, ""),
]


@dataclass(frozen=True)
class Search:
    """What both checkouts run."""

    name: str
    game: str
    settings: dict[str, object]


@dataclass(frozen=True)
class Cost:
    """What a search costs here, as a share of what it costs there."""

    search: Search
    speed: Ratio
    compiling: float
    loading: float

    def row(self) -> str:
        """A line of a Markdown table."""
        speed = self.speed
        return (
            f"| {self.search.name} | {self.search.game} | {speed.middle:.3f} "
            f"| {speed.low:.3f} to {speed.high:.3f} | {speed.ours:,.0f} | {speed.theirs:,.0f} "
            f"| {self.compiling:.2f} | {self.loading:.2f} |"
        )


COST_HEADER = (
    "| search | game | speed | quartiles | here | there | compile | load |\n"
    "|---|---|---|---|---|---|---|---|"
)


def searches() -> Iterator[Search]:
    """Every method on its game, and some with two threads."""
    for name in methods.names():
        yield _search(name, name, {}, "")
    for each in MORE:
        yield _search(*each)


def _search(name: str, method: str, more: dict[str, object], game: str) -> Search:
    found: dict[str, Any] = methods.describe(method)
    game = game or found.get("game", GAMES.get(method, GAME))
    own = found.get("games", {}).get(game.partition(":")[0], {})
    return Search(name, game, {**found["settings"], **own, **more})


def against(search: Search, checkout: Path, rounds: int, caches: Path) -> Cost:
    """Compile a search here and there, let both take turns, and load it a few times."""

    def begin(here: bool) -> Process:
        cache = caches / ("here" if here else "there")
        return Process(search.settings, None if here else checkout, search.game, cache)

    ours, theirs = begin(True), begin(False)
    compiling = ours.preparing / theirs.preparing
    ours.turn()  # the first search warms up
    ours.simulations = theirs.simulations = max(round(ours.turn() * TURN_SECONDS), 100)
    speed = take_turns(search.name, ours.turn, theirs.turn, rounds)
    ours.close(), theirs.close()

    def load(here: bool) -> float:
        process = begin(here)
        process.close()
        return process.loading

    loading = take_turns(search.name, lambda: load(True), lambda: load(False), LOADS).middle
    return Cost(search, speed, compiling, loading)


def compare_with(checkout: Path, text: str, rounds: int) -> None:
    """Print the table of all searches with a text in their names, and the worst of them."""
    if not (checkout / "src" / "tesuji").is_dir():
        raise SystemExit(f"{checkout} is no checkout: it has no src/tesuji")
    chosen = [search for search in searches() if text in search.name]
    if not chosen:
        raise SystemExit(f"no search has {text!r} in its name")
    print(COST_HEADER)
    costs = []
    for search in chosen:
        with tempfile.TemporaryDirectory() as caches:
            try:
                costs.append(against(search, checkout, rounds, Path(caches)))
                print(costs[-1].row(), flush=True)
            except CannotRunError as error:
                print(f"| {search.name} | {search.game} | {error} |||||", flush=True)
    if costs:
        print()
        print("\n".join(worst(costs)))


def worst(costs: list[Cost]) -> list[str]:
    """The worst of each figure, and its median."""
    lines = []
    for what, sign, figure in (
        ("speed", 1, lambda cost: cost.speed.middle),
        ("compile", -1, lambda cost: cost.compiling),
        ("load", -1, lambda cost: cost.loading),
    ):
        least = min(costs, key=lambda cost: sign * figure(cost))
        middle = statistics.median(map(figure, costs))
        lines.append(
            f"{what}: worst {figure(least):.3f} ({least.search.name}), median {middle:.3f}"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.methods", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout")
    parser.add_argument("-k", default="", metavar="TEXT", help="only names with this in them")
    parser.add_argument("--rounds", type=int, default=11, metavar="N", help="pairs of turns")
    asked = parser.parse_args()
    if asked.against is not None:
        compare_with(asked.against.resolve(), asked.k, asked.rounds)
        return
    print(HEADER)
    for ratio in compare_all():
        print(ratio.row(), flush=True)


if __name__ == "__main__":
    main()
