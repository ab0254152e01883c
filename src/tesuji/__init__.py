"""Tesuji: Monte-Carlo tree search at native speed for games written in plain Python.

import tesuji

position = tesuji.start("go:size=9").play("E5", "C3")
decision = tesuji.search(position, seconds=2)
print(position, decision, sep="\\n")
"""

from tesuji.compile import below, zobrist
from tesuji.errors import (
    CompileError,
    ConfigError,
    ContractError,
    GameError,
    MoveError,
    PositionError,
    ProgramError,
    StoppedError,
    StoreError,
    TesujiError,
)
from tesuji.facets import Board, Cell, Piece, Symmetry, Territory
from tesuji.game import CHANCE, Game, Paint, Playout, Size
from tesuji.games import load
from tesuji.position import Position
from tesuji.search.config import SearchConfig
from tesuji.search.decide import Child, Decision
from tesuji.search.limit import Limit
from tesuji.search.parts.rules import Rule
from tesuji.searcher import Searcher, search

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "Board",
    "Cell",
    "Child",
    "CompileError",
    "ConfigError",
    "ContractError",
    "Decision",
    "Game",
    "GameError",
    "Limit",
    "MoveError",
    "Paint",
    "Piece",
    "Playout",
    "Position",
    "PositionError",
    "ProgramError",
    "Rule",
    "SearchConfig",
    "Searcher",
    "Size",
    "StoppedError",
    "StoreError",
    "Symmetry",
    "Territory",
    "TesujiError",
    "below",
    "load",
    "search",
    "start",
    "zobrist",
]


def start(spec: str) -> Position:
    """The start position of a game: ``start("hex:size=7")``, ``start("path/to/my_game.py")``."""
    return Position.start(load(spec))
