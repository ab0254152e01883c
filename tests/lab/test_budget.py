"""Budgets: reading them, factors, and the clock."""

import pytest

from tesuji import ConfigError, Limit
from tesuji.lab.budget import LAG, Budget, Clock
from tesuji.play.clock import Pace

MATCH = Budget(sims=1000, seconds=2.0)


@pytest.mark.parametrize(
    ("own", "result"),
    [
        ({}, MATCH),
        ({"sims": "500"}, Budget(sims=500)),
        ({"sims": "2x"}, Budget(sims=2000)),
        ({"sims": "0.5x"}, Budget(sims=500)),
        ({"seconds": "1.5x"}, Budget(seconds=3.0)),
        ({"game_seconds": "60"}, Budget(game_seconds=60.0)),
        ({"sims": "10", "seconds": "1"}, Budget(sims=10, seconds=1.0)),
    ],
)
def test_own_limits_replace_those_of_the_match(own, result):
    assert MATCH.changed(own) == result


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"sims": "many"}, "sims is 'many', it must be an integer or a factor as 2x"),
        ({"sims": "1.5"}, "sims is '1.5', it must be an integer or a factor as 2x"),
        ({"seconds": "x"}, "seconds is 'x', it must be a number or a factor as 2x"),
        ({"sims": "infx"}, "sims is 'infx', it must be an integer or a factor as 2x"),
        ({"seconds": "nanx"}, "seconds is 'nanx'"),
        ({"sims": "0"}, "simulations is 0, it must be 1 to 2,147,483,647"),
        ({"seconds": "-1"}, "seconds is -1.0, it must be more than 0"),
        ({"game_seconds": "0"}, "game_seconds is 0.0, it must be more than 0"),
        ({"game_seconds": "2x"}, "game_seconds is '2x', but the match has no game_seconds"),
    ],
)
def test_wrong_limits(own, message):
    with pytest.raises(ConfigError) as caught:
        MATCH.changed(own)
    assert message in str(caught.value)


def test_a_clock_without_game_time_repeats_the_budget():
    clock = Clock(MATCH)
    assert clock.limit == Limit(1000, 2.0)
    assert clock.spend(100.0)
    assert clock.limit == Limit(1000, 2.0)


def test_a_clock_shares_the_time_of_a_game():
    clock = Clock(Budget(game_seconds=10.0))
    clock.pace = Pace(divisor=15.0, moves=40.0)
    assert clock.limit == Limit(seconds=(10 - 40 * LAG) / 15)
    assert clock.spend(0.5)
    assert clock.left == 9.5
    assert clock.limit.seconds == pytest.approx((9.5 - 40 * LAG) / 15)
    assert not clock.spend(9.6)


def test_a_limit_a_move_holds_beside_the_time_of_a_game():
    clock = Clock(Budget(seconds=0.1, game_seconds=10.0))
    assert clock.limit == Limit(seconds=0.1)
    clock.spend(9.99)
    assert clock.limit.seconds < 0.1


def test_the_share_never_uses_all_time_up():
    clock = Clock(Budget(game_seconds=1.0))
    for _ in range(100):
        assert clock.spend(clock.limit.seconds)
    assert clock.left > 0


def test_no_budget_is_no_limit():
    assert Clock(Budget()).limit is None
    assert not Budget()


def test_text():
    assert str(Budget(1000, 0.5, 60)) == "1,000 simulations, 0.5 s a move, 60 s a game"
    assert str(Budget()) == "no limit"
