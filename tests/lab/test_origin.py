"""What games were played by: identities of players, what repeats, and the record of a table."""

import pytest

from tesuji.identity import machine
from tesuji.lab import origin
from tesuji.lab.budget import Budget
from tesuji.lab.match import Result, Standing, Task, game_of
from tesuji.lab.opening import Openings
from tesuji.lab.origin import code_of, record, repeats, told

from .matches import FIRST, PLAYERS, make

BOT = (PLAYERS / "first.py").read_text() + "\n\nfrom helper import INDEX\n"


def code(match, version="1"):
    return code_of(match, game_of(match.game), lambda command: version)


def bot(folder, index=0, text=BOT):
    folder.mkdir(exist_ok=True)
    (folder / "helper.py").write_text(f"INDEX = {index}\n")
    (folder / "bot.py").write_text(text)
    return str(folder / "bot.py")


def test_players_count_by_what_they_are(tmp_path):
    """Their names, and where their files lie, do not count."""
    first = code(make(bot(tmp_path / "a"), "random"))
    assert code(make(f"x={bot(tmp_path / 'b')}", "random")) == first
    assert code(make(bot(tmp_path / "c", text=BOT + "# a comment\n"), "random")) == first
    assert code(make(bot(tmp_path / "d", index=1), "random")) != first
    assert code(make(bot(tmp_path / "e", text=BOT.replace("min(", "max(")), "random")) != first
    assert code(make("random", bot(tmp_path / "a"))) != first


def test_a_player_that_searches_reaches_the_whole_package(tmp_path, monkeypatch):
    plain, searching = (
        make(bot(tmp_path / name, text=BOT + line), "random")
        for name, line in (("a", ""), ("b", "from tesuji import search\n"))
    )
    before = code(plain), code(searching)
    monkeypatch.setattr(origin, "of_package", lambda: "edited")
    assert (code(plain) == before[0], code(searching) == before[1]) == (True, False)


@pytest.mark.parametrize(
    "other",
    [
        make("uct@c=0.7", "random"),
        make("uct", FIRST),
        make("uct", "random", "hex:size=3"),
        make("uct", "random", openings=Openings.parse("balanced:2")),
    ],
)
def test_other_code(other):
    assert code(other) != code(make("uct", "random"))


@pytest.mark.parametrize(
    "same",
    [
        make("uct", "random", seed=9),
        make("uct@sims=7", "dice=random", openings=Openings.parse("random:2")),
    ],
)
def test_what_is_not_code(same):
    assert code(same) == code(make("uct", "random"))


def test_programs_count_by_command_and_version():
    found = {
        code(make(f"gtp:{command}", "random", "go:size=5", referee=referee), version)
        for command in ("a", "b")
        for referee in ("", "a")
        for version in ("1", "2")
    }
    assert len(found) == 8


def test_what_repeats():
    searches = [
        ("yes", "uct@in_flight=4", "uct@threads=2,parallel=root"),
        ("no: clock", "uct@threads=2,parallel=root,share_seconds=1", "random"),
        ("no: threads", "uct@threads=2", "uct"),
        ("no: threads", "uct", "uct@threads=2,parallel=leaf"),
        ("no: clock, threads", "uct@threads=2", "uct@seconds=1"),
        ("not known: gnu, first", "gnu=gtp:gnugo", FIRST),
        ("no: clock", "gnu=gtp:gnugo", "uct@seconds=1"),
    ]
    for said, a, b in searches:
        assert repeats([make("uct", "random"), make(a, b, "go:size=5")]) == said
    assert repeats([make("uct", "uct", budget=Budget(game_seconds=9))]) == "no: clock"
    assert repeats([make("uct", "uct", time_equalised=True)]) == "no: clock"
    assert repeats([make("uct", "uct", "go:size=5", referee="gnugo")]) == "not known: gnugo"


def standing(codes, games=4, match=None, machines=("here",)):
    results = {
        number: Result(1.0, "end", number, code, machines[number % len(machines)])
        for number, code in enumerate(codes)
    }
    return Standing(1, Task(match or make("uct", "random"), games), results)


def test_games_are_counted_by_what_played_them():
    played = standing(["x", "x", "y", "z", "z", "z"])  # the last two do not count
    assert played.codes == {"x": 2, "y": 1, "z": 1}
    assert played.summary()["codes"] == played.codes
    assert told(played.codes) == "2 games by x, 1 game by y, 1 game by z"
    assert told({"": 3}) == told({}) == "not kept with the games"
    assert told({"": 3, "x": 1}) == "3 games by what was not kept, 1 game by x"
    assert told({"x": 3}) == "x"


def test_the_record_of_a_table():
    one, other = standing(["x"] * 4), standing(["y"] * 3)
    assert record([one]) == (
        "**Record.** Complete: 4 games. Repeats bit for bit: yes. Code: `x`. Machine: here."
    )
    together = record([one, other])
    assert together.startswith("**Record.** Incomplete: 7 of 8 games. ")
    assert together != record([one, standing(["z"] * 3)])  # one identity for both
    assert "not kept" not in together
    assert "Code: not kept with the games." in record([one, standing([""] * 3)])
    mixed = record([one, standing(["x", "y", "x"], machines=("here", "there"))])
    assert "Code: not the same in all games of a match: 2 games by x, 1 game by y." in mixed
    assert "Machine: 6 games by here, 1 game by there." in mixed


def test_a_machine_is_told_in_one_line():
    assert machine().isprintable()
