"""Slices of work: a kernel runs for some milliseconds, then Python looks at clock and signals.

`SliceRunner` is the one loop around kernels: of searches, of planning, of whatever learns by
simulations.  It keeps the limit, tells of progress, and lets Ctrl-C in.
"""

import time
from collections.abc import Callable

from tesuji.search.limit import Limit

SLICE_SECONDS = 0.02  # how long the kernel runs before Python looks at clock, signals and memory
PROGRESS_SECONDS = 0.5


class SliceRunner:
    """Runs simulations slice by slice."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self.seconds = 0.0  #: that the last run has taken, or the one under way

    def run(
        self,
        step: Callable[[int], int],
        done: Callable[[], int],
        limit: Limit,
        *,
        more: Callable[[], bool] = lambda: True,
        tell: Callable[[], None] | None = None,
        interval: float = PROGRESS_SECONDS,
        enough: Callable[[], bool] | None = None,
        look_every: int | None = None,
    ) -> bool:
        """Run until the limit is reached, or there is nothing ``more`` to do; False if ``enough``.

        ``step`` runs up to so many and says how many there were, ``done`` counts all of them.
        ``tell`` is called every ``interval`` seconds, ``enough`` after every slice; slices end
        where a multiple of ``look_every`` is reached, too, however fast the machine is.
        """
        self.seconds = 0.0
        begin = told = time.perf_counter()
        size = 1
        while self._within(limit, done()) and more():
            started = time.perf_counter()
            ran = step(self._fitting(size, limit, look_every, done()))
            now = time.perf_counter()
            self.seconds = now - begin
            size = next_size(ran, now - started)
            if tell is not None and now - told >= interval:
                told = now
                tell()
            if enough is not None and enough():
                return False
        return True

    def _within(self, limit: Limit, done: int) -> bool:
        """Has the limit not been reached?  Something is done, however short the time."""
        if limit.simulations is not None and done >= limit.simulations:
            return False
        return limit.seconds is None or self.seconds < limit.seconds or done == 0

    def _fitting(self, size: int, limit: Limit, look_every: int | None, done: int) -> int:
        """How many simulations to run next: something for each thread, but never past a limit."""
        size = -(-size // self._threads) * self._threads
        if look_every is not None:
            size = min(size, look_every - done % look_every)
        if limit.simulations is not None:
            size = min(size, limit.simulations - done)
        if limit.seconds is not None and done > 0:
            left = (limit.seconds - self.seconds) * done / max(self.seconds, 1e-9)
            size = min(size, int(left) + 1)
        return size


def next_size(done: int, seconds: float) -> int:
    """As many simulations as fit into a slice, growing at most fourfold at a time."""
    fitting = int(done * SLICE_SECONDS / max(seconds, 1e-6))
    return max(1, min(fitting, 4 * done))
