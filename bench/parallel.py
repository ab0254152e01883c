"""How much faster are two threads?

    python -m bench.parallel                  # needs a quiet machine with two cores

Both sides are searches of this process that take turns; a turn is one search from the start with a
fresh tree, its rate is simulations per second *of the clock*: two threads use two cores.
"""

import threading
import time

from bench.turns import HEADER, Ratio, Side, take_turns
from tesuji import Limit, Position, SearchConfig, Searcher, load

ROUNDS = 15
SECONDS = 0.4
#: game, settings of two threads, and the ratio that they are to reach
CASES: list[tuple[str, dict[str, object], float]] = [
    ("go", {}, 1.75),
    ("go:size=19", {}, 1.75),
    ("connect4", {}, 1.6),
    ("breakthrough", {}, 1.6),
    ("hex", {}, 1.6),
    ("go", {"lock": "local"}, 1.5),
    ("go", {"lock": "global"}, 0.0),
    ("go", {"parallel": "root"}, 0.0),
    ("go", {"parallel": "leaf"}, 0.0),
]


def searcher_of(game: str, settings: dict[str, object]) -> Searcher:
    """A search that is ready to start."""
    searcher = Searcher(load(game), SearchConfig(memory_mb=1000, **settings), seed=1)
    searcher.prepare()
    return searcher


def side(searcher: Searcher) -> Side:
    """Searches from the start."""
    position = Position.start(searcher.game)

    def turn() -> float:
        searcher.forget()
        decision = searcher.search(position, Limit(seconds=SECONDS))
        return decision.simulations / decision.seconds

    return turn


def two_threads(game: str, settings: dict[str, object], target: float) -> Ratio:
    """Two threads against one."""
    two = searcher_of(game, {"threads": 2, **settings})
    names = " ".join(str(value) for value in settings.values()) or "tree, lock-free"
    what = f"two threads ({names}) / one, {game}"
    note = f"at least {target}" if target else ""
    return take_turns(what, side(two), side(searcher_of(game, {})), ROUNDS, note)


def one_thread(game: str) -> Ratio:
    """The loop of several threads, run by one of them, against the plain loop."""
    one = searcher_of(game, {"threads": 2})
    runner = one._trees._runner
    runner.sims, runner.contexts, runner.rngs = (
        runner.sims[:1],
        runner.contexts[:1],
        runner.rngs[:1],
    )
    what = f"one thread of a shared tree / plain, {game}"
    return take_turns(what, side(one), side(searcher_of(game, {})), ROUNDS, "at least 0.97")


def apart(game: str) -> Ratio:
    """Two searches at the same time, each with its own tree, against one: what they share."""
    both = [side(searcher_of(game, {})) for _ in range(2)]

    def turn() -> float:
        rates: list[float] = []
        threads = [threading.Thread(target=lambda s=s: rates.append(s())) for s in both]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(rates) / len(rates)

    what = f"each of two separate searches / one alone, {game}"
    return take_turns(what, turn, side(searcher_of(game, {})), ROUNDS, "1 without false sharing")


def compare_all() -> list[Ratio]:
    ratios = [two_threads(*case) for case in CASES]
    ratios += [one_thread(game) for game in ("go", "connect4", "breakthrough")]
    return ratios + [apart(game) for game in ("go", "connect4")]


def main() -> None:
    print(HEADER)
    begin = time.perf_counter()
    for ratio in compare_all():
        print(ratio.row(), flush=True)
    print(f"{time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
