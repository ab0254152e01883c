import math
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import checks
from tesuji.compile import Slot, specialise, stream
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft, solve
from tesuji.game import Game, Playout, Size, make_playout
from tesuji.games import load
from tesuji.games.breakthrough import EMPTY, PAWN, RANK, WALL, squares
from tesuji.position import Position
from tesuji.search.bindings import bindings
from tesuji.search.config import SearchConfig
from tesuji.search.context import make_context, make_params, make_simulations
from tesuji.search.simulate import simulate

told = Slot("told")

PERFT = [(1, 22), (2, 484), (3, 11_132), (4, 256_036)]

# columns, rows, White's reward
WINNERS = [(2, 5, 0.0), (3, 5, 0.0), (2, 6, 1.0)]
MORE_WINNERS = [(2, 7, 0.0), (2, 8, 1.0), (3, 6, 1.0), (4, 5, 0.0)]


@pytest.mark.parametrize(("depth", "leaves"), PERFT)
def test_leaf_counts(depth: int, leaves: int) -> None:
    assert perft(checks.after("breakthrough"), depth) == leaves


@pytest.mark.parametrize(("columns", "rows", "value"), WINNERS)
def test_winners(columns: int, rows: int, value: float) -> None:
    assert solve(checks.after(f"breakthrough:size={columns}x{rows}")) == value


@pytest.mark.stress
@pytest.mark.parametrize(("columns", "rows", "value"), MORE_WINNERS)
def test_more_winners(columns: int, rows: int, value: float) -> None:
    of = promising_first(load(f"breakthrough:size={columns}x{rows}"), Size(columns, rows))
    assert solve(Position.start(of), entries=1 << 23) == value


def promising_first(of: Game, size: Size) -> Game:
    """The same game, with captures and far pawns listed first: 4x5 is too big to solve without."""
    target = squares(size).target
    stride, last = size.width + 1, size.height - 1
    unordered = of.moves

    def promise(state: Any, move: int) -> int:
        to = target[np.uint32(move)]
        row = (to - 1) // stride
        capture = 20 if state.board[to] != EMPTY else 0
        return capture + 10 * (row if state.mover == 0 else last - row)

    def moves(state: Any, out: Any) -> int:
        n = unordered(state, out)
        for i in range(1, n):  # insertion sort
            move, at = out[i], i
            while at > 0 and promise(state, out[at - 1]) < promise(state, move):
                out[at] = out[at - 1]
                at -= 1
            out[at] = move
        return n

    return replace(of, moves=moves)


def test_setup() -> None:
    assert str(checks.after("breakthrough:size=3x5")).splitlines() == [
        "  a b c",
        "5 O O O 5",
        "4 O O O 4",
        "3 . . . 3",
        "2 X X X 2",
        "1 X X X 1",
        "  a b c",
    ]


def test_captures_are_diagonal() -> None:
    """
    4 O O O
    3 . X .
    2 X . X
    """
    position = checks.after("breakthrough:size=3x5", "b2-b3")
    assert texts(position) == {"a4-a3", "a4-b3", "b4-a3", "b4-c3", "c4-b3", "c4-c3"}
    after = position.play("a4xb3")
    assert str(after).splitlines()[1:5] == ["5 O O O 5", "4 . O O 4", "3 . O . 3", "2 X . X 2"]
    assert {"a2-b3", "c2-b3"} <= texts(after)


def test_captures_are_optional() -> None:
    assert "a2-a3" in texts(checks.after("breakthrough:size=3x5", "b2-b3 a4-b3"))


ENDS = [
    ("2x5", "a2-b3 a4-b3 a1-a2 b3-a2 b2-b3 a2-b1", "Black wins"),  # on the far rank
    ("2x5", "b2-a3 b4-a3 a2-b3 a4-b3 a1-b2 a3-b2 b1-a2 b3-a2", "Black wins"),  # no pawn left
    ("2x4", "a2-b3 a3-a2 b3-a4", "White wins"),
]


@pytest.mark.parametrize(("size", "moves", "result"), ENDS)
def test_ends(size: str, moves: str, result: str) -> None:
    spec = f"breakthrough:size={size}"
    assert not checks.after(spec, moves.rpartition(" ")[0]).over
    assert checks.after(spec, moves).result_text() == result


