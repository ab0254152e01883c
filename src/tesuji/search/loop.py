"""The loop: one simulation after another, each a pass of the four steps.

`simulation` is the whole algorithm.  `run` repeats it and returns to Python when the tree is full
or the work is done, so that a driver can look at clock, signals and memory in between.  `bindings`
says which parts the settings put together.
"""

from typing import Any

import numpy as np

from tesuji.compile import Slot, inlined
from tesuji.errors import ConfigError, choices
from tesuji.game import CHANCE, Game
from tesuji.search.backup import BACKUPS, back_up
from tesuji.search.config import SearchConfig
from tesuji.search.expand import expand, follow_chance, settle, try_next
from tesuji.search.line import has_line, keep_best
from tesuji.search.playouts import POLICIES, learn_moves, learn_pairs, next_move
from tesuji.search.progressive import BIASES, WIDTHS
from tesuji.search.rave import BLENDS, credit, fill_pool, forget_source, note_source
from tesuji.search.rules import Rule, rule_of
from tesuji.search.select import follow
from tesuji.search.simulate import reward, simulate
from tesuji.search.solver import award, hopeless, prove, proven
from tesuji.search.territory import FEWEST_MOVES, note_owners
from tesuji.search.threads import (
    add_passes,
    count_visit,
    enter,
    hold,
    leave,
    let_go,
    note_way,
    own_visits,
    status_of,
    tried_of,
    uncount,
)
from tesuji.search.tree import (
    BUSY,
    FORBIDDEN,
    NONE,
    OPEN,
    OVER,
    ROOT,
    SHARED,
    find_child,
    home,
    passes,
)
from tesuji.search.work import LARGEST_PAIRS

game = Slot("game")
ALL = Slot("ALL")
DICE = Slot("DICE")
GAME = Slot("GAME")
GIBBS = Slot("GIBBS")
GRAVE = Slot("GRAVE")
LINE = Slot("LINE")
OWNERS = Slot("OWNERS")
PAIRS = Slot("PAIRS")
POLICY = Slot("POLICY")
POOL = Slot("POOL")
RAVE = Slot("RAVE")
SOLVER = Slot("SOLVER")
TRACK = Slot("TRACK")
TRANSPOSE = Slot("TRANSPOSE")


def run(tree: Any, work: Any, params: Any, rng: Any, count: int) -> int:
    """Kernel: up to ``count`` simulations; fewer when the tree is full.  Returns how many."""
    meta = tree.meta[0]
    for done in range(count):
        if meta.full and not meta.frozen:
            return done
        if SOLVER:
            if proven(tree.nodes[ROOT]):
                return done
        simulation(tree, work, params[0], rng)
    return count


@inlined
def simulation(tree: Any, work: Any, params: Any, rng: Any) -> None:
    """Kernel: select, expand, simulate, back up, learn."""
    work.states[1] = work.states[0]
    work.path[0] = ROOT
    begin(work)
    hold(tree)
    depth = descend(tree, work, params, rng, ROOT, 0)
    let_go(tree)
    finish(tree, work, params, rng, 0, depth)


@inlined
def begin(work: Any) -> None:
    """Kernel: forget what belongs to the simulation before."""
    if GRAVE:
        forget_source(work)
    if PAIRS:
        work.memory.last[:] = -1
    if POOL:
        work.amaf.pooled[0] = 0


@inlined
def copy_way(path: Any, chooser: Any, trace: Any, movers: Any, work: Any, depth: int) -> None:
    """Kernel: let buffers begin with the first ``depth`` moves of another simulation."""
    for i in range(depth + 1):
        work.path[i] = path[i]
        work.chooser[i] = chooser[i]
    for i in range(depth):
        work.playout.trace[i] = trace[i]
        if TRACK:
            work.movers[i] = movers[i]


