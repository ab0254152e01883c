"""Each rule of the contract: a game that breaks it is told so in words, others pass."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.toys import dice_race, digits, triple_nim
from tesuji import ConfigError, ContractError, load
from tesuji.check import check_game
from tesuji.compile import below
from tesuji.games import tictactoe as t

GOOD = load("tictactoe")


def broken(**changes):
    return replace(GOOD, **changes)


def with_field(name):
    """The record of triple_nim with one field more."""
    return np.dtype([("pile", np.int8), ("mover", np.int8), (name, np.int8)], align=True)


# --- broken kernels ------------------------------------------------------------------------------


def lists_code_nine(state, out):
    n = t.moves(state, out)
    out[n - 1] = 9
    return n


def lists_nothing(state, out):
    return 0 if state.count == 3 else t.moves(state, out)


def lists_twice(state, out):
    n = t.moves(state, out)
    out[n - 1] = out[0]
    return n


def lists_differently(state, out):
    n = t.moves(state, out)
    state.winner = 3 - state.winner
    if state.winner == 0:
        out[0], out[n - 1] = out[n - 1], out[0]
    return n


def claims_ten(state, out):
    t.moves(state, out)
    return 10


def reads_beyond_the_board(state, out):
    return t.moves(state, out) + state.board[state.count + 7]


def divides_by_zero(state, out):
    return t.moves(state, out) // (2 - state.count)


def candidate_elsewhere(state, out):
    out[0] = 4
    return 1


def count_of_cells(state):
    return 9 - state.count


def counts_one_more(state):
    return 10 - state.count


def nth_empty_cell(state, n):
    for cell in range(9):
        if state.board[cell] == 0:
            if n == 0:
                return cell
            n -= 1
    return -1


def nth_cell(state, n):
    return n


def always_the_centre(state, playout, rng):
    return 4


def moves_of_a_third_player(state):
    return state.count % 3


def rolls_without_dice(state):
    return -1 if state.count == 2 else state.count % 2


def points(state, out):
    for player in range(2):
        out[player] = 3.0 if state.winner == player + 1 else 0.0


def negative(state, out):
    for player in range(2):
        out[player] = 1.0 if state.winner == player + 1 else -1.0


def only_the_winner(state, out):
    if state.winner != 0:
        out[state.winner - 1] = 1.0


def rewards_nan(state, out):
    for player in range(2):
        out[player] = state.winner * np.nan


def rewards_of_three(state, out):
    for player in range(3):
        out[player] = 0.5


def hopes_too_much(state, out):
    for player in range(2):
        out[player] = 0.5 + state.count / 4


def expects_for_one(state, out):
    out[0] = 0.5


def evaluates_beyond(state, out):
    for player in range(3):
        out[player] = 0.5


def likes_late_cells(state, playout, count, out):
    for i in range(count):
        out[i] = playout.moves[i] / 8


def hates_the_corner(state, playout, count, out):
    for i in range(count):
        out[i] = -1.0 if playout.moves[i] == 0 else 1.0


def adores_the_centre(state, playout, count, out):
    for i in range(count):
        out[i] = np.inf if playout.moves[i] == 4 else 1.0


def knows_nan(state, playout, count, out):
    for i in range(count):
        out[i] = state.count * np.nan


def knows_all_but_one(state, playout, count, out):
    for i in range(count - 1):
        out[i] = 1.0


def knows_by_move(state, playout, count, out):
    for i in range(count):
        out[playout.moves[i]] = 1.0


def expects_a_draw(state, out):
    for player in range(2):
        out[player] = 0.5


def forgets_to_play(state, move):
    state.count = (state.count + 1) % 2


def never(state):
    return False


def odd_text(move):
    return f"{move} " if move != 7 else "8"


def parse_with_a_slip(text):
    return ["a1"].index(text) if text == "a1" else {}[text]


CASES = [
    (
        "code too high",
        {"moves": lists_code_nine},
        "moves() lists move code 9, it must be 0 to 8, at",
    ),
    ("no moves", {"moves": lists_nothing}, "moves() returned 0 in a game that goes on"),
    ("double moves", {"moves": lists_twice}, "moves() lists a1 twice"),
    (
        "unsteady moves",
        {"moves": lists_differently},
        "lists other moves when it is called a second",
    ),
    (
        "too many moves",
        {"max_moves": 8},
        "moves() writes more than max_moves = 8 moves, at the start",
    ),
    (
        "too high a count",
        {"moves": claims_ten},
        "returned 10 in a game that goes on, it must be 1 to",
    ),
    ("index elsewhere", {"moves": reads_beyond_the_board}, "moves() raised IndexError"),
    ("division", {"moves": divides_by_zero}, "moves() raised ZeroDivisionError"),
    ("candidates", {"candidates": candidate_elsewhere}, "candidates() gives move 4, which is not"),
    ("count", {"count": counts_one_more, "nth": nth_cell}, "count() is 10, but 9 candidates are"),
    ("nth", {"count": count_of_cells, "nth": nth_cell}, "but the list has "),
    (
        "policy",
        {"policies": {"bold": always_the_centre}},
        "policy bold() gives move 4, which is not",
    ),
    ("mover", {"mover": moves_of_a_third_player}, "mover() is 2, it must be 0 to 1, after 2 moves"),
    ("dice", {"mover": rolls_without_dice}, "mover() is -1, it must be 0 to 1 (dice need a chance"),
    ("high reward", {"rewards": points}, "the reward of player {0|1} is 3.0, it must be 0 to 1"),
    ("low reward", {"rewards": negative}, "the reward of player 0 is -1.0, it must be 0 to 1, at"),
    ("no reward", {"rewards": only_the_winner}, "the reward of player 0 is not written"),
    ("nan", {"rewards": rewards_nan}, "the reward of player 0 is nan, it must be 0 to 1"),
    ("extra reward", {"rewards": rewards_of_three}, "rewards() raised IndexError"),
    (
        "high evaluation",
        {"evaluations": {"good": expects_a_draw, "rash": hopes_too_much}},
        "what evaluation rash() expects for player 0 is 1.25, it must be 0 to 1, after 3 moves",
    ),
    (
        "half an evaluation",
        {"evaluations": {"half": expects_for_one}},
        "what evaluation half() expects for player 1 is not written, it must be 0 to 1, at the",
    ),
    (
        "extra evaluation",
        {"evaluations": {"wide": evaluates_beyond}},
        "evaluation wide() raised IndexError",
    ),
    (
        "negative knowledge",
        {"knowledge": {"good": likes_late_cells, "sour": hates_the_corner}},
        "what knowledge sour() says of a1 is -1.0, it must be finite and 0 or more, at the start",
    ),
    (
        "infinite knowledge",
        {"knowledge": {"fan": adores_the_centre}},
        "what knowledge fan() says of b2 is inf, it must be finite and 0 or more, at the start",
    ),
    ("nan knowledge", {"knowledge": {"lost": knows_nan}}, "knowledge lost() says of a1 is nan"),
    (
        "missing knowledge",
        {"knowledge": {"lazy": knows_all_but_one}},
        "what knowledge lazy() says of c3 is not written, it must be",
    ),
    (
        "knowledge elsewhere",
        {"knowledge": {"askew": knows_by_move}},
        "knowledge askew() raised IndexError",
    ),
    ("endless", {"play": forgets_to_play, "over": never}, "not over after max_length = 9 moves"),
    (
        "text",
        {"move_text": odd_text, "parse_move": int},
        "move 7 is written '8', but parse_move('8')",
    ),
    ("unreadable", {"parse_move": int}, "parse_move('a1') gives an error (invalid literal"),
    ("parser", {"parse_move": parse_with_a_slip}, "parse_move() raised KeyError: 'b1'"),
    ("code as text", {"move_text": lambda m: m}, "move_text(0) gives 0, it must be text"),
    ("no text", {"move_text": lambda m: {}[m]}, "move_text() raised KeyError"),
    ("drawing", {"draw": lambda state, paint: None}, "draw() gives None, it must be text"),
    ("no drawing", {"draw": lambda state: ""}, "draw() raised TypeError"),
    ("start", {"start": lambda state: 1 / 0}, "start() raised ZeroDivisionError"),
]


@pytest.mark.parametrize(("changes", "message"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_broken_rule_is_named(changes, message):
    pattern = re.escape(message).replace(r"\{0\|1\}", "[01]")
    with pytest.raises(ContractError, match=pattern):
        check_game(broken(**changes))


def test_an_error_names_the_line():
    with pytest.raises(ContractError) as caught:
        check_game(broken(moves=divides_by_zero))
    line = divides_by_zero.__code__.co_firstlineno + 1
    assert f"test_rules.py:{line})" in str(caught.value)
    assert re.search(r"after 2 moves \([abc][123] [abc][123]\)$", str(caught.value))


def test_equal_states_need_equal_hashes():
    def play(state, move):
        triple_nim.play(state, move)
        state.last = move

    def hash_with_the_last_move(state):
        return triple_nim.hash(state) * np.uint64(4) + np.uint64(state.last)

    game = replace(triple_nim.game(), state=with_field("last"), play=play)
    with pytest.raises(ContractError, match=r"hash\(\) differs between two equal states"):
        check_game(replace(game, hash=hash_with_the_last_move))


def test_long_games_are_cut_short_in_messages():
    def late(state, out):
        return triple_nim.moves(state, out) if state.pile > 2 else 0

    with pytest.raises(ContractError, match=r"after \d+ moves \(\.\.\. [123 ]+\)$"):
        check_game(replace(triple_nim.game(100), moves=late))


# --- compiled and uncompiled ---------------------------------------------------------------------

HUGE = 2**62


def overflows_in_play(state, move):
    t.play(state, move)
    state.winner = state.winner if (HUGE + move) * 4 > HUGE else 2


def overflows_in_moves(state, out):
    n = t.moves(state, out)
    if (HUGE + n) * 4 < HUGE:
        out[0], out[n - 1] = out[n - 1], out[0]
    return n


def overflows_in_mover(state):
    return state.count % 2 if (HUGE + state.count) * 4 > HUGE else 0


def overflows_in_rewards(state, out):
    for player in range(2):
        out[player] = 0.5 if (HUGE + state.count) * 4 > HUGE else 0.25


def overflows_in_policy(state, playout, rng):
    n = t.moves(state, playout.moves)
    best = below(rng, n)
    return playout.moves[best if (HUGE + n) * 4 > HUGE else 0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"play": overflows_in_play},
            "over() is False uncompiled and True compiled, after 1 moves",
        ),
        (
            {"moves": overflows_in_moves},
            "moves() is (0, 1, 2, 3, 4, 5, 6, 7, 8) uncompiled and (8, 1",
        ),
        ({"mover": overflows_in_mover}, "mover() is 1 uncompiled and 0 compiled, after 1 moves"),
        ({"rewards": overflows_in_rewards}, "rewards() is (0.5, 0.5) uncompiled and (0.25, 0.25)"),
        ({"policies": {"uniform": overflows_in_policy}}, "some kernel computes with numbers that"),
    ],
    ids=["play", "moves", "mover", "rewards", "policy"],
)
def test_compiled_and_uncompiled_must_agree(changes, message):
    with pytest.raises(ContractError, match=re.escape(message)):
        check_game(broken(**changes))


def test_fields_must_agree():
    def play(state, move):
        triple_nim.play(state, move)
        state.seen = (HUGE + move) * 4 > HUGE

    game = replace(triple_nim.game(5), state=with_field("seen"), play=play)
    with pytest.raises(ContractError, match="field 'seen' is 1 uncompiled and 0 compiled, after 1"):
        check_game(game)


# --- games that keep the contract ----------------------------------------------------------------


@pytest.mark.parametrize("toy", [dice_race, digits, triple_nim])
def test_toys_keep_the_contract(toy):
    report = check_game(toy.game(), games=10)
    assert report.unfinished == 0
    assert report.longest <= report.game.max_length


def test_what_was_looked_at_is_reported():
    report = check_game(GOOD, games=5, seed=3)
    assert (report.games, report.widest, report.unfinished) == (5, 9, 0)
    assert 5 <= report.longest <= 9
    assert 5 * 6 <= report.positions <= 5 * 10
    assert str(report).startswith("tictactoe: 5 random games with")
    assert str(check_game(GOOD, games=5, seed=3)) == str(report)


def test_counting_instead_of_listing_keeps_the_contract():
    check_game(broken(count=count_of_cells, nth=nth_empty_cell), games=3)


def test_knowledge_and_evaluations_keep_the_contract():
    game = broken(knowledge={"late": likes_late_cells}, evaluations={"drawish": expects_a_draw})
    check_game(game, games=3)


def test_dice_are_not_asked_for_knowledge():
    """Nobody chooses there, but a playout may stop there."""
    asked = []

    def knowledge(state, playout, count, out):
        asked.append(("knowledge", dice_race.mover(state)))
        for i in range(count):
            out[i] = 1.0

    def evaluation(state, out):
        asked.append(("evaluation", dice_race.mover(state)))
        for player in range(len(out)):
            out[player] = 0.5

    game = replace(
        dice_race.game(), knowledge={"flat": knowledge}, evaluations={"flat": evaluation}
    )
    check_game(game, games=1)
    movers = {kind: {mover for of, mover in asked if of == kind} for kind, _ in asked}
    assert -1 in movers["evaluation"]
    assert movers["knowledge"] == movers["evaluation"] - {-1}


BUILT_IN = [
    "amazons:size=5",
    "atarigo:size=4",
    "ataxx:size=4",
    "breakthrough:size=4x5",
    "connect4",
    "go:size=5",
    "havannah:size=4",
    "hex:size=5",
    "nogo:size=4",
    "pentalath:size=3,swap=true",
    "trio",
]
QUICK = ("breakthrough:size=4x5", "connect4", "trio")


@pytest.mark.parametrize(
    "spec",
    # compiling takes many seconds: the rules are compared in tests/games for all games
    [spec if spec in QUICK else pytest.param(spec, marks=pytest.mark.stress) for spec in BUILT_IN],
)
def test_built_in_games_keep_the_contract(spec):
    assert check_game(load(spec), games=1).unfinished == 0


def test_at_least_one_game_is_played():
    with pytest.raises(ConfigError, match="games is 0, it must be 1 or more"):
        check_game(GOOD, games=0)
