"""Threads that run kernels side by side.  Kernels hold no lock of Python's, so all cores work."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

import numpy as np

Result = TypeVar("Result")

LINE = 128  # bytes that processors move between cores at once: two cache lines, as they prefetch


class Team:
    """So many threads, this one among them."""

    def __init__(self, size: int) -> None:
        self._pool = ThreadPoolExecutor(max(size - 1, 1), "tesuji")

    def together(
        self, calls: Sequence[Callable[[], Result]], stop: Callable[[], None]
    ) -> list[Result]:
        """Run all calls at the same time, the first one here; their results.

        When one of them fails, or Ctrl-C comes, ``stop`` shall make the others return.  All have
        ended when this does.
        """
        with _Watch(stop) as watch:
            futures = [self._pool.submit(watch.guard, call) for call in calls[1:]]
            watch.futures = futures
            first = watch.guard(calls[0])
        return [first, *(future.result() for future in futures)]


class _Watch:
    """Waits for all threads, whatever happens."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self.futures: list[Future[Any]] = []

    def guard(self, call: Callable[[], Result]) -> Result:
        try:
            return call()
        except BaseException:
            self._stop()
            raise

    def __enter__(self) -> "_Watch":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        interrupt = None
        while True:
            try:
                wait(self.futures)
                break
            except KeyboardInterrupt as pressed:
                self._stop()
                interrupt = pressed
        if interrupt is not None:
            raise interrupt


def turns(calls: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run all calls one after another, as code that is not compiled must."""
    return [call() for call in calls]


def own_lines(value: Any) -> Any:
    """A tuple of arrays, copied to memory that shares no cache line with anything else."""
    if isinstance(value, np.ndarray):
        return _aligned(value)
    if isinstance(value, tuple):
        return type(value)(*map(own_lines, value))
    return value


def _aligned(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy of an array that begins and ends with a cache line."""
    size = -(-max(array.nbytes, 1) // LINE) * LINE
    memory = np.zeros(size + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    copy: np.ndarray[Any, Any] = (
        memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    )
    copy[...] = array
    return copy
