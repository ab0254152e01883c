"""Thinking in whole games: early stops, clocks, resigning, passing, komi, pondering, analysis."""

import threading
from dataclasses import replace

import pytest

from tests.waiting import until
from tesuji import ConfigError, GameError, Limit, Position, SearchConfig, load, start
from tesuji.compile import draw_below, stream
from tesuji.game import CHANCE
from tesuji.games.go.board import PASS
from tesuji.games.go.setup import from_diagram, set_up
from tesuji.play import player as module
from tesuji.play.clock import Clock, TimeSettings
from tesuji.play.ending import ahead
from tesuji.play.player import Options, Player
from tesuji.search import slices
from tesuji.searcher import Searcher

CONFIG = SearchConfig(memory_mb=20)
GO = load("go:size=5")


def player_of(spec, sims=None, config=CONFIG, seed=0, **options):
    limit = None if sims is None else Limit(simulations=sims)
    return Player(load(spec), config, seed=seed, limit=limit, options=Options(**options))


def played(spec, plies, seed=0):
    """A position after random moves."""
    position, rng = start(spec), stream(seed, "moves")
    for _ in range(plies):
        position = position.play(position.moves[draw_below(rng, len(position.moves))])
    return position


# --- early stops ----------------------------------------------------------------------------------


def test_an_early_stop_never_changes_the_move():
    saved = 0
    for seed in range(20):
        position = played("connect4", 6, seed)
        early = player_of("connect4", 2000, seed=seed).think(position).decision
        whole = player_of("connect4", 2000, seed=seed, early_stop=False).think(position).decision
        assert early.move == whole.move
        assert whole.simulations == 2000
        saved += 2000 - early.simulations
    assert saved > 2000


@pytest.mark.parametrize(
    "settings",
    [
        {"final": "max"},
        {"final": "secure"},
        {"final": "robust-max"},
        {"solver": "wins"},
        {"halving": "hybrid"},
    ],
    ids=str,
)
def test_only_visits_are_certain_to_stay(settings, monkeypatch):
    monkeypatch.setenv("TESUJI_JIT", "0")
    position = played("tictactoe", 1)
    assert player_of("tictactoe", 300).think(position).decision.simulations < 300
    config = replace(CONFIG, **settings)
    assert player_of("tictactoe", 300, config).think(position).decision.simulations >= 300


def test_an_only_move_is_played_at_once():
    position = start("tictactoe").play("a1", "b1", "c1", "a2", "c2", "b2", "a3", "c3")
    assert player_of("tictactoe", 500).think(position).decision.simulations == 1
    whole = player_of("tictactoe", 500, early_stop=False).think(position)
    assert whole.decision.simulations == 500


OPENING = start("connect4")
WON = start("tictactoe").play("a1", "a2", "b1", "b2")


@pytest.mark.parametrize(("spec", "sims"), [("connect4", 3000), ("go:size=5", 400)])
def test_a_game_is_the_same_on_a_slow_machine(spec, sims, monkeypatch):
    """What an early stop leaves of a tree decides about later moves."""
    games = []
    for slice_seconds in (1e-4, 10.0):
        monkeypatch.setattr(slices, "SLICE_SECONDS", slice_seconds)
        player = player_of(spec, sims, resign=0.0)
        position, thoughts = start(spec), []
        while not position.over:
            thought = player.think(position)
            thoughts.append((thought.move, thought.decision.simulations, thought.decision.value))
            position = position.play(thought.move)
        games.append(thoughts)
    assert games[0] == games[1]
    assert any(1 < simulations < sims for _, simulations, _ in games[0])


SETTLED = """
. X X O .
X X X O O
. X X O .
X X X O .
. X X O .
"""


def test_whether_a_pass_is_sure_depends_on_no_clock(monkeypatch):
    """A second search makes sure of it; only where the move is timed may time end that one."""
    searches = []

    class Noted(Searcher):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            searches.append(self)

    monkeypatch.setenv("TESUJI_JIT", "0")
    monkeypatch.setattr(module, "Searcher", Noted)
    monkeypatch.setattr(module, "CHECK_SECONDS", 0.001)
    game = load("go:size=5,komi=2.5")
    position = from_diagram(game, SETTLED)
    for limit, whole in ((Limit(simulations=150), True), (Limit(150, 60.0), False)):
        options = Options(early_stop=False)
        config = replace(CONFIG, ownership=True)
        player = Player(game, config, limit=limit, options=options)
        assert player.think(position).passes
        first, second = searches[-2:]
        assert first is player.searcher
        assert (second.simulations == module.CHECK) == whole


