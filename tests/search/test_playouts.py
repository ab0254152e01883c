"""How playouts choose moves: draws, lookahead, and what they learn; all on the search's kernels."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from tests.search.inside import context
from tests.search.table import Table
from tests.toys import dice_duel, knowing, triple_nim
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load
from tesuji.game import CHANCE
from tesuji.search import parts, playouts
from tesuji.search.bindings import bindings
from tesuji.search.hooks import NO_MOVE
from tesuji.search.parts.gibbs import FEWEST, GRAMS

UNLIKELY = 1e-3  # seeds are fixed, so a test that passes once always does


def fits(counts, shares):
    """Could these counts come from a distribution with these shares?"""
    counts, shares = np.asarray(counts), np.asarray(shares, float)
    assert counts[shares == 0].sum() == 0
    if np.count_nonzero(shares) == 1:
        return True
    expected = shares[shares > 0] / shares.sum() * counts.sum()
    return chisquare(counts[shares > 0], expected).pvalue > UNLIKELY


# --- draws ----------------------------------------------------------------------------------------


def drawn_by(weights, count=2000):
    table = Table(knowing.game(), playout="squares")
    table.own.moves[:9] = range(9)
    table.own.judged[:9] = weights
    draws = [
        table.call(playouts.draw_weighted, table.own, len(weights), table.rng) for _ in range(count)
    ]
    return np.bincount(draws, minlength=9)


@pytest.mark.parametrize(
    "weights",
    [[5000, 500, 150, 10, 1, 1, 1, 0, 1], [0, 0, 1, 0, 3, 0, 0, 0, 0], [1e-9] * 9, [1e9] * 9],
)
def test_moves_are_drawn_by_their_weights(weights):
    """Chaslot 2010, chapter 4: p = U / sum of U; no weight means never."""
    assert fits(drawn_by(weights), weights)


def test_without_any_weight_all_moves_are_equally_likely():
    assert fits(drawn_by([0] * 9), [1] * 9)


def test_knowledge_draws_moves():
    table = Table(knowing.game(), "a1 b1", playout="squares")
    weights = [0, 0, 0.1, 0.12, 0.5, 0.12, 0.1, 0.12, 0.1]
    assert fits(table.draws(2000), weights)


def lowest(state, playout, rng):
    """Policy: the first empty square."""
    for square in range(9):
        if state.board[square] == 0:
            return square
    return -1


@pytest.mark.parametrize("epsilon", [0.0, 0.25, 1.0])
def test_epsilon_is_the_share_of_random_moves(epsilon):
    of = replace(load("tictactoe"), policies={"lowest": lowest})
    table = Table(of, playout="lowest", playout_epsilon=epsilon)
    shares = np.full(9, epsilon / 9)
    shares[0] += 1 - epsilon
    assert fits(table.draws(2000), shares)


# --- decisive and anti-decisive moves -------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves", "move"),
    [
        ("tictactoe", "a1 a2 b1 b2", "c1"),
        ("tictactoe", "c3 a2 b1 b2 c1", "c2"),  # a win goes before a defence
        ("connect4", "a b a b a b", "a"),
        ("connect4", "a a b b c c", "d"),
    ],
)
def test_a_decisive_move_is_always_made(game, moves, move):
    table = Table(game, moves, decisive=True)
    assert table.draws(50)[table.position.parse_move(move)] == 50


@pytest.mark.parametrize(
    ("game", "moves", "answer"),
    [
        ("tictactoe", "a1 b2 b1", "c1"),
        ("tictactoe", "a1 b2 c3 a2", "c2"),
        ("connect4", "a b a b a", "a"),
        ("connect4", "b b c c d", None),
    ],
)
def test_an_anti_decisive_move_is_always_made(game, moves, answer):
    table = Table(game, moves, decisive=True)
    if answer is not None:
        assert table.draws(50)[table.position.parse_move(answer)] == 50
    else:  # open at both ends: nothing helps, and any move may come
        assert np.count_nonzero(table.draws(200)) == len(table.position.moves)


def test_no_move_is_made_that_lets_the_other_win():
    """A stone on d1 would carry the other's fourth stone on d2."""
    table = Table("connect4", "a a b b g c g c", decisive=True)
    chosen = table.draws(200)
    assert np.flatnonzero(chosen == 0).tolist() == [table.position.parse_move("d")]


