import random
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import checks
from tesuji.compile import Slot, specialise
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft
from tesuji.games import loa, load
from tesuji.games.loa import CATEGORIES, ENOUGH, LEAST, LONGEST, PIECES, category_text
from tesuji.position import Position

PERFT = [
    ("loa", [36, 1_244, 44_952, 1_563_208]),
    ("loa:size=7", [30, 848, 25_012]),
    ("loa:size=6", [24, 524, 11_440]),
    ("loa:size=5", [18, 280, 4_164]),
    ("loa:size=4", [12, 120, 1_028]),
]


@pytest.mark.parametrize(("spec", "leaves"), PERFT)
def test_leaf_counts(spec: str, leaves: list[int]) -> None:
    """OpenSpiel's up to depth 4 on size 8; on the others those of `Reference`."""
    position = checks.after(spec)
    assert [perft(position, depth) for depth in range(1, len(leaves) + 1)] == leaves


# --- rules by example ----------------------------------------------------------------------------


def diagram(text: str, mover: int = 0, spec: str = "loa", ply: int = 0) -> Position:
    """A position from rows of ``.``, ``X`` and ``O``, the top row first."""
    rows = text.split()[::-1]
    state = np.zeros(1, checks.game(spec).state)
    record = state[0]
    record["last"] = checks.game(spec).parameters["size"] - 1
    record["tie"] = checks.game(spec).parameters["tie"]
    record["mover"], record["ply"] = mover, ply
    for y, row in enumerate(rows):
        for x, symbol in enumerate(row):
            if symbol != ".":
                put(record, "XO".index(symbol), 8 * y + x)
    return Position(checks.game(spec), state)


def put(record: Any, player: int, square: int) -> None:
    record["place"][square] = record["count"][player]
    record["pieces"][player * PIECES + record["count"][player]] = square
    record["stones"][player] |= np.uint64(1) << np.uint64(square)
    record["count"][player] += 1


def texts(position: Position, origin: str = "") -> set[str]:
    return {text for text in map(position.move_text, position.moves) if text.startswith(origin)}


def test_setup() -> None:
    position = checks.after("loa:size=5")
    assert str(position).splitlines() == [
        "  a b c d e",
        "5 . X X X . 5",
        "4 O . . . O 4",
        "3 O . . . O 3",
        "2 O . . . O 2",
        "1 . X X X . 1",
        "  a b c d e",
    ]
    assert position.mover_name == "Black"


def test_first_moves_of_a_piece() -> None:
    """Six squares along the row, two up the column and two along the diagonal."""
    assert texts(checks.after("loa"), "b1") == {"b1-h1", "b1-b3", "b1-d3"}
    assert texts(checks.after("loa"), "c1") == {"c1-a3", "c1-c3", "c1-e3"}


LINES = """
    ........
    ........
    ........
    O..X.X.O
    ........
    ........
    ........
    ........
"""


def test_pieces_jump_over_their_own_only() -> None:
    """Four pieces are on the fifth row: f5 jumps over d5, the white pieces jump over nothing."""
    assert texts(diagram(LINES), "f5") >= {"f5-b5"}
    assert "d5-h5" in texts(diagram(LINES))
    white = texts(diagram(LINES, mover=1))
    assert not white & {"a5-e5", "h5-d5"}


def test_all_directions() -> None:
    """d5 has no company on its column and its diagonals, so it goes one square there."""
    assert texts(diagram(LINES), "d5") == {
        *("d5-d6", "d5-d4", "d5-c6", "d5-e4", "d5-e6", "d5-c4"),
        "d5-h5",
    }


def test_no_landing_on_own_pieces() -> None:
    position = diagram("..... ..... X.X.. ..... O...O", spec="loa:size=5")
    assert "a3-c3" not in texts(position)
    assert "c3-e3" in texts(position)
    assert not texts(position) & {"c3-a3"}


def test_captures() -> None:
    after = diagram(LINES).play("d5xh5")
    assert str(after).splitlines()[4] == "5 O . . . . X . X 5"
    assert after.state[0]["count"].tolist() == [2, 1]


