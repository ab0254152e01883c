"""When a search has done enough, in figures of a tree and of a clock that is set by hand."""

import pytest

from tesuji import Limit, SearchConfig, load, start
from tesuji.play.clock import Plan
from tesuji.play.stopping import Watch, standing
from tesuji.searcher import Searcher

CONFIG = SearchConfig(memory_mb=20)


class Hours:
    """A clock that tells what it is set to."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


OPENING = start("connect4")
WON = start("tictactoe").play("a1", "a2", "b1", "b2")
SURE, UNSURE = 3000, 222  # simulations of the opening after which the leader is best, and is not


@pytest.fixture(scope="module")
def searchers():
    return {name: Searcher(load(name), CONFIG) for name in ("connect4", "tictactoe")}


def search(searchers, position, simulations):
    searcher = searchers[position.game.name]
    searcher.forget()
    searcher.search(position, Limit(simulations))
    return searcher


def enough(searchers, position, simulations, seconds, limit=10_000, **options):
    """Is a search with a plan of 100 s, 10,000 s at most, over after so many seconds?

    Half of its simulations came in the first half of them.
    """
    hours = Hours()
    searcher = search(searchers, position, simulations // 2)
    watch = Watch(searcher, Limit(seconds=limit), Plan(100, 10_000), now=hours, **options)
    hours.seconds = seconds / 2
    watch()
    search(searchers, position, simulations)
    hours.seconds = seconds
    return watch()


def test_a_standing_is_what_the_decision_says(searchers):
    searcher = search(searchers, OPENING, SURE)
    look, children = standing(searcher.tree), searcher.decision().children
    assert (look.first, look.second) == (children[0].visits, children[1].visits)
    assert look.value == pytest.approx(children[0].value)
    assert look.agreed
    assert 0.3 < look.value < 0.9
    assert not standing(search(searchers, OPENING, UNSURE).tree).agreed


def test_a_plan_is_kept(searchers):
    assert not enough(searchers, OPENING, SURE, 50, early=False)
    assert enough(searchers, OPENING, SURE, 101, early=False)
    assert enough(searchers, OPENING, SURE, 101)


def test_a_limit_holds_beside_a_plan(searchers):
    assert not enough(searchers, OPENING, SURE, 50, limit=70, early=False)
    assert enough(searchers, OPENING, SURE, 71, limit=70, early=False)


def test_time_that_cannot_change_the_move_is_saved(searchers):
    """300 a second for 90 s can come, or 30 for 5 s."""
    look = standing(search(searchers, OPENING, SURE).tree)
    assert 160 < look.first - look.second < 20_000
    assert not enough(searchers, OPENING, SURE, 10)
    assert enough(searchers, OPENING, SURE, 95)
    assert not enough(searchers, OPENING, SURE, 95, early=False)


@pytest.mark.parametrize("early", [True, False])
def test_a_fallen_value_gets_more_time(searchers, early):
    value = standing(search(searchers, OPENING, SURE).tree).value
    assert enough(searchers, OPENING, SURE, 200, before=value + 0.04, early=early)
    assert not enough(searchers, OPENING, SURE, 200, before=value + 0.06, early=early)
    assert enough(searchers, OPENING, SURE, 10_001, before=value + 0.06, early=early)


@pytest.mark.parametrize("early", [True, False])
def test_a_doubtful_leader_gets_more_time(searchers, early):
    assert not enough(searchers, OPENING, UNSURE, 200, early=early)
    assert enough(searchers, OPENING, UNSURE, 10_001, early=early)


def test_a_clear_win_gets_less_time(searchers):
    assert standing(search(searchers, WON, 1000).tree).value > 0.97
    assert enough(searchers, WON, 1000, 26)
    assert not enough(searchers, WON, 1000, 26, early=False)
