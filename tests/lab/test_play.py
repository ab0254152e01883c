"""One game: who moves when, how it ends, and what a player may not do."""

import json

import pytest

from tesuji import start
from tesuji.lab.budget import Budget, Clock
from tesuji.lab.match import game_of
from tesuji.lab.opening import Openings
from tesuji.lab.play import play
from tesuji.lab.player import Choice, Player

from .matches import FIRST, make, play_one, trouble


def without_times(game):
    """Everything about a game that does not depend on the machine."""
    figures = [(simulations, value) for _, simulations, value in game.figures]
    return (game.number, game.first, game.seed, game.opening, game.moves, game.score, figures)


def replayed(match, game):
    return start(match.game).play(*game.opening, *game.moves)


def test_a_game_is_legal_and_scored_by_its_end():
    match = make("uct", "random", "hex:size=4", openings=Openings.parse("random:2"))
    for number in range(4):
        game = play_one(match, number)
        end = replayed(match, game)
        assert end.over
        first = game.score if game.first == "a" else 1 - game.score
        assert first == end.rewards[0]
        assert game.reason == "end"
        assert len(game.figures) == len(game.moves) == sum(game.turns)
        assert len(game.opening) == 2


def test_the_games_of_a_pair_share_the_opening_and_swap_the_colours():
    match = make("uct", "random", "hex:size=4", openings=Openings.parse("random:2"))
    games = [play_one(match, number) for number in range(4)]
    assert [game.first for game in games] == ["a", "b", "a", "b"]
    assert games[0].opening == games[1].opening != games[2].opening == games[3].opening


def test_a_game_depends_on_its_number_only():
    match = make("uct", "uct@c=0.7", "hex:size=4")
    game = game_of(match.game)
    players = [entrant.build(game) for entrant in match.entrants]
    several = [without_times(play(match, number, game, players)) for number in (3, 0, 2, 1)]
    alone = [without_times(play_one(match, number)) for number in (3, 0, 2, 1)]
    assert several == alone
    assert len({tuple(moves) for *_, moves, _, _ in several}) > 1


def test_figures_of_the_search():
    game = play_one(make("uct@sims=30", "random"))
    own = [f for number, f in enumerate(game.figures) if number % 2 == 0]
    assert {simulations for _, simulations, _ in own} == {30}
    assert all(0 <= value <= 1 for _, _, value in own)
    assert game.simulations == [30 * game.turns[0], 0]
    assert 0 < game.thinking[0] <= game.seconds


def test_draws_are_half_a_point():
    strong = make("uct@sims=3000", "uct@sims=3000")
    assert play_one(strong).score == 0.5


@pytest.mark.parametrize(
    ("kind", "reason", "detail"),
    [
        ("raise", "crash", "ZeroDivisionError: oh no"),
        ("illegal", "illegal move", "move 1000000 is not legal"),
        ("resign", "resignation", ""),
        ("exit", "crash", "SystemExit: 3"),
        ("loop", "hang", "no answer after 0.5 s"),
        ("none", "nonsense", "choose() gave None"),
        ("bare", "nonsense", "choose() gave 3, it must give a Choice"),
        ("text", "nonsense", "choose() gave 'a1'"),
        ("value", "nonsense", "value='high'"),
        ("nan", "nonsense", "value=nan"),
        ("negative", "nonsense", "simulations=-7"),
    ],
)
@pytest.mark.parametrize("number", [0, 1])
def test_a_player_that_does_wrong_loses(kind, reason, detail, number):
    patience = 0.5 if reason == "hang" else 60  # nobody else hangs, however slow the machine is
    game = play_one(make(trouble(kind), FIRST, "hex:size=5", patience=patience), number)
    assert (game.score, game.reason) == (0.0, reason)
    assert detail in game.detail
    game = play_one(make(FIRST, trouble(kind), "hex:size=5", patience=patience), number)
    assert (game.score, game.reason) == (1.0, reason)
    assert game.turns[1] == (2 if reason in ("illegal move", "resignation") else 1)


