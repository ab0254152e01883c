"""Threads in one tree: locks, counters, and chunks of records.

Who has a lock is alone, and every change of the tree is made by who has one.
"""

import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

from tests.parallel.whole import check_whole
from tests.toys import digits
from tests.waiting import LONG, run_together
from tesuji import Limit, Position, SearchConfig, Searcher
from tesuji.compile import Slot, atomics, specialise
from tesuji.compile.atomics import add, give_way, load
from tesuji.compile.plain import view
from tesuji.parallel import atomic
from tesuji.parallel.atomic import CHUNK, LARGEST_PART, access_of, wait_a_moment
from tesuji.search import tree as t
from tesuji.search.access import PLAIN
from tesuji.search.compact import compact as compact_kernel
from tesuji.search.decide import children
from tesuji.search.parts.threads import PART as THREADS
from tesuji.search.tree import ROOT, allocate

access = Slot("access")

SLOTS = {
    lock: {"access": access_of(SearchConfig(threads=2, lock=lock))}
    for lock in ("free", "local", "global")
}


def locks(tree):
    """Of the tree, and of its root."""
    return int(tree.meta[0]["lock"]), int(tree.nodes[ROOT]["lock"])


def take(tree):
    access.lock_tree(tree)
    access.lock_node(tree.nodes[ROOT])


def give_back(tree):
    access.unlock_node(tree.nodes[ROOT])
    access.unlock_tree(tree)


@pytest.mark.parametrize(
    ("lock", "taken"), [("free", (0, 0)), ("local", (0, 1)), ("global", (1, 0))]
)
def test_a_lock_is_taken_and_given_back(lock, taken):
    tree = allocate(0.01, THREADS.node)
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
        looks = wait_a_moment(looks)


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
    tree = allocate(0.01, THREADS.node)
    kernel = specialise(count_alone, SLOTS[lock], label="a test of locks")
    run_twice(kernel, tree, 20_000)
    assert int(tree.meta[0]["depth"]) == 40_000
    assert locks(tree) == (0, 0)


def count_visits(tree, rounds):
    for n in range(rounds):
        meet(tree, n)
        access.add(tree.nodes[ROOT], "visits", 1)


def test_no_visit_is_lost_between_threads():
    tree = allocate(0.01)
    kernel = specialise(count_visits, SLOTS["free"], label="a test of counters")
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
    monkeypatch.setitem(atomic.SHARED, "add", add)
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


# --- chunks ---------------------------------------------------------------------------------------

append, append_all, compact = (
    specialise(
        kernel,
        {"access": shared, "ALL_CHILDREN": False, "TRANSPOSE": False},
        label=kernel.__name__,
        jit=False,
    )
    for kernel, shared in (
        (t.append, access_of(SearchConfig(threads=2))),
        (t.append_all, access_of(SearchConfig(threads=2))),
        (compact_kernel, PLAIN),
    )
)


def grown(threads, megabytes=2.5, rounds=900):
    """A chain of moves that threads lengthen in turns, with a second child here and there."""
    arena = t.allocate(megabytes, threads=threads)
    views = [view(t.of_thread(arena, n)) for n in range(threads)]
    last = t.ROOT
    for n in range(rounds):
        node = arena.nodes[last]
        node["status"], node["count"], node["visits"] = t.EXPANDED, 2, 2 * rounds - n
        child = append(views[n * n % threads], last, n)
        if n % 3 == 0:
            arena.nodes[append(views[n % threads], last, n + rounds)]["visits"] = 1
        arena.nodes[child]["visits"] = 1
        last = child
    parents = np.flatnonzero(arena.nodes["first"])
    assert (arena.nodes["first"][parents] < parents).any()  # a child may lie before its parent
    return arena


def line(arena):
    """The moves and visits of all nodes, from the root down."""
    index, found = t.ROOT, []
    while len(below := children(arena, index)):
        found.append([arena.nodes[child][["move", "visits"]].tolist() for child in below])
        index = int(below[0])
    return found


def in_tree(arena):
    """Records that the nodes of a tree need."""
    return 1 + sum(len(each) for each in line(arena))


@pytest.mark.parametrize("threads", [2, 8])
def test_threads_take_records_in_chunks(threads):
    arena = grown(threads)
    unused = int((arena.chunks["end"] - arena.chunks["next"]).sum())
    assert arena.meta[0]["top"] == in_tree(arena) + unused
    assert t.used_bytes(arena) == in_tree(arena) * arena.nodes.itemsize
    assert 0 < unused <= threads * CHUNK
    for chunk in arena.chunks:
        assert (arena.nodes[int(chunk["next"]) : int(chunk["end"])] == arena.blank[0]).all()


@pytest.mark.parametrize("threads", [2, 8])
@pytest.mark.parametrize("fewest", [0, 1000, 10**6])
def test_compaction_needs_no_order_of_records(threads, fewest):
    arena = grown(threads)
    before = line(arena)
    expanded = arena.nodes["visits"][arena.nodes["status"] == t.EXPANDED]
    compact(view(arena), t.ROOT, fewest)
    assert line(arena) == before[: max(1, np.count_nonzero(expanded >= fewest))]
    assert arena.meta[0]["top"] == in_tree(arena)
    assert t.used_bytes(arena) == in_tree(arena) * arena.nodes.itemsize


@pytest.mark.parametrize("depth", [1, 63, 64, 200, 899])
def test_a_root_may_lie_behind_its_children(depth):
    arena = grown(3)
    before = line(arena)
    index = t.ROOT
    for _ in range(depth):
        index = int(children(arena, index)[0])
    compact(view(arena), index, 0)
    assert line(arena) == before[depth:]
    assert arena.meta[0]["top"] == in_tree(arena)


def test_large_blocks_leave_a_chunk_as_it_is():
    arena = t.allocate(2.5, threads=2)
    tree = view(t.of_thread(arena, 1))
    arena.nodes[t.ROOT]["count"] = 100
    one = append(tree, t.ROOT, 0)
    first = append_all(tree, one, CHUNK)
    assert append(tree, t.ROOT, 1) == one + 1
    assert first == 1 + CHUNK
    assert arena.meta[0]["top"] == 1 + 2 * CHUNK


@pytest.mark.parametrize("megabytes", [0.02, 0.1, 2.5])
def test_threads_fill_a_tree_up(megabytes):
    """The last records are taken one by one; what is left is in other threads' chunks."""
    arena = t.allocate(megabytes, threads=2)
    views = [view(t.of_thread(arena, n)) for n in range(2)]
    parent = t.ROOT
    asked = 0
    while not arena.meta[0]["full"]:
        arena.nodes[parent]["count"] = 1
        parent = append(views[asked % 7 == 0], parent, 0) or parent
        asked += 1
    assert arena.meta[0]["top"] == len(arena.nodes)
    assert len(arena.nodes) - asked < max(1, len(arena.nodes) // LARGEST_PART)
