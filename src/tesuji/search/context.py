"""The thread context: what a search thread works with, made once, and the settings as a record.

Buffers of parts that are off are not there (`OFF`), so that they cost neither memory nor time, nor
compilation: each array is seven more words for every kernel that is handed the buffers.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from tesuji.game import Game, make_playout
from tesuji.search.bindings import parts_on
from tesuji.search.catalogue import PARTS
from tesuji.search.config import SETTINGS, SearchConfig
from tesuji.search.part import OFF, STATE, Buffer, Part
from tesuji.search.simulation import simulation_dtype
from tesuji.search.tree import Tree, allocate

_named: Any = namedtuple  # type checkers want literal names
_KERNEL = [setting for setting in SETTINGS.values() if setting.kernel]
#: settings as kernels read them
Params = np.dtype(
    [
        *((s.name, np.float64) for s in _KERNEL if isinstance(s.default, float)),
        *((s.name, np.int64) for s in _KERNEL if not isinstance(s.default, float)),
        ("cap", np.int64),  # moves a playout may have
    ],
    align=True,
)

#: buffers of the four steps
CORE = {
    "root": "the position that is searched",
    "ahead": "two positions for looking ahead",
    "moves": "room for the moves of a position",
    "weights": "numbers of the game's playouts and knowledge",
    "scratch": "positions in which these may look ahead",
    "history": "repetition keys of the game before the root",
    "judged": "what knowledge says of the moves in ``moves``",
    "order": "numbers of moves, to sort them",
}
BUFFERED = tuple(part for part in PARTS if part.thread)
#: the buffers of each part, by its name
_GROUPS = {
    part.name: _named(part.name.title(), [buffer.name for buffer in part.thread])
    for part in BUFFERED
}
globals().update({group.__name__: group for group in _GROUPS.values()})  # where pickle finds them
#: buffers of one search thread: those of the four steps, then those of each part, or `OFF`
Context = _named("Context", [*CORE, *_GROUPS])


def make_params(game: Game, config: SearchConfig) -> Any:
    """The settings as kernels read them."""
    params = np.zeros(1, Params)
    for setting in _KERNEL:
        params[setting.name] = getattr(config, setting.name)
    for part in parts_on(game, config):
        for name, value in part.values(game, config).items():
            params[name] = value
    params["cap"] = config.playout_cap or game.max_length
    return params


def make_simulations(game: Game, config: SearchConfig, count: int = 1) -> Any:
    """So many simulations."""
    used = [part for part in parts_on(game, config) if part.simulation]
    return np.zeros(count, simulation_dtype(game, config, used))


def make_context(game: Game, config: SearchConfig | None = None) -> Any:
    """Buffers that fit a game and the parts in use."""
    config = config or SearchConfig()
    weighs = config.knowledge or config.playout in game.knowledge or config.gibbs != "off"
    used = parts_on(game, config)
    playout = make_playout(game, 0, config.weights)
    return Context(
        root=np.zeros(1, game.state),
        ahead=np.zeros(2, game.state),
        moves=playout.moves,
        weights=playout.weights,
        scratch=playout.scratch,
        history=np.zeros(0, np.uint64),
        judged=np.zeros(game.max_moves if weighs else 0, np.float64),
        order=np.zeros(game.max_moves if config.knowledge else 0, np.int32),
        **{p.name: _make(p, game, config) if p in used else OFF for p in BUFFERED},
    )


def _make(part: Part, game: Game, config: SearchConfig) -> Any:
    arrays = []
    for buffer in part.thread:
        kind = game.state if buffer.kind is STATE else buffer.kind
        arrays.append(np.zeros(buffer.shape(game, config), kind))
        _clear(arrays[-1], buffer)
    return _GROUPS[part.name](*arrays)


def _clear(array: Any, buffer: Buffer) -> None:
    if array.dtype.fields is None:
        if buffer.blank:
            array[...] = buffer.blank
        elif array.any():
            array[...] = 0
    else:
        array[...] = np.zeros((), array.dtype)


def forget(own: Any, when: str) -> None:
    """Let buffers be as new that are forgotten then: with a ``root``, or with a ``tree``."""
    for part in BUFFERED:
        group = getattr(own, part.name)
        if group is not OFF:
            for buffer, array in zip(part.thread, group, strict=True):
                if buffer.forgotten == when:
                    _clear(array, buffer)


def another_thread(first: Any, own: Any, copy: Any) -> Any:
    """The context of one more thread: shared buffers are those of the first, others are copied."""
    groups = {}
    for part in BUFFERED:
        mine, theirs = getattr(own, part.name), getattr(first, part.name)
        if mine is not OFF:
            arrays = [
                shared if buffer.shared else copy(array)
                for buffer, array, shared in zip(part.thread, mine, theirs, strict=True)
            ]
            mine = type(mine)(*arrays)
        groups[part.name] = mine
    return Context(*(copy(getattr(own, name)) for name in CORE), **groups)


def reserve(game: Game, config: SearchConfig) -> Tree:
    """A tree for a game and the methods in use, as large as the settings allow."""
    used = parts_on(game, config)
    node = tuple(field for part in used for field in part.node)
    whole = tuple(field for part in used for field in part.tree)
    return allocate(config.memory_mb, node, whole, config.threads if config.sharing else 1)
