"""One interface to all planning methods; solutions on disk; what is refused."""

import json
from dataclasses import replace
from functools import partial

import pytest

from tests.conftest import ROOT
from tests.toys import dice_race, digits
from tesuji import (
    ConfigError,
    GameError,
    Limit,
    MoveError,
    Position,
    SearchConfig,
    StoreError,
    load,
    start,
)
from tesuji.identity import machine
from tesuji.planning import METHODS, Adaptation, Nested, Solver, read, read_method
from tesuji.planning import solve as solve_compiled

SPEC = str(ROOT / "tests" / "toys" / "digits.py")
START = Position.start(load(SPEC), jit=False)
ALL = [*METHODS, "uct", "max", "thompson"]
solve = partial(solve_compiled, jit=False)


def test_a_method_may_have_settings_for_a_game(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'about = "Mine"\npaper = "None"\n[settings]\nc = 0.9\n[games.digits]\nc = 0.1\n'
    )
    assert read_method(str(file), game="digits").c == 0.1
    assert Solver(START, str(file), jit=False).config.c == 0.1
    assert read_method(str(file), ["c=0.2"], "digits:x=1").c == 0.2
    assert read_method(str(file), game="samegame").c == 0.9


@pytest.mark.parametrize("method", ALL)
def test_the_best_line_replays_to_its_score(method):
    solution = solve(START, method, simulations=60, seed=3)
    assert solution.playouts == 60
    assert solution.replay(START.game, jit=False).score == solution.score


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("greedy", "greedy"),
        ("sp-uct", "sp-uct"),
        (Nested(level=1, memory=False), "greedy"),
        (Nested(level=2), "nested"),
        (Adaptation(level=1), "nrpa"),
        (SearchConfig(c=0.7), "tree"),
    ],
)
def test_a_solution_names_the_method_that_ran(method, name):
    assert solve(START, method, simulations=20, jit=False).method == name


@pytest.mark.parametrize("method", ALL)
def test_the_same_seed_gives_the_same_solution(method):
    a, b = (replace(solve(START, method, simulations=40, seed=9), seconds=0) for _ in range(2))
    assert a == b


def test_other_seeds_give_other_solutions():
    assert len({solve(START, "random", simulations=1, seed=seed).line for seed in range(8)}) > 2


def test_a_line_begins_where_the_position_is():
    position = START.play("2", "0")
    solution = solve(position, simulations=100)
    assert solution.before == ("2", "0")
    assert len(solution.line) == digits.STEPS - 2
    assert solution.replay(START.game, jit=False).score == solution.score == pytest.approx(13 / 24)


def test_a_games_own_score_counts():
    of = replace(START.game, score=lambda state: 100 - state.points)
    solution = solve(Position.start(of, jit=False), simulations=300)
    assert solution.score == 100  # no points at all is best now


@pytest.mark.parametrize("method", ["nested", "uct"])
def test_progress_is_told_and_an_interruption_loses_nothing(method):
    """Ctrl-C comes while progress is shown; the solver still answers."""
    seen = []

    def interrupt(solution):
        seen.append(solution)
        raise KeyboardInterrupt

    solver = Solver(START, method, seed=1, jit=False)
    with pytest.raises(KeyboardInterrupt):
        solver.run(Limit(seconds=60), progress=interrupt)
    assert solver.solution().score >= seen[0].score
    assert solver.solution().replay(START.game, jit=False).over


def test_a_solver_that_has_not_run_has_no_solution():
    for method in ("nested", "uct"):
        with pytest.raises(ConfigError, match="no playout has come to the end"):
            Solver(START, method, jit=False).solution()


@pytest.mark.parametrize("method", ALL)
def test_playouts_are_counted_exactly(method):
    assert solve(START, method, simulations=101).playouts == 101


def test_seconds_end_a_search():
    assert solve(START, "random", seconds=0.01).playouts > 0


def test_names_and_settings_make_a_method():
    assert read_method("nested", ["level=2", "memory=no"]) == Nested(level=2, memory=False)
    assert read_method("nrpa", ["alpha=0.5", "iterations=7"]) == Adaptation(iterations=7, alpha=0.5)
    assert read_method("random") == Nested(level=0)
    assert read_method("greedy") == Nested(level=1, memory=False)
    assert read_method("uct", ["c=0.7"]) == SearchConfig(c=0.7)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("nestd", [], "unknown method 'nestd'; did you mean 'nested'"),
        ("nested", ["alpha=1"], "unknown setting 'alpha'; valid: level, memory, playout"),
        ("random", ["level=2"], "unknown setting 'level'; valid: playout"),
        ("nrpa", ["level"], "'level' is not a setting: write key=value"),
        ("nrpa", ["level=x"], "level is 'x', it must be an integer"),
        ("uct", ["level=2"], "unknown setting 'level'"),
    ],
)
def test_wrong_methods_are_refused(name, settings, message):
    with pytest.raises(ConfigError, match=message):
        read_method(name, settings)


