"""What a searcher has inside, for tests that look at the buffers of its first thread."""

from typing import Any

from tesuji import Searcher
from tesuji.compile.plain import view


def simulation(searcher: Searcher) -> Any:
    """The last simulation of the first thread."""
    return view(searcher._trees._runner.sims[0])[0]


def context(searcher: Searcher) -> Any:
    """What the first thread works with."""
    return searcher._trees.own
