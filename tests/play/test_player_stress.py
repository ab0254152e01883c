"""Whole games on a busy machine: nobody loses on time, and most of the time is used."""

import math
import multiprocessing
import os
import time

import pytest

from tests.waiting import LONG
from tesuji import Position, SearchConfig, load
from tesuji.play.clock import Clock, TimeSettings
from tesuji.play.player import Options, Player

GAMES = 20
SECONDS = 20.0  # a side
CONFIG = SearchConfig(memory_mb=100)


def keep_busy(parent):
    """Use up a core until the parent has gone."""
    while os.getppid() == parent:
        sum(range(100_000))


@pytest.fixture
def load_on_all_cores():
    context = multiprocessing.get_context("spawn")
    busy = [
        context.Process(target=keep_busy, args=(os.getpid(),), daemon=True)
        for _ in range(os.cpu_count() or 1)
    ]
    for process in busy:
        process.start()
    yield
    for process in busy:
        process.kill()
        process.join(LONG)


def play_game(players, told):
    """One game, timed from outside; what was spent on each move of each player.

    ``told``: players hear what is left, as coarsely as GTP has it and rounded up.
    """
    clocks = [Clock(TimeSettings("absolute", SECONDS)) for _ in players]
    spent = [[], []]
    position = Position.start(players[0].game)
    for player in players:
        player.begin()
    while not position.over and position.ply < position.game.max_length:
        mover = position.mover
        if told:
            clocks[mover].told(math.ceil(SECONDS - sum(spent[mover])))
        began = time.perf_counter()
        thought = players[mover].think(position, clocks[mover])
        position = position.play(thought.decision.move)
        players[mover].ponder(position)
        spent[mover].append(time.perf_counter() - began)
        if thought.resigns:
            break
    for player in players:
        player.halt()
    return spent


@pytest.mark.stress
@pytest.mark.usefixtures("load_on_all_cores")
@pytest.mark.parametrize(("ponder", "told"), [(False, False), (True, True)])
def test_no_game_is_lost_on_time(ponder, told, capsys):
    options = Options(ponder=ponder, resign=0.0)  # lost games are long
    players = [Player(load("go"), CONFIG, seed=seed, options=options) for seed in range(2)]
    for player in players:
        player.prepare()
    used = []
    for game in range(GAMES // 2):
        for player in players:
            player.searcher.seed += 2
        spent = play_game(players, told)
        used += [sum(moves) / SECONDS for moves in spent]
        with capsys.disabled():
            moves = ", ".join(f"{len(m)} moves {sum(m):.1f} s, at most {max(m):.2f}" for m in spent)
            print(f"\ngame {game + 1}: {moves}")
    assert max(used) < 1
    with capsys.disabled():
        print(f"\nused {sum(used) / len(used):.0%} of the time, at most {max(used):.0%}")
