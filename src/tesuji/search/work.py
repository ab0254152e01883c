"""What a search thread works with: its settings as a record, and its buffers, made once.

Buffers of methods that are switched off are not there (`OFF`), so that they cost neither memory nor
time, nor compilation: each array is seven more words for every kernel that is handed the buffers.
"""

from typing import Any, NamedTuple

import numpy as np

from tesuji.game import Game, Playout, make_playout
from tesuji.search.config import SearchConfig

#: settings that kernels read, by their names in `SearchConfig`
NUMBERS = (
    "c",
    "epsilon",
    "greed",
    "deviation",
    "fpu",
    "rave_k",
    "rave_d",
    "rave_prior",
    "criticality",
    "prior_visits",
    "bias_weight",
    "bias_exponent",
    "widen_first",
    "widen_base",
    "widen_growth",
    "playout_epsilon",
    "decide",
    "gibbs_tau",
    "pool",
    "pairs",
    "pairs_value",
)
COUNTS = (
    "horizon",
    "policy_visits",
    "grave",
    "expand_visits",
    "expand_depth",
    "decide_every",
    "gibbs_tries",
    "pool_size",
    "pool_visits",
    "pairs_visits",
    "halving_switch",
    "halving_returns",
    "halving_bounds",
    "virtual_loss",
    "stay",
)
Params = np.dtype(
    [
        *((name, np.float64) for name in NUMBERS),
        *((name, np.int64) for name in COUNTS),
        ("cap", np.int64),  # moves a playout may have
    ],
    align=True,
)

#: one entry of the table of move sequences
Gram = np.dtype([("key", np.uint64), ("value", np.float64), ("visits", np.int64)], align=True)
GRAMS = 1 << 18  # sequences that are remembered; newer ones replace older ones

#: a node whose budget is being halved
Frame = np.dtype(
    [
        ("node", np.int64),
        ("budget", np.int64),
        ("start", np.int64),  # what the node had spent before
        ("total", np.int64),  # all budget that it ever got
        ("rounds", np.int64),
        ("quota", np.int64),  # visits that each child of the round shall have
        ("kept", np.int64),  # children that are still in the list
        ("size", np.int64),  # of which the first so many are in this round
        ("rank", np.int64),  # whose turn is next
        ("residual", np.int64),  # budget that proven or hopeless children left over
        ("floor", np.float64),  # lower bound of the best child
        ("turn", np.int64),  # the child whose turn it is, by number
        ("child", np.int64),  # and its record
        ("given", np.int64),  # its budget
        ("before", np.int64),  # what it had spent before
        ("left", np.int64),  # simulations that go through it now
    ],
    align=True,
)

LARGEST_PAIRS = 1 << 28  # bytes
DEEPEST_STAY = 64  # nodes of a path at which a thread may stay

OFF: Any = ()  #: in the place of a group of buffers that nobody needs


class Amaf(NamedTuple):
    """Buffers of RAVE and GRAVE."""

    stamp: Any  #: ``stamp[0]`` is the number of this simulation
    seen: Any  #: ``seen[player, move]`` is the last simulation in which the player made the move
    source: Any  #: for each player the node whose AMAF values GRAVE uses, or -1
    filled: Any  #: whether they have been copied:
    value: Any  #: ``value[player, move]``, a mean
    visits: Any  #: ``visits[player, move]``
    copied: Any  #: ``copied[player, move]`` is the simulation in which that was copied
    pool: Any  #: moves of poolRAVE
    pooled: Any  #: ``pooled[0]`` says how many


class Memory(NamedTuple):
    """What playouts learn: it outlives a simulation."""

    value: Any  #: ``value[player, move]``: summed rewards of simulations with the move
    visits: Any
    weight: Any  #: how likely the move is drawn: exp((Q - 1) / tau), Q its mean
    grams: Any  #: sequences of two and three moves, by hash
    pair_value: Any  #: ``pair_value[player, move, move]``
    pair_visits: Any
    last: Any  #: each player's last move in this simulation, or -1


class Halving(NamedTuple):
    """The nodes that halve their budgets: a stack, the root first."""

    frames: Any
    depth: Any  #: ``depth[0]`` frames are on the stack
    budget: Any  #: ``budget[0]``, if it is not 0, asks for a cycle of the root
    moved: Any  #: ``moved[0]`` says that records have moved since the last simulation
    ranked: Any  #: ``ranked[0]`` of the root's children have been ordered by a round
    states: Any  #: the position of each frame, and of the child whose turn it is
    order: Any  #: ``order[frame]``: numbers of its children, the best first
    keys: Any  #: scratch: their values


