"""Openings: the same for both games of a pair, legal, and refused when they are not."""

import pytest

from tesuji import ConfigError, Limit, Searcher, load
from tesuji.lab.opening import EVEN, EVEN_SIMULATIONS, Openings

HEX = load("hex:size=4")


def test_the_start():
    assert Openings.parse("start").position(HEX, 1, 0).ply == 0


def test_random_openings_depend_on_seed_and_pair_only():
    openings = Openings.parse("random:3")
    lines = {
        (seed, pair): tuple(openings.position(HEX, seed, pair).line)
        for seed in (1, 2)
        for pair in range(5)
    }
    assert all(len(line) == 3 for line in lines.values())
    assert len(set(lines.values())) == len(lines)
    assert tuple(openings.position(HEX, 1, 4).line) == lines[1, 4]


def test_random_openings_do_not_end_the_game():
    openings = Openings.parse("random:8")
    game = load("tictactoe")
    assert not any(openings.position(game, 0, pair).over for pair in range(20))


def test_more_plies_than_a_game_has():
    with pytest.raises(ConfigError, match="9 random plies end almost every game of tictactoe"):
        Openings.parse("random:9").check(load("tictactoe"))


def test_balanced_openings_are_even():
    openings = Openings.parse("balanced:2")
    searcher = Searcher(HEX)
    for pair in range(4):
        position = openings.position(HEX, 3, pair)
        searcher.forget()
        value = searcher.search(position, Limit(EVEN_SIMULATIONS)).value
        assert abs(value - 0.5) <= EVEN


def test_a_file_of_openings(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("# two of them\na1 b2\n\n c3, d4  # the other\n")
    openings = Openings.parse(str(file))
    openings.check(HEX)
    assert openings.lines == (("a1", "b2"), ("c3", "d4"))
    texts = [[HEX.move_text(m) for m in openings.position(HEX, 0, k).line] for k in range(3)]
    assert texts == [["a1", "b2"], ["c3", "d4"], ["a1", "b2"]]
    assert Openings.from_json(openings.to_json()) == openings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("random", "needs a number of plies, such as random:4"),
        ("random:x", "needs a number of plies"),
        ("balanced:0", "needs a number of plies, such as balanced:4"),
        ("nowhere.txt", "is no file; valid: start, random:K, balanced:K, or a path"),
    ],
)
def test_wrong_openings(text, message):
    with pytest.raises(ConfigError) as caught:
        Openings.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a1\na1 a1\n", "opening 2 (a1 a1): 'a1' is not legal after move 1"),
        ("z9", "opening 1 (z9): 'z9' is not a move of"),
        ("# nothing", "there is no opening in"),
    ],
)
def test_wrong_files(content, message, tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text(content)
    with pytest.raises(ConfigError) as caught:
        Openings.parse(str(file)).check(HEX)
    assert message in str(caught.value)


def test_an_opening_that_ends_the_game(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("a1 a2 b1 b2 c1")
    with pytest.raises(ConfigError, match="ends the game"):
        Openings.parse(str(file)).check(load("tictactoe"))