# --- clocks ---------------------------------------------------------------------------------------


def test_thinking_takes_time_off_the_clock():
    clock = Clock(TimeSettings("absolute", 100))
    thought = player_of("connect4", 200).think(start("connect4"), clock)
    assert 0 < thought.decision.simulations <= 200  # a limit holds beside the clock
    assert clock.left < 100 - thought.decision.seconds


@pytest.mark.parametrize("settings", [TimeSettings("absolute", 0), TimeSettings.gtp(0, 0.001, 5)])
def test_without_time_there_still_is_a_move(settings):
    position = start("connect4")
    thought = player_of("connect4").think(position, Clock(settings))
    assert thought.decision.move in position.moves


@pytest.mark.parametrize("toy", ["dice_duel", "dice_race"])
def test_games_with_dice_have_clocks_too(toy, monkeypatch):
    monkeypatch.setenv("TESUJI_JIT", "0")
    spec, clock = f"tests/toys/{toy}.py", Clock(TimeSettings("absolute", 100))
    player, position = player_of(spec, 20), start(spec)
    while not position.over:
        if position.mover == CHANCE:
            position = position.play(position.roll(stream(position.ply, "dice")))
        else:
            position = position.play(player.think(position, clock).move)
    assert 0 < clock.left < 100


def test_an_error_still_takes_time_off_the_clock():
    clock = Clock(TimeSettings("absolute", 100))
    with pytest.raises(GameError, match="is over"):
        player_of("tictactoe").think(start("tictactoe").play("a1", "a2", "b1", "b2", "c1"), clock)
    assert clock.left < 100


def test_progress_is_told():
    told = []
    player = player_of("connect4", early_stop=False)
    player.limit = Limit(seconds=0.6)
    player.think(start("connect4"), progress=told.append)
    assert told


# --- resigning ------------------------------------------------------------------------------------


def hopeless(plies, komi=100):
    """Black's turn; no move can win."""
    game = load(f"go:size=5,komi={komi}")
    moves = ["B2", "D4", "B4", "D2", "C3", "D3", "B3", "C4", "C2", "B5"][:plies]
    return Position.start(game).play(*moves)


def resigns(player, plies, **changes):
    return [player.think(hopeless(n, **changes)).resigns for n in plies]


def black(sims=200, komi=100, **options):
    return player_of(f"go:size=5,komi={komi}", sims, **options)


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
    player = Player(hopeless(0).game, config, limit=Limit(simulations=90))
    assert resigns(player, [4, 6]) == [False, False]


def test_another_game_begins_without_a_grudge():
    player = black()
    assert resigns(player, [6]) == [False]
    assert not player.think(hopeless(0).play("E5", "A1", "E4", "A2", "E3", "A3")).resigns
    player.begin()
    assert resigns(player, [8]) == [False]


def test_nobody_resigns_a_game_that_is_won_on_points():
    """Dynamic komi shows Black a lost game, but the board says otherwise."""
    game = load("go:size=5,komi=0.5")
    player = player_of(game.spec, 200, dynamic_komi=100.0)
    position = set_up(game, [game.parse_move(t) for t in ("B2", "D2", "B4", "D4")], [], mover=1)
    values = []
    for move in ("C3", "B3", "C1", "D3"):
        position = position.play(move)
        if position.mover == 0:
            thought = player.think(position)
            values.append(thought.decision.value)
            assert not thought.resigns
    assert max(values) < 0.05


# --- passing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_games_come_to_an_end(seed):
    players = [player_of("go:size=5", 200, seed=seed + 10 * i, resign=0.0) for i in range(2)]
    position = Position.start(GO)
    while not position.over:
        thought = players[position.mover].think(position)
        assert thought.passes == (thought.decision.move == PASS)
        if position.move == PASS and ahead(position, None):
            assert thought.passes
        position = position.play(thought.decision.move)
        assert position.ply < GO.max_length


# --- dynamic komi ---------------------------------------------------------------------------------


def test_the_search_sees_dynamic_komi_and_keeps_its_tree():
    """White sees a lost game, and with four stones of 20 points each a won one."""
    position = start("go:size=5").play("B2", "pass", "D4", "pass", "B4", "pass", "D2")
    values = {}
    for points in (0.0, 20.0):
        player = player_of("go:size=5", 300, dynamic_komi=points, early_stop=False)
        player.think(position)
        after = position.play("E1", "C3")
        second = player.think(after)
        values[points] = second.decision.value
        assert sum(child.visits for child in second.decision.children) >= 300
    assert values[0.0] < 0.3
    assert values[20.0] > 0.9


