"""Players: whoever can choose a move.

`Player` is the whole protocol; the searches and the random player are here, the Go program in
``gtp_player.py``.  How users name players is in ``entrant.py``.
"""

from abc import ABC, abstractmethod
from copy import copy
from typing import NamedTuple

from tesuji import play
from tesuji.compile import draw_below, stream
from tesuji.errors import ConfigError
from tesuji.game import Game
from tesuji.lab.budget import Budget, Clock
from tesuji.position import Position
from tesuji.search.config import SearchConfig
from tesuji.searcher import Searcher

GTP_SEEDS = 2**31  # as many as the protocol knows


class Choice(NamedTuple):
    """A move with what the player knows about it; ``move`` is None when it resigns."""

    move: int | None
    value: float | None = None  #: the player's own estimate, 0 to 1
    simulations: int = 0


class ForfeitError(Exception):
    """A player loses the game for what it did: ``reason`` in a word or two, ``detail`` in full."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class Player(ABC):
    """Chooses moves.  Only `choose` must be written::

    class Greedy(Player):
        def choose(self, position, clock):
            return Choice(max(position.moves, key=...))

    def player(game, depth: int = 2):      # options are given as greedy.py@depth=3
        return Greedy()
    """

    version: str = ""  #: of an external program, as it says itself; kept with every game

    def begin(self, position: Position, seed: int, budget: Budget) -> None:  # noqa: B027
        """A new game begins; all random choices of it must come from ``seed``."""

    @abstractmethod
    def choose(self, position: Position, clock: Clock) -> Choice:
        """The move to play; ``clock.limit`` says what it may cost.  May raise `ForfeitError`."""

    def close(self) -> None:  # noqa: B027
        """The player is not needed any more."""


class RandomPlayer(Player):
    """Plays any legal move, each with the same probability."""

    def begin(self, position: Position, seed: int, budget: Budget) -> None:
        self._rng = stream(seed, "random player")

    def choose(self, position: Position, clock: Clock) -> Choice:
        return Choice(position.moves[draw_below(self._rng, len(position.moves))])


class SearchPlayer(Player):
    """Plays what a bare search says, which has exactly its limit for every move."""

    def __init__(self, game: Game, config: SearchConfig) -> None:
        self.searcher = Searcher(game, config)
        self.searcher.prepare()

    def begin(self, position: Position, seed: int, budget: Budget) -> None:
        self.searcher.seed = seed
        self.searcher.forget()

    def choose(self, position: Position, clock: Clock) -> Choice:
        limit = clock.limit
        if limit is None:
            raise ConfigError("a search needs a limit: sims, seconds or game_seconds")
        decision = self.searcher.search(position, limit)
        return Choice(decision.move, decision.value, decision.simulations)


class WholePlayer(Player):
    """The player of `tesuji.play`, as over GTP: stops early, passes and resigns by itself.

    In the place of a ``tesuji gtp`` with the same settings and limit it plays the same games.
    """

    def __init__(self, game: Game, config: SearchConfig, options: play.Options) -> None:
        self.player = play.Player(game, config, options=options)
        self.player.prepare()

    def begin(self, position: Position, seed: int, budget: Budget) -> None:
        self.player.begin(seed % GTP_SEEDS)

    def choose(self, position: Position, clock: Clock) -> Choice:
        self.player.limit = clock.budget.limit
        thought = self.player.think(position, copy(clock.game))
        decision = thought.decision
        move = None if thought.resigns else thought.move
        return Choice(move, decision.value, decision.simulations)
