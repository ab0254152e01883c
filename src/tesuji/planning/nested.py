"""Nested Monte-Carlo search (Cazenave 2009), and the two simple searches that it grows out of.

A search of level 0 is a playout.  A search of level n tries every move of its position with a
search of level n - 1 and then plays on, to the end of the game:

    nested(level, position):
        best = nothing
        while the position is not over:
            for each move:
                result = nested(level - 1, position after the move)
                if result scores more than best: best = result
            play the next move of best
        return best

``best`` lives through all moves of a search: where no move improves it, its own next move is
played.  Without that memory a search plays the best move that it has just seen, and may lose a good
line again.

=============  =====================================================================
``random``     level 0: playouts, and the best of them
``greedy``     level 1 without memory: one playout a move, and the best move is made
``nested``     level 1 to 5 with memory
=============  =====================================================================

A search that has come to its end begins again, until the limit is reached.

The kernel has no recursion: level n works in row n of a `Stack`.  `run` can stop after any playout
and go on with the next call, so that a driver can look at the clock.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import Slot, below, inlined
from tesuji.game import Game
from tesuji.planning.settings import check_whole
from tesuji.search.parts.line import NOTHING, keep_best
from tesuji.search.simulate import simulate

rules = Slot("rules")

HIGHEST = 5  # level; a search of level 5 takes years in any game worth it

Frame = np.dtype(
    [
        ("best", np.float64),  # the best score that this search has seen
        ("length", np.int64),  # moves of its line, 0 if there is none
        ("ply", np.int64),  # moves from the root of the whole search to this position
        ("count", np.int64),  # moves of this position
        ("tried", np.int64),  # how many of them have been tried
        ("first", np.int64),  # which one came first
    ],
    align=True,
)


class Stack(NamedTuple):
    """The searches that are under way: row n belongs to level n, row 0 is not used."""

    states: Any  #: the position that each has come to
    frames: Any
    moves: Any  #: ``moves[n, i]``, of that position
    lines: Any  #: ``lines[n, ply]``, the best of each, from the root of the whole search on
    level: Any  #: ``level[0]`` is the level that tries a move next
    top: Any  #: ``top[0]`` is the level of the whole search
    memory: Any  #: ``memory[0]``: does a search follow its best line?


@dataclass(frozen=True)
class Nested:
    """Settings of nested search."""

    level: int = 3  #: levels above the playouts
    playout: str = "uniform"  #: name of the game's playout policy, or of knowledge to draw by
    memory: bool = True  #: follow the best line where no move improves it

    def __post_init__(self) -> None:
        check_whole("level", self.level, 0, HIGHEST)


def make_stack(game: Game, config: Nested) -> Stack:
    """Room for all levels."""
    rows = config.level + 1
    return Stack(
        states=np.zeros(rows, game.state),
        frames=np.zeros(rows, Frame),
        moves=np.zeros((rows, game.max_moves), np.int32),
        lines=np.zeros((rows, game.max_length + 1), np.int32),
        level=np.full(1, -1, np.int64),
        top=np.full(1, config.level, np.int64),
        memory=np.full(1, config.memory, np.int64),
    )


def run(stack: Stack, sims: Any, own: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: ``count`` playouts from where the last call stopped.  Returns how many."""
    if stack.level[0] < 0:
        restart(stack, own, rng)
    for _ in range(count):
        search_on(stack, sims[0], own, params[0], rng)
    return count


