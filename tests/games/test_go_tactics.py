"""Reading in Go: against the slow rules on random positions, and on diagrams that people know."""

import pytest

from checks import game
from go_kernels import (
    chains_of,
    kernels,
    liberties_of,
    position_of,
    random_steps,
    record,
    scratch_of,
    vertex_of,
)
from tesuji import Limit, Searcher, methods
from tesuji.compile.plain import interpret
from tesuji.games.go.rules import pseudo_liberties
from tesuji.games.go.tactics import has_more
from tesuji.position import Position

SIZE = 5


@pytest.fixture(scope="module")
def steps():
    """Every third position of some games, each looked at while it lasts."""

    def walk():
        for seed in range(4):
            for number, step in enumerate(random_steps(SIZE, 60, seed)):
                if number % 3 == 2:
                    yield step

    return walk


def test_liberties_of_chains(steps):
    read, seen = kernels(SIZE).read, set()
    for state, slow in steps():
        for chain in chains_of(slow):
            true = {vertex_of(SIZE, p) for p in liberties_of(slow, slow.stones, chain)}
            head = state.head[vertex_of(SIZE, next(iter(chain)))]
            count, *found = read.liberties(state, head)
            assert count == min(len(true), 3)
            assert count == 3 or {int(v) for v in found if v} == true
            assert read.only_liberty(state, head) == (min(true) if len(true) == 1 else 0)
            seen.add(min(len(true), 4))
    assert seen == {1, 2, 3, 4}


def test_the_sums_of_chains(steps):
    """Every pair of a stone and an empty point beside it counts, after captures and joins, too."""
    weight, largest = kernels(SIZE).board.weight, 0
    for state, slow in steps():
        for chain in chains_of(slow):
            pairs = [p for q in chain for p in slow.beside(q) if p not in slow.stones]
            true = sum(int(weight[vertex_of(SIZE, p)]) for p in pairs)
            head = state.head[vertex_of(SIZE, next(iter(chain)))]
            assert int(state.liberties[head]) == true
            assert interpret(pseudo_liberties)(state, head) == len(pairs)
            for count in range(len(set(pairs)), 5):
                assert not interpret(has_more)(state, head, count)
            largest = max(largest, len(chain))
    assert largest > 7


def test_room_after_a_move(steps):
    """As many liberties as the new stone's chain has when the move is played; 3 is the most."""
    read, seen = kernels(SIZE).read, set()
    for state, slow in steps():
        for point in slow.playable():
            stones = slow.after(point)
            taken = len(slow.stones) + 1 - len(stones)
            true = len(liberties_of(slow, stones, slow.region(stones, point)))
            found = read.room_after(state, vertex_of(SIZE, point), state.mover, 3)
            two = read.room_after(state, vertex_of(SIZE, point), state.mover, 2)
            assert two == min(found, 2)
            if taken > 1:  # a capture of several stones counts as 3
                assert min(true, 3) <= found <= 3
            else:
                assert found == min(true, 3)
            seen.add((found, min(taken, 2)))
    assert {(1, 0), (2, 0), (3, 0), (1, 1), (3, 2)} <= seen


def test_captures_that_save_a_chain(steps):
    read, found = kernels(SIZE).read, 0
    for state, slow in steps():
        for chain in chains_of(slow):
            colour = slow.stones[next(iter(chain))]
            others = {p for q in chain for p in slow.beside(q) if slow.stones.get(p) == 1 - colour}
            prey = [liberties_of(slow, slow.stones, slow.region(slow.stones, p)) for p in others]
            good = {vertex_of(SIZE, min(points)) for points in prey if len(points) == 1}
            head = state.head[vertex_of(SIZE, next(iter(chain)))]
            move = read.breaks_free(state, head, 2 - colour)
            assert (move != 0) == bool(good - {state.ko})
            assert move == 0 or move in good
            found += move != 0
    assert found > 10


# --- ladders -------------------------------------------------------------------------------------

LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . X . . . . . .
    . . X O . . . . .
    . . . X . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
EDGE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . X O . . . .
    . . . . . . . . .
"""


def with_stone(diagram, text, symbol):
    """The diagram of a 9x9 board with one more stone."""
    rows = [row.split() for row in diagram.strip().split("\n")]
    rows[9 - int(text[1])]["ABCDEFGHJ".index(text[0])] = symbol
    return "\n" + "\n".join(" ".join(row) for row in rows) + "\n"


def trapped(diagram, prey):
    """What catches a chain of White's in a ladder, Black to move, or nothing."""
    position = position_of(diagram)
    state, before = record(position), position.state.copy()
    move = kernels(9).read.trap(state, scratch_of(position), position.game.parse_move(prey))
    assert (position.state == before).all()
    return position.game.move_text(int(move)) if move else ""


def lost(diagram, prey, moves):
    """Is a chain of White's lost, which Black's moves have put in atari?"""
    position = position_of(diagram, "X", moves)
    scratch = scratch_of(position)
    scratch[0] = record(position)
    return bool(kernels(9).read.caught(scratch, position.game.parse_move(prey)))


def test_a_ladder_across_the_board():
    assert trapped(LADDER, "D4") == "E4"  # D5 would let it out
    assert lost(LADDER, "D4", "E4")
    assert not lost(LADDER, "D4", "D5")


@pytest.mark.parametrize("breaker", ["E5", "F6", "G7", "H8", "F5", "G8"])
def test_a_stone_on_the_way_breaks_it(breaker):
    assert trapped(with_stone(LADDER, breaker, "O"), "D4") == ""
    assert not lost(with_stone(LADDER, breaker, "O"), "D4", "E4")