class Line(NamedTuple):
    """The best finished simulation of a one-player game (`line`)."""

    score: Any  #: ``score[0]``: of the best one; minus infinity when there is none
    moves: Any  #: all its moves from the root on
    length: Any  #: ``length[0]`` says how many


class Territory(NamedTuple):
    """Who had which point when simulations of this root ended (`territory`)."""

    owners: Any  #: of the last simulation, by move code
    owned: Any  #: ``owned[player, move]``: simulations in which the player had the point
    decisive: Any  #: ``decisive[move]``: those in which the winner had it
    wins: Any  #: of each player
    count: Any  #: ``count[0]`` simulations


#: where the threads of a crew meet (`tesuji.parallel.crew`)
Bell = np.dtype(
    [
        ("rung", np.int64),  # how often the lead has called
        ("depth", np.int64),  # of the point where all begin
        ("over", np.int8),  # it will not call again
        ("threads", np.int64),
        ("hands", np.int64),  # threads that wait for the bell
        ("left", np.int64),  # simulations that nobody has taken
        ("unused", np.int64),  # simulations that were taken and not needed
        ("finished", np.int64),  # hands that have none to do any more
    ],
    align=True,
)


class Crew(NamedTuple):
    """What a lead tells its hands."""

    bell: Any  #: one `Bell`
    state: Any  #: the position where all begin


class Stay(NamedTuple):
    """Where a thread of a shared tree stays for a while (`tesuji.parallel.shared`)."""

    nodes: Any  #: it stays at the first ``nodes[0]`` nodes of its path; for each of them:
    left: Any  #: simulations that it will still run there
    done: Any  #: those that it has run, of which the node knows nothing yet
    gains: Any  #: their summed rewards by player, in units of the tree
    squares: Any  #: and the squares of these
    states: Any  #: the position there


class Late(NamedTuple):
    """Simulations under way, for virtual threads (`tesuji.parallel.late`): a ring of them."""

    open: Any  #: ``open[0]``: how many
    oldest: Any  #: ``oldest[0]``: where the first one is
    closing: Any  #: ``closing[0]`` asks to complete all of them
    depths: Any
    states: Any
    path: Any
    chooser: Any
    trace: Any
    movers: Any


class Work(NamedTuple):
    """Buffers of one search thread."""

    states: Any  #: the root's state, the one that is played on, and two for looking ahead
    playout: Playout
    movers: Any  #: who made each move of the trace, if somebody wants to know
    path: Any  #: the nodes of this simulation, root first
    chooser: Any  #: who chose the move into each of them
    rewards: Any  #: of each player, in [0, 1]
    gains: Any  #: the same in units of the tree
    history: Any  #: repetition keys of the game before the root
    judged: Any  #: what knowledge says of the moves in ``playout.moves``
    order: Any  #: numbers of moves, to sort them
    amaf: Any  #: `Amaf`, or `OFF`, and so on
    memory: Any
    halving: Any
    line: Any
    territory: Any
    counted: Any  #: ``counted[0]`` nodes of the path count a simulation under way
    crew: Any
    stay: Any
    late: Any


def make_params(of: Game, config: SearchConfig) -> Any:
    """The settings as kernels read them."""
    params = np.zeros(1, Params)
    for name in (*NUMBERS, *COUNTS):
        params[name] = getattr(config, name)
    if config.halving == "shot":
        params["halving_switch"] = 0
    params["cap"] = config.playout_cap or of.max_length
    return params


def make_work(of: Game, config: SearchConfig | None = None) -> Work:
    """Buffers that fit a game and the methods in use."""
    config = config or SearchConfig()
    longest = of.max_length + 1
    weighs = config.knowledge or config.playout in of.knowledge or config.gibbs != "off"
    return Work(
        states=np.zeros(4, of.state),
        playout=make_playout(of, longest, config.weights),
        movers=np.zeros(longest if config.tracks else 0, np.int8),
        path=np.zeros(longest + 1, np.uint32),
        chooser=np.zeros(longest + 1, np.uint8),
        rewards=np.zeros(of.players, np.float64),
        gains=np.zeros(of.players, np.int64),
        history=np.zeros(0, np.uint64),
        judged=np.zeros(of.max_moves if weighs else 0, np.float64),
        order=np.zeros(of.max_moves if config.knowledge else 0, np.int32),
        amaf=_make_amaf(of, config) if config.rave != "off" else OFF,
        memory=_make_memory(of, config) if config.gibbs != "off" or config.pairs else OFF,
        halving=_make_halving(of) if config.halving != "off" else OFF,
        line=_make_line(of) if of.players == 1 else OFF,
        territory=_make_territory(of) if config.ownership else OFF,
        counted=np.zeros(1, np.int64),
        crew=Crew(np.zeros(1, Bell), np.zeros(1, of.state)) if config.crewed else OFF,
        stay=_make_stay(of) if config.stays else OFF,
        late=_make_late(of, config) if config.in_flight > 1 else OFF,
    )


