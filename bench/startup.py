"""How long does a whole command take, as a multiple of starting Python with Numba?

    python -m bench.startup

``tesuji search connect4 --sims 1000`` with a warm cache against ``python -c "import numba"``.
"""

import subprocess
import sys
import time

from bench.turns import HEADER, Ratio, Side, take_turns


def process(*arguments: str) -> Side:
    """Run a command; its rate is runs a second of wall time."""

    def turn() -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        return 1 / (time.perf_counter() - begin)

    return turn


def compare(rounds: int = 15) -> Ratio:
    """The ratio of *times*: how many times ``import numba`` our command takes."""
    ours = process("-m", "tesuji", "search", "connect4", "--sims", "1000")
    theirs = process("-c", "import numba")
    ours()
    return take_turns(
        "import numba / tesuji search connect4 --sims 1000 (runs a second)",
        theirs,
        ours,
        rounds,
        "the ratio is the multiple; at most 3",
    )


def main() -> None:
    print(HEADER)
    print(compare().row())


if __name__ == "__main__":
    main()
