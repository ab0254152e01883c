"""Killing a match in the middle: after `--resume` it is as if nothing had happened.

The processes are real and so are the kills (SIGKILL, no clean-up).  The short form runs with the
tests, the long one with the long checks.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.waiting import end_of, until
from tesuji.lab.store import Store

from .test_play import without_times

# A match must not end before it is interrupted, however slowly this process runs beside it.
PLAYERS = ["uct@sims=1000", "uct@sims=500"]


def command(store, games, *more):
    words = ["match", *PLAYERS, "--game", "hex:size=4", "--games", str(games), "--jobs", "2"]
    options = ["--store", str(store), "--json", *more]
    return [sys.executable, "-m", "tesuji", *words, *options]


def finish(store, games, *more):
    done = subprocess.run(command(store, games, *more), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def games_of(path):
    with Store(path, read_only=True) as store:
        return [without_times(game) for game in store.games(1)]


def stored(path):
    """How many games there are."""
    if not path.exists():
        return 0
    with Store(path) as store:
        return sum(len(list(store.games(standing.id))) for standing in store.matches())


def wait_for(path, games, process):
    """Until so many games are stored."""
    while process.poll() is None:
        if stored(path) >= games:
            return
        time.sleep(0.02)
    pytest.fail(f"the match ended by itself: {process.stderr.read()}")


def children(pid):
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def interrupted(path, games, at, whom):
    """Start (or go on with) a match and kill someone once ``at`` games are stored."""
    more = ["--resume"] if path.exists() else []
    at = max(at, stored(path) + 1)
    process = subprocess.Popen(
        command(path, games, *more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    wait_for(path, at, process)
    workers = children(process.pid)
    if whom == "main":
        process.send_signal(signal.SIGKILL)
        end_of(process)
        until(lambda: all(map(gone, workers)))  # nobody plays on without a master
    elif whom == "worker":
        os.kill(workers[0], signal.SIGKILL)
        end_of(process)
        assert process.returncode == 0
    else:
        process.send_signal(signal.SIGINT)
        end_of(process)
        assert process.returncode == 130, process.stderr.read()
    process.stderr.close()


def check(tmp_path, games, kills):
    expected = finish(tmp_path / "whole.db", games)
    path = tmp_path / "killed.db"
    for at, whom in kills:
        interrupted(path, games, at, whom)
    assert finish(path, games, "--resume") == expected
    assert expected["games"] == games
    assert games_of(path) == games_of(tmp_path / "whole.db")


@pytest.mark.parametrize("whom", ["main", "worker", "interrupt"])
def test_a_short_match(tmp_path, whom):
    check(tmp_path, 40, [(10, whom)])


@pytest.mark.stress
@pytest.mark.parametrize("seed", range(5))
def test_a_long_match_is_killed_many_times(tmp_path, seed):
    rng = random.Random(seed)
    at = sorted(rng.sample(range(5, 190), 6))
    check(tmp_path, 200, [(n, rng.choice(["main", "interrupt"])) for n in at])


@pytest.mark.stress
def test_workers_of_a_long_match_are_killed(tmp_path):
    check(tmp_path, 200, [(70, "worker")])
