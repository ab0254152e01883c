"""A simulation as a value: one record with everything that one pass of the four steps knows.

State, path, trace and rewards lie in the record, and what parts declare for it; the random state
stays with whoever runs it, or a copy would play the same playout twice.  Who has several at hand
holds an array of them: virtual threads a ring, a helper its own.  `copy_beginning` takes over what
is used of another one, the state and the moves so far, never the whole record.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.game import Game, Playout
from tesuji.search.part import MOVERS as NEEDS_MOVERS
from tesuji.search.part import STATE, Config, Field, Part
from tesuji.search.tree import ROOT, Ref

hooks = Slot("hooks")
MOVERS = Slot("MOVERS")


def simulation_dtype(game: Game, config: Config, used: list[Part]) -> np.dtype[Any]:
    """The record of a simulation with what the parts in use keep in it."""
    longest = game.max_length + 1
    fields: list[Any] = [
        ("state", game.state),  # of the position that it has come to
        ("depth", np.uint32),  # moves in the tree so far; unsigned, as indices are faster so
        ("counted", np.uint32),  # nodes of the path that count it while it is in flight
        ("begun", np.uint32),  # moves before the playout
        ("length", np.int64, 1),  # moves so far, those of the playout included
        ("rewards", np.float64, game.players),
        ("gains", np.int64, game.players),  # the same in units of the tree
    ]
    fields += [(part.name, _record(part.simulation, game, config)) for part in used]
    fields += [
        ("path", Ref, longest + 1),  # its nodes, the root first
        ("chooser", np.uint8, longest + 1),  # who chose the move into each of them
        ("trace", np.int32, longest),  # all moves
    ]
    if NEEDS_MOVERS in config.needs:
        fields.append(("movers", np.int8, longest))  # who made them
    return np.dtype(fields, align=True)


def _record(declared: tuple[Field, ...], game: Game, config: Config) -> np.dtype[Any]:
    fields = []
    for field in declared:
        kind = game.state if field.kind is STATE else field.kind
        shape = () if field.shape is None else field.shape(game, config)
        fields.append((field.name, kind, shape))
    return np.dtype(fields, align=True)


@inlined
def begin(sim: Any, own: Any) -> None:
    """Kernel: start at the root, and forget what belongs to the simulation before."""
    sim.state = own.root[0]
    sim.path[0] = ROOT
    sim.depth = 0
    hooks.begin(sim, own)


@inlined
def take_up(tree: Any, sim: Any, own: Any, params: Any) -> None:
    """Kernel: go on with a simulation that has made its first moves elsewhere, or before others.

    Parts find out again what they know of these moves, by the tree as it is now.
    """
    hooks.begin(sim, own)
    hooks.taken_up(tree, sim, own, params)
    sim.length[0] = sim.depth


@inlined
def copy_beginning(sim: Any, other: Any) -> None:
    """Kernel: stand where another simulation stands: its state, and its moves in the tree."""
    depth = other.depth
    sim.state = other.state
    sim.depth = depth
    for i in range(depth + 1):
        sim.path[i] = other.path[i]
        sim.chooser[i] = other.chooser[i]
    for i in range(depth):
        sim.trace[i] = other.trace[i]
        if MOVERS:
            sim.movers[i] = other.movers[i]


@inlined
def playout_of(sim: Any, own: Any) -> Any:
    """Kernel: what a game's policies and knowledge get."""
    return Playout(own.moves, sim.trace, sim.length, own.weights, own.scratch)
