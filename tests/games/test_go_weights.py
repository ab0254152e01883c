"""Files of weights: what they mean, how they are merged, how mistakes are told."""

import re
import tomllib

import numpy as np
import pytest
from numba import typeof

from checks import game
from tesuji import SearchConfig
from tesuji.compile.specialise import fingerprint
from tesuji.errors import ConfigError
from tesuji.game import make_playout
from tesuji.games.go.board import BLACK, WHITE
from tesuji.games.go.shape import ALL, code_of, swapped
from tesuji.games.go.weights import FOLDER, NUMBERS, canonical_patterns, read_weights
from tesuji.search.bindings import bindings
from tesuji.search.loop import run

NAMES = sorted(file.stem for file in FOLDER.glob("*.toml"))


def written(tmp_path, text):
    path = tmp_path / "own.toml"
    path.write_text(text)
    return str(path)


def shapes_of(weights):
    """The codes that answer the last move."""
    return set(np.flatnonzero(np.unpackbits(weights["shapes"][0], bitorder="little")).tolist())


def test_the_default_file_has_every_number_and_both_tables():
    table = tomllib.loads((FOLDER / "default.toml").read_text())
    assert set(table) == {*NUMBERS, "patterns", "shapes"}


def test_every_number_of_the_default_file_is_explained_or_grouped():
    """A number without a remark follows one of its group."""
    lines = (FOLDER / "default.toml").read_text().splitlines()
    numbers = [line for line in lines if line.partition(" ")[0] in NUMBERS]
    assert len(numbers) == len(NUMBERS)
    assert sum("#" in line for line in numbers) >= 2 * len(numbers) // 3


@pytest.mark.parametrize("name", NAMES)
def test_files_that_come_with_the_engine_are_read(name):
    weights = read_weights(name)
    own = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    for key in set(own) & set(NUMBERS):
        assert weights[0][key] == own[key]
    assert np.all(weights["pattern"] > 0)


def test_a_file_needs_only_what_differs(tmp_path):
    own = read_weights(written(tmp_path, "save = 0.25\n[shapes]\n'... .*. ...' = 2.0\n"))
    default = read_weights()
    assert own["save"] == 0.25
    for key in set(NUMBERS) - {"save"}:
        assert own[key] == default[key], key
    assert np.array_equal(own["pattern"], default["pattern"])
    assert shapes_of(own) == {0}  # replaced, not added to


def test_patterns_are_the_movers_and_the_last_that_matches_counts(tmp_path):
    text = """
    pattern_exponent = 2.0
    [patterns]
    "??? ?*? ???" = 3.0
    "XO? ?*? ???" = 5.0
    "XO. .*. ..." = 7.0
    """
    weights = read_weights(written(tmp_path, text))["pattern"][0]
    assert weights[BLACK, code_of("... .*. ...")] == 9.0
    assert weights[BLACK, code_of("XOX .*. ...")] == 25.0
    assert weights[BLACK, code_of(".OX .*. ...")] == 49.0  # turned
    assert weights[BLACK, code_of("OX. .*. ...")] == 9.0
    assert weights[WHITE, code_of("OX. .*. ...")] == 49.0
    assert np.array_equal(weights[WHITE], weights[BLACK][swapped(ALL)])


def test_a_diagram_that_leaves_nothing_open_is_the_stronger_word(tmp_path):
    """Learned files list single shapes; a general rule beside them fills the rest."""
    text = "[patterns]\n'XO. .*. ...' = 7.0\n'??? ?*? ???' = 3.0\n"
    weights = read_weights(written(tmp_path, text))["pattern"][0]
    assert weights[BLACK, code_of(".OX .*. ...")] == 7.0
    assert weights[BLACK, code_of("OX. .*. ...")] == 3.0


def test_shapes_serve_both_colours(tmp_path):
    weights = read_weights(
        written(tmp_path, "[shapes]\n'XO. .*. ...' = 1.0\n'... .*. ...' = 0.0\n")
    )
    found = shapes_of(weights)
    assert {code_of("XO. .*. ..."), code_of("OX. .*. ...")} <= found
    assert len(found) == 16


def test_a_pattern_that_is_never_played_still_has_a_logarithm(tmp_path):
    text = "pattern_exponent = 10\n[patterns]\n'??? ?*? ???' = 0\n'... .*. ...' = 1e9\n"
    weights = read_weights(written(tmp_path, text))["pattern"]
    assert np.all(np.isfinite(np.log(weights)))


def test_a_table_over_codes_as_one_weight_for_each_shape():
    table = read_weights("default")["pattern"][0, BLACK]
    shapes = canonical_patterns(table)
    assert set(shapes.values()) == set(np.unique(table).tolist())
    assert shapes[0] == table[0]


ERRORS = [
    ("save = 2", "save is 2, it must be 0 to 1"),
    ("save = 'yes'", "save is 'yes', it must be 0 to 1"),
    ("save = true", "save is True, it must be 0 to 1"),
    ("capture = nan", "capture is nan, it must be 0 to 1e+09"),
    ("prior_pass = -21", "prior_pass is -21, it must be -20 to 20"),
    ("safe = 1", "unknown weight 'safe'; did you mean 'save'? Valid: attack,"),
    ("patterns = 3", "patterns is 3, it must be a table of shapes, or the name of weights"),
    ('patterns = "mogo"', "patterns is 'mogo', but those weights have none of their own"),
    ('patterns = "nobody"', "there are no weights 'nobody'"),
    ("[shapes]\n'... .*. ...' = -1", "shapes '... .*. ...' is -1, it must be 0 to 1e+09"),
    ("[shapes]\n'.*.' = 1", "'.*.' is no shape: write three rows of three, * in the middle"),
    ("[patterns]\n'+.. .*. ...' = 1", "'+' in the shape '+.. .*. ...' is none of"),
    ("save = ", "are not valid TOML"),
]


@pytest.mark.parametrize(("text", "message"), ERRORS, ids=[message for _, message in ERRORS])
def test_mistakes_are_told(text, message, tmp_path):
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        read_weights(path)
    assert path in str(error.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mogoo", "there are no weights 'mogoo'; did you mean 'mogo'? Valid: default, mango, mogo"),
        ("missing.toml", "cannot read the weights missing.toml: No such file or directory"),
    ],
)
def test_missing_files_are_told(name, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        make_playout(game("go:size=5"), 1, name)


def test_other_weights_compile_nothing(tmp_path):
    """The kernels of the search and the types that they are given stay the same."""
    go = game("go:size=5")
    used = set()
    for weights in ("", "mogo", "tesuji", written(tmp_path, "save = 0.5")):
        config = SearchConfig(
            playout="sequence", knowledge="tactics", prior_visits=9, weights=weights
        )
        tag = fingerprint(run, bindings(go, config))
        used.add((tag, str(typeof(make_playout(go, 10, weights)))))
    assert len(used) == 1


def test_games_without_weights_refuse_them():
    with pytest.raises(ConfigError, match="tictactoe has no weights, so 'mogo' cannot be used"):
        make_playout(game("tictactoe"), 1, "mogo")
