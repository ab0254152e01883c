"""How often does a search find the move that RAVE undervalues?

    python experiments/013-rave-failure/run.py            # prints the table of the README

White to play; the only move is B2 (Hoock 2013, section 6.1; also a regression test of Fuego).  It
is good only as the first move, so AMAF values speak against it.
"""

from itertools import zip_longest

from tesuji import Limit, Position, SearchConfig, Searcher, load, methods

BOARD = """
. . . . O X . O .
. . X X O X O X .
. X . X . O O . O
. X . X X X X O .
. X . X O O X X O
O X X O . O O X .
O O O O O O X O .
X . O O X O X X .
. X O X X X X X .
"""
ONLY = "B2"
SEEDS = 20
BUDGETS = (1_000, 4_000, 16_000, 64_000)
KNOWING = {"playout": "sequence", "weights": "tesuji"}
METHODS = {
    "UCT": SearchConfig(),
    "RAVE, equivalence": SearchConfig(rave="equivalence", c=0.0, expand_visits=4),
    "RAVE, least squared error": SearchConfig(rave="mse", c=0.0, expand_visits=4),
    "UCT, playouts that know Go": SearchConfig(**KNOWING),
    "UCT, the same and tactics as prior": SearchConfig(
        **KNOWING, knowledge="tactics", prior_visits=20.0
    ),
    "RAVE, playouts that know Go": SearchConfig(**KNOWING, rave="mse", c=0.0, expand_visits=4),
    "tesuji": methods.load("tesuji"),
}


def stones(symbol: str) -> list[str]:
    """The points with a player's stones."""
    return [
        f"{column}{9 - row}"
        for row, line in enumerate(BOARD.split("\n")[1:10])
        for column, content in zip("ABCDEFGHJ", line.split(), strict=True)
        if content == symbol
    ]


def set_up() -> Position:
    """The position, reached by placing the stones in turn; who has none left passes.

    Every order will do: no chain of the position is captured, so none of its parts is, either.
    """
    moves = [
        stone or "pass"
        for pair in zip_longest(stones("X"), stones("O"))  # Black begins
        for stone in pair
    ]
    return Position.start(load("go:komi=7.5")).play(*moves[:-1])  # White has not passed yet


def found(position: Position, config: SearchConfig, simulations: int) -> int:
    """How many of the seeds play the only move."""
    hits = 0
    for seed in range(SEEDS):
        searcher = Searcher(position.game, config, seed=seed)
        hits += searcher.search(position, Limit(simulations)).text == ONLY
    return hits


def main() -> None:
    position = set_up()
    print("| |", " | ".join(f"{n:,} simulations" for n in BUDGETS), "|")
    print("|---|" + "---|" * len(BUDGETS))
    for name, config in METHODS.items():
        cells = [f"{found(position, config, n)} of {SEEDS}" for n in BUDGETS]
        print(f"| {name} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
