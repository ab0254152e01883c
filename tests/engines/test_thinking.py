"""Thinking in whole games: early stops, clocks, resigning, passing, komi, pondering, analysis."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from tesuji import ConfigError, GameError, Limit, Position, SearchConfig, load, start
from tesuji.compile import draw_below, stream
from tesuji.engines.clock import Clock, Plan, TimeSettings
from tesuji.engines.ending import ahead, chosen
from tesuji.engines.engine import Engine, Setup
from tesuji.engines.komi import faded_komi, handicap, with_komi
from tesuji.engines.stopping import Watch, standing
from tesuji.engines.thinking import Options, Thinker
from tesuji.games.go.board import BLACK, PASS, WHITE
from tesuji.games.go.setup import from_diagram, set_up
from tesuji.searcher import Searcher

CONFIG = SearchConfig(memory_mb=20)
GO = load("go:size=5")


def thinker(spec, sims=None, config=CONFIG, seed=0, **options):
    limit = None if sims is None else Limit(simulations=sims)
    return Thinker(load(spec), config, seed=seed, limit=limit, options=Options(**options))


def played(spec, plies, seed=0):
    """A position after random moves."""
    position, rng = start(spec), stream(seed, "moves")
    for _ in range(plies):
        position = position.play(position.moves[draw_below(rng, len(position.moves))])
    return position


# --- early stops ---------------------------------------------------------------------------------


def test_an_early_stop_never_changes_the_move():
    saved = 0
    for seed in range(20):
        position = played("connect4", 6, seed)
        early = thinker("connect4", 2000, seed=seed).think(position).decision
        whole = thinker("connect4", 2000, seed=seed, early_stop=False).think(position).decision
        assert early.move == whole.move
        assert whole.simulations == 2000
        saved += 2000 - early.simulations
    assert saved > 2000


@pytest.mark.parametrize(
    "config", [replace(CONFIG, final="max"), replace(CONFIG, final="secure")], ids=["max", "secure"]
)
def test_only_visits_are_certain_to_stay(config):
    decision = thinker("connect4", 2000, config).think(played("connect4", 6, 1)).decision
    assert decision.simulations == 2000


def test_an_only_move_is_played_at_once():
    position = start("tictactoe").play("a1", "b1", "c1", "a2", "c2", "b2", "a3", "c3")
    assert thinker("tictactoe", 500).think(position).decision.simulations == 1
    whole = thinker("tictactoe", 500, early_stop=False).think(position)
    assert whole.decision.simulations == 500


class Hours:
    """A clock that tells what it is set to."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


OPENING = start("connect4")
WON = start("tictactoe").play("a1", "a2", "b1", "b2")
SURE, UNSURE = 3000, 222  # simulations of the opening after which the leader is best, and is not


@pytest.fixture(scope="module")
def searchers():
    return {name: Searcher(load(name), CONFIG) for name in ("connect4", "tictactoe")}


def search(searchers, position, simulations):
    searcher = searchers[position.game.name]
    searcher.forget()
    searcher.search(position, Limit(simulations))
    return searcher


