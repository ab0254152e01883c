"""How good are the methods for one player, with the same number of playouts?

    python experiments/031-one-player/run.py          # plays what is missing, prints the tables

Results are kept in ``results.jsonl`` beside this file, a line a run, so that it can be stopped and
started again.
"""

import json
from pathlib import Path
from statistics import mean

from tesuji import start
from tesuji.planning import read_method, solve

KEPT = Path(__file__).with_name("results.jsonl")
#: name: method and settings
METHODS = {
    "random": "random",
    "greedy": "greedy",
    "UCT": "uct",
    "single-player UCT": "sp-uct",
    "greedy OMC": "omc-greedy",
    "nested, level 2": "nested level=2",
    "nested, level 3": "nested level=3",
    "NRPA, level 3": "nrpa level=3",
}
TABU = {
    "random, tabu": "random playout=tabu",
    "UCT, tabu": "uct playout=tabu",
    "single-player UCT, tabu": "sp-uct playout=tabu",
    "nested, level 2, tabu": "nested level=2 playout=tabu",
}
#: title: games, seeds of the search, playouts, methods
TABLES = {
    "SameGame, 20 boards": ([f"samegame:seed={n}" for n in range(20)], 1, 50_000, METHODS | TABU),
    "Morpion 5T": (["morpion:rule=5T"], 5, 50_000, METHODS),
    "Morpion 5D": (["morpion:rule=5D"], 5, 50_000, METHODS),
    **{
        f"Production, n = {n}, 10 problems": (
            [f"production:n={n},seed={seed}" for seed in range(10)],
            1,
            20_000,
            METHODS,
        )
        for n in (4, 8, 16)
    },
}


def known() -> dict[str, float]:
    """The scores of runs that have been made."""
    if not KEPT.exists():
        return {}
    rows = [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()]
    return {row["run"]: row["score"] for row in rows}


def score(game: str, method: str, seed: int, playouts: int, done: dict[str, float]) -> float:
    """One run, made or remembered."""
    run = f"{game} {method} seed={seed} playouts={playouts}"
    if run not in done:
        name, *settings = method.split()
        found = solve(start(game), read_method(name, settings), simulations=playouts, seed=seed)
        assert found.replay().score == found.score
        done[run] = found.score
        with KEPT.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"run": run, "score": found.score}) + "\n")
    return done[run]


def main() -> None:
    done = known()
    for title, (games, seeds, playouts, methods) in TABLES.items():
        print(f"\n## {title}, {playouts:,} playouts\n\n| method | mean | best |\n|---|---|---|")
        for name, method in methods.items():
            scores = [
                score(game, method, seed, playouts, done) for game in games for seed in range(seeds)
            ]
            print(f"| {name} | {mean(scores):,.1f} | {max(scores):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