@inlined
def recall(tree: Any, work: Any, params: Any, depth: int) -> None:
    """Kernel: what a simulation knows that begins with ``depth`` moves which are there already."""
    if GRAVE:
        for i in range(depth):
            note_source(tree, home(tree, np.int64(work.path[i])), work, params.grave)
    if PAIRS:
        for i in range(depth):
            if work.movers[i] >= 0:
                work.memory.last[work.movers[i]] = work.playout.trace[i]
    work.playout.length[0] = depth


@inlined
def finish(tree: Any, work: Any, params: Any, rng: Any, first: int, depth: int) -> None:
    """Kernel: simulate, back up and learn, from the leaf at the end of the path on.

    Nodes before ``path[first]`` get no result: whoever calls this tells them later.
    """
    play_out(tree, work.states[1], depth, work, params, rng)
    hold(tree)
    uncount(tree, work, first, depth, params)
    back_up(tree, work, first, depth, 1)
    if SOLVER:
        prove(tree, work, depth)
    if RAVE:
        credit(tree, work, depth)
    let_go(tree)
    note_way(work, 0)
    if GIBBS:
        learn_moves(work, params)
    if PAIRS:
        learn_pairs(work)
    if LINE:
        keep_best(work.states[1], work)
    if depth > tree.meta[0].depth:
        tree.meta[0].depth = depth


@inlined
def play_out(tree: Any, state: Any, depth: int, work: Any, params: Any, rng: Any) -> None:
    """Kernel: the rewards of this simulation, from a proof if there is one."""
    if POOL:
        fill_pool(tree, work, depth, params)
    if SOLVER:
        leaf = tree.nodes[work.path[depth]]
        if proven(leaf):
            award(leaf, work.rewards)
            return
    before = work.playout.length[0]
    cap = min(depth + params.cap, len(work.playout.trace))
    if not simulate(state, work, params, cap, rng):
        reward(state, work)
    if OWNERS:
        if work.playout.length[0] - before >= FEWEST_MOVES:
            note_owners(state, work)


@inlined
def descend(tree: Any, work: Any, params: Any, rng: Any, index: int, depth: int) -> int:
    """Kernel: walk from a node to the leaf of this simulation, counting visits; the leaf's depth.

    The node is the end of the path so far, ``depth`` moves from the root.
    """
    while True:
        node = tree.nodes[np.uint64(index)]
        enter(node)
        child = visit(tree, work, params, rng, index, depth)
        leave(node)
        if child == NONE:
            break
        index = child
        depth += 1
    work.playout.length[0] = depth
    return depth


@inlined
def visit(tree: Any, work: Any, params: Any, rng: Any, index: int, depth: int) -> int:
    """Kernel: count a visit of a node and go on to one of its children; `NONE` at a leaf."""
    count_visit(tree.nodes[np.uint64(index)], params)
    note_way(work, depth + 1)
    return go_on(tree, work, params, rng, index, depth)


@inlined
def go_on(tree: Any, work: Any, params: Any, rng: Any, index: int, depth: int) -> int:
    """Kernel: go on from a node to one of its children; `NONE` at a leaf."""
    node = tree.nodes[np.uint64(index)]
    status = status_of(node)
    if status == OVER or depth >= len(work.playout.trace) - 1:
        return NONE
    if SOLVER:
        if proven(node):
            return NONE
    if status == OPEN:
        if stays_leaf(node, depth, params):
            return NONE
        expand(tree, index, work.states[1], work, rng)
        status = status_of(node)
    if status in (OPEN, BUSY):  # there was no room, or another thread expands it
        return NONE
    if TRANSPOSE:
        index = enter_position(tree, index)
        if SOLVER:
            if proven(tree.nodes[np.uint64(index)]):
                adopt_proof(tree, np.int64(work.path[depth]), index)
                return NONE
    return step(tree, index, depth, work, params, rng)


@inlined
def stays_leaf(node: Any, depth: int, params: Any) -> bool:
    """Kernel: is it too early for this node to get children?"""
    if GAME:
        return False
    visits = own_visits(np.int64(node.visits), params)
    return depth >= params.expand_depth and visits <= params.expand_visits


