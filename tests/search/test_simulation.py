"""A simulation as a value: copies of it, and searches that put it aside at every step."""

from typing import Any

import numpy as np
import pytest

from tests.toys.chips import game as chips
from tests.toys.dice_duel import game as dice_duel
from tests.toys.knowing import game as knowing
from tesuji import Position, SearchConfig, load
from tesuji.compile import Slot, inlined, specialise, stream
from tesuji.compile.plain import view
from tesuji.parallel.runners import OneThread, Scheme
from tesuji.parallel.tree_search import TreeSearch
from tesuji.search.bindings import bindings
from tesuji.search.context import make_params, make_simulations
from tesuji.search.descend import LEAF, descend, step
from tesuji.search.loop import finish, should_stop
from tesuji.search.simulation import begin, copy_beginning, take_up
from tesuji.search.tree import ROOT

access = Slot("access")

GAME = load("tictactoe")
#: whatever parts keep in a simulation
EVERYTHING = {
    "rave": "mse",
    "grave": 10,
    "pool": 0.5,
    "pool_visits": 5,
    "pairs": 0.5,
    "pairs_visits": 2,
    "gibbs": "mast",
}


def filled(game, config, count=2):
    """Simulations with anything at all in every byte."""
    sims = make_simulations(game, config, count)
    sims.view(np.uint8)[:] = np.random.default_rng(5).integers(0, 256, sims.nbytes, np.uint8)
    return sims


def contents(record, name=""):
    """All fields of a record, those of records in it too, as bytes by name."""
    if record.dtype.names is None:
        return {name: record.tobytes()}
    return {
        inner: value
        for field in record.dtype.names
        for inner, value in contents(record[field], f"{name}.{field}").items()
    }


def differing(one, other):
    """The names of what is not the same."""
    assert one.keys() == other.keys()
    return [name for name in one if one[name] != other[name]]


# --- copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("depth", [0, 1, 4, 9])
@pytest.mark.parametrize("settings", [{}, EVERYTHING], ids=["uct", "everything"])
def test_a_beginning_is_the_state_and_the_moves_in_the_tree(settings, depth, jit):
    """And nothing else: what parts keep, rewards, counts and later moves are those of before."""
    config = SearchConfig(**settings)
    sims = filled(GAME, config)
    sims["depth"][1] = depth
    expected = sims[:1].copy()
    expected["state"], expected["depth"] = sims["state"][1], depth
    for field, count in {
        "path": depth + 1,
        "chooser": depth + 1,
        "trace": depth,
        "movers": depth,
    }.items():
        if field in sims.dtype.names:
            expected[field][0, :count] = sims[field][1, :count]
    source = contents(sims[1])
    slots = bindings(GAME, config)
    kernel = specialise(copy_first, slots, label="a copy", variant=str(sims.dtype), jit=jit)
    kernel(sims)
    assert differing(contents(sims[0]), contents(expected[0])) == []
    assert differing(contents(sims[1]), source) == []
    assert differing(contents(sims[0]), source) != []


def copy_first(sims):
    copy_beginning(sims[0], sims[1])


class Grown:
    """A tree after some simulations, with the kernels that made it."""

    def __init__(self, game, simulations=150, **settings):
        self.config = SearchConfig(memory_mb=1, **settings)
        self.search = TreeSearch(game, self.config, 3, False)
        self.search.set_root(Position.start(game, jit=False))
        self.search.simulate(simulations)
        self.tree, self.own = view(self.search.tree), view(self.search.own)
        self.params = view(make_params(game, self.config))[0]
        self._slots = bindings(game, self.config)

    def call(self, kernel, *arguments):
        return specialise(kernel, self._slots, label="a test", jit=False)(*arguments)


@pytest.mark.parametrize("game", [GAME, chips(), dice_duel()], ids=lambda game: game.name)
def test_who_takes_a_simulation_up_knows_what_it_knew(game):
    """After the descent of another: the last moves, the sources of AMAF values; and no pool."""
    grown = Grown(game, **EVERYTHING)
    own, rng = grown.own, stream(1, "descents")
    seen = 0
    for _ in range(30):
        sims = view(filled(game, grown.config))
        grown.call(begin, sims[0], own)
        grown.call(descend, grown.tree, sims[0], own, grown.params, rng)
        grown.call(copy_beginning, sims[1], sims[0])
        grown.call(take_up, grown.tree, sims[1], own, grown.params)
        made, taken = sims[0], sims[1]
        assert taken.length[0] == made.length[0] == made.depth == taken.depth
        assert taken.pairs.last.tolist() == made.pairs.last.tolist()
        assert taken.grave.source.tolist() == made.grave.source.tolist()
        assert taken.grave.filled.tolist() == made.grave.filled.tolist()
        assert taken.pool.count == 0
        seen += max(taken.grave.filled) > 0
    assert seen > 0 or game.name == "dice_duel"


# --- put aside at every step ----------------------------------------------------------------------

IN_USE, ASIDE, ANYTHING = range(3)


