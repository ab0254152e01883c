"""The contract between a game and everything else.

A game is a plain Python file that defines one function, ``game``, which returns a `Game`: a few
facts, a handful of small functions over one NumPy record (the *state*), and the game's notation.
Copy ``games/tictactoe.py`` to start your own.

**The state** is one aligned structured dtype.  ``state.board[3]`` and ``state.mover`` work the same
in compiled and uncompiled runs.  A copy of a state is one assignment, so it holds everything that
the rules need and nothing else; scratch space for a kernel is a field, too.

**Kernels** are functions over the state that get compiled.  They use numbers, loops, ``math``,
NumPy scalars, tables (module-level or captured arrays) and other such functions; no lists,
dictionaries, text, exceptions or new arrays.  They are called with legal input only and never check
it.

==========================  ==================================================================
``moves(state, out)``       write the legal moves into ``out`` and return how many: at least one
                            unless the game is over, in the same order for the same state
``play(state, move)``       play a legal move in place
``over(state)``             is the game over?
``mover(state)``            the player to move, 0 .. players-1, or `CHANCE`
``rewards(state, out)``     write each player's reward, 0 to 1; asked at the end of a game and
                            when a simulation is cut off at ``max_length``
==========================  ==================================================================

Optional kernels:

==========================  ==================================================================
``candidates(state, out)``  the moves worth searching, when that is less than what is legal
``count(state)`` and        how many candidates there are, and the n-th of them in the order of
``nth(state, n)``           ``candidates``: for games with so many moves that listing them to
                            take one is slow; give both or none
``policies[name]``          a playout policy ``(state, playout, rng)`` that returns the next
                            move; one called ``uniform`` replaces the general uniform one
``knowledge[name]``         a function ``(state, playout, count, out)`` that writes into ``out``,
                            for each of the ``count`` moves listed in ``playout.moves``, how
                            promising it is: 0 or more, such as the share of good players who
                            choose it.  Searches use it to order and bias moves, playouts to draw
                            them
``evaluations[name]``       a function ``(state, out)`` that writes each player's reward as it is to
                            be expected, 0 to 1, for playouts that stop before the end
``hash(state)``             64 bits that are equal for equal states, and differ for others
``repetition(state)``       64 bits that must not occur twice in a game: a move that recreates
                            an earlier value is illegal (superko), unless it is the pass or leaves
                            the value as it is
``chance(state, rng)``      draw one of ``moves`` when the mover is `CHANCE`
``score(state)``            what a finished game is worth as people count it, on any scale: searches
                            of one-player games keep the line that scores most
==========================  ==================================================================

``score_range`` are the scores that are worth the rewards 0 and 1, when rewards are scores on
another scale: constants of a search may then be given in points.

``start(state)`` fills a zeroed record and runs only as plain Python, once a game.  What may change
without recompiling (komi, a rule switch) is therefore written into the state by ``start``.
``weights(name)`` is plain Python, too: it reads a set of numbers that policies and knowledge use,
its own or a user's file, into an array which they find in ``playout.weights``.

**Moves** are integers 0 .. move_codes-1 that mean the same in every position; ``pass_move`` is the
one that does nothing, if there is one: nothing is learned from it.  **Players** are
0 .. players-1.  **Rewards** are in [0, 1].

**Facets** (`tesuji.facets`) are optional: the ``board`` with its cells, ``territory``, and the
``symmetries`` of the game.  They say what others need, so that nobody asks which game it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.errors import ConfigError, GameError
from tesuji.facets import Board, Symmetry, Territory

CHANCE = -1  #: the mover of a state in which dice decide
WIDEST = 65_535  #: the most moves a position may have: children are counted in 16 bits
MOST_CODES = 2**31 - 1

Kernel = Callable[..., Any]
Paint = Callable[[str, int], str]


class Size(NamedTuple):
    """A board's columns and rows; written ``9`` or ``9x7`` in a game's parameters."""

    width: int
    height: int

    def __str__(self) -> str:
        return str(self.width) if self.width == self.height else f"{self.width}x{self.height}"


class Playout(NamedTuple):
    """What a playout policy may look at besides the state."""

    moves: Any  #: scratch space for ``max_moves`` moves
    trace: Any  #: the moves of this simulation, from the root of the search on
    length: Any  #: ``length[0]`` says how many of them there are
    weights: Any  #: numbers of the game's own, see ``Game.weights``
    scratch: Any  #: ``Game.scratch`` states to look ahead with


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """One game with its size and rules chosen."""

    name: str  #: as users type it
    state: np.dtype[Any]  #: the record that holds a position
    move_codes: int  #: moves are below this
    max_moves: int  #: the most moves that any position has
    max_length: int  #: a simulation is cut off after so many moves and scored as it stands

    start: Kernel
    moves: Kernel
    play: Kernel
    over: Kernel
    mover: Kernel
    rewards: Kernel

    parse_move: Callable[[str], int]  #: raises ValueError with what would be valid
    move_text: Callable[[int], str]
    draw: Callable[[Any, Paint], str]  #: ``paint(symbol, player)`` colours a player's symbol

    players: int = 2
    player_names: tuple[str, ...] = ("X", "O")
    candidates: Kernel | None = None
    count: Kernel | None = None
    nth: Kernel | None = None
    policies: Mapping[str, Kernel] = field(default_factory=dict)
    knowledge: Mapping[str, Kernel] = field(default_factory=dict)
    evaluations: Mapping[str, Kernel] = field(default_factory=dict)
    hash: Kernel | None = None
    repetition: Kernel | None = None
    chance: Kernel | None = None
    score: Kernel | None = None
    weights: Callable[[str], npt.NDArray[Any]] | None = None  #: raises ValueError
    score_range: tuple[float, float] | None = None  #: the scores that are worth rewards 0 and 1
    scratch: int = 0  #: states that policies and knowledge may look ahead with
    pass_move: int = -1  #: the move that does nothing; -1 if there is none

    board: Board | None = None
    territory: Territory | None = None
    symmetries: tuple[Symmetry, ...] = ()

    spec: str = ""  #: name with parameters, ``go:size=9,komi=6.5``; set by the loader
    #: all parameters with their values, defaults included; set by the loader
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.spec:
            object.__setattr__(self, "spec", self.name)
        self._check_facts()
        self._check_functions()
        self._check_facets()

    def __repr__(self) -> str:
        return f"<Game {self.spec}>"

    def _check_facts(self) -> None:
        if not isinstance(self.state, np.dtype) or self.state.fields is None:
            raise self._wrong("state", self.state, "a NumPy dtype with named fields")
        if not self.state.isalignedstruct:
            raise self._wrong("state", self.state, "an aligned dtype: np.dtype([...], align=True)")
        for fact, most in (
            ("players", 127),
            ("move_codes", MOST_CODES),
            ("max_moves", WIDEST),
            ("max_length", MOST_CODES),
        ):
            value = getattr(self, fact)
            if not isinstance(value, int | np.integer) or not 1 <= value <= most:
                raise self._wrong(fact, value, f"an integer from 1 to {most}")
        if not isinstance(self.scratch, int) or self.scratch < 0:
            raise self._wrong("scratch", self.scratch, "0 or more states")
        if not -1 <= self.pass_move < self.move_codes:
            raise self._wrong("pass_move", self.pass_move, f"-1 or below {self.move_codes}")
        if self.score_range is not None:
            low, high = self.score_range
            if not low < high or self.score is None:
                raise self._wrong(
                    "score_range", self.score_range, "None without score(), or two rising scores"
                )
        if len(self.player_names) != self.players:
            raise self._wrong("player_names", self.player_names, f"{self.players} names")

    def _check_functions(self) -> None:
        kernels = ["start", "moves", "play", "over", "mover", "rewards"]
        text = ["parse_move", "move_text", "draw"]
        optional = [
            *("candidates", "count", "nth", "hash", "repetition", "chance", "score", "weights"),
        ]
        for name in kernels + text + optional:
            value = getattr(self, name)
            if not callable(value) and not (name in optional and value is None):
                raise self._wrong(name, value, "a function")
        for table in ("policies", "knowledge", "evaluations"):
            for name, value in getattr(self, table).items():
                if not callable(value):
                    raise self._wrong(f"{table}[{name!r}]", value, "a function")
        if (self.count is None) != (self.nth is None):
            raise self._wrong("count, nth", (self.count, self.nth), "both given or both left out")

    def _check_facets(self) -> None:
        for facet, kind in (("board", Board), ("territory", Territory)):
            value = getattr(self, facet)
            if value is not None and not isinstance(value, kind):
                raise self._wrong(facet, value, f"a tesuji.{kind.__name__}")
        cells = 0 if self.board is None else len(self.board.cells)
        for symmetry in self.symmetries:
            if sorted(symmetry.cells) != list(range(cells)):
                valid = "each cell of the board once" if cells else "() without a board"
                raise self._wrong(f"symmetry {symmetry.name!r}: cells", symmetry.cells, valid)
        used = () if self.board is None else self.board.numbers
        if self.territory is not None:
            owners = [] if self.board is None else [piece.player for piece in self.board.pieces]
            if owners != [0, 1] or len(self.territory.points) != cells:
                count = len(self.territory.points)
                valid = "of all cells, on a board with one piece for each of two players"
                raise self._wrong("territory", f"of {count} points", valid)
            used += (self.territory.komi,) if self.territory.komi else ()
        for name in used:
            if name not in (self.state.names or ()):
                raise self._wrong("a facet's field", name, "one of the state")

    def _wrong(self, what: str, value: Any, valid: str) -> GameError:
        return GameError(f"game {self.name!r}: {what} is {value!r}, it must be {valid}")

    @property
    def owners(self) -> Kernel | None:
        """The kernel of `Territory` that says whose the points are, if the game has territory."""
        return None if self.territory is None else self.territory.owners

    @property
    def bindings(self) -> dict[str, Any]:
        """What kernels of other layers find in their slots: ``rules`` and some switches."""
        kernels = {
            "moves": self.moves,
            "play": self.play,
            "over": self.over,
            "mover": self.mover,
            "rewards": self.rewards,
            "candidates": self.candidates or self.moves,
            "count": self.count,
            "nth": self.nth,
            "hash": self.hash,
            "repetition": self.repetition,
            "chance": self.chance,
            "score": self.score,
            "owners": self.owners,
        }
        return {
            "rules": {name: kernel for name, kernel in kernels.items() if kernel is not None},
            "PASS": self.pass_move,
            "SUPERKO": self.repetition is not None,
            "DICE": self.chance is not None,
            "WIDE": self.nth is not None,
        }


def make_playout(game: Game, longest: int, weights: str = "") -> Playout:
    """Buffers for playouts of a game, with the default weights or other ones."""
    if weights and game.weights is None:
        raise ConfigError(f"{game.name} has no weights, so {weights!r} cannot be used")
    try:
        read = np.zeros(1, np.uint8) if game.weights is None else game.weights(weights)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    return Playout(
        moves=np.zeros(game.max_moves, np.int32),
        trace=np.zeros(longest, np.int32),
        length=np.zeros(1, np.int64),
        weights=read,
        scratch=np.zeros(game.scratch, game.state),
    )


def unpainted(symbol: str, player: int) -> str:
    """The `Paint` for plain text."""
    return symbol
