"""Hooks: the points at which the four steps call what parts have put there.

Each hook is a chain of kernels, one behind the other in the order of the parts, bound before
compilation as inlined closures: a part that is off leaves no code behind.

===================  ========================================================================
``begin``            a simulation begins: ``(work)``
``taken_up``         a simulation goes on that has made ``depth`` moves elsewhere:
                     ``(tree, work, params, depth)``
``entered``          a node is about to choose: ``(tree, index, depth, work, params)``
``moved``            a player has made a move, in the tree or in a playout:
                     ``(work, player, move)``
``playout_begins``   the leaf was found: ``(tree, work, params, depth)``
``playout_ended``    the rewards are known, ``moves`` were made: ``(state, work, moves)``
``backed_up``        the path has its results: ``(tree, work, depth)``
``ended``            the simulation is over, nothing of the tree is held: ``(work, params)``
``playout_move``     the first that answers: a move, or `NO_MOVE`:
                     ``(state, work, params, rng)``
===================  ========================================================================
"""

from collections.abc import Iterable, Mapping
from typing import Any

from tesuji.compile import inlined
from tesuji.search.part import Kernel, Part

NO_MOVE = -1


def hooks_of(parts: Iterable[Part]) -> dict[str, Kernel]:
    """The chains of the parts in use, by the names of their hooks."""
    used = list(parts)
    return {name: chain([part.hooks for part in used], name) for name in CHAINS}


def chain(declared: Iterable[Mapping[str, Kernel]], name: str) -> Kernel:
    """All kernels of one hook as one."""
    made, join = CHAINS[name]
    for kernel in reversed([hooks[name] for hooks in declared if name in hooks]):
        made = join(kernel, made)
    return made


def _nothing_1(work: Any) -> None:
    return None


def _nothing_2(work: Any, params: Any) -> None:
    return None


def _nothing_3(tree: Any, work: Any, depth: Any) -> None:
    return None


def _nothing_4(tree: Any, work: Any, params: Any, depth: int) -> None:
    return None


def _nothing_5(tree: Any, index: int, depth: int, work: Any, params: Any) -> None:
    return None


def _no_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    return NO_MOVE


def _join_1(first: Kernel, rest: Kernel) -> Kernel:
    @inlined
    def both(a: Any) -> None:
        first(a)
        rest(a)

    return both


def _join_2(first: Kernel, rest: Kernel) -> Kernel:
    @inlined
    def both(a: Any, b: Any) -> None:
        first(a, b)
        rest(a, b)

    return both


def _join_3(first: Kernel, rest: Kernel) -> Kernel:
    @inlined
    def both(a: Any, b: Any, c: Any) -> None:
        first(a, b, c)
        rest(a, b, c)

    return both


def _join_4(first: Kernel, rest: Kernel) -> Kernel:
    @inlined
    def both(a: Any, b: Any, c: Any, d: Any) -> None:
        first(a, b, c, d)
        rest(a, b, c, d)

    return both


def _join_5(first: Kernel, rest: Kernel) -> Kernel:
    @inlined
    def both(a: Any, b: Any, c: Any, d: Any, e: Any) -> None:
        first(a, b, c, d, e)
        rest(a, b, c, d, e)

    return both


def _first_move(first: Kernel, rest: Kernel) -> Kernel:
    @inlined
    def either(state: Any, work: Any, params: Any, rng: Any) -> int:
        move = first(state, work, params, rng)
        if move != NO_MOVE:
            return move
        return rest(state, work, params, rng)

    return either


#: of each hook: what stands at the end of its chain, and how a kernel is put before it
CHAINS: dict[str, tuple[Kernel, Any]] = {
    "begin": (inlined(_nothing_1), _join_1),
    "taken_up": (inlined(_nothing_4), _join_4),
    "entered": (inlined(_nothing_5), _join_5),
    "moved": (inlined(_nothing_3), _join_3),
    "playout_begins": (_nothing_4, _join_4),
    "playout_ended": (_nothing_3, _join_3),
    "backed_up": (_nothing_3, _join_3),
    "ended": (_nothing_2, _join_2),
    "playout_move": (inlined(_no_move), _first_move),
}
