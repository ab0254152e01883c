"""`tesuji scaling` as users run it: tables, JSON, plots, stores, and what wrong input gets."""

import pytest

from tests.test_cli import interrupted
from tests.test_cli_match import as_json, messages, tesuji
from tesuji import ConfigError
from tesuji.cli import app
from tesuji.lab import Store

TINY = ["scaling", "tictactoe", "--sims", "10", "--games", "6", "--doublings", "1", "--jobs", "1"]
VIRTUAL = ["--in-flight", "1,4"]


@pytest.fixture
def plain(monkeypatch):
    """Uncompiled: so few simulations take less time than a compilation."""
    monkeypatch.setenv("TESUJI_JIT", "0")


def stored(path):
    """Each match of a store with the number of its games."""
    with Store(path, read_only=True) as store:
        return {str(s.task.match): len(store.results(s.id)) for s in store.matches()}


def test_speed_and_strength(tmp_path, plain):
    words = [*TINY, *VIRTUAL, "--scheme", "tree", "--threads", "1,2"]
    short = ["--rounds", "2", "--slice", "0.01"]
    done = tesuji(*words, *short, "--plot", "out.png", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    head, *rows = done.stdout.split("\n\n")[0].splitlines()
    assert head.split("  ")[0] == "scheme"
    assert [column in head for column in ("threads", "speed-up", "win rate", "strength")] == [
        True
    ] * 4
    assert [row.split("  ")[0] for row in rows] == ["single", "single 2x", "tree", "in-flight"]
    assert "simulations a second" in done.stdout
    assert "against opponent (10 simulations), 1x is 10 simulations" in done.stdout
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    held = stored(tmp_path / "scaling.db")
    assert set(held.values()) == {6}
    assert len(held) == 4

    size = (tmp_path / "scaling.db").stat().st_size
    again = as_json(*words, "--rounds", "0", cwd=tmp_path)
    assert (tmp_path / "scaling.db").stat().st_size == size  # nothing was played
    assert [row["match"]["games"] for row in again["rows"]] == [6] * 4
    assert again["budget"] == "10 simulations"
    assert {row["speed"] for row in again["rows"]} == {None}
    for row, text in zip(again["rows"], rows, strict=True):
        assert f"{row['match']['score']:.1%}" in text
    assert set(again["line"]) == {"a", "b", "r2"}


def test_speed_alone_leaves_no_store(tmp_path):
    words = ["scaling", "connect4", "--scheme", "tree", "--threads", "2"]
    found = as_json(*words, "--rounds", "2", "--slice", "0.01", cwd=tmp_path)
    single, tree = found["rows"]
    assert single["speed"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert tree["speed"]["low"] <= tree["speed"]["value"] <= tree["speed"]["high"]
    assert tree["rate"] > 0
    assert tree["match"] is None
    assert list(tmp_path.iterdir()) == []


def test_virtual_threads_are_reproducible(tmp_path, plain):
    words = [*TINY, *VIRTUAL, "--opponent", "uct@sims=5", "--seed", "3"]
    one, two = (as_json(*words, "--store", tmp_path / name) for name in ("1.db", "2.db"))
    assert one == two
    assert one["opponent"] == "uct@sims=5"
    assert len(one["rows"]) == 3


def test_an_interruption_shows_what_was_reached_and_goes_on(tmp_path, plain):
    store = str(tmp_path / "s.db")
    words = ["scaling", "tictactoe", *VIRTUAL, "--sims", "10", "--doublings", "1", "--jobs", "1"]
    words += ["--store", store, "--games"]
    out, errors, code = interrupted(*words, "100000", progress=" games, ")
    assert code == 130
    assert "interrupted; the same command goes on" in errors
    assert out.startswith("scheme")
    before = stored(store)
    assert sum(before.values()) > 0
    more = max(before.values()) + 2
    found = as_json(*words, str(more))
    assert {row["match"]["games"] for row in found["rows"]} == {more}
    assert set(stored(store)) == set(before)


def test_wrong_input_is_one_line():
    done = tesuji("scaling", "tictactoe", "--scheme", "twig")
    assert done.returncode == 2
    assert "unknown scheme 'twig'; valid: leaf, root, tree" in done.stderr
    assert len(messages(done.stderr)) == 1
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--threads", "0"], "threads is 0, it must be 1 to"),
        (["--threads", "two"], "--threads is 'two'; write whole numbers"),
        (["--in-flight", "0", "--games", "2"], "in_flight is 0, it must be 1 to"),
        (["--in-flight", "2,", "--games", "2"], "--in-flight is '2,'; write whole numbers"),
        (["--games", "2", "--doublings", "0"], "doublings is 0, it must be 1 to 20"),
        (["--games", "-1"], "games is -1, it must be 0 or more"),
        (["--rounds", "-1"], "rounds is -1, it must be 0 or more"),
        (["--slice", "0"], "slice is 0.0, it must be more than 0"),
        (["--rounds", "0"], "there is nothing to compare"),
        (["--threads", "1"], "there is nothing to compare"),
        (["--threads", "1", "--games", "2"], "there is nothing to compare"),
        (["--in-flight", "4"], "there is nothing to compare"),
        (["--sims", "5", "--seconds", "1"], "give one of them"),
        (["--set", "threads=2"], "threads is 2, it must be left to the schemes"),
        (["--set", "x=2"], "unknown setting 'x'"),
        (["--method", "utc"], "utc"),
        (["--games", "2", "--opponent", "utc"], "unknown player 'utc'"),
        (["--plot", "out.pdf"], "its name must end in .svg or .png"),
    ],
)
def test_wrong_options(words, message):
    with pytest.raises(ConfigError, match=message):
        app(["scaling", "tictactoe", *words], standalone_mode=False)
