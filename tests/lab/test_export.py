"""Games as files: what is written can be read again, by others too, and is what was played."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sgfmill import sgf
from sgfmill.common import format_vertex
from typer.testing import CliRunner

from tesuji.cli import app
from tesuji.errors import ConfigError, StoreError
from tesuji.games.go.sgf import read_sgf as read_sgf_file
from tesuji.lab.export import choose, export_json, export_sgf, result
from tesuji.lab.match import Match, Task, game_of
from tesuji.lab.opening import Openings
from tesuji.lab.play import Played
from tesuji.lab.runner import run
from tesuji.lab.stats import Sprt
from tesuji.lab.store import Store
from tesuji.position import Position

from .matches import make, trouble

GO = "go:size=5,komi=2.5"
PASSER = f"{sys.executable} {Path(__file__).parent / 'programs' / 'passer.py'}"
MATCHES = [
    Task(make("uct@sims=60", "random", GO, openings=Openings("random", 3), seed=7), 8),
    Task(make("uct@sims=20", trouble("resign"), GO), 4, Sprt(0, 50)),
    Task(make("uct@sims=20", trouble("raise"), GO), 2),
    Task(make("uct@sims=20", "random", "hex:size=3"), 4),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("export") / "games.db") as opened:
        run(MATCHES, opened, jobs=1)
        yield opened


def go_games(store):
    return choose(store)[:3]


def test_json_holds_everything_in_the_store(store, tmp_path):
    path = tmp_path / "new" / "games.json"
    assert export_json(store, choose(store), path) == 18
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["store"] == "games.db"
    assert len(document["matches"]) == len(MATCHES)
    for found, standing in zip(document["matches"], store.matches(), strict=True):
        assert found["id"] == standing.id
        match = Match.from_json(found["definition"])
        sprt = None if found["sprt"] is None else Sprt(**found["sprt"])
        assert Task(match, found["wanted"], sprt) == standing.task
        assert found["key"] == match.key
        games = [Played(**{**game, "seed": int(game["seed"])}) for game in found["games"]]
        assert games == list(store.games(standing.id))


def read_sgf(folder, identity, number):
    return sgf.Sgf_game.from_bytes((folder / f"{identity}-{number}.sgf").read_bytes())


def replay(read):
    """The position at the end of an SGF file, through tesuji's own rules."""
    position = Position.start(game_of(f"go:size={read.get_size()},komi={read.get_komi()}"))
    for node in read.get_main_sequence()[1:]:
        colour, point = node.get_move()
        assert colour == "bw"[position.mover]
        position = position.play(format_vertex(point))
    return position


def test_sgf_replays_to_the_same_result(store, tmp_path):
    assert export_sgf(store, go_games(store), tmp_path / "sgf") == 14
    assert len(list((tmp_path / "sgf").iterdir())) == 14
    scored = 0
    for standing in go_games(store):
        for game in store.games(standing.id):
            read = read_sgf(tmp_path / "sgf", standing.id, game.number)
            position = replay(read)
            played = game.opening + game.moves
            assert [position.move_text(move) for move in position.line] == played
            black = game.score if game.first == "a" else 1 - game.score
            assert read.get_winner() == ("b" if black == 1 else "w")
            if game.reason == "end":
                scored += 1
                assert position.rewards == (black, 1 - black)
    assert scored > 0


def test_what_an_sgf_file_says(store, tmp_path):
    export_sgf(store, go_games(store), tmp_path / "sgf")
    game = next(game for game in store.games(1) if game.number == 1)
    root = read_sgf(tmp_path / "sgf", 1, 1).get_root()
    assert root.get("SZ") == 5
    assert root.get("KM") == 2.5
    assert root.get("RU") == "Chinese"
    assert (root.get("PB"), root.get("PW")) == ("random", "uct@sims=60")
    assert root.get("DT") == game.started[:10]
    assert "match 1, game 1: uct@sims=60 against random" in root.get("GC")
    assert "seed 7" in root.get("GC")
    nodes = read_sgf(tmp_path / "sgf", 1, 1).get_main_sequence()[1:]
    assert [node.get("C") for node in nodes[:3]] == ["opening"] * 3
    # After three plies White moves, who is uct in this game.
    seconds, simulations, value = game.figures[0]
    assert nodes[3].get("C") == f"value {value:.3f}, {simulations} simulations, {seconds:.3f} s"
    assert nodes[4].get("C") == f"{game.figures[1][0]:.3f} s"


