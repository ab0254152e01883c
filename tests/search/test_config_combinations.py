"""Settings together: what is refused, and that everything else works and counts right."""

import random

import numpy as np
import pytest

from tests.toys.digits import game as digits
from tests.toys.knowing import game as knowing
from tests.toys.triple_nim import game as triple_nim
from tesuji import ConfigError, Limit, Position, SearchConfig, Searcher, load
from tesuji.search import tree as t
from tesuji.search.bindings import bindings
from tesuji.search.config import NAMES
from tesuji.search.decide import children
from tesuji.search.export import to_json

GAME = knowing()
SIMULATIONS = 120


#: BRUE follows no rule, and only one node a rollout learns
BESIDE_BRUE = {
    "select": "moss",
    "root": "voi",
    "fpu": 1.0,
    "policy_visits": 5,
    "rave": "mse",
    "knowledge": "squares",
    "expand": "all",
    "expand_visits": 2,
    "expand_depth": 2,
    "transpositions": True,
    "gibbs": "mast",
    "pairs": 0.5,
    "backup": "max",
    "solver": "wins",
    "halving": "hybrid",
}


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"grave": 5}, "grave needs rave: set it, or leave grave out"),
        ({"pool": 0.5}, "pool needs rave: set it, or leave pool out"),
        ({"bias": "mango"}, "bias needs knowledge: set it, or leave bias out"),
        ({"widen": "power"}, "widen needs knowledge: set it, or leave widen out"),
        ({"prior_visits": 2.0}, "prior_visits needs knowledge: set it, or leave prior_visits out"),
        ({"prior_amaf": 2.0}, "prior_amaf needs knowledge: set it, or leave prior_amaf out"),
        (
            {"prior_amaf": 2.0, "knowledge": "squares"},
            "prior_amaf needs rave: set it, or leave prior_amaf out",
        ),
        ({"rave": "mogo"}, "rave=mogo needs knowledge: set it, or leave rave=mogo out"),
        ({"select": "puct"}, "select=puct needs knowledge: set it, or leave select=puct out"),
        (
            {"root": "puct", "final": "max"},
            "root=puct needs knowledge: set it, or leave root=puct out",
        ),
        ({"horizon": 5}, "horizon needs brue: set it, or leave horizon out"),
        ({"brue": True}, "final is 'robust', with brue it must be max"),
        ({"halving": "hybrid", "root": "voi"}, "root has no meaning with halving=hybrid"),
        *(
            (
                {"brue": True, "final": "max", key: value},
                f"{key} has no meaning with brue: leave it out",
            )
            for key, value in BESIDE_BRUE.items()
        ),
        ({"decide": 0.9}, "decide needs evaluation: set it, or leave decide out"),
        (
            {"knowledge": "squares"},
            "knowledge is 'squares', but nothing uses it: set bias, widen, prior_visits, "
            "prior_amaf, select=puct or rave=mogo",
        ),
        (
            {"evaluation": "even"},
            "evaluation is 'even', but playouts go to the end: set playout_cap, decide or "
            "mixed_after",
        ),
        (
            {"knowledge": "squares", "widen": "power"},
            "widen_growth is 1.3, with widen=power it must be at most 1",
        ),
        (
            {"evaluation": "even", "decide": 0.5},
            "decide is 0.5, it must be 0 or more than 0.5",
        ),
        (
            {"gibbs": "mast", "gibbs_tries": 0, "playout": "squares"},
            "playout=squares has no meaning with gibbs_tries=0, which weighs all moves",
        ),
        *(
            (
                {"rave": "mse", "select": rule},
                f"rave has no meaning with select={rule}, which needs means",
            )
            for rule in ("omc", "pbbm", "thompson", "voi")
        ),
        (
            {"rave": "mse", "root": "voi"},
            "rave has no meaning with root=voi, which needs means",
        ),
        *(
            (
                {"backup": "max", "select": rule},
                f"backup=max has no meaning with select={rule}, which needs the variance of "
                "averages",
            )
            for rule in ("ucb1-tuned", "omc", "pbbm", "sp-uct")
        ),
        (
            {"backup": "max", "root": "omc"},
            "backup=max has no meaning with root=omc, which needs the variance of averages",
        ),
    ],
)
def test_settings_without_a_meaning_together_are_refused(settings, message):
    with pytest.raises(ConfigError) as refused:
        SearchConfig(**settings)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("of", "settings", "message"),
    [
        ("knowing", {"playout": "square"}, "knowing has no playout policy 'square'; did you mean"),
        ("knowing", {"knowledge": "x", "bias": "mango"}, "knowing has no knowledge 'x'; valid: sq"),
        ("go:size=5", {"knowledge": "x", "bias": "mango"}, "go has no knowledge 'x'; "),
        (
            "tictactoe",
            {"knowledge": "x", "bias": "mango"},
            "tictactoe has no knowledge 'x'; it has none",
        ),
        (
            "tictactoe",
            {"evaluation": "x", "decide": 0.9},
            "tictactoe has no evaluation 'x'; it has none",
        ),
        ("triple_nim", {"solver": "wins"}, "solver is for one or two players, triple_nim has 3"),
        (
            "triple_nim",
            {"backup": "mix"},
            "backup=mix is for one or two players, triple_nim has 3; use average",
        ),
        (
            "digits",
            {"transpositions": True},
            "transpositions cannot be used: digits has no hash",
        ),
        ("go:size=5", {"transpositions": True}, "transpositions cannot be used: go forbids repe"),
        (
            "amazons",
            {"pairs": 0.5},
            "pairs cannot be used: amazons has .* moves, all pairs of them would take .* MB, and "
            "the most is 268",
        ),
    ],
)
def test_what_a_game_cannot_do_is_refused(of, settings, message):
    toys = {"knowing": knowing, "triple_nim": triple_nim, "digits": digits}
    with pytest.raises(ConfigError, match=f"^{message}"):
        bindings(toys[of]() if of in toys else load(of), SearchConfig(**settings))


