"""`tesuji match`, `tournament` and `experiment`: what they print, and what wrong input gets."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import run_here
from tests.gnugo import gnugo_command
from tests.lab.matches import FIRST, PLAYERS, trouble
from tests.lab.test_store import old_store
from tesuji.errors import choices
from tesuji.identity import machine
from tesuji.lab import Experiment
from tesuji.lab.experiment_plot import dots
from tesuji.lab.match import Standing
from tesuji.lab.store import Store

TINY = ["--game", "tictactoe", "--sims", "30", "--jobs", "1"]
KEYS = ["games", "wins", "losses", "draws", "score", "score_low", "score_high"]
KEYS += ["elo", "elo_low", "elo_high", "los"]


def tesuji(*words, cwd=None):
    """Run a command in this process; its games are played by others."""
    return run_here(*words, folder=cwd)


def process(*words):
    return subprocess.run(
        [sys.executable, "-m", "tesuji", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )


def as_json(*words, by=tesuji, **options):
    done = by(*words, "--json", **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def messages(errors):
    """Lines on stderr, without notices of a first compilation, which may take long."""
    return [line for line in errors.splitlines() if not line.startswith("tesuji: compiling")]


def test_a_match_as_text_and_as_json(tmp_path):
    words = ["match", "uct", "random", *TINY, "--games", "20", "--store", tmp_path / "g.db"]
    figures = as_json(*words, by=process)
    assert set(KEYS) <= set(figures)
    assert figures["games"] == 20 == sum(figures[key] for key in ("wins", "draws", "losses"))
    assert figures["score_low"] <= figures["score"] <= figures["score_high"]
    assert figures["score"] > 0.7
    text = process(*words, "--resume").stdout
    assert "uct against random, tictactoe, 20 games" in text
    assert f"+{figures['wins']} ={figures['draws']} -{figures['losses']}" in text


def test_methods_play(monkeypatch):
    monkeypatch.setenv("TESUJI_JIT", "0")
    figures = as_json("match", "moss", "greedy@epsilon=1,sims=5", *TINY, "--games", "10")
    assert (figures["a"], figures["b"]) == ("moss", "greedy@epsilon=1,sims=5")
    assert figures["games"] == 10


def test_sprt_in_json():
    figures = as_json("match", "uct", "random", *TINY, "--games", "500", "--sprt", "0,50")
    assert figures["sprt"] == "h1"
    assert figures["llr"] >= figures["llr_high"]
    assert figures["games"] < 500


def test_seeds():
    words = ["match", "uct", "uct@c=0.7", *TINY, "--games", "10"]
    assert as_json(*words, "--seed", "1") == as_json(*words, "--seed", "1", "--jobs", "2")


def test_a_tournament(tmp_path):
    words = ["tournament", "weak=uct@sims=2", "strong=uct@sims=200", "random"]
    more = ["--game", "connect4", "--games", "10", "--store", tmp_path / "t.db", "--jobs", "1"]
    table = as_json(*words, *more, "--anchor", "random=100")
    assert table["ratings"][0]["name"] == "strong"
    assert {row["name"]: row["rating"] for row in table["ratings"]}["random"] == 100
    assert len(table["matches"]) == 3
    text = tesuji(*words, *more, "--resume").stdout
    assert "1 strong" in text
    assert "player" in text.splitlines()[0]
    gauntlet = as_json(*words, *more, "--resume", "--gauntlet")
    assert len(gauntlet["matches"]) == 2


EXPERIMENT = """
title = "A test"
question = "Does search help?"
conclusion = "Yes."
game = ["tictactoe", "connect4"]
games = 6
sims = [20, 40]
columns = "sims"
[players]
double = "uct@sims=2x"
[opponents]
random = "random"
[[published]]
game = "connect4"
sims = 40
value = "99 ± 1"
"""


def test_an_experiment_is_played_once_and_written_down(tmp_path):
    file = tmp_path / "experiment.toml"
    file.write_text(EXPERIMENT)
    first = tesuji("experiment", "run", file, "--jobs", "1", "--write")
    assert first.returncode == 0, first.stderr
    assert "| game | 20 simulations | 40 simulations |" in first.stdout
    assert "24 games played of 24" in first.stdout
    assert "; published 99 ± 1 |" in first.stdout
    assert "**Conclusion.** Yes." in first.stdout
    record = first.stdout.strip().splitlines()[-1]
    assert record.startswith("**Record.** Complete: 24 games. Repeats bit for bit: yes. Code: `")
    assert re.search(rf"Code: `[0-9a-f]{{16}}`\. Machine: {re.escape(machine())}\.$", record)
    assert (tmp_path / "README.md").read_text() in first.stdout
    size = (tmp_path / "games.db").stat().st_size
    again = tesuji("experiment", "run", file)
    assert again.stdout == first.stdout
    assert (tmp_path / "games.db").stat().st_size == size
    assert tesuji("experiment", "show", file).stdout == first.stdout
    cells = as_json("experiment", "show", file)
    assert [cell["games"] for cell in cells] == [6, 6, 6, 6]
    drawn = tesuji("experiment", "show", file, "--write", "--plot", tmp_path / "result.svg")
    assert drawn.stdout == first.stdout
    picture = (tmp_path / "result.svg").read_text()
    assert picture.startswith("<?xml")
    assert "![The same as a picture](result.svg)" in (tmp_path / "README.md").read_text()
    read = Experiment.read(file)
    with Store(tmp_path / "games.db", read_only=True) as store:
        standings = store.matches()
    found = dots(read, standings)
    assert [(dot.row, dot.column) for dot in found] == [
        (game, f"{sims} simulations") for game in ("tictactoe", "connect4") for sims in (20, 40)
    ]
    assert [dot.score for dot in found] == [100 * cell["score"] for cell in cells]
    wrong = tesuji("experiment", "run", file, "--plot", "result.jpg")
    assert wrong.returncode == 2
    assert "its name must end in .svg or .png" in wrong.stderr


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_table_of_old_games_says_what_is_not_known(tmp_path, by_hand):
    """A record that was written by hand stands, as nobody knows better."""
    file = tmp_path / "experiment.toml"
    conclusion = 'conclusion = "**Record.** By hand."' if by_hand else ""
    file.write_text(
        f"""
