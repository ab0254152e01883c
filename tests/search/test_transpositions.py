"""Transpositions: nodes that share children, compaction, reuse, and right answers."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.toys.chips import game as chips
from tests.toys.ring import game as ring
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load, start
from tesuji.compile import specialise, stream
from tesuji.compile.plain import view
from tesuji.exact import solve
from tesuji.search import compact as compaction
from tesuji.search import descend, transpose
from tesuji.search import tree as t
from tesuji.search.access import PLAIN
from tesuji.search.bindings import bindings, node_fields
from tesuji.search.context import make_context, make_params, make_simulations
from tesuji.search.decide import children

GAME = load("tictactoe")
SLOTS = {"access": PLAIN, "ALL_CHILDREN": False, "TRANSPOSE": True}
compact, fewest_visits, find_position = (
    specialise(kernel, SLOTS, label=kernel.__name__, jit=False)
    for kernel in (compaction.compact, compaction.fewest_visits, transpose.find_position)
)


def searched(of, simulations, seed=1, **settings):
    config = SearchConfig(transpositions=True, **settings)
    searcher = Searcher(of, config, seed=seed, jit=False)
    searcher.search(Position.start(of, jit=False), Limit(simulations))
    return searcher


def nodes_with(tree, status):
    return np.flatnonzero(tree.nodes["status"][: tree.meta[0]["top"]] == status).tolist()


def check_sharing(tree):
    """Each shared node has a canonical one of its position, and each position has one expanded."""
    nodes = tree.nodes
    for index in nodes_with(tree, t.SHARED):
        canonical = int(nodes[index]["canonical"])
        assert canonical != index
        assert nodes[canonical]["status"] == t.EXPANDED
        assert nodes[canonical]["hash"] == nodes[index]["hash"]
        assert nodes[canonical]["mover"] == nodes[index]["mover"]
        assert nodes[index]["tried"] == 0
    inner = [index for index in nodes_with(tree, t.EXPANDED) if index != t.ROOT]
    assert len({int(nodes[index]["hash"]) for index in inner}) == len(inner)
    for index in inner:
        assert find_position(tree, nodes[index]["hash"]) == index


def below(tree, index):
    return int(tree.nodes["visits"][children(tree, index)].sum())


def check_visits(tree, early=1):
    """Who went on from a position chose a child; ``early`` visits came before it had any."""
    for index in nodes_with(tree, t.EXPANDED):
        before = int(tree.nodes[index]["selections"]) - below(tree, index)
        assert before == (0 if index == t.ROOT else early)


@pytest.mark.parametrize(("of", "early"), [(GAME, 1), (chips(), 1), (chips(), 3)])
def test_nodes_share_the_children_of_a_position(of, early):
    tree = searched(of, 500, expand_visits=early).tree
    check_sharing(tree)
    check_visits(tree, early)
    nodes = tree.nodes
    shared = nodes_with(tree, t.SHARED)
    assert shared
    selections = {i: int(nodes[i]["visits"]) for i in nodes_with(tree, t.EXPANDED)}
    for index in shared:  # it was a leaf at first
        selections[int(nodes[index]["canonical"])] += int(nodes[index]["visits"]) - early
    assert selections == {index: int(nodes[index]["selections"]) for index in selections}


def test_there_are_fewer_nodes_than_in_a_tree():
    position = Position.start(chips(), jit=False)
    plain = Searcher(chips(), SearchConfig(expand="all"), seed=1, jit=False)
    plain.search(position, Limit(600))
    assert searched(chips(), 600).tree.meta[0]["top"] < plain.tree.meta[0]["top"]


def test_a_game_may_return_to_a_position(tmp_path):
    """Then a node's canonical node is above it; every walk over the tree must end."""
    searcher = searched(ring(), 200)
    decision = searcher.decision()
    assert sum(child.visits for child in decision.children) == 200
    searcher.save_json(tmp_path / "tree.json")
    searcher.save_dot(tmp_path / "tree.dot")
    outline = json.loads((tmp_path / "tree.json").read_text())["tree"]
    assert outline["visits"] == 200
    parents = 1 + 5  # the root, and one node for each position that is not over

    def inner(node):
        below = node.get("children", [])
        return bool(below) + sum(map(inner, below))

    assert inner(outline) == parents


