"""Whole searches: determinism, exact answers, memory, reuse, limits and interruption."""

import json
import threading
import time
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.compile.test_specialise import in_new_process
from tests.toys import dice_race, digits, triple_nim
from tesuji import (
    ConfigError,
    GameError,
    Limit,
    Position,
    SearchConfig,
    Searcher,
    load,
    search,
    start,
)
from tesuji.compile import stream
from tesuji.exact import solve
from tesuji.game import Size
from tesuji.games.go import game as go
from tesuji.parallel import tree_search
from tesuji.parallel.root_parallel import RootParallel
from tesuji.search import tree as t
from tesuji.search.decide import children
from tesuji.search.export import nested

ALL = ["connect4", "hex:size=5", "go:size=5", "breakthrough:size=4x5", "tictactoe"]


def same(a, b):
    """Two decisions agree in everything but time."""
    return {**a.to_json(), "seconds": 0} == {**b.to_json(), "seconds": 0}


@pytest.mark.parametrize("spec", ALL)
def test_the_same_seed_gives_the_same_tree(spec):
    position = start(spec)
    searchers = [Searcher(position.game, seed=7, jit=jit) for jit in (True, True, False)]
    decisions = [s.search(position, Limit(simulations=300)) for s in searchers]
    assert same(decisions[0], decisions[1])
    assert same(decisions[0], decisions[2])
    top = int(searchers[0].tree.meta[0]["top"])
    for other in searchers[1:]:
        assert searchers[0].tree.nodes[:top].tobytes() == other.tree.nodes[:top].tobytes()


def test_another_seed_gives_another_tree():
    position = start("connect4")
    a, b = (search(position, simulations=300, seed=seed) for seed in (1, 2))
    assert a.children != b.children


def test_another_seed_counts_from_the_next_beginning():
    """A player in a match has one searcher for all games, each with a seed of its own."""
    position = start("connect4")
    searcher = Searcher(position.game, seed=1)
    first = searcher.search(position, Limit(simulations=300))
    searcher.seed = 2
    searcher.forget()
    second = searcher.search(position, Limit(simulations=300))
    assert second.children != first.children
    assert same(second, search(position, simulations=300, seed=2))


def test_another_seed_counts_in_all_trees():
    position = start("tictactoe")
    config = SearchConfig(threads=2, parallel="root")
    old, new = (RootParallel(position.game, config, seed, jit=False) for seed in (1, 2))
    for trees in (old, new):
        trees.set_root(position)
        trees.simulate(60)
    before = [tree.nodes.tobytes() for tree in old.trees]
    old.forget(2)
    old.set_root(position)
    old.simulate(60)
    after = [tree.nodes.tobytes() for tree in old.trees]
    assert all(a != b for a, b in zip(after, before, strict=True))
    assert after == [tree.nodes.tobytes() for tree in new.trees]


def test_a_search_in_parts_equals_a_search_at_once():
    position = start("connect4")
    whole = search(position, simulations=3000, seed=4)
    searcher = Searcher(position.game, seed=4)
    for part in (1, 999, 2000):
        parts = searcher.search(position, Limit(simulations=part))
    assert parts.children == whole.children


def test_the_signature_of_behaviour():
    """A fixed seed and what it gives: this changes only when the search itself changes."""
    decision = search(start("tictactoe"), simulations=2000, seed=1)
    signature = "a1 870 c1 290 b3 215 c3 186 b1 125 a3 115 c2 88 b2 79 a2 32"
    assert " ".join(f"{c.text} {c.visits}" for c in decision.children) == signature


def test_visits_are_conserved():
    """A node's visits are its own playout and those of its children; the root has no playout."""
    searcher = Searcher(load("connect4"), seed=2)
    searcher.search(start("connect4"), Limit(simulations=20_000))
    nodes = searcher.tree.nodes
    assert nodes[t.ROOT]["visits"] == 20_000
    for index in range(int(searcher.tree.meta[0]["top"])):
        if nodes[index]["status"] == t.EXPANDED:
            own = 0 if index == t.ROOT else 1
            assert nodes[index]["visits"] == own + sum(
                int(nodes[child]["visits"]) for child in children(searcher.tree, index)
            )
            assert 0 <= nodes[index]["value"] <= int(nodes[index]["visits"]) * t.SCALE


