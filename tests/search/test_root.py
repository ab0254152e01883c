"""Two stages: a rule for the root, another below, and what the methods with such rules find."""

import pytest

from tests.toys.knowing import game as knowing
from tesuji import Limit, Position, SearchConfig, Searcher, load, methods
from tesuji.search.decide import children
from tesuji.search.export import to_json

STAGED = ("sr+cr", "sr+cr-sqrt", "voi")
#: a rule by visits alone
OWN = """
import tesuji

def shared(visits, count, best, second, error, params, rng):
    return 0.0

def score(mean, visits, variance, prior, shared, params, rng):
    return {sign} * visits

def rule():
    return tesuji.Rule(shared, score)
"""


def searched(position, config, simulations, jit=False):
    searcher = Searcher(position.game, config, seed=3, jit=jit)
    return searcher, searcher.search(position, Limit(simulations))


def own_rule(folder, name, sign):
    path = folder / name
    path.write_text(OWN.format(sign=sign))
    return str(path)


def test_the_root_has_its_own_rule_and_only_the_root(tmp_path):
    """At the root whoever has fewest visits is followed, everywhere else whoever has most."""
    config = SearchConfig(
        root=own_rule(tmp_path, "fewest.py", "-1.0"), select=own_rule(tmp_path, "most.py", "1.0")
    )
    position = Position.start(load("tictactoe"), jit=False)
    searcher, decision = searched(position, config, 900)
    assert [child.visits for child in decision.children] == [100] * 9
    tree = searcher.tree
    for child in children(tree, 0):
        visits = tree.nodes["visits"][children(tree, int(child))].tolist()
        assert sorted(visits) == [1] * 7 + [92]  # its own first visit was a playout


def test_the_same_rule_twice_changes_nothing():
    position = Position.start(knowing(), jit=False)
    trees = [
        to_json(position.game, searched(position, SearchConfig(root=root), 300)[0].tree)
        for root in ("", "uct")
    ]
    assert trees[0] == trees[1]


@pytest.mark.parametrize(("root", "select"), [("omc", "uct"), ("uct", "omc")])
def test_squares_are_summed_when_either_rule_needs_them(root, select):
    position = Position.start(load("tictactoe"), jit=False)
    searcher, _ = searched(position, SearchConfig(root=root, select=select), 100)
    assert searcher.tree.nodes["squares"].any()


@pytest.mark.parametrize(("root", "select"), [("puct", "uct"), ("uct", "puct")])
def test_a_rule_that_needs_knowledge_may_stand_at_either_place(root, select):
    """PUCT scores children without visits; UCT beside it tries each of them first."""
    position = Position.start(knowing(), jit=False)
    config = SearchConfig(root=root, select=select, knowledge="squares", fpu=0.3)
    searcher, decision = searched(position, config, 200)
    assert decision.simulations == 200
    assert (searcher.tree.nodes["prior"][children(searcher.tree, 0)] > 0).all()


def test_the_move_with_the_highest_value_is_played():
    position = Position.start(load("tictactoe"), jit=False).play("b2", "a1", "c1")
    for name in STAGED:
        _, decision = searched(position, methods.load(name), 300)
        assert decision.value == max(child.value for child in decision.children)


@pytest.mark.parametrize("name", STAGED)
@pytest.mark.parametrize(
    ("moves", "good"),
    [("a1 a2 b1 b2", {"c1"}), ("b2 a1 c1", {"a3"}), ("a1 b2 c3", {"a2", "b1", "b3", "c2"})],
)
def test_methods_find_the_only_moves(name, moves, good):
    """A win at once, a threat to stop, and the edges that draw."""
    position = Position.start(load("tictactoe"), jit=False).play(*moves.split())
    assert searched(position, methods.load(name), 1200)[1].text in good


@pytest.mark.parametrize("name", STAGED)
def test_more_visits_than_uct_go_to_moves_that_look_worse(name):
    position = Position.start(load("tictactoe"), jit=False).play("b2", "a1", "c1")
    best = [
        searched(position, methods.load(method), 600)[1].children[0].visits
        for method in (name, "uct")
    ]
    assert best[0] < best[1]


def test_compiled_and_uncompiled_trees_agree():
    """With a rule at the root that shares a pair, and one below that shares a number."""
    game = knowing()
    trees = [
        to_json(
            game, searched(Position.start(game, jit=jit), methods.load("voi"), 400, jit)[0].tree
        )
        for jit in (True, False)
    ]
    assert trees[0] == trees[1]


def test_a_kept_tree_has_a_new_root():
    """The node that becomes the root is searched by the root's rule from then on."""
    start = Position.start(load("tictactoe"), jit=False)
    searcher, _ = searched(start, methods.load("voi"), 300)
    decision = searcher.search(start.play("b2"), Limit(300))
    assert decision.simulations == 300
    assert decision.visits < 300
