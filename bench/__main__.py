"""Run all benchmarks and write ``bench/results.md``.

    python -m bench

Every figure is a ratio of two sides that take turns in one run, with its quartiles: this says more
about the code than absolute times do, which say much about the machine.
"""

from datetime import UTC, datetime
from pathlib import Path

import tesuji
from bench import (
    go_playouts,
    matches,
    memory,
    methods,
    nested,
    openspiel,
    own_game,
    parallel,
    startup,
    turns,
)
from tesuji.identity import machine, of_package

RESULTS = Path(__file__).parent / "results.md"


def main() -> None:
    lines = ["# Benchmark results", "", _machine(), "", turns.HEADER]
    print(turns.HEADER)
    ratios = [
        go_playouts.compare_all,
        *(lambda name=name: [openspiel.compare(name)] for name in openspiel.PAIRS),
        lambda: [own_game.compare()],
        lambda: [startup.compare()],
        methods.compare_all,
        nested.compare_all,
        parallel.compare_all,
        lambda: [matches.compare()],
    ]
    for measure in ratios:
        for ratio in measure():
            print(ratio.row(), flush=True)
            lines.append(ratio.row())
    lines += ["", "## Memory of the tree", "", memory.HEADER]
    print(memory.HEADER)
    for case in memory.CASES:
        lines.append(memory.measure(*case))
        print(lines[-1], flush=True)
    lines += ["", "## Matches", "", matches.SHARE_HEADER, matches.share()]
    print("\n".join(lines[-2:]))
    RESULTS.write_text("\n".join([*lines, ""]))
    print(f"written to {RESULTS}")


def _machine() -> str:
    """What was measured, where and when."""
    return (
        f"tesuji {tesuji.__version__}, code `{of_package()}`, {machine()}, "
        f"{datetime.now(UTC):%Y-%m-%d}. "
        "One thread, warm, the two sides interleaved; *ratio* is the median of the ratios of "
        "neighbouring turns, rates are per CPU second."
    )


if __name__ == "__main__":
    main()