def test_decisive_moves_among_three_players():
    """Of five stones take one: whoever leaves three or fewer lets the next player take the last."""
    assert Table(triple_nim.game(5), decisive=True).draws(50)[1] == 50
    assert Table(triple_nim.game(3), decisive=True).draws(50)[3] == 50
    assert np.count_nonzero(Table(triple_nim.game(4), decisive=True).draws(99)) == 3


def wins_with(position, move):
    after = position.play(move)
    return after.over and after.rewards[position.mover] == 1.0


def loses_with(position, move):
    after = position.play(move)
    return not after.over and any(wins_with(after, answer) for answer in after.moves)


@pytest.mark.parametrize("game", ["tictactoe", "connect4:size=4x4", "breakthrough:size=2x5"])
def test_whole_playouts_are_decisive(game):
    """Against a slow and obvious reference, at every move of some games."""
    for seed in range(6):
        table = Table(game, decisive=True, seed=seed)
        position = table.position
        while not position.over:
            table.put(position)
            move = table.next_move()
            wins = [m for m in position.moves if wins_with(position, m)]
            safe = [m for m in position.moves if not loses_with(position, m)]
            assert move in (wins or safe or list(position.moves))
            position = position.play(move)


# --- MAST -----------------------------------------------------------------------------------------

QUALITIES = [0.1, 0.35, 0.5, 0.2, 0.9, 0.45]  # of squares 0 to 5; the others were never tried


def taught(tries, tau=0.2, gibbs="mast"):
    table = Table("tictactoe", gibbs=gibbs, gibbs_tau=tau, gibbs_tries=tries)
    for move, quality in enumerate(QUALITIES):
        for _ in range(3):
            table.learn([move], [quality, 1 - quality])
    table.sim.length[0] = 0
    return table


def gibbs_shares(tau=0.2):
    weights = np.exp(np.array([*QUALITIES, 1.0, 1.0, 1.0]) / tau)
    return weights / weights.sum()


def walk_shares(tries, tau=0.2):
    """Metropolis: each uniform proposal is accepted with probability min(1, exp(difference))."""
    weights = gibbs_shares(tau)
    steps = np.minimum(1, weights / weights[:, None]) / 9
    np.fill_diagonal(steps, 0)
    np.fill_diagonal(steps, 1 - steps.sum(1))
    return np.full(9, 1 / 9) @ np.linalg.matrix_power(steps, tries - 1)


@pytest.mark.parametrize("gibbs", ["mast", "ngram"])
def test_gibbs_weighs_all_moves(gibbs):
    """Finnsson and Björnsson 2008: p ~ exp(Q / tau), and Q = 1 for a move that was never made."""
    assert fits(taught(0, gibbs=gibbs).draws(2000), gibbs_shares())


@pytest.mark.parametrize("tries", [1, 2, 4])
@pytest.mark.parametrize("gibbs", ["mast", "ngram"])
def test_a_proposal_is_accepted_by_the_difference_of_qualities(gibbs, tries):
    assert fits(taught(tries, gibbs=gibbs).draws(1500), walk_shares(tries))


def test_many_proposals_come_close_to_the_exact_distribution():
    distances = [np.abs(walk_shares(n) - gibbs_shares()).sum() / 2 for n in (1, 2, 4, 24)]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 0.01
    assert fits(taught(24).draws(800), gibbs_shares())


@pytest.mark.parametrize("tries", [0, 4])
def test_the_other_player_has_qualities_of_his_own(tries):
    table = taught(tries, tau=0.02)
    table.put(table.position.play("b3"))  # 7, by the first player: all are new to the second
    chosen = table.draws(900)
    assert fits(chosen, np.array([1] * 7 + [0, 1]))


