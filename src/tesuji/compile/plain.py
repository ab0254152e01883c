"""Run kernels as ordinary Python, for debuggers and for comparing with the compiled code.

Compiled code reads every integer field as a 64-bit integer and wraps around when it stores into a
narrow one.  NumPy scalars do neither (``np.uint8(0) - 1`` stays a byte), so uncompiled kernels get
views of the same memory that behave like the compiled code: a read gives a Python number, a write
wraps.  Nothing is copied; the arrays that the caller holds change as usual.
"""

from collections.abc import Callable
from typing import Any

import numpy as np


class Field(np.ndarray):
    """An array whose elements are read as Python numbers and written with wrap-around."""

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        return value.item() if isinstance(value, np.number | np.bool_) else value

    def __setitem__(self, index: Any, value: Any) -> None:
        try:
            super().__setitem__(index, value)
        except OverflowError:
            super().__setitem__(index, wrap(value, self.dtype))

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))


class Record(np.void):  # type: ignore[misc]  # NumPy allows what its type hints forbid
    """One record: ``record.visits`` reads and writes a field, whatever its name."""

    def __getattribute__(self, name: str) -> Any:
        fields = np.void.__getattribute__(self, "dtype").fields
        if fields is None or name not in fields:
            return np.void.__getattribute__(self, name)
        value = np.void.__getitem__(self, name)
        if isinstance(value, np.ndarray | np.void):
            return view(value)
        return value.item()

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self[name] = value
        except OverflowError:
            self[name] = wrap(value, self.dtype[name])


def wrap(value: int, dtype: np.dtype[Any]) -> Any:
    """Store an integer the way the machine does: keep the low bits."""
    bits = 8 * dtype.itemsize
    low = int(value) & ((1 << bits) - 1)
    return low - (1 << bits) if dtype.kind == "i" and low >> (bits - 1) else low


def view(value: Any) -> Any:
    """See an argument (an array, or a named tuple of arrays) the way compiled code does."""
    if isinstance(value, np.ndarray):
        if value.dtype.fields is None:
            return value.view(Field)
        return value.view(np.dtype((Record, value.dtype))).view(Field)
    if isinstance(value, np.void):
        return value.view(np.dtype((Record, value.dtype)))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(view, value))
    return value


def interpret(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a kernel so that it runs uncompiled on views of its arguments."""

    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*map(view, arguments))

    call.__name__ = function.__name__
    return call
