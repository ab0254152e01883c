"""Golden values: the kernels that the search runs, against numbers worked out by hand."""

import numpy as np

from tests.toys.triple_nim import game as triple_nim
from tesuji.compile import specialise
from tesuji.search.backup import back_up
from tesuji.search.bindings import bindings
from tesuji.search.config import SearchConfig
from tesuji.search.context import make_simulations
from tesuji.search.tree import SCALE, allocate


def test_average_backup_credits_the_player_who_chose():
    """Three players; the nodes on the path were chosen by players 0, 1, 2, 0."""
    tree = allocate(0.01)
    of = triple_nim()
    add = specialise(back_up, bindings(of, SearchConfig()), label="backup", jit=False)
    sim = make_simulations(of, SearchConfig())[0]
    sim["path"][:5] = [0, 3, 5, 7, 9]
    sim["chooser"][:5] = [0, 0, 1, 2, 0]
    sim["depth"] = 4
    sim["rewards"] = [0.25, 1.0, 0.0]
    for times in (1, 1, 2):
        add(tree, sim, 0, times)
    values = [tree.nodes[i]["value"] / SCALE / 4 for i in (0, 3, 5, 7, 9)]
    assert values == [0.0, 0.25, 1.0, 0.0, 0.25]


def test_sums_are_exact():
    """A million thirds differ from the true sum by less than the rounding of the unit."""
    unit = int(np.int64((1 / 3) * SCALE + 0.5))
    assert abs(unit * 10**6 / SCALE - 10**6 / 3) < 10**6 / SCALE
