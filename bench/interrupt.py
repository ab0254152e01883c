"""How long does a search of two threads go on after Ctrl-C?

    python -m bench.interrupt

The signal comes from a thread of this process in the middle of a search; the time runs until the
decision can be read.  Afterwards the tree must hold what the decision says.
"""

import os
import signal
import statistics
import threading
import time

from tesuji import Limit, Position, Searcher, load
from tesuji.search.tree import ROOT

GAMES = ("connect4", "go", "go:size=19")
SCHEMES = ("tree", "root", "leaf")
TIMES = 7
HEADER = "| search | median ms | longest ms |\n|---|---|---|"


def after_ctrl_c(searcher: Searcher) -> float:
    """Milliseconds from the signal to a decision."""
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, press)
    timer.start()
    try:
        searcher.search(Position.start(searcher.game), Limit(seconds=60))
    except KeyboardInterrupt:
        decision = searcher.decision()
    took = 1000 * (time.perf_counter() - pressed[0])
    assert decision.simulations == int(searcher.tree.nodes[ROOT]["visits"]) > 0
    return took


def measure(game: str, scheme: str) -> str:
    """One row of the table."""
    searcher = Searcher(load(game), threads=2, parallel=scheme)
    searcher.prepare()
    times = []
    for _ in range(TIMES):
        searcher.forget()
        times.append(after_ctrl_c(searcher))
    return f"| {game}, {scheme} | {statistics.median(times):.0f} | {max(times):.0f} |"


def main() -> None:
    print(HEADER)
    for game in GAMES:
        for scheme in SCHEMES:
            print(measure(game, scheme), flush=True)


if __name__ == "__main__":
    main()
