"""The tree for other programs: nested JSON, or a drawing in the language of Graphviz."""

import json
from typing import Any

from tesuji.game import Game
from tesuji.search.decide import mean, ranked
from tesuji.search.tree import ROOT, SHARED, Tree


def to_json(game: Game, tree: Tree, *, widest: int | None = None, fewest: int = 1) -> str:
    """The whole tree as nested JSON objects; see `outline` for the options."""
    text = nested(outline(game, tree, ROOT, widest, fewest))
    return f'{{"game": {json.dumps(game.spec)}, "tree": {text}}}'


def nested(top: dict[str, Any]) -> str:
    """JSON of an outline of any depth: `json.dumps` would recurse."""
    parts: list[str] = []
    todo: list[dict[str, Any] | str] = [top]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        below = item.pop("children", [])
        parts.append(json.dumps(item) if not below else json.dumps(item)[:-1] + ', "children": [')
        if below:
            todo.append("]}")
        for i, child in enumerate(reversed(below)):
            if i > 0:
                todo.append(", ")
            todo.append(child)
    return "".join(parts)


def outline(game: Game, tree: Tree, root: int, widest: int | None, fewest: int) -> dict[str, Any]:
    """A node with its ``widest`` most visited children that have ``fewest`` visits or more.

    Built with a list of open nodes instead of recursion: trees can be deeper than Python's stack.
    A position that several nodes stand for has its children once, below one of them: a game
    may return to a position, and the outline must end.
    """
    top = _entry(game, tree, root)
    open_nodes = [(root, top)]
    while open_nodes:
        index, entry = open_nodes.pop()
        for child in ranked(tree, index)[:widest].tolist():
            if tree.nodes[child]["visits"] >= fewest:
                below = _entry(game, tree, child)
                entry.setdefault("children", []).append(below)
                if tree.nodes[child]["status"] != SHARED:
                    open_nodes.append((child, below))
    return top


def _entry(game: Game, tree: Tree, index: int) -> dict[str, Any]:
    visits = int(tree.nodes[index]["visits"])
    if index == ROOT:
        return {"move": None, "visits": visits, "value": None}
    text = game.move_text(int(tree.nodes[index]["move"]))
    return {"move": text, "visits": visits, "value": mean(tree, index)}


def to_dot(game: Game, tree: Tree, *, widest: int = 3, fewest: int = 2) -> str:
    """A drawing for ``dot -Tsvg``: the ``widest`` most visited children of each node."""
    lines = ["digraph tree {", "  node [shape=box, fontname=monospace];"]
    open_nodes = [(outline(game, tree, ROOT, widest, fewest), "")]
    number = 0
    while open_nodes:
        entry, parent = open_nodes.pop()
        name = f"n{number}"
        number += 1
        value = "" if entry["value"] is None else f"\\n{entry['value']:.1%}"
        lines.append(f'  {name} [label="{entry["move"] or game.spec}\\n{entry["visits"]}{value}"];')
        if parent:
            lines.append(f"  {parent} -> {name};")
        open_nodes.extend((child, name) for child in reversed(entry.get("children", [])))
    return "\n".join([*lines, "}", ""])
