"""A toy with territory: stones on a row; they and what they alone enclose count as points.

Nothing is captured, so that everything but that is missing of Go.
"""

import numpy as np

from tesuji import Board, Cell, Game, Piece, Symmetry, Territory

CELLS = 5
PASS = CELLS
State = np.dtype(
    [("komi", np.float64), ("row", np.int8, CELLS), ("mover", np.int8), ("passes", np.int8)],
    align=True,
)


def moves(state, out):
    n = 0
    for cell in range(CELLS):
        if state.row[cell] == 0:
            out[n] = cell
            n += 1
    out[n] = PASS
    return n + 1


def play(state, move):
    if move == PASS:
        state.passes += 1
    else:
        state.passes = 0
        state.row[move] = state.mover + 1
    state.mover = 1 - state.mover


def over(state):
    return state.passes >= 2


def mover(state):
    return state.mover


def seen(state, cell, step):
    """Kernel: the first stone in one direction, 0 beyond the end."""
    while 0 <= cell < CELLS:
        if state.row[cell] != 0:
            return state.row[cell]
        cell += step
    return 0


def owners(state, out):
    for cell in range(CELLS):
        touched = seen(state, cell, 1) | seen(state, cell, -1)
        out[cell] = touched - 1 if touched in (1, 2) else -1


def score(state):
    lead = 0
    for cell in range(CELLS):
        touched = seen(state, cell, 1) | seen(state, cell, -1)
        if touched == 1:
            lead += 1
        if touched == 2:
            lead -= 1
    return lead - state.komi


def rewards(state, out):
    lead = score(state)
    out[0] = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
    out[1] = 1.0 - out[0]


def rewards_turned(state, out):
    rewards(state, out)
    out[0], out[1] = out[1], out[0]


def hash(state):
    key = np.uint64(state.mover + 2 * state.passes)
    for cell in range(CELLS):
        key = key * np.uint64(3) + np.uint64(state.row[cell])
    return key


def turn(state, player):
    state.mover = player
    state.passes = 0


def place(state, contents, mover):
    start(state)
    state.row[:] = contents
    state.mover = mover


def start(state):
    state.komi = 0.5


def move_text(move):
    return "pass" if move == PASS else f"{'abcde'[move]}1"


def parse_move(text):
    names = [move_text(move) for move in range(CELLS + 1)]
    if text not in names:
        raise ValueError("a cell is a1 to e1, or pass")
    return names.index(text)


def draw(state, paint):
    cells = (paint("XO"[what - 1], what - 1) if what else "." for what in state.row)
    return f"{' '.join(cells)} after {state.passes} passes"


def game() -> Game:
    return Game(
        name="claim",
        state=State,
        move_codes=CELLS + 1,
        max_moves=CELLS + 1,
        max_length=4 * CELLS,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        hash=hash,
        pass_move=PASS,
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
        board=Board(
            cells=tuple(Cell(move_text(cell), cell, 0) for cell in range(CELLS)),
            pieces=(Piece("cross", "X", 0), Piece("nought", "O", 1)),
            contents=lambda state: list(state.row),
            clicks=lambda state, move: [] if move == PASS else [move],
            place=place,
        ),
        territory=Territory(
            owners=owners, score=score, points=tuple(range(CELLS)), komi="komi", turn=turn
        ),
        symmetries=(
            Symmetry(
                "mirror 90",
                lambda move: move if move == PASS else CELLS - 1 - move,
                tuple(reversed(range(CELLS))),
            ),
        ),
    )
