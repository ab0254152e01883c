"""Is a tree whole?  What must hold of every node after a search with any number of threads."""

from collections import Counter

import numpy as np

from tesuji.search.decide import records
from tesuji.search.tree import BUSY, FORBIDDEN, GROWING, ROOT, SCALE, SHARED


def check_whole(tree, players=2):
    """Visits and values are conserved, every record has one parent, nobody holds anything."""
    top = int(tree.meta[0]["top"])
    assert 0 < top <= len(tree.nodes)
    assert not tree.meta[0]["lock"]
    if "proving" in tree.meta.dtype.names:
        assert not tree.meta[0]["proving"]
    nodes = tree.nodes[:top]
    assert not np.isin(nodes["status"], [BUSY, GROWING]).any()
    if "lock" in nodes.dtype.names:
        assert not nodes["lock"].any()
    assert (nodes["visits"] >= 0).all()
    seen = check_below(tree, players)
    assert max(seen) < top
    assert set(seen.values()) == {1}


def check_below(tree, players):
    """Every node of the tree against its children; how often each record was met."""
    seen = Counter([ROOT])
    queue = [ROOT]
    while queue:
        index = queue.pop()
        node = tree.nodes[index]
        if node["status"] == SHARED:  # its canonical node has the children, which are met there
            assert tree.nodes[node["canonical"]]["hash"] == node["hash"]
            continue
        assert node["tried"] <= node["count"]
        below = records(tree, index)
        assert len(below) == node["tried"]
        seen.update(below.tolist())
        queue.extend(below.tolist())
        check_counts(tree, node, below, players, index == ROOT)
    return seen


def check_counts(tree, node, below, players, root):
    """Simulations end in a node or go on to a child; their rewards go the same way."""
    visits = tree.nodes["visits"][below]
    assert len(set(tree.nodes["move"][below].tolist())) == len(below)
    assert (tree.nodes["status"][below[visits > 0]] != FORBIDDEN).all()
    if "selections" in tree.nodes.dtype.names:
        return  # the children count simulations of all nodes that share them
    ended = int(node["visits"]) - int(visits.sum())
    assert ended >= 0
    value = tree.nodes["value"][below]
    assert (value >= 0).all()
    assert (value <= visits.astype(np.int64) * SCALE).all()
    if players == 2 and not root and node["mover"] >= 0 and node["visits"] > 0:
        gained = int((visits.astype(np.int64) * SCALE - value).sum())
        assert gained <= int(node["value"]) <= gained + ended * SCALE or alike(tree, node, below)


def alike(tree, node, below):
    """Did the same player choose the move into this node and the next one?"""
    return bool(len(below)) and int(tree.nodes["value"][below].sum()) <= int(node["value"])
