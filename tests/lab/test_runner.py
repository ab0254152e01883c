"""Running matches: the same result whatever the number of processes, and whatever dies."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from tesuji import ConfigError
from tesuji.errors import StoppedError
from tesuji.identity import machine
from tesuji.lab.match import Task
from tesuji.lab.origin import code_of
from tesuji.lab.runner import run
from tesuji.lab.stats import Sprt
from tesuji.lab.store import Store

from .matches import FIRST, PLAYERS, make, play_one, task, trouble
from .test_play import without_times

MATCH = make("uct", "uct@sims=20", "hex:size=3", seed=4)


def games_of(store, match=1):
    return [without_times(game) for game in store.games(match)]


@pytest.fixture(scope="module")
def expected():
    """The games of the match, played one after the other in this process."""
    return [without_times(play_one(MATCH, number)) for number in range(12)]


def normal(games):
    return [(*game[:-1], [tuple(figure) for figure in game[-1]]) for game in games]


@pytest.mark.parametrize("jobs", [1, 3])
def test_any_number_of_processes_gives_the_same_games(jobs, expected):
    with Store() as store:
        [standing] = run([Task(MATCH, 12)], store, jobs=jobs)
        assert standing.finished
        assert normal(games_of(store)) == normal(expected)


def test_only_what_is_missing_is_played(tmp_path, expected):
    seen = []
    with Store(tmp_path / "games.db") as store:
        number = store.add(Task(MATCH, 12))
        for n in (0, 3, 4):
            store.save(number, play_one(MATCH, n))
        run([Task(MATCH, 12)], store, any_code=True, watch=lambda *_: seen.append(_[2].number))
        assert sorted(seen) == [1, 2, 5, 6, 7, 8, 9, 10, 11]
        assert normal(games_of(store)) == normal(expected)
        run([Task(MATCH, 12)], store, watch=lambda *_: pytest.fail("nothing is missing"))


def test_more_games_may_be_asked_for_later(expected):
    with Store() as store:
        run([Task(MATCH, 4)], store)
        [standing] = run([Task(MATCH, 12)], store)
        assert standing.summary()["games"] == 12
        assert normal(games_of(store)) == normal(expected)


def test_played_games_are_refused_without_resume():
    with Store() as store:
        run([Task(MATCH, 2)], store, resume=False)
        with pytest.raises(ConfigError, match="already holds 2 games of uct against"):
            run([Task(MATCH, 4)], store, resume=False)
        run([Task(replace(MATCH, seed=9), 2)], store, resume=False)


def test_several_matches_grow_at_the_same_pace():
    order = []
    tasks = [Task(replace(MATCH, seed=seed), 30) for seed in (1, 2)]
    with Store() as store:
        run(tasks, store, watch=lambda _, standing, game: order.append((standing.id, game.number)))
    assert [identity for identity, _ in order] == ([1] * 10 + [2] * 10) * 3


def test_sprt_ends_a_match_early_and_with_the_same_result_on_any_number_of_processes():
    sprt = Sprt(0, 100)
    strong = make("uct@sims=400", "random", "hex:size=4")
    figures = []
    for jobs in (1, 3):
        with Store() as store:
            [standing] = run([Task(strong, 2000, sprt)], store, jobs=jobs)
            figures.append(standing.summary())
            assert standing.finished
    assert figures[0] == figures[1]
    assert figures[0]["sprt"] == "h1"
    assert figures[0]["games"] < 100


def test_a_worker_that_is_killed_is_replaced(expected):
    """The second game's worker is killed from outside as soon as a game is saved."""
    killed = []

    def watch(standings, standing, game):
        if not killed:
            children = _children(os.getpid())
            killed.append(children[0])
            os.kill(children[0], signal.SIGKILL)

    with Store() as store:
        run([Task(MATCH, 12)], store, jobs=2, watch=watch)
        assert killed
        assert normal(games_of(store)) == normal(expected)


