"""Breakthrough (Dan Troyka 2000): bring one pawn to the far rank.

A move is a square and one of six steps, three up the board for White and three down for Black, so
that a code means the same whoever is to move.  Squares are numbered with one wall between the
ranks (``square = y * (width + 1) + x + 1``): a sideways step off the board lands on a wall and
needs no test of its own.  Each player has a list of pawns, so that a random pawn and a random step
make a random move.  There are two playout policies, ``uniform`` and ``informed``; what the latter
knows is also offered as knowledge.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import below, zobrist
from tesuji.facets import Board, symmetries
from tesuji.game import Game, Kernel, Paint, Size
from tesuji.games.board import (
    LEFT_RIGHT,
    draw_grid,
    grid_cells,
    men,
    parse_point,
    point_text,
    stones,
)

EMPTY, WALL = 0, 3  # a square holds one of these, or 1 for White's pawn, 2 for Black's
CODES = 8  # move = square * CODES + player * BLACK + step; the steps are left, straight, right
BLACK = 4
STEPS = 3
NAMES = ("White", "Black")

# MAY[player, step] has the bit of every content that the step may land on: a pawn captures
# diagonally and only diagonally.
MAY = np.array([[0b101, 0b001, 0b101], [0b011, 0b001, 0b011]], np.uint32)

# The informed policy draws one of a pawn's slots: for each step as many as it weighs at most.  All
# slots of a step accept captures; one of them (0, CAPTURE, 2 * CAPTURE) accepts an empty square.
CAPTURE = 4  # what a capture weighs; other moves weigh 1
SLOTS = 2 * CAPTURE + 1
STEP = np.repeat(np.arange(STEPS, dtype=np.uint32), (CAPTURE, 1, CAPTURE))
ACCEPTS = np.where(np.arange(SLOTS) % CAPTURE == 0, MAY[:, STEP], MAY[:, STEP] & 0b110)

DECISIVE, ANTI_DECISIVE = 2, 1  # how urgent a move is

# What a pawn and a rank of the foremost pawn are worth, on the scale of a logistic curve; fitted,
# see docs/games/breakthrough.md.
PAWN, RANK = 0.2, 0.6


class Squares(NamedTuple):
    """The board's squares, walls included, and where each move leads."""

    size: Size
    count: int
    target: np.ndarray[Any, Any]  #: the square that a move code leads to
    goal: np.ndarray[Any, Any]  #: ``goal[square]`` is player + 1 on that player's last rank
    close: np.ndarray[Any, Any]  #: the same, on the rank before that

    def at(self, point: int) -> int:
        """The square of a point; points are numbered without walls."""
        return point // self.size.width * (self.size.width + 1) + point % self.size.width + 1

    def point(self, square: int) -> int:
        rank, column = divmod(square - 1, self.size.width + 1)
        return rank * self.size.width + column


def squares(size: Size) -> Squares:
    stride = size.width + 1
    count = size.height * stride + 1
    target = np.zeros(count * CODES, np.uint16)
    goal = np.zeros(count, np.uint8)
    close = np.zeros(count, np.uint8)
    for y in range(size.height):
        for x in range(size.width):
            square = y * stride + x + 1
            for step in range(STEPS):
                # A step beyond the last rank leads to square 0, a wall; the game is over by then.
                if y < size.height - 1:
                    target[square * CODES + step] = square + stride + step - 1
                if y > 0:
                    target[square * CODES + BLACK + step] = square - stride + step - 1
            goal[square] = {0: 2, size.height - 1: 1}.get(y, 0)
            close[square] = {1: 2, size.height - 2: 1}.get(y, 0)
    return Squares(size, count, target, goal, close)


def record(size: Size, count: int) -> np.dtype[Any]:
    return np.dtype(
        [
            ("board", np.uint8, count),
            ("place", np.uint8, count),  # where the pawn on a square stands in its player's list
            ("pawns", np.uint16, 4 * size.width),  # White's list, then Black's
            ("count", np.uint8, 2),
            ("mover", np.uint8),
            ("winner", np.uint8),  # 0 while the game lasts
            ("close", np.uint8),  # how many pawns of both players are one step from the last rank
        ],
        align=True,
    )


