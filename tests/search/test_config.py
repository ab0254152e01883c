"""Settings: what is accepted, from where, and what a user reads when it is not."""

from dataclasses import FrozenInstanceError, fields

import pytest

from tesuji import ConfigError, Limit, SearchConfig, methods
from tesuji.search.config import RENAMED

# One setting that is not the default, and one that is refused, for each key.
OTHERS = {
    "brue": (True, 3),
    "threads": (8, 0),
    "parallel": ("leaf", 3),
    "lock": ("local", 3),
    "virtual_loss": (3, -1),
    "batch": (3, 0),
    "in_flight": (64, 0),
    "virtual_wins": (5, -1),
    "processes": (True, 3),
    "share_seconds": (0.5, -1.0),
    "share_depth": (1, -1),
    "share_part": (0.1, 2.0),
    "horizon": (9, -1),
    "select": ("omc", 3),
    "root": ("voi", 3),
    "c": (0.7, -0.1),
    "epsilon": (0.5, 1.5),
    "greed": (75.0, -1.0),
    "deviation": (0.1, -1.0),
    "lookahead": (True, 3),
    "c_points": (0.5, -1.0),
    "deviation_points": (10_000.0, -1.0),
    "fpu": (1.1, -1.0),
    "policy_visits": (10, -1),
    "rave": ("mse", 3),
    "rave_k": (300.0, -1.0),
    "rave_d": (0.01, -1.0),
    "rave_prior": (5.0, -1.0),
    "grave": (50, -1),
    "criticality": (1.0, -1.0),
    "ownership": (True, 3),
    "knowledge": ("informed", 3),
    "prior_visits": (5.0, -1.0),
    "prior_amaf": (5.0, -1.0),
    "bias": ("mango", 3),
    "bias_weight": (8.0, -1.0),
    "bias_exponent": (1.1, -1.0),
    "widen": ("mango", 3),
    "widen_first": (3.0, 0.0),
    "widen_base": (40.0, 0.0),
    "widen_growth": (1.2, 0.0),
    "expand": ("all", 3),
    "expand_visits": (5, 0),
    "expand_depth": (3, 0),
    "transpositions": (True, 3),
    "playout": ("smart", 3),
    "weights": ("own.toml", 3),
    "playout_epsilon": (0.1, 1.5),
    "playout_cap": (100, -1),
    "evaluation": ("stones", 3),
    "decide": (0.9, 1.5),
    "decide_every": (3, 0),
    "mixed_after": (5, -1),
    "decisive": (True, 3),
    "gibbs": ("mast", 3),
    "gibbs_tau": (0.2, 0.0),
    "gibbs_tries": (0, -1),
    "gibbs_tree": (True, 3),
    "pool": (0.3, 1.5),
    "pool_size": (10, 0),
    "pool_visits": (20, 0),
    "pairs": (0.5, 1.5),
    "pairs_value": (0.4, 1.5),
    "pairs_visits": (5, 0),
    "backup": ("mix", 3),
    "minimax": (0.4, 1.5),
    "minimax_evaluation": ("race", 3),
    "solver": ("wins", 3),
    "halving": ("hybrid", 3),
    "halving_switch": (30, -1),
    "halving_returns": (True, 3),
    "halving_bounds": (True, 3),
    "memory_mb": (50.0, 0.001),
    "final": ("max", 3),
    "secure": (1.0, -0.5),
    "reuse": (False, 3),
}
# Settings that have no meaning alone come with what they need.
NEEDS = {
    "lookahead": {"solver": "wins"},
    "virtual_wins": {"parallel": "root"},
    "processes": {"parallel": "root"},
    "share_seconds": {"parallel": "root"},
    "brue": {"final": "max"},
    "horizon": {"brue": True, "final": "max"},
    "grave": {"rave": "equivalence"},
    "pool": {"rave": "equivalence"},
    "knowledge": {"bias": "mango"},
    "bias": {"knowledge": "informed"},
    "widen": {"knowledge": "informed"},
    "prior_visits": {"knowledge": "informed"},
    "prior_amaf": {"knowledge": "informed", "rave": "mse"},
    "evaluation": {"playout_cap": 9},
    "criticality": {"rave": "mse", "ownership": True},
    "decide": {"evaluation": "stones"},
    "mixed_after": {"evaluation": "stones"},
    "gibbs_tree": {"gibbs": "mast"},
    "minimax": {"minimax_evaluation": "race"},
    "minimax_evaluation": {"minimax": 0.4},
    "halving_returns": {"halving": "shot"},
    "halving_bounds": {"halving": "hybrid"},
}


def toml(tmp_path, content):
    path = tmp_path / "settings.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def from_file(path):
    return methods.change(SearchConfig(), path)


def test_every_setting_is_tested():
    assert {field.name for field in fields(SearchConfig)} == set(OTHERS)


@pytest.mark.parametrize("key", OTHERS)
def test_settings_are_read_from_everywhere(key, tmp_path):
    value, _ = OTHERS[key]
    assert getattr(SearchConfig(), key) != value
    table = {**NEEDS.get(key, {}), key: value}
    written = {k: f'"{v}"' if isinstance(v, str) else str(v).lower() for k, v in table.items()}
    for config in (
        SearchConfig(**table),
        SearchConfig().changed(table),
        SearchConfig().parsed([f" {k} = {v} " for k, v in table.items()]),
        from_file(toml(tmp_path, "".join(f"{k} = {v}\n" for k, v in written.items()))),
    ):
        assert getattr(config, key) == value
        assert config == SearchConfig(**table)
        assert type(getattr(config, key)) is type(value)


