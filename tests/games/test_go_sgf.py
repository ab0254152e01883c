"""SGF: what is written can be read again, by others too; what others write is understood."""

from contextlib import suppress

import numpy as np
import pytest
from sgfmill import sgf

from tesuji import Position, PositionError, Size, load, search
from tesuji.games.go.setup import from_diagram, path_to, set_up, to_move
from tesuji.games.go.sgf import Note, note, parse_sgf, read_sgf, to_sgf

GO = load("go:size=5,komi=2.5")


def random_game(game, seed, plies=60):
    rng = np.random.default_rng(seed)
    position = Position.start(game)
    while position.ply < plies and not position.over:
        position = position.play(int(rng.choice(position.moves)))
    return position


def text(position):
    return [position.move_text(move) for move in position.line]


# --- reading -------------------------------------------------------------------------------------


def test_a_file_of_another_program():
    record = parse_sgf(
        b"(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]RU[Japanese]SZ[9]KM[6.50]PW[w]PB[b]RE[W+Resign]"
        b"C[Hello \\] there];B[gc]BL[1];W[cg]C[x](;B[cc];W[tt])(;B[gg]))"
    )
    assert (record.size, record.komi, record.names, record.result) == (
        Size(9, 9),
        6.5,
        ("b", "w"),
        "W+Resign",
    )
    assert record.length == 4
    position = record.position()
    assert position.game.spec == "go:size=9,komi=6.5"
    assert text(position) == ["G7", "C3", "C7", "pass"]
    assert text(record.position(2)) == ["G7", "C3"]
    assert text(record.position(0)) == []
    assert text(record.position(100)) == text(position)


def test_handicap_stones_give_white_the_first_move():
    position = parse_sgf(b"(;SZ[9]HA[2]KM[0.5]AB[gc][cg];W[ee];B[dd])").position()
    assert text(position) == ["E5", "D6"]
    assert position.origin.mover == 1
    assert "9 . . . . . . . . . 9\n8 . . . . . . . . . 8\n7 . . + . . . X" in str(position.origin)
    # Some write them as moves of Black in a row.
    free = parse_sgf(b"(;SZ[9]HA[2]KM[0.5];B[gc];B[cg];W[ee];B[dd])").position()
    assert str(free) == str(position)


def test_set_up_in_the_middle_of_a_game():
    record = parse_sgf(b"(;SZ[5]AB[aa:ba]AW[ee]PL[W];W[cc];B[dd];AE[cc]AB[ee]AW[de];B[bb];W[ed])")
    first = record.position(1)
    assert text(first) == ["C3"]
    last = record.position()
    assert text(last) == ["B4", "E2"]  # since the set-up
    assert last.origin.previous == last.origin.undo()
    assert str(last.origin) == str(
        from_diagram(GO, "X X . . .\n. . . . .\n. . . . .\n. . . X .\n. . . O X")
    )
    assert len(last.history) == 2 + 2 + 1  # of stones that may not come again


def test_a_record_may_be_absurdly_long():
    """The past of 20,000 positions would fill gigabytes if each had its own."""
    position = parse_sgf(b"(;SZ[5]" + b";B[];W[]" * 10_000 + b")").position()
    assert len(position.history) == 1
    assert len(path_to(position)) > 20_000


def test_moves_out_of_turn_and_after_the_end():
    position = parse_sgf(b"(;SZ[5];B[aa];B[bb];W[];W[];B[])").position()
    assert str(position).splitlines()[1:3] == ["5 X . . . . 5", "4 . X . . . 4"]
    resumed = parse_sgf(b"(;SZ[5];B[cc];W[];B[];W[dd])").position()
    assert not resumed.over
    assert resumed.mover == 0


def test_rules_of_a_file():
    assert parse_sgf(b"(;SZ[5]RU[Tromp-Taylor])").game().parameters["suicide"] is True
    assert parse_sgf(b"(;SZ[5]RU[Japanese])").game().parameters["suicide"] is False
    assert parse_sgf(b"(;SZ[5]RU[Japanese])").parameters == {"size": Size(5, 5)}
    assert parse_sgf(b"(;SZ[5]RU[GOE])").game().parameters["suicide"] is True
    assert parse_sgf(b"(;SZ[5]RU[AGA])").game().parameters["superko"] == "situational"
    assert parse_sgf(b"(;SZ[5])").game().parameters["komi"] == 7.5
    assert parse_sgf(b"(;)").size == Size(19, 19)


