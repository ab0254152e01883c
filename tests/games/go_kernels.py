"""The kernels of Go one by one, uncompiled, on diagrams and on random games."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from checks import game
from go_reference import Point, Reference, text
from tesuji.compile.plain import interpret, view
from tesuji.game import Kernel, Playout, Size, make_playout
from tesuji.games.go.board import Board, make_board
from tesuji.games.go.rules import legality, playing
from tesuji.games.go.sequence import watching
from tesuji.games.go.setup import from_diagram
from tesuji.games.go.tactics import LADDER, Tactics, reading
from tesuji.position import Position


class Kernels(NamedTuple):
    """Kernels for one size of board."""

    board: Board
    legal: Kernel
    play: Kernel
    read: Tactics
    watch: Kernel


@cache
def kernels(size: int) -> Kernels:
    board = make_board(Size(size, size))
    legal, play = legality(board), playing(board)
    read = reading(board, legality(board, suicide=False), play)
    read = Tactics(*map(interpret, read))
    return Kernels(board, legal, interpret(play), read, interpret(watching(board, read)))


def position_of(diagram: str, mover: str = "X", moves: str = "") -> Position:
    """A diagram with the player to move, and moves from there."""
    size = len(diagram.strip().split("\n"))
    position = from_diagram(game(f"go:size={size}"), diagram, mover="XO".index(mover))
    return Position(position.game, position.state, jit=False).play(*moves.split())


def record(position: Position) -> Any:
    """A copy of the state, as uncompiled kernels see it."""
    return view(position.state.copy())[0]


def scratch_of(position: Position) -> Any:
    return view(np.zeros(LADDER, position.game.state))


def playout_of(position: Position, weights: str = "", **changed: float) -> Playout:
    """What policies get, with some of the weights changed."""
    playout = make_playout(position.game, 1, weights)
    own = playout.weights.copy()
    for key, value in changed.items():
        own[key] = value
    return playout._replace(weights=own)


class Step(NamedTuple):
    """A position of a random game, in both programs."""

    state: Any
    slow: Reference


def random_steps(size: int, plies: int, seed: int) -> Iterator[Step]:
    """A game of random moves that fill no eyes, so that boards get full and stones are captured."""
    rng = Random(seed)
    state = record(Position.start(game(f"go:size={size}"), jit=False))
    slow = Reference(size, size)
    for _ in range(plies):
        yield Step(state, slow)
        points = [p for p in slow.legal()[:-1] if p is not None and not slow.is_eye(p)]
        point = rng.choice(points) if points else None
        kernels(size).play(state, vertex_of(size, point))
        slow.play(point)


def vertex_of(size: int, point: Point | None) -> int:
    return int(game(f"go:size={size}").parse_move(text(point)))


def chains_of(slow: Reference) -> list[set[Point]]:
    found: list[set[Point]] = []
    for point in slow.stones:
        if not any(point in chain for chain in found):
            found.append(slow.region(slow.stones, point))
    return found


def liberties_of(slow: Reference, stones: dict[Point, int], chain: set[Point]) -> set[Point]:
    beside = {near for point in chain for near in slow.beside(point)}
    return {near for near in beside if near not in stones}
