"""The walk over the children: what it knows of each, and which it follows."""

import numpy as np
import pytest

from tesuji import SearchConfig, load
from tesuji.compile import specialise
from tesuji.compile.plain import view
from tesuji.search import select
from tesuji.search import tree as t
from tesuji.search.bindings import bindings, node_fields
from tesuji.search.context import make_context, make_params, make_simulations

GAME = load("tictactoe")


class Family:
    """A node with children (mean, visits), and the kernels that a search runs on it."""

    def __init__(self, *children, **settings):
        self.config = SearchConfig(**settings)
        self.tree = t.allocate(0.05, node_fields(GAME, self.config))
        self.tree.nodes[t.ROOT]["count"] = len(children)
        self.tree.nodes[t.ROOT]["status"] = t.EXPANDED
        self.tree.nodes[t.ROOT]["visits"] = sum(visits for _, visits in children)
        for move, (mean, visits) in enumerate(children):
            node = self.tree.nodes[self.kernel(t.append)(self.tree, t.ROOT, move)]
            node["visits"], node["value"] = visits, round(mean * visits * t.SCALE)

    def kernel(self, function):
        return specialise(function, bindings(GAME, self.config), label="kernel", jit=False)

    def followed(self):
        """The move of the child that the rule prefers."""
        sim = make_simulations(GAME, self.config)[0]
        own, params = make_context(GAME, self.config), view(make_params(GAME, self.config))[0]
        chosen = self.kernel(select.best_child)(self.tree, t.ROOT, sim, own, params, None)
        return int(self.tree.nodes[chosen]["move"])


def test_the_best_child_is_followed_and_the_earliest_of_equals():
    assert Family((0.2, 10), (0.6, 10), (0.4, 10)).followed() == 1
    assert Family((0.2, 10), (0.6, 10), (0.6, 10)).followed() == 1


def test_few_visits_make_a_child_worth_following():
    assert Family((0.5, 90), (0.5, 10), (0.5, 50)).followed() == 1


@pytest.mark.parametrize(("rewards", "variance"), [((0, 1, 1, 0), 0.25), ((0.5, 1), 0.0625)])
def test_the_variance_is_that_of_the_rewards(rewards, variance):
    mean = float(np.mean(rewards))
    family = Family((mean, len(rewards)), select="ucb1-tuned")
    family.tree.nodes[1]["squares"] = sum(reward**2 for reward in rewards) * t.SCALE
    kernel = family.kernel(select.variance_of)
    assert kernel(view(family.tree).nodes[1], mean) == pytest.approx(variance)
