"""Transition probabilities: how often good players choose a category of moves when they can.

    P = positions in which a move of the category was played
        / positions in which one could be played

(Tsuruoka, Yokoyama and Chikayama 2002; for Monte-Carlo tree search Winands, Björnsson and Saito
2008).  `self_play` is the match that the games come from, `count_games` counts, `write_table`
writes what a game reads as its knowledge ``transitions``.

A game can be learned if the module that defines its ``start`` also defines ``CATEGORIES`` (how
many there are), ``category(state, move)`` (a kernel, never asked about a pass) and
``category_text(category)``.
"""

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.compile import Slot, specialise
from tesuji.errors import GameError
from tesuji.game import CHANCE, Game, Kernel
from tesuji.games import load, names
from tesuji.lab.budget import Budget
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Match, Rules
from tesuji.lab.opening import Openings
from tesuji.lab.play import Played
from tesuji.learn.files import write_whole
from tesuji.position import Position

OPENING_PLIES = 4  # random ones, so that games differ; they are not counted

rules = Slot("rules")
learner = Slot("learner")
PASS = Slot("PASS")


class Categories(NamedTuple):
    """The categories of a game's moves."""

    total: int
    category: Kernel  #: ``(state, move)``
    text: Callable[[int], str]


class Table(NamedTuple):
    """In how many positions a category was played, and in how many it was available."""

    played: npt.NDArray[np.int64]
    available: npt.NDArray[np.int64]

    @property
    def probability(self) -> npt.NDArray[np.float64]:
        """Of each category; 0 where nothing is known."""
        return self.played / np.maximum(self.available, 1)

    @property
    def positions(self) -> int:
        """How many were counted: in each of them one category was played."""
        return int(self.played.sum())


def categories(game: Game) -> Categories:
    """The categories that a game's module defines."""
    module: Any = inspect.getmodule(game.start)
    if not hasattr(module, "category"):
        valid = ", ".join(name for name in names() if _has_categories(name))
        raise GameError(f"{game.spec} has no categories of moves to learn about; valid: {valid}")
    return Categories(module.CATEGORIES, module.category, module.category_text)


def _has_categories(name: str) -> bool:
    return hasattr(inspect.getmodule(load(name).start), "category")


def self_play(spec: str, simulations: int, seed: int) -> Match:
    """The match whose games are learned from: plain UCT against itself."""
    rules = Rules(Budget(sims=simulations), Openings("random", OPENING_PLIES))
    return Match(spec, Entrant.parse("uct"), Entrant.parse("uct"), seed, rules)


def count_games(game: Game, games: Iterable[Played]) -> Table:
    """Count over all positions after the openings in which a player had a choice to make."""
    known = categories(game)
    bindings = {**game.bindings, "learner": {"category": known.category}, "PASS": game.pass_move}
    kernel = specialise(count_line, bindings, label=f"categories of {game.name}")
    table = Table(np.zeros(known.total, np.int64), np.zeros(known.total, np.int64))
    start = Position.start(game).state
    moves = np.zeros(game.max_moves, np.int32)
    for played in games:
        line = [game.parse_move(text) for text in played.opening + played.moves]
        seen = np.full(known.total, -1, np.int64)
        opening = len(played.opening)
        kernel(start.copy(), np.array(line, np.int64), opening, moves, seen, table)
    return table


def count_line(states: Any, line: Any, opening: int, moves: Any, seen: Any, table: Table) -> None:
    """Kernel: play a game again; ``seen`` has the last ply at which a category was available."""
    for ply in range(len(line)):
        if ply >= opening and line[ply] != PASS and rules.mover(states[0]) != CHANCE:
            count_available(states[0], ply, moves, seen, table)
            table.played[learner.category(states[0], line[ply])] += 1
        rules.play(states[0], line[ply])


def count_available(state: Any, ply: int, moves: Any, seen: Any, table: Table) -> None:
    """Kernel: each category counts once in a position, however many moves it has there."""
    for i in range(rules.moves(state, moves)):
        if moves[i] == PASS:
            continue
        category = learner.category(state, moves[i])
        if seen[category] != ply:
            seen[category] = ply
            table.available[category] += 1


def write_table(path: Path, title: str, table: Table, text: Callable[[int], str]) -> None:
    """Write one line for each category that was ever available; the file appears as a whole."""
    lines = [f"# {title}", "# category, played, available, probability"]
    for category in np.flatnonzero(table.available).tolist():
        figures = f"{category:4} {table.played[category]:7} {table.available[category]:8}"
        lines.append(f"{figures} {table.probability[category]:8.5f}  # {text(category)}")
    write_whole(path, "\n".join([*lines, ""]))
