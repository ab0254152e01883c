"""Lines of Action (Claude Soucie, around 1960): gather all your pieces in one group.

A piece moves as far as there are pieces on its line, so a square and a direction make a move, and
what is in the way depends on three small numbers: square, direction, distance.  `Ways` has the
answer to all of them.  The board is two 64-bit sets, bit ``8 * y + x`` for each square whatever the
size, and each player has a list of pieces, so that a random piece and a random direction make a
random move.  Sets stay ``np.uint64`` throughout: mixed with signed numbers they would turn into
floating point.

`category` says what kind of move a move is, for knowledge learned from games (``transitions``);
`concentration` says who is ahead.
"""

import math
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import below, zobrist
from tesuji.facets import Board, symmetries
from tesuji.game import Game, Kernel, Paint
from tesuji.games.bits import NONE, ONE, size_of
from tesuji.games.board import (
    HALF_TURN,
    LEFT_RIGHT,
    UP_DOWN,
    draw_grid,
    grid_cells,
    men,
    parse_point,
    point_text,
    stones,
)
from tesuji.games.result import DRAW, FIELDS, mover, over, rewards

SIDE = 8  # squares from one row to the next, and the largest board
SQUARES = SIDE * SIDE  # a move is origin * SQUARES + target
PASS = SQUARES * SQUARES
PIECES = 2 * (SIDE - 2)  # of each player
NAMES = ("Black", "White")
LONGEST = 1000  # moves until a game is a draw
PATIENCE = np.uint32(1000)  # draws without a legal move until all are tried

# Right, up and the two diagonals, then the opposite of each.
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)]
TURNS = np.uint32(len(DIRECTIONS))

ROW = np.uint64(SIDE)
NOT_FIRST = np.uint64(0xFEFEFEFEFEFEFEFE)  # all columns but the first
NOT_LAST = np.uint64(0x7F7F7F7F7F7F7F7F)
COORDINATE_BITS = 3
# The squares whose column has a certain bit, and those whose row has it.
IN_COLUMN = np.array([0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0], np.uint64)
IN_ROW = np.array([0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000], np.uint64)
BIT = np.array([1 << square for square in range(SQUARES)], np.uint64)
KEYS = zobrist("loa", 3) | ONE

# A category: capture or not, where from, where to, how many squares closer to the centre of mass.
REGIONS = ("corner", "rim", "second ring", "third ring", "centre")
FARTHEST = 3  # squares closer or farther; more count as so many
APPROACHES = 2 * FARTHEST + 1
CATEGORIES = 2 * len(REGIONS) ** 2 * APPROACHES
LEARNED = "loa_transitions.txt"
ENOUGH = 30  # positions in which a category was available; its probability counts from then on
LEAST = 0.001  # the probability of categories that were played more rarely, or hardly ever seen

# The weights of `concentration`, by logistic regression on the results of 190 games of self-play.
PER_SQUARE = 1.1
PER_GROUP = 0.11

State = np.dtype(
    [
        ("stones", np.uint64, 2),
        ("ply", np.uint16),
        ("last", np.uint8),  # the last column and row
        ("tie", np.uint8),  # is it a draw if one move connects both players' pieces?
        ("count", np.uint8, 2),
        ("pieces", np.uint8, 2 * PIECES),  # Black's squares, then White's
        ("place", np.uint8, SQUARES),  # where the piece on a square stands in its player's list
        *FIELDS,
    ],
    align=True,
)


class Ways(NamedTuple):
    """Where moves lead; ``8 * square + direction`` is a way, ``8 * way + distance - 1`` a step."""

    line: np.ndarray[Any, Any]  #: a way's line: all its squares, before and behind as well
    between: np.ndarray[Any, Any]  #: what a step passes over; all squares if it leaves the board
    target: np.ndarray[Any, Any]  #: the square that a step leads to


def ways(size: int) -> Ways:
    line = np.zeros(SQUARES * SIDE, np.uint64)
    between = np.full(SQUARES * SIDE * SIDE, 2**64 - 1, np.uint64)
    target = np.zeros(SQUARES * SIDE * SIDE, np.uint8)
    for x, y in ((x, y) for y in range(size) for x in range(size)):
        for direction, (dx, dy) in enumerate(DIRECTIONS):
            way = (y * SIDE + x) * SIDE + direction
            ahead = ray(x, y, dx, dy, size)
            behind = ray(x, y, -dx, -dy, size)
            line[way] = sum(1 << square for square in [y * SIDE + x, *ahead, *behind])
            for i, square in enumerate(ahead):
                between[way * SIDE + i] = sum(1 << passed for passed in ahead[:i])
                target[way * SIDE + i] = square
    return Ways(line, between, target)


