"""Atomics under real threads: nothing is lost, locks exclude, published data is complete."""

import numpy as np
import pytest

from tests.waiting import run_together
from tesuji.compile import specialise
from tesuji.compile.atomics import add, load, pause, store, swap

Cell = np.dtype([("pad", np.int64), ("n", np.int32), ("lock", np.int32), ("sum", np.int64)])
THREADS = 4
ROUNDS = 50_000


def count(cells, rounds):
    for _ in range(rounds):
        add(cells[0], "n", 1)
        add(cells[0], "sum", 3)


def locked(cells, rounds):
    for _ in range(rounds):
        while not swap(cells[0], "lock", 0, 1):
            pause()
        cells[0].sum += 1
        store(cells[0], "lock", 0)


def publish(cells, rounds):
    for i in range(rounds):
        cells[1].sum = i + 1
        store(cells[0], "n", i + 1)


def observe(cells, rounds):
    torn = 0
    seen = 0
    while seen < rounds:
        seen = load(cells[0], "n")
        torn += cells[1].sum < seen
    return torn


def test_additions_are_not_lost():
    cells = np.zeros(1, Cell)
    kernel = specialise(count, {}, label="test atomics")
    kernel(cells, 0)
    run_together(*[lambda: kernel(cells, ROUNDS)] * THREADS)
    assert cells[0]["n"] == THREADS * ROUNDS
    assert cells[0]["sum"] == 3 * THREADS * ROUNDS


def test_swap_makes_a_lock():
    cells = np.zeros(1, Cell)
    kernel = specialise(locked, {}, label="test lock")
    kernel(cells, 0)
    run_together(*[lambda: kernel(cells, ROUNDS // 10)] * THREADS)
    assert cells[0]["sum"] == THREADS * (ROUNDS // 10)
    assert cells[0]["lock"] == 0


def test_a_load_sees_what_came_before_the_store():
    cells = np.zeros(2, Cell)
    writer = specialise(publish, {}, label="test publish")
    reader = specialise(observe, {}, label="test observe")
    writer(cells, 0)
    reader(cells, 0)
    torn = []
    run_together(lambda: torn.append(reader(cells, ROUNDS)), lambda: writer(cells, ROUNDS))
    assert torn == [0]


def operations(cells, out):
    out[0] = add(cells[0], "n", 5)
    out[1] = swap(cells[0], "lock", 0, 7)
    out[2] = swap(cells[0], "lock", 0, 8)
    store(cells[0], "sum", 9)
    pause()
    out[3] = load(cells[0], "sum")


@pytest.mark.parametrize("jit", [True, False])
def test_results_are_the_same_uncompiled(jit):
    cells, out = np.zeros(1, Cell), np.zeros(4, np.int64)
    specialise(operations, {}, label="test operations", jit=jit)(cells, out)
    assert out.tolist() == [0, 1, 0, 9]
    assert cells[0].item() == (0, 5, 7, 9)
