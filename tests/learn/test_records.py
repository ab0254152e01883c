"""Games of people: reading SGF, counting by hand, strengths, predictions, and the commands."""

import gzip
import itertools
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.command import Done, run_here
from tests.learn.test_patterns import number
from tests.test_cli import interrupted
from tesuji.cli import main
from tesuji.errors import ConfigError
from tesuji.games import load
from tesuji.games.go.weights import read_weights
from tesuji.learn.patterns import NUMBER, TOTAL
from tesuji.learn.records import Records, read_records
from tesuji.learn.strengths import Predictor, StrengthLearner, Tally, improved

GO = load("go:size=5")
GAME = "(;GM[1]FF[4]SZ[5];B[cc];W[bb];B[];W[dd](;B[cb];W[bc])(;B[ee]))"
CORNER, SIDE, MIDDLE = (number(s) for s in ("#.. #*. ###", "... .*. ###", "... .*. ..."))


def write(path: Path, *games: str) -> Path:
    text = "\n".join(games) + "\n"
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def texts(records: Records) -> list[str]:
    return [GO.move_text(int(move)) for move in records.moves]


def test_the_main_line_counts(tmp_path: Path) -> None:
    one = read_records([write(tmp_path / "a.sgf", GAME)], 5)
    assert texts(one) == ["C3", "B4", "pass", "D2", "C4", "B3"]
    assert one.ends.tolist() == [0, 6]
    assert one.left_out == {}


def test_a_collection_has_a_game_a_line(tmp_path: Path) -> None:
    other = "(;SZ[5];B[aa];B[ab])"  # White passes in between
    path = write(tmp_path / "many.sgf.gz", GAME, "", other, GAME)
    found = read_records([path], 5)
    assert len(found) == 3
    assert found.ends.tolist() == [0, 6, 9, 15]
    assert texts(found)[6:9] == ["A5", "pass", "A4"]
    assert len(read_records([path], 5, 2)) == 2
    assert len(read_records([path, path], 5)) == 6


def test_what_cannot_be_used_is_counted(tmp_path: Path) -> None:
    games = [GAME, "nonsense", "(;SZ[9];B[aa])", "(;SZ[5]AB[aa];W[bb])", "(;SZ[5];B[zz])"]
    found = read_records([write(tmp_path / "many.gz", *games)], 5)
    assert len(found) == 1
    assert found.left_out == {
        "text that is not SGF": 2,
        "size 9": 1,
        "stones that were set up": 1,
    }


def test_files_without_games_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no game on 5x5 in the files \(1 with size 9\)"):
        read_records([write(tmp_path / "a.sgf", "(;SZ[9];B[aa])")], 5)
    with pytest.raises(ConfigError, match=r"no game on 5x5 in the files \(empty\)"):
        read_records([write(tmp_path / "b.gz")], 5)
    with pytest.raises(ConfigError, match=r"cannot read the games of .*none\.sgf: No such file"):
        read_records([tmp_path / "none.sgf"], 5)
    (tmp_path / "c.gz").write_text("(;SZ[5];B[aa])")
    with pytest.raises(ConfigError, match="not a complete gzip file"):
        read_records([tmp_path / "c.gz"], 5)
    whole = write(tmp_path / "d.gz", GAME).read_bytes()
    (tmp_path / "d.gz").write_bytes(whole[:-9])
    with pytest.raises(ConfigError, match="not a complete gzip file"):
        read_records([tmp_path / "d.gz"], 5)


# --- strengths -----------------------------------------------------------------------------------


def record(*lines: str) -> Records:
    moves = [[GO.parse_move(text) for text in line.split()] for line in lines]
    ends = np.cumsum([0, *map(len, moves)])
    return Records(np.array(list(itertools.chain(*moves)), np.int32), ends, {})


def test_counts_by_hand() -> None:
    """The empty 5x5 board has 9 points within, 12 at the sides, 4 corners; then C3 is played.

    After that White has the points around C3, 8 of the 9, in two shapes, and the border as before.
    """
    learner = StrengthLearner(GO, record("C3 A1"))
    learner.run(1, 0.0)
    tally = learner.tally
    assert tally.available[[MIDDLE, SIDE, CORNER]].tolist() == [9, 24, 8]
    assert tally.available[number(".O. .*. ...")] == tally.available[number("O.. .*. ...")] == 4
    assert tally.played[[MIDDLE, SIDE, CORNER]].tolist() == [1, 0, 1]
    assert tally.share[CORNER] == pytest.approx(4 / 25 + 4 / 24)
    assert tally.ratio[MIDDLE] == pytest.approx(1 / 9)
    assert tally.played.sum() == 2