def test_a_single_piece_is_connected() -> None:
    assert diagram(LINES).play("d5-h5").result_text() == "White wins"


# The winner of a move of Black's, without and with the rule that connecting both is a draw.
ENDS = [
    ("O.... ..X.. ....O OX... ...O.", "b2-b3", "Black wins", "Black wins"),  # a diagonal connects
    ("O.... ..X.. ....O OX... ...O.", "b2-c1", None, None),
    ("O.... ..X.. ....O OX... ...O.", "c4-a2", "Black wins", "Black wins"),  # one piece left
    ("..... .X.X. ...O. .O..O ...X.", "b4-b2", "White wins", "White wins"),  # took the straggler
    ("..... .X.X. ...O. .O..O ...X.", "b4-c5", None, None),
    ("...X. .X... .OXX. ...O. ...O.", "d5-b3", "Black wins", "draw"),
    (".O... .O... .O... X.XO. .....", "a2-d2", "Black wins", "draw"),
]


@pytest.mark.parametrize(("rows", "move", "result", "with_tie"), ENDS)
def test_ends(rows: str, move: str, result: str | None, with_tie: str | None) -> None:
    for spec, expected in (("loa:size=5", result), ("loa:size=5,tie=true", with_tie)):
        after = diagram(rows, spec=spec).play(move)
        assert (after.result_text() if after.over else None) == expected


def test_columns_a_and_h_are_not_neighbours() -> None:
    """Black's h4 and a5 are next to each other in the set, but not on the board."""
    rows = "........ ........ ........ X....... .......X O.....O. ........ .......X"
    assert not diagram(rows).play("h1-h3").over


STUCK = "OOX. .O.O .OX. ...."


def test_pass_when_there_is_nothing_else() -> None:
    position = diagram(STUCK, spec="loa:size=4")
    assert texts(position) == {"pass"}
    checks.check_uniform(position, draws=5)
    after = position.play("pass")
    assert str(after) == str(position)
    assert after.mover_name == "White"
    assert "pass" not in texts(after)


def test_no_pass_otherwise() -> None:
    with pytest.raises(MoveError, match="not legal"):
        checks.after("loa", "pass")


def test_repetition_is_allowed() -> None:
    position = checks.after("loa", "b1-b3 a2-c2 b3-b1 c2-a2 b1-b3 a2-c2 b3-b1 c2-a2")
    assert not position.over
    assert str(position) == str(checks.after("loa"))


def test_the_longest_game_is_a_draw() -> None:
    last = diagram("O.... ..X.. ....O OX... ...O.", spec="loa:size=5", ply=LONGEST - 1)
    assert last.play("b2-c1").result_text() == "draw"
    assert last.play("b2-b3").result_text() == "Black wins"


# --- a slow and obvious reference ----------------------------------------------------------------

Square = tuple[int, int]


