"""The Game of the Amazons (Walter Zamkauskas 1988): move like a queen, then shoot like one.

The board is kept as lines: every row, column and diagonal is a number whose bits tell which of its
squares are taken.  A table says how many squares are free on both sides of a place on such a
line, so four look-ups count the moves of a queen, and nothing ever walks along a line.

A position has hundreds of moves, far too many to list them just to draw one: see ``uniform``.
"""

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import below, zobrist
from tesuji.facets import Board, Piece, symmetries
from tesuji.game import Game, Kernel, Paint
from tesuji.games.bits import size_of
from tesuji.games.board import (
    LEFT_RIGHT,
    draw_grid,
    grid_cells,
    men,
    parse_point,
    point_text,
    stones,
)

AMAZONS = 4  # of each player
WAYS = 4  # a square is on four lines: row, column, rising and falling diagonal
ALL = np.uint32(AMAZONS * WAYS)
FEW = 6  # reachable squares below which listing the moves is faster than drawing until one fits
HALF = 16  # bits: rows of both players in one number
TEMPO = 0.1  # what a square that both reach at the same time is worth to the mover
STEEP = 0.1  # of the logistic curve from squares to rewards; both fitted, see docs/games/amazons.md
NOTHING, ARROW = 0, 3  # the contents of a square besides the amazons, 1 and 2
NAMES, SYMBOLS = ("White", "Black"), ".XO#"


class Lines(NamedTuple):
    """The lines of a board; ``table[square, way]`` tells about one of the four through a square."""

    number: np.ndarray[Any, Any]  #: which line it is
    place: np.ndarray[Any, Any]  #: where the square is on it
    step: np.ndarray[Any, Any]  #: ``step[way]``: from a square to the next on the line
    free: np.ndarray[Any, Any]  #: see `free_squares`


def lines(size: int) -> Lines:
    number = np.zeros((size * size, WAYS), np.uint16)
    place = np.zeros((size * size, WAYS), np.uint16)
    for square in range(size * size):
        y, x = divmod(square, size)
        number[square] = y, size + x, 3 * size + x - y - 1, 4 * size + x + y - 1
        place[square] = x, y, x, x
    step = np.array([1, size, size + 1, 1 - size], np.int32)
    return Lines(number, place, step, free_squares(size))


def free_squares(size: int) -> np.ndarray[Any, Any]:
    """``table[place, taken]``: the free squares in reach from a place of a line.

    The low four bits count all of them, the high ones those before the place.
    """
    table = np.zeros((size, 1 << size), np.uint8)
    for place in range(size):
        for taken in range(1 << size):
            before, after = place - 1, place + 1
            while before >= 0 and not taken >> before & 1:
                before -= 1
            while after < size and not taken >> after & 1:
                after += 1
            table[place, taken] = (place - 1 - before) << 4 | (after - before - 2)
    return table


def setup(size: int) -> list[int]:
    """Where the amazons stand: White's four, then Black's.

    The usual squares of the board of ten, moved with the corners: as far from them as a third
    of the side.
    """
    third, last = (size - 1) // 3, size - 1
    white = [(0, third), (third, 0), (last - third, 0), (last, third)]
    black = [(0, last - third), (third, last), (last - third, last), (last, last - third)]
    return [y * size + x for x, y in white + black]


def record(size: int) -> np.dtype[Any]:
    return np.dtype(
        [
            ("taken", np.uint16, 6 * size - 2),  # a line's taken squares, one bit a place
            ("amazons", np.uint8, 2 * AMAZONS),  # White's squares, then Black's
            ("mover", np.uint8),
            # reach[i]: squares that the mover's amazons reach on the first i of their 16 lines
            ("reach", np.uint8, AMAZONS * WAYS + 1),
            # scratch of the evaluation, see `make_territory`
            ("reached", np.uint32, size),
            ("near", np.uint32, size),
        ],
        align=True,
    )


def mover(state: Any) -> int:
    return state.mover


def over(state: Any) -> bool:
    return state.reach[ALL] == 0


def rewards(state: Any, out: Any) -> None:
    """Who cannot move has lost."""
    out[0] = 1.0 if state.mover == 1 else 0.0
    out[1] = 1.0 - out[0]


