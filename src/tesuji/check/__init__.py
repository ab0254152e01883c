"""Does a game keep the contract?  ``tesuji check-game my_game.py`` plays random games to find out.

===============  ===================================================================================
``trail.py``     the moves of such a game, and the words for what is broken after them
``rules.py``     the rules: every position uncompiled and compiled, from all sides
``facets.py``    what the game declares beside them, on the same games: board, symmetries, keys ...
===============  ===================================================================================

The first broken rule is reported in words that a game's author understands, with the moves that
lead to it.
"""

import numpy as np

from tesuji.check.facets import FacetsWalk
from tesuji.check.rules import GameCheck, RulesWalk
from tesuji.compile import stream
from tesuji.errors import ConfigError, ContractError
from tesuji.game import Game
from tesuji.position import Position
from tesuji.search.limit import Limit
from tesuji.searcher import Searcher

SIMULATIONS = 100

__all__ = ["GameCheck", "check_game"]


def check_game(game: Game, *, games: int = 20, seed: int = 0) -> GameCheck:
    """Play random games and raise `ContractError` for the first broken rule."""
    if games < 1:
        raise ConfigError(f"games is {games}, it must be 1 or more")
    report = GameCheck(game, games)
    with np.errstate(over="ignore"):
        lines = [
            RulesWalk(game, report, stream(seed, "check", number)).play() for number in range(games)
        ]
        if report.unfinished > games // 2:
            raise ContractError(
                f"the game never seems to end: {report.unfinished} of {games} random games were "
                f"not over after max_length = {game.max_length} moves; does over() become true?"
            )
        _compare_searches(game, seed)
        looks: dict[int, object] = {}
        for number, line in enumerate(lines):
            FacetsWalk(game, looks, stream(seed, "facets", number)).follow(line)
    return report


def _compare_searches(game: Game, seed: int) -> None:
    """The same seed must give the same tree, compiled and uncompiled."""
    start = Position.start(game)
    if start.over:
        return
    limit = Limit(simulations=SIMULATIONS)
    plain, compiled = (
        Searcher(game, seed=seed, jit=jit).search(start, limit) for jit in (False, True)
    )
    if compiled.children != plain.children:
        raise ContractError(
            f"the same search gives {compiled.text} compiled and {plain.text} uncompiled: "
            "some kernel computes with numbers that overflow"
        )
