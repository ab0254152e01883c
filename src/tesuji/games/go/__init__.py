"""Go: area scoring, positional superko, any rectangle up to 25x25.

===============  =============================================================
``board.py``     the padded grid and the record that holds a position
``rules.py``     legal moves, playing a move, the end, superko
``score.py``     area scoring, counting stones
``playouts.py``  eyes, moves worth searching, the random playout move
``vertex.py``    text: vertices and diagrams
``setup.py``     positions that no game led to: lists of stones, diagrams
``sgf.py``       games as SGF files
``status.py``    living and dead stones, the score without the dead ones
``handicap.py``  the usual points of handicap stones
===============  =============================================================
"""

import math
from typing import Any

from tesuji.game import Game, Size
from tesuji.games.go.board import PASS, clear, make_board
from tesuji.games.go.playouts import drawing, eyes, listing
from tesuji.games.go.rules import hashing, legality, mover, over, playing
from tesuji.games.go.score import counting, rewarding, scoring
from tesuji.games.go.vertex import drawer, parser, writer

SHORTEST_CUT_OFF = 16  # moves; three times the area would cut tiny boards off within a ko


def game(size: Size = Size(9, 9), komi: float = 7.5, suicide: bool = False) -> Game:
    """Go on ``size``; ``suicide`` allows a chain of two stones or more to take its last liberty."""
    if not math.isfinite(komi):
        raise ValueError(f"komi must be a finite number, not {komi}")
    board = make_board(size)
    legal = legality(board)
    is_eye = eyes(board)
    moves, candidates = listing(legal, is_eye)
    repetition, hash_state = hashing(board)

    def start(state: Any) -> None:
        clear(state, board)
        state.komi = komi
        state.suicide = suicide

    return Game(
        name="go",
        state=board.state,
        move_codes=board.cells,
        max_moves=board.area + 1,
        max_length=max(3 * board.area, SHORTEST_CUT_OFF),
        start=start,
        moves=moves,
        play=playing(board),
        over=over,
        mover=mover,
        rewards=rewarding(scoring(board)),
        candidates=candidates,
        evaluations={"stones": counting(board)},
        policies={"uniform": drawing(legal, is_eye)},
        hash=hash_state,
        repetition=repetition,
        parse_move=parser(board),
        move_text=writer(board),
        draw=drawer(board),
        player_names=("Black", "White"),
        pass_move=PASS,
    )
