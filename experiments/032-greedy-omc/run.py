"""How greedy should OMC be with one player, and does its tree reach the end of the game?

    python experiments/032-greedy-omc/run.py

Chaslot (2010, appendix A) finds 50 to 100 best for production management problems, and that the
whole best line then consists of moves that the tree has selected.
"""

from statistics import mean

from tesuji import Limit, SearchConfig, Searcher, start
from tesuji.search.decide import records
from tesuji.search.tree import ROOT

PROBLEMS = [f"production:n=8,seed={seed}" for seed in range(20)]
SIMULATIONS = 20_000
GREEDS = (1.0, 5.0, 20.0, 50.0, 75.0, 100.0, 200.0)


def moves_in_tree(searcher: Searcher, line: list[int]) -> int:
    """How many moves of a line have nodes in the tree."""
    index, nodes = ROOT, searcher.tree.nodes
    for depth, move in enumerate(line):
        found = [n for n in records(searcher.tree, index).tolist() if nodes[n]["move"] == move]
        if not found or nodes[found[0]]["visits"] == 0:
            return depth
        index = found[0]
    return len(line)


def run(problem: str, config: SearchConfig) -> tuple[float, float]:
    """The best score, and the share of its line that is in the tree."""
    position = start(problem)
    searcher = Searcher(position.game, config, seed=1)
    decision = searcher.search(position, Limit(SIMULATIONS))
    assert decision.best_line is not None
    assert decision.best_score is not None
    line = [position.game.parse_move(text) for text in decision.best_line]
    return decision.best_score, moves_in_tree(searcher, line) / len(line)


def main() -> None:
    print("| search | mean score | share of the best line in the tree |\n|---|---|---|")
    rows = {"UCT, c = 0.35": SearchConfig()}
    for greed in GREEDS:
        rows[f"OMC, G = {greed:g}"] = SearchConfig(select="omc", greed=greed)
    for name, config in rows.items():
        found = [run(problem, config) for problem in PROBLEMS]
        scores, shares = zip(*found, strict=True)
        print(f"| {name} | {mean(scores):.1f} | {100 * mean(shares):.0f} % |", flush=True)


if __name__ == "__main__":
    main()
