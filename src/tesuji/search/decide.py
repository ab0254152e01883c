"""Which move to play, and what the search found out.

The final move is, by the setting ``final`` (Chaslot 2010, section 3.2.5):

==============  ==========================================================================
``robust``      the most visited child, then the higher value
``max``         the child with the highest value, then more visits
``robust-max``  the child that is both; the search goes on for a while until there is one
``secure``      the child with the highest lower bound ``v - a / sqrt(n)``
==============  ==========================================================================

A move that is proven to be best comes first, and one that is proven to be worse than another comes
last, whatever the averages say (`solver`).

What is still equal falls to the child that was tried first.  Children are tried in random order, so
ties fall on no part of the board more often than on another; after few simulations there are many.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.game import Game
from tesuji.search.tree import FORBIDDEN, NONE, ROOT, SCALE, SHARED, Tree, used_bytes

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Child:
    """One move that was searched."""

    move: int
    text: str
    visits: int
    value: float  #: mean reward of the player who makes the move
    proven: float | None = None  #: his reward if the solver is certain of it


@dataclass(frozen=True)
class Decision:
    """What a search found."""

    game: str  #: the game with its parameters
    move: int  #: the move to play
    text: str  #: the same as people write it
    value: float  #: its mean reward, seen by the player to move
    visits: int  #: simulations that went through it
    line: tuple[str, ...]  #: main line: the best move, the best answer, ...
    simulations: int  #: of this search
    seconds: float
    nodes: int  #: visited nodes of the tree, root included
    depth: int  #: longest path from the root
    bytes: int  #: of the tree's records in use
    seed: int
    proven: float | None  #: the reward of the player to move, if the solver is certain of it
    best_score: float | None  #: of the best finished game that was seen, if there is one player
    best_line: tuple[str, ...] | None  #: its moves from here on
    _game: Game = field(repr=False, compare=False)
    _records: npt.NDArray[Any] = field(repr=False, compare=False)
    _proofs: list[float | None] = field(repr=False, compare=False)

    @cached_property
    def children(self) -> tuple[Child, ...]:
        """All moves that were tried, the best first.  Made on demand: there may be thousands."""
        return tuple(
            Child(move, self._game.move_text(move), visits, value / SCALE / visits, proof)
            for (move, visits, value), proof in zip(
                self._records[["move", "visits", "value"]].tolist(), self._proofs, strict=True
            )
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data, moves as text."""
        return {
            "game": self.game,
            "move": self.text,
            "value": self.value,
            "visits": self.visits,
            "simulations": self.simulations,
            "seconds": self.seconds,
            "proven": self.proven,
            "children": [
                {"move": c.text, "visits": c.visits, "value": c.value, "proven": c.proven}
                for c in self.children
            ],
            "pv": list(self.line),
            "nodes": self.nodes,
            "depth": self.depth,
            "bytes": self.bytes,
            "seed": self.seed,
            "best_score": self.best_score,
            "best_line": None if self.best_line is None else list(self.best_line),
        }

    def __str__(self) -> str:
        rows = [
            f"{c.text:>8} {c.visits:>10,} {c.value:>7.1%}  {proof_text(c.proven)}".rstrip()
            for c in self.children[:5]
        ]
        rate = self.simulations / self.seconds if self.seconds > 0 else 0.0
        head = f"{'move':>8} {'visits':>10} {'value':>7}"
        tail = f"main line: {' '.join(self.line)}"
        speed = f"{self.simulations:,} simulations in {self.seconds:.2f} s ({rate:,.0f}/s)"
        best = [self.best_text] if self.best_line else []
        return "\n".join([head, *rows, tail, *best, f"{speed}, {self.nodes:,} nodes"])

    @property
    def best_text(self) -> str:
        """The best finished game in words, if there is one."""
        if self.best_line is None:
            return ""
        return f"best line: {self.best_score:g} with {' '.join(self.best_line)}"


