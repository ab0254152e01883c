"""Uncompiled kernels see records the way compiled code does."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tesuji.compile import specialise
from tesuji.compile.plain import view, wrap

Cell = np.dtype(
    [("size", np.uint8), ("data", np.int16), ("item", np.uint32, 3), ("grid", np.int8, (2, 2))],
    align=True,
)


def test_fields_may_be_called_anything():
    cells = np.zeros(2, Cell)
    cell = view(cells)[1]
    cell.size, cell.data = 7, -3
    cell.item[2] = 9
    cell.grid[1, 0] = 4
    assert (cell.size, cell.data, list(cell.item), cell.grid[1, 0]) == (7, -3, [0, 0, 9], 4)
    assert cells[1]["size"] == 7
    assert cells[1]["grid"][1, 0] == 4


def test_reads_are_python_numbers():
    cell = view(np.zeros(1, Cell))[0]
    assert type(cell.size) is int
    assert type(cell.item[0]) is int
    assert [type(x) for x in cell.item] == [int] * 3
    assert cell.size - 1 == -1  # a NumPy byte would wrap around here


def arithmetic(cells, a, b):
    cell = cells[0]
    cell.size = a
    cell.data = b
    cell.item[0] = cell.size - cell.data
    cell.item[1] = cell.item[0] * 3
    cell.size -= 1
    cell.data += 1000
    return cell.item[1] + cell.size - cell.data


@given(st.integers(-(2**40), 2**40), st.integers(-(2**40), 2**40))
def test_arithmetic_equals_compiled_arithmetic(a, b):
    results = []
    for jit in (True, False):
        cells = np.zeros(1, Cell)
        value = specialise(arithmetic, {}, label="test arithmetic", jit=jit)(cells, a, b)
        results.append((value, cells.tobytes()))
    assert results[0] == results[1]


@given(st.integers(-(2**70), 2**70))
def test_wrap_keeps_the_low_bits(value):
    assert wrap(value, np.dtype(np.uint16)) == value % 2**16
    signed = wrap(value, np.dtype(np.int16))
    assert -(2**15) <= signed < 2**15
    assert signed % 2**16 == value % 2**16
