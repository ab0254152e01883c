"""One-player games: look for the best line, not for the next move.  Start with `solver`."""

from tesuji.planning.adaptation import Adaptation
from tesuji.planning.nested import Nested
from tesuji.planning.solution import Solution, read
from tesuji.planning.solver import METHODS, Solver, read_method, solve

__all__ = ["METHODS", "Adaptation", "Nested", "Solution", "Solver", "read", "read_method", "solve"]