def test_both_colours_count_the_same() -> None:
    """The same shapes with a pass before: White is who moves."""
    black, white = (StrengthLearner(GO, record(line)) for line in ("C3 C2 B2", "pass C3 C2 B2"))
    for learner in (black, white):
        learner.run(1, 0.0)
    assert (black.tally.played == white.tally.played).all()
    assert (black.tally.available == white.tally.available).all()


def test_a_game_counts_up_to_its_first_illegal_move() -> None:
    learner = StrengthLearner(GO, record("C3 C3 A1", "B2 A1"))
    learner.run(1, 0.0)
    assert learner.broken == 1
    assert learner.tally.played.sum() == 3
    with pytest.raises(ConfigError, match="the 1 games have no legal move"):
        StrengthLearner(GO, record("pass pass")).run(1, 0.0)


def test_one_step_by_hand() -> None:
    """gamma = (3 + 1) / (2 + 2 / (1 + 1)) = 4/3 and (0 + 1) / (1 + 1) = 1/2.

    Over 4 and 6 available moves the mean is (16/3 + 3) / 10 = 5/6.
    """
    tally = Tally(np.array([3, 0]), np.array([4, 6]), np.array([2.0, 1.0]))
    found = improved(np.ones(2), tally)
    assert found == pytest.approx([4 / 3 / (5 / 6), 1 / 2 / (5 / 6)])


def test_strengths_come_to_the_truth() -> None:
    """Two patterns meet 9,000 times; one wins two thirds: it is twice as strong."""
    played = np.array([6000, 3000])
    strengths = np.ones(2)
    for _ in range(200):
        share = np.full(2, 9000 / strengths.sum())
        strengths = improved(strengths, Tally(played, np.array([9000, 9000]), share))
    assert strengths[0] / strengths[1] == pytest.approx(2.0, rel=1e-3)
    assert strengths.mean() == pytest.approx(1.0)


def test_a_strong_opponent_counts_for_more() -> None:
    """A beats B three times of four, B beats C three times of four; A and C never meet.

    The ratios say nothing about A and C, competition does: A is nine times as strong.
    """
    played, met = np.array([3000, 1000 + 3000, 1000]), [(0, 1), (1, 2)]
    strengths = np.ones(3)
    for _ in range(300):
        share = np.zeros(3)
        for a, b in met:
            share[[a, b]] += 4000 / (strengths[a] + strengths[b])
        available = np.array([4000, 8000, 4000])
        strengths = improved(strengths, Tally(played, available, share))
    assert strengths[0] / strengths[2] == pytest.approx(9.0, rel=0.01)


def test_players_who_love_corners() -> None:
    """Corners are played first in every game: no pattern gets as much weight."""
    learner = StrengthLearner(GO, record(*["A1 A5 E5 E1"] * 60))
    told: list[float] = []
    learner.run(20, 0.001, told.append)
    weights, available = learner.weights, learner.tally.available
    assert weights[CORNER] == max(weights[available > 0])
    assert (weights * available).sum() / available.sum() == pytest.approx(10.0)
    assert learner.change < 0.5
    assert told[:2] == [50 / 60, 1.0]


def test_predictions() -> None:
    """With all weight on corners, knowledge sees one; the four are a tie at first.

    Then the nearest corner is left over: of A5 and E1, which are as near, each is named half the
    time, and A5 after it is one of two again.
    """
    values = np.full(TOTAL, 1e-6)
    values[CORNER] = 1000.0
    first = Predictor(GO, record("A1"))
    assert first.rate(values) == pytest.approx(1 / 4)
    assert Predictor(GO, record("C3")).rate(values) == 0.0
    assert Predictor(GO, record("A1 A5")).rate(values) == pytest.approx((1 / 4 + 1 / 2) / 2)
    assert Predictor(GO, record("C3 C3", "A1")).rate(values) == pytest.approx((0 + 1 / 4) / 2)
    assert 0.0 <= first.rate() <= 1.0


def test_weights_that_come_with_the_engine() -> None:
    """`records` was learned from games on 19x19; Black's and White's tables agree."""
    found = read_weights("records")[0]["pattern"]
    assert (found[1:] > 0).all()
    empty = NUMBER[1, 0]
    assert (found[1][NUMBER[1] == empty] == found[2][NUMBER[2] == empty][0]).all()


# --- the commands --------------------------------------------------------------------------------


