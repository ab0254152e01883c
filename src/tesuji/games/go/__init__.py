"""Go: area scoring, superko, any rectangle up to 25x25.

===============  =============================================================
``board.py``     the padded grid and the record that holds a position
``rules.py``     legal moves, playing a move, the end, superko
``score.py``     area scoring, counting stones
``playouts.py``  eyes, moves worth searching, the random playout move
``tactics.py``   reading: liberties, atari, ladders, eye shapes
``sequence.py``  playouts that answer the last move, as MoGo's do
``urgency.py``   playouts that draw every move by its worth, as MANGO's do
``knowledge.py`` what speaks for a move, for the tree
``shape.py``     3x3 shapes and their diagrams
``weights/``     the numbers of all that, as files
``vertex.py``    text: vertices and diagrams
``facets.py``    what others may ask: the board, territory, symmetries
``setup.py``     positions that no game led to: lists of stones, diagrams
``rulesets.py``  sets of rules by their names
``sgf.py``       games as SGF files
``status.py``    living and dead stones, the score without the dead ones
``handicap.py``  the usual points of handicap stones
===============  =============================================================
"""

import math
from typing import Any

from tesuji.errors import choices
from tesuji.game import Game, Size
from tesuji.games.go.board import PASS, clear, make_board
from tesuji.games.go.facets import NAMES, area, goban, images
from tesuji.games.go.knowledge import judging, weighing
from tesuji.games.go.playouts import drawing, listing
from tesuji.games.go.rules import hashing, legality, mover, over, playing
from tesuji.games.go.score import counting, rewarding, scoring
from tesuji.games.go.sequence import sequences, watching
from tesuji.games.go.tactics import LADDER, reading
from tesuji.games.go.urgency import urgencies
from tesuji.games.go.vertex import drawer, parser, writer
from tesuji.games.go.weights import read_weights

SUPERKOS = ("positional", "situational")
SHORTEST_CUT_OFF = 16  # moves; three times the area would cut tiny boards off within a ko


def game(
    size: Size = Size(9, 9),
    komi: float = 7.5,
    suicide: bool = False,
    superko: str = "positional",
) -> Game:
    """Go on ``size``; ``suicide`` allows a chain of two stones or more to take its last liberty.

    ``superko`` forbids stones to repeat, or with ``situational`` only with the same player to move.
    """
    if superko not in SUPERKOS:
        raise ValueError(f"superko is {superko!r}; {choices(superko, SUPERKOS)}")
    if not math.isfinite(komi):
        raise ValueError(f"komi must be a finite number, not {komi}")
    board = make_board(size)
    legal = legality(board)
    moves, candidates = listing(legal)
    repetition, hash_state = hashing(board)
    play = playing(board)
    read = reading(board, legality(board, suicide=False), play)
    watch = watching(board, read)
    score = scoring(board)

    def start(state: Any) -> None:
        clear(state, board)
        state.komi = komi
        state.suicide = suicide
        state.situational = superko == "situational"

    return Game(
        name="go",
        state=board.state,
        move_codes=board.cells,
        max_moves=board.area + 1,
        max_length=max(3 * board.area, SHORTEST_CUT_OFF),
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewarding(score),
        candidates=candidates,
        evaluations={"stones": counting(board)},
        policies={
            "uniform": drawing(legal),
            "urgency": urgencies(board, legal, read, watch),
            "sequence": sequences(board, legal, read, watch),
        },
        knowledge={
            "tactics": judging(board, read, watch),
            "mango": weighing(board, read, watch),
        },
        weights=read_weights,
        scratch=LADDER,
        hash=hash_state,
        repetition=repetition,
        parse_move=parser(board),
        move_text=writer(board),
        draw=drawer(board),
        player_names=NAMES,
        pass_move=PASS,
        board=goban(board, start, play),
        territory=area(board, score),
        symmetries=images(board),
    )