class Reference:
    """A dictionary from squares to players, and nothing clever."""

    def __init__(self, size: int, tie: bool, board: dict[Square, int], mover: int = 0) -> None:
        self.size, self.tie, self.board, self.mover = size, tie, board, mover
        self.ply = 0
        self.result: str | None = None

    @classmethod
    def start(cls, size: int, tie: bool = False) -> "Reference":
        last, inner = size - 1, range(1, size - 1)
        black = {(i, edge): 0 for i in inner for edge in (0, last)}
        return cls(size, tie, black | {(edge, i): 1 for i in inner for edge in (0, last)})

    def moves(self) -> set[tuple[Square, Square]]:
        """Empty if the mover has to pass."""
        steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        origins = [square for square, player in self.board.items() if player == self.mover]
        return {
            (origin, target)
            for origin in origins
            for step in steps
            for target in self.target(origin, *step)
        }

    def target(self, origin: Square, dx: int, dy: int) -> list[Square]:
        x, y = origin
        line = [(x + dx * i, y + dy * i) for i in range(-self.size, self.size + 1)]
        distance = sum(square in self.board for square in line)
        *passed, target = [(x + dx * i, y + dy * i) for i in range(1, distance + 1)]
        inside = all(0 <= along < self.size for along in target)
        blocked = any(self.board.get(square) == 1 - self.mover for square in passed)
        return [target] if inside and not blocked and self.board.get(target) != self.mover else []

    def play(self, origin: Square, target: Square) -> None:
        me = self.board.pop(origin)
        self.board[target] = me
        self.mover = 1 - me
        self.ply += 1
        mine, theirs = self.connected(me), self.connected(1 - me)
        names = ("Black wins", "White wins")
        if mine and theirs:
            self.result = "draw" if self.tie else names[me]
        elif mine or theirs:
            self.result = names[me if mine else 1 - me]

    def connected(self, player: int) -> bool:
        pieces = {square for square, owner in self.board.items() if owner == player}
        group, rim = set(), [min(pieces)]
        while rim:
            x, y = rim.pop()
            group.add((x, y))
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
            rim.extend(near & pieces - group)
        return group == pieces

    def text(self, move: tuple[Square, Square]) -> str:
        return "-".join(f"{'abcdefgh'[x]}{y + 1}" for x, y in move)

    def texts(self) -> set[str]:
        return {self.text(move) for move in self.moves()} or {"pass"}


def check_random_game(size: int, tie: bool, seed: int) -> str | None:
    rng = random.Random(seed)
    position = checks.after(f"loa:size={size},tie={str(tie).lower()}")
    reference = Reference.start(size, tie)
    while reference.result is None:
        assert not position.over
        assert texts(position) == reference.texts()
        found = sorted(reference.moves())
        if not found:
            position = position.play("pass")
            reference.mover = 1 - reference.mover
            continue
        move = rng.choice(found)
        reference.play(*move)
        position = position.play(reference.text(move))
    assert position.result_text() == reference.result
    return reference.result


@pytest.mark.parametrize("size", range(4, 9))
def test_random_games_against_the_reference(size: int) -> None:
    for seed in range(8 if size > 6 else 30):
        check_random_game(size, tie=seed % 2 == 0, seed=seed)


@pytest.mark.stress
@pytest.mark.parametrize("size", range(4, 9))
def test_more_random_games_against_the_reference(size: int) -> None:
    for seed in range(1000, 1100):
        check_random_game(size, tie=seed % 2 == 0, seed=seed)


# --- hash, notation, playouts --------------------------------------------------------------------


def test_hash_is_that_of_the_position_however_reached() -> None:
    one, other = "b1-b3 a2-c2 g8-g6 h7-f7", "g8-g6 a2-c2 b1-b3 h7-f7"
    assert str(checks.after("loa", one)) == str(checks.after("loa", other))
    assert checks.hash_of(checks.after("loa", one)) == checks.hash_of(checks.after("loa", other))


def test_hash_tells_positions_apart() -> None:
    """The ply included: the same board at the start and after a repetition."""
    seen: dict[int, str] = {}
    for seed in range(100):
        for position in checks.random_game("loa:size=4", seed):
            text = f"{position.ply} {position}"
            assert seen.setdefault(checks.hash_of(position), text) == text
    again = checks.after("loa", "b1-b3 a2-c2 b3-b1 c2-a2")
    assert checks.hash_of(again) != checks.hash_of(checks.after("loa"))


def test_notation_variants() -> None:
    position = checks.after("loa")
    for text in ("c1xa3", "c1a3", "C1-A3", "c1:a3"):
        assert position.move_text(position.parse_move(text)) == "c1-a3"