def tesuji(*words: object, jit: bool = True) -> Done:
    return run_here("learn", *words, TESUJI_JIT=str(int(jit)))


def test_learning_from_records(tmp_path: Path) -> None:
    games = write(tmp_path / "games.sgf.gz", *[GAME] * 5)
    words = ["records", games, "--size", 5, "--out", tmp_path / "w.toml", "--json"]
    done = tesuji(*words, "--test", games, "--sweeps", 3)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["games"], found["positions"], found["sweeps"]) == (5, 25, 3)
    assert found["interrupted"] is False
    assert 0 <= found["before"] <= 1
    assert found["predicted"] > 0.2
    read_weights(str(tmp_path / "w.toml"))
    assert (tmp_path / "w.toml").read_text().startswith("# tesuji learn records: 5 games on 5x5")


def test_learning_from_evaluations(tmp_path: Path) -> None:
    words = ["evaluations", "--game", "go:size=3", "--positions", 2, "--sims", 1]
    one = tesuji(*words, "--out", tmp_path / "a.toml", jit=False)
    assert one.returncode == 0, one.stderr
    assert "tesuji learn evaluations: go:size=3, 2 positions" in one.stdout
    assert "patterns are in" in one.stdout
    two = tesuji(*words, "--out", tmp_path / "b.toml", "--json", jit=False)
    assert json.loads(two.stdout)["positions"] == 2
    assert (tmp_path / "a.toml").read_text() == (tmp_path / "b.toml").read_text()


def test_learning_by_balance(tmp_path: Path) -> None:
    words = ["balance", "--game", "go:size=2", "--sims", 10, "--method", "uct", "--playouts", 1]
    out = tmp_path / "w.toml"
    done = tesuji(*words, "--positions", 1, "--passes", 2, "--out", out, "--json", jit=False)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["errors"]) == 2
    assert len((tmp_path / "w.toml.jsonl").read_text().splitlines()) == 1
    read_weights(str(out))


def test_interruption_writes_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESUJI_JIT", "0")
    out = tmp_path / "w.toml"
    words = ["evaluations", "--game", "go:size=3", "--sims", "1", "--stable", "0", "--json"]
    forever = ["--positions", "100000000", "--out", str(out)]
    text, errors, code = interrupted("learn", *words, *forever, progress="2 positions")
    assert code == 0
    assert "interrupted; this is what was found so far" in errors
    found = json.loads(text)
    assert found["interrupted"] is True
    assert found["positions"] >= 2
    read_weights(str(out))
    assert [path.name for path in tmp_path.iterdir()] == ["w.toml"]


def test_labelling_goes_on_where_it_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TESUJI_JIT", "0")
    words = ["balance", "--game", "go:size=2", "--sims", "10", "--method", "uct"]
    forever = ["--positions", "100000000", "--out", str(tmp_path / "w.toml")]
    _, errors, code = interrupted("learn", *words, *forever, progress="1 of")
    assert code == 130
    assert errors.rstrip().endswith("tesuji: interrupted; the same command goes on")
    assert [path.name for path in tmp_path.iterdir()] == ["w.toml.jsonl"]
    assert (tmp_path / "w.toml.jsonl").read_text().count("\n") >= 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["records", "none.sgf", "--out", "w.toml"], "cannot read the games of none.sgf"),
        (["records", "none.sgf", "--out", "w.txt"], "write NAME.toml"),
        (["records", "none.sgf", "--out", "w.toml", "--games", "0"], "games is 0"),
        (["records", "none.sgf", "--out", "w.toml", "--size", "30"], "size must be 1 to 25"),
        (["records", "--out", "w.toml"], "Missing argument 'FILE...'"),
        (["evaluations", "--out", "nowhere/w.toml"], "there is no folder nowhere"),
        (["evaluations", "--out", "w.toml", "--game", "hex"], "hex has no patterns"),
        (["evaluations", "--out", "w.toml", "--weights", "mongo"], "there are no weights 'mongo'"),
        (["evaluations", "--out", "w.toml", "--alpha", "2"], "alpha is 2.0, it must be 0 to 0.5"),
        (["evaluations", "--out", "w.toml", "--positions", "0"], "positions is 0"),
        (["balance", "--out", "w.toml", "--passes", "0"], "passes is 0"),
        (["balance", "--out", "w.toml", "--method", "utc"], "unknown method 'utc'"),
    ],
)
def test_wrong_words(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tesuji", "learn", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr()
    assert (ended.value.code, printed.out) == (2, "")
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert not list(tmp_path.iterdir())