@inlined
def search_on(stack: Stack, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: try moves, play out, and let the searches go on; how many moves the playout had."""
    return play_out(stack, go_down(stack, sim, own, rng), sim, own, params, rng)


@inlined
def play_out(stack: Stack, level: int, sim: Any, own: Any, params: Any, rng: Any) -> int:
    """Kernel: the playout that a level has asked for, and what follows; how many moves it had.

    With the move that was tried before it.
    """
    ply = sim.length[0]
    simulate(stack, sim, own, params, rng)
    score = keep_best(sim, own)
    if level > stack.top[0]:
        restart(stack, own, rng)
        return sim.length[0]
    if score > stack.frames[level].best:
        adopt(stack, level, sim.trace, sim.length[0], score)
    go_up(stack, level, sim, own, rng)
    return sim.length[0] - ply + 1


def restart(stack: Stack, own: Any, rng: Any) -> None:
    """Kernel: begin the whole search, again or for the first time."""
    top = stack.top[0]
    stack.level[0] = top
    if top > 0:
        stack.states[top] = own.root[0]
        begin(stack, top, 0, rng)


def begin(stack: Stack, level: int, ply: int, rng: Any) -> None:
    """Kernel: a new search in the position that ``states[level]`` holds."""
    frame = stack.frames[level]
    frame.best = NOTHING
    frame.length = 0
    frame.ply = ply
    list_moves(stack, level, rng)


@inlined
def list_moves(stack: Stack, level: int, rng: Any) -> None:
    """Kernel: what can be tried now.

    It begins anywhere in the list: of moves that score the same the first one counts, and this
    should not be the same one always.
    """
    frame = stack.frames[level]
    frame.count = rules.candidates(stack.states[level], stack.moves[level])
    frame.tried = 0
    frame.first = below(rng, frame.count)


@inlined
def go_down(stack: Stack, sim: Any, own: Any, rng: Any) -> int:
    """Kernel: try moves, level by level, down to the start of a playout; who gets its result."""
    level = stack.level[0]
    if level == 0:  # the whole search is one playout
        sim.state = own.root[0]
        sim.length[0] = 0
        return 1
    while True:
        ply = try_move(stack, level, sim)
        if level == 1 or rules.over(sim.state) or ply >= len(sim.trace) - 1:
            break
        level -= 1
        stack.states[level] = sim.state
        begin(stack, level, ply, rng)
    sim.length[0] = ply
    return level


@inlined
def try_move(stack: Stack, level: int, sim: Any) -> int:
    """Kernel: set up the position after the next move; its ply."""
    frame = stack.frames[level]
    chosen = frame.first + frame.tried
    if chosen >= frame.count:
        chosen -= frame.count
    move = stack.moves[level, chosen]
    frame.tried += 1
    sim.state = stack.states[level]
    rules.play(sim.state, move)
    sim.trace[frame.ply] = move
    return frame.ply + 1


@inlined
def adopt(stack: Stack, level: int, moves: Any, length: int, score: float) -> None:
    """Kernel: these moves are the best line of a level now."""
    stack.frames[level].best = score
    stack.frames[level].length = length
    for i in range(length):
        stack.lines[level, i] = moves[i]


@inlined
def go_up(stack: Stack, level: int, sim: Any, own: Any, rng: Any) -> None:
    """Kernel: searches that have tried all moves play one, or end and hand over their result."""
    while stack.frames[level].tried == stack.frames[level].count:
        if play_best(stack, level, sim, rng):
            continue
        if level == stack.top[0]:
            restart(stack, own, rng)
            return
        ended = stack.frames[level]
        if ended.best > stack.frames[level + 1].best:
            adopt(stack, level + 1, stack.lines[level], ended.length, ended.best)
        level += 1
    stack.level[0] = level


@inlined
def play_best(stack: Stack, level: int, sim: Any, rng: Any) -> bool:
    """Kernel: play the next move of the best line; False if that ends the search.

    A random move, if no playout has come to an end.
    """
    frame = stack.frames[level]
    move = stack.moves[level, frame.first]
    if frame.length > frame.ply:
        move = stack.lines[level, frame.ply]
    rules.play(stack.states[level], move)
    sim.trace[frame.ply] = move
    frame.ply += 1
    if rules.over(stack.states[level]) or frame.ply >= len(sim.trace) - 1:
        return False
    list_moves(stack, level, rng)
    if not stack.memory[0]:
        frame.best = NOTHING
        frame.length = 0
    return True
