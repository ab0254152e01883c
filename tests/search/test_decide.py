"""The final move: which child each rule chooses."""

import numpy as np
import pytest

from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load
from tesuji.search.decide import FINALS, agreed, secure_bound
from tesuji.search.decide import children as children_of
from tesuji.search.tree import ROOT, SCALE

GAME = load("tictactoe")


def decided(children, **settings):
    """The child (by its index) that is played, in a tree whose root has these (v, n)."""
    searcher = Searcher(GAME, SearchConfig(**settings), seed=1, jit=False)
    searcher.search(Position.start(GAME, jit=False), Limit(9))  # each move once
    nodes = searcher.tree.nodes
    found = children_of(searcher.tree, ROOT)
    assert len(found) == 9
    for index, (v, n) in zip(found, [*children, *[(0.0, 1)] * (9 - len(children))], strict=True):
        nodes[index]["visits"] = n
        nodes[index]["value"] = round(v * n * SCALE)
    move = searcher.decision().move
    return [int(nodes[index]["move"]) for index in found].index(move)


@pytest.mark.parametrize(
    ("final", "chosen"), [("robust", 2), ("max", 1), ("robust-max", 2), ("secure", 2)]
)
def test_final_moves(final, chosen):
    """Chaslot 2010: (v, n) = (0.60, 100), (0.62, 25), (0.58, 400)."""
    assert decided([(0.60, 100), (0.62, 25), (0.58, 400)], final=final) == chosen


def test_the_lower_bound():
    """Values in [-1, 1] and a = 4: 0.20, -0.18, 0.38."""
    found = secure_bound(np.array([0.60, 0.62, 0.58]), np.array([100.0, 25.0, 400.0]), 4.0)
    assert found == pytest.approx([0.20, -0.18, 0.38])


def test_the_secure_child_can_be_neither_the_robust_nor_the_max_child():
    children = [(0.50, 400), (0.60, 250), (0.70, 10)]
    assert decided(children, final="robust") == 0
    assert decided(children, final="max") == 2
    assert decided(children, final="secure") == 1


def test_ties_fall_to_the_child_that_was_tried_first():
    for final in FINALS:
        assert decided([(0.5, 10), (0.7, 50), (0.7, 50)], final=final) == 1


def test_robust_max_goes_on_until_both_agree():
    """Some of many short searches end in disagreement; then more simulations are run."""
    start = Position.start(GAME)
    extended = 0
    for seed in range(40):
        searcher = Searcher(GAME, SearchConfig(final="robust-max", c=1.0), seed=seed)
        decision = searcher.search(start, Limit(100))
        assert 100 <= decision.simulations <= 150
        if decision.simulations > 100:
            extended += 1
        assert agreed(searcher.tree) or decision.simulations == 150
    assert extended > 0


def test_an_unknown_final_move():
    with pytest.raises(ConfigError, match="final is 'robustmax'; did you mean 'robust-max'"):
        SearchConfig(final="robustmax")
