"""Whole games of Go: against the slow rules, compiled against uncompiled, solved exactly."""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks import check_uncompiled, draw, game
from go_reference import Reference, text
from tesuji.compile import Slot, specialise, stream
from tesuji.compile.plain import interpret
from tesuji.game import Game, Size, make_playout
from tesuji.games.go import game as go
from tesuji.games.go.board import make_board
from tesuji.games.go.score import scoring
from tesuji.position import Position

rules = Slot("rules")
policy = Slot("policy")

Choose = Callable[[int], int]  # one of so many


def compare(position: Position, slow: Reference, score: Callable[[Any], float]) -> None:
    """Everything that the two say about the same position."""
    texts = [position.move_text(move) for move in position.moves]
    if not position.over:
        assert sorted(texts) == sorted(map(text, slow.legal()))
    assert position.over == (slow.passes == 2)
    assert position.mover == slow.mover
    board = [line.split()[1:-1] for line in str(position).split("\n")[1:-1]]
    assert ["".join(row).replace("+", ".") for row in board] == slow.rows()
    states = position.state.copy()
    assert interpret(lambda states: score(states[0]))(states) == slow.score() - 7.5
    assert candidates(position) == playable_without_eyes(slow)


def candidates(position: Position) -> list[str]:
    """What the search considers, superko left to it."""
    out = np.zeros(position.game.max_moves, np.int32)
    kernel = position.game.candidates
    count = interpret(lambda states: kernel(states[0], out))(position.state.copy())
    return sorted(map(position.move_text, out[:count].tolist()))


def playable_without_eyes(slow: Reference) -> list[str]:
    points = [point for point in slow.playable() if not slow.is_eye(point)]
    retaken = {point for point in points if slow.seen and slow.after(point) == slow.seen[-1]}
    return sorted([*(text(point) for point in points if point not in retaken), "pass"])


def play_both(size: Size, suicide: bool, choose: Choose, plies: int, jit: bool) -> int:
    """One game in both programs; returns how many moves were forbidden that simple ko allows.

    Passes are rare, so that games get long and boards full.
    """
    position = Position.start(made(size, suicide), jit=jit)
    slow = Reference(*size, suicide=suicide)
    score = scoring(make_board(size))
    compare(position, slow, score)
    forbidden = 0
    while not position.over and position.ply < plies:
        *points, point = slow.legal()
        forbidden += sum(slow.after(point) in slow.seen[:-1] for point in slow.playable())
        if points and choose(8) > 0:
            point = points[choose(len(points))]
        position = position.play(text(point))
        slow.play(point)
        compare(position, slow, score)
    return forbidden


@cache
def made(size: Size, suicide: bool) -> Game:
    return go(size, suicide=suicide)


@pytest.mark.parametrize(("size", "suicide"), [(5, False), (5, True), (9, False)])
def test_random_games(size: int, suicide: bool) -> None:
    for seed in range(3):
        rng = random.Random(seed)
        play_both(Size(size, size), suicide, rng.randrange, plies=3 * size * size, jit=True)


