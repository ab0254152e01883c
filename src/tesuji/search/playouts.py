"""How playouts choose a move.

A *policy* names the next move: ``uniform``, one of the game's own, or one that draws by the game's
``knowledge``.  Around it may lie, outermost first (Hoock et al. ask for this order):

================  ==============================================================================
``decisive``      a move that wins at once; no move that lets the other do so (Teytaud 2010)
``pool``          poolRAVE: a move from the pool of `rave`
``pairs``         contextual Monte-Carlo: the best partner of the player's last move
``gibbs``         MAST and n-grams: moves that did well in other simulations are likelier
``epsilon``       a uniformly random move now and then
================  ==============================================================================

They work for every game: what is legal they find out by listing the candidates.
"""

import math
from typing import Any

import numpy as np

from tesuji.compile import Slot, below, inlined, unit
from tesuji.game import CHANCE
from tesuji.search.work import GRAMS

game = Slot("game")
policy = Slot("policy")
plain = Slot("plain")
drawing = Slot("drawing")
DRAWING = Slot("DRAWING")
DICE = Slot("DICE")
DECISIVE = Slot("DECISIVE")
POOL = Slot("POOL")
PAIRS = Slot("PAIRS")
GIBBS = Slot("GIBBS")
NGRAM = Slot("NGRAM")
EPSILON = Slot("EPSILON")
PASS = Slot("PASS")

NO_MOVE = -1
FEWEST = 7  # visits of a sequence that counts (Tak, Winands and Björnsson 2012)


@inlined
def next_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: what the dice, the players' habits or the policy say."""
    if DICE:
        if game.mover(state) == CHANCE:
            return game.chance(state, rng)
    if DECISIVE:
        return with_decisive(state, work, params, rng)
    return by_habit(state, work, params, rng)


