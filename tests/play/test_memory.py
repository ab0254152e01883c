"""A whole game on a large board stays within the bound of the tree's memory."""

import resource

import pytest

from tesuji import Limit, Position, load, methods
from tesuji.play.player import Options, Player
from tesuji.search.tree import used_bytes

BOUND_MB = 6.0  # a game of this length would take 8 MB without a bound
SLACK_MB = 30.0  # buffers, weights, and what Python takes in a long game


def peak_mb() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


@pytest.mark.stress
def test_a_whole_game_on_19x19_stays_within_the_bound() -> None:
    """300 moves with tree reuse; the tree fills its bound many times over."""
    game = load("go:size=19")
    config = methods.load("tesuji").changed({"memory_mb": BOUND_MB})
    player = Player(game, config, limit=Limit(simulations=1000), options=Options(resign=0.0))
    player.prepare()
    player.think(Position.start(game))
    before = peak_mb()
    position = Position.start(game)
    fullest = 0
    while not position.over and position.ply < 300:
        position = position.play(player.think(position).decision.move)
        used = used_bytes(player.searcher.tree)
        fullest = max(fullest, used)
        assert used <= BOUND_MB * 1e6
    assert position.ply >= 150
    assert fullest > 0.9 * BOUND_MB * 1e6  # the bound has been felt
    assert peak_mb() - before < BOUND_MB + SLACK_MB
