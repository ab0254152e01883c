"""What a search thread works with: its settings as a record, and its buffers, made once.

Buffers of parts that are off are not there (`OFF`), so that they cost neither memory nor time, nor
compilation: each array is seven more words for every kernel that is handed the buffers.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from tesuji.game import Game, make_playout
from tesuji.search.bindings import node_fields, parts_on
from tesuji.search.catalogue import PARTS
from tesuji.search.config import SETTINGS, SearchConfig
from tesuji.search.part import OFF, STATE, Buffer, Part
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
    "states": "the root's state, the one that is played on, and two for looking ahead",
    "playout": "`tesuji.game.Playout`",
    "movers": "who made each move of the trace, if somebody wants to know",
    "path": "the nodes of this simulation, root first",
    "chooser": "who chose the move into each of them",
    "rewards": "of each player, in [0, 1]",
    "gains": "the same in units of the tree",
    "history": "repetition keys of the game before the root",
    "judged": "what knowledge says of the moves in ``playout.moves``",
    "order": "numbers of moves, to sort them",
    "counted": "``counted[0]`` nodes of the path count a simulation under way",
}
BUFFERED = tuple(part for part in PARTS if part.buffers)
#: the buffers of each part, by its name
_GROUPS = {
    part.name: _named(part.name.title(), [buffer.name for buffer in part.buffers])
    for part in BUFFERED
}
globals().update({group.__name__: group for group in _GROUPS.values()})  # where pickle finds them
#: buffers of one search thread: those of the four steps, then those of each part, or `OFF`
Work = _named("Work", [*CORE, *_GROUPS])


def make_params(game: Game, config: SearchConfig) -> Any:
    """The settings as kernels read them."""
    params = np.zeros(1, Params)
    for setting in _KERNEL:
        params[setting.name] = getattr(config, setting.name)
    if config.halving == "shot":
        params["halving_switch"] = 0
    params["cap"] = config.playout_cap or game.max_length
    return params


def make_work(game: Game, config: SearchConfig | None = None) -> Any:
    """Buffers that fit a game and the parts in use."""
    config = config or SearchConfig()
    longest = game.max_length + 1
    weighs = config.knowledge or config.playout in game.knowledge or config.gibbs != "off"
    used = parts_on(game, config)
    return Work(
        states=np.zeros(4, game.state),
        playout=make_playout(game, longest, config.weights),
        movers=np.zeros(longest if config.tracks else 0, np.int8),
        path=np.zeros(longest + 1, np.uint32),
        chooser=np.zeros(longest + 1, np.uint8),
        rewards=np.zeros(game.players, np.float64),
        gains=np.zeros(game.players, np.int64),
        history=np.zeros(0, np.uint64),
        judged=np.zeros(game.max_moves if weighs else 0, np.float64),
        order=np.zeros(game.max_moves if config.knowledge else 0, np.int32),
        counted=np.zeros(1, np.int64),
        **{p.name: _make(p, game, config) if p in used else OFF for p in BUFFERED},
    )


def _make(part: Part, game: Game, config: SearchConfig) -> Any:
    arrays = []
    for buffer in part.buffers:
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


def forget(work: Any, when: str) -> None:
    """Let buffers be as new that are forgotten then: with a ``root``, or with a ``tree``."""
    for part in BUFFERED:
        group = getattr(work, part.name)
        if group is not OFF:
            for buffer, array in zip(part.buffers, group, strict=True):
                if buffer.forgotten == when:
                    _clear(array, buffer)


def another_thread(first: Any, work: Any, own: Any) -> Any:
    """Buffers of one more thread: shared ones are those of the first; ``own`` copies the others."""
    groups = {}
    for part in BUFFERED:
        mine, theirs = getattr(work, part.name), getattr(first, part.name)
        if mine is not OFF:
            arrays = [
                shared if buffer.shared else own(array)
                for buffer, array, shared in zip(part.buffers, mine, theirs, strict=True)
            ]
            mine = type(mine)(*arrays)
        groups[part.name] = mine
    return Work(*(own(getattr(work, name)) for name in CORE), **groups)


def reserve(game: Game, config: SearchConfig) -> Tree:
    """A tree for a game and the methods in use, as large as the settings allow."""
    return allocate(
        config.memory_mb, node_fields(game, config), config.threads if config.sharing else 1
    )