def test_values_are_conserved():
    """With two players a node's value and its children's values sum to one per simulation."""
    searcher = Searcher(load("connect4"), seed=2)
    searcher.search(start("connect4"), Limit(simulations=20_000))
    nodes = searcher.tree.nodes
    for index in range(1, int(searcher.tree.meta[0]["top"])):
        if nodes[index]["status"] == t.EXPANDED:
            below = list(children(searcher.tree, index))
            visits = sum(int(nodes[c]["visits"]) for c in below)
            own = int(nodes[index]["value"]) + sum(int(nodes[c]["value"]) for c in below)
            rest = own - visits * t.SCALE  # the node's own playout
            assert rest in (0, t.SCALE // 2, t.SCALE)


def test_expansion_waits_for_visits():
    config = SearchConfig(expand_visits=10)
    searcher = Searcher(load("connect4"), config)
    searcher.search(start("connect4"), Limit(simulations=5000))
    nodes = searcher.tree.nodes[: int(searcher.tree.meta[0]["top"])]
    expanded = (nodes["status"] == t.EXPANDED) & (np.arange(len(nodes)) != t.ROOT)
    assert expanded.any()
    assert nodes["visits"][expanded].min() > 10
    assert nodes["visits"][nodes["status"] == t.OPEN].max() <= 10


def test_playouts_can_be_cut_off():
    """With playouts of no length every connect4 opening is a draw so far."""
    decision = search(start("connect4"), simulations=60, config=SearchConfig(playout_cap=1))
    assert {child.value for child in decision.children} == {0.5}


# --- answers -------------------------------------------------------------------------------------


def test_tictactoe_is_never_lost():
    """Against every possible play of the opponent, with either colour."""
    searcher = Searcher(load("tictactoe"), seed=1)

    def losses(position, own):
        if position.over:
            return int(position.rewards[own] == 0.0)
        if position.mover == own:
            return losses(position.play(searcher.search(position, Limit(5000)).move), own)
        return sum(losses(position.play(move), own) for move in position.moves)

    assert losses(start("tictactoe"), 0) == 0
    assert losses(start("tictactoe"), 1) == 0


def only_winning_move(position):
    """The single move that wins against every defence, or None."""
    winning = []
    for move in position.moves:
        after = position.play(move)
        reward = after.rewards[0] if after.over else solve(after)
        if reward == 1.0 - position.mover:
            winning.append(move)
    return winning[0] if len(winning) == 1 else None


def puzzles(spec, plies, wanted, seed):
    """Random positions in which exactly one move wins, found by exhaustive search."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < wanted:
        position = start(spec)
        for _ in range(plies):
            if position.over:
                break
            position = position.play(int(rng.choice(position.moves)))
        if not position.over and len(position.moves) > 2:
            best = only_winning_move(position)
            if best is not None:
                found.append((position, best))
    return found


@pytest.mark.parametrize(
    ("spec", "plies", "simulations"),
    [
        ("connect4", 28, 20_000),
        pytest.param("hex:size=4", 4, 200_000, marks=pytest.mark.stress),
        pytest.param("breakthrough:size=3x5", 6, 300_000, marks=pytest.mark.stress),
    ],
)
def test_the_only_winning_move_is_found(spec, plies, simulations):
    for position, best in puzzles(spec, plies, wanted=8, seed=5):
        decision = search(position, simulations=simulations, seed=1)
        assert decision.move == best, f"\n{position}\n{decision}"


def test_one_player_finds_the_best_line():
    position = Position.start(digits.game())
    decision = search(position, simulations=20_000)
    best = max(position.play(*line).rewards for line in product((0, 1, 2), repeat=digits.STEPS))
    assert position.play(*decision.line).rewards == best


def max_n(position):
    """Exact rewards when each of three players maximises its own, the first on a tie."""
    if position.over:
        return position.rewards
    outcomes = [max_n(position.play(move)) for move in position.moves]
    return max(outcomes, key=lambda rewards: rewards[position.mover])


@pytest.mark.parametrize("pile", [4, 5, 6, 7, 9])
def test_three_players_each_maximise_their_own_reward(pile):
    position = Position.start(triple_nim.game(pile))
    own = {move: max_n(position.play(move))[0] for move in position.moves}
    decision = search(position, simulations=60_000)
    assert own[decision.move] == max(own.values())


def test_dice_are_averaged():
    position = Position.start(dice_race.game())
    decision = search(position, simulations=200_000)
    assert decision.value == pytest.approx(dice_race.expected(), abs=0.02)
    exact = {
        dice_race.SAFE: dice_race.expected(2, 1),
        dice_race.ROLL: dice_race.expected_roll(0, 0),
    }
    assert decision.move == max(exact, key=exact.__getitem__)


def test_dice_can_be_searched_from_the_roll():
    position = Position.start(dice_race.game()).play(dice_race.ROLL)
    decision = search(position, simulations=30_000)
    visits = sorted(child.visits for child in decision.children)
    assert len(visits) == 6
    assert visits[0] > 30_000 / 6 * 0.9


def test_no_line_of_the_tree_repeats_a_position():
    """Go on a tiny board is full of repetitions; the tree must contain none."""
    game = load("go:size=2")
    position = Position.start(game, jit=False).play("A1", "B2")
    searcher = Searcher(game, jit=False)
    searcher.search(position, Limit(simulations=600))
    tree = searcher.tree
    forbidden = int((tree.nodes["status"][: tree.meta[0]["top"]] == t.FORBIDDEN).sum())
    assert forbidden > 0
    past = set(position.history.tolist())
    open_nodes = [(t.ROOT, past, position.repetition)]
    while open_nodes:
        index, keys, parent = open_nodes.pop()
        for child in children(tree, index):
            key = int(tree.nodes[child]["key"])
            assert key == parent or key not in keys
            open_nodes.append((child, keys | {parent}, key))


# --- memory --------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["connect4", "go:size=5"])
def test_a_bound_in_megabytes_is_kept(spec):
    searcher = Searcher(load(spec), SearchConfig(memory_mb=0.5), seed=1)
    decision = searcher.search(start(spec), Limit(simulations=100_000))
    assert t.reserved_bytes(searcher.tree) <= 0.5e6 * 1.05
    assert decision.simulations == 100_000
    assert searcher.tree.nodes[t.ROOT]["visits"] == 100_000
    assert decision.bytes <= 0.5e6
    roomy = search(start(spec), simulations=100_000, seed=1)
    assert roomy.bytes > 0.5e6


def test_the_best_move_is_found_within_a_bound():
    """A win that needs depth: 27 plies into connect four, in a hundredth of the usual memory."""
    for position, best in puzzles("connect4", 27, wanted=3, seed=11):
        searcher = Searcher(position.game, SearchConfig(memory_mb=0.05))
        assert searcher.search(position, Limit(simulations=60_000)).move == best


def test_a_hopelessly_small_bound_still_answers():
    searcher = Searcher(load("go"), SearchConfig(memory_mb=0.01))
    decision = searcher.search(start("go"), Limit(simulations=2000))
    assert decision.simulations == 2000
    assert sum(child.visits for child in decision.children) > 1900


@pytest.mark.stress
def test_the_process_does_not_outgrow_the_bound():
    """Two million simulations under a bound of 50 MB: what the system hands out stays below it."""
    code = """
        import resource
        from tesuji import Limit, SearchConfig, Searcher, start
        peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        position = start("go")
        Searcher(position.game, SearchConfig(memory_mb=1)).search(position, Limit(40_000))
        searcher = Searcher(position.game, SearchConfig(memory_mb=50))
        before = peak()
        parts = [searcher.search(position, Limit(200_000)) for _ in range(10)]
        print(peak() - before, max(part.bytes for part in parts), parts[0].depth, parts[-1].depth)
    """
    out, _ = in_new_process(code)
    grown, used, first_depth, last_depth = map(int, out.split())
    assert used <= 50e6
    assert grown <= 52.5e6
    assert last_depth > first_depth  # it goes on looking deeper although the tree is full


@pytest.mark.parametrize(
    ("spec", "simulations", "megabytes"),
    [("amazons", 2000, 5), pytest.param("go:size=19", 3000, 5, marks=pytest.mark.stress)],
)
def test_wide_games_are_affordable(spec, simulations, megabytes):
    decision = search(start(spec), simulations=simulations)
    assert decision.bytes < megabytes * 1e6
    assert decision.bytes <= 64 * decision.nodes


# --- keeping the tree ----------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["connect4", "go:size=5"])
def test_the_tree_is_kept_between_moves(spec):
    searcher = Searcher(load(spec), seed=3)
    position = start(spec)
    decision = searcher.search(position, Limit(simulations=5000))
    tree = searcher.tree
    index = next(c for c in children(tree, t.ROOT) if tree.nodes[c]["move"] == decision.move)
    answer = max(children(tree, index), key=lambda c: tree.nodes[c]["visits"])
    known = {
        int(tree.nodes[c]["move"]): int(tree.nodes[c]["visits"]) for c in children(tree, answer)
    }
    assert len(known) > 3
    after = position.play(decision.move, int(tree.nodes[answer]["move"]))
    again = searcher.search(after, Limit(simulations=1))
    found = {child.move: child.visits for child in again.children}
    assert sum(found.values()) == sum(known.values()) + 1
    assert all(found[move] >= visits for move, visits in known.items())


def test_an_unrelated_position_starts_a_new_tree():
    searcher = Searcher(load("connect4"))
    searcher.search(start("connect4").play("d"), Limit(simulations=1000))
    other = searcher.search(start("connect4").play("a"), Limit(simulations=100))
    assert sum(child.visits for child in other.children) == 100
    back = searcher.search(start("connect4"), Limit(simulations=50))
    assert sum(child.visits for child in back.children) == 50


def test_positions_are_recognised_by_their_moves():
    """The same moves played on a new board continue the same tree."""
    searcher = Searcher(load("connect4"))
    searcher.search(start("connect4"), Limit(simulations=3000))
    again = searcher.search(start("connect4").play("d", "d"), Limit(simulations=1))
    assert sum(child.visits for child in again.children) > 10


def test_a_tree_can_be_forgotten():
    searcher = Searcher(load("connect4"))
    searcher.search(start("connect4"), Limit(simulations=100))
    searcher.forget()
    with pytest.raises(ConfigError, match="nothing has been searched"):
        searcher.decision()


# --- limits --------------------------------------------------------------------------------------


def test_simulations_are_exact():
    for count in (1, 17, 5000):
        assert search(start("connect4"), simulations=count).simulations == count


def test_seconds_end_a_search():
    decision = search(start("connect4"), seconds=0.3)
    assert 0.29 <= decision.seconds < 2.0
    both = search(start("connect4"), seconds=60, simulations=100)
    assert both.simulations == 100


def test_progress_is_reported():
    seen = []
    search(start("connect4"), seconds=1.3, progress=seen.append)
    assert len(seen) >= 2
    assert seen[0].simulations < seen[-1].simulations


def test_another_thread_can_stop_a_search():
    searcher = Searcher(load("connect4"))
    searcher.prepare()
    timer = threading.Timer(0.3, searcher.stop)
    timer.start()
    begin = time.perf_counter()
    decision = searcher.search(start("connect4"), Limit(seconds=60))
    assert time.perf_counter() - begin < 30
    assert decision.visits > 0


def test_a_search_can_be_told_that_it_is_enough():
    searcher, asked = Searcher(load("connect4")), []

    def enough():
        asked.append(searcher.simulations)
        return len(asked) == 3

    decision = searcher.search(start("connect4"), Limit(simulations=10**6), enough=enough)
    assert decision.simulations == asked[-1] < 10**6
    assert 0 < asked[0] < asked[1] < asked[2]


def test_enough_leaves_no_search_for_a_robust_max_child():
    searcher = Searcher(load("connect4"), SearchConfig(final="robust-max"))
    goes_on = 0

    def done(count):
        return searcher.simulations >= count

    for count in range(20, 60):
        searcher.forget()
        asked = searcher.search(start("connect4"), Limit(count), enough=lambda n=count: done(n))
        assert asked.simulations == count
        searcher.forget()
        goes_on += searcher.search(start("connect4"), Limit(count)).simulations > count
    assert goes_on


def test_an_interruption_leaves_the_tree_whole():
    searcher = Searcher(load("connect4"))

    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        searcher.search(start("connect4"), Limit(seconds=60), progress=interrupt)
    decision = searcher.decision()
    assert decision.simulations == searcher.tree.nodes[t.ROOT]["visits"] > 0


@pytest.mark.parametrize(
    "limit",
    [{}, {"simulations": 0}, {"simulations": -5}, {"seconds": 0}, {"seconds": float("nan")}],
)
def test_wrong_limits_are_refused(limit):
    with pytest.raises(ConfigError):
        Limit(**limit)


@pytest.mark.parametrize(
    "limit", [{"simulations": 1000.5}, {"simulations": "100"}, {"seconds": "1"}]
)
def test_limits_of_a_wrong_type_are_refused(limit):
    with pytest.raises(ConfigError, match="it must be a"):
        Limit(**limit)


def test_a_searcher_knows_its_game_by_more_than_its_name():
    small, large = (go(Size(n, n)) for n in (5, 9))
    with pytest.raises(GameError, match="got a position of"):
        Searcher(small).search(Position.start(large), Limit(10))


def test_an_interruption_while_the_root_changes_starts_a_new_tree(monkeypatch):
    """The new root is in place only when everything about it is."""
    searcher = Searcher(load("connect4"), seed=1)
    searcher.search(start("connect4"), Limit(2000))
    after = start("connect4").play("d")
    with monkeypatch.context() as patch:
        patch.setattr(tree_search, "_begin", lambda own, position: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            searcher.search(after, Limit(10))
    again = searcher.search(start("connect4"), Limit(500))
    assert sum(child.visits for child in again.children) == 500


def test_deep_trees_are_saved():
    """Nested far deeper than Python can recurse."""
    top = {"move": None}
    node = top
    for n in range(5000):
        node["children"] = [{"move": f"m{n}"}, {"move": "other"}]
        node = node["children"][0]
    text = nested(top)
    assert text.startswith('{"move": null, "children": [{"move": "m0", "children": [')
    assert text.endswith(', {"move": "other"}]}')
    assert text.count('"other"') == 5000


def test_dice_may_be_narrower_to_search_than_to_roll():
    """Candidates say what is worth choosing; dice still fall on every side."""
    game = replace(dice_race.game(), candidates=dice_race.roll_only)
    position = Position.start(game, jit=False).play(dice_race.ROLL)
    decision = search(position, simulations=500, jit=False)
    assert len(decision.children) == 6


def test_dice_are_rolled_by_the_game():
    position = Position.start(dice_race.game()).play(dice_race.ROLL)
    faces = [position.roll(stream(1, "roll", n)) for n in range(200)]
    assert set(faces) == {1, 2, 3, 4, 5, 6}


def test_a_finished_game_cannot_be_searched():
    over = start("tictactoe").play("a1", "a2", "b1", "b2", "c1")
    with pytest.raises(GameError, match="over: X wins"):
        search(over, simulations=10)


def test_another_games_position_is_refused():
    with pytest.raises(GameError, match="a searcher of hex:size=5 got a position of hex:size=6"):
        Searcher(load("hex:size=5")).search(start("hex:size=6"), Limit(10))


# --- saving --------------------------------------------------------------------------------------


def test_trees_are_saved(tmp_path):
    searcher = Searcher(load("tictactoe"), seed=1)
    decision = searcher.search(start("tictactoe"), Limit(simulations=500))
    searcher.save_json(tmp_path / "tree.json")
    saved = json.loads((tmp_path / "tree.json").read_text())
    assert saved["game"] == "tictactoe"
    tree = saved["tree"]
    assert tree["visits"] == 500
    assert [c["move"] for c in tree["children"]] == [c.text for c in decision.children]

    def count(node):
        return 1 + sum(map(count, node.get("children", [])))

    assert count(tree) == decision.nodes
    searcher.save_dot(tmp_path / "tree.dot", widest=2)
    dot = (tmp_path / "tree.dot").read_text()
    assert dot.startswith("digraph")
    assert dot.count("n0 -> ") == 2