@pytest.mark.parametrize("stone", ["A9", "J1", "B2", "C8", "J5"])
def test_a_stone_aside_does_not(stone):
    assert trapped(with_stone(LADDER, stone, "O"), "D4") == "E4"


def test_a_hunters_stone_does_not_break_it():
    assert trapped(with_stone(LADDER, "G7", "X"), "D4") == "E4"


def test_who_can_capture_on_the_way_is_not_caught():
    """With White on B4, C3, B5 and C6 the stones C4 and C5 fall before the prey does."""
    diagram = LADDER
    for stone in ("B4", "C3", "B5", "C6"):
        diagram = with_stone(diagram, stone, "O")
    assert trapped(LADDER, "D4") == "E4"
    assert not lost(diagram, "D4", "E4")


def test_at_the_edge_there_is_nowhere_to_run():
    assert trapped(EDGE, "E2") == "F2"
    assert lost(EDGE, "E2", "F2")
    assert not lost(EDGE, "E2", "E1")
    assert trapped(with_stone(EDGE, "C1", "O"), "E2") == "F2"  # C1 is out of reach
    assert trapped(with_stone(EDGE, "G1", "O"), "E2") == "F2"  # caught towards C1
    diagram = EDGE
    for friend in ("C1", "C2", "G1", "G2"):
        diagram = with_stone(diagram, friend, "O")
    assert trapped(diagram, "E2") == ""


def test_an_attack_that_is_illegal_leaves_the_other_one():
    """White runs to B1 and has A1 and B2 left; Black may not play A1, but B2 catches."""
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X . . . . . . .
        O . X . . . . . .
        . . O . . . . . .
    """
    assert lost(diagram, "C1", "D1")


def test_chains_of_one_and_of_three_liberties_are_no_prey():
    assert trapped(with_stone(LADDER, "C4", "."), "D4") == ""
    assert trapped(with_stone(LADDER, "E4", "X"), "D4") == ""


# --- eye spaces ----------------------------------------------------------------------------------


def eye_space(shape, enemies=""):
    """A 9x9 board with a region of these rows in its middle, all stones beside it Black's."""
    rows = [["."] * 9 for _ in range(9)]
    region = {
        (r + 3, c + 3)
        for r, row in enumerate(shape.split())
        for c, s in enumerate(row)
        if s in ".*"
    }
    for r, c in region:
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if (r + dr, c + dc) not in region:
                rows[r + dr][c + dc] = "X"
    for name in enemies.split():
        rows[9 - int(name[1])]["ABCDEFGHJ".index(name[0])] = "O"
    name_of = {(r, c): f"{'ABCDEFGHJ'[c]}{9 - r}" for r in range(9) for c in range(9)}
    vital = [
        name_of[r + 3, c + 3]
        for r, row in enumerate(shape.split())
        for c, s in enumerate(row)
        if s == "*"
    ]
    diagram = "\n" + "\n".join(" ".join(row) for row in rows) + "\n"
    return diagram, sorted(name_of[p] for p in region), vital


@pytest.mark.parametrize(
    "shape",
    [
        ".*.",  # straight three
        "*. .#",  # bent three
        "### .*. #.#",  # pyramid four
        ".. *. .#",  # bulky five
        "#.# .*. #.#",  # crossed five
        "#.. .*. #.#",  # rabbity six
    ],
)
def test_eye_shapes_with_one_vital_point(shape):
    diagram, region, vital = eye_space(shape)
    position = position_of(diagram)
    for point in region:  # from wherever one begins to look
        found = kernels(9).read.vital_point(record(position), position.game.parse_move(point))
        assert [position.game.move_text(int(found))] == vital


@pytest.mark.parametrize(
    "shape",
    [
        ".",
        "..",
        "....",  # straight four lives
        ".. ..",  # square four is dead as it is
        "..# #..",  # zigzag four lives
        "... ...",  # a rectangle of six lives
        ".... .###",  # bent rows live
        "... ... .##",  # seven points are too many
    ],
)
def test_eye_shapes_without_one(shape):
    diagram, region, _ = eye_space(shape)
    position = position_of(diagram)
    for point in region:
        assert kernels(9).read.vital_point(record(position), position.game.parse_move(point)) == 0


def test_a_space_between_both_colours_is_no_eye():
    diagram, region, _ = eye_space(".*.", enemies="E5")
    position = position_of(diagram)
    for point in region:
        assert kernels(9).read.vital_point(record(position), position.game.parse_move(point)) == 0


# A black chain in atari whose only liberty has no other beside it: playing there is suicide.
DOOMED = """
. O . . .
X X O . .
O O . . .
. . . . .
. . . . .
"""


@pytest.mark.parametrize("suicide", [False, True])
def test_a_chain_does_not_run_into_suicide(suicide):
    """Where the rules allow it, it is a move, but no way out."""
    position = position_of(DOOMED)
    state, scratch = record(position), scratch_of(position)
    state.suicide = suicide
    head = state.head[int(position.game.parse_move("A4"))]
    way = int(position.game.parse_move("A5"))
    assert interpret(kernels(5).legal)(state, way) == suicide
    assert kernels(5).read.only_liberty(state, head) == way
    assert kernels(5).read.ways_out(state, scratch, head) == (0, 0)
    scratch[0] = position.state[0]
    scratch[0].suicide = suicide
    assert kernels(5).read.caught(scratch, head)


@pytest.mark.parametrize("name", ["tesuji", "mango"])
def test_engines_know_what_to_do_where_suicide_is_allowed(name):
    go = game("go:size=5,suicide=true")
    searcher = Searcher(go, methods.load(name), jit=False, seed=3)
    decision = searcher.search(Position.start(go, jit=False), Limit(simulations=60))
    assert decision.simulations == 60