@inlined
def by_habit(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: a move by what this search has learned, or by the policy."""
    if POOL:
        move = pool_move(state, work, params, rng)
        if move != NO_MOVE:
            return move
    if PAIRS:
        move = pair_move(state, work, params, rng)
        if move != NO_MOVE:
            return move
    if GIBBS:
        return gibbs_move(state, work, params, rng)
    return policy_move(state, work, params, rng)


@inlined
def policy_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: the policy's move, or a random one."""
    if EPSILON:
        if unit(rng) < params.playout_epsilon:
            return plain.next_move(state, work.playout, rng)
    if DRAWING:
        return draw_by_knowledge(state, work, rng)
    return policy.next_move(state, work.playout, rng)


def uniform(state: Any, playout: Any, rng: Any) -> int:
    """Kernel: the policy that needs no knowledge: all candidates are equally likely."""
    listed = game.candidates(state, playout.moves)
    return playout.moves[below(rng, listed)]


POLICIES = {"uniform": uniform}


def draw_by_knowledge(state: Any, work: Any, rng: Any) -> int:
    """Kernel: a move with the probability that its weight has among all."""
    listed = game.candidates(state, work.playout.moves)
    drawing.judge(state, work.playout, listed, work.judged)
    return draw_weighted(work, listed, rng)


def draw_weighted(work: Any, listed: int, rng: Any) -> int:
    """Kernel: one of the listed moves by ``work.judged``; any, if all weigh nothing."""
    total = 0.0
    for i in range(listed):
        total += work.judged[i]
    if not total > 0.0:
        return work.playout.moves[below(rng, listed)]
    left = unit(rng) * total
    for i in range(listed):
        left -= work.judged[i]
        if left < 0.0:
            return work.playout.moves[i]
    return work.playout.moves[listed - 1]


# --- decisive and anti-decisive moves: Teytaud and Teytaud 2010 -----------------------------------


def with_decisive(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: win at once if that is possible; else make no move that the other wins after.

    Looking ahead costs a play of every move, and of every answer.
    """
    move = winning_move(state, work, 2)
    if move != NO_MOVE:
        return move
    move = by_habit(state, work, params, rng)
    if not loses_at_once(state, move, work):
        return move
    listed = game.candidates(state, work.playout.moves)
    first = below(rng, listed)
    for i in range(listed):
        # Looking ahead lists other moves in the same place, so this list is made again.
        game.candidates(state, work.playout.moves)
        other = work.playout.moves[(first + i) % listed]
        if not loses_at_once(state, other, work):
            return other
    return move


def winning_move(state: Any, work: Any, scratch: int) -> int:
    """Kernel: a candidate that ends the game with the full reward for its player, or none."""
    player = game.mover(state)
    listed = game.candidates(state, work.playout.moves)
    for i in range(listed):
        work.states[scratch] = state
        game.play(work.states[scratch], work.playout.moves[i])
        if game.over(work.states[scratch]):
            game.rewards(work.states[scratch], work.rewards)
            if work.rewards[player] >= 1.0:
                return work.playout.moves[i]
    return NO_MOVE


def loses_at_once(state: Any, move: int, work: Any) -> bool:
    """Kernel: can another player win with the next move?"""
    player = game.mover(state)
    work.states[3] = state
    after = work.states[3]
    game.play(after, move)
    if game.over(after) or game.mover(after) == player or game.mover(after) < 0:
        return False
    return winning_move(after, work, 2) != NO_MOVE


# --- poolRAVE: Rimmel, Teytaud and Teytaud 2010 ---------------------------------------------------


def pool_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: now and then a move of the pool; none if no move of it is possible now."""
    if work.amaf.pooled[0] == 0 or unit(rng) >= params.pool:
        return NO_MOVE
    listed = game.candidates(state, work.playout.moves)
    while work.amaf.pooled[0] > 0:
        move = take_from_pool(work, rng)
        for i in range(listed):
            if work.playout.moves[i] == move:
                return move
    return NO_MOVE


@inlined
def take_from_pool(work: Any, rng: Any) -> int:
    """Kernel: a random move of the pool, which leaves it."""
    last = work.amaf.pooled[0] - 1
    chosen = below(rng, last + 1)
    move = work.amaf.pool[chosen]
    work.amaf.pool[chosen] = work.amaf.pool[last]
    work.amaf.pooled[0] = last
    return move


# --- contextual Monte-Carlo: Rimmel and Teytaud 2010 ----------------------------------------------


def pair_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: now and then the move that did best together with the player's last one."""
    player = game.mover(state)
    last = work.memory.last[player]
    if last < 0 or unit(rng) >= params.pairs:
        return NO_MOVE
    best = NO_MOVE
    value = params.pairs_value
    for i in range(game.candidates(state, work.playout.moves)):
        move = work.playout.moves[i]
        visits = work.memory.pair_visits[player, last, move]
        if visits >= params.pairs_visits:
            mean = work.memory.pair_value[player, last, move] / visits
            if mean >= value:
                best = move
                value = mean
    return best


def learn_pairs(work: Any) -> None:
    """Kernel: count a simulation once for every pair of moves that one player made in it."""
    strike_repeats(work)
    for i in range(work.playout.length[0]):
        player = work.movers[i]
        if player < 0:
            continue
        for j in range(i):
            if work.movers[j] == player:
                count_pair(player, work.playout.trace[i], work.playout.trace[j], work)
                count_pair(player, work.playout.trace[j], work.playout.trace[i], work)


def strike_repeats(work: Any) -> None:
    """Kernel: passes, and moves that their player made before, count as nobody's.

    Whatever else learns from this simulation must have done so.
    """
    trace = work.playout.trace
    for i in range(work.playout.length[0]):
        for j in range(i):
            if trace[j] == trace[i] and work.movers[j] == work.movers[i]:
                work.movers[i] = CHANCE
                break
        if trace[i] == PASS:
            work.movers[i] = CHANCE


@inlined
def count_pair(player: int, move: int, other: int, work: Any) -> None:
    """Kernel: one more simulation with both moves."""
    work.memory.pair_visits[player, move, other] += 1
    work.memory.pair_value[player, move, other] += np.float32(work.rewards[player])


# --- Gibbs sampling: MAST, Finnsson and Björnsson 2008; n-grams, Tak, Winands and Björnsson 2012 --


@inlined
def gibbs_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: a move that is the likelier, the better it did in other simulations.

    Exactly, p ~ exp(Q / tau) over all candidates, if ``gibbs_tries`` is 0.  Else a short walk
    (Metropolis et al. 1953): the policy proposes so many moves, and each takes the place of the one
    before it with probability min(1, exp((Q' - Q) / tau)).  Where the policy is uniform, that tends
    to the exact distribution, and needs neither a list of moves nor the best Q among them.
    """
    if params.gibbs_tries == 0:
        return exact_gibbs_move(state, work, params, rng)
    player = game.mover(state)
    move = policy_move(state, work, params, rng)
    weight = gibbs_weight(player, move, work, params)
    for _ in range(1, params.gibbs_tries):
        other = policy_move(state, work, params, rng)
        other_weight = gibbs_weight(player, other, work, params)
        if unit(rng) * weight <= other_weight:
            move = other
            weight = other_weight
    return move


def exact_gibbs_move(state: Any, work: Any, params: Any, rng: Any) -> int:
    """Kernel: weigh all candidates."""
    player = game.mover(state)
    listed = game.candidates(state, work.playout.moves)
    for i in range(listed):
        work.judged[i] = gibbs_weight(player, work.playout.moves[i], work, params)
    return draw_weighted(work, listed, rng)


@inlined
def gibbs_weight(player: int, move: Any, work: Any, params: Any) -> float:
    """Kernel: exp(Q / tau), on the scale on which a move that was never made weighs 1.

    Nothing is learned from a pass, so it weighs nothing: it is made if there is no other move.
    """
    if move == PASS:
        return 0.0
    if NGRAM:
        return math.exp((quality_of(player, move, work) - 1.0) / params.gibbs_tau)
    return work.memory.weight[player, move]


@inlined
def quality_of(player: int, move: int, work: Any) -> float:
    """Kernel: Q, the mean reward of a player's move; 1 if it was never made."""
    visits = work.memory.visits[player, move]
    quality = work.memory.value[player, move] / visits if visits > 0 else 1.0
    if NGRAM:
        return with_grams(player, move, work, quality)
    return quality


def with_grams(player: int, move: int, work: Any, quality: float) -> float:
    """Kernel: the mean of Q and those of the sequences of two and three moves that end here."""
    length = work.playout.length[0]
    total = quality
    count = 1
    for n in range(2, 4):
        if length >= n - 1:
            key = gram_key(player, move, length, n, work)
            gram = work.memory.grams[np.int64(key & np.uint64(GRAMS - 1))]
            if gram.key == key and gram.visits >= FEWEST:
                total += gram.value / gram.visits
                count += 1
    return total / count


@inlined
def gram_key(player: int, move: int, ply: int, n: int, work: Any) -> np.uint64:
    """Kernel: a hash of the ``n`` moves that end with ``move`` at ``ply``."""
    key = np.uint64(move * 128 + player + 1) * np.uint64(0x9E3779B97F4A7C15)
    for back in range(1, n):
        key ^= key >> np.uint64(29)
        key = (key + np.uint64(work.playout.trace[ply - back] + 1)) * np.uint64(0xBF58476D1CE4E5B9)
    return key ^ (key >> np.uint64(32))


def learn_moves(work: Any, params: Any) -> None:
    """Kernel: count a simulation for each of its moves, and weigh them anew."""
    memory = work.memory
    for i in range(work.playout.length[0]):
        player = work.movers[i]
        move = work.playout.trace[i]
        if player < 0 or move == PASS:
            continue
        memory.visits[player, move] += 1
        memory.value[player, move] += work.rewards[player]
        if NGRAM:
            learn_grams(player, move, i, work)
        else:
            quality = quality_of(player, move, work)
            memory.weight[player, move] = math.exp((quality - 1.0) / params.gibbs_tau)


def learn_grams(player: int, move: int, ply: int, work: Any) -> None:
    """Kernel: the same for the sequences of two and three moves that end here."""
    for n in range(2, 4):
        if ply >= n - 1:
            key = gram_key(player, move, ply, n, work)
            gram = work.memory.grams[np.int64(key & np.uint64(GRAMS - 1))]
            if gram.key != key:
                gram.key = key
                gram.value = 0.0
                gram.visits = 0
            gram.visits += 1
            gram.value += work.rewards[player]
