"""Proofs: how bounds move up a tree, what they do to a search, and that they are true."""

from dataclasses import replace

import numpy as np
import pytest

from tests.search.boards import LARGER, SMALL, TINY
from tests.toys.chips import game as chips
from tests.toys.dice_duel import game as dice_duel
from tests.toys.digits import game as digits
from tests.toys.ring import game as ring
from tests.toys.triple_nim import game as triple_nim
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load, start
from tesuji.compile import specialise
from tesuji.compile.plain import view
from tesuji.exact import solve
from tesuji.game import CHANCE
from tesuji.search import backup, select, simulate
from tesuji.search import tree as t
from tesuji.search.bindings import bindings, node_fields
from tesuji.search.context import make_context, make_params, make_simulations
from tesuji.search.decide import children, positions
from tesuji.search.parts import solver

GAME = load("tictactoe")
UNKNOWN = (0.0, 1.0)


class Grown:
    """A tree made by hand, with the kernels that a search runs on it."""

    def __init__(self, mover=0, game=GAME, **settings):
        self.game = game
        self.config = SearchConfig(**{"solver": "bounds", **settings})
        self.tree = t.allocate(0.05, node_fields(game, self.config))
        self.sim = view(make_simulations(game, self.config))[0]
        self.own = make_context(game, self.config)
        self.params = view(make_params(game, self.config))[0]
        self.node(t.ROOT)["mover"] = mover
        self.node(t.ROOT)["visits"] = 100

    def kernel(self, function):
        return specialise(function, bindings(self.game, self.config), label="kernel", jit=False)

    def node(self, index):
        return self.tree.nodes[index]

    def grow(self, parent, *bounds, mover=1, untried=0):
        """Give a node children with these bounds of player 0's reward; their indices."""
        self.node(parent)["count"] = len(bounds) + untried
        self.node(parent)["status"] = t.EXPANDED
        found = [self.kernel(t.append)(self.tree, parent, 0) for _ in bounds]
        for move, (child, (lower, upper)) in enumerate(zip(found, bounds, strict=True)):
            node = self.node(child)
            node["lower"], node["upper"] = lower, upper
            node["move"], node["visits"], node["mover"] = move, 10, mover
        return found

    def prove(self, *path):
        """After a simulation along this path."""
        self.sim.path[: len(path)] = path
        self.sim.depth = len(path) - 1
        self.kernel(solver.prove)(self.tree, self.sim, self.own, self.params)

    def bounds(self, index):
        node = self.node(index)
        return float(node["lower"]), float(node["upper"])


WIN, LOSS = (1.0, 1.0), (0.0, 0.0)  # of player 0


@pytest.mark.parametrize(("mover", "won", "lost"), [(0, WIN, LOSS), (1, LOSS, WIN)])
def test_one_winning_child_proves_a_node(mover, won, lost):
    grown = Grown(mover)
    found = grown.grow(t.ROOT, UNKNOWN, lost, won, untried=3)
    grown.prove(t.ROOT, found[2])
    assert grown.bounds(t.ROOT) == won


@pytest.mark.parametrize(("mover", "lost"), [(0, LOSS), (1, WIN)])
def test_a_loss_needs_all_children(mover, lost):
    for others, untried, expected in (
        ([UNKNOWN], 0, UNKNOWN),
        ([lost], 1, UNKNOWN),  # a move that was never tried may still win
        ([lost], 0, lost),
    ):
        grown = Grown(mover)
        found = grown.grow(t.ROOT, lost, *others, untried=untried)
        grown.prove(t.ROOT, found[0])
        assert grown.bounds(t.ROOT) == expected


def test_a_forbidden_move_does_not_save_anybody():
    grown = Grown()
    found = grown.grow(t.ROOT, LOSS, UNKNOWN)
    grown.node(found[1])["status"] = t.FORBIDDEN
    grown.prove(t.ROOT, found[0])
    assert grown.bounds(t.ROOT) == LOSS


@pytest.mark.parametrize(
    ("mover", "below", "expected"),
    [
        (0, [(0.25, 0.5), (0.0, 0.75)], (0.25, 0.75)),
        (1, [(0.25, 0.5), (0.0, 0.75)], (0.0, 0.5)),
        (0, [(0.5, 0.5), (0.0, 0.5)], (0.5, 0.5)),
        (1, [(0.5, 0.5), (0.5, 1.0)], (0.5, 0.5)),
    ],
)
def test_the_player_to_move_takes_the_best_of_the_bounds(mover, below, expected):
    grown = Grown(mover)
    grown.grow(t.ROOT, *below)
    assert grown.kernel(solver.tighten)(grown.tree, t.ROOT)
    assert grown.bounds(t.ROOT) == expected
    assert not grown.kernel(solver.tighten)(grown.tree, t.ROOT)


