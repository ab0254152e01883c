"""Clocks: shares of the time, byo-yomi, what controllers say, and games that never overrun."""

from functools import cache
from itertools import takewhile

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tesuji import ConfigError, load, start
from tesuji.compile import draw_below, stream
from tesuji.play.clock import LAG, LEAST, Clock, Pace, Plan, TimeSettings, pace, typical_length

seconds = st.floats(0, 10_000)
lags = st.floats(0, 2)
systems = st.one_of(
    st.builds(TimeSettings, st.just("absolute"), seconds),
    st.builds(
        TimeSettings,
        st.sampled_from(["byoyomi", "canadian"]),
        seconds,
        st.floats(0.001, 1000),
        st.integers(1, 50),
    ),
)


def absolute(main, lag=LAG):
    return Clock(TimeSettings("absolute", main), lag=lag)


# --- settings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "settings"),
    [
        ((600, 0, 0), TimeSettings("absolute", 600)),
        ((0, 30, 1), TimeSettings("canadian", 0, 30, 1)),
        ((600, 300, 25), TimeSettings("canadian", 600, 300, 25)),
        ((600, 300, 0), TimeSettings()),
    ],
)
def test_time_settings_of_gtp(numbers, settings):
    assert TimeSettings.gtp(*numbers) == settings


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("none", TimeSettings()),
        ("absolute 300", TimeSettings("absolute", 300)),
        ("byoyomi 300 30 5", TimeSettings("byoyomi", 300, 30, 5)),
        ("canadian 300 600 25", TimeSettings("canadian", 300, 600, 25)),
    ],
)
def test_time_settings_of_kgs(text, settings):
    assert TimeSettings.kgs(text.split()) == settings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unknown time system ''"),
        ("byoyom 1 2 3", "did you mean 'byoyomi'?"),
        ("absolute", "'absolute' is not 'absolute MAIN' with numbers"),
        ("byoyomi 300 30 x", "is not 'byoyomi MAIN PERIOD PERIODS' with numbers"),
        ("canadian 300 0 5", "canadian time has a period of 0 s and a count of 5"),
        ("absolute -1", "main is -1.0, it must be 0 or more seconds"),
        ("absolute nan", "main is nan, it must be 0 or more seconds"),
    ],
)
def test_wrong_settings(text, message):
    with pytest.raises(ConfigError) as caught:
        TimeSettings.kgs(text.split())
    assert message in str(caught.value)


def test_wrong_numbers():
    with pytest.raises(ConfigError, match=r"lag is -1, it must be 0 or more seconds"):
        Clock(lag=-1)
    with pytest.raises(ConfigError, match="both must be 0 or more"):
        Clock().told(5, -1)
    with pytest.raises(ConfigError, match="a period of 30 s and a count of 0"):
        TimeSettings("canadian", 0, 30, 0)


# --- one move ------------------------------------------------------------------------------------


def test_without_a_limit_there_is_no_plan():
    clock = Clock()
    assert clock.allot(Pace(10, 10)) is None
    assert clock.spend(1e9)


def test_main_time_is_shared():
    assert absolute(100, lag=0).allot(Pace(50, 50)) == Plan(2.0, 6.0)
    assert absolute(100, lag=0).allot(Pace(2, 2)) == Plan(50.0, 100.0)


def test_lag_is_kept_back_for_all_moves_but_no_more_than_half_of_the_time():
    plan = absolute(100, lag=0.5).allot(Pace(50, 50))
    assert plan.normal == pytest.approx((100 - 50 * 0.5) / 50)
    clock = absolute(10, lag=0.5)
    assert clock.allot(Pace(50, 50)).normal == pytest.approx((10 - 5) / 50)
    clock.told(7)
    assert clock.allot(Pace(40, 40)).normal == pytest.approx((6 - 40 * 0.1) / 40)


def test_a_canadian_period_is_shared_by_its_stones():
    clock = Clock(TimeSettings("canadian", 0, 30, 10), lag=0)
    assert clock.allot(Pace(99, 99)).normal == 3.0  # it is about to begin
    assert clock.spend(3)
    assert (clock.left, clock.count) == (27, 9)
    assert clock.allot(Pace(99, 99)) == Plan(3.0, 9.0)
    for _ in range(9):
        assert clock.spend(3)
    assert (clock.left, clock.count) == (30, 10)
    assert not clock.spend(30.1)


def test_a_japanese_period_is_used_up_but_for_the_lag():
    clock = Clock(TimeSettings("byoyomi", 0, 30, 3), lag=0.5)
    assert clock.allot(Pace(99, 99)) == Plan(29.5, 29.5)
    assert clock.spend(29.9)
    assert (clock.left, clock.count) == (30, 3)
    assert clock.spend(70)  # two periods are gone, in the third the move was made
    assert (clock.left, clock.count) == (30, 1)
    assert not clock.spend(30.1)


def test_main_time_gives_no_less_than_byoyomi_will():
    clock = Clock(TimeSettings("byoyomi", 60, 30, 1), lag=0)
    assert clock.allot(Pace(60, 60)) == Plan(30.0, 90.0)
    clock.told(6, 0)
    assert clock.allot(Pace(60, 60)) == Plan(30.0, 35.0)


