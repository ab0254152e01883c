"""The rules of Go, one case each; `test_go_random.py` compares whole games."""

from dataclasses import dataclass

import numpy as np
import pytest

from checks import after, check_notation, game
from tesuji.compile.plain import interpret, view
from tesuji.compile.specialise import fingerprint
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft
from tesuji.game import Size, unpainted
from tesuji.games import load
from tesuji.games.go.board import make_board
from tesuji.games.go.score import scoring
from tesuji.games.go.setup import from_diagram
from tesuji.games.go.vertex import star_points
from tesuji.position import Position, examine


@dataclass(frozen=True)
class Case:
    name: str
    spec: str
    moves: str
    diagram: str  #: rows from the top
    score: float  #: Black's area minus White's, without komi
    illegal: str = ""  #: moves that are forbidden now
    legal: str = ""  #: moves that are not

    def __str__(self) -> str:
        return self.name


KO = "A2 C3 B3 D2 B1 C1 C2 B2"
SUICIDE = "A2 A1 B2 pass C1"
WALLS = "B1 D1 B2 D2 B3 D3 B4 D4 B5 D5"

CASES = [
    Case(
        "a corner stone is captured",
        "go:size=5",
        "B1 A1 A2",
        "..... ..... ..... X.... .X...",
        score=25,
        illegal="A1",  # suicide
        legal="C3 pass",
    ),
    Case(
        "a chain is captured",
        "go:size=5",
        "A2 A1 B2 B1 C1",
        "..... ..... ..... XX... ..X..",
        score=25,
        legal="A1 B1",
    ),
    Case(
        "one stone captures two chains",
        "go:size=5",
        "A2 A1 C2 C1 D1 pass B1",
        "..... ..... ..... X.X.. .X.X.",
        score=25,
        illegal="A1 C1",
    ),
    Case(
        "a stone without liberties lives by capturing, here into a ko",
        "go:size=5",
        "A3 A2 B2 B1 A1",
        "..... ..... X.... .X... XO...",
        score=3 + 1 - 1,
        illegal="A2",
    ),
    Case(
        "a ko cannot be retaken at once",
        "go:size=5",
        KO,
        "..... ..... .XO.. XO.O. .XO..",
        score=3 + 1 - 4 - 1,
        illegal="C2",
        legal="A1 pass",
    ),
    Case(
        "a ko can be retaken after an exchange",
        "go:size=5",
        f"{KO} E5 A5",
        "O...X ..... .XO.. XO.O. .XO..",
        score=4 + 1 - 5 - 1,
        legal="C2",
    ),
    Case(
        "a pass is an exchange, too",
        "go:size=5",
        f"{KO} pass A5",
        "O.... ..... .XO.. XO.O. .XO..",
        score=3 + 1 - 5 - 1,
        legal="C2",
    ),
    Case(
        "capturing two stones is no ko",
        "go:size=5",
        "A2 A1 B2 B1 E5 D1 E4 C2 C1",
        "....X ....X ..... XXO.. ..XO.",
        score=5 + 2 - 2,
        legal="A1 B1",
    ),
    Case(
        "suicide of two stones is not allowed",
        "go:size=5",
        SUICIDE,
        "..... ..... ..... XX... O.X..",
        score=3 + 20 - 1,
        illegal="B1",
    ),
    Case(
        "suicide of two stones is allowed by the rule switch",
        "go:size=5,suicide=true",
        f"{SUICIDE} B1",
        "..... ..... ..... XX... ..X..",
        score=25,
    ),
    Case(
        "suicide of one stone would change nothing and is never allowed",
        "go:size=5,suicide=true",
        "B1 pass A2",
        "..... ..... ..... X.... .X...",
        score=25,
        illegal="A1",
    ),
    Case(
        "points between the colours belong to nobody",
        "go:size=5",
        WALLS,
        ".X.O. .X.O. .X.O. .X.O. .X.O.",
        score=0,
    ),
    Case(
        "a region of one colour counts, whatever its size",
        "go:size=5",
        f"{WALLS} C1 pass C2 pass C3 pass C4 pass C5",
        ".XXO. .XXO. .XXO. .XXO. .XXO.",
        score=5,
    ),
    Case(
        "shared liberties in a seki belong to nobody",
        "go:size=3",
        "A1 C1 A2 C2 A3 C3 B2",
        "X.O XXO X.O",
        score=4 - 3,
    ),
    Case("an empty board is nobody's", "go:size=5", "", "..... ..... ..... ..... .....", score=0),
    Case("a board of one point", "go:size=1", "", ".", score=0, illegal="A1", legal="pass"),
    Case("one row", "go:size=5x1", "B1 D1", ".X.O.", score=0, legal="A1 C1"),
    Case("one column", "go:size=1x5", "A2 A4", ". O . X .", score=0, legal="A1 A3"),
    Case("a capture in one row", "go:size=5x1", "B1 C1 D1", ".X.X.", score=5, illegal="A1 C1 E1"),
    Case(
        "more columns than rows",
        "go:size=6x3",
        "F1 F3 A1 A3 F2",
        "O....O .....X X....X",
        score=1,
    ),
]


