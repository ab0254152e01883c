"""What users hold: a position of a game, with the moves that led to it.

A `Position` never changes; ``position.play("e5")`` gives the next one and ``position.undo()`` the
one before.  Moves are checked against the rules and, where a game forbids repetition, against the
whole game so far, which a state alone cannot know.

``position.text`` is a line that `Position.parse` reads; ``position.key`` a number that names the
position in books and stores, whatever the way to it and however the board is turned.
"""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile import Slot, jit_enabled, specialise
from tesuji.compile.plain import interpret, view
from tesuji.errors import ContractError, GameError, MoveError, PositionError, choices
from tesuji.facets import Board, Symmetry
from tesuji.game import CHANCE, Game, unpainted
from tesuji.key import Named, exact_key, named
from tesuji.past import Past
from tesuji.text import contents_of, outcome_of, read_state, rearranged, start_of, write_state

rules = Slot("rules")
SUPERKO = Slot("SUPERKO")
PASS: Any = Slot("PASS")

Facts = np.dtype(
    [("key", np.uint64), ("count", np.int32), ("mover", np.int8), ("over", np.int8)], align=True
)
FEW, SHOWN = 12, 400  # legal moves to name in an error, and to look for a similar one among
LONG = 400  # characters of a position in an error
START, MOVES = "start", "moves"  # words of a position's text
COLOURS = ("\x1b[1;31m", "\x1b[1;36m", "\x1b[1;33m", "\x1b[1;35m")
COLOUR_END = "\x1b[0m"


def examine(states: Any, move: int, facts: Any, moves: Any, rewards: Any, after: Any) -> None:
    """Kernel: play ``move`` (if not negative) on ``states[0]`` and tell what holds then.

    ``states[1]`` is scratch; ``after`` gets the repetition key of what each move leads to.
    """
    state = states[0]
    fact = facts[0]
    if move >= 0:
        rules.play(state, move)
    if SUPERKO:
        fact.key = rules.repetition(state)
    fact.mover = rules.mover(state)
    fact.over = rules.over(state)
    fact.count = 0
    if fact.over:
        rules.rewards(state, rewards)
        return
    listed = rules.moves(state, moves)
    fact.count = max(listed, 0)
    if SUPERKO:
        for i in range(listed):
            after[i] = fact.key
            if moves[i] != PASS:  # it repeats nothing, even where the key tells who is to move
                states[1] = states[0]
                rules.play(states[1], moves[i])
                after[i] = rules.repetition(states[1])


def _past(previous: "Position | None") -> Past:
    if previous is None or previous._past is None:
        return Past()
    return previous._past.then(previous.repetition)


def _roll(chance: Callable[..., Any], states: Any, rng: Any) -> int:
    return chance(states[0], rng)


def _ask(kernel: Callable[..., Any], states: Any) -> Any:
    return kernel(states[0])


@lru_cache(maxsize=64)
def _examiner(game: Game, jit: bool) -> Callable[..., Any]:
    return specialise(examine, game.bindings, label=f"the rules of {game.name}", jit=jit)


