"""Hooks: the points at which the four steps call what parts have put there.

Each hook is a chain of kernels, one behind the other in the order of the parts, bound before
compilation as inlined closures: a part that is off leaves no code behind.  `HOOKS` says how several
kernels of one hook combine:

==============  ==================================================================================
`in_order`      all of them, one after the other
`first`         until one of them answers
`any_of`        does one of them say so?
`total`         the sum of what they say
`in_turn`       each changes a pair of numbers that the one before it has left
`only`          the last one alone: it takes the place of those before it
==============  ==================================================================================
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tesuji.compile import inlined
from tesuji.search.part import Kernel

NONE = 0  # no node, as in `tesuji.search.tree`
NO_MOVE = -1

Combine = Callable[[Iterable[Kernel]], Kernel]


def hooks_of(declared: Iterable[Mapping[str, Kernel]]) -> dict[str, Kernel]:
    """The chains of the parts in use, by the names of their hooks."""
    used = list(declared)
    return {
        name: combine(hooks[name] for hooks in used if name in hooks)
        for name, combine in HOOKS.items()
    }


def _chain(
    kernels: Iterable[Kernel], nobody: Kernel, join: Callable[[Kernel, Kernel], Kernel]
) -> Kernel:
    """All kernels as one; a single one is itself."""
    *before, made = list(kernels) or [nobody]
    for kernel in reversed(before):
        made = join(kernel, made)
    return made


def in_order(kernels: Iterable[Kernel]) -> Kernel:
    """All of them, one after the other."""

    @inlined
    def nobody(*data: Any) -> None:
        return None

    def join(kernel: Kernel, rest: Kernel) -> Kernel:
        @inlined
        def both(*data: Any) -> None:
            kernel(*data)
            rest(*data)

        return both

    return _chain(kernels, nobody, join)


def first(none: int) -> Combine:
    """Until one answers something else than ``none``."""

    @inlined
    def nobody(*data: Any) -> int:
        return none

    def join(kernel: Kernel, rest: Kernel) -> Kernel:
        @inlined
        def either(*data: Any) -> int:
            answer = kernel(*data)
            if answer != none:
                return answer
            return rest(*data)

        return either

    return lambda kernels: _chain(kernels, nobody, join)


def any_of(kernels: Iterable[Kernel]) -> Kernel:
    """Does one of them say so?"""

    @inlined
    def nobody(*data: Any) -> bool:
        return False

    def join(kernel: Kernel, rest: Kernel) -> Kernel:
        @inlined
        def either(*data: Any) -> bool:
            if kernel(*data):
                return True
            return rest(*data)

        return either

    return _chain(kernels, nobody, join)


def total(kernels: Iterable[Kernel]) -> Kernel:
    """The sum of what they say."""

    @inlined
    def nobody(*data: Any) -> float:
        return 0.0

    def join(kernel: Kernel, rest: Kernel) -> Kernel:
        @inlined
        def both(*data: Any) -> float:
            return kernel(*data) + rest(*data)

        return both

    return _chain(kernels, nobody, join)


def in_turn(kernels: Iterable[Kernel]) -> Kernel:
    """Each changes a pair of numbers that the one before it has left."""

    @inlined
    def nobody(a: float, b: float, *data: Any) -> Any:
        return a, b

    def join(kernel: Kernel, rest: Kernel) -> Kernel:
        @inlined
        def both(a: float, b: float, *data: Any) -> Any:
            a, b = kernel(a, b, *data)
            return rest(a, b, *data)

        return both

    return _chain(kernels, nobody, join)


def only(kernels: Iterable[Kernel]) -> Kernel:
    """The last one alone; where there is none, nobody asks."""
    return [_unasked, *kernels][-1]


def _unasked(*data: Any) -> None:
    """Kernel: what no part has said, and none needs."""


#: every hook, in the order in which a simulation comes to them, with its arguments
HOOKS: dict[str, Combine] = {
    # a simulation begins: (sim, own)
    "begin": in_order,
    # one goes on that has made its first moves elsewhere: (tree, sim, own, params)
    "taken_up": in_order,
    # is a node's result certain, so that nothing below it matters? (node)
    "certain": any_of,
    # is it too early for a node to get children? (node, sim, params)
    "stays_leaf": any_of,
    # a leaf has got children: (tree, ref, sim, own, params)
    "expanded": in_order,
    # a node has been found to stand for a known position: (tree, ref, canonical)
    "resolved": in_order,
    # a node is about to choose: (tree, ref, sim, own, params)
    "entered": in_order,
    # the child to follow, before any rule is asked: (tree, ref, sim, own, params, rng)
    "child": first(NONE),
    # a child to follow when none may be: (tree, ref)
    "last_resort": first(NONE),
    # so many children may be followed: (visits, params)
    "width": only,
    # can a child never be the best one? (tree, child, node)
    "hopeless": any_of,
    # mean and visits of a child, with visits that were never made: (mean, visits, child, params)
    "believed": in_turn,
    # AMAF value and visits: (amaf, visits, child, player, sim, own, params)
    "amaf": in_turn,
    # what a rule takes for a child's mean and visits:
    # (mean, visits, child, player, sim, own, params)
    "blended": in_turn,
    # what becomes of the score that a rule gives a child:
    # (score, visits, child, player, sim, own, params)
    "scored": in_turn,
    # what is added to a child's score: (prior, visits, params)
    "bias": total,
    # may a new node not be entered? (tree, ref, sim, own)
    "refused": any_of,
    # the game ends at a new node: (node, sim)
    "over": in_order,
    # a player has made a move, in the tree or in a playout: (sim, own, player, move)
    "moved": in_order,
    # are the rewards known without a playout? (tree, sim, own)
    "result": any_of,
    # a playout begins: (tree, sim, own, params)
    "playout_begins": in_order,
    # the next move of a playout: (state, sim, own, params, rng)
    "next_move": only,
    # the same, from habit: a move, or `NO_MOVE`
    "playout_move": first(NO_MOVE),
    # the same, where there is no habit
    "policy": only,
    # is a playout decided before its end, and are the rewards known? (sim, own, params)
    "cut_off": any_of,
    # are the rewards of an unfinished game known? (sim, own)
    "judged": any_of,
    # the rewards are known: (sim, own)
    "playout_ended": in_order,
    # the path has its results; what do children say of a node's value? (tree, sim)
    "revalue": in_order,
    # the same, for what learns from a whole simulation: (tree, sim, own, params)
    "backed_up": in_order,
    # the end of a game was visited so many times at once: (sim, own)
    "repeated": in_order,
    # the simulation is over, nothing of the tree is held: (sim, own, params)
    "ended": in_order,
}
