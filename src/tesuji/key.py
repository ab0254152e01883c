"""Keys: 64 bits that name a position, the same in every process and on every machine.

The *exact* key is the game's ``hash``, or else one of the fields of its state.  The key of a
position is the least exact key of all its images under the game's symmetries, itself among them, so
that images of one another have the same.  An image is found by playing the image of every move from
the image of where the moves began: no game has to say how its record is turned.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.compile import Slot, specialise
from tesuji.compile.plain import interpret
from tesuji.facets import Symmetry
from tesuji.game import Game
from tesuji.text import rearranged, start_of

rules = Slot("rules")
HASHED = Slot("HASHED")

BYTES = 8  # of a key

State = npt.NDArray[Any]  # an array of one record


class Named(NamedTuple):
    """The key of a position, and how it is found there."""

    key: int
    symmetry: Symmetry | None  #: which image has this exact key; None: the position itself


def exact_key(game: Game, state: State) -> int:
    """What tells a state from all others, its images included."""
    if game.hash is None:
        return _key_of_fields(state[0])
    return int(interpret(_hash)(game.hash, state)) % 2**64


def named(game: Game, origin: State, line: Sequence[int], state: State, jit: bool) -> Named:
    """The key of the position ``state`` that some moves lead to from ``origin``."""
    images = _origins(game, origin)
    if not images:
        return Named(exact_key(game, state), None)
    states = np.zeros(1 + len(images), game.state)
    moves = np.zeros((1 + len(images), len(line)), np.int32)
    keys = np.zeros(1 + len(images), np.uint64)
    states[0], moves[0] = origin[0], line
    for i, (symmetry, image) in enumerate(images, 1):
        states[i], moves[i] = image[0], [symmetry.move(move) for move in line]
    _retracer(game, jit)(states, moves, keys)
    if game.hash is None:
        keys[:] = [_key_of_fields(image) for image in states]
    best = int(keys.argmin())
    return Named(int(keys[best]), images[best - 1][0] if best else None)


def retrace(states: Any, moves: Any, keys: Any) -> None:
    """Kernel: play a row of moves on each state, and take its hash."""
    for i in range(len(states)):
        for j in range(moves.shape[1]):
            rules.play(states[i], moves[i, j])
        if HASHED:
            keys[i] = rules.hash(states[i])


@lru_cache(maxsize=64)
def _retracer(game: Game, jit: bool) -> Any:
    bindings = {**game.bindings, "HASHED": game.hash is not None}
    return specialise(retrace, bindings, label=f"keys of {game.name}", jit=jit)


def _origins(game: Game, origin: State) -> list[tuple[Symmetry, State]]:
    """The images of where moves began: the start is its own, a set-up is set up anew.

    None of a state that cannot be set up: its key is the exact one.
    """
    if not game.symmetries:
        return []
    if exact_key(game, origin) == _key_of_start(game):
        return [(symmetry, origin) for symmetry in game.symmetries]
    same = rearranged(game, origin, None)
    if same is None or exact_key(game, same) != exact_key(game, origin):
        return []
    images = [(symmetry, rearranged(game, origin, symmetry)) for symmetry in game.symmetries]
    return [(symmetry, image) for symmetry, image in images if image is not None]


@lru_cache(maxsize=64)
def _key_of_start(game: Game) -> int:
    return exact_key(game, start_of(game))


def _hash(kernel: Any, states: Any) -> Any:
    return kernel(states[0])


def _key_of_fields(record: Any) -> int:
    """A digest of the fields in their order, without the gaps between them."""
    digest = hashlib.blake2b(digest_size=BYTES)
    _add_fields(digest, np.asarray(record))
    return int.from_bytes(digest.digest(), "little")


def _add_fields(digest: Any, values: npt.NDArray[Any]) -> None:
    if values.dtype.names is None:
        digest.update(values.astype(values.dtype.newbyteorder("<")).tobytes())
    for name in values.dtype.names or ():
        _add_fields(digest, values[name])