def uncompiled(spec: str, moves: str = "") -> Position:
    """A position whose rules run as plain Python: nothing to compile for a size used once."""
    return Position.start(game(spec), jit=False).play(*moves.split())


def rows(position: Position) -> list[str]:
    """The diagram without coordinates and star points."""
    return [
        "".join(line.split()[1:-1]).replace("+", ".") for line in str(position).split("\n")[1:-1]
    ]


def score(position: Position, size: Size) -> float:
    """What the scoring kernel says, uncompiled."""
    kernel = scoring(make_board(size))
    return float(interpret(lambda states: kernel(states[0]))(position.state.copy()))


def size_of(spec: str) -> Size:
    width, _, height = spec.partition("=")[2].split(",")[0].partition("x")
    return Size(int(width), int(height or width))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rules(case: Case) -> None:
    position = uncompiled(case.spec, case.moves)
    assert rows(position) == case.diagram.split()
    assert score(position, size_of(case.spec)) == case.score - 7.5
    texts = [position.move_text(move) for move in position.moves]
    assert set(case.legal.split()) <= set(texts)
    assert not set(case.illegal.split()) & set(texts)
    assert texts[-1] == "pass"


def kernel_moves(position: Position) -> list[str]:
    """What the rules allow that do not look at history."""
    out = np.zeros(position.game.max_moves, np.int32)
    count = interpret(lambda states: position.game.moves(states[0], out))(position.state.copy())
    return [position.move_text(move) for move in out[:count].tolist()]


def test_superko_after_two_moves() -> None:
    """Black gives two stones for one; taking the one again would recreate the second position."""
    position = uncompiled("go:size=3x1", "A1 C1 B1 C1")
    assert rows(position) == ["..O"]
    assert "A1" in kernel_moves(position)
    with pytest.raises(MoveError, match="'A1' is not legal after move 4"):
        position.play("A1")


TRIPLE_KO = "A2 C3 B3 D2 B1 C1 A5 C6 B6 D5 B4 C4 A8 C9 B9 D8 B7 C7 C2 B5 C8"


def test_superko_in_a_triple_ko() -> None:
    position = uncompiled("go:size=4x9", f"{TRIPLE_KO} B2 C5 B8 C2 B5")
    assert rows(position) == [
        ".XO.",
        "XO.O",
        ".XO.",
        ".XO.",
        "XO.O",
        ".XO.",
        ".XO.",
        "X.XO",
        ".XO.",
    ]
    assert "C8" in kernel_moves(position)
    assert "C8" not in [position.move_text(move) for move in position.moves]
    later = position.play("A1", "D9", "C8")  # the board has changed elsewhere
    assert rows(later)[1] == "X.XO"


def test_a_pass_repeats_the_position_and_is_legal() -> None:
    position = after("go:size=5", "C3 pass D3 pass C4 pass")
    assert position.repetition == position.previous.repetition
    assert not position.over


