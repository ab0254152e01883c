"""What trees weigh: bytes a visited node, wide games, and a bound that is kept.

python -m bench.memory
"""

from tesuji import Limit, SearchConfig, Searcher, start
from tesuji.search.tree import reserved_bytes

HEADER = (
    "| search | simulations | nodes | MB used | bytes a visited node | bound MB | reserved MB |\n"
    "|---|---|---|---|---|---|---|"
)
CASES = [
    ("connect4", 100_000, None),
    ("go:size=9", 100_000, None),
    ("go:size=19", 100_000, None),
    ("amazons", 25_000, None),
    ("go:size=9", 2_000_000, 50.0),
]


def measure(spec: str, simulations: int, bound: float | None) -> str:
    """One row of the table."""
    config = SearchConfig() if bound is None else SearchConfig(memory_mb=bound)
    searcher = Searcher(start(spec).game, config)
    decision = searcher.search(start(spec), Limit(simulations=simulations))
    reserved = reserved_bytes(searcher.tree) / 1e6
    return (
        f"| {spec} | {simulations:,} | {decision.nodes:,} | {decision.bytes / 1e6:.1f} "
        f"| {decision.bytes / decision.nodes:.1f} | {bound or '-'} "
        f"| {f'{reserved:.1f}' if bound else '-'} |"
    )


def main() -> None:
    print(HEADER)
    for case in CASES:
        print(measure(*case), flush=True)


if __name__ == "__main__":
    main()