def make_play(size: int, board: Lines) -> tuple[Kernel, Kernel, Kernel]:
    """The kernel ``play`` and its two parts."""
    SQUARES = np.uint32(size * size)
    NUMBER = board.number
    PLACE = board.place
    FREE = board.free

    def flip(state: Any, square: Any) -> None:
        """Kernel: a taken square becomes free or a free one taken."""
        for way in range(np.uint32(WAYS)):
            state.taken[NUMBER[square, way]] ^= np.uint16(1) << PLACE[square, way]

    def look(state: Any) -> None:
        """Kernel: find out what the mover can reach."""
        first = state.mover * AMAZONS
        total = np.uint32(0)
        for i in range(np.uint32(AMAZONS)):
            square = state.amazons[np.uint32(first + i)]
            for way in range(np.uint32(WAYS)):
                taken = state.taken[NUMBER[square, way]]
                total += np.uint32(FREE[PLACE[square, way], taken] & 15)
                state.reach[np.uint32(i * WAYS + way + 1)] = total

    def play(state: Any, move: int) -> None:
        code = np.uint32(move)
        origin = code // (SQUARES * SQUARES)
        square = code // SQUARES % SQUARES
        flip(state, origin)
        flip(state, square)
        flip(state, code % SQUARES)
        first = state.mover * AMAZONS
        for i in range(np.uint32(first), np.uint32(first + AMAZONS)):
            if state.amazons[i] == origin:
                state.amazons[i] = square
        state.mover = 1 - state.mover
        look(state)

    return play, flip, look