def test_a_proof_climbs_as_far_as_it_reaches():
    """Player 0 wins at the bottom: that proves his node, and the one above, where 1 had no other
    move, but not the root, where 1 has one."""
    grown = Grown(mover=1)
    first = grown.grow(t.ROOT, UNKNOWN, UNKNOWN, mover=1)
    second = grown.grow(first[0], UNKNOWN, mover=0)
    third = grown.grow(second[0], WIN, UNKNOWN)
    grown.prove(t.ROOT, first[0], second[0], third[0])
    assert [grown.bounds(i) for i in (second[0], first[0], t.ROOT)] == [WIN, WIN, UNKNOWN]


def test_dice_prove_nothing():
    grown = Grown(mover=CHANCE)
    found = grown.grow(t.ROOT, WIN, WIN)
    grown.prove(t.ROOT, found[0])
    assert grown.bounds(t.ROOT) == UNKNOWN


def test_an_unproven_loss_counts_as_a_lost_game():
    """A simulation ends in a proven loss of player 0, who has another move: an ordinary loss."""
    grown = Grown(mover=1)
    (node,) = grown.grow(t.ROOT, UNKNOWN, mover=0)
    lost, _ = grown.grow(node, LOSS, UNKNOWN)
    grown.sim.path[:3] = [t.ROOT, node, lost]
    grown.sim.chooser[:3] = [0, 1, 0]
    grown.sim.depth = 2
    play_out = grown.kernel(simulate.simulate)
    play_out(grown.tree, grown.sim, grown.own, grown.params, None)
    grown.kernel(backup.back_up)(grown.tree, grown.sim, 0, 1)
    grown.prove(t.ROOT, node, lost)
    assert grown.sim.rewards.tolist() == [0.0, 1.0]
    assert grown.node(node)["value"] == t.SCALE  # player 1, who chose it, has won one game
    assert grown.node(lost)["value"] == 0
    assert grown.bounds(node) == grown.bounds(t.ROOT) == UNKNOWN