@pytest.mark.parametrize("tries", [0, 4])
def test_a_small_temperature_is_greedy_and_never_stuck(tries):
    table = Table("tictactoe", "a1 a2", gibbs="mast", gibbs_tau=0.002, gibbs_tries=tries)
    for move in range(9):
        table.learn([move], [0.0, 1.0])
    assert fits(table.draws(700), [0, 1, 1, 0, 1, 1, 1, 1, 1])  # all weights vanish: any move
    table.learn([8], [1.0, 0.0])
    assert table.draws(100)[8] > (99 if tries == 0 else 30)


@pytest.mark.parametrize("tries", [0, 3])
@pytest.mark.parametrize("gibbs", ["mast", "ngram"])
def test_a_pass_is_made_only_when_there_is_no_other_move(gibbs, tries):
    """Nothing is learned of passes; as moves never made they would look the best."""
    table = Table("go:size=3", gibbs=gibbs, gibbs_tries=tries)
    for vertex in table.position.moves:
        table.learn([vertex, vertex], [0.0, 0.0])
    table.sim.length[0] = 0
    assert table.draws(200)[table.of.pass_move] == 0
    forced = Table("go:size=1", gibbs=gibbs, gibbs_tries=tries)
    assert forced.draws(5)[forced.of.pass_move] == 5


def test_every_move_of_both_players_is_counted():
    table = Table("tictactoe", gibbs="mast")
    table.learn([4, 0, 8, 2, 6], [1.0, 0.0])
    table.learn([4, 8, 0], [0.5, 0.5])
    memory = table.own.gibbs
    assert memory.visits.tolist() == [[1, 0, 0, 0, 2, 0, 1, 0, 1], [1, 0, 1, 0, 0, 0, 0, 0, 1]]
    assert memory.value.tolist() == [
        [0.5, 0, 0, 0, 1.5, 0, 1.0, 0, 1.0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0.5],
    ]


def test_passes_and_dice_are_not_counted():
    table = Table("go:size=3", gibbs="ngram")
    table.learn([7, table.of.pass_move, 8], [1.0, 0.0])
    assert np.argwhere(np.asarray(table.own.gibbs.visits)).tolist() == [[0, 7], [0, 8]]
    dice = Table(dice_duel.game(), gibbs="mast")
    dice.learn([7, 3, 0], [1.0, 0.0], movers=[0, CHANCE, 1])
    assert np.argwhere(np.asarray(dice.own.gibbs.visits)).tolist() == [[0, 7], [1, 0]]


# --- n-grams --------------------------------------------------------------------------------------


def keys_of_tictactoe(table):
    """All sequences of two and three squares with their keys, for both players."""
    for player, squares in product(range(2), product(range(9), repeat=3)):
        table.simulated(squares, [0.0, 0.0])
        for n in (2, 3):
            key = table.call(parts.gibbs.gram_key, player, squares[2], 2, n, table.sim, table.own)
            yield (player, squares[3 - n :]), int(key)


def test_keys_tell_players_orders_and_lengths_apart():
    pairs = dict(keys_of_tictactoe(Table("tictactoe", gibbs="ngram")))
    assert len(pairs) == 2 * (9**2 + 9**3)
    assert len(set(pairs.values())) == len(pairs)


def quality(table, context, player, move):
    table.simulated(context, [0.0, 0.0])
    return table.call(parts.gibbs.quality_of, player, move, table.sim, table.own)


def test_a_sequence_counts_after_some_visits():
    """Tak, Winands and Björnsson 2012: only with seven visits; then the mean of all Qs."""
    table = Table("tictactoe", gibbs="ngram")
    for _ in range(FEWEST - 1):
        table.learn([3, 5, 7], [1.0, 0.0])
    table.learn([7], [0.0, 1.0])
    alone = (FEWEST - 1) / FEWEST
    assert quality(table, [3, 5], 0, 7) == pytest.approx(alone)
    table.learn([3, 5, 7], [1.0, 0.0])
    alone = FEWEST / (FEWEST + 1)
    assert quality(table, [3, 5], 0, 7) == pytest.approx((alone + 1 + 1) / 3)
    assert quality(table, [4, 5], 0, 7) == pytest.approx((alone + 1) / 2)  # the pair 5 7 alone
    assert quality(table, [5], 0, 7) == pytest.approx((alone + 1) / 2)
    assert quality(table, [5, 3], 0, 7) == pytest.approx(alone)
    assert quality(table, [], 0, 7) == pytest.approx(alone)
    assert quality(table, [3, 5], 1, 7) == 1.0  # the other player never made it


