"""The rules of a game, tried out in random games.

Every position is looked at twice: first uncompiled, where a write beyond an array is caught, then
compiled, where the result must be the same.
"""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tesuji.check.trail import Trail
from tesuji.compile import below
from tesuji.compile.plain import view
from tesuji.errors import ContractError
from tesuji.game import CHANCE, WIDEST, Game, Playout, make_playout, unpainted
from tesuji.position import Position

TEXTS = 200  # moves of a position whose notation is tried; wide games have thousands
SAMPLED = 30  # numbers for which nth() is asked
UNWRITTEN = -9.87e65  # what no kernel gives


@dataclass
class GameCheck:
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


class RulesWalk(Trail):
    """One random game, each position examined from all sides.

    ``state`` is what the author's functions are tried on; ``plain`` and ``compiled`` are the same
    position under the uncompiled and the compiled rules.
    """

    plain: Position
    compiled: Position

    def __init__(self, game: Game, report: GameCheck, rng: Any) -> None:
        super().__init__(game)
        self.report = report
        self.rng = view(rng)
        self.state = view(np.zeros(1, game.state))

    def play(self) -> list[int]:
        """Play to the end, and tell the moves."""
        self.call("start", self.game.start)
        self.look()
        self.plain = Position.start(self.game, jit=False)
        self.compiled = Position.start(self.game, jit=True)
        self.compare()
        while not self.plain.over and len(self.line) < self.game.max_length:
            self.advance()
        self.report.unfinished += not self.plain.over
        self.report.longest = max(self.report.longest, len(self.line))
        return self.line

    def advance(self) -> None:
        legal = self.plain.moves
        move = legal[int(below(self.rng, len(legal)))]
        self.add(move)
        self.state = view(self.plain.state.copy())
        self.call("play", self.game.play, move)
        self.look()
        self.plain = self.plain.play(move)
        self.compiled = self.compiled.play(move)
        self.compare()

    def look(self) -> None:
        """Ask everything that can be asked about this position, uncompiled."""
        self.report.positions += 1
        self.rewards()
        mover = self.mover()
        self.drawing()
        if self.call("over", self.game.over):
            return
        moves = self.moves("moves")
        candidates = self.candidates(moves)
        self.notation(moves)
        self.hash(mover, moves)
        self.evaluations()
        if mover == CHANCE:
            self.member("chance()", self.call("chance", self.game.chance, self.rng), moves)
            return
        self.knowledge(candidates)
        for name, policy in self.game.policies.items():
            move = self.call(f"policy {name}", policy, view(_playout(self.game)), self.rng)
            self.member(f"policy {name}()", move, candidates)

    def call(self, name: str, function: Callable[..., Any] | None, *arguments: Any) -> Any:
        """Run one of the author's kernels uncompiled."""
        return self.guard(name, function, self.state[0], *arguments)

    def mover(self) -> int:
        mover = self.call("mover", self.game.mover)
        lowest = CHANCE if self.game.chance is not None else 0
        if not lowest <= mover < self.game.players:
            hint = " (dice need a chance kernel)" if mover == CHANCE else ""
            raise self.broken(f"mover() is {mover}, it must be 0 to {self.game.players - 1}{hint}")
        return int(mover)

    def moves(self, name: str) -> list[int]:
        """The moves that a kernel lists, checked for number, range and doubles."""
        found = self.listed(name)
        for move in found:
            if not 0 <= move < self.game.move_codes:
                raise self.broken(
                    f"{name}() lists move code {move}, it must be 0 to {self.game.move_codes - 1}"
                )
        if len(set(found)) < len(found):
            double = next(move for move in found if found.count(move) > 1)
            raise self.broken(f"{name}() lists {self.move_text(double)} twice")
        if self.listed(name) != found:
            raise self.broken(f"{name}() lists other moves when it is called a second time")
        self.report.widest = max(self.report.widest, len(found))
        return found

    def listed(self, name: str) -> list[int]:
        """What a kernel writes into a list of ``max_moves``."""
        kernel = getattr(self.game, name)
        most = self.game.max_moves
        out = view(np.full(most, -1, np.int32))
        try:
            count = kernel(self.state[0], out)
        except IndexError as error:
            roomy = view(np.zeros(2 * WIDEST, np.int32))
            self.call(name, kernel, roomy)  # says so when the index of something else was wrong
            raise self.broken(f"{name}() writes more than max_moves = {most} moves") from error
        except Exception:
            self.call(name, kernel, out)
            raise
        if not 1 <= count <= most:
            raise self.broken(
                f"{name}() returned {count} in a game that goes on, "
                f"it must be 1 to max_moves = {most}"
            )
        return list(out[:count].tolist())

    def member(self, what: str, move: int, moves: list[int]) -> None:
        if move not in moves:
            raise self.broken(f"{what} gives move {move}, which is not among the moves listed")

    def candidates(self, moves: list[int]) -> list[int]:
        found = moves
        if self.game.candidates is not None:
            found = self.moves("candidates")
            for move in found:
                self.member("candidates()", move, moves)
        if self.game.count is not None:
            self.counting(found)
        return found

    def counting(self, candidates: list[int]) -> None:
        """Counting must agree with listing."""
        count = self.call("count", self.game.count)
        if count != len(candidates):
            raise self.broken(f"count() is {count}, but {len(candidates)} candidates are listed")
        for _ in range(min(SAMPLED, len(candidates))):
            n = int(below(self.rng, len(candidates)))
            found = self.call("nth", self.game.nth, n)
            if found != candidates[n]:
                raise self.broken(
                    f"nth({n}) gives move {found}, but the list has {candidates[n]} there"
                )

    def rewards(self) -> None:
        self.shares("rewards", self.game.rewards, "the reward of")

    def evaluations(self) -> None:
        for name, kernel in self.game.evaluations.items():
            self.shares(f"evaluation {name}", kernel, f"what evaluation {name}() expects for")

    def shares(self, name: str, kernel: Callable[..., Any], what: str) -> None:
        """A kernel that writes one number for each player, 0 to 1."""
        out = view(np.full(self.game.players, UNWRITTEN))
        self.call(name, kernel, out)
        for player in range(self.game.players):
            if not 0.0 <= out[player] <= 1.0:
                raise self.broken(
                    f"{what} player {player} is {_written(out[player])}, it must be 0 to 1"
                )

    def knowledge(self, candidates: list[int]) -> None:
        """What the game knows of each candidate is a finite number."""
        playout = view(_playout(self.game))
        for name, kernel in self.game.knowledge.items():
            playout.moves[: len(candidates)] = candidates
            out = view(np.full(len(candidates), UNWRITTEN))
            self.call(f"knowledge {name}", kernel, playout, len(candidates), out)
            for move, value in zip(candidates, out, strict=True):
                if not 0.0 <= value < np.inf:
                    raise self.broken(
                        f"what knowledge {name}() says of {self.move_text(move)} is "
                        f"{_written(value)}, it must be finite and 0 or more"
                    )

    def move_text(self, move: int) -> str:
        text = self.guard("move_text", self.game.move_text, move)
        if not isinstance(text, str):
            raise self.broken(f"move_text({move}) gives {text!r}, it must be text")
        return text

    def notation(self, moves: list[int]) -> None:
        """Every move is read as it is written."""
        for move in moves[:TEXTS]:
            text = self.move_text(move)
            try:
                back: Any = self.game.parse_move(text)
            except ValueError as error:
                back = f"an error ({error})"
            except Exception:
                self.guard("parse_move", self.game.parse_move, text)
                raise
            if back != move:
                raise self.broken(
                    f"move {move} is written {text!r}, but parse_move({text!r}) gives {back}"
                )

    def drawing(self) -> str:
        text = self.guard("draw", self.game.draw, self.state[0], unpainted)
        if not isinstance(text, str):
            raise self.broken(f"draw() gives {text!r}, it must be text")
        return text

    def hash(self, mover: int, moves: list[int]) -> None:
        """Positions that look the same and allow the same must have the same hash."""
        if self.game.hash is None:
            return
        key = int(self.call("hash", self.game.hash))
        look = (self.drawing(), mover, tuple(sorted(moves)))
        if self.report.seen.setdefault(look, key) != key:
            raise self.broken(
                "hash() differs between two equal states (same drawing, mover and moves)"
            )

    def compare(self) -> None:
        """The compiled rules must say the same about the same position."""
        for fact in ("over", "mover", "moves", "rewards"):
            plain, compiled = getattr(self.plain, fact), getattr(self.compiled, fact)
            if plain != compiled:
                raise self.differs(f"{fact}()", plain, compiled)
        for name in self.game.state.names or ():
            plain, compiled = self.plain.state[0][name], self.compiled.state[0][name]
            if plain.tobytes() != compiled.tobytes():
                raise self.differs(f"the state's field {name!r}", plain, compiled)

    def differs(self, what: str, plain: Any, compiled: Any) -> ContractError:
        shown = [textwrap.shorten(str(value), 60) for value in (plain, compiled)]
        return self.broken(f"{what} is {shown[0]} uncompiled and {shown[1]} compiled")


def _written(value: float) -> str:
    return "not written" if value == UNWRITTEN else f"{value}"


def _playout(game: Game) -> Playout:
    return make_playout(game, game.max_length + 1)
