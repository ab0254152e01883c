"""Full UCT simulations a second against OpenSpiel's C++ MCTSBot with one random rollout.

    python -m bench.openspiel [GAME ...]

Both sides search the start position with one thread, from an empty tree, with the same exploration
and for the same number of simulations: as many as OpenSpiel makes in a quarter of a second.  CPU
time counts.  Ours is faster, so it searches several times a turn.
"""

import sys
import time
from itertools import count

import pyspiel

from bench.turns import HEADER, Ratio, Side, take_turns
from tesuji import Limit, SearchConfig, Searcher, start

SECONDS = 0.25
EXPLORATION = 2 * SearchConfig().c  # OpenSpiel's values are in [-1, 1]: the same selection
ROUNDS = 15
PAIRS = {
    "go": ("go:size=9,komi=7.5", "go(board_size=9,komi=7.5)"),
    "hex": ("hex:size=11", "hex(board_size=11)"),
    "breakthrough": ("breakthrough", "breakthrough"),
    "connect4": ("connect4", "connect_four"),
    "havannah": ("havannah:size=8", "havannah(board_size=8)"),
    "amazons": ("amazons", "amazons"),
}


def our_side(spec: str, simulations: int) -> Side:
    """Search the start position again and again, each time from an empty tree."""
    position = start(spec)
    searcher = Searcher(position.game)
    searcher.prepare()

    def turn() -> float:
        done = 0
        begin = time.process_time()
        while (seconds := time.process_time() - begin) < SECONDS:
            searcher.forget()
            done += searcher.search(position, Limit(simulations=simulations)).simulations
        return done / seconds

    return turn


def their_side(name: str, simulations: int) -> Side:
    """One search a turn, each with a new seed."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    seeds = count()

    def turn() -> float:
        seed = next(seeds)
        rollout = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, rollout, EXPLORATION, simulations, 4000, False, seed, False)
        begin = time.process_time()
        bot.mcts_search(state)
        return simulations / (time.process_time() - begin)

    return turn


def compare(name: str, rounds: int = ROUNDS) -> Ratio:
    """One row of the table."""
    spec, spiel = PAIRS[name]
    simulations = max(50, round(their_side(spiel, 100)() * SECONDS))
    return take_turns(
        f"UCT, {spec}, searches of {simulations:,} simulations",
        our_side(spec, simulations),
        their_side(spiel, simulations),
        rounds,
        "OpenSpiel's C++ MCTSBot",
    )


def main() -> None:
    print(HEADER)
    for name in sys.argv[1:] or PAIRS:
        print(compare(name).row(), flush=True)


if __name__ == "__main__":
    main()