def test_hash() -> None:
    one = "a2-a3 a7-a6 b2-b3 b7-b6 c2-c3"
    other = "c2-c3 b7-b6 b2-b3 a7-a6 a2-a3"
    hashes = [checks.hash_of(checks.after("breakthrough", line)) for line in (one, other)]
    assert hashes[0] == hashes[1]
    seen: dict[int, str] = {}
    for seed in range(20):
        for position in checks.random_game("breakthrough:size=3x5", seed):
            text = f"{position.mover} {position}"
            assert seen.setdefault(checks.hash_of(position), text) == text


def test_notation_variants() -> None:
    position = checks.after("breakthrough", "a2-a3 b7-b6")
    assert position.parse_move("a3a4") == position.parse_move("A3-A4")
    assert position.move_text(position.parse_move("a3xb4")) == "a3-b4"


@pytest.mark.parametrize("text", ["", "a2", "a2-i3", "a2-a4", "a2-b2", "a2-a3-a4", "a2-c3"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="is not a move of breakthrough"):
        checks.after("breakthrough").parse_move(text)


@pytest.mark.parametrize("spec", ["breakthrough", "breakthrough:size=2x4", "breakthrough:size=26"])
def test_notation(spec: str) -> None:
    checks.check_notation(spec, games=1)


@pytest.mark.parametrize("ply", [0, 1, 20, 41])
def test_uniform(ply: int) -> None:
    positions = list(checks.random_game("breakthrough", seed=3))
    checks.check_uniform(positions[ply])


@pytest.mark.parametrize("spec", ["breakthrough", "breakthrough:size=2x5"])
def test_uncompiled(spec: str) -> None:
    checks.check_uncompiled(spec)


# --- the informed policy ------------------------------------------------------------------------


def set_up(diagram: str, mover: str) -> Position:
    """A position from ranks, the last one first, of X for White and O for Black."""
    ranks = diagram.split()[::-1]
    width, height = len(ranks[0]), len(ranks)
    of = checks.game(f"breakthrough:size={width}x{height}")
    states = np.zeros(1, of.state)
    state = states[0]
    state["board"][:] = WALL
    state["mover"] = "XO".index(mover)
    for y, rank in enumerate(ranks):
        for x, symbol in enumerate(rank):
            square = y * (width + 1) + x + 1
            state["board"][square] = ".XO".index(symbol)
            if symbol != ".":
                player = "XO".index(symbol)
                state["place"][square] = state["count"][player]
                state["pawns"][2 * width * player + state["count"][player]] = square
                state["count"][player] += 1
    state["close"] = ranks[1].count("O") + ranks[-2].count("X")
    return Position(of, states)


def informed_weights(position: Position) -> dict[int, int]:
    """The policy as Pepels (2014) tells it, slowly: what each move weighs, 0 left out."""
    ranks = [line.split()[1:-1] for line in str(position).splitlines()[-2:0:-1]]
    home = 0 if position.mover == 0 else len(ranks) - 1
    decisive, anti_decisive, weights = {}, {}, {}
    for move in position.moves:
        target = position.move_text(move).partition("-")[2]
        y = int(target[1:]) - 1
        capture = ranks[y]["abcdefgh".index(target[0])] != "."
        from_home = abs(y - home)
        weights[move] = (5 if from_home < 2 else 4) if capture else 1
        if position.play(move).over:
            decisive[move] = 1
        elif capture and from_home == 1:
            anti_decisive[move] = 1
    return decisive or anti_decisive or weights


def check_informed(position: Position, draws: int = 20_000) -> None:
    """A chi-square test at five standard deviations."""
    weights = informed_weights(position)
    drawn = Counter(draw_informed(position, draws))
    assert set(drawn) <= set(weights)
    share = draws / sum(weights.values())
    square = sum((drawn[move] - share * w) ** 2 / (share * w) for move, w in weights.items())
    freedom = len(weights) - 1
    assert square <= freedom + 5 * (2 * freedom) ** 0.5, drawn


def draw_informed(position: Position, draws: int) -> list[int]:
    of = position.game
    bindings = {**of.bindings, "policy": {"choose": of.policies["informed"]}}
    kernel = specialise(checks.draw_many, bindings, label="informed draws")
    out = np.zeros(draws, np.int64)
    kernel(position.state.copy(), scratch(of), stream(1, "informed"), out)
    return out.tolist()


def scratch(of: Game) -> Playout:
    return make_playout(of, of.max_length)


@pytest.mark.parametrize("ply", [0, 1, 20, 33, 41, 48])
def test_informed(ply: int) -> None:
    check_informed(list(checks.random_game("breakthrough", seed=3))[ply])


def test_every_position_of_a_random_game_is_played_informed() -> None:
    for position in list(checks.random_game("breakthrough:size=4x6", seed=5))[:-1]:
        check_informed(position, draws=4000)


INFORMED = [
    # an ordinary capture is likely, not certain
    ("OO.. ..O. .X.. .... ...X XX..", "X", {"b4-a5": 1, "b4-b5": 1, "b4-c5": 4}),
    ("OO.. ..O. .X.. .... ...X XX..", "O", {"c5-b4": 4, "c5-c4": 1, "c5-d4": 1}),
    # two captures with one pawn
    (".... O.O. .X.. .... .... ....", "X", {"b4-a5": 4, "b4-b5": 1, "b4-c5": 4}),
    # a pawn two steps from home is no emergency
    ("OO.. .... .... ..O. .X.. ....", "X", {"b2-a3": 1, "b2-b3": 1, "b2-c3": 4}),
]


@pytest.mark.parametrize(("diagram", "mover", "some"), INFORMED)
def test_captures_are_likely(diagram: str, mover: str, some: dict[str, int]) -> None:
    position = set_up(diagram, mover)
    weights = informed_weights(position)
    assert {text: weights[position.parse_move(text)] for text in some} == some
    assert set(weights) == set(position.moves)
    check_informed(position)


URGENT = [
    # decisive: whatever stands there, and rather than a capture elsewhere
    ("O.O. .X.. .... ..O. .X.. ....", "X", "b5-a6 b5-b6 b5-c6"),
    (".O.. X... .... ..O. .X.. ....", "X", "a5-a6 a5-b6"),
    ("OO.. .... .X.. ..O. ...O ..XX", "O", "d2-c1"),
    # decisive before anti-decisive
    (".OO. ..X. .... .... .O.. X.XX", "X", "c5-b6 c5-d6"),
    (".OO. ..X. .... .... .O.. X.XX", "O", "b2-a1 b2-b1 b2-c1"),
    # anti-decisive: all captures of any such pawn, rather than another capture
    ("OOO. .... .O.. X... .O.. X.XX", "X", "a1-b2 c1-b2"),
    ("OOO. .... .... .... O..O XXXX", "X", "b1-a2 c1-d2"),
    ("..OO X..X .... ..O. .X.. .X..", "O", "c6-d5"),
    # taking the last pawn wins, too
    (".... .... ..O. .X.X .... X...", "X", "b3-c4 d3-c4"),
    (".... .... ..O. .X.. .... ....", "O", "c4-b3"),
]


@pytest.mark.parametrize(("diagram", "mover", "moves"), URGENT)
def test_urgent_moves_are_always_played(diagram: str, mover: str, moves: str) -> None:
    position = set_up(diagram, mover)
    weights = informed_weights(position)
    assert set(map(position.move_text, weights)) == set(moves.split())
    assert set(weights.values()) == {1}
    check_informed(position)


def test_a_threat_that_nobody_can_stop_changes_nothing() -> None:
    """The pawn on b2 cannot be captured."""
    position = set_up("OOO. .... .O.. X... .O.. .X.X", "X")
    weights = informed_weights(position)
    assert set(weights) == set(position.moves)
    assert weights[position.parse_move("a3-b4")] == 4
    check_informed(position)


def test_pawns_close_to_the_last_rank_are_counted() -> None:
    for spec in ("breakthrough:size=2x4", "breakthrough:size=4x5", "breakthrough"):
        for seed in range(5):
            for position in checks.random_game(spec, seed):
                lines = str(position).splitlines()
                close = lines[2].count("X") + lines[-3].count("O")
                assert position.state["close"][0] == close


@pytest.mark.parametrize("spec", ["breakthrough", "breakthrough:size=2x4"])
def test_informed_playouts_uncompiled(spec: str) -> None:
    of = checks.game(spec)
    config = SearchConfig(playout="informed")
    slots = bindings(of, config)
    compiled, plain = (
        specialise(play_out, slots, label="informed playouts", jit=jit) for jit in (True, False)
    )
    params = make_params(of, config)
    rngs = [stream(2, spec), stream(2, spec)]
    for _ in range(10):
        results = []
        for kernel, rng in zip((compiled, plain), rngs, strict=True):
            sims, own = make_simulations(of, config), make_context(of, config)
            sims[0]["state"] = Position.start(of).state[0]
            kernel(sims, own, params, rng)
            sim = sims[0]
            results.append((sim["length"][0], sim["trace"].tolist(), sim["state"].tolist()))
        assert str(results[0]) == str(results[1])
        assert np.array_equal(*rngs)


def play_out(sims: Any, own: Any, params: Any, rng: Any) -> None:
    simulate(None, sims[0], own, params[0], rng)


# --- what it knows and expects ------------------------------------------------------------------


def know(states: Any, playout: Any, count: int, out: Any) -> None:
    """Kernel: what the game knows of moves in the first of the states."""
    told.informed(states[0], playout, count, out)


def expect(states: Any, out: Any) -> None:
    """Kernel: what the game expects in the first of the states."""
    told.race(states[0], out)


def shares(position: Position, moves: list[int], *, jit: bool) -> dict[int, float]:
    out = np.zeros(len(moves))
    kernel = specialise(know, {"told": dict(position.game.knowledge)}, label="knowledge", jit=jit)
    playout = scratch(position.game)
    playout.moves[: len(moves)] = moves
    kernel(position.state.copy(), playout, len(moves), out)
    return dict(zip(moves, out.tolist(), strict=True))


@pytest.mark.parametrize("jit", [True, False])
def test_knowledge_is_how_likely_the_policy_plays(jit: bool) -> None:
    for position in list(checks.random_game("breakthrough:size=4x6", seed=5))[:-1]:
        weights = informed_weights(position)
        total = sum(weights.values())
        expected = {move: weights.get(move, 0) / total for move in position.moves}
        assert shares(position, list(position.moves), jit=jit) == pytest.approx(expected)


@pytest.mark.parametrize(("diagram", "mover", "moves"), URGENT)
def test_knowledge_of_urgent_moves(diagram: str, mover: str, moves: str) -> None:
    position = set_up(diagram, mover)
    urgent = {position.parse_move(text) for text in moves.split()}
    expected = {move: (move in urgent) / len(urgent) for move in position.moves}
    assert shares(position, list(position.moves), jit=False) == pytest.approx(expected)


def test_knowledge_of_some_moves_only() -> None:
    """Of those that are left when the urgent ones are not asked about, and of a capture alone."""
    position = set_up("OOO. .... .O.. X... .O.. X.XX", "X")
    some = [position.parse_move(text) for text in ("a3-a4", "a3-b4", "d1-d2")]
    found = shares(position, some, jit=False)
    assert list(found.values()) == pytest.approx([1 / 6, 4 / 6, 1 / 6])
    assert list(shares(position, some[1:2], jit=False).values()) == [1.0]


RACES = [
    ("OOOO OOOO .... .... XXXX XXXX", 0, 0),
    ("OOOO OO.. .... .... XXXX XXXX", 2, 0),
    ("OO.. .... .X.. .... .... ....", -1, 3 - 0),
    ("..O. ..X. .... .O.. .... X...", 0, 4 - 3),
    (".... .... .... .... O... ...X", 0, 0 - 4),
]


@pytest.mark.parametrize("jit", [True, False])
@pytest.mark.parametrize(("diagram", "pawns", "ranks"), RACES)
def test_the_race_is_expected_by_pawns_and_ranks(
    diagram: str, pawns: int, ranks: int, jit: bool
) -> None:
    position = set_up(diagram, "X")
    out = np.zeros(2)
    kernel = specialise(expect, {"told": dict(position.game.evaluations)}, label="race", jit=jit)
    kernel(position.state.copy(), out)
    white = 1 / (1 + math.exp(-PAWN * pawns - RANK * ranks))
    assert out.tolist() == pytest.approx([white, 1 - white])


# --- parameters ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["1x8", "8x3", "27x8", "8x27"])
def test_size_is_checked(size: str) -> None:
    with pytest.raises(GameError, match=f"2 to 26 columns and 4 to 26 rows, not {size}"):
        load(f"breakthrough:size={size}")


def texts(position: Position) -> set[str]:
    return set(map(position.move_text, position.moves))
