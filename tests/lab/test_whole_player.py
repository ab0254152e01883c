"""The whole player in a match: the same player as over GTP."""

import sys

from tesuji import start
from tesuji.lab.budget import Budget, Clock
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import game_of
from tesuji.lab.play import play

from ..engines.talk import LONG
from .matches import make

GTP = f"gtp:{sys.executable} -m tesuji gtp"


def played(player, opponent, count, game, **rules):
    """The first games of a match."""
    match = make(player, opponent, game, **rules)
    of = game_of(match.game)
    players = [entrant.build(of, start_seconds=LONG, patience=LONG) for entrant in match.entrants]
    try:
        return [play(match, number, of, players) for number in range(count)]
    finally:
        for player in players:
            player.close()


def record(game):
    """All that must be the same."""
    return game.seed, game.first, game.moves, game.score, game.reason


def pair(method, game, sims, count):
    """Games against a bare method, of the whole player and of the engine over GTP."""
    bare = f"uct@sims={2 * sims}"
    own = played(f"player:{method}@sims={sims}", bare, count, game)
    other = played(f"{GTP} {game} --method {method} --sims {sims}", bare, count, game)
    return own, other


def test_it_plays_the_games_that_gtp_plays():
    own, other = pair("uct", "go:size=5", 150, 6)
    assert list(map(record, own)) == list(map(record, other))
    figures = [[n for _, n, _ in game.figures] for game in own]
    first = ["ab".index(game.first) for game in own]
    mine = {n for f, side in zip(figures, first, strict=True) for n in f[side::2]}
    assert min(mine) < max(mine) == 150  # it stopped early
    assert {n for f, side in zip(figures, first, strict=True) for n in f[1 - side :: 2]} == {300}
    assert {game.reason for game in own} == {"end", "resignation"}


def test_so_does_the_strongest_method(monkeypatch):
    monkeypatch.setenv("TESUJI_JIT", "0")
    own, other = pair("tesuji", "go:size=3", 8, 2)
    assert list(map(record, own)) == list(map(record, other))


def test_its_options_are_those_of_the_player():
    never = played("player:uct@sims=150,resign=0", "uct@sims=300", 6, "go:size=5")
    assert {game.reason for game in never} == {"end"}


def test_the_time_of_a_game_is_kept():
    """What a move has cost is taken off once, by the match."""
    budget = Budget(game_seconds=3.0)
    (game,) = played("player:uct@resign=0", "uct", 1, "hex:size=4", budget=budget)
    assert game.reason == "end"
    clock = Clock(budget)
    player = Entrant.parse("player:uct").build(game_of("hex:size=4"))
    player.begin(start("hex:size=4"), 1, budget)
    assert player.choose(start("hex:size=4"), clock).simulations > 0
    assert clock.left == 3.0
