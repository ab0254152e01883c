"""Golden values: the kernels that the search runs, against numbers worked out by hand."""

import numpy as np
import pytest

from tests.toys.triple_nim import game as triple_nim
from tesuji.compile.plain import view
from tesuji.search.backup import back_up
from tesuji.search.select import exploration, upper_bound
from tesuji.search.tree import SCALE, allocate
from tesuji.search.uct import make_work


@pytest.mark.parametrize(
    ("c", "expected"), [(0.7, [0.7124, 0.5743, 0.7359]), (0.43, [0.6305, 0.4685, 0.6063])]
)
def test_uct_bounds(c, expected):
    """Chaslot 2010: n_parent = 100, children (v, n) = (0.5, 50), (0.3, 30), (0.4, 20)."""
    explore = exploration(100, c)
    bounds = [
        upper_bound(round(v * n * SCALE), n, explore) for v, n in ((0.5, 50), (0.3, 30), (0.4, 20))
    ]
    assert bounds == pytest.approx(expected, abs=5e-5)


def test_a_parent_without_visits_explores_nothing():
    assert exploration(0, 0.7) == exploration(1, 0.7) == 0.0


def test_average_backup_credits_the_player_who_chose():
    """Three players; the nodes on the path were chosen by players 0, 1, 2, 0."""
    tree = view(allocate(0.01, keyed=False))
    work = view(make_work(triple_nim()))._replace()
    work.path[:5] = [0, 3, 5, 7, 9]
    work.chooser[:5] = [0, 0, 1, 2, 0]
    work.rewards[:] = [0.25, 1.0, 0.0]
    for _ in range(4):
        back_up(tree, work, 4)
    values = [tree.nodes[i].value / SCALE / 4 for i in (0, 3, 5, 7, 9)]
    assert values == [0.0, 0.25, 1.0, 0.0, 0.25]


def test_sums_are_exact():
    """A million thirds differ from the true sum by less than the rounding of the unit."""
    unit = int(np.int64((1 / 3) * SCALE + 0.5))
    assert abs(unit * 10**6 / SCALE - 10**6 / 3) < 10**6 / SCALE
