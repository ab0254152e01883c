"""A game in progress and who thinks about it: what the commands of the protocol work on.

`Engine` follows GTP where that is freer than our positions: a player may move twice in a row, and a
game goes on after two passes.  Whatever fails leaves everything as it was.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace

from tesuji.engines.clock import LAG, Clock, TimeSettings
from tesuji.engines.notation import Notation
from tesuji.engines.thinking import Options, Thinker, Thought
from tesuji.errors import GameError, MoveError
from tesuji.game import Game
from tesuji.games.go.rulesets import Retelling, variant
from tesuji.games.go.setup import to_move
from tesuji.games.go.status import Owners
from tesuji.position import Position
from tesuji.search.config import SearchConfig
from tesuji.search.decide import Decision, Variation
from tesuji.search.limit import Limit
from tesuji.searcher import PROGRESS_SECONDS, Progress, Searcher

SETTLE = 500  # simulations that show which stones can be captured
REFEREE = SearchConfig(ownership=True, memory_mb=20)


@dataclass(frozen=True)
class Setup:
    """What to play, and how to think."""

    game: Game
    config: SearchConfig
    seed: int = 0
    limit: Limit | None = None
    options: Options = field(default_factory=Options)
    lag: float = LAG  #: seconds that a move may cost beyond its thinking

    def thinker(self) -> Thinker:
        """Somebody who thinks like this, ready to begin: all is compiled."""
        thinker = Thinker(
            self.game, self.config, seed=self.seed, limit=self.limit, options=self.options
        )
        thinker.prepare()
        return thinker


class Engine:
    """A game in progress."""

    def __init__(self, setup: Setup) -> None:
        if setup.game.chance is not None:
            raise GameError(f"{setup.game.spec} has dice, which GTP cannot play")
        self.setup = setup
        self.thinker = setup.thinker()
        self.notation = Notation(setup.game)
        self.position = Position.start(setup.game)
        self._before: list[Position] = []  # what undo leads to, the last first to go
        self.thoughts: dict[Position, Decision] = {}  #: of its own moves, by where they led
        self.set_time(TimeSettings())
        self._seen: Position | None = None  # what was searched last
        self.interrupted: Callable[[], bool] = lambda: False  #: asked while it thinks: answer now?

    @property
    def game(self) -> Game:
        return self.setup.game

    # --- the game

    def clear(self) -> None:
        """Begin again, with all the time."""
        self.begin(Position.start(self.game))
        self.set_time(self._time)

    def begin(self, position: Position) -> None:
        """Go on from a position of the same game; the moves that led there can be taken back."""
        self.thinker.halt()
        self._before = []
        self.thoughts = {}
        self.position = position
        while position.previous is not None:
            position = position.previous
            # Who moved out of turn was given the turn first: one step, as it was when played.
            if position.move is not None or position.previous is None:
                self._before.insert(0, position)

    @property
    def played(self) -> int:
        """How many moves were played, also out of turn, and can be taken back."""
        return len(self._before)

    def play(self, player: int, move: int) -> None:
        """Let a player move, also out of turn."""
        position = self.turn(player)
        if move not in position.moves:
            raise MoveError(
                f"{self.notation.colour(player)} cannot play {self.notation.text(move)}"
            )
        self._enter(position.play(move))

    def undo(self) -> None:
        """Take back what `play` did last."""
        if not self._before:
            raise MoveError("there is no move to take back")
        self.thinker.halt()
        self.thoughts.pop(self.position, None)
        self.position = self._before.pop()

    def turn(self, player: int) -> Position:
        """This position with the player to move, also out of turn and after two passes."""
        position = _reopened(self.position)
        if position.mover != player:
            position = _given_turn(position, player)
        if position.over:
            raise MoveError(f"the game is over: {position.result_text()}")
        if position.mover != player:
            raise MoveError(f"{self.notation.colour(position.mover)} is to move")
        return position

    def _enter(self, position: Position) -> None:
        self.thinker.halt()
        self._before.append(self.position)
        self.position = position

    # --- thinking

    def set_time(self, settings: TimeSettings) -> None:
        """Give every player this time, now and in games to come."""
        self.clocks = [Clock(settings, lag=self.setup.lag) for _ in range(self.game.players)]
        self._time = settings

    def think(
        self,
        player: int,
        progress: Progress | None = None,
        *,
        interval: float = PROGRESS_SECONDS,
        cleanup: bool = False,
        rehearsal: bool = False,
    ) -> Thought:
        """What to play now, without playing it; a rehearsal leaves the player's clock alone."""
        position = self.turn(player)
        self._seen = position
        clock = self.clocks[player]
        return self.thinker.think(
            position,
            copy(clock) if rehearsal else clock,
            progress,
            interval=interval,
            until=self.interrupted,
            cleanup=cleanup,
        )

    def analyse(
        self, position: Position, tell: Progress, interval: float, until: Callable[[], bool]
    ) -> None:
        """Think until somebody says so, and report every ``interval`` seconds."""
        self._seen = position
        self.thinker.analyse(position, tell, interval, until)

    def look(self) -> Position:
        """Search this position, unless that is what was searched last; the position."""
        position = self.turn(self.position.mover)
        if self._seen is not position:
            self.think(position.mover, rehearsal=True)
        return position

    def answer(self, player: int, thought: Thought) -> str:
        """Play what was thought of; the move, or ``resign``, as GTP writes it."""
        if thought.resigns:
            return "resign"
        self.play(player, thought.decision.move)
        self.thoughts[self.position] = thought.decision
        self._seen = None
        self.thinker.ponder(self.position)
        return self.notation.text(thought.decision.move)

    def variations(self, most: int) -> list[Variation]:
        """The best moves of the last search with their main lines, as GTP writes them."""
        retell = self.notation.retell
        return [
            replace(
                variation,
                child=replace(variation.child, text=retell(variation.child.text)),
                line=tuple(map(retell, variation.line)),
            )
            for variation in self.thinker.searcher.variations(most)
        ]

    def summary(self) -> tuple[int, float]:
        """The visits of the position of the last search, and its value to the player to move."""
        children = self.thinker.searcher.decision().children
        visits = sum(child.visits for child in children)
        return visits, sum(child.visits * child.value for child in children) / visits

    def settle(self) -> Owners | None:
        """Who will own which point of the board; None if there is nothing left to play."""
        position = _reopened(self.position)
        self.thinker.halt()
        searcher = self._referee()
        if self._seen is not position or searcher.simulations < SETTLE:
            searcher.search(position, Limit(simulations=SETTLE))
            self._seen = position if searcher is self.thinker.searcher else None
        return searcher.ownership()

    def _referee(self) -> Searcher:
        """Who judges the end: the thinker, or a plain search where that cannot tell."""
        if _sees_the_end(self.setup.config):
            return self.thinker.searcher
        return Searcher(self.game, REFEREE, seed=self.setup.seed)

    def owners(self) -> Owners | None:
        """Who owned which point at the end of the playouts of the last search, if that is known."""
        return self.thinker.ownership()

    # --- settings

    def change(self, setup: Setup) -> None:
        """Think in another way from now on, about the same position."""
        thinker = setup.thinker()
        self.thinker.halt()
        self.setup, self.thinker, self._seen = setup, thinker, None

    def change_game(self, game: Game) -> None:
        """Play another game, from its start."""
        self.change(replace(self.setup, game=game))
        self.notation = Notation(game)
        self.clear()

    def change_rules(self, **changes: object) -> None:
        """Go: play with other komi, suicide or superko, from now on and in this game."""
        game = variant(self.game, **changes)
        if game.parameters == self.game.parameters:
            return
        retell = Retelling(game)  # first of all: it refuses what is not legal under these rules
        before = [retell(position) for position in self._before]
        thoughts = {retell(position): thought for position, thought in self.thoughts.items()}
        position = retell(self.position)
        self.change(replace(self.setup, game=game))
        self.notation = Notation(game)
        self._before, self.thoughts, self.position = before, thoughts, position


def _sees_the_end(config: SearchConfig) -> bool:
    """Do simulations count owners, and play on until dead stones have been taken?"""
    whole = config.playout_cap == 0 and config.decide == 0 and config.expand != "game"
    return config.ownership and whole and config.solver == "off" and not config.decisive


def _reopened(position: Position) -> Position:
    """The position without the two passes that have ended the game."""
    before, passed = position.previous, position.game.pass_move
    if position.over and before is not None and position.move == before.move == passed:
        return before.undo()
    return position


def _given_turn(position: Position, player: int) -> Position:
    """The position with another player to move, as far as the game allows it.

    With territory nobody passes for that: a pass in answer would end the game.
    """
    if position.game.territory is not None:
        return to_move(position, player)
    passed = position.game.pass_move
    return _reopened(position.play(passed)) if passed in position.moves else position