@pytest.mark.parametrize("reward", [0.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("kind", ["wins", "bounds"])
def test_draws_and_scores_are_proven_only_with_bounds(kind, reward):
    ended = replace(GAME, rewards=lambda state, out: out.fill(reward))
    grown = Grown(game=ended, solver=kind)
    grown.kernel(solver.note_result)(view(grown.tree).nodes[t.ROOT], grown.sim)
    certain = kind == "bounds" or reward in (0.0, 1.0)
    assert grown.bounds(t.ROOT) == ((reward, reward) if certain else UNKNOWN)


# --- selection and the final move -----------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"expand": "all"}, {"fpu": 0.5}])
def test_selection_skips_what_cannot_be_better(settings):
    grown = Grown(**settings)
    grown.grow(t.ROOT, LOSS, (0.5, 0.5), UNKNOWN, (0.0, 0.5))
    for n, child in enumerate(range(1, 5)):
        grown.node(child)["value"] = (9 - n) * t.SCALE  # the losing move looks best
    best = grown.kernel(select.best_child)
    assert (
        grown.node(best(grown.tree, t.ROOT, grown.sim, grown.own, grown.params, None))["move"] == 1
    )
    grown.node(t.ROOT)["lower"] = 0.5
    assert (
        grown.node(best(grown.tree, t.ROOT, grown.sim, grown.own, grown.params, None))["move"] == 2
    )


def test_selection_skips_what_cannot_be_better_for_the_second_player():
    grown = Grown(mover=1)
    grown.grow(t.ROOT, WIN, (0.5, 0.5), UNKNOWN, (0.5, 1.0), mover=0)
    for n, child in enumerate(range(1, 5)):
        grown.node(child)["value"] = (9 - n) * t.SCALE  # what the first player wins looks best
    best = grown.kernel(select.best_child)
    assert (
        grown.node(best(grown.tree, t.ROOT, grown.sim, grown.own, grown.params, None))["move"] == 1
    )
    grown.node(t.ROOT)["upper"] = 0.5
    assert (
        grown.node(best(grown.tree, t.ROOT, grown.sim, grown.own, grown.params, None))["move"] == 2
    )


def test_when_all_moves_lose_the_most_visited_is_followed():
    grown = Grown()
    found = grown.grow(t.ROOT, LOSS, LOSS, LOSS)
    grown.node(found[1])["visits"] = 30
    best = grown.kernel(select.best_child)
    assert best(grown.tree, t.ROOT, grown.sim, grown.own, grown.params, None) == found[1]


@pytest.mark.parametrize("kind", ["wins", "bounds"])
def test_proven_children_are_not_visited_again(kind):
    """One simulation after another; a child that is lost for the chooser gets no more visits."""
    searcher = Searcher(GAME, SearchConfig(solver=kind), seed=4, jit=False)
    position = Position.start(GAME, jit=False).play("a1", "b1", "a2")
    skipped = 0
    for _ in range(150):
        before = {
            child: int(searcher.tree.nodes[child]["visits"])
            for index in range(int(searcher.tree.meta[0]["top"]))
            for child in lost_children(searcher.tree, index)
        }
        searcher.search(position, Limit(1))
        for child, visits in before.items():
            assert searcher.tree.nodes[child]["visits"] == visits
            skipped += 1
    assert skipped > 0


def lost_children(tree, index):
    """Children that are lost for the player to move at a node that is not decided itself."""
    node = tree.nodes[index]
    if node["status"] != t.EXPANDED or node["lower"] == node["upper"]:
        return []
    worst = 0.0 if node["mover"] == 0 else 1.0
    found = children(tree, index).tolist()
    return [c for c in found if tree.nodes[c]["lower"] == tree.nodes[c]["upper"] == worst]


@pytest.mark.parametrize("final", ["robust", "max", "robust-max", "secure"])
@pytest.mark.parametrize("mover", [0, 1])
def test_the_final_move_obeys_proofs(final, mover):
    """Against all averages: a win first, then what is open, and losses last."""
    searcher = Searcher(GAME, SearchConfig(solver="wins", final=final), seed=1, jit=False)
    position = Position.start(GAME, jit=False)
    searcher.search(position.play("b2") if mover else position, Limit(9 - mover))
    nodes = searcher.tree.nodes
    found = children(searcher.tree, t.ROOT)
    nodes["visits"][found] = 10
    nodes["value"][found] = 5 * t.SCALE
    lost, won = (float(mover == player) for player in (1, 0))
    most = found[3]
    nodes["visits"][most] = 50
    nodes["value"][most] = 40 * t.SCALE
    assert searcher.decision().move == nodes[most]["move"]
    nodes["lower"][most] = nodes["upper"][most] = lost
    decision = searcher.decision()
    assert decision.move != nodes[most]["move"]
    assert decision.children[-1].move == nodes[most]["move"]
    assert decision.children[-1].proven == 0.0
    nodes["lower"][found[6]] = nodes["upper"][found[6]] = won
    decision = searcher.decision()
    assert decision.move == nodes[found[6]]["move"]
    assert decision.children[0].proven == 1.0


# --- whole searches -------------------------------------------------------------------------------


def test_a_search_stops_when_the_root_is_proven():
    position = start("tictactoe").play("a1", "b1", "a2")
    searcher = Searcher(GAME, SearchConfig(solver="wins"))
    decision = searcher.search(position.play("b2"), Limit(100_000))
    assert (decision.text, decision.proven) == ("a3", 1.0)
    assert decision.simulations < 1000
    assert searcher.search(position.play("b2"), Limit(100_000)).simulations == 0


def test_tictactoe_is_a_draw_only_with_bounds():
    found = {}
    for kind in ("wins", "bounds"):
        searcher = Searcher(GAME, SearchConfig(solver=kind), seed=2)
        found[kind] = searcher.search(start("tictactoe"), Limit(200_000)).proven
    assert found == {"wins": None, "bounds": 0.5}


def proven_nodes(tree, position):
    """Every proven node of a tree with its position; what transpositions share is followed once."""
    open_nodes = [(t.ROOT, position)]
    seen = set()
    while open_nodes:
        index, here = open_nodes.pop()
        inner = int(positions(tree, np.array([index]))[0])
        node = tree.nodes[inner]
        if node["lower"] == node["upper"]:
            yield here, float(node["lower"])
        if inner not in seen and not here.over:
            seen.add(inner)
            for child in children(tree, inner).tolist():
                open_nodes.append((child, here.play(int(tree.nodes[child]["move"]))))


EXACT = [
    ("tictactoe", "", "bounds", False),
    ("tictactoe", "b2", "bounds", True),
    ("tictactoe", "a1", "wins", False),
    ("breakthrough:size=2x5", "", "wins", False),
]


@pytest.mark.parametrize(("spec", "line", "kind", "transpositions"), EXACT)
def test_every_proof_is_true(spec, line, kind, transpositions):
    """Each proven node of a searched tree, against exhaustive search."""
    position = start(spec).play(*line.split())
    config = SearchConfig(solver=kind, transpositions=transpositions, memory_mb=5)
    searcher = Searcher(position.game, config, seed=6)
    searcher.search(position, Limit(2500))
    values = {}
    for here, reward in proven_nodes(searcher.tree, position):
        key = here.state.tobytes()
        if key not in values:
            values[key] = here.rewards[0] if here.over else solve(here, entries=1 << 13)
        assert reward == values[key]
    assert len(values) > 100


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_scores_are_proven(transpositions, seed):
    """Rewards in sixteenths, and players who move twice in a row."""
    config = SearchConfig(solver="bounds", transpositions=transpositions)
    searcher = Searcher(chips(), config, seed=seed, jit=False)
    position = Position.start(chips(), jit=False)
    decision = searcher.search(position, Limit(1500))
    exact = solve(position, entries=1024, jit=False)
    assert decision.proven == exact == 10 / 16
    assert solve(position.play(decision.move), entries=1024, jit=False) == exact
    rewards = set()
    for here, reward in proven_nodes(searcher.tree, position):
        rewards.add(reward)
        if here.over:
            assert reward == here.rewards[0]
        elif here.ply >= 2:
            assert reward == solve(here, entries=1024, jit=False)
    assert len(rewards) >= 4


def test_wins_prove_no_scores():
    searcher = Searcher(chips(), SearchConfig(solver="wins"), jit=False)
    decision = searcher.search(Position.start(chips(), jit=False), Limit(300))
    assert decision.proven is None
    assert decision.simulations == 300


def test_one_player_proves_his_best_result():
    """4 + 4 + 4 points of 24, and 1: three twos apart, and one more beside any of them."""
    of = digits()
    searcher = Searcher(of, SearchConfig(solver="bounds"), seed=1, jit=False)
    decision = searcher.search(Position.start(of, jit=False), Limit(2000))
    assert decision.proven == pytest.approx(13 / 24)
    assert list(decision.line).count("2") == 4


@pytest.mark.parametrize("transpositions", [False, True])
def test_a_game_that_can_go_on_for_ever_is_not_proven(transpositions):
    config = SearchConfig(solver="wins", transpositions=transpositions)
    searcher = Searcher(ring(), config, seed=1, jit=False)
    position = Position.start(ring(), jit=False)
    assert searcher.search(position, Limit(300)).proven is None
    assert searcher.search(position.play(1, 1), Limit(300)).proven == 1.0


def test_dice_are_searched_but_not_proven():
    of = dice_duel()
    searcher = Searcher(of, SearchConfig(solver="bounds"), jit=False)
    decision = searcher.search(Position.start(of, jit=False), Limit(200))
    assert decision.proven is None
    assert decision.simulations == 200


def test_three_players_are_refused():
    with pytest.raises(ConfigError, match="solver is for one or two players, triple_nim has 3"):
        Searcher(triple_nim(), SearchConfig(solver="wins"))


@pytest.mark.parametrize("transpositions", [False, True])
def test_a_proof_whose_moves_were_forgotten_is_found_again(transpositions):
    """A small tree loses the children of proven nodes; one of these may be the next root."""
    config = SearchConfig(solver="bounds", memory_mb=0.02, transpositions=transpositions)
    for seed in range(8):
        searcher = Searcher(GAME, config, seed=seed)
        rng = np.random.default_rng(seed)
        position = start("tictactoe")
        while not position.over:
            decision = searcher.search(position, Limit(800))
            assert decision.move in position.moves
            if decision.proven is not None:
                exact = solve(position, entries=1 << 13)
                assert decision.proven == (exact if position.mover == 0 else 1 - exact)
            position = position.play(int(rng.choice(position.moves)))


# --- the small boards of Pepels 2014 --------------------------------------------------------------

COMPILED = "breakthrough:size=2x5"  # also among the exact ones above: compiled once for both
LARGEST = [*(board for board in LARGER if board[0] != COMPILED), ("breakthrough:size=3x5", False)]


def winner(spec, *, simulations, jit=True, **settings):
    """The proven reward of the first player."""
    of = load(spec)
    searcher = Searcher(of, SearchConfig(solver="wins", **settings), jit=jit)
    return searcher.search(Position.start(of, jit=jit), Limit(simulations)).proven


@pytest.mark.parametrize(("spec", "first"), [*TINY, *SMALL])
def test_winners_of_tiny_boards(spec, first):
    """So few simulations that compiling takes longer."""
    assert winner(spec, simulations=5000, jit=False) == float(first)


@pytest.mark.parametrize(
    ("spec", "first"),
    [(COMPILED, False), *(pytest.param(*board, marks=pytest.mark.stress) for board in LARGEST)],
)
def test_winners_of_larger_boards(spec, first):
    assert winner(spec, simulations=10_000_000) == float(first)


def test_a_board_that_is_full_from_the_start():
    position = start("ataxx:size=2")
    assert position.over
    assert position.rewards == (0.5, 0.5)


@pytest.mark.stress
def test_breakthrough_of_seven_rows_without_transpositions():
    assert winner("breakthrough:size=2x7", simulations=50_000_000) == 0.0


@pytest.mark.stress
@pytest.mark.parametrize(("size", "first"), [("2x8", True), ("3x6", True), ("4x5", False)])
def test_breakthrough_with_transpositions(size, first):
    found = winner(
        f"breakthrough:size={size}", simulations=500_000_000, transpositions=True, memory_mb=2000
    )
    assert found == float(first)