def _children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_game_that_kills_its_workers_stops_the_match():
    with (
        Store() as store,
        pytest.raises(StoppedError, match="has killed 3 processes, the last with exit code -9"),
    ):
        run([task(2, trouble("kill"), FIRST, "hex:size=4")], store)


def test_players_may_print(capfd):
    with Store() as store:
        [standing] = run([task(2, trouble("print", 1), FIRST, "hex:size=4")], store)
        assert standing.finished
    assert "in many ways" in capfd.readouterr().err


def test_players_cannot_read_the_jobs():
    with Store() as store:
        [standing] = run([task(2, trouble("input"), FIRST, "hex:size=4")], store)
        assert standing.summary()["forfeits"] == {"a": {"crash": 2}, "b": {}}


def test_a_player_may_have_the_name_of_a_module(tmp_path, monkeypatch):
    """The current folder must not come before the standard library."""
    (tmp_path / "json.py").write_text((PLAYERS / "first.py").read_text())
    monkeypatch.chdir(tmp_path)
    with Store() as store:
        [standing] = run([task(2, "json.py", "random")], store)
        assert standing.finished


def test_the_same_match_twice_is_refused():
    with Store() as store, pytest.raises(ConfigError, match="is asked for twice"):
        run([Task(MATCH, 2), Task(MATCH, 4)], store)


def test_a_fault_in_a_worker_stops_the_match_with_its_reason():
    with Store() as store, pytest.raises(StoppedError, match="turn=soon: expected an integer"):
        run([task(2, trouble("none", "soon"), "random")], store)


def bot(folder, index):
    """A player that plays the n-th move, which a file beside it says."""
    (folder / "helper.py").write_text(f"INDEX = {index}\n")
    text = (PLAYERS / "first.py").read_text().replace("First(index)", "First(INDEX)")
    (folder / "bot.py").write_text("from helper import INDEX\n" + text)
    return make(str(folder / "bot.py"), "random")


def test_games_of_other_code_are_not_mixed_by_accident(tmp_path):
    """The file of the player is the same, what it imports is not: so the match is the same."""
    with Store(tmp_path / "games.db") as store:
        [first] = run([Task(bot(tmp_path, 0), 2)], store)
        [old] = first.codes
        match = bot(tmp_path, 1)
        with pytest.raises(ConfigError, match=rf"were played by {old}, the code is now \w+: use"):
            run([Task(match, 6)], store)
        run([Task(match, 2)], store)  # nothing is missing
        [mixed] = run([Task(match, 6)], store, any_code=True)
        assert sorted(mixed.codes.values()) == [2, 4]
        assert mixed.codes[old] == 2
        assert store.standing(Task(match, 6)).codes == mixed.codes
        [new] = mixed.all_codes - {old}
        with pytest.raises(ConfigError, match="were played by"):
            run([Task(match, 8)], store)
        bot(tmp_path, 0)
        with pytest.raises(ConfigError, match=f"were played by {new}|{new} and"):
            run([Task(match, 8)], store)


def test_code_that_changes_during_a_match_stops_it(tmp_path):
    """A worker that takes the place of a dead one reads the player anew."""

    def watch(standings, standing, game):
        bot(tmp_path, 1)
        os.kill(_children(os.getpid())[0], signal.SIGKILL)

    with Store() as store:
        with pytest.raises(StoppedError, match=r"the code has changed since .* began: it was"):
            run([Task(bot(tmp_path, 0), 4)], store, watch=watch)
        assert len(list(store.games(1))) == 1


def test_every_game_knows_its_code_and_machine():
    with Store() as store:
        run([Task(MATCH, 2)], store)
        assert {game.code for game in store.games(1)} == {code_of(MATCH, MATCH.load())}
        assert {game.machine for game in store.games(1)} == {machine()}


@pytest.mark.parametrize("jobs", [0, 2000])
def test_a_wrong_number_of_jobs(jobs):
    with Store() as store, pytest.raises(ConfigError, match=f"jobs is {jobs}, it must be 1 to"):
        run([Task(MATCH, 2)], store, jobs=jobs)
