"""Chaslot's locks: who has one is alone, and every change of the tree is made by who has one."""

import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
from tesuji.search.threads import add_visits, be_patient, enter, hold, leave, let_go

from tests.parallel.whole import check_whole
from tests.toys import digits
from tests.waiting import LONG, run_together
from tesuji import Limit, Position, SearchConfig, Searcher
from tesuji.compile import atomics, specialise
from tesuji.compile.atomics import add, give_way, load
from tesuji.search.parts.threads import PART as THREADS
from tesuji.search.tree import ROOT, allocate

SLOTS = {
    lock: {"GLOBAL": lock == "global", "LOCAL": lock == "local"}
    for lock in ("none", "local", "global")
}


def locks(tree):
    """Of the tree, and of its root."""
    return int(tree.meta[0]["lock"]), int(tree.nodes[ROOT]["lock"])


def take(tree):
    hold(tree)
    enter(tree.nodes[ROOT])


def give_back(tree):
    leave(tree.nodes[ROOT])
    let_go(tree)


@pytest.mark.parametrize(
    ("lock", "taken"), [("none", (0, 0)), ("local", (0, 1)), ("global", (1, 0))]
)
def test_a_lock_is_taken_and_given_back(lock, taken):
    tree = allocate(0.01, THREADS.fields)
    specialise(take, SLOTS[lock], label="", jit=False)(tree)
    assert locks(tree) == taken
    specialise(give_back, SLOTS[lock], label="", jit=False)(tree)
    assert locks(tree) == (0, 0)


def run_twice(kernel, tree, rounds):
    """Two threads that begin together."""
    kernel(tree, 0)
    barrier = threading.Barrier(2)

    def run():
        barrier.wait(LONG)
        kernel(tree, rounds)

    run_together(run, run)  # a lock that nobody gives back would be waited for without end


def meet(tree, n):
    """Wait for the other of two threads, so that both do the same at the same time."""
    add(tree.meta[0], "left", 1)
    looks = 0
    while load(tree.meta[0], "left") < 2 * (n + 1):
        looks = be_patient(looks)


def count_alone(tree, rounds):
    """Add to a counter as no thread must that is not alone: what it held may be old by then."""
    for n in range(rounds):
        meet(tree, n)
        take(tree)
        depth = tree.meta[0].depth
        give_way()
        tree.meta[0].depth = depth + 1
        give_back(tree)


@pytest.mark.parametrize("lock", ["local", "global"])
def test_a_lock_keeps_other_threads_out(lock):
    tree = allocate(0.01, THREADS.fields)
    kernel = specialise(count_alone, SLOTS[lock], label="a test of locks")
    run_twice(kernel, tree, 20_000)
    assert int(tree.meta[0]["depth"]) == 40_000
    assert locks(tree) == (0, 0)


def count_visits(tree, rounds):
    for n in range(rounds):
        meet(tree, n)
        add_visits(tree.nodes[ROOT], 1)


def test_no_visit_is_lost_between_threads():
    tree = allocate(0.01)
    kernel = specialise(count_visits, {"THREADS": True}, label="a test of counters")
    run_twice(kernel, tree, 100_000)
    assert int(tree.nodes[ROOT]["visits"]) == 200_000


class Watched:
    """A tree in uncompiled hands: was the lock held whenever something was added?"""

    def __init__(self):
        self.tree = None
        self.added = set()  #: the field, and whether its node or the tree was locked

    def locked(self, record):
        """By whoever adds to a record."""
        mine = "lock" in record.dtype.names and record["lock"]
        return bool(mine or self.tree.meta[0]["lock"])

    def locks(self):
        """How many are held."""
        nodes = self.tree.nodes[: int(self.tree.meta[0]["top"])]
        held = np.count_nonzero(nodes["lock"]) if "lock" in nodes.dtype.names else 0
        return held + int(self.tree.meta[0]["lock"])


@pytest.fixture
def watched(monkeypatch):
    """Uncompiled searches that say what they add.  Threads that take turns never have to wait."""
    watched = Watched()
    plain = atomics.add

    def add(record, field, amount):
        if field in ("visits", "value"):
            watched.added.add((field, watched.locked(record)))
        return plain(record, field, amount)

    def pause():
        raise AssertionError("a thread waits for a lock that nobody will give back")

    for name, instead in (("add", add), ("pause", pause)):
        original = getattr(atomics, name)
        for module in list(sys.modules.values()):
            if module.__name__.startswith("tesuji.") and vars(module).get(name) is original:
                monkeypatch.setattr(module, name, instead)
    return watched


@pytest.mark.parametrize(("lock", "locked"), [("free", False), ("local", True), ("global", True)])
def test_a_tree_changes_only_in_the_hands_of_who_has_its_lock(lock, locked, watched):
    """On the way down and on the way up; nobody keeps a lock while the game is played out."""
    ends = []

    def rewards(state, out):
        ends.append(watched.locks())
        digits.rewards(state, out)

    game = replace(digits.game(), rewards=rewards)
    searcher = Searcher(game, SearchConfig(lock=lock), threads=2, jit=False)
    watched.tree = searcher.tree
    searcher.search(Position.start(digits.game()), Limit(simulations=60))
    assert watched.added == {("visits", locked), ("value", locked)}
    assert set(ends) == {0}
    assert int(searcher.tree.nodes[ROOT]["visits"]) == 60
    check_whole(searcher.tree, players=1)