def test_two_passes_end_the_game() -> None:
    position = after("go:size=5", "C3 pass")
    assert not position.over
    assert position.play("C2", "pass").over is False
    assert position.play("pass").over
    assert position.play("pass").moves == ()


@pytest.mark.parametrize(
    ("komi", "result", "rewards"),
    [
        ("24.5", "Black wins", (1.0, 0.0)),
        ("25", "draw", (0.5, 0.5)),
        ("25.5", "White wins", (0.0, 1.0)),
        ("-3", "Black wins", (1.0, 0.0)),
    ],
)
def test_results(komi: str, result: str, rewards: tuple[float, float]) -> None:
    position = after(f"go:size=5,komi={komi}", "C3 pass pass")
    assert position.result_text() == result
    assert position.rewards == rewards


def test_the_rules_change_without_recompiling() -> None:
    """All of them are in the state; all kernels are equal, down to the byte code."""
    rules = ("komi=7.5", "komi=0.5", "suicide=true", "superko=situational")
    tags = {fingerprint(examine, load(f"go:size=5,{rule}").bindings) for rule in rules}
    assert len(tags) == 1


@pytest.mark.parametrize(
    ("spec", "moves", "black"),
    [
        ("go:size=5,komi=0", "", 0.5),
        ("go:size=5,komi=0", "C3 pass", 0.5 + 1 / 50),
        ("go:size=5", "C3 A1 D3 A2 E3", 0.5 + (3 - 2 - 7.5) / 50),
        ("go:size=5,komi=0", "B1 A1 A2", 0.5 + 2 / 50),  # A1 was captured
        ("go:size=5,komi=-26", "", 1.0),
        ("go:size=5,komi=26", "", 0.0),
        ("go:size=7x3,komi=0", "pass A1", 0.5 - 1 / 42),
    ],
)
def test_more_stones_are_worth_more(spec: str, moves: str, black: float) -> None:
    position = uncompiled(spec, moves)
    out = np.zeros(2)
    kernel = position.game.evaluations["stones"]
    interpret(lambda states, out: kernel(states[0], out))(position.state.copy(), out)
    assert out.tolist() == pytest.approx([black, 1 - black])


def test_the_pass_is_known() -> None:
    position = uncompiled("go:size=5", "C3")
    assert position.move_text(position.game.pass_move) == "pass"
    assert rows(position.play(position.game.pass_move)) == rows(position)


def hash_of(position: Position) -> int:
    kernel = position.game.hash
    return int(interpret(lambda states: kernel(states[0]))(position.state.copy()))


def test_keys() -> None:
    """The repetition key knows only the stones, the hash also mover, passes and ko."""
    one, other = after("go:size=5", "A1 B2 C3"), after("go:size=5", "C3 B2 A1")
    assert (one.repetition, hash_of(one)) == (other.repetition, hash_of(other))
    passed = one.play("pass")
    assert passed.repetition == one.repetition
    assert hash_of(passed) != hash_of(one)
    ko = after("go:size=5", KO)
    without = ko.state.copy()
    without["ko"] = 0
    assert hash_of(ko) != hash_of(Position(ko.game, without))


def test_leaf_counts() -> None:
    """A stone anywhere or a pass; after two passes the game is over."""
    assert perft(after("go:size=5"), 1) == 26
    assert perft(after("go:size=5"), 2) == 25 * 25 + 26


def test_candidates_leave_eyes_alone() -> None:
    """A1 is an eye of Black's; A4 is none, because White holds a diagonal at the edge."""
    position = uncompiled("go:size=5", "A2 B5 B1 E5 A3 E4 A5 E3 B4 pass B2 pass")
    out = np.zeros(26, np.int32)
    kernel = position.game.candidates
    count = interpret(lambda states: kernel(states[0], out))(position.state.copy())
    texts = [position.move_text(move) for move in out[:count].tolist()]
    assert texts[-1] == "pass"
    assert sorted({position.move_text(m) for m in position.moves} - set(texts)) == ["A1"]


def test_notation() -> None:
    check_notation("go:size=5", games=1)


