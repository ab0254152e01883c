"""Schemes: who runs simulations where.  The one table of all of them is `SCHEMES`.

A scheme is the loop that a thread runs, the runner that calls it, and what stands behind the loop's
slots.  The first one that applies to the settings counts.  With root parallelization
(`tesuji.parallel.root_parallel`) each thread has a tree of its own; the scheme of its tree is that
of the same settings with one thread.
"""

from dataclasses import replace

from tesuji.compile.identity import Source
from tesuji.game import Game
from tesuji.parallel import leaf_parallel, tree_parallel, virtual_threads
from tesuji.parallel.runners import LeaderAndHelpers, OneThread, Scheme, SharedTree, slots_of
from tesuji.search import loop
from tesuji.search.config import SearchConfig
from tesuji.search.parts import brue, halving
from tesuji.search.tree import Tree

SPEND_ALONE = {"spend": {"batch": halving.one_simulation}}
SPEND_TOGETHER = {"spend": {"batch": leaf_parallel.batch}}

SCHEMES = (
    Scheme(
        "root parallelization",
        lambda config: config.threads > 1 and config.parallel == "root",
        loop.run,
        OneThread,
        several_trees=True,
    ),
    Scheme("BRUE", lambda config: config.brue, brue.run, OneThread),
    Scheme(
        "halving on several threads",
        lambda config: config.halving != "off" and config.sharing,
        halving.run,
        LeaderAndHelpers,
        {**SPEND_TOGETHER, "LEAF": False},
        simulations=lambda config: 2,
    ),
    Scheme("halving", lambda config: config.halving != "off", halving.run, OneThread, SPEND_ALONE),
    Scheme(
        "virtual threads",
        lambda config: config.in_flight > 1,
        virtual_threads.run,
        OneThread,
        simulations=lambda config: config.in_flight,
    ),
    Scheme(
        "leaf parallelization",
        lambda config: config.sharing and config.parallel == "leaf",
        leaf_parallel.run,
        LeaderAndHelpers,
        {"LEAF": True},
        simulations=lambda config: 2,
    ),
    Scheme("tree parallelization", lambda config: config.sharing, tree_parallel.run, SharedTree),
    Scheme("one thread", lambda config: True, loop.run, OneThread),
)


def scheme_of(config: SearchConfig) -> Scheme:
    """The scheme of a search."""
    return next(scheme for scheme in SCHEMES if scheme.applies(config))


def alone(config: SearchConfig) -> SearchConfig:
    """The settings of each tree of root parallelization."""
    tree: SearchConfig = replace(
        config, threads=1, parallel="tree", virtual_wins=0, processes=False, share_seconds=0.0
    )
    return tree


def runner(game: Game, config: SearchConfig, tree: Tree, seed: int, jit: bool) -> OneThread:
    """What runs the simulations of a search in one tree."""
    scheme = scheme_of(config)
    return scheme.runner(scheme, game, config, tree, seed, jit)


def source(game: Game, config: SearchConfig) -> Source:
    """The source of all kernels that a search runs in one tree, those of the game included."""
    scheme = scheme_of(config)
    if scheme.several_trees:
        return source(game, alone(config))
    entries = [scheme.loop, *([leaf_parallel.help_leader] if config.led else [])]
    return Source(slots_of(scheme, game, config), game.start).add(*entries)