def test_settings_change_a_named_method_only():
    assert Solver(START, "nested", settings=["level=2"], jit=False).config == Nested(level=2)
    with pytest.raises(ConfigError, match=r"settings \['level=2'\] need a method's name"):
        Solver(START, Nested(), settings=["level=2"], jit=False)


def test_playouts_use_the_games_policy():
    with pytest.raises(ConfigError, match="digits has no playout policy 'tabu'; valid: uniform"):
        Solver(START, Nested(playout="tabu"), jit=False)
    twos = replace(START.game, policies={"twos": lambda state, playout, rng: 2})
    solution = solve(Position.start(twos, jit=False), Nested(0, "twos"), simulations=1)
    assert solution.line == ("2",) * digits.STEPS


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (start("tictactoe"), "tictactoe cannot be solved .* it has 2 players"),
        (Position.start(dice_race.game(), jit=False), "dice_race cannot be solved .* dice decide"),
        (START.play(*"222222"), "is over"),
    ],
)
def test_other_games_are_refused(position, message):
    with pytest.raises(GameError, match=message):
        Solver(position, jit=False)


# --- files ---------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "line.json"
    solution = solve(START, simulations=50)
    solution.save(path)
    return path, solution


def test_a_file_holds_the_whole_solution(saved):
    path, solution = saved
    assert read(path) == solution
    assert [file.name for file in path.parent.iterdir()] == ["line.json"]


def test_a_solution_knows_its_code_and_machine(saved):
    """Files of a time when it was not kept are read, too."""
    path, solution = saved
    assert len(solution.code) == 16
    assert solution.machine == machine()
    table = json.loads(path.read_text())
    del table["code"], table["machine"]
    path.write_text(json.dumps(table))
    assert read(path) == replace(solution, code="", machine="")


def test_other_methods_and_games_are_other_code():
    searches = [
        ("samegame:size=4x4,colours=2", "nested", []),
        ("samegame:size=4x4,colours=2", "nested", ["level=2"]),
        ("samegame:size=4x4,colours=2", "nrpa", []),
        ("samegame:size=4x4,colours=2", "uct", []),
        ("samegame:size=4x4,colours=2", "sp-uct", []),
        ("samegame:size=4x4,colours=3", "nested", []),
    ]
    found = [
        solve(start(game), read_method(method, settings), simulations=3).code
        for game, method, settings in searches
    ]
    assert len(set(found)) == len(searches)


def test_a_file_that_cannot_be_written_is_an_error(saved, tmp_path):
    with pytest.raises(StoreError, match=r"cannot write .*: No such file or directory"):
        saved[1].save(tmp_path / "nowhere" / "line.json")


def change(path, **values):
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def test_a_false_score_is_found(saved):
    path, solution = saved
    change(path, score=0.9)
    with pytest.raises(StoreError, match=rf"the line scores {solution.score:g}, not 0\.9"):
        read(path).replay(START.game, jit=False)


def test_a_built_in_game_need_not_be_named():
    solution = solve(start("samegame:size=3"), simulations=20)
    assert solution.replay().score == solution.score


def test_an_unfinished_line_is_found(saved):
    change(saved[0], line=["2", "1"])
    with pytest.raises(StoreError, match="the line of 2 moves does not end the game"):
        read(saved[0]).replay(START.game, jit=False)


def test_an_illegal_move_is_found(saved):
    change(saved[0], line=["7"])
    with pytest.raises(MoveError, match="'7' is not legal after move 0"):
        read(saved[0]).replay(START.game, jit=False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("moves", "it is not JSON"),
        ("[]", "it must have the keys"),
        ('{"game": "x"}', "it must have the keys before, game, line"),
    ],
)
def test_other_files_are_refused(text, message, tmp_path):
    path = tmp_path / "line.json"
    path.write_text(text)
    with pytest.raises(StoreError, match=message):
        read(path)


def test_wrong_values_in_a_file_are_refused(saved):
    for values in ({"line": 5}, {"score": "much"}, {"before": None}):
        change(saved[0], **{"line": [], "score": 1.0, "before": [], **values})
        with pytest.raises(StoreError, match="is not a solution"):
            read(saved[0])


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(StoreError, match=r"cannot read .*: No such file"):
        read(tmp_path / "line.json")