@settings(deadline=None, max_examples=40)
@given(
    size=st.builds(Size, st.integers(1, 4), st.integers(1, 4)),
    suicide=st.booleans(),
    choices=st.lists(st.integers(0, 1000), max_size=80),
)
def test_games_on_small_boards(size: Size, suicide: bool, choices: list[int]) -> None:
    """Uncompiled, because each size would have to be compiled."""
    numbers = iter(choices)
    play_both(size, suicide, lambda n: next(numbers) % n, plies=len(choices) // 2, jit=False)


def test_superko_happens_in_these_games() -> None:
    """On tiny boards random games do come back to positions from before the last two moves."""
    games = [random.Random(seed) for seed in range(30)]
    assert sum(play_both(Size(3, 2), False, g.randrange, plies=40, jit=False) for g in games) > 0


def test_compiled_as_uncompiled() -> None:
    check_uncompiled("go:size=5", games=1)
    check_uncompiled("go:size=5,suicide=true", games=1)


# --- playouts


def play_out(states: Any, playout: Any, rng: Any, rewards: Any) -> int:
    """Kernel: one playout; returns its length."""
    state = states[0]
    n = 0
    while n < len(playout.trace) and not rules.over(state):
        playout.trace[n] = policy.next_move(state, playout, rng)
        rules.play(state, playout.trace[n])
        n += 1
    rules.rewards(state, rewards)
    return n


def playout_of(of: Game, seed: int, jit: bool) -> tuple[Position, list[int], Any, list[float]]:
    bindings = {**of.bindings, "policy": {"next_move": of.policies["uniform"]}}
    kernel = specialise(play_out, bindings, label="a playout of go", jit=jit)
    start = Position.start(of, jit=False)
    states, rewards = start.state.copy(), np.zeros(2)
    playout = make_playout(of, of.max_length)
    length = kernel(states, playout, stream(seed, "playout"), rewards)
    return start, playout.trace[:length].tolist(), states, rewards.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_playouts_compiled_as_uncompiled(seed: int) -> None:
    of = game("go:size=5")
    _, trace, states, rewards = playout_of(of, seed, jit=True)
    _, plain_trace, plain_states, plain_rewards = playout_of(of, seed, jit=False)
    assert trace == plain_trace
    assert states.tobytes() == plain_states.tobytes()
    assert rewards == plain_rewards


@pytest.mark.parametrize("seed", range(3))
def test_playouts_are_games(seed: int) -> None:
    """Every move is legal by the slow rules (superko apart) and fills no eye."""
    size = Size(5, 5)
    start, trace, states, _ = playout_of(game("go:size=5"), seed, jit=True)
    slow = Reference(*size)
    for move in trace:
        worth = playable_without_eyes(slow)
        name = start.move_text(move)
        assert name in worth if name != "pass" else worth == ["pass"]
        slow.play(next((p for p in slow.points() if text(p) == name), None))
    score = scoring(make_board(size))
    assert interpret(lambda states: score(states[0]))(states) == slow.score() - 7.5


def test_the_policy_is_uniform_where_all_points_will_do() -> None:
    """With unplayable points in between it is not exactly so, see `tesuji.games.go.playouts`."""
    position = Position.start(game("go:size=5")).play("C3", "D4", "B2")
    drawn = Counter(draw(position, 22_000))
    assert set(drawn) == set(position.moves[:-1])
    square = sum((count - 1000) ** 2 / 1000 for count in drawn.values())
    assert square <= 21 + 5 * 42**0.5


def test_the_policy_passes_when_only_eyes_are_left() -> None:
    position = Position.start(game("go:size=5"))
    eyes = [position.parse_move("A1"), position.parse_move("E5")]
    pass_move = position.moves[-1]
    for move in position.moves[:-1]:
        if move not in eyes:
            position = position.play(move, pass_move)
    assert set(position.moves) == {*eyes, pass_move}
    assert set(draw(position, 100)) == {pass_move}
    assert set(draw(position.play(pass_move), 100)) == {pass_move}  # suicide for White


# --- exact values


def value(states: Any, moves: Any, keys: Any, ply: int, low: float, high: float) -> float:
    """Kernel: the score under perfect play, seen by the mover (alpha-beta, positional superko)."""
    state = states[ply]
    if rules.over(state):
        return rules.score(state) if rules.mover(state) == 0 else -rules.score(state)
    keys[ply] = rules.repetition(state)
    for i in range(rules.moves(state, moves[ply])):
        states[ply + 1] = states[ply]
        rules.play(states[ply + 1], moves[ply, i])
        if not seen(rules.repetition(states[ply + 1]), keys, ply):
            low = max(low, -value(states, moves, keys, ply + 1, -high, -low))
            if low >= high:
                break
    return low


def seen(key: Any, keys: Any, ply: int) -> bool:
    if key != keys[ply]:
        for i in range(ply):
            if keys[i] == key:
                return True
    return False


def solve(size: Size, jit: bool, plies: int = 400) -> float:
    """Black's score with komi 0."""
    of = go(size, komi=0.0)
    area = size.width * size.height
    kernels = {**of.bindings["rules"], "score": scoring(make_board(size))}
    kernel = specialise(value, {**of.bindings, "rules": kernels}, label="small go", jit=jit)
    states = np.zeros(plies, of.state)
    states[0] = Position.start(of, jit=False).state[0]
    moves, keys = np.zeros((plies, of.max_moves), np.int32), np.zeros(plies, np.uint64)
    return float(kernel(states, moves, keys, 0, -float(area), float(area)))


@pytest.mark.parametrize(
    ("size", "score", "jit"),
    [((1, 1), 0, False), ((2, 1), 0, False), ((3, 1), 3, False), ((4, 1), 4, True)],
)
def test_solved_boards(size: tuple[int, int], score: int, jit: bool) -> None:
    """Van der Werf and Winands 2009."""
    assert solve(Size(*size), jit) == score


@pytest.mark.stress
def test_the_solved_board_that_depends_on_the_ko_rule() -> None:
    """2x2 is 0 in Van der Werf and Winands, but Black wins by 1 under positional superko."""
    assert solve(Size(2, 2), jit=True) == 1
