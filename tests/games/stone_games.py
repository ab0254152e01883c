"""What the tests of AtariGo, NoGo and Pentalath share: slow rules and random games."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tesuji.compile import Slot, specialise, stream
from tesuji.compile.plain import view
from tesuji.game import Game, make_playout
from tesuji.games import load
from tesuji.position import Position

rules = Slot("rules")
policy = Slot("policy")

Neighbours = list[list[int]]


@cache
def made(spec: str) -> Game:
    """Loaded once, so that it is compiled once."""
    return load(spec)


def begin(spec: str, moves: str = "", **options: Any) -> Position:
    return Position.start(made(spec), **options).play(*moves.split())


# --- the rules again, slow and simple


def grid(width: int, height: int) -> Neighbours:
    points = [(x, y) for y in range(height) for x in range(width)]
    return [[v * width + u for u, v in points if abs(u - x) + abs(v - y) == 1] for x, y in points]


def chain(board: list[int], point: int, near: Neighbours) -> tuple[set[int], set[int]]:
    """The stones and the liberties of the chain on a point."""
    stones, liberties, todo = {point}, set(), [point]
    while todo:
        for beside in near[todo.pop()]:
            if board[beside] == 0:
                liberties.add(beside)
            elif board[beside] == board[point] and beside not in stones:
                stones.add(beside)
                todo.append(beside)
    return stones, liberties


def after(board: list[int], point: int, stone: int, near: Neighbours) -> tuple[list[int], int]:
    """The board with one more stone, before any capture, and how many chains lose their liberties.

    The count is negative for suicide.
    """
    filled = board.copy()
    filled[point] = stone
    beside = {p for p in near[point] if filled[p] == 3 - stone}
    dead = {min(chain(filled, p, near)[0]) for p in beside if not chain(filled, p, near)[1]}
    suicide = not dead and not chain(filled, point, near)[1]
    return filled, -1 if suicide else len(dead)


# --- random games


def key(position: Position) -> int:
    """The position's hash."""
    assert position.game.hash is not None
    return int(position.game.hash(view(position.state)[0]))


def random_game(position: Position, seed: int) -> Iterator[Position]:
    """All positions of a random game, the last one finished (or cut off)."""
    chooser = random.Random(seed)
    yield position
    while not position.over and position.ply < position.game.max_length:
        position = position.play(chooser.choice(position.moves))
        yield position


def after_random_moves(position: Position, count: int, seed: int) -> Position:
    """A position some random moves later that is not over."""
    for attempt in range(100):
        for later in random_game(position, seed + 1000 * attempt):
            if later.ply == position.ply + count and not later.over:
                return later
    raise AssertionError("all random games end earlier")


def play_all(
    states: Any, playout: Any, rng: Any, longest: int, first: Any, length: Any, rewards: Any
) -> int:
    """Kernel: one playout for each element of ``first``; returns how many moves were legal."""
    legal = 0
    for i in range(len(first)):
        states[1] = states[0]
        state = states[1]
        plies = 0
        while plies < longest and not rules.over(state):
            legal += rules.moves(state, playout.moves)
            move = policy.next_move(state, playout, rng)
            if plies == 0:
                first[i] = move
            rules.play(state, move)
            plies += 1
        rules.rewards(state, rewards[i])
        length[i] = plies
    return legal


@dataclass
class Sample:
    """What came of some playouts."""

    first: Any  #: the first move of each
    length: Any
    won: Any  #: the first player's rewards
    branching: float  #: legal moves per position


@cache
def _sampler(of: Game) -> Callable[..., int]:
    bindings = {**of.bindings, "policy": {"next_move": of.policies["uniform"]}}
    return specialise(play_all, bindings, label=f"random {of.name}")


def sample(position: Position, count: int, longest: int = 1000) -> Sample:
    """Playouts with the game's own uniform policy."""
    of = position.game
    states = np.zeros(2, of.state)
    states[0] = position.state[0]
    playout = make_playout(of, of.max_length)
    first, length = np.zeros(count, np.int64), np.zeros(count, np.int64)
    rewards = np.zeros((count, 2))
    rng = stream(7, "playouts")
    legal = _sampler(of)(states, playout, rng, longest, first, length, rewards)
    return Sample(first, length, rewards[:, 0], legal / length.sum())


# --- checks that all three games must pass


def check_uniform(position: Position) -> None:
    """The policy plays legal moves only and each equally often (chi-square, five deviations)."""
    moves = position.moves
    count = 2000 * len(moves)
    first = sample(position, count, longest=1).first
    assert set(first.tolist()) == set(moves)
    seen = np.array([np.count_nonzero(first == move) for move in moves])
    chi_square = ((seen - count / len(moves)) ** 2 / (count / len(moves))).sum()
    freedom = len(moves) - 1
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5


def check_texts(position: Position) -> None:
    for move in position.moves:
        assert position.parse_move(position.move_text(move)) == move
        assert position.parse_move(position.move_text(move).swapcase()) == move


def check_uncompiled(start: Position, plain: Position, seed: int) -> None:
    """A random game gives the same records compiled and uncompiled."""
    for position in random_game(start, seed):
        if position.move is not None:
            plain = plain.play(position.move)
        assert plain.moves == position.moves
        assert plain.rewards == position.rewards
        for name in position.game.state.names or ():
            assert np.array_equal(plain.state[name], position.state[name]), name