# --- right answers --------------------------------------------------------------------------------


@pytest.mark.stress
@pytest.mark.parametrize(("spec", "first", "seeds"), [("2x6", 1.0, 30), ("2x7", 0.0, 6)])
def test_winners_of_breakthrough_for_many_seeds(spec, first, seeds):
    of = load(f"breakthrough:size={spec}")
    for seed in range(seeds):
        config = SearchConfig(solver="wins", transpositions=True, memory_mb=60)
        searcher = Searcher(of, config, seed=seed)
        assert searcher.search(Position.start(of), Limit(5_000_000)).proven == first
        check_canonical(searcher.tree)


def check_canonical(tree):
    """As `check_sharing`, for large trees."""
    nodes = tree.nodes[: tree.meta[0]["top"]]
    shared = nodes[nodes["status"] == t.SHARED]
    canonical = nodes[shared["canonical"]]
    assert (canonical["status"] == t.EXPANDED).all()
    assert (canonical["hash"] == shared["hash"]).all()


@pytest.mark.parametrize("memory", [5.0, 0.1])
def test_tictactoe_is_a_draw_for_many_seeds(memory):
    """Also when the tree has far less room than it would grow to."""
    for seed in range(12):
        config = SearchConfig(solver="bounds", transpositions=True, memory_mb=memory)
        searcher = Searcher(GAME, config, seed=seed)
        assert searcher.search(start("tictactoe"), Limit(100_000)).proven == 0.5
        check_sharing(searcher.tree)


# --- compaction -----------------------------------------------------------------------------------


def family():
    """A root with four children: 1 and 3 stand for one position, 2 and 4 for another."""
    tree = t.allocate(0.01, node_fields(GAME, SearchConfig(transpositions=True)))
    add = specialise(t.append_all, SLOTS, label="children", jit=False)
    note = specialise(transpose.note_position, SLOTS, label="note", jit=False)
    nodes = tree.nodes
    nodes[t.ROOT]["count"], nodes[t.ROOT]["status"] = 4, t.EXPANDED
    first = add(tree, t.ROOT, 4)
    nodes[t.ROOT]["tried"] = 4
    assert first == 1
    nodes["visits"][:5] = [200, 2, 3, 98, 10]
    nodes["hash"][:5] = [1, 20, 40, 20, 40]
    for index, selections in ((1, 99), (2, 12)):
        nodes[index]["status"], nodes[index]["count"] = t.EXPANDED, 2
        nodes[index]["selections"] = selections
        nodes["visits"][add(tree, index, 2)] = selections - 1
        nodes[index]["tried"] = 2
        note(tree, index, nodes[index]["hash"])
    nodes[t.ROOT]["selections"] = 200
    for index, canonical in ((3, 1), (4, 2)):
        nodes[index]["status"], nodes[index]["canonical"] = t.SHARED, canonical
    check_sharing(tree)
    return tree


def test_a_position_from_which_many_go_on_is_kept():
    """Node 1 was visited twice itself, its position 99 times; that of node 2 twelve times."""
    tree = family()
    compact(tree, t.ROOT, 50)
    assert tree.nodes["status"][1:5].tolist() == [t.EXPANDED, t.OPEN, t.SHARED, t.OPEN]
    assert below(tree, 3) == 98
    assert tree.meta[0]["top"] == 7
    check_sharing(tree)


@pytest.mark.parametrize(("target", "fewest"), [(9, 0), (7, 13), (5, 104)])
def test_the_bound_on_visits_counts_selections(target, fewest):
    assert fewest_visits(family(), np.zeros(compaction.BUCKETS, np.int64), target) == fewest


def test_a_new_root_keeps_what_lies_below_it():
    """The canonical node of node 3 is no descendant of it, but has its children."""
    tree = family()
    resolve = specialise(t.resolve, SLOTS, label="resolve", jit=False)
    compact(tree, resolve(tree, 3), 0)
    assert tree.meta[0]["top"] == 3
    assert tree.nodes[t.ROOT]["hash"] == 20
    assert below(tree, t.ROOT) == 98
    check_sharing(tree)