def test_numbers_of_numpy_are_numbers():
    game = play_one(make(trouble("numpy"), FIRST, "hex:size=5"))
    assert game.reason == "end"
    json.dumps(game.figures)


def test_resigning_only_where_asked_for():
    hopeless = {"a": "uct", "b": FIRST, "game": "connect4", "budget": Budget(sims=200)}
    assert play_one(make(**hopeless)).reason == "end"
    match = make("uct", "uct@sims=200", "connect4", budget=Budget(sims=2000), resign=0.4)
    games = [play_one(match, number) for number in range(6)]
    resigned = [game for game in games if game.reason == "resignation"]
    assert resigned
    for game in resigned:
        loser = 0 if game.score == 0 else 1
        values = [
            value
            for ply, (_, _, value) in enumerate(game.figures)
            if (ply % 2 == 0) == ((game.first == "a") == (loser == 0))
        ]
        assert all(value < 0.4 for value in values[-2:])


class Slow(Player):
    """Pretends on its clock that a move took long."""

    def choose(self, position, clock):
        clock.spend(4.0)
        return Choice(position.moves[0])


def test_time_runs_out():
    match = make(FIRST, FIRST, budget=Budget(game_seconds=10.0))
    game = play(match, 0, game_of("tictactoe"), [Slow(), Slow()])
    assert game.reason == "time"
    assert game.score == 0.0  # a has moved three times, b twice
    assert game.turns == [3, 2]


def test_game_time_is_kept():
    game = play_one(make("uct", "uct", "hex:size=4", budget=Budget(game_seconds=0.5)))
    assert game.reason == "end"
    assert max(game.thinking) < 0.5


class Watcher(Player):
    """Notes what its clock allows."""

    def __init__(self):
        self.limits = []

    def choose(self, position, clock):
        self.limits.append(clock.limit)
        return Choice(position.moves[0])


def test_time_equalised():
    """Player b gets the time of a's last move; before that, a's simulations."""
    match = make("uct@sims=3000", "random", "hex:size=5", time_equalised=True)
    game = game_of(match.game)
    for number in (0, 1):
        watcher = Watcher()
        played = play(match, number, game, [match.a.build(game), watcher])
        limits = watcher.limits
        if number == 1:
            assert limits.pop(0).simulations == 3000
        times = [f[0] for ply, f in enumerate(played.figures) if ply % 2 == number]
        assert [limit.seconds for limit in limits] == times[: len(limits)]
        assert all(limit.simulations is None for limit in limits)


def test_a_game_that_goes_on_too_long_is_scored_as_it_stands():
    """On 3x3, first players pass; a player that never passes fills and refills the board."""

    class Filler(Player):
        def choose(self, position, clock):
            return Choice(position.moves[-1] or position.moves[0])

    match = make("random", "random", "go:size=3,komi=0.5")
    game = play(match, 0, game_of(match.game), [Filler(), Filler()])
    assert game.reason in ("end", "length")
    assert len(game.moves) <= game_of(match.game).max_length
    assert game.score in (0.0, 1.0)


def test_jigo_is_half_a_point():
    match = make(FIRST, FIRST, "go:size=3,komi=0")

    class Passer(Player):
        def choose(self, position, clock):
            return Choice(position.parse_move("pass"))

    game = play(match, 0, game_of(match.game), [Passer(), Passer()])
    assert game.score == 0.5
    assert game.moves == ["pass", "pass"]


def test_dice_are_rolled_from_the_seed():
    match = make(FIRST + "@index=1", FIRST + "@index=1", "tests/toys/dice_duel.py")
    games = [play_one(match, number) for number in (0, 0, 2)]
    assert games[0].moves == games[1].moves
    assert games[0].moves != games[2].moves
    assert games[0].moves[::2] == ["roll"] * 6
    assert games[0].turns == [3, 3]  # the dice are nobody's turn
    assert replayed(match, games[0]).rewards[0] == games[0].score


def test_clocks_are_new_in_every_game():
    match = make("uct", "uct", budget=Budget(game_seconds=0.3))
    for number in range(3):
        assert play_one(match, number).reason == "end"
    assert Clock(match.budgets[0]).left == 0.3
