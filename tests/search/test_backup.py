"""Backups: what a node is worth, given its children; on the search's kernels."""

import math

import numpy as np
import pytest

from tests.toys.chips import game as chips
from tests.toys.dice_duel import game as dice_duel
from tesuji import Limit, Position, SearchConfig, Searcher, load
from tesuji.compile import specialise
from tesuji.compile.plain import view
from tesuji.exact import solve
from tesuji.game import CHANCE
from tesuji.search import backup
from tesuji.search import tree as t
from tesuji.search.bindings import bindings, node_fields
from tesuji.search.context import make_simulations
from tesuji.search.decide import children, mean
from tesuji.search.parts.backups import BACKUPS, mix_weight, revalue

GAME = load("tictactoe")


@pytest.mark.parametrize(
    ("games", "weight"), [(1, 162), (1296, 162), (1304, 163), (2000, 250), (8000, 1000)]
)
def test_mix_weight(games, weight):
    """Coulom 2006: 162 until 1,296 games, then an eighth of them."""
    assert mix_weight(games) == weight


# --- a node with known children -------------------------------------------------------------------


def family(records, mover=0, visits=1000, **settings):
    """A tree whose root has one child, which has children of these (value, visits)."""
    config = SearchConfig(**settings)
    tree = t.allocate(0.05, node_fields(GAME, config))
    add = specialise(t.append, bindings(GAME, config), label="append", jit=False)
    tree.nodes[t.ROOT]["count"] = 1
    node = add(tree, t.ROOT, 0)
    tree.nodes[node]["mover"] = mover
    tree.nodes[node]["visits"] = visits
    tree.nodes[node]["count"] = len(records)
    for value, count in records:
        child = add(tree, node, 0)
        tree.nodes[child]["visits"] = count
        tree.nodes[child]["value"] = round(value * count * t.SCALE)
    return tree, node, config


def backed_up(name, records):
    tree, node, config = family(records, backup=name)
    value = specialise(BACKUPS[name], bindings(GAME, config), label="value", jit=False)
    return value(tree, node)


CHILDREN = [(0.5, 400), (0.25, 100), (0.0, 0), (0.75, 100)]


def test_max_takes_the_best_child():
    assert backed_up("max", CHILDREN) == pytest.approx(0.75)
    assert backed_up("max", [(0.0, 3), (0.0, 0)]) == 0.0


def test_mix_of_the_mean_and_the_robust_child():
    """600 games, so the mean weighs 162: (0.5 * 162 + 0.5 * 400) / 562, then 8,000 games."""
    assert backed_up("mix", CHILDREN) == pytest.approx(0.5)
    many = backed_up("mix", [(0.6, 6000), (0.2, 2000)])  # the mean is 0.5, it weighs 1,000
    assert many == pytest.approx((0.5 * 1000 + 0.6 * 6000) / 7000)
    few = backed_up("mix", [(1.0, 3), (0.0, 1)])
    assert few == pytest.approx((0.75 * 162 + 1.0 * 3) / 165)


def test_informed_average():
    """Urgencies by the normal distribution's tail: erfc(z / sqrt(2)), z in standard errors.

    The child of 0.5 has an error of sqrt(0.25 / 100) = 0.05 and lies two of them below 0.6; the
    child of 0.2 has 0.04 and lies ten below.
    """
    found = backed_up("informed", [(0.6, 100), (0.5, 100), (0.2, 100), (0.0, 0)])
    two, ten = 0.0455003, 1.52e-23  # the share of a normal distribution beyond so many errors
    assert found == pytest.approx((0.6 + 0.5 * two + 0.2 * ten) / (1 + two + ten), abs=1e-7)


def test_a_sure_child_keeps_an_error_of_one_visit():
    """Rewards of 0 only: the error is 1/n, and the urgency that of a child n below the best."""
    found = backed_up("informed", [(1.0, 4), (0.0, 4)])
    urgency = math.erfc(4 / math.sqrt(2))
    assert found == pytest.approx(1 / (1 + urgency))


@pytest.mark.parametrize("name", BACKUPS)
def test_a_single_child_gives_its_value(name):
    assert backed_up(name, [(0.375, 20)]) == pytest.approx(0.375)


# --- signs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mover", "chooser"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_the_value_is_turned_for_the_other_player(mover, chooser):
    tree, node, config = family([(0.75, 10), (0.25, 10)], mover=mover, visits=21, backup="max")
    again = specialise(revalue, bindings(GAME, config), label="revalue", jit=False)
    again(tree, node, chooser)
    assert mean(tree, node) == pytest.approx(0.75 if mover == chooser else 0.25)


