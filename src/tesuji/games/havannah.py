"""Havannah: the first to make a ring, a bridge or a fork on a hexagonal board wins.

Chains are trees of a union-find whose roots know which corners and sides they touch: a bridge or a
fork is seen at once.  A ring needs no search either.  Look at the *arcs* around a new stone, the
runs of own stones among its neighbours:

* If two arcs belong to one chain, the new stone closes a loop.  One of the two gaps between these
  arcs lies inside, and it is no gap off the board, for that is never enclosed: a ring.
* Otherwise a ring through the new stone would leave and come back in the same arc.  Put the middle
  of that arc into its place: unless it had enclosed nothing but the middle, there would have been a
  ring before.  So there is a ring only if a stone in the middle of an arc has six own neighbours.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile import zobrist
from tesuji.facets import Board, by_cell, symmetries
from tesuji.game import Game, Kernel, Paint
from tesuji.games import placement, result
from tesuji.games.board import men, stones
from tesuji.games.hexagon import Hexagon

U32 = np.uint32
SMALLEST, LARGEST = 3, 10
NAMES, SYMBOLS = ("White", "Black"), ".OX"

# A view is what a player has around a cell, in seven bits as the rows of the board show them:
# two of the row above, three of its own, two of the row below.
BIT_OF_DIRECTION = (0, 1, 4, 6, 5, 2)
SURROUNDED = 127


def arcs_of(view: int) -> list[list[int]]:
    """The runs of own stones around a cell, each as a list of directions."""
    own = [view >> bit & 1 for bit in BIT_OF_DIRECTION]
    if all(own):
        return [list(range(6))]
    firsts = [k for k in range(6) if own[k] and not own[k - 1]]
    runs = []
    for first in firsts:
        length = next(n for n in range(1, 6) if not own[(first + n) % 6])
        runs.append([(first + n) % 6 for n in range(length)])
    return runs


def view_tables() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """For each view: how many arcs, a direction into each, bits of the directions amid an arc."""
    count = np.zeros(128, np.uint8)
    into = np.zeros((128, 3), np.uint8)
    amid = np.zeros(128, np.uint8)
    for view in range(128):
        arcs = arcs_of(view)
        count[view] = len(arcs)
        into[view, : len(arcs)] = [arc[0] for arc in arcs]
        amid[view] = sum(1 << k for arc in arcs for k in (arc if len(arc) == 6 else arc[1:-1]))
    return count, into, amid


def win_table() -> npt.NDArray[np.bool_]:
    """Is this set of six corners and six sides (from bit 6 on) a bridge or a fork?"""
    return np.array(
        [
            (touched & 63).bit_count() >= 2 or (touched >> 6).bit_count() >= 3
            for touched in range(4096)
        ]
    )


ARC_COUNT, INTO_ARC, AMID_ARC = view_tables()
WINS = win_table()


def state_of(hexagon: Hexagon) -> np.dtype[Any]:
    kind = np.uint8 if hexagon.cells <= 256 else np.uint16
    return np.dtype(
        [
            ("rows", np.uint32, (2, hexagon.width + 2)),  # each player's stones, bit x+1 of row y+1
            ("parent", kind, hexagon.cells),
            ("touched", np.uint16, hexagon.cells),  # valid for roots
            *result.FIELDS,
            *placement.fields(hexagon.cells, hexagon.cells + 1),
        ],
        align=True,
    )


def find(state: Any, cell: Any) -> Any:
    """The root of a chain; every other cell on the way gets a shorter way."""
    while state.parent[cell] != cell:
        state.parent[cell] = state.parent[state.parent[cell]]
        cell = state.parent[cell]
    return cell


def play_kernel(hexagon: Hexagon) -> Kernel:
    SWAP = U32(hexagon.outside)
    NEIGHBOURS = hexagon.neighbours
    BORDERS = hexagon.corners | hexagon.sides << U32(6)
    X = np.array([x for x, _ in hexagon.places], np.uint32)
    Y = np.array([y for _, y in hexagon.places], np.uint32)

    def play(state: Any, move: int) -> None:
        cell = U32(move)
        if state.swap != placement.SWAP_OFF and placement.swaps(state, cell, SWAP):
            cell = U32(state.first)
            state.rows[0, Y[cell] + 1] = 0
        place(state, cell)

    def place(state: Any, cell: Any) -> None:
        placement.take(state, cell)
        around = view(state, cell)
        state.rows[state.mover, U32(Y[cell] + 1)] |= U32(2) << X[cell]
        if around == 0:
            state.parent[cell] = cell
            state.touched[cell] = BORDERS[cell]
        elif connects(state, cell, around):
            state.result = state.mover + 1
        if state.left == 0 and state.result == 0:
            state.result = result.DRAW
        state.mover = 1 - state.mover

    def view(state: Any, cell: Any) -> Any:
        x = X[cell]
        y = Y[cell]
        above = state.rows[state.mover, y] >> x & U32(3)
        level = state.rows[state.mover, U32(y + 1)] >> x & U32(7)
        below = state.rows[state.mover, U32(y + 2)] >> U32(x + 1) & U32(3)
        return U32(above | level << U32(2) | below << U32(5))

    def connects(state: Any, cell: Any, around: Any) -> bool:
        """Join the stone to the chains around it; does that win?"""
        root = find(state, NEIGHBOURS[cell, INTO_ARC[around, 0]])
        touched = state.touched[root] | BORDERS[cell]
        state.parent[cell] = root
        for i in range(1, ARC_COUNT[around]):
            other = find(state, NEIGHBOURS[cell, INTO_ARC[around, i]])
            if other == root:
                return True  # two arcs of one chain: a ring
            state.parent[other] = root
            touched |= state.touched[other]
        state.touched[root] = touched
        amid = AMID_ARC[around]
        return WINS[touched] or (amid != 0 and encloses_stone(state, cell, amid))

    def encloses_stone(state: Any, cell: Any, amid: Any) -> bool:
        for k in range(6):
            if amid >> k & 1 != 0 and view(state, NEIGHBOURS[cell, k]) == SURROUNDED:
                return True
        return False

    return play


def hash_kernel(hexagon: Hexagon) -> Kernel:
    CELLS = hexagon.cells
    KEYS = zobrist("havannah", 2, CELLS)
    MOVER = zobrist("havannah mover", 1)[0]
    X = np.array([x for x, _ in hexagon.places], np.uint32)
    Y = np.array([y for _, y in hexagon.places], np.uint32)

    def hash(state: Any) -> np.uint64:
        key = MOVER if state.mover == 1 else np.uint64(0)
        for player in range(2):
            for cell in range(CELLS):
                if state.rows[player, Y[cell] + 1] >> U32(X[cell] + 1) & U32(1) != 0:
                    key ^= KEYS[player, cell]
        return key

    return hash


def contents(state: Any, hexagon: Hexagon) -> list[int]:
    """0, 1 or 2 for each cell."""
    first, second = ([int(row) for row in state.rows[player]] for player in range(2))
    return [
        (first[y + 1] >> x + 1 & 1) + 2 * (second[y + 1] >> x + 1 & 1) for x, y in hexagon.places
    ]


def game(size: int = 8, swap: bool = False) -> Game:
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"size must be {SMALLEST} to {LARGEST}, not {size}")
    hexagon = Hexagon(size)
    swap_code = hexagon.outside
    play = play_kernel(hexagon)

    def start(state: Any) -> None:
        placement.clear(state, range(hexagon.cells), swap)

    def move_text(move: int) -> str:
        return "swap" if move == swap_code else hexagon.text(move)

    def parse_move(text: str) -> int:
        return swap_code if swap and text.lower() == "swap" else hexagon.parse(text)

    def draw(state: Any, paint: Paint) -> str:
        return hexagon.draw(stones(contents(state, hexagon), paint, SYMBOLS))

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        placement.clear(state, range(hexagon.cells), False)
        stones = dict(enumerate(contents))
        placement.set_up(state, play, stones, mover, swap_code if swap else None)

    return Game(
        name="havannah",
        state=state_of(hexagon),
        move_codes=hexagon.cells + 1,
        max_moves=hexagon.cells,
        max_length=hexagon.cells + 1,
        start=start,
        moves=placement.moves,
        play=play,
        over=result.over,
        mover=result.mover,
        rewards=result.rewards,
        hash=hash_kernel(hexagon),
        policies={"uniform": placement.uniform},
        player_names=NAMES,
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        board=Board(
            cells=hexagon.board_cells,
            pieces=men("stone", NAMES, SYMBOLS),
            contents=lambda state: contents(state, hexagon),
            clicks=lambda state, move: [] if move == swap_code else [move],
            place=place,
        ),
        symmetries=symmetries(hexagon.board_cells, by_cell(range(hexagon.cells))),
    )
