import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.command import Done, run_here
from tests.waiting import LONG, until
from tesuji.errors import ConfigError, GameError, StoreError
from tesuji.games import load
from tesuji.games.loa import CATEGORIES
from tesuji.lab.match import Match
from tesuji.lab.play import Played
from tesuji.lab.store import Store
from tesuji.learn.transitions import Table, categories, count_games, self_play, write_table

TAKE = str(Path(__file__).parent / "take.py")
ROW = np.dtype([("category", int), ("played", int), ("available", int), ("probability", float)])


def played(opening: str, moves: str) -> Played:
    return Played(0, "a", 0, opening.split(), moves.split())


def test_counts_by_hand() -> None:
    """From six stones: 1 leaves 5, 2 leaves 3, 1 leaves 2, pass, 2 leaves 0.

    An even pile is left by the third and the last move, and could have been left each time; an odd
    one by the first and the second, and could have been left each time: with 6, 5, 3 and 2 stones.
    """
    table = count_games(load(TAKE), [played("", "1 2 1 0 2")])
    assert table.played.tolist() == [2, 2, 0]
    assert table.available.tolist() == [4, 4, 0]
    assert table.probability.tolist() == [0.5, 0.5, 0.0]
    assert table.positions == 4


def test_a_category_may_be_missing() -> None:
    """With one stone left only an even pile can be left."""
    table = count_games(load(TAKE), [played("", "3 2 1")])
    assert table.played.tolist() == [1, 2, 0]
    assert table.available.tolist() == [3, 2, 0]
    assert table.probability.tolist() == [1 / 3, 1.0, 0.0]


def test_openings_are_played_but_not_counted() -> None:
    table = count_games(load(TAKE), [played("3 2", "1")])
    assert table.played.tolist() == table.available.tolist() == [1, 0, 0]


def test_games_add_up() -> None:
    one, other = played("", "3 2 1"), played("", "1 2 1 0 2")
    both = count_games(load(TAKE), [one, other])
    assert both.played.tolist() == [3, 4, 0]
    assert both.available.tolist() == [7, 6, 0]


def test_only_some_games_have_categories() -> None:
    assert categories(load("loa:size=5")).total == CATEGORIES
    with pytest.raises(GameError, match=r"tictactoe has no categories .*; valid: loa$"):
        categories(load("tictactoe"))


def test_a_table_is_written_as_it_is_read(tmp_path: Path) -> None:
    table = Table(np.array([1, 0, 0]), np.array([3, 0, 2]))
    write_table(tmp_path / "t.txt", "a title", table, "abc".__getitem__)
    text = (tmp_path / "t.txt").read_text()
    assert text.splitlines()[0] == "# a title"
    assert text.endswith("0.00000  # c\n")
    rows = np.loadtxt(tmp_path / "t.txt", ROW)
    assert rows.tolist() == [(0, 1, 3, 0.33333), (2, 0, 2, 0.0)]
    assert [path.name for path in tmp_path.iterdir()] == ["t.txt"]


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.txt").mkdir()
    with pytest.raises(ConfigError, match="cannot write"):
        write_table(tmp_path / "t.txt", "", Table(np.ones(1, int), np.ones(1, int)), str)
    assert [path.name for path in tmp_path.iterdir()] == ["t.txt"]


# --- the command ---------------------------------------------------------------------------------

SMALL = ["loa:size=4", "--sims", "20", "--jobs", "1"]


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "tesuji", "learn", "transitions", *map(str, words)]


def tesuji(*words: object, cwd: Path | None = None) -> Done:
    return run_here("learn", "transitions", *words, folder=cwd)


def test_the_command_plays_counts_and_goes_on(tmp_path: Path) -> None:
    """Four games after two are the same as four at once."""
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    store = ["--store", tmp_path / "games.db"]
    two = tesuji(*SMALL, "--games", 2, "--out", first, *store)
    assert two.returncode == 0, two.stderr
    assert "loa:size=4, 2 games with 20 simulations a move, seed 0" in two.stdout
    fewer = np.loadtxt(first, ROW)["played"].sum()
    assert tesuji(*SMALL, "--games", 4, "--out", first, *store).returncode == 0
    assert np.loadtxt(first, ROW)["played"].sum() > fewer
    assert tesuji(*SMALL, "--games", 4, "--out", second).returncode == 0
    assert second.read_text() == first.read_text()
    assert (tmp_path / "second.txt.db").is_file()


def test_nothing_is_played_when_the_store_has_enough(tmp_path: Path) -> None:
    out, store = tmp_path / "t.txt", tmp_path / "games.db"
    words = [*SMALL, "--out", out, "--store", store]
    assert tesuji(*words, "--games", 4).returncode == 0
    size = store.stat().st_size
    assert tesuji(*words, "--games", 2).returncode == 0
    assert store.stat().st_size == size
    assert "2 games" in out.read_text().splitlines()[0]


def test_interruption_leaves_what_was_played(tmp_path: Path) -> None:
    out, store = tmp_path / "t.txt", tmp_path / "games.db"
    words = [*SMALL, "--out", out, "--store", store]
    process = subprocess.Popen(
        command(*words, "--games", 100_000), stderr=subprocess.PIPE, text=True
    )
    match = self_play("loa:size=4", 20, 0)
    until(lambda: held(store, match) or process.poll() is not None, pause=0.05)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=LONG)
    assert process.returncode == 130
    assert message.endswith("tesuji: interrupted; the same command goes on\n")
    assert not out.exists()
    assert held(store, match) > 0
    done = tesuji(*words, "--games", 2)
    assert done.returncode == 0, done.stderr


def held(store: Path, match: Match) -> int:
    """How many games a store has of a match."""
    try:
        with Store(store, read_only=True) as opened:
            return opened.played(match)
    except StoreError:  # not there yet
        return 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hex", "--out", "t.txt"], "hex has no categories of moves to learn about; valid: loa"),
        (["chess", "--out", "t.txt"], "unknown game 'chess'"),
        (["loa"], "Missing option '--out'"),
        (["loa", "--out", "nowhere/t.txt"], "there is no folder nowhere"),
        (["loa", "--out", "t.txt", "--games", "0"], "games is 0, it must be 1 to"),
        (["loa", "--out", "t.txt", "--sims", "0"], "simulations is 0, it must be 1"),
        (["loa", "--out", "t.txt", "--sims", "few"], "'few' is not an integer"),
    ],
)
def test_wrong_words(words: list[str], message: str, tmp_path: Path) -> None:
    done = tesuji(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