def test_dice_are_averaged():
    tree, node, config = family([(0.75, 10), (0.25, 10)], mover=CHANCE, visits=21, backup="max")
    tree.nodes[node]["value"] = 21 * t.SCALE // 3
    again = specialise(revalue, bindings(GAME, config), label="revalue", jit=False)
    again(tree, node, 0)
    assert mean(tree, node) == pytest.approx(1 / 3)


def parents(tree):
    """Nodes with children, the root excepted, each with its chooser."""
    return [
        (child, int(tree.nodes[index]["mover"]))
        for index in np.flatnonzero(tree.nodes["status"][: tree.meta[0]["top"]] == t.EXPANDED)
        for child in children(tree, int(index)).tolist()
        if tree.nodes[child]["status"] == t.EXPANDED and len(children(tree, child))
    ]


@pytest.mark.parametrize("name", BACKUPS)
@pytest.mark.parametrize("of", [GAME, chips(), dice_duel()], ids=lambda of: of.name)
def test_every_node_of_a_search_has_the_value_of_its_children(of, name):
    """In `chips` a player moves twice in a row; with dice, some nodes are averages."""
    config = SearchConfig(backup=name)
    searcher = Searcher(of, config, seed=3, jit=False)
    searcher.search(Position.start(of, jit=False), Limit(250))
    tree = searcher.tree
    value = specialise(BACKUPS[name], bindings(of, config), label="value", jit=False)
    kept = turned = 0
    for node, chooser in parents(tree):
        mover = int(tree.nodes[node]["mover"])
        if mover == CHANCE:
            continue
        chooser = max(chooser, 0)  # after dice, values are the first player's
        expected = value(tree, node)
        kept += mover == chooser
        turned += mover != chooser
        expected = expected if mover == chooser else 1 - expected
        assert mean(tree, node) == pytest.approx(expected, abs=1e-6)
    assert turned > 0
    assert kept > 0 or of is GAME


@pytest.mark.parametrize("name", ["average", *BACKUPS])
def test_every_backup_finds_the_best_pick(name):
    of = chips()
    searcher = Searcher(of, SearchConfig(backup=name, c=0.3), seed=2, jit=False)
    start = Position.start(of, jit=False)
    decision = searcher.search(start, Limit(500))
    assert solve(start.play(decision.move), entries=1024, jit=False) == solve(
        start, entries=1024, jit=False
    )


# --- average --------------------------------------------------------------------------------------


def sums(tree, index):
    """Visits and values of a node's children."""
    nodes = tree.nodes[children(tree, index)]
    return int(nodes["visits"].sum()), int(nodes["value"].sum())


@pytest.mark.parametrize("of", [GAME, chips()], ids=lambda of: of.name)
def test_average_is_the_mean_of_all_simulations(of):
    """The children's sums, turned where the other player chooses, and the node's own first one."""
    searcher = Searcher(of, seed=5, jit=False)
    searcher.search(Position.start(of, jit=False), Limit(300))
    tree = searcher.tree
    for node, chooser in parents(tree):
        visits, value = sums(tree, node)
        if tree.nodes[node]["mover"] != chooser:
            value = visits * t.SCALE - value
        assert tree.nodes[node]["visits"] == visits + 1
        assert 0 <= tree.nodes[node]["value"] - value <= t.SCALE


def test_three_players_each_get_their_own_reward():
    """Trio, down to the end of a game that the second player wins: 1, and 0 for the others."""
    of = load("trio:players=3,size=4,line=3")
    config = SearchConfig()
    sim = make_simulations(of, config)[0]
    tree = t.allocate(0.01, node_fields(GAME, config))
    add = specialise(backup.back_up, bindings(of, config), label="backup", jit=False)
    sim["path"][:7] = range(0, 14, 2)
    sim["chooser"][1:7] = [0, 1, 2, 0, 1, 2]
    sim["depth"] = 6
    position = Position.start(of, jit=False)
    for move in ("a1", "a2", "d4", "c1", "b2", "d3", "a4", "c2"):
        position = position.play(move)
    assert position.over
    for rewards in (position.rewards, (0.5, 0.25, 0.25)):
        sim["rewards"] = rewards
        add(tree, sim, 0, 1)
    values = [tree.nodes[i]["value"] / t.SCALE for i in range(0, 14, 2)]
    assert position.rewards == (0.0, 1.0, 0.0)
    assert values == [0.0, 0.5, 1.25, 0.25, 0.5, 1.25, 0.25]


def test_a_reward_of_a_third_is_rounded_to_the_nearest_unit():
    config = SearchConfig()
    sim = view(make_simulations(GAME, config))[0]
    tree = t.allocate(0.01)
    sim.rewards[:] = [1 / 3, 2 / 3]
    add = specialise(backup.back_up, bindings(GAME, config), label="backup", jit=False)
    add(tree, sim, 0, 1)
    assert sim.gains.tolist() == [357913941, 715827883]
