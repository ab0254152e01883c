"""The past of positions: what each contains, whatever games went on from one position."""

from hypothesis import given
from hypothesis import strategies as st

from tests.waiting import run_together
from tesuji import Position, load
from tesuji.past import Past


def of(keys):
    past = Past()
    for key in keys:
        past = past.then(key)
    return past


# The number of the past to go on from, and the key to add: a tree of games.
STEPS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5)), max_size=30)


@given(STEPS)
def test_every_past_has_the_keys_of_its_own_game(steps):
    pasts, games = [Past()], [[]]
    for number, key in steps:
        number %= len(pasts)
        pasts.append(pasts[number].then(key))
        games.append([*games[number], key])
    for past, game in zip(pasts, games, strict=True):
        assert past.array().tolist() == list(dict.fromkeys(game))
        assert [key in past for key in range(6)] == [key in game for key in range(6)]


def test_a_game_has_one_list_of_keys():
    """Else memory, and the time to fill it, would grow with the square of its length."""
    begin = Past()
    past = begin
    for key in range(20_000):
        past = past.then(key)
    assert past._line is begin._line
    assert past.then(3) is past
    assert 0 not in begin


def test_siblings_share_what_was_before():
    past = of(range(100))
    one, other = past.then(100), past.then(100)
    assert one._line is other._line is past._line
    assert past.then(101)._line is not past._line


def test_threads_may_play_on_from_one_position():
    past = of(range(1000))
    found = {}

    def go_on(first):
        own = past
        for key in range(first, first + 2000):
            own = own.then(key)
        found[first] = own.array().tolist()

    run_together(*[lambda first=first: go_on(first) for first in (10_000, 20_000, 30_000)])
    for first, keys in found.items():
        assert keys == [*range(1000), *range(first, first + 2000)]


def test_positions_of_a_game_share_their_past():
    position = begin = Position.start(load("go:size=5"), jit=False)
    for move in ("A1", "B2", "C3", "pass", "D4"):
        position = position.play(move)
    assert position._past._line is begin._past._line
    assert len(position.history) == 4
    assert begin.play("E5").play("A1").history.tolist() != position.history[:2].tolist()
    assert position.history.dtype == "uint64"