def make_choices(size: int, board: Lines) -> tuple[Kernel, Kernel, Kernel, Kernel]:
    """The kernels ``moves``, ``count``, ``nth`` and ``uniform``."""
    SQUARES = size * size
    SHOTS = np.uint32(WAYS * (size - 1))  # no amazon has more, even on an empty board
    NUMBER = board.number
    PLACE = board.place
    STEP = board.step
    FREE = board.free

    def free_around(state: Any, square: Any, way: Any) -> Any:
        """Kernel: what is free on a line through a square, as `free_squares` writes it."""
        return FREE[PLACE[square, way], state.taken[NUMBER[square, way]]]

    def free_after(state: Any, origin: Any, along: Any, square: Any, way: Any) -> Any:
        """Kernel: the same after an amazon went from ``origin`` along a line to ``square``."""
        left = np.uint32(way == along) << np.uint32(PLACE[origin, way])
        return FREE[PLACE[square, way], np.uint32(state.taken[NUMBER[square, way]]) ^ left]

    def nth(square: Any, way: Any, free: Any, n: Any) -> Any:
        """Kernel: the n-th of the free squares on a line, those before the square first."""
        before = np.int64(free >> 4)
        steps = n - before if n < before else n - before + 1
        return np.uint32(square + steps * STEP[way])

    def pack(origin: Any, square: Any, arrow: Any) -> Any:
        return (np.int64(origin) * SQUARES + np.int64(square)) * SQUARES + np.int64(arrow)

    def line_of(state: Any, n: Any) -> Any:
        """Kernel: the one of the amazons' 16 lines with the n-th square in reach.

        First which amazon, then which of its lines, both counted without a branch to guess.
        """
        amazon = np.uint32(0)
        for i in range(1, AMAZONS):
            amazon += np.uint32(state.reach[np.uint32(i * WAYS)] <= n)
        first = amazon * np.uint32(WAYS)
        line = first
        for i in range(1, WAYS):
            line += np.uint32(state.reach[np.uint32(first + i)] <= n)
        return line

    def nth_step(state: Any, n: Any) -> Any:
        """Kernel: the n-th square in reach: who goes there, along which line, and the square."""
        line = line_of(state, n)
        along = line % np.uint32(WAYS)
        amazon = np.uint32(state.mover * AMAZONS + line // np.uint32(WAYS))
        origin = np.uint32(state.amazons[amazon])
        k = np.int64(n) - np.int64(state.reach[line])
        return origin, along, nth(origin, along, free_around(state, origin, along), k)

    def count_shots(state: Any, origin: Any, along: Any, square: Any) -> Any:
        """Kernel: how many shots there are after a step."""
        found = 0
        for way in range(np.uint32(WAYS)):
            found += np.int64(free_after(state, origin, along, square, way) & 15)
        return found

    def nth_shot(state: Any, origin: Any, along: Any, square: Any, n: Any) -> Any:
        """Kernel: the step with the n-th of its shots."""
        way = np.uint32(0)
        free = free_after(state, origin, along, square, way)
        while n >= np.int64(free & 15):
            n -= np.int64(free & 15)
            way += np.uint32(1)
            free = free_after(state, origin, along, square, way)
        return pack(origin, square, nth(square, way, free, n))

    def moves(state: Any, out: Any) -> int:
        n = 0
        for i in range(np.int64(state.reach[ALL])):
            origin, along, square = nth_step(state, i)
            for way in range(np.uint32(WAYS)):
                free = free_after(state, origin, along, square, way)
                for k in range(np.int64(free & 15)):
                    out[np.uint32(n)] = pack(origin, square, nth(square, way, free, k))
                    n += 1
        return n

    def count(state: Any) -> int:
        n = 0
        for i in range(np.int64(state.reach[ALL])):
            origin, along, square = nth_step(state, i)
            n += count_shots(state, origin, along, square)
        return n

    def nth_move(state: Any, n: int) -> int:
        """Kernel: the n-th of ``moves``, found by counting instead of listing."""
        for i in range(np.int64(state.reach[ALL])):
            origin, along, square = nth_step(state, i)
            here = count_shots(state, origin, along, square)
            if n < here:
                return nth_shot(state, origin, along, square, n)
            n -= here
        return 0

    def uniform(state: Any, playout: Any, rng: Any) -> Any:
        """Policy: draw a square in reach, a line to shoot along and a number until they fit.

        A draw is a move if at least that many squares are free on the line, so every move is one
        of the equally likely draws.  In a random game on the board of ten, this takes 7 draws a
        move instead of listing 465 moves.
        """
        reach = state.reach[ALL]
        if reach < FEW:
            return np.int64(playout.moves[below(rng, moves(state, playout.moves))])
        while True:
            draw = np.uint32(below(rng, reach * SHOTS))
            origin, along, square = nth_step(state, draw // SHOTS)
            shot = draw % SHOTS
            way = shot % np.uint32(WAYS)
            free = free_after(state, origin, along, square, way)
            k = np.int64(shot // np.uint32(WAYS))
            if k < free & 15:
                return pack(origin, square, nth(square, way, free, k))

    return moves, count, nth_move, uniform


def make_territory(size: int) -> Kernel:
    """The evaluation ``territory``: a square belongs to who reaches it in fewer moves of a queen.

    A set of squares is one number for each row, White's set in its low half and Black's in its
    high half, so that the amazons of both spread at once.  The bits between the halves are never
    free: what is shifted there is lost.
    """
    ROW = 2**size - 1

    def free_in(state: Any, y: Any) -> Any:
        """Kernel: the free squares of a row, in both halves."""
        free = ROW & ~np.int64(state.taken[y])
        return free | free << HALF

    def along(row: Any, free: Any) -> Any:
        """Kernel: what is in reach within a row, found in steps of 1, 2, 4 and 8 squares."""
        up, up_free = row, free
        down, down_free = row, free
        for i in range(4):
            up |= up_free & (up << (1 << i))
            up_free &= up_free << (1 << i)
            down |= down_free & (down >> (1 << i))
            down_free &= down_free >> (1 << i)
        return (up | down) & free

    def sweep(state: Any, y: Any, step: Any) -> None:
        """Kernel: add what is in reach upright and diagonally, one row after the other."""
        straight = left = right = np.int64(0)
        for _ in range(size):
            free = free_in(state, np.uint32(y))
            straight, left, right = straight & free, left & free, right & free
            state.near[np.uint32(y)] |= straight | left | right
            here = np.int64(state.reached[np.uint32(y)])
            straight, left, right = straight | here, (left | here) >> 1, (right | here) << 1
            y += step

    def spread(state: Any) -> None:
        """Kernel: ``near`` becomes what is one move away from ``reached``."""
        for y in range(np.uint32(size)):
            state.near[y] = along(np.int64(state.reached[y]), free_in(state, y))
        sweep(state, 0, 1)
        sweep(state, size - 1, -1)

    def place(state: Any) -> None:
        """Kernel: begin with the squares of the amazons."""
        for y in range(np.uint32(size)):
            state.reached[y] = 0
        for i in range(np.uint32(2 * AMAZONS)):
            square = np.uint32(state.amazons[i])
            bit = np.int64(square % np.uint32(size)) + HALF * np.int64(i // np.uint32(AMAZONS))
            state.reached[square // np.uint32(size)] |= 1 << bit

    def balance(state: Any) -> Any:
        """Kernel: White's squares less Black's, and how many both reach at the same time.

        A move that makes nobody the first on any square is the last: what lies beyond is reached
        sooner through squares where somebody was first.
        """
        place(state)
        lead, shared, more = 0, 0, True
        while more:
            spread(state)
            more = False
            for y in range(np.uint32(size)):
                before, near = np.int64(state.reached[y]), np.int64(state.near[y])
                nobodys = ROW & ~(before | before >> HALF)
                white, black = near & nobodys, near >> HALF & nobodys
                lead += size_of(np.uint64(white & ~black)) - size_of(np.uint64(black & ~white))
                shared += size_of(np.uint64(white & black))
                more |= white | black != 0
                state.reached[y] = before | near
        return lead, shared

    def territory(state: Any, out: Any) -> None:
        lead, shared = balance(state)
        me = state.mover
        mine = (lead if me == 0 else -lead) + TEMPO * shared
        out[me] = 1.0 / (1.0 + math.exp(-STEEP * mine))
        out[1 - me] = 1.0 - out[me]

    return territory


def game(size: int = 10) -> Game:
    if not 4 <= size <= 12:
        raise ValueError(f"size must be 4 to 12, not {size}")
    SQUARES = size * size
    board = lines(size)
    play, flip, look = make_play(size, board)
    moves, count, nth, uniform = make_choices(size, board)
    KEYS = zobrist("amazons", 3, SQUARES)
    MOVER_KEY = zobrist("amazons mover", 1)[0]

    cells = grid_cells(size, size)

    def start(state: Any) -> None:
        begin(state, setup(size), [], 0)

    def begin(state: Any, amazons: list[int], arrows: list[int], mover: int) -> None:
        """All is taken at first, and off the board it stays so: diagonals are shorter than rows."""
        state.taken[:] = 2**size - 1
        for square in range(SQUARES):
            flip(state, square)
        for square in amazons + arrows:
            flip(state, square)
        state.amazons[:] = amazons
        state.mover = mover
        look(state)

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        white, black, arrows = (
            [square for square, what in enumerate(contents) if what == wanted]
            for wanted in (1, 2, ARROW)
        )
        if len(white) != AMAZONS or len(black) != AMAZONS:
            raise ValueError(f"each player has {AMAZONS} amazons, not {len(white)}, {len(black)}")
        begin(state, white + black, arrows, mover)

    def content(state: Any, square: Any) -> int:
        """Kernel: what stands on a square."""
        if not state.taken[np.uint32(square // size)] >> (square % size) & 1:
            return NOTHING
        for i in range(2 * AMAZONS):
            if state.amazons[i] == square:
                return 1 + i // AMAZONS
        return ARROW

    def hash(state: Any) -> np.uint64:
        key = MOVER_KEY * np.uint64(state.mover)
        for square in range(SQUARES):
            what = content(state, square)
            if what != NOTHING:
                key ^= KEYS[what - 1, square]
        return key

    def clicks(state: Any, move: int) -> list[int]:
        return [move // SQUARES**2, move // SQUARES % SQUARES, move % SQUARES]

    def image(goes: Sequence[int], move: int) -> int:
        origin, square, arrow = (goes[cell] for cell in clicks(None, move))
        return (origin * SQUARES + square) * SQUARES + arrow

    def move_text(move: int) -> str:
        origin, square, arrow = (point_text(point, size) for point in clicks(None, move))
        return f"{origin}-{square}/{arrow}"

    def parse_move(text: str) -> int:
        parts = re.fullmatch(r"([a-z]\d+)-?([a-z]\d+)/?([a-z]\d+)", text.lower())
        if parts is None:
            raise ValueError("a move is from-to/arrow, for example d1-d7/g7")
        move = 0
        for part in parts.groups():
            move = move * SQUARES + parse_point(part, size, size)
        return move

    def contents(state: Any) -> list[int]:
        return [content(state, square) for square in range(SQUARES)]

    def draw(state: Any, paint: Paint) -> str:
        return draw_grid(stones(contents(state), paint, SYMBOLS), size, size)

    return Game(
        name="amazons",
        state=record(size),
        move_codes=SQUARES**3,
        max_moves=AMAZONS * (4 * size - 4) ** 2,
        max_length=SQUARES - 2 * AMAZONS,
        player_names=NAMES,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        count=count,
        nth=nth,
        policies={"uniform": uniform},
        evaluations={"territory": make_territory(size)},
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        board=Board(
            cells=cells,
            pieces=(*men("amazon", NAMES), Piece("arrow", SYMBOLS[ARROW])),
            contents=contents,
            clicks=clicks,
            place=place,
        ),
        symmetries=symmetries(cells, image, [LEFT_RIGHT]),
    )
