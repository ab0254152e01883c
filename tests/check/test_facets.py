"""Each rule of the facets: a game that breaks it is told so in words, others pass."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.toys import claim
from tesuji import Board, Cell, ContractError, Piece, Symmetry, load
from tesuji.check import check_game
from tesuji.facets import by_cell, symmetries
from tesuji.games import tictactoe as t

GOOD = load("tictactoe")
PAWNS = load("breakthrough:size=4x5")


def with_board(**changes):
    return replace(GOOD, board=replace(GOOD.board, **changes))


def with_symmetries(*changed):
    return replace(GOOD, symmetries=changed)


def with_territory(**changes):
    return replace(claim.game(), territory=replace(claim.game().territory, **changes))


HALF_TURN, MIRROR, DIAGONAL = (
    next(s for s in GOOD.symmetries if s.name == name)
    for name in ("turn 180", "mirror 90", "mirror 45")
)


def contents_from_above(state):
    return [int(state.board[(cell + 3) % 9]) for cell in range(9)]


def contents_without_crosses(state):
    return [what if what == 2 else 0 for what in state.board]


def clicks_of_pawns_without_targets(state, move):
    return PAWNS.board.clicks(state, move)[:1]


def swap_of_two_cells(move):
    return {0: 1, 1: 0}.get(move, move)


def places_nothing(state, contents, mover):
    raise ValueError("no")


def places_crosses_only(state, contents, mover):
    t.place(state, contents, mover)
    state.board[:] = [min(what, 1) for what in contents]


def places_with_a_slip(state, contents, mover):
    state.board[9] = 1


def hash_of_the_number_of_stones(state):
    return np.uint64(state.count)


def score_of_the_first(state):
    return float(claim.score(state)) + 1.0


def score_turned(state):
    return -float(claim.score(state))


def owners_beyond(state, out):
    claim.owners(state, out)
    out[0] = 2


def turn_of_nobody(state, player):
    """The turn stays where it was."""


CASES = [
    (
        "few contents",
        with_board(contents=lambda state: [0] * 8),
        "board.contents() tells of 8 cells, the board has 9, at the start",
    ),
    (
        "unknown piece",
        with_board(contents=lambda state: [3] * 9),
        "board.contents() has 3 on a1, it must be 0 to 2: nothing or a piece, at the start",
    ),
    (
        "no contents",
        with_board(contents=lambda state: state.cells),
        "board.contents() raised AttributeError",
    ),
    (
        "other contents",
        with_board(contents=contents_without_crosses),
        "draw() paints 1 symbols for player 0, but board.contents() has 0 pieces, after 1 moves",
    ),
    (
        "cell too high",
        with_board(clicks=lambda state, move: [move + 1]),
        "board.clicks() names cell 9, it must be 0 to 8, at the start",
    ),
    (
        "stroke",
        with_board(strokes=lambda state: [(0, 9)]),
        "board.strokes() names cell 9, it must be 0 to 8",
    ),
    (
        "same clicks",
        replace(PAWNS, board=replace(PAWNS.board, clicks=clicks_of_pawns_without_targets)),
        "are the same clicks, at the start",
    ),
    (
        "clicks too early",
        with_board(clicks=lambda state, move: [0] if move == 0 else [0, move]),
        "the clicks of b1 begin with a1, at the start",
    ),
    ("refused start", with_board(place=places_nothing), "board.place() refuses the start, at the"),
    (
        "other position",
        replace(
            with_board(place=places_crosses_only), hash=hash_of_the_number_of_stones, symmetries=()
        ),
        "is read as another position",
    ),
    ("place raises", with_board(place=places_with_a_slip), "board.place() raised IndexError"),
    (
        "same key",
        replace(GOOD, hash=hash_of_the_number_of_stones, symmetries=()),
        "another position has the same key",
    ),
    (
        "moves and cells",
        with_symmetries(Symmetry("odd", MIRROR.move, HALF_TURN.cells)),
        "symmetry 'odd' maps the clicks of a1 otherwise than the move, at the start",
    ),
    (
        "moves and contents",
        replace(
            with_board(clicks=lambda state, move: []),
            symmetries=(Symmetry("odd", MIRROR.move, HALF_TURN.cells),),
        ),
        "symmetry 'odd' maps cells otherwise than moves, after ",
    ),
    (
        "no symmetry",
        with_symmetries(Symmetry("odd", swap_of_two_cells, (1, 0, 2, 3, 4, 5, 6, 7, 8))),
        "symmetry 'odd' changes ",
    ),
    (
        "illegal image",
        with_symmetries(Symmetry("odd", lambda move: 0, HALF_TURN.cells)),
        "symmetry 'odd' changes what is legal, at the start",
    ),
    (
        "no group",
        with_symmetries(MIRROR, DIAGONAL),
        "symmetry 'mirror 90' and then 'mirror 45' is none of the symmetries, at the start",
    ),
    (
        "symmetry raises",
        with_symmetries(Symmetry("odd", {}.__getitem__, HALF_TURN.cells)),
        "symmetry 'odd': move() raised KeyError",
    ),
    (
        "changed board",
        replace(PAWNS, symmetries=symmetries(PAWNS.board.cells, by_cell(range(20)), ["mirror 0"])),
        "symmetry 'mirror 0' changes the board, at the start",
    ),
    (
        "wrong score",
        with_territory(score=score_of_the_first),
        "but by its owners the lead is",
    ),
    ("wrong winner", replace(claim.game(), rewards=claim.rewards_turned), "and the rewards are ("),
    ("owner", with_territory(owners=owners_beyond), "territory.owners() writes 2, it must be -1,"),
    ("turn", with_territory(turn=turn_of_nobody), "territory.turn() does not let player"),
]


@pytest.mark.parametrize(("game", "message"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_broken_rule_is_named(game, message):
    with pytest.raises(ContractError, match=re.escape(message)):
        check_game(game)


def test_the_order_of_moves_may_not_change_the_key():
    """The last move is part of the record, and of the hash, but not of what can be seen."""
    dtype = np.dtype([*[(n, GOOD.state[n]) for n in GOOD.state.names], ("last", np.int8)])

    def play(state, move):
        t.play(state, move)
        state.last = move

    def hash_with_the_last_move(state):
        return t.hash(state) * np.uint64(16) + np.uint64(state.last)

    game = replace(
        GOOD,
        state=np.dtype(dtype.descr, align=True),
        play=play,
        hash=hash_with_the_last_move,
        symmetries=(),
        board=None,
    )
    with pytest.raises(ContractError, match="the key differs after the same moves in another ord"):
        check_game(game, games=1)
    assert check_game(replace(game, hash=None), games=1).positions > 5


def test_facets_that_agree_keep_the_contract():
    assert check_game(claim.game(), games=10).unfinished == 0
    assert check_game(GOOD, games=10).unfinished == 0
    assert check_game(PAWNS, games=3).unfinished == 0


def test_facets_change_no_random_game():
    bare = replace(GOOD, board=None, symmetries=())
    assert str(check_game(GOOD, games=6, seed=2)) == str(check_game(bare, games=6, seed=2))


def test_cells_need_not_be_painted():
    """A piece without a player is drawn in no colour."""
    cells = tuple(Cell(t.move_text(cell), cell % 3, cell // 3) for cell in range(9))
    board = Board(
        cells=cells,
        pieces=(Piece("cross", "X"), Piece("nought", "O")),
        contents=t.contents,
        clicks=t.clicks,
    )
    assert check_game(replace(GOOD, board=board), games=3).unfinished == 0