def enough(searchers, position, simulations, seconds, limit=10_000, **options):
    """Is a search with a plan of 100 s, 10,000 s at most, over after so many seconds?

    Half of its simulations came in the first half of them.
    """
    hours = Hours()
    searcher = search(searchers, position, simulations // 2)
    watch = Watch(searcher, Limit(seconds=limit), Plan(100, 10_000), now=hours, **options)
    hours.seconds = seconds / 2
    watch()
    search(searchers, position, simulations)
    hours.seconds = seconds
    return watch()


def test_a_standing_is_what_the_decision_says(searchers):
    searcher = search(searchers, OPENING, SURE)
    look, children = standing(searcher.tree), searcher.decision().children
    assert (look.first, look.second) == (children[0].visits, children[1].visits)
    assert look.value == pytest.approx(children[0].value)
    assert look.agreed
    assert 0.3 < look.value < 0.9
    assert not standing(search(searchers, OPENING, UNSURE).tree).agreed


def test_a_plan_is_kept(searchers):
    assert not enough(searchers, OPENING, SURE, 50, early=False)
    assert enough(searchers, OPENING, SURE, 101, early=False)
    assert enough(searchers, OPENING, SURE, 101)


def test_a_limit_holds_beside_a_plan(searchers):
    assert not enough(searchers, OPENING, SURE, 50, limit=70, early=False)
    assert enough(searchers, OPENING, SURE, 71, limit=70, early=False)


def test_time_that_cannot_change_the_move_is_saved(searchers):
    """300 a second for 90 s can come, or 30 for 5 s."""
    look = standing(search(searchers, OPENING, SURE).tree)
    assert 160 < look.first - look.second < 20_000
    assert not enough(searchers, OPENING, SURE, 10)
    assert enough(searchers, OPENING, SURE, 95)
    assert not enough(searchers, OPENING, SURE, 95, early=False)


@pytest.mark.parametrize("early", [True, False])
def test_a_fallen_value_gets_more_time(searchers, early):
    value = standing(search(searchers, OPENING, SURE).tree).value
    assert enough(searchers, OPENING, SURE, 200, before=value + 0.04, early=early)
    assert not enough(searchers, OPENING, SURE, 200, before=value + 0.06, early=early)
    assert enough(searchers, OPENING, SURE, 10_001, before=value + 0.06, early=early)


@pytest.mark.parametrize("early", [True, False])
def test_a_doubtful_leader_gets_more_time(searchers, early):
    assert not enough(searchers, OPENING, UNSURE, 200, early=early)
    assert enough(searchers, OPENING, UNSURE, 10_001, early=early)


def test_a_clear_win_gets_less_time(searchers):
    assert standing(search(searchers, WON, 1000).tree).value > 0.97
    assert enough(searchers, WON, 1000, 26)
    assert not enough(searchers, WON, 1000, 26, early=False)


# --- clocks --------------------------------------------------------------------------------------


def test_thinking_takes_time_off_the_clock():
    clock = Clock(TimeSettings("absolute", 100))
    thought = thinker("connect4", 200).think(start("connect4"), clock)
    assert 0 < thought.decision.simulations <= 200  # a limit holds beside the clock
    assert clock.left < 100 - thought.decision.seconds


def test_a_rehearsal_leaves_the_clock_alone():
    engine = Engine(Setup(load("connect4"), CONFIG, limit=Limit(simulations=200)))
    engine.set_time(TimeSettings("absolute", 100))
    engine.think(0, rehearsal=True)
    engine.look()
    assert engine.clocks[0].left == 100
    engine.think(0)
    assert engine.clocks[0].left < 100


@pytest.mark.parametrize("settings", [TimeSettings("absolute", 0), TimeSettings.gtp(0, 0.001, 5)])
def test_without_time_there_still_is_a_move(settings):
    position = start("connect4")
    thought = thinker("connect4").think(position, Clock(settings))
    assert thought.decision.move in position.moves


def test_an_error_still_takes_time_off_the_clock():
    clock = Clock(TimeSettings("absolute", 100))
    with pytest.raises(GameError, match="is over"):
        thinker("tictactoe").think(start("tictactoe").play("a1", "a2", "b1", "b2", "c1"), clock)
    assert clock.left < 100


def test_progress_is_told():
    told = []
    mind = thinker("connect4", early_stop=False)
    mind.limit = Limit(seconds=0.6)
    mind.think(start("connect4"), progress=told.append)
    assert told


# --- resigning -----------------------------------------------------------------------------------


def hopeless(plies, komi=100):
    """Black's turn; no move can win."""
    game = load(f"go:size=5,komi={komi}")
    moves = ["B2", "D4", "B4", "D2", "C3", "D3", "B3", "C4", "C2", "B5"][:plies]
    return Position.start(game).play(*moves)


def resigns(mind, plies, **changes):
    return [mind.think(hopeless(n, **changes)).resigns for n in plies]


def black(sims=200, komi=100, **options):
    return thinker(f"go:size=5,komi={komi}", sims, **options)


def test_two_hopeless_moves_in_a_row_are_enough():
    assert resigns(black(), [4, 6]) == [False, True]


def test_who_is_not_lost_does_not_resign():
    assert resigns(black(komi=2), [4, 6], komi=2) == [False, False]


def test_zero_never_resigns():
    assert resigns(black(resign=0.0), [4, 6, 8]) == [False, False, False]


def test_the_opening_is_too_early_to_resign():
    assert resigns(black(), [0, 2, 4]) == [False, False, True]


def test_few_simulations_prove_nothing():
    config = replace(CONFIG, reuse=False)
    mind = Thinker(hopeless(0).game, config, limit=Limit(simulations=90))
    assert resigns(mind, [4, 6]) == [False, False]


def test_another_game_begins_without_a_grudge():
    mind = black()
    assert resigns(mind, [6]) == [False]
    assert not mind.think(hopeless(0).play("E5", "A1", "E4", "A2", "E3", "A3")).resigns
    mind.forget()
    assert resigns(mind, [8]) == [False]


def test_nobody_resigns_a_game_that_is_won_on_points():
    """Dynamic komi shows Black a lost game, but the board says otherwise."""
    game = load("go:size=5,komi=0.5")
    mind = thinker(game.spec, 200, dynamic_komi=100.0)
    position = set_up(game, [game.parse_move(t) for t in ("B2", "D2", "B4", "D4")], [], mover=1)
    values = []
    for move in ("C3", "B3", "C1", "D3"):
        position = position.play(move)
        if position.mover == 0:
            thought = mind.think(position)
            values.append(thought.decision.value)
            assert not thought.resigns
    assert max(values) < 0.05


# --- passing -------------------------------------------------------------------------------------

ALIVE = """
. X X O .
X X X O O
X X X O .
X X X O O
. X X O .
"""
DEAD = """
. X X O .
X X X O O
X O X O .
X . X O O
. X X O .
"""
OPEN = """
. . . . .
. X . O .
. X . O .
. X . O .
. . . . .
"""


def board(diagram, mover=0, komi=2.5, passed=False):
    """A position; ``passed``: the opponent has just passed."""
    game = load(f"go:size=5,komi={komi}")
    if not passed:
        return from_diagram(game, diagram, mover)
    return from_diagram(game, diagram, 1 - mover).play("pass")


def owners(position, **marks):
    """Every point belongs to who has its stone, empty ones to Black on the left; but for marks."""
    stones = position.state[0]["board"].astype(int)
    found = np.where(stones == BLACK, 1.0, np.where(stones == WHITE, -1.0, 0.0))
    for vertex in np.flatnonzero(stones == 0):
        if vertex != PASS:
            found[vertex] = 1.0 if position.move_text(int(vertex))[0] < "D" else -1.0
    for name, value in marks.items():
        found[position.game.parse_move(name)] = value
    return found


@pytest.fixture(scope="module")
def mind():
    return thinker("go:size=5", 400)


def decided(mind, position, move=None):
    """What a search says, as if it had decided for another move."""
    mind.searcher.game = mind.game = position.game
    decision = mind.searcher.search(position, Limit(simulations=400))
    return decision if move is None else replace(decision, move=position.parse_move(move))


def test_a_pass_that_wins_is_answered_with_a_pass(mind):
    position = board(ALIVE, passed=True)
    assert ahead(position, None)
    assert chosen(position, decided(mind, position, "A1"), None, cleanup=False) == PASS


def test_a_pass_that_loses_is_not_played_while_there_is_hope(mind):
    position = board(OPEN, passed=True)
    assert not ahead(position, None)
    decision = decided(mind, position, "pass")
    move = chosen(position, decision, None, cleanup=False)
    assert move == next(c.move for c in decision.children if c.move != PASS)


def test_a_lost_game_is_ended_by_a_pass(mind):
    position = board(ALIVE, komi=50, passed=True)
    decision = decided(mind, position, "pass")
    assert chosen(position, decision, None, cleanup=False) == PASS


def test_a_settled_board_is_left_alone(mind):
    position = board(ALIVE)
    decision = decided(mind, position, "A1")
    known = owners(position)
    assert chosen(position, decision, known, cleanup=False) == PASS
    doubtful = owners(position, A1=0.5)
    assert chosen(position, decision, doubtful, cleanup=False) == decision.move


def test_dead_stones_are_captured_before_the_game_ends_where_they_matter(mind):
    """White's stone on B3 is dead; as long as it stands there Black is behind."""
    position = board(DEAD, komi=3.5, passed=True)
    known = owners(position, B3=1.0)
    assert not ahead(position, None)
    assert ahead(position, known)
    decision = decided(mind, position, "B2")
    assert chosen(position, decision, known, cleanup=False) == decision.move
    assert chosen(position, decision, None, cleanup=False) == decision.move


def test_cleaning_up_takes_dead_stones_first(mind):
    position = board(DEAD, passed=True)
    known = owners(position, B3=1.0)
    decision = decided(mind, position, "pass")
    move = chosen(position, decision, known, cleanup=True)
    assert position.move_text(move) == "B2"
    after = position.play("B2", "pass")
    known = owners(after)
    assert chosen(after, decided(mind, after, "B3"), known, cleanup=True) == PASS


@pytest.mark.parametrize("seed", range(3))
def test_games_come_to_an_end(seed):
    minds = [thinker("go:size=5", 200, seed=seed + 10 * i, resign=0.0) for i in range(2)]
    position = Position.start(GO)
    while not position.over:
        thought = minds[position.mover].think(position)
        assert thought.passes == (thought.decision.move == PASS)
        if position.move == PASS and ahead(position, None):
            assert thought.passes
        position = position.play(thought.decision.move)
        assert position.ply < GO.max_length


# --- dynamic komi --------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "plies", "more"), [(19, 0, 30), (19, 100, 15), (19, 200, 0)])
def test_komi_fades_to_the_real_one(size, plies, more):
    game = load(f"go:size={size},komi=0.5")
    stones = [game.parse_move(text) for text in ("D4", "Q16", "D16", "Q4")]
    position = set_up(game, stones, [], mover=1)
    for _ in range(plies):
        position = position.play(next(m for m in position.moves if m != PASS))
    assert faded_komi(position, 7.5) == 0.5 + more


def test_small_boards_fade_sooner():
    position = start("go").play("E5", "pass", "C3")
    assert handicap(position) == 2
    assert faded_komi(position, 7.5) == 7.5 + round(15 * (1 - 3 / (200 * 81 / 361)))


@pytest.mark.parametrize("moves", ["E5 C3 G7", "B1 A1 A2", "B1 A1 A2 pass C3 pass D4"])
def test_a_game_without_handicap_keeps_its_komi(moves):
    """Also when all of White's stones have been captured."""
    position = start("go").play(*moves.split())
    assert handicap(position) == 0
    assert faded_komi(position, 7.5) == 7.5


@pytest.mark.parametrize("moves", [(), ("C3", "pass", "B2")])
def test_only_komi_changes(moves):
    position = start("go:size=5").play(*moves)
    other = with_komi(position, 20.0)
    assert other.state[0]["komi"] == 20.0
    assert (other.line, other.ply, other.moves, other.repetition) == (
        position.line,
        position.ply,
        position.moves,
        position.repetition,
    )
    assert list(other.history) == list(position.history)
    state = other.state.copy()
    state["komi"] = position.state[0]["komi"]
    assert state.tobytes() == position.state.tobytes()


def test_the_search_sees_dynamic_komi_and_keeps_its_tree():
    """White sees a lost game, and with four stones of 20 points each a won one."""
    position = start("go:size=5").play("B2", "pass", "D4", "pass", "B4", "pass", "D2")
    values = {}
    for points in (0.0, 20.0):
        mind = thinker("go:size=5", 300, dynamic_komi=points, early_stop=False)
        mind.think(position)
        after = position.play("E1", "C3")
        second = mind.think(after)
        values[points] = second.decision.value
        assert sum(child.visits for child in second.decision.children) >= 300
    assert values[0.0] < 0.3
    assert values[20.0] > 0.9


# --- pondering -----------------------------------------------------------------------------------


def wait_for(mind, simulations):
    while mind.searcher.simulations < simulations:
        time.sleep(0.001)


def test_what_was_pondered_is_kept():
    mind = thinker("connect4", 100, ponder=True, early_stop=False)
    position = start("connect4")
    position = position.play(mind.think(position).decision.move)
    mind.ponder(position)
    wait_for(mind, 5000)
    mind.halt()
    assert threading.active_count() == 1
    decision = mind.think(position.play(position.moves[0])).decision
    assert decision.simulations == 100
    assert sum(child.visits for child in decision.children) > 200


def test_thinking_ends_pondering():
    mind = thinker("connect4", 100, ponder=True)
    position = start("connect4").play("d")
    mind.ponder(position)
    mind.think(position.play("d"))
    assert threading.active_count() == 1
    mind.halt()


def test_nothing_is_pondered_in_a_hurry():
    mind = thinker("connect4", ponder=True)
    mind.think(OPENING, Clock(TimeSettings("absolute", 0)))
    mind.ponder(OPENING.play("d"))
    assert threading.active_count() == 1
    mind.think(OPENING, Clock(TimeSettings("absolute", 100)))
    mind.ponder(OPENING.play("d"))
    assert threading.active_count() == 2
    mind.halt()


def test_a_large_tree_is_dropped_in_a_hurry():
    mind = thinker("connect4", 20_000, early_stop=False)
    mind.think(OPENING)
    decision = mind.think(OPENING, Clock(TimeSettings("absolute", 0))).decision
    assert sum(child.visits for child in decision.children) == decision.simulations < 20_000


def test_pondering_is_an_option():
    mind = thinker("connect4", 100)
    mind.ponder(start("connect4"))
    assert threading.active_count() == 1
    mind = thinker("tictactoe", 100, ponder=True)
    mind.ponder(start("tictactoe").play("a1", "a2", "b1", "b2", "c1"))
    assert threading.active_count() == 1


def test_what_fails_in_the_background_surfaces():
    mind = thinker("connect4", 100, ponder=True)
    mind.ponder(start("tictactoe"))
    with pytest.raises(GameError, match="got a position of tictactoe"):
        mind.think(start("connect4"))
    assert mind.think(start("connect4")).decision.text


# --- analysis ------------------------------------------------------------------------------------


def test_analysis_goes_on_until_somebody_says_so():
    told = []
    mind = thinker("connect4")
    mind.analyse(start("connect4"), told.append, 0.01, until=lambda: len(told) == 5)
    assert len(told) == 5
    counts = [decision.simulations for decision in told]
    assert counts == sorted(set(counts))


def test_analysis_of_a_proven_position_goes_on_telling():
    told = []
    mind = thinker("tictactoe", config=replace(CONFIG, solver="wins"))
    position = start("tictactoe").play("a1", "a2", "b1", "b2")
    mind.analyse(position, told.append, 0.0, until=lambda: len(told) == 20)
    assert told[-1].proven == 1.0
    assert told[-1].simulations == told[-2].simulations


def test_analysis_stops_at_once():
    mind = thinker("connect4")
    mind.analyse(start("connect4"), lambda _: pytest.fail("too early"), 1000, until=lambda: True)
    assert mind.searcher.simulations == 1


@pytest.mark.parametrize("spec", ["connect4", "tictactoe"])
def test_analysis_can_be_stopped(spec):
    """Also where all is proven and nothing is searched any more."""
    mind = thinker(spec, config=replace(CONFIG, solver="wins") if spec == "tictactoe" else CONFIG)
    position = WON if spec == "tictactoe" else OPENING
    mind.analyse(position, lambda _: mind.stop(), 0.1, until=lambda: False)
    assert mind.searcher.simulations > 0


def test_the_end_of_an_analysis_is_asked_for_once():
    answers = iter([False, True])
    thinker("connect4").analyse(OPENING, print, 1000, until=lambda: next(answers))
    assert next(answers, None) is None


def test_a_thought_can_be_stopped():
    mind = Thinker(load("connect4"), CONFIG, limit=Limit(seconds=1e6))
    thought = mind.think(OPENING, progress=lambda _: mind.stop())
    assert thought.decision.move in OPENING.moves


# --- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"resign": 0.6}, "resign is 0.6, it must be 0 to 0.5"),
        ({"resign": "low"}, "resign is 'low', it must be a number"),
        ({"dynamic_komi": -1}, "dynamic_komi is -1, it must be 0 to 100"),
        ({"dynamic_komi": float("nan")}, "dynamic_komi is nan, it must be 0 to 100"),
        ({"ponder": 1}, "ponder is 1, it must be true or false"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ConfigError) as caught:
        Options(**options)
    assert message == str(caught.value)
