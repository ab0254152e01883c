"""Go's playouts: the list of weak chains, each rule by itself, urgencies by frequency."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from checks import game
from go_kernels import (
    chains_of,
    kernels,
    liberties_of,
    playout_of,
    position_of,
    random_steps,
    vertex_of,
)
from tesuji.compile import Slot, specialise, stream
from tesuji.compile.plain import interpret
from tesuji.game import make_playout
from tesuji.games.go.shape import code_of, has_shape
from tesuji.position import Position

SIZE = 5


def answers(weights, code):
    """Is a code among the shapes that answer the last move?"""
    return interpret(lambda found, code: has_shape(found[0], code))(weights, int(code))


# --- the list of weak chains ---------------------------------------------------------------------


@pytest.mark.parametrize("every", [1, 2, 5])
def test_the_list_of_weak_chains_is_complete_and_has_no_others(every):
    """Asked every move it only looks around the last one; after a gap it looks everywhere."""
    most = 0
    for seed in range(4):
        for ply, (state, slow) in enumerate(random_steps(SIZE, 60, seed)):
            if ply % every:
                continue
            kernels(SIZE).watch(state)
            listed = [int(state.head[state.weak[i]]) for i in range(state.weaks)]
            weak = [c for c in chains_of(slow) if len(liberties_of(slow, slow.stones, c)) == 1]
            true = {int(state.head[vertex_of(SIZE, next(iter(chain)))]) for chain in weak}
            assert sorted(listed) == sorted(true), (seed, ply)
            most = max(most, len(true))
    assert most >= 3


def test_asking_twice_changes_nothing():
    for state, _ in random_steps(SIZE, 30, seed=1):
        kernels(SIZE).watch(state)
        before = state.copy()
        kernels(SIZE).watch(state)
        assert state == before


# --- sequence-like playouts ----------------------------------------------------------------------

RULES = ("save", "take", "attack", "defend", "eye", "shape", "shape_before", "capture_far")


def chosen(position, tries=12, policy="sequence", **weights):
    """The moves that a policy may choose, all rules off but those that are named."""
    off = dict.fromkeys((*RULES, "empty_tries", "avoid"), 0.0)
    playout = playout_of(position, **{**off, **weights})
    rng = stream(1, "rules")
    choose = position.game.policies[policy]
    draw = interpret(lambda states, playout, rng: choose(states[0], playout, rng))
    moves = {int(draw(position.state.copy(), playout, rng)) for _ in range(tries)}
    return {position.game.move_text(move) for move in moves}


ATARI = """
    . . . . . . .
    . . . . . . .
    . . . X . . .
    . . X O . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_without_any_rule_a_move_is_any_move():
    assert len(chosen(position_of(ATARI, "X", "E4"), tries=30)) > 10


def test_save_extends_a_chain_that_was_put_in_atari():
    assert chosen(position_of(ATARI, "X", "E4"), save=1) == {"D3"}


def test_save_captures_what_gives_atari():
    diagram = """
        . . . . . . .
        . . . O . . .
        . . O X . . .
        . . X O . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """
    position = position_of(diagram, "X", "E4")
    assert chosen(position, save=1, tries=30) == {"D3", "E5"}  # D5 is left with one liberty


def test_save_leaves_a_chain_that_a_ladder_catches():
    """At the edge the extension has two liberties, and is caught all the same."""
    diagram = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . . X O . . .
        . . . . . . .
    """
    assert len(chosen(position_of(diagram, "X", "E2"), save=1, tries=30)) > 5


def test_take_captures_the_chain_that_just_moved():
    diagram = """
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . . X . X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """
    assert chosen(position_of(diagram, "O", "D4"), take=1) == {"D3"}
    assert len(chosen(position_of(diagram, "O", "A1"), take=1, tries=30)) > 5


RUNNING = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . X . . . . . .
    . . X . . . . . .
    . . . X . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def test_attack_catches_in_a_ladder():
    assert chosen(position_of(RUNNING, "O", "D4"), attack=1) == {"E4"}
    breaker = position_of(RUNNING, "O", "G7 pass D4")
    assert len(chosen(breaker, attack=1, tries=30)) > 5


def test_defend_gets_out_of_a_ladder_before_it_begins():
    """Black has just closed in; White's D4 would be caught by E4 next."""
    diagram = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . . . .
        . . X O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """
    assert chosen(position_of(diagram, "X", "D3"), defend=1, tries=30) == {"D5", "E4"}
    broken = position_of(diagram, "O", "G7 D3")  # nothing to fear
    assert len(chosen(broken, defend=1, tries=30)) > 5


def test_eye_plays_the_vital_point_beside_the_last_move():
    diagram = """
        X X X X X . .
        X . . . . X .
        X X X X X X .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """
    assert chosen(position_of(diagram, "X", "E6"), eye=1) == {"C6"}
    assert len(chosen(position_of(diagram, "X", "A1"), eye=1, tries=30)) > 5


def test_shape_answers_beside_the_last_move():
    """A hane: X beside O, nothing on the other side."""
    weights = playout_of(position_of(ATARI)).weights
    position = position_of(ATARI, "X", "pass").play("E5")
    found = chosen(position, shape=1, tries=60)
    state = position.state[0]
    around = [position.game.parse_move(text) for text in ["D6", "E6", "F6", "F5", "F4", "E4"]]
    fitting = [p for p in around if state["board"][p] == 0 and answers(weights, state["code"][p])]
    assert found == {position.game.move_text(p) for p in fitting}
    assert found


def test_shape_before_answers_the_move_before():
    position = position_of(ATARI, "X", "pass").play("E5", "A1")
    here = chosen(position.undo(), shape=1, tries=60)
    assert chosen(position, shape_before=1, tries=60) & here
    assert len(chosen(position, shape=1, tries=60)) > 8  # nothing beside A1


def test_capture_far_captures_anywhere():
    diagram = """
        . X O . . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . X .
        . . . . X O .
    """
    position = position_of(diagram, "X", "D4 A4")
    assert chosen(position, capture_far=1, tries=30) == {"D7", "G1"}


def test_empty_tries_looks_for_open_places():
    diagram = """
        X . X . O . O
        . . . . . . .
        X . X . O . O
        . . . . . . .
        X . X . . . .
        . . . . . . .
        X . X . . . .
    """
    position = position_of(diagram)
    assert chosen(position, empty_tries=100, tries=30) == {"E2", "F2", "F3", "E3"}
    assert len(chosen(position, tries=30)) > 4


def test_avoid_refuses_self_atari_and_despair_allows_it():
    """Whatever White plays here has one liberty."""
    diagram = """
        X X X X X
        X . . X X
        X X X X X
        X X . . X
        X X X X X
    """
    position = position_of(diagram, "O")
    everywhere = {"B4", "C4", "C2", "D2"}
    assert chosen(position, avoid=0.0, tries=30) == everywhere
    assert chosen(position, avoid=1.0, despair=0.0) == {"pass"}
    assert chosen(position, avoid=1.0, despair=1.0, tries=30) == everywhere


# --- playouts by urgency -------------------------------------------------------------------------

URGENT = """
    . . . .
    . X O .
    . . X .
    . . . .