def proof_text(proven: float | None) -> str:
    """A proof in words."""
    if proven is None:
        return ""
    return f"{OUTCOMES.get(proven, f'{proven:.3f}')}, proven"


OUTCOMES = {0.0: "loss", 0.5: "draw", 1.0: "win"}


def records(tree: Tree, parent: int) -> npt.NDArray[np.int64]:
    """The children of a node that have records, in the order in which they were tried."""
    nodes = tree.nodes
    parent = positions(tree, np.array([parent]))[0]
    tried = int(nodes[parent]["tried"])
    blocks = []
    block, done, size = int(nodes[parent]["first"]), 0, 1
    while done < tried and block != NONE:
        blocks.append(np.arange(block, block + min(size, tried - done)))
        done += size
        size = done
        block = int(nodes[block]["next"])
    return np.concatenate(blocks) if blocks else np.zeros(0, np.int64)


def children(tree: Tree, parent: int) -> npt.NDArray[np.int64]:
    """The visited children of a node, in the order in which they were tried."""
    nodes = tree.nodes
    found = records(tree, parent)
    return found[(nodes["visits"][found] > 0) & (nodes["status"][found] != FORBIDDEN)]


def positions(tree: Tree, indices: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The nodes that have the children and the proofs: themselves, or their canonical nodes."""
    if "canonical" not in (tree.nodes.dtype.names or ()):
        return indices
    nodes = tree.nodes[indices]
    return np.where(nodes["status"] == SHARED, nodes["canonical"].astype(np.int64), indices)


def bounds(tree: Tree, parent: int, found: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """What is sure, and what can be hoped for, by the player to move, of each child."""
    if "lower" not in (tree.nodes.dtype.names or ()):
        return np.zeros(len(found)), np.ones(len(found))
    nodes = tree.nodes[positions(tree, found)]
    lower, upper = nodes["lower"].astype(np.float64), nodes["upper"].astype(np.float64)
    return (lower, upper) if tree.nodes[parent]["mover"] == 0 else (1 - upper, 1 - lower)


def proofs(sure: Floats, hope: Floats) -> list[float | None]:
    """The rewards that are certain."""
    return [float(a) if a == b else None for a, b in zip(sure, hope, strict=True)]


def mean(tree: Tree, index: int) -> float:
    """A node's value: the mean reward of whoever chose the move into it."""
    node = tree.nodes[index]
    return float(node["value"]) / SCALE / max(int(node["visits"]), 1)


def secure_bound(value: Floats, visits: Floats, a: float) -> Floats:
    """A lower bound of a child's value."""
    return value - a / np.sqrt(visits)


#: what ranks the children, from value and visits: the first key decides, then the second
FINALS: dict[str, Callable[[Floats, Floats, float], tuple[Floats, Floats]]] = {
    "robust": lambda value, visits, a: (visits, value),
    "max": lambda value, visits, a: (value, visits),
    "robust-max": lambda value, visits, a: (visits, value),
    "secure": lambda value, visits, a: (secure_bound(value, visits, a), visits),
}


def ranked(
    tree: Tree,
    parent: int,
    final: str = "robust",
    a: float = 0.0,
    survivors: npt.NDArray[np.int64] | None = None,
) -> npt.NDArray[np.int64]:
    """The visited children of a node, the one to play first.

    What halving has ranked comes in its order: ``survivors``, the best first.  What it has not, the
    rule of ``final`` ranks: without survivors all moves lose, and the one that took the most visits
    to refute is played.
    """
    found = children(tree, parent)
    nodes = tree.nodes[found]
    visits = nodes["visits"].astype(np.float64)
    first, second = FINALS[final](nodes["value"] / SCALE / visits, visits, a)
    place = np.zeros(len(found))
    if survivors is not None:
        places = {int(index): n for n, index in enumerate(survivors)}
        place[:] = [places.get(int(index), len(places)) for index in found]
    sure, hope = bounds(tree, parent, found)
    best = sure >= hope.max(initial=0)
    worse = (hope < sure.max(initial=0)) | (hope == 0)
    return found[np.lexsort((-second, -first, place, worse, ~best))]


def agreed(tree: Tree) -> bool:
    """Is the most visited child of the root also the one with the highest value?"""
    nodes = tree.nodes[ranked(tree, ROOT)]
    values = nodes["value"] / nodes["visits"]
    return bool(values[0] == values.max())


def main_line(tree: Tree, child: int, most: int = 12) -> list[int]:
    """The moves from a child of the root on, along robust children."""
    moves = [int(tree.nodes[child]["move"])]
    while len(moves) < most:
        below = ranked(tree, child)
        if len(below) == 0:
            break
        child = int(below[0])
        moves.append(int(tree.nodes[child]["move"]))
    return moves


def decide(
    game: Game,
    tree: Tree,
    *,
    final: str,
    secure: float,
    simulations: int,
    seconds: float,
    seed: int,
    survivors: npt.NDArray[np.int64] | None = None,
    finished: tuple[float, list[int]] | None = None,
) -> Decision:
    """Read the decision off a tree; ``finished`` is the best line, if there is one."""
    order = ranked(tree, ROOT, final, secure, survivors)
    found = tree.nodes[order]
    certain = proofs(*bounds(tree, ROOT, order))
    line = tuple(map(game.move_text, main_line(tree, int(order[0]))))
    best = found[0]
    return Decision(
        game=game.spec,
        move=int(best["move"]),
        text=line[0],
        value=float(best["value"]) / SCALE / int(best["visits"]),
        visits=int(best["visits"]),
        line=line,
        simulations=simulations,
        seconds=seconds,
        nodes=visited(tree),
        depth=int(tree.meta[0]["depth"]),
        bytes=used_bytes(tree),
        seed=seed,
        proven=_root_proof(tree),
        best_score=None if finished is None else finished[0],
        best_line=None if finished is None else tuple(map(game.move_text, finished[1])),
        _game=game,
        _records=found,
        _proofs=certain,
    )


@dataclass(frozen=True)
class Variation:
    """A move that was searched, and how the game would go on."""

    child: Child
    line: tuple[str, ...]  #: the move, the best answer, ...
    prior: float | None  #: its share of what knowledge says of all moves, if the method has any
    amaf: float | None  #: its AMAF value, if the method has any


def variations(game: Game, tree: Tree, order: npt.NDArray[np.int64]) -> list[Variation]:
    """What the tree says of some children of the root, given by their indices."""
    names = tree.nodes.dtype.names or ()
    certain = proofs(*bounds(tree, ROOT, order))
    priors = tree.nodes["prior"][records(tree, ROOT)].sum() if "prior" in names else 0.0
    found = []
    for index, proof in zip(order.tolist(), certain, strict=True):
        node = tree.nodes[index]
        line = tuple(map(game.move_text, main_line(tree, index)))
        child = Child(int(node["move"]), line[0], int(node["visits"]), mean(tree, index), proof)
        prior = float(node["prior"] / priors) if priors > 0 else None
        found.append(Variation(child, line, prior, _amaf(node) if "amaf_value" in names else None))
    return found


def _amaf(node: Any) -> float | None:
    """The AMAF value of a child."""
    visits = int(node["amaf_visits"])
    return float(node["amaf_value"]) / SCALE / visits if visits else None


def _root_proof(tree: Tree) -> float | None:
    """The reward of the player to move at the root, if it is certain."""
    if "lower" not in (tree.nodes.dtype.names or ()):
        return None
    root = tree.nodes[ROOT]
    sure = float(root["lower"]) if root["mover"] == 0 else 1 - float(root["lower"])
    return sure if root["lower"] == root["upper"] else None


def visited(tree: Tree) -> int:
    """How many nodes have been visited."""
    return int(np.count_nonzero(tree.nodes["visits"][: tree.meta[0]["top"]]))
