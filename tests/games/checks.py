"""Checks that every game must pass; each game's test file calls them for its own specs."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from tesuji.compile import Slot, specialise, stream
from tesuji.compile.plain import view
from tesuji.game import Game, make_playout
from tesuji.games import load
from tesuji.position import Position

policy = Slot("policy")


@cache
def game(spec: str) -> Game:
    """Loaded once, so that it is compiled once."""
    return load(spec)


def after(spec: str, moves: str = "") -> Position:
    """The position after moves that are written with blanks in between."""
    return Position.start(game(spec)).play(*moves.split())


def random_game(spec: str, seed: int) -> Iterator[Position]:
    """All positions of one random game, the last one included."""
    rng = random.Random(seed)
    position = Position.start(game(spec))
    yield position
    while not position.over:
        position = position.play(rng.choice(position.moves))
        yield position


def hash_of(position: Position) -> int:
    with np.errstate(over="ignore"):  # as compiled code does
        return int(position.game.hash(view(position.state)[0]))


def check_notation(spec: str, games: int = 3) -> None:
    """Each legal move is read as it is written, and two moves are never written alike."""
    for seed in range(games):
        for position in random_game(spec, seed):
            texts = [position.move_text(move) for move in position.moves]
            assert len(set(texts)) == len(texts)
            assert [position.parse_move(text) for text in texts] == list(position.moves)


def check_uncompiled(spec: str, games: int = 2) -> None:
    """Interpreted kernels do the same as compiled ones, in every field of the state."""
    for seed in range(games):
        plain = Position.start(game(spec), jit=False)
        for position in random_game(spec, seed):
            if position.move is not None:
                plain = plain.play(position.move)
            assert plain.moves == position.moves
            assert plain.mover == position.mover
            assert plain.rewards == position.rewards
            for name in game(spec).state.names or ():
                assert np.array_equal(plain.state[name], position.state[name]), name


def check_uniform(position: Position, draws: int = 20_000) -> None:
    """The game's own uniform policy: a chi-square test at five standard deviations."""
    drawn = Counter(draw(position, draws))
    assert set(drawn) <= set(position.moves)
    expected = draws / len(position.moves)
    square = sum((drawn[move] - expected) ** 2 / expected for move in position.moves)
    freedom = len(position.moves) - 1
    assert square <= freedom + 5 * (2 * freedom) ** 0.5, drawn


def draw(position: Position, draws: int) -> list[int]:
    """Moves that the game's uniform policy chooses in one position."""
    of = position.game
    kernel = specialise(
        draw_many,
        {**of.bindings, "policy": {"choose": of.policies["uniform"]}},
        label=f"draws of {of.name}",
    )
    playout = make_playout(of, 1)
    out = np.zeros(draws, np.int64)
    kernel(position.state.copy(), playout, stream(1, "draws"), out)
    return out.tolist()


def draw_many(states: Any, playout: Any, rng: Any, out: Any) -> None:
    """Kernel: fill ``out`` with moves chosen in the same position."""
    for i in range(len(out)):
        out[i] = policy.choose(states[0], playout, rng)