def ray(x: int, y: int, dx: int, dy: int, size: int) -> list[int]:
    """The squares in one direction from a square, which is not one of them."""
    steps = ((x + dx * i, y + dy * i) for i in range(1, size))
    return [v * SIDE + u for u, v in steps if 0 <= u < size and 0 <= v < size]


def grown(own: np.uint64, group: np.uint64) -> np.uint64:
    """Kernel: the whole group that some pieces of a set belong to.

    The group grows by all its neighbours at once.  A piece that moved is mostly alone or in a
    small group, so this is over after two or three rounds, and needs no count of quads.
    """
    while True:
        row = group | ((group << ONE) & NOT_FIRST) | ((group >> ONE) & NOT_LAST)
        wider = (row | (row << ROW) | (row >> ROW)) & own
        if wider == group:
            return group
        group = wider


def connected(own: np.uint64, piece: np.uint64) -> bool:
    """Kernel: are all pieces of a set in the group of one of them?"""
    return grown(own, piece) == own


def groups(own: np.uint64) -> int:
    """Kernel: how many groups a set of pieces has."""
    n = 0
    while own != NONE:
        own ^= grown(own, own & (~own + ONE))
        n += 1
    return n


def hash(state: Any) -> np.uint64:
    """The sets and the ply; who is to move follows from it.

    The ply counts because the longest game is a draw: close to it, the same board is worth
    something else.
    """
    mixed = np.uint64(state.stones[0]) * KEYS[0]
    mixed = ((mixed ^ (mixed >> np.uint64(32))) + np.uint64(state.stones[1])) * KEYS[1]
    return (mixed ^ (mixed >> np.uint64(29))) + KEYS[2] * np.uint64(state.ply)