def test_another_game_takes_only_the_komi():
    record = parse_sgf(b"(;SZ[5]KM[-3.5];B[cc])")
    position = record.position(game=GO)
    assert position.game is GO
    assert position.state[0]["komi"] == -3.5
    with pytest.raises(PositionError, match="on a board of 5, go:size=9 is not"):
        record.position(game=load("go:size=9"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no SGF data found"),
        (b"hello", "no SGF data found"),
        (b"(;SZ[9]", "unexpected end"),
        (b"(;SZ[9]KM[much])", "KM is 'much', it must be a number such as 6.5"),
        (b"(;SZ[0])", "size must be 1 to 25 columns and rows, not 0x0"),
        (b"(;SZ[26])", "not 26x26"),
        (b"(;SZ[nine])", "SZ is 'nine', it must be a size such as 19 or 9:7"),
        (b"(;SZ[5:30])", "not 5x30"),
        (b"(;GM[2]SZ[8])", "GM is '2', it must be 1"),
        (b"(;SZ[5];B[zz])", "node 1: a property has a bad value"),
        (b"(;SZ[5];B[aa];W[a])", "node 2"),
        (b"(;SZ[5:4];B[ae])", "node 1: a point is not on the board of 5x4"),
        (b"(;SZ[4:5];B[ea])", "node 1: a point is not on the board of 4x5"),
        (b"(;SZ[5]PL[blue])", "node 0: a property has a bad value"),
        (b"(;SZ[5];B[aa];W[aa])", r"move 2, White A5, is not legal there"),
        (b"(;SZ[5]AB[aa][ba]AW[aa])", "two stones on A5"),
        (b"(;SZ[5]AB[aa]AW[ab][ba])", "the stone on A5 has no liberty"),
    ],
)
def test_broken_files(data, message):
    with pytest.raises(PositionError, match=message):
        parse_sgf(data).position()


@pytest.mark.parametrize(
    ("data", "komi", "name"),
    [
        (b"(;SZ[5]KM[]HA[]CA[]GM[]PB[Lee];B[aa])", None, "Lee"),
        (b"(;SZ[5]KM[6,5]PB[Lee];B[aa])", 6.5, "Lee"),
        (b"(;SZ[5]CA[klingon]PB[J\xf6rg];B[aa])", None, "J\xf6rg"),
        (b"(;SZ[5]CA[hex]PB[J\xf6rg];B[aa])", None, "J\xf6rg"),
        (b"(;SZ[5]CA[UTF-8]PB[J\xf6rg];B[aa])", None, "J\xf6rg"),
        (b"(;SZ[5]CA[UTF-8]PB[J\xc3\xb6rg];B[aa])", None, "J\xf6rg"),
    ],
)
def test_careless_files_are_read(data, komi, name):
    record = parse_sgf(data)
    assert (record.komi, record.names[0], record.length) == (komi, name, 1)
    assert text(record.position()) == ["A5"]


def test_files(tmp_path):
    path = tmp_path / "game.sgf"
    with pytest.raises(PositionError, match=f"cannot read {path}: No such file"):
        read_sgf(path)
    path.write_bytes(b"(;SZ[5];B[cc];W[cc])")
    with pytest.raises(PositionError, match=f"{path}: move 2, White C3, is not legal"):
        read_sgf(path)
    assert text(read_sgf(path, 1)) == ["C3"]


def test_no_bytes_make_it_crash():
    rng = np.random.default_rng(0)
    good = b"(;GM[1]SZ[5]KM[0.5]AB[aa][bb]AW[cc]PL[W];W[dd];B[];W[ee];AE[aa];B[ab])"
    read = 0
    for _ in range(500):
        data = bytearray(good)
        for _ in range(rng.integers(1, 4)):
            data[rng.integers(len(data))] = rng.choice(list(b"()[];:ABWPLSZae15\\ \xff"))
        with suppress(PositionError):
            read += parse_sgf(bytes(data)).position().ply > 0
    assert 0 < read < 500  # some are still games


