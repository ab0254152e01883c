"""Checks that every game must pass; each game's test file calls them for its own specs."""

import random
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from tesuji.compile import Slot, specialise, stream
from tesuji.compile.plain import view
from tesuji.facets import NOBODY, Symmetry
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


# --- facets --------------------------------------------------------------------------------------


def moved(symmetry: Symmetry, contents: Sequence[int]) -> tuple[int, ...]:
    """Contents after a symmetry: what stood on a cell stands where the cell goes."""
    image = [0] * len(contents)
    for cell, what in enumerate(contents):
        image[symmetry.cells[cell]] = what
    return tuple(image)


def bare(position: Position) -> Position:
    """The same state without a past, so that nothing is forbidden by it; compiled if that was."""
    return Position(position.game, position.state, jit=position._jit)


def look(position: Position) -> tuple[Any, ...]:
    """What can be seen of a state."""
    return str(position), position.mover, position.rewards, tuple(sorted(bare(position).moves))


def check_clicks(spec: str, games: int = 2) -> None:
    """In every position each legal move has its own clicks, and none begin with those of another.

    What stands on a cell changes only if it is the same board that the drawing shows.
    """
    board = game(spec).board
    assert board is not None
    for seed in range(games):
        for position in random_game(spec, seed):
            assert len(position.contents) == len(board.cells)
            assert all(0 <= what <= len(board.pieces) for what in position.contents)
            paths = [path for move in position.moves if (path := position.clicks(move))]
            starts = {path[:n] for path in paths for n in range(1, len(path))}
            assert len(set(paths)) == len(paths)
            assert not starts & set(paths)
            assert len(paths) >= len(position.moves) - 2  # a pass and a swap have none


def check_drawing(spec: str, games: int = 2) -> None:
    """The drawing paints as many symbols for each player as pieces of his stand on the board."""
    board = game(spec).board
    assert board is not None
    for seed in range(games):
        for position in random_game(spec, seed):
            text = position.game.draw(view(position.state)[0], lambda _, player: chr(1000 + player))
            for player in {piece.player for piece in board.pieces} - {NOBODY}:
                kinds = [k for k, piece in enumerate(board.pieces, 1) if piece.player == player]
                assert text.count(chr(1000 + player)) == sum(map(position.contents.count, kinds))


def check_symmetries(spec: str, games: int = 2) -> None:
    """A game and its image under each symmetry: the same moves are legal, the same player wins."""
    for symmetry in game(spec).symmetries:
        for seed in range(games):
            image = Position.start(game(spec))
            for position in random_game(spec, seed):
                if position.move is not None:
                    image = image.play(symmetry.move(position.move))
                assert {symmetry.move(move) for move in position.moves} == set(image.moves)
                assert (image.mover, image.rewards) == (position.mover, position.rewards)
                assert image.contents == moved(symmetry, position.contents)
            assert image.key == position.key


def check_text(spec: str, games: int = 2) -> None:
    """Positions are read as they are written, with everything that can be seen of them."""
    for seed in range(games):
        for position in random_game(spec, seed):
            back = Position.parse(game(spec), position.text)
            assert look(back) == look(position)
            assert (back.exact_key, back.key) == (position.exact_key, position.key)
            again = Position.parse(game(spec), position.line_text)
            assert (again.line, again.moves) == (position.line, position.moves)


def every_position(spec: str, *, jit: bool, most: int = 20_000) -> list[Position]:
    """A position for each look that moves lead to, by the shortest way."""
    start = Position.start(game(spec), jit=jit)
    found, waiting = {look(start): start}, deque([start])
    while waiting:
        position = waiting.popleft()
        for move in position.moves:
            after = position.play(move)
            if found.setdefault(look(after), after) is after:
                waiting.append(after)
        assert len(found) <= most
    return list(found.values())


def check_keys(spec: str, *, jit: bool = False) -> tuple[int, int]:
    """All positions of a small board: how many there are, and how many apart from symmetry.

    Exact keys tell all looks apart.  Keys do so for looks that no symmetry maps on each other, by
    what stands on the board, and are the same for those that one does.
    """
    positions = every_position(spec, jit=jit)
    exact = [position.exact_key for position in positions]
    assert len(set(exact)) == len(positions)
    classes: dict[tuple[Any, ...], int] = {}
    for position in positions:
        symmetries = game(spec).symmetries
        images = [position.contents, *(moved(s, position.contents) for s in symmetries)]
        rest = (position.mover, position.rewards, len(bare(position).moves))
        assert classes.setdefault((min(images), *rest), position.key) == position.key
    assert len(set(classes.values())) == len(classes)
    return len(positions), len(classes)
