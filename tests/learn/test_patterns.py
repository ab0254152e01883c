"""Numbers of patterns, and the files that weights go into."""

from pathlib import Path

import numpy as np
import pytest

from tesuji.errors import ConfigError
from tesuji.games.go.board import BLACK, WHITE
from tesuji.games.go.shape import CANONICAL, code_of, diagram
from tesuji.games.go.weights import read_weights
from tesuji.learn.patterns import (
    NUMBER,
    OTHER,
    SHAPES,
    TOTAL,
    by_weight,
    load_go,
    own_playout,
    scaled,
    spread,
    write_weights,
)


def number(shape: str, mover: int = BLACK) -> int:
    return int(NUMBER[mover, code_of(shape)])


def test_there_are_as_many_shapes_as_symmetry_leaves() -> None:
    """By Burnside: (3^8 + 3^4 + 2 * 3^2 + 4 * 3^5) / 8 within, (3^5 + 3^3) / 2 at a side,
    (3^3 + 3^2) / 2 in a corner."""
    assert OTHER == 954 + 135 + 18


def test_symmetries_share_a_number() -> None:
    turned = ["XO. .*. ...", ".OX .*. ...", "... .*O ..X", "... O*. X.."]
    assert len({number(shape) for shape in turned}) == 1
    assert number("XO. .*. ###") not in (number("XO. .*. ..."), OTHER)


def test_x_is_who_moves() -> None:
    assert number("XO. .*. ...", WHITE) == number("OX. .*. ...", BLACK)
    assert number("XO. .*. ...", WHITE) != number("XO. .*. ...", BLACK)


def test_what_no_wide_board_has_is_other() -> None:
    assert number("### .*. ###") == number("#.# #*# #.#") == OTHER


def test_spread_reaches_every_code() -> None:
    playout = own_playout(load_go("go:size=5"), "")
    values = np.arange(1.0, TOTAL + 1)
    spread(values, playout)
    weights = playout.weights[0]["pattern"]
    for mover, shape in ((BLACK, "XO. .*. ..."), (WHITE, "OX. .*. ###"), (BLACK, "#.. #*O ###")):
        assert weights[mover, code_of(shape)] == values[number(shape, mover)]
    assert read_weights("")[0]["pattern"][BLACK, 0] != weights[BLACK, 0]  # a copy was changed


def test_scaled_to_a_mean_of_ten_over_available_moves() -> None:
    values = scaled(np.array([1.0, 4.0]), np.array([2, 1]))
    assert values.tolist() == [5.0, 20.0]
    assert scaled(np.array([1.0]), np.array([0])).tolist() == [1.0]


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    values, seen = np.full(TOTAL, 3.0), np.zeros(TOTAL, np.int64)
    some = np.array([number("XO. .*. ..."), number("O.X .*. ###"), number("#.. #*. ###")])
    values[some] = 123.456, 0.00123456, 7.0
    seen[some] = 1
    write_weights(tmp_path / "w.toml", "a title\nin two lines", values, seen)
    text = (tmp_path / "w.toml").read_text()
    assert text.startswith("# a title\n# in two lines\n")
    found = read_weights(str(tmp_path / "w.toml"))[0]
    pattern = found["pattern"][BLACK]
    assert pattern[SHAPES[some]].tolist() == pytest.approx([123.5, 0.001235, 7.0])
    assert pattern[code_of("... .*. ...")] == 10.0  # never seen
    assert found["pattern"][WHITE, code_of("OX. .*. ...")] == pytest.approx(123.5)
    assert found["capture"] == read_weights("")[0]["capture"]
    assert [path.name for path in tmp_path.iterdir()] == ["w.toml"]


def test_all_else_stays_what_it_was(tmp_path: Path) -> None:
    base = tmp_path / "base.toml"
    base.write_text('capture = 7.0\npattern_exponent = 0.5\n[shapes]\n"XO. .*. ?.?" = 2.0\n')
    write_weights(tmp_path / "w.toml", "", np.full(TOTAL, 4.0), np.ones(TOTAL, int), str(base))
    found, before = read_weights(str(tmp_path / "w.toml"))[0], read_weights(str(base))[0]
    assert found["capture"] == 7.0
    assert found["pattern"][BLACK, SHAPES].tolist() == [4.0] * OTHER  # not the root of it
    assert (found["shapes"] == before["shapes"]).all()


def test_by_weight_leaves_out_what_was_rare() -> None:
    values, seen = np.zeros(TOTAL), np.zeros(TOTAL, np.int64)
    values[[3, 5, 8]], seen[[3, 5, 8]] = (1.0, 3.0, 2.0), (9, 9, 1)
    assert by_weight(values, seen) == [5, 8, 3]
    assert by_weight(values, seen, often=2) == [5, 3]


def test_diagrams_lead_back_to_their_number() -> None:
    for k in range(0, OTHER, 37):
        assert NUMBER[BLACK, CANONICAL[code_of(diagram(int(SHAPES[k])))]] == k


def test_only_go_has_patterns() -> None:
    with pytest.raises(ConfigError, match="hex has no patterns to learn about; valid: go"):
        load_go("hex")
    with pytest.raises(ConfigError, match="too narrow for patterns; it needs 2 points each way"):
        load_go("go:size=1x9")
