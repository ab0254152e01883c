"""SameGame: take away groups of one colour; large groups score most, an empty board scores extra.

One player.  The board lies in memory column by column, each from the bottom, so that stones fall
along memory.  Above every column is one cell that stays empty, and beside the board is an empty
column on either side: every cell has four neighbours, and no edge is a special case.

A group is named by its *head*, the lowest cell of its leftmost column.  Random moves are drawn by
trying cells until one is a head: each group has just one, so all are equally likely, and most other
cells are told from heads by a look at their neighbours.

Board, colours and the range of rewards are data in the state: a board of the same size never
compiles again.  Start with `game`; the kernels of a size are made by `make_groups` and
`make_falling`.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import below, draw_below, stream, zobrist
from tesuji.facets import Board, Piece
from tesuji.game import Game, Kernel, Paint, Size
from tesuji.games.board import LETTERS, draw_grid, grid_cells, parse_point, point_text

U64 = np.uint64
ONE = U64(1)
EMPTY = 0
SEEN = 128  # added to the colour of a cell while a flood has it in its list
COLOURS = 9  # the most, so that boards are written with one digit a cell
BONUS = 1000  # for an empty board
SPREAD = 0x9E3779B97F4A7C15  # spreads the points over 64 bits (Knuth: 2**64 / golden ratio)
OFFSET = 1 << 20  # points may be negative, but not by more

Rows = tuple[tuple[int, ...], ...]  # colours, the lowest row first


class Groups(NamedTuple):
    """Kernels that look at groups."""

    flood: Kernel  #: ``(state, cell)``: mark and list the group of a cell; how many cells it has
    is_head: Kernel  #: ``(state, cell)``: does this cell name a group of at least two?
    any_group: Kernel  #: ``(state, tabu)``: is there a group of another colour than this one?
    draw_group: Kernel  #: ``(state, tabu, rng)``: one of those groups, all equally likely


def fields(size: Size) -> np.dtype[Any]:
    """The state of a board of this size."""
    cells = (size.width + 2) * (size.height + 1)
    return np.dtype(
        [
            ("points", np.int32),
            ("low", np.int32),  # the points that are worth the reward 0
            ("high", np.int32),  # and the reward 1
            ("board", np.uint8, cells),
            ("height", np.uint8, size.width + 2),  # of each column
            ("left", np.uint16, COLOURS + 1),  # stones of each colour
            ("columns", np.uint8),  # those that are not empty
            ("tallest", np.uint8),
            ("ended", np.uint8),
            ("queue", np.uint16, size.width * size.height),  # scratch: the cells of a group
        ],
        align=True,
    )


def make_groups(size: Size) -> Groups:
    S = U64(size.height + 1)  # from a cell to the one beside it

    def join(state: Any, cell: Any, colour: int, n: Any) -> Any:
        if state.board[cell] != colour:
            return n
        state.board[cell] = colour + SEEN
        state.queue[n] = cell
        return n + ONE

    def flood(state: Any, cell: Any) -> Any:
        colour = state.board[cell]
        n = join(state, cell, colour, U64(0))
        i = U64(0)
        while i < n:
            at = U64(state.queue[i])
            n = join(state, at - ONE, colour, n)
            n = join(state, at + ONE, colour, n)
            n = join(state, at - S, colour, n)
            n = join(state, at + S, colour, n)
            i += ONE
        return n

    def is_head(state: Any, cell: Any) -> bool:
        colour = state.board[cell]
        if colour == EMPTY or state.board[cell - ONE] == colour or state.board[cell - S] == colour:
            return False
        if state.board[cell + ONE] != colour and state.board[cell + S] != colour:
            return False
        head = cell
        for i in range(flood(state, cell)):
            at = U64(state.queue[i])
            state.board[at] = colour
            head = min(head, at)
        return head == cell

    def any_group(state: Any, tabu: int) -> bool:
        for column in range(1, state.columns + 1):
            first = U64(column) * S
            for cell in range(first, first + U64(state.height[column])):
                colour = state.board[cell]
                if colour != tabu and (
                    state.board[cell + 1] == colour or state.board[U64(cell) + S] == colour
                ):
                    return True
        return False

    def draw_group(state: Any, tabu: int, rng: Any) -> int:
        while True:
            column = U64(below(rng, state.columns)) + ONE
            cell = column * S + U64(below(rng, state.tallest))
            if state.board[cell] != tabu and is_head(state, cell):
                return np.int64(cell)

    return Groups(flood, is_head, any_group, draw_group)


def make_falling(size: Size) -> Kernel:
    """The kernel that closes the gaps in some columns: stones fall, then columns move left."""
    S = U64(size.height + 1)

    def drop(state: Any, column: Any) -> None:
        first = column * S
        end = first + U64(state.height[column])
        to = first
        for cell in range(first, end):
            if state.board[cell] != EMPTY:
                state.board[to] = state.board[cell]
                to += ONE
        state.height[column] = to - first
        for cell in range(to, end):
            state.board[cell] = EMPTY

    def shift(state: Any, column: Any, to: Any) -> None:
        """Move a column left to an empty one."""
        for i in range(state.height[column]):
            state.board[to * S + U64(i)] = state.board[column * S + U64(i)]
            state.board[column * S + U64(i)] = EMPTY
        state.height[to] = state.height[column]
        state.height[column] = 0

    def settle(state: Any, left: Any, right: Any) -> None:
        for column in range(left, right + ONE):
            drop(state, U64(column))
        to = ONE
        state.tallest = 0
        for column in range(1, state.columns + 1):
            if state.height[column] != 0:
                state.tallest = max(state.tallest, state.height[column])
                if to != U64(column):
                    shift(state, U64(column), to)
                to += ONE
        state.columns = to - ONE

    return settle


def make_play(size: Size, groups: Groups, settle: Kernel) -> tuple[Kernel, Kernel]:
    """The kernel that plays a move, and the one that sees whether the game has ended."""
    S = U64(size.height + 1)
    flood, any_group = groups.flood, groups.any_group

    def play(state: Any, move: int) -> None:
        colour = state.board[move]
        n = flood(state, U64(move))
        last = U64(move)
        for i in range(n):
            at = U64(state.queue[i])
            state.board[at] = EMPTY
            last = max(last, at)
        stones = np.int64(n)
        state.left[colour] -= stones
        state.points += (stones - 2) ** 2
        settle(state, U64(move) // S, last // S)
        finish(state)

    def finish(state: Any) -> None:
        """Count what is left when no group is; each colour as if it were one group."""
        if any_group(state, EMPTY):
            return
        state.ended = 1
        if state.columns == 0:
            state.points += BONUS
        for colour in range(1, COLOURS + 1):
            if state.left[colour] != 0:
                state.points -= (state.left[colour] - 2) ** 2

    return play, finish


def most_frequent(state: Any) -> int:
    """Kernel: the colour with the most stones, the lowest of several."""
    best = 1
    for colour in range(2, COLOURS + 1):
        if state.left[colour] > state.left[best]:
            best = colour
    return best


def mover(state: Any) -> int:
    return 0


def over(state: Any) -> bool:
    return state.ended != 0


def score(state: Any) -> int:
    return state.points


def rewards(state: Any, out: Any) -> None:
    """Where the points lie in `reward_range`; what is outside counts as 0 or 1."""
    share = (state.points - state.low) / (state.high - state.low)
    out[0] = min(max(share, 0.0), 1.0)


def reward_range(cells: int, colours: int) -> tuple[int, int]:
    """The points that are worth the rewards 0 and 1.

    Points are squares of groups, so they grow with the square of the board; each colour in one
    group would make ``cells ** 2 / colours``.  Half of that with the bonus is more than nearly any
    game scores; one random game in a thousand scores less than minus a twentieth of it.  On 15x15
    with 5 colours the range is -506 to 6062, so that 100 points are 0.015.
    """
    one_group_each = cells**2 // colours
    return -(one_group_each // 20), BONUS + one_group_each // 2


@cache
def random_rows(size: Size, colours: int, seed: int) -> Rows:
    """A board on which every stone has any of the colours."""
    rng = stream(seed, "samegame", size.width, size.height, colours)
    return tuple(
        tuple(1 + draw_below(rng, colours) for _ in range(size.width)) for _ in range(size.height)
    )


def read_rows(text: str) -> Rows:
    """A board as users write it, the upper row first: ``112/221``.

    >>> read_rows("31/.2")
    ((0, 2), (3, 1))
    """
    lines = text.split("/")
    if len({len(line) for line in lines}) > 1 or not set(text) <= set("./123456789"):
        raise ValueError(
            f"board must be rows of one length with a digit 1 to {COLOURS} for a colour and a dot "
            f"for an empty cell, such as 112/2.1, not {text!r}"
        )
    return tuple(tuple(int(cell.replace(".", "0")) for cell in line) for line in lines[::-1])


def check(size: Size, colours: int) -> None:
    most = len(LETTERS)
    if not all(1 <= side <= most for side in size) or size.width * size.height < 2:
        raise ValueError(
            f"size must be 1 to {most} columns and rows with at least two cells, not {size}"
        )
    if not 1 <= colours <= COLOURS:
        raise ValueError(f"colours must be 1 to {COLOURS}, not {colours}")


def game(size: Size = Size(15, 15), colours: int = 5, seed: int = 0, board: str = "") -> Game:
    """SameGame on a random board, or on ``board``, which then says size and colours itself."""
    given = read_rows(board) if board else None
    if given is not None:
        size, colours = Size(len(given[0]), len(given)), max(map(max, given))
    check(size, colours)
    width, height = size
    cells = width * height
    S = height + 1
    groups = make_groups(size)
    is_head, any_group, draw_group = groups.is_head, groups.any_group, groups.draw_group
    settle = make_falling(size)
    play, finish = make_play(size, groups, settle)
    KEYS = zobrist("samegame", COLOURS + 1, (width + 2) * S)

    def start(state: Any) -> None:
        fill(state, given or random_rows(size, colours, seed))

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        fill(state, [contents[y * width : (y + 1) * width] for y in range(height)])
        if look(state) != list(contents):
            raise ValueError("stones fall, and empty columns close")

    def fill(state: Any, rows: Sequence[Sequence[int]]) -> None:
        for y, row in enumerate(rows):
            for x, colour in enumerate(row):
                state.board[(x + 1) * S + y] = colour
                state.left[colour] += colour != EMPTY
        state.height[1 : width + 1] = height
        state.columns = width
        state.low, state.high = reward_range(cells, colours)
        settle(state, ONE, U64(width))
        finish(state)

    def moves(state: Any, out: Any) -> int:
        n = 0
        for column in range(1, state.columns + 1):
            for i in range(state.height[column]):
                cell = U64(column * S + i)
                if is_head(state, cell):
                    out[n] = cell
                    n += 1
        return n

    def uniform(state: Any, playout: Any, rng: Any) -> int:
        return draw_group(state, EMPTY, rng)

    def tabu(state: Any, playout: Any, rng: Any) -> int:
        """TabuColorRandom (Schadd et al. 2008): keep the most frequent colour for large groups.

        There it is the most frequent one when a playout begins.  As only others are taken, it
        stays the most frequent until it has to be touched, so nothing need be remembered.
        """
        colour = most_frequent(state)
        return draw_group(state, colour if any_group(state, colour) else EMPTY, rng)

    def hash(state: Any) -> np.uint64:
        """Points belong to the position: the same stones are worth more after better groups."""
        key = U64(state.points + OFFSET) * U64(SPREAD)
        for column in range(1, state.columns + 1):
            for i in range(state.height[column]):
                cell = column * S + i
                key ^= KEYS[state.board[cell], cell]
        return key

    def point(cell: int) -> int:
        """The number of a cell row by row, without the border."""
        return cell % S * width + cell // S - 1

    def parse_move(text: str) -> int:
        y, x = divmod(parse_point(text, width, height), width)
        return (x + 1) * S + y

    def look(state: Any) -> list[int]:
        """The colours row by row."""
        return [int(state.board[(x + 1) * S + y]) for y in range(height) for x in range(width)]

    def draw(state: Any, paint: Paint) -> str:
        stones = [paint(str(colour), colour - 1) if colour else "." for colour in look(state)]
        return draw_grid(stones, width, height) + f"\n{state.points} points"

    return Game(
        name="samegame",
        state=fields(size),
        players=1,
        player_names=("solver",),
        move_codes=(width + 1) * S,
        max_moves=cells // 2,
        max_length=cells // 2,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        score=score,
        score_range=reward_range(cells, colours),
        hash=hash,
        policies={"uniform": uniform, "tabu": tabu},
        parse_move=parse_move,
        move_text=lambda move: point_text(point(move), width),
        draw=draw,
        board=Board(
            cells=grid_cells(width, height),
            pieces=tuple(
                Piece(f"stone of colour {colour}", str(colour), colour - 1)
                for colour in range(1, colours + 1)
            ),
            contents=look,
            clicks=lambda state, move: [point(move)],
            place=place,
            numbers=("points",),
        ),
    )