@inlined
def enter_position(tree: Any, index: int) -> int:
    """Kernel: go on from the node that has the children, and count that somebody did."""
    if tree.nodes[np.uint64(index)].status == SHARED:
        index = np.int64(tree.nodes[np.uint64(index)].twin)
    add_passes(tree.nodes[np.uint64(index)], 1)
    return index


@inlined
def adopt_proof(tree: Any, index: int, twin: int) -> None:
    """Kernel: what is certain of a position holds for every node that stands for it."""
    tree.nodes[np.uint64(index)].lower = tree.nodes[np.uint64(twin)].lower
    tree.nodes[np.uint64(index)].upper = tree.nodes[np.uint64(twin)].upper


@inlined
def step(tree: Any, index: int, depth: int, work: Any, params: Any, rng: Any) -> int:
    """Kernel: go to one child and play its move; `NONE` when no child can be had."""
    state = work.states[1]
    node = tree.nodes[np.uint64(index)]
    if GRAVE:
        note_source(tree, index, work, params.grave)
    if POLICY:
        work.playout.length[0] = depth  # policies may look at the moves so far
    while True:
        child = choose(tree, index, state, work, params, rng)
        if child == NONE:
            return NONE
        move = tree.nodes[np.uint64(child)].move
        game.play(state, move)
        if tree.nodes[np.uint64(child)].visits > 0 or settle(tree, child, depth, state, work):
            break
        retrace(work, depth)  # a repeated position: take the move back and choose again
    work.playout.trace[depth] = move
    work.path[depth + 1] = child
    work.chooser[depth + 1] = max(node.mover, 0)
    if TRACK:
        work.movers[depth] = node.mover
    if PAIRS:
        if node.mover >= 0:
            work.memory.last[node.mover] = move
    return child