# --- pondering ------------------------------------------------------------------------------------


def wait_for(player, simulations):
    until(lambda: player.searcher.simulations >= simulations, pause=0.001)


def pondering():
    """How many threads ponder; others, of a debugger or a test runner, do not count."""
    return sum(thread.name == "pondering" for thread in threading.enumerate())


def test_what_was_pondered_is_kept():
    player = player_of("connect4", 100, ponder=True, early_stop=False)
    position = start("connect4")
    position = position.play(player.think(position).decision.move)
    player.ponder(position)
    wait_for(player, 5000)
    player.halt()
    assert pondering() == 0
    decision = player.think(position.play(position.moves[0])).decision
    assert decision.simulations == 100
    assert sum(child.visits for child in decision.children) > 200


def test_thinking_ends_pondering():
    player = player_of("connect4", 100, ponder=True)
    position = start("connect4").play("d")
    player.ponder(position)
    player.think(position.play("d"))
    assert pondering() == 0
    player.halt()


def test_nothing_is_pondered_in_a_hurry():
    player = player_of("connect4", ponder=True)
    player.think(OPENING, Clock(TimeSettings("absolute", 0)))
    player.ponder(OPENING.play("d"))
    assert pondering() == 0
    player.think(OPENING, Clock(TimeSettings("absolute", 100)))
    player.ponder(OPENING.play("d"))
    assert pondering() == 1
    player.halt()


def test_a_large_tree_is_dropped_in_a_hurry():
    player = player_of("connect4", 20_000, early_stop=False)
    player.think(OPENING)
    decision = player.think(OPENING, Clock(TimeSettings("absolute", 0))).decision
    assert sum(child.visits for child in decision.children) == decision.simulations < 20_000


def test_pondering_is_an_option():
    player = player_of("connect4", 100)
    player.ponder(start("connect4"))
    assert pondering() == 0
    player = player_of("tictactoe", 100, ponder=True)
    player.ponder(start("tictactoe").play("a1", "a2", "b1", "b2", "c1"))
    assert pondering() == 0


def test_what_fails_in_the_background_surfaces():
    player = player_of("connect4", 100, ponder=True)
    player.ponder(start("tictactoe"))
    with pytest.raises(GameError, match="got a position of tictactoe"):
        player.think(start("connect4"))
    assert player.think(start("connect4")).decision.text


# --- analysis -------------------------------------------------------------------------------------


def test_analysis_goes_on_until_somebody_says_so():
    told = []
    player = player_of("connect4")
    player.analyse(start("connect4"), told.append, 0.01, until=lambda: len(told) == 5)
    assert len(told) == 5
    counts = [decision.simulations for decision in told]
    assert counts == sorted(set(counts))


def test_analysis_of_a_proven_position_goes_on_telling():
    told = []
    player = player_of("tictactoe", config=replace(CONFIG, solver="wins"))
    position = start("tictactoe").play("a1", "a2", "b1", "b2")
    player.analyse(position, told.append, 0.0, until=lambda: len(told) == 20)
    assert told[-1].proven == 1.0
    assert told[-1].simulations == told[-2].simulations


def test_analysis_stops_at_once():
    player = player_of("connect4")
    player.analyse(start("connect4"), lambda _: pytest.fail("too early"), 1000, until=lambda: True)
    assert player.searcher.simulations == 1


@pytest.mark.parametrize("spec", ["connect4", "tictactoe"])
def test_analysis_can_be_stopped(spec):
    """Also where all is proven and nothing is searched any more."""
    player = player_of(
        spec, config=replace(CONFIG, solver="wins") if spec == "tictactoe" else CONFIG
    )
    position = WON if spec == "tictactoe" else OPENING
    player.analyse(position, lambda _: player.stop(), 0.1, until=lambda: False)
    assert player.searcher.simulations > 0


def test_the_end_of_an_analysis_is_asked_for_once():
    answers = iter([False, True])
    player_of("connect4").analyse(OPENING, print, 1000, until=lambda: next(answers))
    assert next(answers, None) is None


def test_a_thought_can_be_stopped():
    player = Player(load("connect4"), CONFIG, limit=Limit(seconds=1e6))
    thought = player.think(OPENING, progress=lambda _: player.stop())
    assert thought.decision.move in OPENING.moves


# --- options --------------------------------------------------------------------------------------


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
