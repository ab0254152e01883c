"""A tree that grows in a process of its own: `Remote` drives it from here, `serve` is over there.

All that simulations read and write lies in memory that both processes map: the tree, the buffers,
the random numbers.  So the other process knows nothing but how to run simulations: it is told how
many, and answers when they are done.  Roots, room, sums and averages are dealt with here while it
waits, by the same code as for threads, and give the same trees.

The process ends when its pipe does, in the middle of its work too: nothing goes on when the one
that searches is gone, however that ended.
"""

import mmap
import os
import queue
import subprocess
import sys
import tempfile
import threading
import weakref
from functools import lru_cache
from itertools import accumulate
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np

from tesuji.errors import ConfigError, GameError, StoppedError, TesujiError
from tesuji.game import Game
from tesuji.games import load
from tesuji.parallel.runners import OneThread
from tesuji.parallel.schemes import runner, scheme_of, source
from tesuji.parallel.thread_pool import Array, convert, room
from tesuji.search.config import SearchConfig
from tesuji.search.context import reserve
from tesuji.search.tree import Tree, reset

Ends = tuple["Connection[Any, Any]", "Connection[Any, Any]"]
COMMAND = "from tesuji.parallel.process import serve; serve({}, {})"
#: facts of a game that decide how large its buffers are
SIZES = ("state", "players", "move_codes", "max_moves", "max_length", "scratch")
STDERR = 2
GONE = 1


def remote(game: Game, config: SearchConfig, tree: Tree, seed: int, jit: bool) -> "Remote":
    """A runner in a process of its own."""
    return Remote(game, config, tree, seed, jit)


class Remote(OneThread):
    """One thread of another process.  Ctrl-C must not come while it is asked to `run`."""

    def __init__(self, game: Game, config: SearchConfig, tree: Tree, seed: int, jit: bool) -> None:
        _refuse_own(game, config)
        super().__init__(scheme_of(config), game, config, tree, seed, jit)
        self._job = (game.spec, config, jit)
        self._file = _nameless_file()
        weakref.finalize(self, os.close, self._file)
        fresh = _Parts.game(self)
        _move_in(self, self._file)
        _fill(_Parts.game(self), fresh)
        self._begin()

    def _begin(self) -> None:
        """Start the process."""
        ends: Ends = Pipe()
        self._pipe, other = ends
        self._pipe.send(self._job)
        with other:
            fds = (other.fileno(), self._file)
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", COMMAND.format(*fds)],
                pass_fds=fds,
                stdin=subprocess.DEVNULL,
                stdout=STDERR,  # what a user's game prints is no answer of ours
                start_new_session=True,  # Ctrl-C is for this process alone
            )
        self._end = weakref.finalize(self, _end, self._process, self._pipe)
        self.torn = False

    def prepare(self) -> None:
        """Compile over there."""
        try:
            self.run(0)
        except BaseException:  # Ctrl-C: do not wait for the compiler, nor for its answer later
            self._end()
            raise

    def run(self, count: int) -> int:
        """Up to so many simulations; how many there were."""
        if not self._end.alive:
            self._begin()
        try:
            self._pipe.send((count, self.contexts[0].history))
            answer = self._pipe.recv()
        except (EOFError, OSError):
            self._end()
            code = self._process.returncode
            answer = StoppedError(
                f"the process of a tree has died with exit code {code}; "
                "what the other trees found can be read"
            )
        if isinstance(answer, TesujiError):
            self._end()  # the next search begins with a new process and an empty tree
            self.torn = True
            raise answer
        return int(answer)


def _end(process: subprocess.Popen[bytes], pipe: "Connection[Any, Any]") -> None:
    """End a process, which has nothing to lose."""
    pipe.close()
    process.kill()
    process.wait()


@lru_cache(maxsize=16)
def _refuse_own(game: Game, config: SearchConfig) -> None:
    """Other processes load a game by its name: it has to be the same one."""
    try:
        loaded = load(game.spec)
    except GameError as error:
        raise ConfigError(
            f"processes need a game that can be loaded by its name: {error}"
        ) from None
    facts = [[getattr(each, size) for size in SIZES] for each in (game, loaded)]
    if facts[0] != facts[1] or source(game, config).digest != source(loaded, config).digest:
        raise ConfigError(
            f"processes need a game that can be loaded by its name: {game.spec} is another game "
            "than this one"
        )


# --- memory that is shared ------------------------------------------------------------------------


class _Parts(NamedTuple):
    """What both processes work in."""

    tree: Tree
    sims: Array
    own: Any
    rng: Array

    @classmethod
    def game(cls, runner: OneThread) -> "_Parts":
        return cls(runner.tree, runner.sims[0], runner.contexts[0], runner.rngs[0])


def _nameless_file() -> int:
    """A file without a name, in memory where the system offers that."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("tesuji")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _move_in(runner: OneThread, file: int) -> None:
    """Let a runner work in the memory of a file: one array behind the other, each on its own lines.

    Runners of the same game and settings find the same arrays at the same places.
    """
    parts = _Parts.game(runner)
    sizes = [room(array) for array in _arrays(parts)]
    try:
        os.ftruncate(file, sum(sizes))
        memory = mmap.mmap(file, sum(sizes))
    except OSError:
        raise MemoryError from None
    starts = accumulate(sizes, initial=0)
    there: _Parts = convert(
        parts, lambda like: np.ndarray(like.shape, like.dtype, memory, next(starts))
    )
    runner.tree, runner.sims, runner.contexts = there.tree, [there.sims], [there.own]
    runner.rngs = [there.rng]


def _fill(parts: _Parts, fresh: _Parts) -> None:
    """Begin as new parts do, without touching all of a large tree."""
    parts.tree.blank[...] = fresh.tree.blank
    reset(parts.tree)
    parts.rng[...] = fresh.rng
    for array, like in zip(_arrays(parts.own), _arrays(fresh.own), strict=True):
        array[...] = like


def _arrays(value: Any) -> list[Array]:
    found: list[Array] = []
    convert(value, found.append)
    return found


# --- the other process ----------------------------------------------------------------------------


def serve(end: int, file: int) -> None:
    """Run simulations as they are asked for, with the pipe and the memory of two descriptors."""
    pipe: Connection[Any, Any] = Connection(end)
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(pipe, tasks), daemon=True).start()
    spec, config, jit = tasks.get()
    there = None
    while True:
        count, history = tasks.get()
        try:
            there = there or _runner(spec, config, jit, file)
            there.contexts[0] = there.contexts[0]._replace(history=history)
            answer: int | TesujiError = there.run(count)
        except TesujiError as error:
            answer = error
        except Exception as error:
            answer = StoppedError(f"the process of a tree: {type(error).__name__}: {error}")
        pipe.send(answer)


def _read(pipe: "Connection[Any, Any]", tasks: "queue.SimpleQueue[Any]") -> None:
    """Pass tasks on; end the process at once when nobody is there any more."""
    try:
        while True:
            tasks.put(pipe.recv())
    except (EOFError, OSError):
        os._exit(GONE)


def _runner(spec: str, config: SearchConfig, jit: bool, file: int) -> OneThread:
    game = load(spec)
    made = runner(game, config, reserve(game, config), 0, jit)
    _move_in(made, file)
    return made