title = "T"
question = "Q"
{conclusion}
game = "tictactoe"
games = 4
sims = 50
seed = 3
players = {{ uct = "uct" }}
opponents = {{ random = "random" }}
"""
    )
    old_store(tmp_path / "games.db")
    shown = tesuji("experiment", "show", file).stdout
    assert "4 games played of 4" in shown
    assert ("By hand." in shown) == by_hand
    unknown = "Code: not kept with the games. Machine: not kept with the games."
    assert (unknown in shown) == (not by_hand)


def test_other_code_is_mixed_only_if_one_says_so(tmp_path):
    """What the player imports has changed: the match is the same, its code is not."""
    helper, bot = tmp_path / "helper.py", tmp_path / "bot.py"
    helper.write_text("INDEX = 0\n")
    source = (PLAYERS / "first.py").read_text().replace("First(index)", "First(INDEX)")
    bot.write_text("from helper import INDEX\n" + source)
    words = ["match", bot, "random", "--game", "tictactoe", "--store", tmp_path / "games.db"]
    assert tesuji(*words, "--games", "2").returncode == 0
    helper.write_text("INDEX = 1\n")
    refused = tesuji(*words, "--games", "4", "--resume")
    assert refused.returncode == 2
    codes = r"were played by ([0-9a-f]{16}), the code is now ([0-9a-f]{16}): use another store, or"
    old, new = re.search(codes, refused.stderr).groups()
    assert len(refused.stderr.splitlines()) == 1
    mixed = tesuji(*words, "--games", "4", "--resume", "--any-code")
    assert f"not all by the same code: 2 games by {old}, 2 games by {new}" in mixed.stdout
    report = as_json("report", tmp_path / "games.db")
    assert report["matches"][0]["codes"] == {old: 2, new: 2}


def test_an_experiment_that_has_begun_says_how_far_it_is(tmp_path):
    file = tmp_path / "experiment.toml"
    file.write_text(EXPERIMENT)
    tesuji("experiment", "run", file, "--jobs", "1")
    file.write_text(EXPERIMENT.replace("games = 6", "games = 8"))
    shown = tesuji("experiment", "show", file).stdout
    assert "24 games played of 32" in shown
    assert ", 6 games" in shown


def test_programs_bring_limits_of_their_own(tmp_path):
    """Simulations mean nothing to them, so the page does not speak of any."""
    file = tmp_path / "experiment.toml"
    game = "title = 't'\nquestion = 'q'\ngame = 'go:size=5'\ngames = 2\n"
    file.write_text(game + "[players]\na = 'gtp:one'\n[opponents]\nb = 'gtp:two'\n")
    cell = Experiment.read(file).cells[0]
    assert cell.labels["limit"] == "the programs' own limits"
    file.write_text(game + "[players]\na = 'uct'\n[opponents]\nb = 'gtp:two'\n")
    assert Experiment.read(file).cells[0].labels["limit"] == "1,000 simulations"


NAMES = {
    "<script>alert(1)</script>": r"\<script\>alert(1)\</script\>",
    "[click](javascript:x)": r"\[click\](javascript:x)",
    "a|b": r"a\|b",
    "**loud** `code` _x_": r"\*\*loud\*\* \`code\` \_x\_",
    "two\\nlines\\u001b[31m": r"two lines\[31m",
    "plain-name_1.5": "plain-name_1.5",
}


def test_names_are_no_markup_on_the_page(tmp_path):
    file = tmp_path / "experiment.toml"
    players = "\n".join(f'"{name}" = "uct"' for name in NAMES)
    file.write_text(EXPERIMENT.replace("[players]", f"[players]\n{players}"))
    read = Experiment.read(file)
    page = read.markdown([Standing(0, task, {}) for task in read.tasks])
    for shown in NAMES.values():
        assert page.count(f"| {shown} |") == 2
    only = EXPERIMENT.replace("double", '"<b>"')
    file.write_text(only)
    read = Experiment.read(file)
    page = read.markdown([Standing(0, task, {}) for task in read.tasks])
    assert r"Score of the player (\<b\>) against the opponent (random)" in page


def test_what_an_experiment_runs_is_told_before_it_runs(tmp_path):
    file = tmp_path / "experiment.toml"
    program = "gtp:sh -c 'echo program runs >&2'"
    text = EXPERIMENT.replace('["tictactoe", "connect4"]', '"go:size=5"')
    file.write_text(text.replace("uct@sims=2x", program))
    ran = tesuji("experiment", "run", "experiment.toml", cwd=tmp_path).stderr
    told = f"tesuji: experiment.toml may run {program!r}\n"
    assert ran.startswith(told)
    assert "program runs" in ran.removeprefix(told)
    assert "may run" not in tesuji("experiment", "show", "experiment.toml", cwd=tmp_path).stderr


def test_python_files_of_an_experiment_are_told_before_they_run(tmp_path):
    """As players, as rules of a search, and as the game."""
    for name in ("bot", "rule", "own"):
        (tmp_path / f"{name}.py").write_text("import sys; print('it runs', file=sys.stderr)")
    file = tmp_path / "experiment.toml"
    text = EXPERIMENT.replace("uct@sims=2x", "uct@select=rule.py").replace('"random"', '"bot.py"')
    file.write_text(text.replace('["tictactoe", "connect4"]', '"own.py"'))
    for command in ("run", "show"):
        ran = tesuji("experiment", command, "experiment.toml", cwd=tmp_path)
        first, *others = ran.stderr.splitlines()
        assert first == "tesuji: experiment.toml may run 'own.py', 'uct@select=rule.py', 'bot.py'"
        assert others[0] == "it runs"


def test_paired_players_meet_one_opponent_each(tmp_path):
    file = tmp_path / "experiment.toml"
    file.write_text(
        EXPERIMENT.replace("[players]", "paired = true\n[players]\nsingle = 'uct'").replace(
            "[opponents]", "[opponents]\nweak = 'uct@sims=1'"
        )
    )
    pairs = {(c.labels["player"], c.labels["opponent"]) for c in Experiment.read(file).cells}
    assert pairs == {("single", "weak"), ("double", "random")}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "A test"', "", "the key 'title' is missing"),
        ("games = 6", "gamez = 6", "unknown key 'gamez'; did you mean 'game'?"),
        ("games = 6", 'games = "six"', "games is 'six', it must be an integer"),
        ("games = 6", "games = 2.5", "games is 2.5, it must be an integer"),
        ("games = 6", "games = true", "games is True, it must be an integer"),
        ("sims = [20, 40]", "sims = [20, 20]", "it must be an integer, or a list of different"),
        ("sims = [20, 40]", "sims = []", "sims is [], it must be"),
        ('["tictactoe", "connect4"]', "5", "game is 5, it must be a game, or a list"),
        ("[[published]]", "[[published]]\nsimz = 3", "it must be tables of game, sims, player"),
        ('double = "uct@sims=2x"', "", "it must be a table of one or more"),
        ("games = 6", "games = 6\nsprt = [1]", "it must be two numbers, [elo0, elo1]"),
        ("games = 6", "games = 0", "games is 0, it must be 1 to"),
        ('columns = "sims"', 'columns = "colour"', "columns is 'colour'; valid:"),
        ('"uct@sims=2x"', '"utc"', "unknown player 'utc'"),
        ('"uct@sims=2x"', "3", "player 'double' is 3, it must be a text"),
        ('["tictactoe", "connect4"]', '"chess"', "unknown game 'chess'"),
        ("games = 6", 'games = 6\npaired = "yes"', "paired is 'yes', it must be true or false"),
        (
            "[players]",
            "paired = true\n[players]\nsingle = 'uct'",
            "as many players as opponents, not 2 and 1",
        ),
        ("title", "title title", "is not valid TOML"),
    ],
)
def test_wrong_experiments(tmp_path, old, new, message):
    file = tmp_path / "experiment.toml"
    file.write_text(EXPERIMENT.replace(old, new, 1))
    done = tesuji("experiment", "run", file)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(messages(done.stderr)) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["uct", "utc"], "unknown player 'utc'"),
        (["uct", "uct@sims=many"], "sims is 'many'"),
        (["uct", "uct@playout=clever"], "tictactoe has no playout policy 'clever'"),
        (["uct", "gtp:nothing", "--game", "go:size=5"], "there is no program 'nothing' on PATH"),
        (["uct", "random", "--games", "none"], "'none' is not an integer"),
        (["uct", "random", "--games", "0"], "games is 0"),
        (["uct", "random", "--jobs", "0"], "jobs is 0"),
        (["uct", "random", "--opening", "rondom:3"], "opening 'rondom:3' is no file"),
        (["uct", "random", "--opening", "random:9"], "9 random plies end almost every game"),
        (["uct", "random", "--sprt", "10"], "--sprt is '10'; write ELO0,ELO1"),
        (["uct", "random", "--sprt", "10,0"], "elo0 is 10.0, it must be less than elo1"),
        (["uct", "random", "--resume"], "--resume needs --store FILE"),
        (["uct", "random", "--resign", "0.7"], "resign is 0.7"),
        (["uct", "random", "--store", "/nowhere/g.db"], "cannot use the store /nowhere/g.db"),
        (["uct", "random", "--store", __file__], "cannot use the store"),
        (["uct", "random", "--time-equalised", "--seconds", "1"], "needs a number of simulations"),
        (["uct@sims=2x", "random", "--seconds", "1"], "has no sims to multiply"),
        (["uct"], "Missing argument 'B'"),
        (["uct", "random", "--patience", "inf"], "patience is inf"),
        (
            ["uct", "gtp:false", "--game", "go:size=5"],
            "'false' ended with exit code 1 before it answered",
        ),
    ],
)
def test_wrong_matches(words, message):
    done = tesuji("match", *(TINY if "--seconds" not in words else TINY[:2]), *words)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert len(messages(done.stderr)) == 1
    assert done.stdout == ""


def test_wrong_tournaments():
    for words, message in (
        (["uct"], "a tournament needs two players or more, not 1"),
        (["uct", "uct"], "two players are called 'uct'"),
        (["uct", "random", "--anchor", "me"], f"is no player; {choices('me', ['uct', 'random'])}"),
        (["uct", "random", "--anchor", "uct=x"], "the anchor's rating is 'x'"),
        (["uct", "random", "--anchor", "uct=nan"], "the anchor's rating is 'nan'"),
    ):
        done = tesuji("tournament", *words, *TINY)
        assert done.returncode == 2
        assert message in done.stderr


def test_played_games_are_not_touched_without_resume(tmp_path):
    words = ["match", FIRST, "random", *TINY, "--games", "4", "--store", tmp_path / "g.db"]
    as_json(*words)
    done = tesuji(*words)
    assert done.returncode == 2
    assert "already holds 4 games of first against random" in done.stderr


def test_forfeits_and_repetitions_are_mentioned(tmp_path):
    words = ["match", FIRST, trouble("raise", 3), "--game", "hex:size=4", "--games", "6"]
    text = tesuji(*words).stdout
    assert "trouble lost 6 by its own fault: crash 6" in text
    assert "only 2 of 6 games are different; --opening random:K gives variety" in text
    assert as_json(*words)["forfeits"] == {"a": {}, "b": {"crash": 6}}


def test_what_players_print_is_no_result(tmp_path):
    file = tmp_path / "loud.py"
    file.write_text("print('loaded')\n" + Path(FIRST.split("=")[1]).read_text())
    words = ["match", file, "random", *TINY, "--games", "2"]
    assert as_json(*words, by=process)["games"] == 2


def test_a_store_is_not_made_for_a_match_that_cannot_be(tmp_path):
    tesuji("match", "uct", "random", "--game", "chess", "--store", tmp_path / "g.db")
    assert list(tmp_path.iterdir()) == []


def test_resuming_with_other_options_is_mentioned(tmp_path):
    words = ["match", "uct", "random", "--game", "tictactoe", "--games", "2", "--jobs", "1"]
    store = ["--store", tmp_path / "g.db"]
    tesuji(*words, "--sims", "20", *store)
    done = tesuji(*words, "--sims", "30", *store, "--resume")
    assert "the store holds no game of this yet, but of 1 other matches" in done.stderr


def test_a_match_against_gnu_go():
    gnugo = f"gtp:{gnugo_command()} --mode gtp --chinese-rules --level 1"
    figures = as_json("match", "uct", gnugo, "--game", "go:size=5", "--games", "4", "--sims", "50")
    assert figures["games"] == 4