# --- writing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", ["5", "5x4", "4x5"])
def test_round_trip(size, seed):
    game = load(f"go:size={size},komi=-1.5")
    position = random_game(game, seed)
    data = to_sgf(position, names=("me", "you ] \\ 囲碁"))
    record = parse_sgf(data)
    assert record.names == ("me", "you ] \\ 囲碁")
    assert record.position().line == position.line
    assert str(record.position()) == str(position)
    assert record.position().game.spec == game.spec
    assert to_sgf(record.position(), names=record.names) == data


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ("", "Chinese"),
        (",suicide=true", "Tromp-Taylor"),
        (",superko=situational", "AGA"),
        (",suicide=true,superko=situational", "NZ"),
    ],
)
def test_rules_are_written_and_read(rules, name):
    game = load(f"go:size=5,komi=2.5{rules}")
    record = parse_sgf(to_sgf(Position.start(game)))
    assert record.rules == name
    assert record.game().spec == game.spec


def test_round_trip_of_set_ups():
    first = set_up(GO, [GO.parse_move("C3")], [GO.parse_move("A1")], 1, komi=4.5).play("B1", "C1")
    turned = to_move(first, 0).play("C2")
    changed = set_up(
        GO, [GO.parse_move("C3")], [GO.parse_move("E5")], 0, komi=4.5, previous=turned
    ).play("D3")
    data = to_sgf(changed)
    again = parse_sgf(data).position(game=GO)
    assert to_sgf(again) == data
    assert again.line == changed.line
    assert again.history.tolist() == changed.history.tolist()
    assert again.state[0]["komi"] == 4.5


def test_handicap_is_written():
    points = [GO.parse_move(text) for text in ("A1", "E5", "C3")]
    assert parse_sgf(to_sgf(set_up(GO, points, [], 1).play("B2"))).handicap == 3
    for black, white, mover in ((points, [], 0), (points[1:], points[:1], 1), (points[:1], [], 1)):
        assert b"HA[" not in to_sgf(set_up(GO, black, white, mover))


def test_results():
    assert parse_sgf(to_sgf(Position.start(GO).play("C3"))).result == ""
    done = Position.start(GO).play("C3", "pass", "pass")
    assert parse_sgf(to_sgf(done)).result == "B+22.5"
    assert parse_sgf(to_sgf(done, result="W+R")).result == "W+R"
    level = Position.start(load("go:size=5,komi=0")).play("C3", "D4", "pass", "pass")
    assert parse_sgf(to_sgf(level)).result == "0"
    quarter = Position.start(load("go:size=5,komi=0.25")).play("C3", "pass", "pass")
    assert parse_sgf(to_sgf(quarter)).result == "B+24.75"


def test_what_a_search_thought():
    position = Position.start(GO).play("C3")
    decision = search(position, simulations=50)
    position = position.play(decision.move)
    read = sgf.Sgf_game.from_bytes(to_sgf(position, notes={1: note(decision)}))
    first = read.get_root()[0]
    played, thought = first
    assert played.get("C") == (
        f"win rate {decision.value:.1%}, {decision.visits:,} visits, 50 simulations"
    )
    line = [thought, *read.get_main_sequence_below(thought)]
    assert len(line) == len(decision.line)
    assert [node.get_move()[0] for node in line[:2]] == ["w", "b"][: len(line)]
    assert parse_sgf(to_sgf(position, notes={1: note(decision)})).length == 2


def test_notes_and_properties():
    position = Position.start(GO).play("C3", "D4")
    data = to_sgf(
        position,
        notes={0: Note("a ] \\ comment"), 1: Note("", ["E5", "pass", "A1"])},
        properties={"DT": "2020-01-02", "AP": ("other", "7")},
    )
    read = sgf.Sgf_game.from_bytes(data)
    assert read.get_root().get("DT") == "2020-01-02"
    assert read.get_root().get("AP") == ("other", "7")
    assert read.get_root()[0].get("C") == "a ] \\ comment"
    variation = read.get_root()[0][1]
    moves = [node.get_move() for node in (variation, variation[0], variation[0][0])]
    assert moves == [("w", (4, 4)), ("b", None), ("w", (0, 0))]
