"""A game in progress with its clocks and a `Player`: what the commands of the protocol work on.

`Engine` follows GTP where that is freer than our positions: a player may move twice in a row, and a
game goes on after two passes.  Whatever fails leaves everything as it was.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace

from tesuji.engines.notation import Notation
from tesuji.engines.server import GtpError
from tesuji.errors import GameError
from tesuji.game import Game
from tesuji.games.go.rulesets import Retelling, variant
from tesuji.games.go.setup import to_move
from tesuji.games.go.status import Owners
from tesuji.play.clock import LAG, Clock, TimeSettings
from tesuji.play.player import Options, Player, Thought
from tesuji.position import Position
from tesuji.search.config import SearchConfig
from tesuji.search.decide import Decision, Variation
from tesuji.search.limit import Limit
from tesuji.search.slices import PROGRESS_SECONDS
from tesuji.searcher import Progress


@dataclass(frozen=True)
class Setup:
    """What to play, and how to think."""

    game: Game
    config: SearchConfig
    seed: int = 0
    limit: Limit | None = None
    options: Options = field(default_factory=Options)
    lag: float = LAG  #: seconds that a move may cost beyond its thinking

    def player(self) -> Player:
        """Somebody who thinks like this, ready to begin: all is compiled."""
        player = Player(
            self.game, self.config, seed=self.seed, limit=self.limit, options=self.options
        )
        player.prepare()
        return player


class Engine:
    """A game in progress."""

    def __init__(self, setup: Setup) -> None:
        if setup.game.chance is not None:
            raise GameError(f"{setup.game.spec} has dice, which GTP cannot play")
        self.setup = setup
        self.computer = setup.player()
        self.notation = Notation(setup.game)
        self.position = Position.start(setup.game)
        self._before: list[Position] = []  # what undo leads to, the last first to go
        self.thoughts: dict[Position, Decision] = {}  #: of its own moves, by where they led
        self.set_time(TimeSettings())
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
        self.computer.halt()
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
            raise _illegal(f"{self.notation.colour(player)} cannot play {self.notation.text(move)}")
        self._enter(position.play(move))

    def undo(self) -> None:
        """Take back what `play` did last."""
        if not self._before:
            raise GtpError("cannot undo: there is no move to take back")
        self.computer.halt()
        self.thoughts.pop(self.position, None)
        self.position = self._before.pop()

    def turn(self, player: int) -> Position:
        """This position with the player to move, also out of turn and after two passes."""
        position = _reopened(self.position)
        if position.mover != player:
            position = _given_turn(position, player)
        if position.over:
            raise _illegal(f"the game is over: {position.result_text()}")
        if position.mover != player:
            raise _illegal(f"{self.notation.colour(position.mover)} is to move")
        return position

    def _enter(self, position: Position) -> None:
        self.computer.halt()
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
        clock = self.clocks[player]
        return self.computer.think(
            self.turn(player),
            copy(clock) if rehearsal else clock,
            progress,
            interval=interval,
            until=self.interrupted,
            cleanup=cleanup,
        )

    def look(self) -> Position:
        """Search this position, unless that is what was searched last; the position."""
        position = self.turn(self.position.mover)
        if self.computer.seen is not position:
            self.think(position.mover, rehearsal=True)
        return position

    def answer(self, thought: Thought) -> str:
        """Play what was thought of; the move, or ``resign``, as GTP writes it."""
        if thought.resigns:
            return "resign"
        move = thought.decision.move
        self._enter(thought.position.play(move))
        self.thoughts[self.position] = thought.decision
        self.computer.ponder(self.position)
        return self.notation.text(move)

    def variations(self, most: int) -> list[Variation]:
        """The best moves of the last search with their main lines, as GTP writes them."""
        retell = self.notation.retell
        return [
            replace(
                variation,
                child=replace(variation.child, text=retell(variation.child.text)),
                line=tuple(map(retell, variation.line)),
            )
            for variation in self.computer.variations(most)
        ]

    def settle(self) -> Owners | None:
        """Who will own which point of the board; None if there is nothing left to play."""
        return self.computer.settle(_reopened(self.position))

    def owners(self) -> Owners | None:
        """Who owned which point at the end of the playouts of the last search, if that is known."""
        return self.computer.ownership()

    # --- settings

    def change(self, setup: Setup) -> None:
        """Think in another way from now on, about the same position."""
        computer = setup.player()
        self.computer.halt()
        self.setup, self.computer = setup, computer

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


def _illegal(why: str) -> GtpError:
    """The protocol's words for a move that is not legal."""
    return GtpError(f"illegal move: {why}")


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
