"""Does a game keep the contract?  ``tesuji check-game my_game.py`` plays random games to find out.

Every position of these games is looked at twice: uncompiled, where a write beyond an array is
caught, and compiled, where the result must be the same.  The first broken rule is reported in words
that a game's author understands, with the moves that lead to it.
"""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tesuji.compile import below, stream
from tesuji.compile.plain import view
from tesuji.errors import ContractError
from tesuji.game import CHANCE, Game, Playout, unpainted
from tesuji.position import Position
from tesuji.search.limit import Limit
from tesuji.searcher import Searcher

TEXTS = 200  # moves of a position whose notation is tried; wide games have thousands
SIMULATIONS = 200


@dataclass
class Report:
    """What was looked at, when no rule was broken."""

    game: Game
    games: int
    positions: int = 0
    longest: int = 0
    widest: int = 0
    unfinished: int = 0
    seen: dict[Any, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return (
            f"{self.game.spec}: {self.games} random games with {self.positions:,} positions keep "
            f"the contract, compiled and uncompiled (longest {self.longest} moves, "
            f"at most {self.widest} moves to choose from)"
        )


def check_game(game: Game, *, games: int = 20, seed: int = 0) -> Report:
    """Play random games and raise `ContractError` for the first broken rule."""
    report = Report(game, games)
    for number in range(games):
        with np.errstate(over="ignore"):
            _Walk(game, report, stream(seed, "check", number)).play()
    if report.unfinished > games // 2:
        raise ContractError(
            f"the game never seems to end: {report.unfinished} of {games} random games were not "
            f"over after max_length = {game.max_length} moves; does over() become true?"
        )
    _compare_searches(game, seed)
    return report


class _Walk:
    """One random game, each position examined from all sides."""

    def __init__(self, game: Game, report: Report, rng: Any) -> None:
        self.game = game
        self.report = report
        self.rng = view(rng)
        self.position: Position | None = None
        self.state = view(np.zeros(1, game.state))
        self.texts: list[str] = []

    def play(self) -> None:
        self.call("start", self.game.start)
        self.position = Position.start(self.game, jit=True)
        for _ in range(self.game.max_length):
            self.look()
            if self.position.over:
                break
            self.advance()
        else:
            self.report.unfinished += not self.position.over
        self.report.longest = max(self.report.longest, len(self.texts))

    def look(self) -> None:
        """Check everything that can be asked about this position."""
        self.report.positions += 1
        self.rewards()
        over = self.call("over", self.game.over)
        mover = self.mover()
        moves = self.moves("moves") if not over else []
        self.compare(bool(over), mover, moves)
        if over:
            return
        self.candidates(moves)
        self.text(moves)
        self.hash(mover, moves)
        if mover == CHANCE:
            self.member("chance", self.call("chance", self.game.chance, self.rng), moves)
            return
        for name, policy in self.game.policies.items():
            playout = view(_playout(self.game))
            move = self.call(f"policy {name}", policy, playout, self.rng)
            self.member(f"policy {name}", move, self.moves("candidates"))

    def advance(self) -> None:
        assert self.position is not None
        legal = self.position.moves
        move = legal[int(below(self.rng, len(legal)))]
        self.texts.append(self.game.move_text(move))
        self.call("play", self.game.play, move)
        self.position = self.position.play(move)

    def call(self, name: str, function: Callable[..., Any] | None, *arguments: Any) -> Any:
        """Run one of the author's functions uncompiled; what it raises is a broken rule."""
        assert function is not None
        try:
            return function(self.state[0], *arguments)
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            raise self.broken(
                f"{name}() raised {type(error).__name__}: {error} ({place.filename}:{place.lineno})"
            ) from error

    def broken(self, what: str) -> ContractError:
        where = " ".join(self.texts[-12:])
        after = f"after {len(self.texts)} moves (... {where})" if where else "at the start"
        return ContractError(f"{what}, {after}")

    def mover(self) -> int:
        mover = self.call("mover", self.game.mover)
        lowest = CHANCE if self.game.chance is not None else 0
        if not lowest <= mover < self.game.players:
            hint = " (dice need a chance kernel)" if mover == CHANCE else ""
            raise self.broken(f"mover() is {mover}, it must be 0 to {self.game.players - 1}{hint}")
        return int(mover)

    def moves(self, name: str) -> list[int]:
        """The moves that a kernel lists, checked for number, range and doubles."""
        kernel = getattr(self.game, name) or self.game.moves
        most = self.game.max_moves
        out = view(np.full(most, -1, np.int32))
        try:
            count = kernel(self.state[0], out)
        except IndexError as error:
            if f"size {most}" not in str(error):
                self.call(name, kernel, view(np.zeros(most, np.int32)))
            raise self.broken(f"{name}() writes more than max_moves = {most} moves") from error
        except Exception:
            self.call(name, kernel, view(np.zeros(most, np.int32)))
            raise
        if not 1 <= count <= most:
            raise self.broken(
                f"{name}() returned {count} in a game that goes on, "
                f"it must be 1 to max_moves = {most}"
            )
        found: list[int] = out[:count].tolist()
        for move in found:
            if not 0 <= move < self.game.move_codes:
                raise self.broken(
                    f"{name}() lists move code {move}, it must be 0 to {self.game.move_codes - 1}"
                )
        if len(set(found)) < len(found):
            double = next(move for move in found if found.count(move) > 1)
            raise self.broken(f"{name}() lists {self.game.move_text(double)} twice")
        again = view(np.zeros(most, np.int32))
        kernel(self.state[0], again)
        if again[:count].tolist() != found:
            raise self.broken(f"{name}() lists other moves when it is called a second time")
        self.report.widest = max(self.report.widest, len(found))
        return found

    def member(self, name: str, move: int, moves: list[int]) -> None:
        if move not in moves:
            raise self.broken(f"{name}() returned {move}, which is not among the moves listed")

    def candidates(self, moves: list[int]) -> None:
        if self.game.candidates is not None:
            for move in self.moves("candidates"):
                self.member("candidates", move, moves)

    def rewards(self) -> None:
        out = view(np.full(self.game.players, np.nan))
        self.call("rewards", self.game.rewards, out)
        for player in range(self.game.players):
            if not 0.0 <= out[player] <= 1.0:
                value = "not written" if np.isnan(out[player]) else f"{out[player]}"
                raise self.broken(f"the reward of player {player} is {value}, it must be 0 to 1")

    def text(self, moves: list[int]) -> None:
        for move in moves[:TEXTS]:
            text = self.game.move_text(move)
            try:
                back: Any = self.game.parse_move(text)
            except ValueError as error:
                back = f"an error ({error})"
            if back != move:
                raise self.broken(
                    f"move {move} is written {text!r}, but parse_move({text!r}) gives {back}"
                )
        if not isinstance(self.game.draw(self.state[0], unpainted), str):
            raise self.broken("draw() does not return text")

    def hash(self, mover: int, moves: list[int]) -> None:
        """Positions that look the same and allow the same must have the same hash."""
        if self.game.hash is None:
            return
        key = int(self.call("hash", self.game.hash))
        look = (self.game.draw(self.state[0], unpainted), mover, tuple(sorted(moves)))
        if self.report.seen.setdefault(look, key) != key:
            raise self.broken(
                "hash() differs between two equal states (same drawing, mover and moves)"
            )

    def compare(self, over: bool, mover: int, moves: list[int]) -> None:
        """The compiled rules must say the same about the same position."""
        position = self.position
        assert position is not None
        if position.over != over:
            raise self.broken(f"over() is {over} uncompiled and {position.over} compiled")
        if position.mover != mover:
            raise self.broken(f"mover() is {mover} uncompiled and {position.mover} compiled")
        listed = list(position.moves)
        if self.game.repetition is not None:
            moves = [move for move in moves if move in set(listed)]
        if listed != moves:
            raise self.broken(f"moves() gives {moves[:9]} uncompiled and {listed[:9]} compiled")
        plain = Position(self.game, position.state, jit=False)
        if plain.rewards != Position(self.game, position.state, jit=True).rewards:
            raise self.broken("rewards() differ between uncompiled and compiled")


def _playout(game: Game) -> Playout:
    return Playout(
        moves=np.zeros(game.max_moves, np.int32),
        trace=np.zeros(game.max_length + 1, np.int32),
        length=np.zeros(1, np.int64),
    )


def _compare_searches(game: Game, seed: int) -> None:
    """The same seed must give the same tree, compiled and uncompiled."""
    start = Position.start(game)
    if start.over:
        return
    limit = Limit(simulations=SIMULATIONS)
    compiled, plain = (
        Searcher(game, seed=seed, jit=jit).search(start, limit) for jit in (True, False)
    )
    if compiled.children != plain.children:
        raise ContractError(
            f"the same search gives {compiled.text} compiled and {plain.text} uncompiled: "
            "some kernel computes with numbers that overflow"
        )
