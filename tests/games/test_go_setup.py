"""Positions that are set up are the same as those that are played, and impossible ones refused."""

import numpy as np
import pytest

from tesuji import GameError, Limit, MoveError, Position, PositionError, Searcher, load
from tesuji.games.go.board import BLACK, WHITE
from tesuji.games.go.setup import from_diagram, set_up, stones, to_move, without_moves

GO = load("go:size=5,komi=0.5")
KO = """
  A B C D E
5 . . . . . 5
4 . X O . . 4
3 X . X O . 3
2 . X O . . 2
1 . . . . . 1
  A B C D E
"""


def codes(*texts):
    return [GO.parse_move(text) for text in texts]


def random_game(seed, plies):
    """A game with captures: moves at random, passes left out."""
    rng = np.random.default_rng(seed)
    position = Position.start(GO)
    for _ in range(plies):
        moves = [move for move in position.moves if move != GO.pass_move]
        if not moves:
            break
        position = position.play(int(rng.choice(moves)))
    return position


@pytest.mark.parametrize("seed", range(6))
def test_the_same_stones_allow_the_same_moves(seed):
    played = to_move(random_game(seed, 40), 0)  # without a ko
    made = set_up(GO, stones(played, BLACK), stones(played, WHITE))
    assert str(made) == str(played)
    assert made.repetition == played.repetition
    # Superko forbids some moves in the game, and nothing after a set-up.
    assert set(played.moves) <= set(made.moves)
    fresh = Position(GO, played.state)
    assert set(fresh.moves) == set(made.moves)
    for move in made.moves:
        assert str(made.play(move)) == str(fresh.play(move))


def test_the_order_of_stones_does_not_matter():
    one = set_up(GO, codes("A1", "B2", "C3"), codes("E5", "D4"))
    other = set_up(GO, codes("C3", "A1", "B2"), codes("D4", "E5"))
    assert one.state.tobytes() == other.state.tobytes()


def test_what_a_set_up_position_is():
    position = set_up(GO, codes("B2"), codes("C3"), mover=1, komi=-2.0)
    assert (position.mover, position.ply, position.over, position.line) == (1, 0, False, [])
    assert position.origin is position
    assert position.state[0]["komi"] == -2.0
    later = position.play("D4", "pass")
    assert later.origin is position
    assert later.line == codes("D4", "pass")
    assert not later.over
    assert later.play("pass").over
    with pytest.raises(MoveError, match="no move to take back"):
        position.undo()


@pytest.mark.parametrize(
    ("black", "white", "named"),
    [
        (["A1"], ["A2", "B1"], "A1"),
        (["A2", "B1"], ["A1"], "A1"),
        (["A1", "B1", "A2"], ["A3", "B2", "C1"], "A1"),
    ],
)
def test_chains_need_liberties(black, white, named):
    with pytest.raises(PositionError, match=f"the stone on {named} has no liberty"):
        set_up(GO, codes(*black), codes(*white))


def test_a_full_board_is_no_position():
    with pytest.raises(PositionError, match="the stone on A1 has no liberty"):
        from_diagram(GO, "X X X X X\n" * 5)


def test_wrong_points():
    with pytest.raises(PositionError, match="two stones on C3; a point holds one"):
        set_up(GO, codes("C3"), codes("C3"))
    with pytest.raises(PositionError, match="two stones on C3"):
        set_up(GO, codes("C3", "C3"), [])
    for wrong in (0, 6, 1000, -1):
        with pytest.raises(PositionError, match=f"{wrong} is not the code of a point of go:size=5"):
            set_up(GO, [wrong], [])
    with pytest.raises(PositionError, match="the mover is 2, it must be 0"):
        set_up(GO, [], [], mover=2)
    with pytest.raises(GameError, match="needs a game of Go, not hex"):
        set_up(load("hex"), [], [])


def test_diagrams_are_read_as_they_are_printed():
    for seed in range(5):
        position = random_game(seed, 25)
        assert str(from_diagram(GO, str(position), position.mover)) == str(position)
    bare = "\n".join("".join(line[2:-2]) for line in KO.strip().splitlines()[1:-1])
    assert str(from_diagram(GO, bare)) == str(from_diagram(GO, KO))


def test_diagrams_of_another_shape():
    with pytest.raises(PositionError, match=r"3 rows of 5, go:size=5,komi=0.5 needs 5 rows of 5"):
        from_diagram(GO, ". . . . .\n" * 3)
    with pytest.raises(PositionError, match=r"5 rows of 4, 5,"):
        from_diagram(GO, ". . . . .\n. . . .\n" + ". . . . .\n" * 3)
    with pytest.raises(PositionError, match=r"0 rows of 0"):
        from_diagram(GO, "")


def test_another_player_to_move():
    """A ko may not be retaken at once, whoever is said to be on turn: it would repeat."""
    before = from_diagram(GO, KO, mover=1)
    taken = before.play("B3")
    assert "C3" not in map(taken.move_text, taken.moves)
    white = to_move(taken, 1)
    assert (white.mover, white.ply, white.previous) == (1, 0, taken)
    assert white.undo() is taken
    black = to_move(white, 0)
    assert black.previous is taken  # a set-up on top of another replaces it
    assert "C3" not in map(black.move_text, black.moves)
    # Without that past the ko is open.
    fresh = set_up(GO, stones(taken, BLACK), stones(taken, WHITE))
    assert "C3" in map(fresh.move_text, fresh.moves)


@pytest.fixture(scope="module")
def searcher():
    return Searcher(GO)


def test_a_tree_is_kept_only_for_what_follows(searcher):
    """Equal moves from other stones, another komi or another past are another game."""

    def kept(position):
        decision = searcher.search(position, Limit(simulations=1))
        return sum(child.visits for child in decision.children) > 1

    def root(**options):
        return set_up(GO, codes("C3"), codes("B2"), **options)

    searcher.search(root(), Limit(simulations=2000))
    assert kept(root())
    assert kept(root().play("D3"))
    for other in (
        Position.start(GO).play("D3"),
        set_up(GO, codes("C3"), codes("B1")).play("D3"),
        root(komi=4.5).play("D3"),
        root(previous=Position.start(GO).play("A1")).play("D3"),
        to_move(root().play("D3"), 1),
    ):
        searcher.search(root(), Limit(simulations=2000))
        assert not kept(other)


def test_moves_can_be_left_out():
    game = load("go:size=3")
    position = Position.start(game, jit=False).play("B2")
    out = [game.parse_move(text) for text in ("A1", "C3", "B3")]
    rest = without_moves(position, out)
    assert set(rest.moves) == set(position.moves) - set(out)
    assert rest.state.tobytes() == position.state.tobytes()
    assert rest.mover == position.mover
    assert without_moves(position, []) is position
    searcher = Searcher(game, jit=False, memory_mb=5)
    for at, missing in ((position, False), (rest, True), (position, False)):
        decision = searcher.search(at, Limit(simulations=40))
        tried = {child.move for child in decision.children}
        assert set(out).isdisjoint(tried) == missing  # the tree knows nothing of the other search