def mover(state: Any) -> int:
    return state.mover


def over(state: Any) -> bool:
    return state.winner != 0


def rewards(state: Any, out: Any) -> None:
    """A draw is impossible: somebody can always move, and every move goes forward."""
    out[0] = 1.0 if state.winner == 1 else 0.0
    out[1] = 1.0 - out[0]


def make_play(size: Size, board: Squares) -> Kernel:
    PAWNS = np.uint32(2 * size.width)
    TARGET = board.target
    GOAL = board.goal
    CLOSE = board.close

    def capture(state: Any, other: Any, square: Any) -> None:
        """Kernel: take a pawn off its player's list; the last one takes its place."""
        place = state.place[square]
        state.count[other] -= 1
        last = state.pawns[np.uint32(other * PAWNS + state.count[other])]
        state.pawns[np.uint32(other * PAWNS + place)] = last
        state.place[last] = place
        if CLOSE[square] == other + 1:
            state.close -= 1
        if state.count[other] == 0:
            state.winner = 2 - other

    def play(state: Any, move: int) -> None:
        me = state.mover
        square = np.uint32(move) // np.uint32(CODES)
        target = TARGET[np.uint32(move)]
        if state.board[target] != EMPTY:
            capture(state, 1 - me, target)
        place = state.place[square]
        state.board[square] = EMPTY
        state.board[target] = me + 1
        state.place[target] = place
        state.pawns[np.uint32(me * PAWNS + place)] = target
        if CLOSE[target] == me + 1:
            state.close += 1
        elif GOAL[target] == me + 1:
            state.close -= 1
            state.winner = me + 1
        state.mover = 1 - me

    return play