@pytest.mark.parametrize("seed", range(3))
def test_a_small_tree_keeps_its_order(seed):
    """Closed again and again while it is searched."""
    searcher = searched(GAME, 60, seed, memory_mb=0.012)
    position = Position.start(GAME, jit=False)
    closed = False
    tops = [int(searcher.tree.meta[0]["top"])]
    for _ in range(15):
        searcher.search(position, Limit(60))
        check_sharing(searcher.tree)
        for index in nodes_with(searcher.tree, t.EXPANDED):
            assert searcher.tree.nodes[index]["selections"] >= below(searcher.tree, index)
        tops.append(int(searcher.tree.meta[0]["top"]))
        closed |= tops[-1] < tops[-2]
    assert closed
    assert searcher.tree.nodes[t.ROOT]["visits"] == 16 * 60


# --- reuse ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_tree_goes_on_with_the_game(seed):
    searcher = Searcher(GAME, SearchConfig(transpositions=True), seed=seed, jit=False)
    position = Position.start(GAME, jit=False)
    kept = 0
    while not position.over:
        decision = searcher.search(position, Limit(120))
        kept += int(searcher.tree.nodes[t.ROOT]["visits"]) - decision.simulations
        check_sharing(searcher.tree)
        for index in nodes_with(searcher.tree, t.EXPANDED):
            assert searcher.tree.nodes[index]["selections"] >= below(searcher.tree, index)
        assert {child.move for child in decision.children} == set(position.moves)
        position = position.play(decision.move)
    assert kept > 50


def test_reuse_keeps_proofs_true():
    """Games of random moves; whatever is proven on the way is right."""
    proven = 0
    for seed in range(6):
        config = SearchConfig(solver="bounds", transpositions=True, memory_mb=5)
        searcher = Searcher(GAME, config, seed=seed)
        rng = np.random.default_rng(seed)
        position = start("tictactoe")
        while not position.over:
            decision = searcher.search(position, Limit(300))
            if decision.proven is not None:
                proven += 1
                exact = solve(position, entries=1 << 13)
                assert decision.proven == (exact if position.mover == 0 else 1 - exact)
            position = position.play(int(rng.choice(position.moves)))
    assert proven > 20


# --- what counts as a visit -----------------------------------------------------------------------


def test_the_playout_policy_chooses_only_in_new_positions():
    """A node that was visited once itself, in a position from which fifty went on."""
    config = SearchConfig(transpositions=True, policy_visits=5)
    tree = t.allocate(0.05, node_fields(GAME, config))
    sim, own = make_simulations(GAME, config)[0], make_context(GAME, config)
    sim["state"] = Position.start(GAME, jit=False).state[0]
    slots = bindings(GAME, config)
    root = tree.nodes[t.ROOT]
    root["count"] = 9
    first = specialise(t.append_all, slots, label="children", jit=False)(tree, t.ROOT, 9)
    root["tried"] = 9
    tree.nodes["move"][first : first + 9] = range(9)
    tree.nodes["visits"][first : first + 9] = 5
    tree.nodes["value"][first + 7] = 5 * t.SCALE
    choose = specialise(descend.choose, slots, label="choose", jit=False)
    rng, params = stream(1, "test"), view(make_params(GAME, config))[0]
    chosen = []
    for selections in (5, 50):
        root["visits"], root["selections"] = 1, selections
        chosen.append({choose(tree, t.ROOT, sim, own, params, rng) for _ in range(30)})
    assert len(chosen[0]) > 5
    assert chosen[1] == {first + 7}


# --- refusals -------------------------------------------------------------------------------------


def test_games_without_a_hash_are_refused():
    with pytest.raises(ConfigError, match="transpositions cannot be used: tictactoe has no hash"):
        Searcher(replace(GAME, hash=None), SearchConfig(transpositions=True))


def test_games_with_superko_are_refused():
    with pytest.raises(ConfigError, match="go forbids repetition, which depends on the path"):
        Searcher(load("go:size=5"), SearchConfig(transpositions=True))