"""


def test_frequencies_follow_the_urgencies(tmp_path):
    """Black is to move after White's C3 was put in atari and White has answered elsewhere."""
    path = tmp_path / "own.toml"
    path.write_text(
        "capture = 20.0\nescape = 6.0\nproximity = 3.0\n"
        "[patterns]\n'??? ?*? ???' = 2.0\n'### ?*? ???' = 1.0\n"
    )
    position = position_of(URGENT, "X", "D3 A1")
    playout = playout_of(position, str(path))
    at_the_edge = {"B1": 3.0, "C1": 1.0, "D1": 1.0, "A2": 3.0, "D2": 1.0}  # beside A1: times 3
    at_the_edge |= {"A3": 1.0, "A4": 1.0, "B4": 1.0, "C4": 1.0 + 20.0, "D4": 1.0}  # C4 captures
    inside = {"B2": 2.0}
    parse = position.game.parse_move
    urgency = {parse(text): worth for text, worth in (at_the_edge | inside).items()}
    choose = position.game.policies["urgency"]
    draw = interpret(lambda states, playout, rng: choose(states[0], playout, rng))
    rng, states = stream(7, "urgency"), position.state.copy()
    draws = 2000
    drawn = Counter(int(draw(states, playout, rng)) for _ in range(draws))
    assert set(drawn) <= set(urgency)
    total = sum(urgency.values())
    wanted = {move: draws * worth / total for move, worth in urgency.items()}
    square = sum((drawn[move] - n) ** 2 / n for move, n in wanted.items())
    freedom = len(wanted) - 1
    assert square <= freedom + 5 * math.sqrt(2 * freedom), (square, drawn)


def test_escapes_count_for_every_stone():
    """Two stones in atari: their way out is worth the pattern and twice P_e."""
    diagram = """
        . . . . .
        . . X . .
        . X O X .
        . X O X .
        . . . . .
    """
    position = position_of(diagram, "O", "")
    weights = {"capture": 0.0, "escape": 1e8, "proximity": 1.0}
    assert chosen(position, policy="urgency", **weights) == {"C1"}


# --- compiled as uncompiled ----------------------------------------------------------------------

rules = Slot("rules")
first = Slot("first")
second = Slot("second")


def play_both(states: Any, playout: Any, rng: Any, out: Any) -> int:
    """Kernel: one playout with each policy, one after the other; returns how many moves."""
    n = 0
    for policy in range(2):
        states[1] = states[0]
        state = states[1]
        for _ in range(len(out) // 2):
            if rules.over(state):
                break
            if policy == 0:
                move = np.int64(first.choose(state, playout, rng))
            else:
                move = np.int64(second.choose(state, playout, rng))
            out[n] = move
            n += 1
            rules.play(state, move)
    return n


def test_compiled_playouts_are_those_of_python():
    of = game("go:size=5")
    slots = {
        **of.bindings,
        "first": {"choose": of.policies["sequence"]},
        "second": {"choose": of.policies["urgency"]},
    }
    lines = {}
    for jit in (False, True):
        run = specialise(play_both, slots, label="two policies", jit=jit)
        playout, rng = make_playout(of, 1, "tesuji"), stream(3, "both")
        played = []
        for _ in range(3):
            states = np.zeros(2, of.state)
            states[0] = Position.start(of, jit=False).state[0]
            out = np.zeros(2 * of.max_length, np.int64)
            count = int(run(states, playout, rng, out))
            played.append((out[:count].tolist(), states[1].tobytes()))
        lines[jit] = played
    assert lines[True] == lines[False]
    assert min(len(moves) for moves, _ in lines[True]) > 60


def test_shapes_that_answer_are_those_of_the_file():
    weights = make_playout(game("go:size=5"), 1, "mogo").weights
    assert answers(weights, code_of("XOX .*. ..."))
    assert not answers(weights, code_of("... .*. ..."))