def test_a_newer_sequence_takes_the_place_of_an_older_one():
    table = Table("tictactoe", gibbs="ngram")
    places = {}
    for (player, squares), key in keys_of_tictactoe(table):
        if player == 0 and len(squares) == 3:
            places.setdefault(key % GRAMS, []).append(squares)
    older, newer = next(found for found in places.values() if len(found) > 1)[:2]
    for squares in (older, newer):
        for _ in range(FEWEST):
            table.learn(squares, [1.0, 0.0])
    key = int(table.call(parts.gibbs.gram_key, 0, newer[2], 2, 3, table.sim, table.own))
    entry = table.own.gibbs.grams[key % GRAMS]
    assert (entry.key, entry.visits, entry.value) == (key, FEWEST, float(FEWEST))


# --- poolRAVE -------------------------------------------------------------------------------------


def pooled(moves, content, **settings):
    table = Table("tictactoe", moves, rave="mse", **{"pool": 1.0, **settings})
    table.sim.pool.moves[: len(content)] = content
    table.sim.pool.count = len(content)
    return table


def pool_move(table):
    return table.call(
        parts.pool.pool_move, table.state, table.sim, table.own, table.params, table.rng
    )


def test_each_move_of_the_pool_is_used_once_and_occupied_squares_never():
    for seed in range(20):
        table = pooled("a1 b2", [0, 4, 8, 2, 6], seed=seed)
        moves = [pool_move(table) for _ in range(5)]
        assert sorted(moves[:3]) == [2, 6, 8]
        assert moves[3:] == [NO_MOVE, NO_MOVE]


def test_the_pool_is_asked_with_its_probability():
    """Also while some of its moves are not possible any more."""
    table = pooled("a1 b2", [0, 4, 8], pool=0.3)
    used = 0
    for _ in range(2000):
        table.sim.pool.moves[:3] = [0, 4, 8]
        table.sim.pool.count = 3
        used += pool_move(table) == 8
    assert binomtest(used, 2000, 0.3).pvalue > UNLIKELY


def test_moves_of_the_pool_are_equally_likely():
    table = pooled("", [])
    chosen = np.zeros(9, int)
    for _ in range(1500):
        table.sim.pool.moves[:3] = [1, 4, 8]
        table.sim.pool.count = 3
        chosen[pool_move(table)] += 1
    assert fits(chosen, [0, 1, 0, 0, 1, 0, 0, 0, 1])


def searched(game, simulations, jit=False, **settings):
    of = load(game) if isinstance(game, str) else game
    searcher = Searcher(of, SearchConfig(memory_mb=1, **settings), seed=3, jit=jit)
    searcher.search(Position.start(of), Limit(simulations))
    return searcher


def same_tree(one, other):
    top = int(one.tree.meta[0]["top"])
    return bool(
        top == other.tree.meta[0]["top"]
        and (one.tree.nodes[:top] == other.tree.nodes[:top]).all()
        and (one._trees._runner.rngs[0] == other._trees._runner.rngs[0]).all()
    )


def test_there_is_no_pool_before_the_root_has_enough_visits():
    """Until then the search is the very same as without; then it differs."""
    plain, pool = {"rave": "mse"}, {"rave": "mse", "pool": 0.5}
    assert same_tree(searched("tictactoe", 49, **plain), searched("tictactoe", 49, **pool))
    assert not same_tree(searched("tictactoe", 99, **plain), searched("tictactoe", 99, **pool))


@pytest.mark.parametrize(
    "unused", [{"pool": 0.0, "pool_size": 3}, {"pairs": 0.0, "pairs_value": 0.1, "pairs_visits": 1}]
)
def test_with_probability_zero_nothing_changes(unused):
    assert same_tree(
        searched("tictactoe", 150, rave="mse"), searched("tictactoe", 150, rave="mse", **unused)
    )


