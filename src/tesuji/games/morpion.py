"""Morpion Solitaire: add a point that completes a line of five, as often as you can.

Each of the four directions has its own picture of the grid, in which a row is one word of 32 bits
and a line is five neighbouring bits.  A cell has a *slot*, word and bit, in each picture, and a
move is the slot where its line begins, in the picture of its direction.  What a move changes is
then found by shifts and two tables of 512 entries; start with `play`.

The legal moves are a list in the state: a move takes some away and adds those through its point.

The grid is finite, with a border of one cell.  What leads into the border counts as drawn from the
start, see `barred_table`; no kernel has to know of it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tesuji.compile import below, zobrist
from tesuji.facets import Board, Cell, Piece, symmetries
from tesuji.game import Game, Paint
from tesuji.games.board import LETTERS, point_text

SIDE = 32  # of the grid: a row is a word
FIELD = SIDE - 2  # without the border
COLUMNS = LETTERS + "ABCD"
TEXT = re.compile("([a-zA-D])([0-9]{1,2})-([a-zA-D])([0-9]{1,2})")
CELLS = SIDE * SIDE
CROSS = (
    "...oooo...",
    "...o..o...",
    "...o..o...",
    "oooo..oooo",
    "o........o",
    "o........o",
    "oooo..oooo",
    "...o..o...",
    "...o..o...",
    "...oooo...",
)
MARGIN = (SIDE - len(CROSS)) // 2

STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))  # the directions: a column and a row further
STROKES = "-|/\\"
LINE = 5

RULES = ("5T", "5D")
# What lines of one direction may not share.  In 5T it is a segment, which has the slot of the point
# where it begins, in 5D it is a point: four or five parts of a line.
PARTS = np.array([0b01111, 0b11111], np.uint8)
SCALE = np.array([200.0, 100.0])  # rewards are moves divided by this; the records are 178 and 82
# No game is longer: Michalewski, Nagórko and Pawlewicz (2015), Kawamura et al. (2013).
LONGEST = (485, 121)
# No position has more moves.  In 5T a point can be the end of eight segments.  A move adds a point
# and uses up eight ends, so 36 * 8 are free at all times.  A legal line has at least six of them,
# and each is part of at most four lines: 36 * 8 * 4 / 6.  The same reasoning gives 180 in 5D.
WIDEST = 192

State = np.dtype(
    [
        ("key", np.uint64),
        ("points", np.uint32, 4 * SIDE),
        ("drawn", np.uint32, 4 * SIDE),  # parts of lines
        ("legal", np.uint16, WIDEST),
        ("legal_count", np.uint16),
        ("length", np.uint16),  # moves made
        ("rule", np.uint8),  # index of RULES
    ],
    align=True,
)


# --- tables --------------------------------------------------------------------------------------


def slots_of(x: int, y: int) -> list[int]:
    """The slots of a cell.  Two diagonals share a word; where they meet is border."""
    places = [(y, x), (x, y), (x - y, y), (x + y, y)]
    return [i * CELLS + row % SIDE * SIDE + bit for i, (row, bit) in enumerate(places)]


def slot_table() -> Any:
    return np.array([slots_of(cell % SIDE, cell // SIDE) for cell in range(CELLS)], np.uint16)


def cell_table() -> Any:
    cells = np.zeros(4 * CELLS, np.uint16)
    for cell, slots in enumerate(SLOTS):
        cells[slots] = cell
    return cells


def in_field(x: int, y: int) -> bool:
    return 1 <= x <= FIELD and 1 <= y <= FIELD


def barred_table() -> Any:
    """For each rule the parts that no line can have: points and segments not in the field."""
    barred = np.zeros((len(RULES), 4 * SIDE), np.uint32)
    for cell in range(CELLS):
        x, y = cell % SIDE, cell // SIDE
        for (dx, dy), slot in zip(STEPS, slots_of(x, y), strict=True):
            if not in_field(x, y) or not in_field(x + dx, y + dy):
                barred[0, slot // SIDE] |= 1 << slot % SIDE
            if not in_field(x, y):
                barred[1, slot // SIDE] |= 1 << slot % SIDE
    return barred


def lacking(nine: int) -> int:
    """The lines among the five within nine cells that lack one point."""
    lines = [nine >> i & 0b11111 for i in range(LINE)]
    return sum(1 << i for i, line in enumerate(lines) if line.bit_count() == LINE - 1)


def open_lines(nine: int, parts: int) -> int:
    """The lines among the five of which no part is drawn."""
    return sum(1 << i for i in range(LINE) if nine >> i & parts == 0)


SLOTS = slot_table()  # of each cell
CELL = cell_table()  # of each slot
BARRED = barred_table()
LACKING = np.array([lacking(nine) for nine in range(512)], np.uint8)
OPEN = np.array([[open_lines(nine, int(p)) for nine in range(512)] for p in PARTS], np.uint8)
LOWEST = np.array([(n & -n).bit_length() - 1 for n in range(32)], np.int8)  # place of the first 1
KEYS = zobrist("morpion", 4 * CELLS)


# --- kernels -------------------------------------------------------------------------------------


def mover(state: Any) -> int:
    return 0


def over(state: Any) -> bool:
    return state.legal_count == 0


def moves(state: Any, out: Any) -> int:
    for i in range(state.legal_count):
        out[i] = state.legal[i]
    return np.int64(state.legal_count)


def uniform(state: Any, playout: Any, rng: Any) -> Any:
    return np.int64(state.legal[np.uint32(below(rng, state.legal_count))])


def play(state: Any, move: int) -> None:
    word, bit = np.uint32(move >> 5), move & 31
    gap = np.int64(LOWEST[np.uint32(~(state.points[word] >> bit) & 31)])
    state.drawn[word] |= np.int64(PARTS[state.rule]) << bit
    place(state, np.uint32(CELL[np.uint32(move + gap)]))
    state.key = np.uint64(state.key) ^ KEYS[np.uint32(move)]
    state.length += 1


def place(state: Any, cell: Any) -> None:
    """Kernel: add a point and bring the list of moves up to date."""
    for direction in range(4):
        slot = np.int64(SLOTS[cell, direction])
        state.points[np.uint32(slot >> 5)] |= 1 << (slot & 31)
    keep_legal(state)
    for direction in range(4):
        add_lines(state, np.int64(SLOTS[cell, direction]))


def keep_legal(state: Any) -> None:
    """Kernel: forget lines that lack no point any more and lines of which a part is drawn."""
    parts = np.int64(PARTS[state.rule])
    kept = np.uint32(0)
    for i in range(np.uint32(state.legal_count)):
        move = state.legal[i]
        word, bit = np.uint32(move >> 5), move & 31
        full = (state.points[word] >> bit) & 31 == 31
        drawn = (state.drawn[word] >> bit) & parts != 0
        state.legal[kept] = move
        kept += np.uint32(not (full | drawn))
    state.legal_count = kept


def add_lines(state: Any, slot: int) -> None:
    """Kernel: add the moves of one direction that a new point makes possible.

    The point is the middle one of nine bits; those beyond the ends of the word are 0.
    """
    word, bit = np.uint32(slot >> 5), slot & 31
    points = np.uint32((state.points[word] << 4 >> bit) & 511)
    drawn = np.uint32((state.drawn[word] << 4 >> bit) & 511)
    found = np.int64(LACKING[points] & OPEN[state.rule, drawn])
    while found != 0:
        begin = slot - 4 + np.int64(LOWEST[np.uint32(found)])
        state.legal[np.uint32(state.legal_count)] = begin
        state.legal_count += 1
        found &= found - 1


def score(state: Any) -> int:
    return np.int64(state.length)


def rewards(state: Any, out: Any) -> None:
    out[0] = min(1.0, state.length / SCALE[state.rule])


def hash(state: Any) -> np.uint64:
    """One key for each line: the lines tell the points, too."""
    return np.uint64(state.key)


# --- text ----------------------------------------------------------------------------------------


def cell_text(cell: int) -> str:
    return point_text((cell // SIDE - 1) * FIELD + cell % SIDE - 1, FIELD, COLUMNS)


def move_text(move: int) -> str:
    """Both ends of the line: the point that it lacks is the new one."""
    return f"{cell_text(int(CELL[move]))}-{cell_text(int(CELL[move + LINE - 1]))}"


def parse_move(text: str) -> int:
    """Either end may come first; columns beyond z are A to D."""
    if found := TEXT.fullmatch(text):
        a, b, c, d = found.groups()
        move = line_between((COLUMNS.index(a) + 1, int(b)), (COLUMNS.index(c) + 1, int(d)))
        if move is not None:
            return move
    raise ValueError("a move is both ends of a line of five points, for example n11-n15")


def line_between(one: tuple[int, int], other: tuple[int, int]) -> int | None:
    """The move with these ends, in any order."""
    for (x, y), (u, v) in ((one, other), (other, one)):
        for slot, (dx, dy) in zip(slots_of(x, y), STEPS, strict=True):
            if (u - x, v - y) == (4 * dx, 4 * dy) and in_field(x, y) and in_field(u, v):
                return slot
    return None


def cross_points() -> list[tuple[int, int]]:
    """Column and row of the points that are there at the start."""
    return [
        (MARGIN + x, MARGIN + y)
        for y, row in enumerate(CROSS)
        for x, symbol in enumerate(row)
        if symbol == "o"
    ]


def all_points(state: Any) -> list[tuple[int, int]]:
    return [(x, y) for y in range(SIDE) for x in range(SIDE) if state.points[y] >> x & 1]


def lines(state: Any) -> Iterator[int]:
    """The moves made, in no particular order.

    Parts that follow each other without a gap can be cut into lines in one way only.
    """
    for word in range(4 * SIDE):
        left = state.drawn[word] ^ int(BARRED[state.rule, word])
        while left:
            bit = (left & -left).bit_length() - 1
            left ^= int(PARTS[state.rule]) << bit
            yield word * SIDE + bit


def segments(state: Any) -> dict[tuple[int, int], str]:
    """The stroke at the middle of each segment, in half cells."""
    strokes: dict[tuple[int, int], str] = {}
    for move in lines(state):
        direction, cell = move // CELLS, int(CELL[move])
        dx, dy = STEPS[direction]
        for i in range(1, 2 * LINE - 2, 2):
            at = (2 * (cell % SIDE) + i * dx, 2 * (cell // SIDE) + i * dy)
            strokes[at] = "X" if at in strokes else STROKES[direction]
    return strokes


def draw(state: Any, paint: Paint) -> str:
    """The points of the cross are o, others are *; one row and column more on each side."""
    points = all_points(state)
    symbols = segments(state)
    symbols |= {(2 * x, 2 * y): paint("*", 0) for x, y in points}
    symbols |= {(2 * x, 2 * y): "o" for x, y in cross_points()}
    (left, right), (low, high) = (
        (max(min(places) - 1, 1), min(max(places) + 1, FIELD))
        for places in zip(*points, strict=True)
    )
    names = "   " + " ".join(COLUMNS[left - 1 : right])
    rows = []
    for v in range(2 * high, 2 * low - 1, -1):
        number, empty = (f"{v // 2}", ". ") if v % 2 == 0 else ("", "  ")
        row = "".join(symbols.get((u, v), empty[u % 2]) for u in range(2 * left, 2 * right + 1))
        rows.append(f"{number:>2} {row} {number}".rstrip())
    return "\n".join([names, *rows, names])


# --- facets --------------------------------------------------------------------------------------

FIELD_CELLS = [(x, y) for y in range(1, FIELD + 1) for x in range(1, FIELD + 1)]
BOARD_CELLS = tuple(Cell(cell_text(y * SIDE + x), x, y, "point") for x, y in FIELD_CELLS)


def number(cell: int) -> int:
    """The number of a cell without the border."""
    return (cell // SIDE - 1) * FIELD + cell % SIDE - 1


def contents(state: Any) -> list[int]:
    """1 for points of the cross, 2 for others."""
    found = [int(state.points[y] >> x & 1) for x, y in FIELD_CELLS]
    cross = {number(y * SIDE + x) for x, y in cross_points()}
    return [2 if point and i not in cross else point for i, point in enumerate(found)]


def ends(state: Any, move: int) -> list[int]:
    """A person clicks both ends of a line."""
    return [number(int(CELL[move])), number(int(CELL[move + LINE - 1]))]


def image(goes: Sequence[int], move: int) -> int:
    """A move on a board that was turned or mirrored."""
    found = line_between(*(FIELD_CELLS[goes[cell]] for cell in ends(None, move)))
    assert found is not None  # a turned line is one
    return found


def strokes(state: Any) -> list[tuple[int, int]]:
    """The lines as strokes from end to end."""
    return [(first, last) for first, last in (ends(state, move) for move in lines(state))]


def game(rule: str = "5T") -> Game:
    """``rule`` says whether lines of one direction may touch (5T) or are disjoint (5D)."""
    if rule.upper() not in RULES:
        raise ValueError(f"rule must be 5T or 5D, not {rule}")
    index = RULES.index(rule.upper())

    def start(state: Any) -> None:
        state.rule = index
        state.drawn[:] = BARRED[index]
        for x, y in cross_points():
            place(state, np.uint32(y * SIDE + x))

    return Game(
        name="morpion",
        state=State,
        players=1,
        player_names=("solver",),
        move_codes=4 * CELLS,
        max_moves=WIDEST,
        max_length=LONGEST[index],
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        score=score,
        score_range=(0.0, float(SCALE[index])),
        hash=hash,
        policies={"uniform": uniform},
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        board=Board(
            cells=BOARD_CELLS,
            pieces=(Piece("point of the cross", "o"), Piece("point", "*", player=0)),
            contents=contents,
            clicks=ends,
            strokes=strokes,
        ),
        symmetries=symmetries(BOARD_CELLS, image),
    )