def make_choices(board: Ways) -> tuple[Kernel, Kernel]:
    """The kernels ``moves`` and ``uniform``."""
    LINE = board.line
    BETWEEN = board.between
    TARGET = board.target

    def step_of(state: Any, way: Any) -> Any:
        """Kernel: how far a piece goes this way, as a step of `Ways`."""
        taken = np.uint64(state.stones[0]) | np.uint64(state.stones[1])
        return np.uint32(way * SIDE + size_of(taken & LINE[way]) - 1)

    def allowed(state: Any, step: Any) -> bool:
        """Kernel: no opponent in between, no own piece at the end.

        A step off the board passes over all squares, and there always is an opponent on them.
        """
        own = np.uint64(state.stones[state.mover])
        other = np.uint64(state.stones[1 - state.mover])
        return ((BETWEEN[step] & other) | (BIT[TARGET[step]] & own)) == NONE

    def way_of(state: Any, n: Any) -> Any:
        """Kernel: the n-th of the mover's ways, legal or not."""
        piece = state.pieces[np.uint32(state.mover * PIECES + n // TURNS)]
        return np.uint32(piece * SIDE + n % TURNS)

    def pack(way: Any, step: Any) -> Any:
        return np.uint32(way // SIDE * SQUARES + TARGET[step])

    def moves(state: Any, out: Any) -> int:
        n = np.uint32(0)
        for i in range(state.count[state.mover] * TURNS):
            way = way_of(state, np.uint32(i))
            step = step_of(state, way)
            out[n] = pack(way, step)  # overwritten by the next one if not allowed: no branch
            n += np.uint32(allowed(state, step))
        if n == 0:
            out[n] = PASS
            n = np.uint32(1)
        return np.int64(n)

    def uniform(state: Any, playout: Any, rng: Any) -> Any:
        """Policy: a random direction of a random piece, drawn again until it is legal.

        All legal moves are equally likely as there is one draw for each.  One draw of three is
        legal in random games.  After `PATIENCE` draws all are tried in order, to find out whether
        there is a move at all: with two moves left in 96, that happens once in 10**9 turns.
        """
        draws = np.uint32(state.count[state.mover] * TURNS)
        tries = np.uint32(0)
        while tries < PATIENCE + draws:
            drawn = np.uint32(below(rng, draws))
            way = way_of(state, drawn if tries < PATIENCE else tries - PATIENCE)
            step = step_of(state, way)
            if allowed(state, step):
                return np.int64(pack(way, step))
            tries += np.uint32(1)
        return np.int64(PASS)

    return moves, uniform


def capture(state: Any, other: Any, square: Any) -> None:
    """Kernel: take a piece off its player's list; the last one takes its place."""
    place = state.place[square]
    state.count[other] -= 1
    last = state.pieces[np.uint32(other * PIECES + state.count[other])]
    state.pieces[np.uint32(other * PIECES + place)] = last
    state.place[last] = place


def shift(state: Any, me: Any, origin: Any, target: Any) -> None:
    """Kernel: note the piece's new square in its player's list."""
    place = state.place[origin]
    state.place[target] = place
    state.pieces[np.uint32(me * PIECES + place)] = target


def verdict(state: Any, me: Any, target: Any, taken: bool) -> int:
    """Kernel: the result after a move; only a capture can connect the other player's pieces."""
    first = state.pieces[np.uint32((1 - me) * PIECES)]
    mine = connected(np.uint64(state.stones[me]), BIT[target])
    theirs = taken and connected(np.uint64(state.stones[1 - me]), BIT[first])
    if mine and theirs and state.tie:
        return DRAW
    if mine:
        return me + 1
    return 2 - me if theirs else 0


def advance(state: Any, me: Any, origin: Any, target: Any) -> None:
    """Kernel: move a piece, and see who has won."""
    other = np.uint64(state.stones[1 - me])
    taken = (other & BIT[target]) != NONE
    if taken:
        state.stones[1 - me] = other ^ BIT[target]
        capture(state, 1 - me, target)
    state.stones[me] = np.uint64(state.stones[me]) ^ BIT[origin] ^ BIT[target]
    shift(state, me, origin, target)
    state.result = verdict(state, me, target, taken)


def play(state: Any, move: int) -> None:
    me = state.mover
    if move != PASS:
        code = np.uint32(move)
        advance(state, me, code // np.uint32(SQUARES), code % np.uint32(SQUARES))
    state.mover = 1 - me
    state.ply += 1
    if state.ply == LONGEST and state.result == 0:
        state.result = DRAW


def mass(own: np.uint64) -> tuple[Any, Any, Any]:
    """Kernel: how many pieces, the sum of their columns, the sum of their rows.

    The sums over the number are the centre of mass.  It is not rounded to a square, so that mirror
    images are alike.
    """
    x = y = np.int64(0)
    for bit in range(COORDINATE_BITS):
        x += size_of(own & IN_COLUMN[bit]) << bit
        y += size_of(own & IN_ROW[bit]) << bit
    return size_of(own), x, y


def removed(square: Any, centre: tuple[Any, Any, Any]) -> Any:
    """Kernel: a king's moves from the centre of mass to a square, times the number of pieces."""
    n, x, y = centre
    return max(abs(n * (square % SIDE) - x), abs(n * (square // SIDE) - y))


def region(square: Any, last: Any) -> Any:
    """Kernel: which of `REGIONS` a square is in; small boards lack the innermost."""
    x, y = square % SIDE, square // SIDE
    across, up = min(x, last - x), min(y, last - y)  # squares to the nearest edge
    return 0 if across + up == 0 else 1 + min(across, up)


def category(state: Any, move: Any) -> Any:
    """Kernel: which of the `CATEGORIES` a move is in that is no pass."""
    return category_around(state, move, mass(np.uint64(state.stones[state.mover])))


def category_around(state: Any, move: Any, centre: tuple[Any, Any, Any]) -> Any:
    """Kernel: the same, when the mover's centre of mass is known."""
    origin, target = np.int64(move) // SQUARES, np.int64(move) % SQUARES
    other = np.uint64(state.stones[1 - state.mover])
    captures = np.int64((other & BIT[np.uint32(target)]) != NONE)
    n = centre[0]
    closer = removed(origin, centre) - removed(target, centre)
    squares = (2 * closer + n) // (2 * n)  # to the nearest
    approach = min(max(squares, -FARTHEST), FARTHEST) + FARTHEST
    ends = region(origin, state.last) * len(REGIONS) + region(target, state.last)
    return (captures * len(REGIONS) ** 2 + ends) * APPROACHES + approach


def category_text(category: int) -> str:
    """A category in words.

    >>> category_text(CATEGORIES - 1)
    'capture, centre to centre, 3 or more closer'
    """
    rest, approach = divmod(category, APPROACHES)
    captures, ends = divmod(rest, len(REGIONS) ** 2)
    origin, target = (REGIONS[at] for at in divmod(ends, len(REGIONS)))
    squares = abs(approach - FARTHEST)
    amount = f"{squares} or more" if squares == FARTHEST else str(squares)
    way = "closer" if approach > FARTHEST else "farther"
    along = f"{amount} {way}" if squares else "as far"
    return f"{'capture' if captures else 'move'}, {origin} to {target}, {along}"


def learned() -> np.ndarray[Any, Any]:
    """The probability of each category, from a table that ``tesuji learn transitions`` wrote."""
    with resources.files(__package__).joinpath(LEARNED).open(encoding="utf-8") as file:
        numbers, available, found = np.loadtxt(file, usecols=(0, 2, 3), unpack=True)
    probability = np.full(CATEGORIES, LEAST)
    probability[numbers.astype(int)] = np.where(available >= ENOUGH, found, 0.0)
    return np.maximum(probability, LEAST)


def make_transitions() -> Kernel:
    """The knowledge ``transitions``: how likely good players choose a move of this category."""
    PROBABILITY = learned()

    def transitions(state: Any, playout: Any, count: Any, out: Any) -> None:
        moves = playout.moves
        centre = mass(np.uint64(state.stones[state.mover]))
        for i in range(count):
            if moves[i] == PASS:  # nothing else is legal
                out[i] = 1.0
            else:
                out[i] = PROBABILITY[category_around(state, moves[i], centre)]

    return transitions


def spread(state: Any, player: Any) -> float:
    """Kernel: how much farther from their centre of mass a player's pieces are than they must be.

    The mean over the pieces, after MIA (Winands 2004): one piece can be at the centre, eight one
    square away, and the others two.
    """
    centre = mass(np.uint64(state.stones[player]))
    n = centre[0]
    total = np.int64(0)
    for i in range(n):
        total += removed(np.int64(state.pieces[np.uint32(player * PIECES + i)]), centre)
    least = n - 1 + max(n - 9, 0)
    return (total / n - least) / n


def concentration(state: Any, out: Any) -> None:
    """Evaluation: fewer groups that are closer together win."""
    fewer = groups(np.uint64(state.stones[1])) - groups(np.uint64(state.stones[0]))
    closer = spread(state, 1) - spread(state, 0)
    out[0] = 1.0 / (1.0 + math.exp(-(PER_SQUARE * closer + PER_GROUP * fewer)))
    out[1] = 1.0 - out[0]


def game(size: int = 8, tie: bool = False) -> Game:
    if not 4 <= size <= SIDE:
        raise ValueError(f"size must be 4 to {SIDE}, not {size}")
    moves, uniform = make_choices(ways(size))
    cells = grid_cells(size, size)

    def put(state: Any, player: int, square: int) -> None:
        place = int(state.count[player])
        if place == PIECES:
            raise ValueError(f"{NAMES[player]} has at most {PIECES} pieces")
        state.stones[player] = int(state.stones[player]) | 1 << square
        state.pieces[player * PIECES + place] = square
        state.place[square] = place
        state.count[player] = place + 1

    def start(state: Any) -> None:
        """Black at the bottom and the top, White at the left and the right, corners free."""
        state.last = size - 1
        state.tie = tie
        for edge in (0, size - 1):
            for i in range(1, size - 1):
                put(state, 0, edge * SIDE + i)
                put(state, 1, i * SIDE + edge)

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        state.last = size - 1
        state.tie = tie
        for point, what in enumerate(contents):
            if what:
                put(state, what - 1, square_of(point))
        if 0 in state.count:
            raise ValueError("each player needs a piece")
        state.mover = mover
        last = int(state.pieces[(1 - mover) * PIECES])
        state.result = verdict(state, 1 - mover, np.uint32(last), True)

    def move_text(move: int) -> str:
        if move == PASS:
            return "pass"
        return "-".join(point_text(square, SIDE) for square in divmod(move, SQUARES))

    def parse_move(text: str) -> int:
        if text.lower() == "pass":
            return PASS
        parts = re.fullmatch(r"([a-z]\d+)[-x:]?([a-z]\d+)", text.lower())
        if parts is None:
            raise ValueError("a move is two squares, for example b1-b3")
        origin, target = (parse_point(part, size, size) for part in parts.groups())
        return square_of(origin) * SQUARES + square_of(target)

    def square_of(point: int) -> int:
        return point // size * SIDE + point % size

    def contents(state: Any) -> list[int]:
        first, second = int(state.stones[0]), int(state.stones[1])
        squares = map(square_of, range(size * size))
        return [(first >> at & 1) + 2 * (second >> at & 1) for at in squares]

    def clicks(state: Any, move: int) -> list[int]:
        ends = () if move == PASS else divmod(move, SQUARES)
        return [square // SIDE * size + square % SIDE for square in ends]

    def image(goes: Sequence[int], move: int) -> int:
        if move == PASS:
            return PASS
        origin, target = (square_of(goes[cell]) for cell in clicks(None, move))
        return origin * SQUARES + target

    def draw(state: Any, paint: Paint) -> str:
        return draw_grid(stones(contents(state), paint), size, size)

    return Game(
        name="loa",
        state=State,
        move_codes=PASS + 1,
        max_moves=2 * (size - 2) * len(DIRECTIONS),
        max_length=LONGEST,
        player_names=NAMES,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        policies={"uniform": uniform},
        knowledge={"transitions": make_transitions()},
        evaluations={"concentration": concentration},
        pass_move=PASS,
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        board=Board(
            cells=cells,
            pieces=men("piece", NAMES),
            contents=contents,
            clicks=clicks,
            place=place,
            numbers=("ply",),
        ),
        # Quarter turns and the other mirrors would swap the players.
        symmetries=symmetries(cells, image, [HALF_TURN, UP_DOWN, LEFT_RIGHT]),
    )