@pytest.mark.parametrize(
    ("moves", "reason", "score", "expected"),
    [
        # The whole board of 25 points, and komi: 22.5 for Black.
        (["C3", "pass", "pass"], "end", 1.0, "B+22.5"),
        # One stone each: neither has territory, komi decides.
        (["C3", "D4", "pass", "pass"], "end", 0.0, "W+2.5"),
        (["C3"], "resignation", 1.0, "B+R"),
        (["C3"], "time", 0.0, "W+T"),
        (["C3"], "crash", 0.0, "W+F"),
        (["C3"], "illegal move", 1.0, "B+F"),
    ],
)
@pytest.mark.parametrize("first", ["a", "b"])
def test_results(moves, reason, score, expected, first):
    points = score if first == "a" else 1 - score
    played = Played(0, first, 1, [], moves, points, reason, "detail")
    assert result(MATCHES[0].match, played, game_of(GO)) == expected


def test_a_draw():
    played = Played(0, "a", 1, [], ["pass", "pass"], 0.5)
    assert result(make("random", "random", "go:size=5,komi=0"), played, game_of(GO)) == "0"


def test_the_referee_has_the_last_word(tmp_path):
    """This one says B+1 whatever the board shows."""
    with Store() as store:
        run([Task(make("uct@sims=10", "random", GO, referee=PASSER), 2)], store, jobs=1)
        export_sgf(store, choose(store), tmp_path / "sgf")
    for number in (0, 1):
        assert read_sgf(tmp_path / "sgf", 1, number).get_root().get("RE") == "B+1"


def test_foreign_names_are_kept(tmp_path):
    name = "a]b\\c;d 囲碁 <x>"
    match = make("random", "random", GO)
    strange = replace(match, a=replace(match.a, name=name))
    with Store() as store:
        run([Task(strange, 1)], store, jobs=1)
        export_sgf(store, choose(store), tmp_path / "sgf")
    assert read_sgf(tmp_path / "sgf", 1, 0).get_root().get("PB") == name


def test_sgf_is_for_go(store, tmp_path):
    with pytest.raises(ConfigError, match="match 4 plays hex:size=3, and SGF is for Go only"):
        export_sgf(store, choose(store), tmp_path / "sgf")
    assert not (tmp_path / "sgf").exists()


def test_rectangles(tmp_path):
    with Store() as store:
        run([Task(make("random", "random", "go:size=5x4"), 1)], store, jobs=1)
        export_sgf(store, choose(store), tmp_path)
        (game,) = store.games(1)
    position = read_sgf_file(tmp_path / "1-0.sgf")
    assert [position.move_text(move) for move in position.line] == game.moves


def test_nothing_is_replaced(store, tmp_path):
    file = tmp_path / "file"
    file.write_text("mine")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "1-0.sgf").write_text("mine")
    for write in (export_json, export_sgf):
        for path in (file, folder):
            with pytest.raises(ConfigError, match=f"{path} exists already"):
                write(store, go_games(store), path)
        with pytest.raises(ConfigError, match="cannot write"):
            write(store, go_games(store), file / "below")
    assert file.read_text() == (folder / "1-0.sgf").read_text() == "mine"


def test_an_empty_folder_will_do(store, tmp_path):
    assert export_sgf(store, choose(store, 3), tmp_path) == 2


def test_choosing(store):
    assert [standing.id for standing in choose(store)] == [1, 2, 3, 4]
    assert [standing.id for standing in choose(store, 2)] == [2]
    with pytest.raises(ConfigError, match=r"no match 5 with games .* valid: 1, 2, 3, 4"):
        choose(store, 5)
    with Store() as empty, pytest.raises(StoreError, match="there is no game in the store"):
        choose(empty)


def test_the_command(store, tmp_path):
    def export(*words):
        return CliRunner().invoke(app, ["export", str(store.path), *map(str, words)])

    done = export("--out", tmp_path / "all.json")
    assert done.exit_code == 0
    assert done.stdout == f"18 games written to {tmp_path / 'all.json'}\n"
    done = export("--out", tmp_path / "sgf", "--format", "sgf", "--match", "2")
    assert done.stdout == f"4 games written to {tmp_path / 'sgf'}\n"
    assert sorted(path.name for path in (tmp_path / "sgf").iterdir()) == [
        f"2-{number}.sgf" for number in range(4)
    ]