# --- contextual Monte-Carlo -----------------------------------------------------------------------


def test_a_simulation_counts_for_all_pairs_of_a_players_moves():
    """Black made 0, 1, 2 and won, White 6, 7."""
    table = Table("tictactoe", pairs=0.5)
    table.learn_pairs([0, 6, 1, 7, 2], [1.0, 0.0])
    visits, value = np.asarray(table.own.pairs.visits), table.own.pairs.value
    black = [(a, b) for a in range(3) for b in range(3) if a != b]
    assert list(map(tuple, np.argwhere(visits[0]).tolist())) == black
    assert list(map(tuple, np.argwhere(visits[1]).tolist())) == [(6, 7), (7, 6)]
    assert visits.max() == 1
    assert value[0].tolist() == visits[0].tolist()
    assert value[1].sum() == 0


def test_a_pair_counts_once_a_simulation_and_passes_and_dice_do_not():
    table = Table("go:size=3", pairs=0.5)
    table.learn_pairs([6, 7, 8, 0, 6, 7, 0, 0, 8], [1.0, 0.0])
    visits = np.asarray(table.own.pairs.visits)
    assert np.argwhere(visits[0]).tolist() == [[6, 8], [8, 6]]
    assert visits.max() == 1
    table.learn_pairs([6, 7, 8, 9], [1.0, 0.0], movers=[0, CHANCE, 0, CHANCE])
    assert visits[0, 6, 8] == visits[0, 8, 6] == 2
    assert visits.sum() == 4


def contextual(moves="a1 b2", **settings):
    """The first player's last move is 0; in simulations it went well with 8, badly with 2."""
    table = Table("tictactoe", moves, **{"pairs": 1.0, "pairs_visits": 4, **settings})
    for _ in range(4):
        table.learn_pairs([0, 1, 8], [0.75, 0.25])
        table.learn_pairs([0, 1, 2], [0.25, 0.75])
    table.learn_pairs([0, 1, 6], [1.0, 0.0])
    table.sim.pairs.last[:] = [0, 4]
    return table


def pair_move(table):
    return table.call(
        parts.pairs.pair_move, table.state, table.sim, table.own, table.params, table.rng
    )


def test_the_best_partner_of_the_last_move_is_made():
    assert pair_move(contextual()) == 8
    assert pair_move(contextual(pairs_visits=1)) == 6
    assert pair_move(contextual(moves="a1 c3", pairs_value=0.2)) == 2  # 8 is occupied


def test_no_partner_without_enough_visits_or_value():
    assert pair_move(contextual(pairs_visits=5)) == NO_MOVE
    assert pair_move(contextual(pairs_value=0.76)) == NO_MOVE
    assert pair_move(contextual(moves="a1 c3")) == NO_MOVE
    first = contextual()
    first.sim.pairs.last[0] = -1
    assert pair_move(first) == NO_MOVE


def test_partners_come_with_their_probability():
    table = contextual(pairs=0.3)
    chosen = table.draws(2000)  # otherwise any of the seven empty squares
    assert binomtest(int(chosen[8]), 2000, 0.3 + 0.7 / 7).pvalue > UNLIKELY


def test_pairs_are_refused_where_there_are_too_many_moves():
    with pytest.raises(ConfigError, match=r"pairs cannot be used: amazons has .* moves"):
        bindings(load("amazons"), SearchConfig(pairs=0.5))


# --- compiled -------------------------------------------------------------------------------------

EVERYTHING = {
    "rave": "mse",
    "pool": 0.4,
    "pool_visits": 10,
    "pairs": 0.4,
    "pairs_visits": 5,
    "gibbs": "ngram",
    "playout": "squares",
    "playout_epsilon": 0.2,
    "decisive": True,
}


@pytest.mark.stress
def test_compiled_playouts_are_the_same():
    """Bit for bit, also what they have learned."""
    compiled, plain = (
        searched(knowing.game(), 200, jit=jit, **EVERYTHING) for jit in (True, False)
    )
    assert same_tree(compiled, plain)
    for ours, theirs in zip(context(compiled).gibbs, context(plain).gibbs, strict=True):
        assert (ours == theirs).all()
