"""Threads that run kernels side by side.  Kernels hold no lock of Python's, so all cores work."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

import numpy as np

from tesuji.compile.atomics import LINE

Answer = TypeVar("Answer")
Array = np.ndarray[Any, Any]


class ThreadPool:
    """So many threads, this one among them."""

    def __init__(self, size: int) -> None:
        self._pool = ThreadPoolExecutor(max(size - 1, 1), "tesuji")

    def together(
        self, calls: Sequence[Callable[[], Answer]], stop: Callable[[], None]
    ) -> list[Answer]:
        """Run all calls at the same time, the first one here; their results.

        When one of them fails, or Ctrl-C comes, ``stop`` shall make the others return.  All have
        ended when this does.
        """
        watch = _Watch(stop)
        futures: list[Future[Any]] = []
        try:
            futures += [self._pool.submit(watch.guard, call) for call in calls[1:]]
            first = watch.guard(calls[0])
        finally:
            watch.await_all(futures)
        return [first, *(future.result() for future in futures)]


class _Watch:
    """Remembers the first error of several threads: what fails after it may only follow from it."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._error: BaseException | None = None

    def guard(self, call: Callable[[], Any]) -> Any:
        """The result of a call, or None if it failed."""
        try:
            return call()
        except BaseException as error:
            self.note(error)

    def note(self, error: BaseException) -> None:
        """Stop all for an error, the first of which counts."""
        if self._error is None:
            self._error = error
        self._stop()

    def await_all(self, futures: list[Future[Any]]) -> None:
        """Wait for all threads, whatever happens; then raise what has happened."""
        while True:
            try:
                wait(futures)
                break
            except KeyboardInterrupt as pressed:
                self.note(pressed)
        if self._error is not None:
            raise self._error


def turns(calls: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """Run all calls one after another, as code that is not compiled must."""
    return [call() for call in calls]


def own_lines(value: Any) -> Any:
    """A tuple of arrays, copied to memory that shares no cache line with anything else."""
    return convert(value, _aligned)


def convert(value: Any, change: Callable[[Array], Any]) -> Any:
    """A named tuple, the tuples in it too, with something else for each array."""
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, tuple):
        return type(value)(*(convert(each, change) for each in value))
    return value


def room(array: Array) -> int:
    """The bytes of the cache lines that an array fills."""
    return -(-max(array.nbytes, 1) // LINE) * LINE


def _aligned(array: Array) -> Array:
    """A copy of an array that begins and ends with a cache line."""
    memory = np.zeros(room(array) + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    copy: Array = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