@pytest.mark.parametrize("key", OTHERS)
def test_wrong_values_are_refused_from_everywhere(key, tmp_path):
    _, wrong = OTHERS[key]
    message = f"^{key} is {wrong}, it must be "
    with pytest.raises(ConfigError, match=message):
        SearchConfig().changed({key: wrong})
    with pytest.raises(ConfigError, match=f"settings.toml: {message[1:]}"):
        from_file(toml(tmp_path, f"{key} = {wrong}\n"))
    if not isinstance(getattr(SearchConfig(), key), str):  # any text is a name
        with pytest.raises(ConfigError, match=f"^{key} is '?{wrong}'?, it must be "):
            SearchConfig().parsed([f"{key}={wrong}"])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"c": float("nan")}, "c is nan, it must be 0 or more"),
        ({"c": float("inf")}, "c is inf, it must be 0 or more"),
        ({"c": "0.5"}, "c is '0.5', it must be a number"),
        ({"c": True}, "c is True, it must be a number"),
        ({"expand_visits": 2.0}, "expand_visits is 2.0, it must be an integer"),
        ({"expand_visits": 2**31}, "expand_visits is 2147483648, it must be 1 or more"),
        ({"expand_visits": False}, "expand_visits is False, it must be an integer"),
        ({"playout": None}, "playout is None, it must be a name"),
        ({"memory_mb": 2e6}, "memory_mb is 2000000.0, it must be 0.01 to 100,000"),
        ({"memory": 5}, "unknown setting 'memory'; did you mean 'memory_mb'\\? Valid: backup, "),
        (
            {"x": 5},
            "unknown setting 'x'; valid: backup, batch, bias, bias_exponent, bias_weight, brue, ",
        ),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        SearchConfig().changed(settings)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("c", "'c' is not a setting: write key=value"),
        ("", "'' is not a setting"),
        ("c=", "c is '', it must be a number"),
        ("c=1,5", "c is '1,5', it must be a number"),
        ("expand_visits=1.5", "expand_visits is '1.5', it must be an integer"),
        ("=3", "unknown setting ''"),
    ],
)
def test_wrong_texts_are_refused(setting, message):
    with pytest.raises(ConfigError, match=message):
        SearchConfig().parsed([setting])


@pytest.mark.parametrize("was", RENAMED)
def test_a_setting_is_known_by_its_earlier_name_too(was, tmp_path):
    """In files and stores that are older than its name; nowhere else is it written."""
    name = RENAMED[was]
    value, _ = OTHERS[name]
    for config in (
        SearchConfig().changed({was: value}),
        SearchConfig().parsed([f"{was}={value}"]),
        from_file(toml(tmp_path, f"{was} = {value}\n")),
    ):
        assert config == SearchConfig(**{name: value})
    assert was not in OTHERS


def test_staying_became_batches():
    assert RENAMED["stay"] == "batch"


def test_later_settings_win():
    assert SearchConfig().parsed(["c=1", "c=2", "playout_cap=9"]) == SearchConfig(
        c=2, playout_cap=9
    )
    assert SearchConfig(c=3).parsed([]) == SearchConfig(c=3)
    assert SearchConfig(c=3).changed({"playout_cap": 9}).c == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("c = ", "is not valid TOML: Invalid value \\(at "),
        (b"\xff\xfe\x00", "is not valid TOML: "),
        ("[search]\nc = 1", "unknown setting 'search'; valid: backup, "),
        ("c = [1]", "c is \\[1\\], it must be a number"),
    ],
)
def test_wrong_files_are_refused(content, message, tmp_path):
    with pytest.raises(ConfigError, match=message):
        from_file(toml(tmp_path, content))


def test_files_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"cannot read the config .*none.toml: No such file"):
        from_file(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match=r"cannot read the config .*: Is a directory"):
        from_file(str(tmp_path))


def test_an_empty_file_changes_nothing(tmp_path):
    assert from_file(toml(tmp_path, "# nothing\n")) == SearchConfig()


def test_whole_numbers_are_numbers(tmp_path):
    assert from_file(toml(tmp_path, "c = 1\nmemory_mb = 200")).memory_mb == 200


def test_settings_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        SearchConfig().c = 1.0


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({}, "a limit needs a number of simulations, of seconds, or both"),
        ({"simulations": 0}, "simulations is 0, it must be 1 to 2,147,483,647"),
        ({"simulations": 2**31}, "simulations is 2147483648, it must be"),
        ({"seconds": -1}, "seconds is -1, it must be more than 0"),
        ({"seconds": float("inf")}, "seconds is inf, it must be more than 0"),
    ],
)
def test_wrong_limits_say_what_is_valid(limit, message):
    with pytest.raises(ConfigError, match=message):
        Limit(**limit)


@pytest.mark.parametrize(
    ("settings", "ranking"),
    [
        ({}, "visits"),
        ({"final": "max"}, "value"),
        ({"final": "secure"}, "bound"),
        ({"final": "robust-max"}, "both"),
        ({"solver": "wins", "final": "secure"}, "proofs"),
        ({"halving": "shot"}, "rounds"),
        ({"brue": True, "final": "max"}, "value"),
    ],
)
def test_a_search_says_what_ranks_its_moves(settings, ranking):
    assert SearchConfig(**settings).ranking == ranking


@pytest.mark.parametrize(
    "settings",
    [
        {"solver": "bounds"},
        {"expand": "game"},
        {"playout_cap": 10},
        {"evaluation": "material", "decide": 0.9},
        {"decisive": True},
    ],
)
def test_a_search_says_whether_games_are_played_out(settings):
    assert SearchConfig().plays_out
    assert not SearchConfig(**settings).plays_out