@given(systems, lags, st.floats(0, 500), st.lists(seconds, max_size=5))
def test_a_plan_is_never_negative_and_never_too_much(settings, lag, moves, spent):
    clock = Clock(settings, lag=lag)
    for cost in (0.0, *spent):
        clock.spend(cost)
        plan = clock.allot(Pace(moves, moves))
        ahead = settings.period if clock.count == 0 else 0.0
        assert LEAST <= plan.normal <= plan.most
        assert plan.most <= max(clock.left - lag, 0) + max(ahead - lag, 0) + 2 * LEAST


# --- what a controller says ----------------------------------------------------------------------


def test_a_controller_knows_better():
    clock = absolute(60)
    clock.spend(10)
    clock.told(48)
    assert clock.left == 47  # it may be hardly more
    clock.told(48)
    assert clock.left == 47
    clock.told(53)
    assert clock.left == 52


def test_whole_seconds_that_were_rounded_up_are_not_believed():
    clock = absolute(10)
    clock.spend(9.3)
    clock.told(1)
    assert clock.left == pytest.approx(0.7)


def test_a_controller_moves_a_clock_into_byoyomi():
    clock = Clock(TimeSettings("canadian", 60, 30, 10), lag=0)
    clock.told(21, 5)
    assert clock.allot(Pace(99, 99)).normal == 4.0


def test_time_left_without_settings():
    clock = Clock(lag=0)
    clock.told(21)
    assert clock.allot(Pace(10, 10)).normal == 2.0
    clock = Clock(lag=0)
    clock.told(21, 4)
    assert clock.allot(Pace(10, 10)).normal == 5.0
    clock = Clock()
    clock.told(-3)
    assert clock.allot(Pace(10, 10)).normal == LEAST


# --- whole games ---------------------------------------------------------------------------------


def random_game(spec, seed=1):
    """Positions in which the first player moves."""
    position, rng = start(spec), stream(seed, "moves")
    while not position.over:
        if position.mover == 0:
            yield position
        moves = [m for m in position.moves if m != position.game.pass_move] or position.moves
        position = position.play(moves[draw_below(rng, len(moves))])


@cache
def paces(size):
    """Of a game that fills three quarters of the board, as games of Go do."""
    game = takewhile(lambda p: p.ply < 0.75 * size * size, random_game(f"go:size={size}"))
    return [pace(position) for position in game]


@given(st.floats(25, 1000), st.lists(st.floats(0, 1), min_size=40), st.booleans())
def test_lag_below_the_margin_never_overruns(main, lags, greedy):
    """Also when every move takes the most that it may."""
    clock = absolute(main)
    for step, lag in zip(paces(9), lags, strict=False):
        plan = clock.allot(step)
        assert clock.spend((plan.most if greedy else plan.normal) + lag * LAG)


@given(systems, st.floats(0.1, 2), st.integers(3, 30))
def test_no_game_is_so_long_that_thinking_alone_loses_it(settings, lag, moves):
    assume(settings.main >= 2 and (settings.kind == "absolute" or settings.period >= 2))
    clock = Clock(settings, lag=lag)
    for _ in range(200):
        assert clock.spend(clock.allot(Pace(moves, moves)).most)


def spending(size, main, lag):
    clock = absolute(main, lag=lag)
    spent = []
    for step in paces(size):
        spent.append(clock.allot(step).normal)
        assert clock.spend(spent[-1])
    return spent


@pytest.mark.parametrize("size", [9, 13, 19])
def test_time_is_bell_shaped_over_the_game(size):
    spent = spending(size, 600, lag=0.05)
    peak = spent.index(max(spent))
    assert 0.25 < peak / len(spent) < 0.6
    assert spent[: peak + 1] == sorted(spent[: peak + 1])
    assert spent[peak] > 1.4 * spent[0]
    assert spent[peak] > 1.4 * spent[-1]
    third = len(spent) // 3
    assert sum(spent[third : 2 * third]) > sum(spent[2 * third : 3 * third])


@pytest.mark.parametrize("spec", ["tictactoe", "go:size=3", "go:size=5"])
def test_a_tiny_game_keeps_time_for_its_last_moves(spec):
    assert all(pace(position).divisor > 3 for position in random_game(spec) if position.ply < 20)


@pytest.mark.parametrize(("lag", "share"), [(0.05, 0.8), (LAG, 0.7)])
def test_a_short_game_uses_most_of_its_time(lag, share):
    assert sum(spending(9, 20, lag)) > share * 20


def test_the_published_constants_hold_on_the_full_board():
    """t = left / (C + max(MaxPly - ply, 0)) with C = MaxPly = 80."""
    divisors = [step.divisor for step in paces(19)]
    assert [divisors[ply // 2] for ply in (0, 40, 80, 120)] == pytest.approx([160, 120, 80, 80])


def test_nine_by_nine():
    assert pace(start("go")).divisor == pytest.approx(12.3 + 24.2, abs=0.1)


def test_any_game_can_be_timed():
    game = load("connect4")
    assert 7 <= typical_length(game) <= 42
    divisors = [pace(p).divisor for p in random_game("connect4")]
    assert divisors[0] == max(divisors)
    assert min(divisors) >= 3