def _make_stay(of: Game) -> Stay:
    deep = min(of.max_length + 1, DEEPEST_STAY)
    return Stay(
        nodes=np.zeros(1, np.int64),
        left=np.zeros(deep, np.int64),
        done=np.zeros(deep, np.int64),
        gains=np.zeros((deep, of.players), np.int64),
        squares=np.zeros((deep, of.players), np.int64),
        states=np.zeros(deep, of.state),
    )


def _make_late(of: Game, config: SearchConfig) -> Late:
    """Room for simulations under way; the system hands out pages only as they are used."""
    most = config.in_flight
    longest = of.max_length + 2
    return Late(
        open=np.zeros(1, np.int64),
        oldest=np.zeros(1, np.int64),
        closing=np.zeros(1, np.int8),
        depths=np.zeros(most, np.int64),
        states=np.zeros(most, of.state),
        path=np.zeros((most, longest), np.uint32),
        chooser=np.zeros((most, longest), np.uint8),
        trace=np.zeros((most, longest), np.int32),
        movers=np.zeros((most, longest if config.tracks else 0), np.int8),
    )


def _make_amaf(of: Game, config: SearchConfig) -> Amaf:
    players = of.players
    grave = players if config.grave else 0
    return Amaf(
        stamp=np.zeros(1, np.int64),
        seen=np.zeros((players, of.move_codes), np.uint32),
        source=np.zeros(of.players, np.int64),
        filled=np.zeros(of.players, np.int8),
        value=np.zeros((grave, of.move_codes), np.float32),
        visits=np.zeros((grave, of.move_codes), np.int32),
        copied=np.zeros((grave, of.move_codes), np.uint32),
        pool=np.zeros(config.pool_size if config.pool else 0, np.int32),
        pooled=np.zeros(1, np.int64),
    )


def _make_memory(of: Game, config: SearchConfig) -> Memory:
    gibbs = of.players if config.gibbs != "off" else 0
    pairs = of.players if config.pairs else 0
    return Memory(
        value=np.zeros((gibbs, of.move_codes), np.float64),
        visits=np.zeros((gibbs, of.move_codes), np.int64),
        weight=np.ones((gibbs, of.move_codes), np.float64),
        grams=np.zeros(GRAMS if config.gibbs == "ngram" else 0, Gram),
        pair_value=np.zeros((pairs, of.move_codes, of.move_codes), np.float32),
        pair_visits=np.zeros((pairs, of.move_codes, of.move_codes), np.int32),
        last=np.full(of.players, -1, np.int64),
    )


def _make_halving(of: Game) -> Halving:
    """Buffers for the deepest stack; the system hands out their pages only as they are used."""
    deep = of.max_length + 2
    return Halving(
        frames=np.zeros(deep, Frame),
        depth=np.zeros(1, np.int64),
        budget=np.zeros(1, np.int64),
        moved=np.zeros(1, np.int64),
        ranked=np.zeros(1, np.int64),
        states=np.zeros(deep, of.state),
        order=np.zeros((deep, of.max_moves), np.uint16),
        keys=np.zeros(of.max_moves, np.float64),
    )


def clear(stack: Halving) -> None:
    """Give up the cycle under way."""
    if stack is OFF:
        return
    for array in (stack.depth, stack.budget, stack.moved, stack.ranked):
        array[0] = 0


def _make_territory(of: Game) -> Territory:
    codes = of.move_codes
    return Territory(
        owners=np.full(codes, -1, np.int8),
        owned=np.zeros((2, codes), np.int64),
        decisive=np.zeros(codes, np.int64),
        wins=np.zeros(2, np.int64),
        count=np.zeros(1, np.int64),
    )


def clear_territory(territory: Territory) -> None:
    """Count anew."""
    if territory is OFF:
        return
    for array in (territory.owned, territory.decisive, territory.wins, territory.count):
        array[...] = 0


def _make_line(of: Game) -> Line:
    return Line(
        score=np.full(1, -np.inf),
        moves=np.zeros(of.max_length + 1, np.int32),
        length=np.zeros(1, np.int64),
    )


def forget(memory: Memory) -> None:
    """Unlearn everything."""
    if memory is OFF:
        return
    for array in memory:
        array[...] = np.zeros((), array.dtype)
    memory.weight[...] = 1.0
    memory.last[...] = -1
