"""Tree search for one player: the whole budget goes into one tree, and the best line is kept.

Searching move by move, as against an opponent, would give up what was found: nobody answers, so the
best game that was seen can be played as it is.
"""

from collections.abc import Callable

from tesuji.errors import ConfigError
from tesuji.planning.solution import Found
from tesuji.position import Position
from tesuji.search.config import SearchConfig
from tesuji.search.limit import Limit
from tesuji.searcher import Searcher


class Tree:
    """A tree search from one position; it can be stopped and taken up again."""

    def __init__(
        self, position: Position, config: SearchConfig, seed: int, jit: bool | None
    ) -> None:
        self._position = position
        self._searcher = Searcher(position.game, config, seed=seed, jit=jit)
        self._searcher.prepare()

    def run(self, limit: Limit, tell: Callable[[], None]) -> None:
        """Search until the limit is reached; call ``tell`` twice a second."""
        self._searcher.search(self._position, limit, progress=lambda _: tell())

    def found(self) -> Found | None:
        """The best line so far, if a game has been finished."""
        try:
            decision = self._searcher.decision()
        except ConfigError:  # stopped before the first simulation
            return None
        if decision.best_score is None or decision.best_line is None:
            return None
        return Found(
            decision.best_score, decision.best_line, decision.simulations, decision.seconds
        )