@pytest.mark.parametrize("size", ["7x3", "1x9", "25x2"])
def test_notation_on_rectangles(size: str) -> None:
    position = uncompiled(f"go:size={size}")
    for move in position.moves:
        assert position.parse_move(position.move_text(move)) == move


def test_the_largest_board() -> None:
    """By the kernels alone: a `Position` would try all 625 moves for superko, uncompiled."""
    of = game("go:size=25")
    states = np.zeros(1, of.state)
    of.start(view(states)[0])
    for text in ("Y25", "z25", "Z24", "PASS"):
        interpret(lambda states, move: of.play(states[0], move))(states, of.parse_move(text))
    lines = of.draw(view(states)[0], unpainted).split("\n")
    assert lines[0] == "   A B C D E F G H J K L M N O P Q R S T U V W X Y Z"
    assert lines[1].endswith(". X . 25")
    assert lines[2].endswith(". . X 24")
    assert of.move_text(of.parse_move("j10")) == "J10"


@pytest.mark.parametrize("text", ["I5", "K5", "E10", "E0", "E", "5", "", "E5x", "E٣", "resign"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(MoveError, match="A to J and a number 1 to 9, for example A1, or pass"):
        uncompiled("go").parse_move(text)


def test_diagram() -> None:
    assert uncompiled("go", "E5 C3 J1").draw() == (
        "  A B C D E F G H J\n"
        "9 . . . . . . . . . 9\n"
        "8 . . . . . . . . . 8\n"
        "7 . . + . . . + . . 7\n"
        "6 . . . . . . . . . 6\n"
        "5 . . . . X . . . . 5\n"
        "4 . . . . . . . . . 4\n"
        "3 . . O . . . + . . 3\n"
        "2 . . . . . . . . . 2\n"
        "1 . . . . . . . . X 1\n"
        "  A B C D E F G H J"
    )


@pytest.mark.parametrize(
    ("size", "stars"),
    [((3, 3), 0), ((5, 5), 1), ((9, 9), 5), ((8, 9), 4), ((13, 13), 5), ((19, 19), 9)],
)
def test_star_points(size: tuple[int, int], stars: int) -> None:
    assert len(star_points(Size(*size))) == stars


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("go:size=26", "size must be 1 to 25 columns and rows, not 26x26"),
        ("go:size=0x3", "size must be 1 to 25 columns and rows, not 0x3"),
        ("go:komi=nan", "komi must be a finite number, not nan"),
        ("go:suicide=maybe", "expected true or false"),
    ],
)
def test_wrong_parameters(spec: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        load(spec)


# --- superko -------------------------------------------------------------------------------------

SEND_TWO = """
    . . . . .
    . . . . .
    . . . . .
    O O X . .
    . X . X .
"""


@pytest.mark.parametrize("superko", ["positional", "situational"])
def test_sending_two_and_returning_one(superko):
    """Black sends A1, White takes two, Black takes one back: the same stones, White to move."""
    start = from_diagram(game(f"go:size=5,superko={superko}"), SEND_TWO)
    taken = start.play("A1", "C1")
    assert ("B1" in map(taken.move_text, taken.moves)) == (superko == "situational")
    assert taken.game.pass_move in taken.moves
    if superko == "situational":
        again = taken.play("B1", "pass")  # a pass may repeat: the start, Black to move
        assert again.state[0]["board"].tolist() == start.state[0]["board"].tolist()
        assert "A1" not in map(again.move_text, again.moves)
        assert "B5" in map(again.move_text, again.moves)


@pytest.mark.parametrize("superko", ["positional", "situational"])
def test_a_pass_is_always_legal(superko):
    """Both may pass although the stones stay as they are."""
    position = Position.start(game(f"go:size=5,superko={superko}")).play("C3", "pass")
    assert position.game.pass_move in position.moves
    assert position.play("pass").over


def test_an_unknown_superko_is_refused():
    with pytest.raises(GameError, match="superko is 'natural'; valid: positional, situational"):
        load("go:superko=natural")