@inlined
def choose(tree: Any, index: int, state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: the child to follow: the dice decide, or a move is new, or the best one is taken."""
    node = tree.nodes[np.uint64(index)]
    if DICE:
        if node.mover == CHANCE:
            return follow_chance(tree, index, state, rng)
    if POLICY:
        visits = own_visits(passes(node), params)
        if visits <= params.policy_visits or visits == 1:
            child = policy_child(tree, index, state, work, params, rng)
            if child != NONE:
                return child
    if ALL:
        return follow(tree, index, work, params, rng)
    if tried_of(node) < node.count:
        child = try_next(tree, index, state, work)
        if child != NONE:
            return child
    return follow(tree, index, work, params, rng)


def policy_child(tree: Any, index: int, state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: the child that the playout policy chooses, or `NONE` if it must not be followed."""
    child = find_child(tree, index, next_move(state, work, params, rng))
    if child == NONE or tree.nodes[np.uint64(child)].status == FORBIDDEN:
        return NONE
    if SOLVER:
        if hopeless(tree, child, tree.nodes[np.uint64(index)]):
            return NONE
    return child


def retrace(work: Any, depth: int) -> None:
    """Kernel: set up the state at the end of the path again.  Rare, so it may replay the moves."""
    work.states[1] = work.states[0]
    for i in range(depth):
        game.play(work.states[1], work.playout.trace[i])


def bindings(of: Game, config: SearchConfig) -> dict[str, Any]:
    """What stands behind the slots of the search's kernels; refuses what the game cannot do."""
    _check(of, config)
    rule = rule_of(config.select)
    root = rule_of(config.root or config.select)
    prior = config.prior_visits > 0
    plain = of.policies.get("uniform", POLICIES["uniform"])
    drawing = of.knowledge.get(config.playout)
    return {
        **of.bindings,
        "rule": {"shared": rule.shared, "score": rule.score},
        "root_rule": {"shared": root.shared, "score": root.score},
        "blend": _named("value", BLENDS.get(config.rave)),
        "bias": _named("term", BIASES.get(config.bias)),
        "width": _named("open", WIDTHS.get(config.widen)),
        "backup": _named("value", BACKUPS.get(config.backup)),
        "knowledge": _named("judge", of.knowledge.get(config.knowledge)),
        "evaluation": _named("judge", of.evaluations.get(config.evaluation)),
        "drawing": _named("judge", drawing),
        "policy": {"next_move": of.policies.get(config.playout, plain)},
        "plain": {"next_move": plain},
        "ALL": config.all_children,
        "BIAS": config.bias != "off",
        "CRITICAL": config.criticality > 0,
        "DECIDE": config.decide > 0,
        "DECISIVE": config.decisive,
        "DRAWING": drawing is not None,
        "DRAWS": config.solver == "bounds",
        "EPSILON": config.playout_epsilon > 0,
        "EVALUATE": config.evaluation != "",
        "EVERY": _scores_all(rule, config),
        "FREE": config.halving == "shot",
        "GAME": config.expand == "game",
        "GIBBS": config.gibbs != "off",
        "GRAVE": config.grave > 0,
        "HORIZON": config.horizon > 0,
        "GLOBAL": config.sharing and config.lock == "global",
        "KNOWLEDGE": config.uses_knowledge,
        "LEADER": rule.leader,
        "LINE": has_line(of),
        "LOCAL": config.sharing and config.lock == "local",
        "NGRAM": config.gibbs == "ngram",
        "OWNERS": config.ownership,
        "PAIRS": config.pairs > 0,
        "POLICY": config.policy_visits > 0 or config.expand == "game",
        "POOL": config.pool > 0,
        "PRIOR": prior,
        "RAVE": config.rave != "off",
        "REVALUE": config.backup != "average",
        "ROOT_EVERY": _scores_all(root, config),
        "ROOT_LEADER": root.leader,
        "SCORED": of.score is not None,
        "SOLVER": config.solver != "off",
        "STAGES": config.root != "",
        "STAY": config.stays,
        "THREADS": config.sharing,
        "TRACK": config.tracks,
        "TRANSPOSE": config.transpositions,
        "VARIANCE": rule.variance or root.variance,
        "VIRTUAL": config.virtual_loss != 1,
        "WIDEN": config.widen != "off",
    }


def _scores_all(rule: Rule, config: SearchConfig) -> bool:
    """Can a rule score every child that it meets, with or without visits?"""
    known = config.prior_visits > 0 or config.rave != "off"
    return not config.all_children or rule.unvisited or known


def _named(name: str, kernel: Any) -> dict[str, Any]:
    """A namespace of one function, or an empty one."""
    return {} if kernel is None else {name: kernel}


def _check(of: Game, config: SearchConfig) -> None:
    """Refuse settings that ask for something a game does not have."""
    policies = {**POLICIES, **of.policies, **of.knowledge}
    for what, name, known in (
        ("playout policy", config.playout, policies),
        ("knowledge", config.knowledge, of.knowledge),
        ("evaluation", config.evaluation, of.evaluations),
    ):
        if name and name not in known:
            has = choices(name, known) if known else "it has none"
            raise ConfigError(f"{of.name} has no {what} {name!r}; {has}")
    if of.players > 2 and config.solver != "off":
        raise ConfigError(f"solver is for one or two players, {of.name} has {of.players}")
    if of.players > 2 and config.backup != "average":
        raise ConfigError(
            f"backup={config.backup} is for one or two players, {of.name} has {of.players}; "
            "use average"
        )
    if config.transpositions and (of.hash is None or of.repetition is not None):
        why = "has no hash" if of.hash is None else "forbids repetition, which depends on the path"
        raise ConfigError(f"transpositions cannot be used: {of.name} {why}")
    if config.ownership and (of.owners is None or of.players != 2):
        raise ConfigError(f"ownership cannot be used: {of.name} has no territory")
    size = 8 * of.players * of.move_codes**2
    if config.pairs > 0 and size > LARGEST_PAIRS:
        raise ConfigError(
            f"pairs cannot be used: {of.name} has {of.move_codes:,} moves, all pairs of them would "
            f"take {size / 1e6:,.0f} MB, and the most is {LARGEST_PAIRS / 1e6:,.0f}"
        )