@inlined
def keep_whole(tree: Any, sims: Any, own: Any, params: Any) -> None:
    """Kernel: copy the record away; something else has its place for a while; copy it back."""
    sims[ASIDE] = sims[IN_USE]
    sims[IN_USE] = sims[ANYTHING]
    disturb(own)
    sims[IN_USE] = sims[ASIDE]


@inlined
def keep_beginning(tree: Any, sims: Any, own: Any, params: Any) -> None:
    """Kernel: the same with what is used of it alone; the rest is found out again."""
    copy_beginning(sims[ASIDE], sims[IN_USE])
    sims[IN_USE] = sims[ANYTHING]
    disturb(own)
    copy_beginning(sims[IN_USE], sims[ASIDE])
    take_up(tree, sims[IN_USE], own, params)


@inlined
def disturb(own: Any) -> None:
    """Kernel: leave nothing in the scratch buffers, as another simulation of the thread might."""
    for i in range(len(own.moves)):
        own.moves[i] = 77
    for i in range(len(own.judged)):
        own.judged[i] = 7.7
    for i in range(len(own.order)):
        own.order[i] = 77
    own.ahead[0] = own.root[0]


keep = Slot("keep")


def run_in_pieces(tree: Any, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: as `tesuji.search.loop.run`, but put the simulation aside between any two steps."""
    sim = sims[IN_USE]
    for done in range(count):
        if should_stop(tree, ROOT):
            return done
        begin(sim, own)
        access.lock_tree(tree)
        ref = sim.path[sim.depth]
        while ref != LEAF:
            keep.aside(tree, sims, own, params[0])
            ref = step(tree, ref, sim, own, params[0], rng)
        keep.aside(tree, sims, own, params[0])
        sim.length[0] = sim.depth
        access.unlock_tree(tree)
        finish(tree, sim, own, params[0], rng, 0)
    return count


def in_pieces(aside):
    """What runs a search so."""
    scheme = Scheme(
        "in pieces",
        lambda config: True,
        run_in_pieces,
        OneThread,
        {"keep": {"aside": aside}},
        simulations=lambda config: 3,
    )

    def runs(game, config, tree, seed, jit):
        runner = OneThread(scheme, game, config, tree, seed, jit)
        runner.sims[0][:] = filled(game, config, 3)
        return runner

    return runs


CASES = {
    "uct": (GAME, {}),
    "rave": (GAME, {"rave": "mse", "pool": 0.5, "pool_visits": 5}),
    "grave": (chips(), {"rave": "equivalence", "grave": 10}),
    "pairs": (GAME, {"pairs": 0.7, "pairs_visits": 2, "gibbs": "ngram"}),
    "proofs": (chips(), {"solver": "bounds"}),
    "transpositions": (chips(), {"solver": "wins", "transpositions": True}),
    "knowledge": (knowing(), {"knowledge": "squares", "widen": "crazystone", "bias": "mango"}),
    "first plays": (GAME, {"policy_visits": 6, "decisive": True}),
    "whole games": (GAME, {"expand": "game"}),
    "decided": (knowing(), {"evaluation": "even", "decide": 0.9, "decide_every": 1}),
    "backup": (GAME, {"backup": "mix"}),
    "dice": (dice_duel(), {"gibbs": "mast"}),
    "superko": (load("go:size=2"), {}),
    "territory": (load("go:size=3"), {"ownership": True, "rave": "mse", "criticality": 2.0}),
    "little memory": (GAME, {"expand": "all", "memory_mb": 0.01}),
}


def searched(game, settings, jit, **how):
    """All that a search leaves behind."""
    config = SearchConfig(**{"memory_mb": 1.0, **settings})
    search = TreeSearch(game, config, 5, jit, **how)
    search.set_root(Position.start(game, jit=False))
    for _ in range(4):
        search.simulate(60)
    tree, own = search.tree, search.own
    groups = {"gibbs": own.gibbs, "pairs": own.pairs, "ownership": own.ownership, "line": own.line}
    return {
        "nodes": tree.nodes[: int(tree.meta[0]["top"])].tobytes(),
        "meta": tree.meta[0].tobytes(),
        "random numbers": search._runner.rngs[0].tobytes(),
        **{
            f"{name} {number}": array.tobytes()
            for name, group in groups.items()
            for number, array in enumerate(group)
        },
    }


@pytest.mark.parametrize("aside", [keep_whole, keep_beginning])
@pytest.mark.parametrize("name", CASES)
def test_a_simulation_can_be_put_aside_between_any_two_steps(name, aside):
    game, settings = CASES[name]
    pieces = searched(game, settings, False, runs=in_pieces(aside))
    assert differing(pieces, searched(game, settings, False)) == []


@pytest.mark.parametrize("aside", [keep_whole, keep_beginning])
def test_it_can_be_put_aside_in_machine_code_too(aside):
    game, settings = CASES["pairs"]
    pieces = searched(game, settings, True, runs=in_pieces(aside))
    assert differing(pieces, searched(game, settings, True)) == []
