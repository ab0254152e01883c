"""What may not come again: the repetition keys of the positions before one.

The positions of a game share one list of keys, and each knows how many of them are its past.  So a
game of n moves takes the memory of n keys, and a look at the past the same time however long it is.
"""

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_LOCK = threading.Lock()  # two threads may play on from one position


class _Line:
    """Keys in the order in which they came, each once, and the place of each."""

    def __init__(self, keys: Sequence[int] = ()) -> None:
        self.keys = list(keys)
        self.places = {key: place for place, key in enumerate(keys)}

    def add(self, key: int) -> None:
        self.places[key] = len(self.keys)
        self.keys.append(key)


class Past:
    """The keys of the positions before one; it never changes.

    >>> begin = Past()
    >>> past = begin.then(7).then(8).then(7)
    >>> 7 in past, 7 in begin, past.array().tolist()
    (True, False, [7, 8])
    """

    def __init__(self, line: _Line | None = None, count: int = 0) -> None:
        self._line = _Line() if line is None else line
        self._count = count  # of the keys of the line; what comes behind them is others' past

    def __contains__(self, key: int) -> bool:
        return self._line.places.get(key, self._count) < self._count

    def then(self, key: int) -> "Past":
        """The past of the next position: this one, and the key of the position itself."""
        if key in self:
            return self
        with _LOCK:
            line = self._line
            if len(line.keys) > self._count and line.keys[self._count] != key:
                line = _Line(line.keys[: self._count])  # another game went on from here
            if len(line.keys) == self._count:
                line.add(key)
        return Past(line, self._count + 1)

    def array(self) -> npt.NDArray[np.uint64]:
        """All keys, each once, in the order in which they came first."""
        return np.array(self._line.keys[: self._count], np.uint64)
