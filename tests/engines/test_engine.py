"""A game in progress, as the commands of the protocol change it."""

from tesuji import Limit, SearchConfig, load
from tesuji.engines.engine import Engine, Setup
from tesuji.play.clock import TimeSettings

CONFIG = SearchConfig(memory_mb=20)


def test_a_rehearsal_leaves_the_clock_alone():
    engine = Engine(Setup(load("connect4"), CONFIG, limit=Limit(simulations=200)))
    engine.set_time(TimeSettings("absolute", 100))
    engine.think(0, rehearsal=True)
    engine.look()
    assert engine.clocks[0].left == 100
    engine.think(0)
    assert engine.clocks[0].left < 100