def make_choices(size: Size, board: Squares) -> tuple[Kernel, Kernel]:
    """The kernels ``moves`` and ``uniform``."""
    PAWNS = np.uint32(2 * size.width)
    TARGET = board.target

    def allowed(state: Any, me: Any, move: Any, step: Any) -> bool:
        content = state.board[TARGET[move]]
        return (MAY[me, step] >> np.uint32(content)) & np.uint32(1) != 0

    def moves(state: Any, out: Any) -> int:
        me = state.mover
        first = np.uint32(me * PAWNS)
        n = np.uint32(0)
        for i in range(first, np.uint32(first + state.count[me])):
            code = np.uint32(state.pawns[np.uint32(i)] * CODES + me * BLACK)
            for step in range(STEPS):
                move = np.uint32(code + step)
                out[n] = move  # overwritten by the next one if not allowed: no branch to guess
                n += np.uint32(allowed(state, me, move, np.uint32(step)))
        return np.int64(n)

    def uniform(state: Any, playout: Any, rng: Any) -> Any:
        """Policy: a random step of a random pawn, drawn again until it is legal.

        All legal moves are equally likely as there is one draw for each.  Two draws of three are
        legal in random games, and the foremost pawn always has a legal step.
        """
        me = state.mover
        draws = STEPS * state.count[me]
        while True:
            draw = np.uint32(below(rng, draws))
            step = draw % np.uint32(STEPS)
            square = state.pawns[np.uint32(me * PAWNS + draw // np.uint32(STEPS))]
            move = np.uint32(square * CODES + me * BLACK + step)
            if allowed(state, me, move, step):
                return np.int64(move)

    return moves, uniform


def make_urgency(board: Squares) -> Kernel:
    GOAL = board.goal
    CLOSE = board.close

    def urgency(state: Any, target: Any) -> int:
        """Kernel: does a move to this square win at once, or else stop the other from doing so?"""
        me = state.mover
        if GOAL[target] == me + 1:
            return DECISIVE
        if state.board[target] == EMPTY:
            return 0
        if state.count[1 - me] == 1:
            return DECISIVE
        return ANTI_DECISIVE if CLOSE[target] == 2 - me else 0

    return urgency


def make_informed(size: Size, board: Squares, moves: Kernel) -> Kernel:
    """The policy ``informed`` of Pepels (2014): captures are likely, urgent moves certain.

    There, captures near the own first rank weigh 5.  Within two ranks of it they all are
    anti-decisive, hence always played, and need no weight here.
    """
    PAWNS = np.uint32(2 * size.width)
    TARGET = board.target
    urgency = make_urgency(board)

    def most_urgent(state: Any, out: Any) -> int:
        """Kernel: list the decisive moves, or else the anti-decisive ones, and count them."""
        listed = moves(state, out)
        n = 0
        most = ANTI_DECISIVE
        for i in range(listed):
            move = out[i]
            urgent = urgency(state, TARGET[np.uint32(move)])
            if urgent > most:
                most = urgent
                n = 0
            if urgent == most:
                out[n] = move
                n += 1
        return n

    def weighted(state: Any, rng: Any) -> Any:
        """Kernel: a random slot of a random pawn, drawn again until it accepts what it leads to."""
        me = state.mover
        draws = SLOTS * state.count[me]
        while True:
            draw = np.uint32(below(rng, draws))
            slot = draw % np.uint32(SLOTS)
            square = state.pawns[np.uint32(me * PAWNS + draw // np.uint32(SLOTS))]
            move = np.uint32(square * CODES + me * BLACK + STEP[slot])
            if (ACCEPTS[me, slot] >> np.uint32(state.board[TARGET[move]])) & np.uint32(1) != 0:
                return np.int64(move)

    def informed(state: Any, playout: Any, rng: Any) -> Any:
        if state.close > 0 or state.count[1 - state.mover] == 1:
            n = most_urgent(state, playout.moves)
            if n > 0:
                return np.int64(playout.moves[below(rng, n)])
        return weighted(state, rng)

    return informed


def make_knowledge(board: Squares) -> Kernel:
    """The knowledge ``informed``: how likely the policy of that name plays each of the moves."""
    TARGET = board.target
    urgency = make_urgency(board)

    def weight(state: Any, target: Any, most: int) -> float:
        """Kernel: the weight of a move, the most urgent of the listed ones being that urgent."""
        if urgency(state, target) < most:
            return 0.0
        return 1.0 if most > 0 or state.board[target] == EMPTY else float(CAPTURE)

    def knowledge(state: Any, playout: Any, count: int, out: Any) -> None:
        moves = playout.moves
        most = 0
        for i in range(count):
            most = max(most, urgency(state, TARGET[np.uint32(moves[i])]))
        total = 0.0
        for i in range(count):
            out[i] = weight(state, TARGET[np.uint32(moves[i])], most)
            total += out[i]
        for i in range(count):
            out[i] /= total

    return knowledge


def make_race(size: Size) -> Kernel:
    """The evaluation ``race``: who has more pawns, and whose foremost pawn is further ahead."""
    PAWNS = np.uint32(2 * size.width)
    STRIDE = np.uint32(size.width + 1)
    LAST = size.height - 1

    def foremost(state: Any, player: int) -> int:
        """Kernel: how many ranks the foremost pawn is away from the player's first rank."""
        best = 0
        for i in range(np.uint32(state.count[player])):
            square = np.uint32(state.pawns[np.uint32(player * PAWNS + i)])
            rank = np.int64((square - np.uint32(1)) // STRIDE)
            best = max(best, rank if player == 0 else LAST - rank)
        return best

    def race(state: Any, out: Any) -> None:
        pawns = np.int64(state.count[0]) - np.int64(state.count[1])
        ahead = foremost(state, 0) - foremost(state, 1)
        out[0] = 1.0 / (1.0 + math.exp(-PAWN * pawns - RANK * ahead))
        out[1] = 1.0 - out[0]

    return race


def make_notation(board: Squares) -> tuple[Callable[[str], int], Callable[[int], str]]:
    """The functions ``parse_move`` and ``move_text``."""
    width, height = board.size

    def parse_move(text: str) -> int:
        parts = re.fullmatch(r"([a-z]\d+)[-x]?([a-z]\d+)", text.lower())
        if parts is None:
            raise ValueError("a move is two squares, for example a2-a3")
        square, target = (board.at(parse_point(part, width, height)) for part in parts.groups())
        for code in (BLACK * player + step for player in range(2) for step in range(STEPS)):
            if board.target[square * CODES + code] == target:
                return square * CODES + code
        raise ValueError("a pawn moves one square, straight or diagonally forward")

    def move_text(move: int) -> str:
        ends = (move // CODES, int(board.target[move]))
        return "-".join(point_text(board.point(square), width) for square in ends)

    return parse_move, move_text


def make_board(size: Size, board: Squares) -> tuple[Board, Callable[[Any], None]]:
    """The board's facet, and the kernel ``start``."""
    width, height = size
    POINTS = width * height
    PAWNS = 2 * width

    def contents(state: Any) -> list[int]:
        return [int(state.board[board.at(point)]) for point in range(POINTS)]

    def clicks(state: Any, move: int) -> list[int]:
        return [board.point(move // CODES), board.point(int(board.target[move]))]

    def place(state: Any, contents: Sequence[int], mover: int) -> None:
        state.board[:] = WALL
        for point, what in enumerate(contents):
            square = board.at(point)
            state.board[square] = what
            if what:
                put(state, what - 1, square)
        for player in range(2):
            if state.count[player] == 0 and state.winner == 0:
                state.winner = 2 - player
        state.mover = mover

    def put(state: Any, player: int, square: int) -> None:
        slot = int(state.count[player])
        if slot == PAWNS:
            raise ValueError(f"{NAMES[player]} has at most {PAWNS} pawns")
        state.place[square] = slot
        state.pawns[player * PAWNS + slot] = square
        state.count[player] = slot + 1
        state.close += board.close[square] == player + 1
        if board.goal[square] == player + 1:
            state.winner = player + 1

    def start(state: Any) -> None:
        """Two home ranks each, White's at the bottom."""
        home = [EMPTY] * (POINTS - 2 * PAWNS)
        place(state, [1] * PAWNS + home + [2] * PAWNS, 0)

    facet = Board(
        cells=grid_cells(width, height),
        pieces=men("pawn", NAMES),
        contents=contents,
        clicks=clicks,
        place=place,
    )
    return facet, start


def mirrored(board: Squares, goes: Sequence[int], move: int) -> int:
    """The image of a move when left and right are swapped."""
    square, step = divmod(move, CODES)
    side, step = divmod(step, BLACK)
    return board.at(goes[board.point(square)]) * CODES + side * BLACK + STEPS - 1 - step


def game(size: Size = Size(8, 8)) -> Game:
    width, height = size
    if not 2 <= width <= 26 or not 4 <= height <= 26:
        raise ValueError(f"size must be 2 to 26 columns and 4 to 26 rows, not {width}x{height}")
    PAWNS = 2 * width
    board = squares(size)
    facet, start = make_board(size, board)
    moves, uniform = make_choices(size, board)
    parse_move, move_text = make_notation(board)
    KEYS = zobrist("breakthrough", 2, board.count)
    MOVER_KEY = zobrist("breakthrough mover", 1)[0]

    def hash(state: Any) -> np.uint64:
        key = MOVER_KEY * np.uint64(state.mover)
        for player in range(2):
            for i in range(state.count[player]):
                key ^= KEYS[player, state.pawns[np.uint32(player * PAWNS + i)]]
        return key

    def draw(state: Any, paint: Paint) -> str:
        return draw_grid(stones(facet.contents(state), paint), width, height)

    return Game(
        name="breakthrough",
        state=record(size, board.count),
        move_codes=board.count * CODES,
        max_moves=STEPS * PAWNS,
        max_length=2 * width * (2 * height - 3),  # every pawn walks all the way
        player_names=NAMES,
        start=start,
        moves=moves,
        play=make_play(size, board),
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        policies={"uniform": uniform, "informed": make_informed(size, board, moves)},
        knowledge={"informed": make_knowledge(board)},
        evaluations={"race": make_race(size)},
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        board=facet,
        symmetries=symmetries(facet.cells, partial(mirrored, board), [LEFT_RIGHT]),
    )
