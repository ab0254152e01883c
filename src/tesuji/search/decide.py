"""Which move to play, and what the search found out.

The final move is the *robust child*: most visits, then the higher value, then the smaller move
code, so that the same tree always gives the same answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tesuji.compile.plain import view
from tesuji.game import Game
from tesuji.search.tree import FORBIDDEN, ROOT, SCALE, Tree, next_child, used_bytes


@dataclass(frozen=True)
class Child:
    """One move that was searched."""

    move: int
    text: str
    visits: int
    value: float  #: mean reward of the player who makes the move


@dataclass(frozen=True)
class Decision:
    """What a search found."""

    game: str  #: the game with its parameters
    move: int  #: the move to play
    text: str  #: the same as people write it
    value: float  #: its mean reward, seen by the player to move
    visits: int  #: simulations that went through it
    children: tuple[Child, ...]  #: all moves that were tried, best first
    line: tuple[str, ...]  #: main line: the best move, the best answer, ...
    simulations: int  #: of this search
    seconds: float
    nodes: int  #: visited nodes of the tree, root included
    depth: int  #: longest path from the root
    bytes: int  #: of the tree's records in use
    seed: int

    def to_json(self) -> dict[str, Any]:
        """Plain data, moves as text."""
        children = [{"move": c.text, "visits": c.visits, "value": c.value} for c in self.children]
        return {
            "game": self.game,
            "move": self.text,
            "value": self.value,
            "visits": self.visits,
            "simulations": self.simulations,
            "seconds": self.seconds,
            "children": children,
            "pv": list(self.line),
            "nodes": self.nodes,
            "depth": self.depth,
            "bytes": self.bytes,
            "seed": self.seed,
        }

    def __str__(self) -> str:
        rows = [f"{c.text:>8} {c.visits:>10,} {c.value:>7.1%}" for c in self.children[:5]]
        rate = self.simulations / self.seconds if self.seconds > 0 else 0.0
        head = f"{'move':>8} {'visits':>10} {'value':>7}"
        tail = f"main line: {' '.join(self.line)}"
        speed = f"{self.simulations:,} simulations in {self.seconds:.2f} s ({rate:,.0f}/s)"
        return "\n".join([head, *rows, tail, f"{speed}, {self.nodes:,} nodes"])


def children(tree: Tree, parent: int) -> Iterator[int]:
    """The visited children of a node, in the order in which they were tried."""
    node = tree.nodes[parent]
    plain = view(tree)
    child = int(node["first"])
    for n in range(int(node["tried"])):
        if n > 0:
            child = int(next_child(plain, child, n))
        record = tree.nodes[child]
        if record["visits"] > 0 and record["status"] != FORBIDDEN:
            yield child


def mean(tree: Tree, index: int) -> float:
    """A node's value: the mean reward of whoever chose the move into it."""
    node = tree.nodes[index]
    return float(node["value"]) / SCALE / max(int(node["visits"]), 1)


def ranked(tree: Tree, parent: int) -> list[int]:
    """The visited children of a node, the robust child first."""

    def rank(child: int) -> tuple[int, float, int]:
        node = tree.nodes[child]
        return (-int(node["visits"]), -mean(tree, child), int(node["move"]))

    return sorted(children(tree, parent), key=rank)


def main_line(tree: Tree, most: int = 12) -> list[int]:
    """The moves from the root along robust children."""
    moves: list[int] = []
    index = ROOT
    while len(moves) < most:
        below = ranked(tree, index)
        if not below:
            break
        index = below[0]
        moves.append(int(tree.nodes[index]["move"]))
    return moves


def decide(of: Game, tree: Tree, *, simulations: int, seconds: float, seed: int) -> Decision:
    """Read the decision off a tree."""
    found = [
        Child(
            move=int(tree.nodes[i]["move"]),
            text=of.move_text(int(tree.nodes[i]["move"])),
            visits=int(tree.nodes[i]["visits"]),
            value=mean(tree, i),
        )
        for i in ranked(tree, ROOT)
    ]
    best = found[0]
    return Decision(
        game=of.spec,
        move=best.move,
        text=best.text,
        value=best.value,
        visits=best.visits,
        children=tuple(found),
        line=tuple(of.move_text(move) for move in main_line(tree)),
        simulations=simulations,
        seconds=seconds,
        nodes=visited(tree),
        depth=int(tree.meta[0]["depth"]),
        bytes=used_bytes(tree),
        seed=seed,
    )


def visited(tree: Tree) -> int:
    """How many nodes have been visited."""
    return int((tree.nodes["visits"][: tree.meta[0]["top"]] > 0).sum())