@pytest.mark.parametrize("text", ["", "b1", "b1-b9", "b1-i3", "b1-b3-b5", "b1/b3"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="is not a move of loa"):
        checks.after("loa").parse_move(text)


@pytest.mark.parametrize("spec", ["loa", "loa:size=6"])
def test_notation(spec: str) -> None:
    checks.check_notation(spec, games=1)


@pytest.mark.parametrize("ply", [0, 1, 30, 99])
def test_uniform(ply: int) -> None:
    checks.check_uniform(list(checks.random_game("loa", seed=2))[ply])


def test_uniform_with_few_moves() -> None:
    """Two of 32 draws are legal."""
    position = diagram("OOO. .X.X O... .X.X", spec="loa:size=4")
    assert texts(position) == {"b1-b4", "d1-a4"}
    checks.check_uniform(position)


@pytest.mark.parametrize("spec", ["loa", "loa:size=5,tie=true"])
def test_uncompiled(spec: str) -> None:
    checks.check_uncompiled(spec)


def test_uncompiled_pass() -> None:
    compiled = diagram(STUCK, spec="loa:size=4")
    plain = Position(compiled.game, compiled.state, jit=False)
    assert plain.moves == compiled.moves
    assert plain.play("pass").moves == compiled.play("pass").moves


@pytest.mark.parametrize("size", [3, 9])
def test_size_is_checked(size: int) -> None:
    with pytest.raises(GameError, match=f"size must be 4 to 8, not {size}"):
        load(f"loa:size={size}")


# --- categories of moves, knowledge, evaluation --------------------------------------------------

rules = Slot("rules")


class Listed(NamedTuple):
    """As much of a playout as knowledge asks for."""

    moves: Any


def classify(states: Any, moves: Any, out: Any) -> None:
    """Kernel: the category of each move."""
    for i in range(len(moves)):
        out[i] = loa.category(states[0], moves[i])


def know(states: Any, moves: Any, out: Any) -> None:
    """Kernel: what the knowledge says about each move."""
    rules.knowledge(states[0], Listed(moves), len(moves), out)


def judge(states: Any, moves: Any, out: Any) -> None:
    """Kernel: what the evaluation says about a position."""
    rules.evaluation(states[0], out)


def ask(kernel: Any, position: Position, dtype: Any = np.float64) -> list[Any]:
    """What a kernel writes about a position, compiled; uncompiled it must be the same."""
    of = position.game
    parts = {
        "knowledge": of.knowledge["transitions"],
        "evaluation": of.evaluations["concentration"],
    }
    results = []
    for jit in (True, False):
        asked = specialise(kernel, {"rules": parts}, label=f"{kernel.__name__} of loa", jit=jit)
        out = np.zeros(2 if kernel is judge else len(position.moves), dtype)
        asked(position.state.copy(), np.array(position.moves, np.int32), out)
        results.append(out.tolist())
    assert results[0] == results[1]
    return results[0]


def kinds(position: Position) -> dict[str, str]:
    """The category of each move, both as text."""
    found = map(category_text, ask(classify, position, np.int64))
    return dict(zip(map(position.move_text, position.moves), found, strict=True))


def test_categories_at_the_start() -> None:
    """The centre of mass is that of the board, 3.5 squares from each edge."""
    found = kinds(checks.after("loa"))
    assert found["b1-h1"] == "move, rim to corner, as far"
    assert found["b1-b3"] == "move, rim to second ring, 1 closer"
    assert found["b1-d3"] == "move, rim to third ring, 2 closer"
    assert found["c1-a3"] == "capture, rim to rim, as far"


def test_categories_by_example() -> None:
    """The centre of mass of d5 and f5 is e5."""
    found = kinds(diagram(LINES))
    assert found["d5-h5"] == "capture, centre to rim, 2 farther"
    assert found["d5-e4"] == "move, centre to centre, as far"
    assert found["d5-c4"] == "move, centre to third ring, 1 farther"
    assert found["f5-b5"] == "move, third ring to second ring, 2 farther"


def test_categories_on_a_small_board() -> None:
    """Regions are counted from the edge; the centre of mass is b3."""
    found = kinds(diagram("..... ..... X.X.. ..... O...O", spec="loa:size=5"))
    assert found["a3-a1"] == "capture, rim to corner, 1 farther"
    assert found["c3-c4"] == "move, third ring to second ring, as far"
    assert found["c3-e3"] == "move, third ring to rim, 2 farther"


def test_squares_are_rounded_and_three_are_the_most() -> None:
    """Four pieces on a column, with their centre of mass between the second and the third."""
    rows = "X....... ........ ........ ........ ........ X.....O. X.O..... X......."
    found = kinds(diagram(rows))
    assert found["a8-a4"] == "move, corner to rim, 3 or more closer"  # from 4.5 squares to 0.5
    assert found["a3-c3"] == "move, rim to third ring, 1 farther"  # from 0.5 to 2
    assert found["a3-b4"] == "move, rim to second ring, as far"  # from 0.5 to 1


def test_category_texts_are_different() -> None:
    assert len(set(map(category_text, range(CATEGORIES)))) == CATEGORIES


def packaged() -> dict[str, tuple[int, int, float]]:
    """The table in the package, read in another way than the game does."""
    lines = (Path(loa.__file__).parent / loa.LEARNED).read_text().splitlines()
    rows = [line.split("#") for line in lines if not line.startswith("#")]
    split = [(figures.split(), text.strip()) for figures, text in rows]
    return {text: (int(f[1]), int(f[2]), float(f[3])) for f, text in split}


def test_the_table_is_consistent() -> None:
    for played, available, probability in packaged().values():
        assert 0 <= played <= available
        assert probability == pytest.approx(played / available, abs=1e-5)


def test_knowledge_is_what_the_table_says() -> None:
    table = packaged()
    rare = set()
    for position in checks.random_game("loa", seed=1):
        if position.over:
            break
        for kind, value in zip(kinds(position).values(), ask(know, position), strict=True):
            _, available, probability = table.get(kind, (0, 0, 0.0))
            assert value == (max(probability, LEAST) if available >= ENOUGH else LEAST)
            rare.add(available < ENOUGH)
    assert rare == {True, False}


def test_knowledge_of_a_pass() -> None:
    position = diagram(STUCK, spec="loa:size=4")
    assert position.moves == (position.game.pass_move,)
    assert ask(know, position) == [1.0]


def test_evaluation_by_hand() -> None:
    """Two groups each.  Black's pieces are 1 square from their centre, White's 3.5.

    One of two pieces could be at the centre and the other one square away: 1/2 and 3 squares more
    than necessary on average, hence 1 / (1 + exp(-1.1 * 2.5)).
    """
    assert ask(judge, diagram(LINES)) == pytest.approx([0.939913, 0.060087], abs=1e-6)


def test_evaluation_counts_groups() -> None:
    """Black has one group as close as can be; White has two, and half a square to go."""
    rows = "........ XXX..... ........ ........ ........ ........ ........ O.O....."
    assert ask(judge, diagram(rows))[0] == pytest.approx(0.659260, abs=1e-6)  # 1.1 / 2 + 0.11


def test_groups() -> None:
    assert loa.groups(np.uint64(0b111)) == 1
    assert loa.groups(np.uint64(0b10000101)) == 3
    assert loa.groups(np.uint64(1 << 7 | 1 << 8)) == 2  # h1 and a2
    assert loa.groups(np.uint64(1 << 63 | 1 << 54)) == 1  # h8 and g7


def test_mirror_images_are_alike() -> None:
    for position in list(checks.random_game("loa", seed=5))[10:60:10]:
        rows = ["".join(line.split()[1:-1]) for line in str(position).splitlines()[1:-1]]
        columns = ["".join(column) for column in zip(*rows, strict=True)]
        for image in (rows[::-1], [row[::-1] for row in rows], columns):
            other = diagram(" ".join(image), mover=position.mover)
            assert sorted(kinds(other).values()) == sorted(kinds(position).values())
            assert ask(judge, other) == pytest.approx(ask(judge, position))
        swapped = diagram(" ".join(rows).translate(str.maketrans("XO", "OX")))
        assert ask(judge, swapped) == pytest.approx(ask(judge, position)[::-1])