class Position:
    """A position of a game.  Make the first with ``Position.start(game)``."""

    def __init__(
        self,
        game: Game,
        state: npt.NDArray[Any],
        previous: "Position | None" = None,
        move: int | None = None,
        *,
        jit: bool | None = None,
    ) -> None:
        """Use `start` and `play`; this one trusts its arguments.

        A position with a previous one and no move was set up in the middle of a game.
        """
        self.game = game  #: whose rules hold
        self.previous = previous  #: the position before, None at the start
        self.move = move  #: the move that led here, None at the start and after a set-up
        #: how many moves `line` has
        self.ply: int = 0 if previous is None or move is None else previous.ply + 1
        self._past = None if game.repetition is None else _past(previous)
        self._jit = jit_enabled(jit)
        self._look(state, -1 if move is None else move)

    @classmethod
    def start(cls, game: Game, *, jit: bool | None = None) -> "Position":
        """The position before the first move."""
        return cls(game, start_of(game), jit=jit)

    @classmethod
    def parse(cls, game: Game, text: str, *, jit: bool | None = None) -> "Position":
        """Read what `text` or `line_text` writes.

        ``start moves b2 a1`` is a position of any game: the start, and moves.  Where the board can
        be set up, its rows may stand instead of ``start``: ``3/1X1/2O X moves a3``.
        """
        words = text.split()
        cut = words.index(MOVES) if MOVES in words else len(words)
        shown = " ".join(words[:cut])
        state = start_of(game) if shown == START else read_state(game, shown)
        return cls(game, state, jit=jit).play(*words[cut + 1 :])

    def _look(self, state: npt.NDArray[Any], move: int) -> None:
        states = np.zeros(2, self.game.state)
        states[0] = state[0]
        facts = np.zeros(1, Facts)
        moves = np.zeros(self.game.max_moves, np.int32)
        rewards = np.zeros(self.game.players, np.float64)
        after = np.zeros(len(moves) if self._past is not None else 0, np.uint64)
        _examiner(self.game, self._jit)(states, move, facts, moves, rewards, after)
        self.state = states[:1].copy()  #: the record, read-only
        self.state.flags.writeable = False
        self.mover = int(facts[0]["mover"])  #: the player to move
        self.over = bool(facts[0]["over"])  #: has the game ended?
        self.repetition = int(facts[0]["key"])  #: what may not repeat, 0 if everything may
        self.moves: tuple[int, ...] = tuple(moves[: facts[0]["count"]].tolist())  #: legal moves
        if self._past is not None:
            self.moves = tuple(
                move
                for move, key in zip(self.moves, after.tolist(), strict=False)
                if key == self.repetition or key not in self._past
            )
        self._rewards = tuple(rewards.tolist())
        if not self.over and not self.moves:
            raise ContractError(f"{self.game.spec}: the game is not over, but nobody can move")

    @property
    def rewards(self) -> tuple[float, ...] | None:
        """Each player's reward in [0, 1], or None while the game goes on."""
        return self._rewards if self.over else None

    @property
    def score(self) -> float | None:
        """What the finished game is worth as people count it, or None while the game goes on.

        It is the first player's reward if the game has no score of its own.
        """
        if not self.over:
            return None
        if self.game.score is None:
            return self._rewards[0]
        return float(interpret(_ask)(self.game.score, self.state))

    # --- the way here

    @property
    def line(self) -> list[int]:
        """The moves from the origin to here."""
        return [at.move for at in self._back() if at.move is not None][::-1]

    @property
    def origin(self) -> "Position":
        """Where `line` begins: the start of the game, or what was set up last."""
        *_, first = self._back()
        return first

    def _back(self) -> Iterator["Position"]:
        """This position and those before it, as far as moves lead."""
        at = self
        while at.previous is not None and at.move is not None:
            yield at
            at = at.previous
        yield at

    @property
    def history(self) -> npt.NDArray[np.uint64]:
        """The repetition keys of earlier positions, each once; none where positions may repeat."""
        return np.zeros(0, np.uint64) if self._past is None else self._past.array()

    # --- its names

    @cached_property
    def _named(self) -> Named:
        return named(self.game, self.origin.state, self.line, self.state, self._jit)

    @property
    def key(self) -> int:
        """0 to 2**64 - 1: equal for equal positions and for their images, different for others.

        It is the same in every process and on every machine.  What the state does not hold (which
        moves led here, what may not be repeated) and what is data of the rules makes no difference.
        """
        return self._named.key

    @property
    def symmetry(self) -> Symmetry | None:
        """What leads from here to the image whose exact key is `key`; None: nothing has to change.

        A book stores moves of that image: ``symmetry.move(move)`` is one.
        """
        return self._named.symmetry

    @cached_property
    def exact_key(self) -> int:
        """As `key`, but different for images that differ."""
        return exact_key(self.game, self.state)

    @cached_property
    def text(self) -> str:
        """One line that `parse` reads: the board and who is to move, where the game can say so.

        Otherwise moves, from the start or from the last position whose board says everything.
        What may not be repeated is lost with the board; `line_text` keeps it.
        """
        moves: list[str] = []
        for at in self._back():
            shown = at._shown()
            if shown is not None:
                break
            if at.move is not None:
                moves.insert(0, self.move_text(at.move))
        else:
            shown = at._begun()
        return _with_moves(shown, moves)

    @property
    def line_text(self) -> str:
        """One line from which `parse` makes the whole game: the origin, and all moves."""
        origin = self.origin
        shown = origin._begun() if origin._is_start() else origin.text
        return _with_moves(shown, [self.move_text(move) for move in self.line])

    def _shown(self) -> str | None:
        """The board as text, if nothing is lost by that."""
        again = rearranged(self.game, self.state, None)
        if again is None or exact_key(self.game, again) != self.exact_key:
            return None
        same = outcome_of(self.game, again) == self.rewards
        return write_state(self.game, self.state) if same else None

    def _begun(self) -> str:
        """The text of an origin that is known by its name."""
        if not self._is_start():
            raise PositionError(
                f"a position of {self.game.spec} that no moves led to cannot be written as text"
            )
        return START

    def _is_start(self) -> bool:
        return exact_key(self.game, start_of(self.game)) == self.exact_key

    # --- the board

    @property
    def contents(self) -> tuple[int, ...]:
        """What stands on each cell of the board: 0, or the number of a piece from 1."""
        return tuple(contents_of(self._board, self.state))

    def clicks(self, move: int) -> tuple[int, ...]:
        """The cells that a person clicks for a legal move; none for a pass."""
        return tuple(int(cell) for cell in self._board.clicks(view(self.state)[0], move))

    @property
    def strokes(self) -> list[tuple[int, int]]:
        """Lines over the board, each from a cell to a cell, in games that draw some."""
        strokes = self._board.strokes
        return [] if strokes is None else [(a, b) for a, b in strokes(view(self.state)[0])]

    @property
    def _board(self) -> Board:
        if self.game.board is None:
            raise GameError(f"{self.game.spec} has no board")
        return self.game.board

    # --- moves

    def play(self, *moves: int | str) -> "Position":
        """The position after these moves, each a text or a code; checked."""
        position = self
        for move in moves:
            code = position.parse_move(move) if isinstance(move, str) else position._legal(move)
            position = Position(position.game, position.state, position, code, jit=position._jit)
        return position

    def roll(self, rng: npt.NDArray[np.uint64]) -> int:
        """The move that the dice decide for, when `mover` is `CHANCE`."""
        if self.mover != CHANCE or self.game.chance is None:
            raise MoveError(f"{self.mover_name} is to move, not the dice")
        return int(interpret(_roll)(self.game.chance, self.state.copy(), rng))

    def undo(self) -> "Position":
        """The position before the last move."""
        if self.previous is None:
            raise MoveError(f"there is no move to take back at the start of {self.game.spec}")
        return self.previous

    def parse_move(self, text: str) -> int:
        """Read a legal move."""
        try:
            move = self.game.parse_move(text.strip())
        except ValueError as error:
            raise MoveError(f"{text!r} is not a move of {self.game.name}: {error}") from None
        return self._legal(move, text)

    def move_text(self, move: int) -> str:
        """A move as people write it."""
        return self.game.move_text(move)

    def _legal(self, move: int, text: str | None = None) -> int:
        if move in self.moves:
            return int(move)
        shown = repr(text) if text is not None else f"move {move}"
        where = f"after move {self.ply} ({self.quoted})"
        if self.over:
            raise MoveError(f"{shown} is not legal {where}: the game is over")
        known = [self.move_text(m) for m in self.moves[:SHOWN]]
        if len(self.moves) <= FEW:
            hint = choices(text or "", known)
        else:
            near = get_close_matches(text or "", known)
            hint = f"{len(self.moves)} moves are legal" + (f", such as {near[0]}" if near else "")
        raise MoveError(f"{shown} is not legal {where}; {hint}")

    @property
    def quoted(self) -> str:
        """The position in an error: its text, without the first moves if it is too long."""
        try:
            text = self.text
        except PositionError:
            return self.game.spec
        return text if len(text) <= LONG else f"... {text[-LONG:].partition(' ')[2]}"

    # --- for people

    def draw(self, *, colour: bool = False) -> str:
        """The board as text."""
        return self.game.draw(view(self.state)[0], _paint if colour else unpainted)

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        return f"<Position {self.game.spec} after {self.ply} moves>"

    @property
    def mover_name(self) -> str:
        """Who is to move, in the game's words."""
        return "chance" if self.mover == CHANCE else self.game.player_names[self.mover]

    def result_text(self) -> str:
        """Who won, in words."""
        if self.rewards is None:
            raise GameError(f"the game {self.game.spec} is not over")
        best = max(self.rewards)
        winners = [
            n for n, r in zip(self.game.player_names, self.rewards, strict=True) if r == best
        ]
        if len(winners) == 1 and self.game.players > 1:
            return f"{winners[0]} wins"
        shown = ", ".join(f"{reward:g}" for reward in self.rewards)
        return "draw" if len(winners) == self.game.players > 1 else f"rewards {shown}"


def _with_moves(shown: str, moves: list[str]) -> str:
    if not moves:
        return shown
    return " ".join([shown, *([] if f" {MOVES} " in shown else [MOVES]), *moves])


def _paint(symbol: str, player: int) -> str:
    return f"{COLOURS[player % len(COLOURS)]}{symbol}{COLOUR_END}"
