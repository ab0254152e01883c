"""A player of whole games: a search with a clock, early stops, passing, resigning and pondering.

Everything that plays uses it: `tesuji gtp`, `tesuji play`, and matches.  Start with `Player`.
"""

from tesuji.play.clock import Clock, TimeSettings
from tesuji.play.player import Options, Player, Thought, always

__all__ = ["Clock", "Options", "Player", "Thought", "TimeSettings", "always"]