# --- a sample of everything that is allowed -------------------------------------------------------

CHOICES = {
    "select": list(NAMES["select"]),
    "root": list(NAMES["root"]),
    "c": [0.0, 1.0],
    "fpu": [0.6, 1.1],
    "policy_visits": [1, 6],
    "rave": ["amaf", "equivalence", "mse", "mogo"],
    "grave": [4],
    "pool": [0.5],
    "knowledge": ["squares"],
    "prior_visits": [0.5, 8.0],
    "bias": ["mango", "mogo", "gomorra"],
    "widen": ["mango", "crazystone", "power"],
    "expand": ["all", "game"],
    "expand_visits": [2, 5],
    "expand_depth": [2, 9],
    "transpositions": [True],
    "backup": ["max", "informed", "mix"],
    "solver": ["wins", "bounds"],
    "playout": ["squares"],
    "final": ["max", "robust-max", "secure"],
}


def sample(count, seed):
    """Valid combinations, each with about a third of the settings changed."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        settings = {key: rng.choice(known) for key, known in CHOICES.items() if rng.random() < 0.35}
        if settings.get("widen") == "power":
            settings |= {"widen_base": 2.0, "widen_growth": 0.25}
        try:
            SearchConfig(**settings)
        except ConfigError:
            continue
        found.append(settings)
    return found


def searched(settings, jit, simulations=SIMULATIONS):
    config = SearchConfig(**settings, memory_mb=1, pool_visits=3, pool_size=4)
    searcher = Searcher(GAME, config, seed=8, jit=jit)
    return searcher, searcher.search(Position.start(GAME, jit=jit), Limit(simulations))


def certain(node):
    return "lower" in node.dtype.names and node["lower"] == node["upper"]


def check_counts(tree, config):
    """Who comes by a node goes on to a child, except while it is a leaf and when it is proven."""
    nodes = tree.nodes[: tree.meta[0]["top"]]
    for index in np.flatnonzero(nodes["status"] == t.EXPANDED).tolist():
        node = nodes[index]
        found = children(tree, index)
        assert len(set(nodes["move"][found].tolist())) == len(found) <= node["count"]
        if not certain(node):
            came = int(node["selections" if config.transpositions else "visits"])
            assert 0 <= came - int(nodes["visits"][found].sum()) <= config.expand_visits


def check_values(tree):
    nodes = tree.nodes[: tree.meta[0]["top"]]
    for value, visits in (("value", "visits"), ("amaf_value", "amaf_visits")):
        if value in nodes.dtype.names:
            assert (nodes[value] >= 0).all()
            assert (nodes[value] <= nodes[visits].astype(np.int64) * t.SCALE).all()
    if "lower" in nodes.dtype.names:
        assert (nodes["lower"] <= nodes["upper"]).all()


@pytest.mark.parametrize("settings", sample(40, seed=2), ids=lambda s: ",".join(s) or "default")
def test_combinations_search_and_count_right(settings):
    searcher, decision = searched(settings, jit=False)
    tree = searcher.tree
    assert decision.simulations == tree.nodes[t.ROOT]["visits"]
    most = SIMULATIONS * (1.5 if searcher.config.final == "robust-max" else 1)
    assert SIMULATIONS <= decision.simulations <= most or decision.proven is not None
    assert decision.move in Position.start(GAME, jit=False).moves
    assert 0 <= decision.value <= 1
    check_counts(tree, searcher.config)
    check_values(tree)


COMPILED = [
    {"rave": "mogo", "grave": 4, "pool": 0.5, "knowledge": "squares", "bias": "mango"},
    {
        "knowledge": "squares",
        "prior_visits": 3.0,
        "widen": "power",
        "widen_base": 2.0,
        "widen_growth": 0.25,
        "solver": "wins",
        "transpositions": True,
        "backup": "mix",
        "policy_visits": 4,
    },
]


@pytest.mark.parametrize(
    "settings",
    [COMPILED[0], *(pytest.param(each, marks=pytest.mark.stress) for each in COMPILED[1:])],
    ids=lambda s: ",".join(s),
)
def test_compiled_and_uncompiled_trees_agree(settings):
    trees = [to_json(GAME, searched(settings, jit)[0].tree) for jit in (True, False)]
    assert trees[0] == trees[1]
