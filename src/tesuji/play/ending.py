"""The end of a game: when to resign; with territory when to pass, and when not to.

The rules of the game score the board as it stands.  People take dead stones off first, and who owns
which point at the end of the playouts tells which ones those are.  Start with `resigned` and
`ended`.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tesuji.games.go.status import Owners, captures, facets_of, settled_score
from tesuji.play.clock import extent
from tesuji.position import Position
from tesuji.search.decide import Child, Decision

FEWEST = 100  # simulations: fewer prove neither that a game is lost nor whose a point is
RESIGN_SHARE = 1 / 9  # of the board is filled before anybody resigns
SETTLED = 0.8  # of the playouts give a point to one player: nobody has to play there
SAFE = 0.97  # value of a pass that gives nothing away
HOPE = 0.05  # value of a move that is not lost yet
CLOSE = 0.1  # of the value: what taking dead stones off may cost


def resigned(
    position: Position,
    decision: Decision,
    owners: Owners | None,
    before: float | None,
    least: float,
) -> bool:
    """Is the game lost, and was it so the last time, when its value was ``before``?"""
    if before is None or max(before, worth(decision)) >= least or position.game.players != 2:
        return False
    if sum(child.visits for child in decision.children) < FEWEST:
        return False
    reach = extent(position)
    if reach.played < RESIGN_SHARE * reach.area:
        return False
    return position.game.territory is None or not ahead(position, owners)


def worth(decision: Decision) -> float:
    """The value of a decision, or what is proven."""
    return decision.value if decision.proven is None else decision.proven


def ended(
    position: Position,
    decision: Decision,
    owners: Owners | None,
    check: Callable[[], Owners | None],
    cleanup: bool,
) -> Decision:
    """The decision with the move to play: territory may ask for a pass, or forbid it.

    ``check`` tells who owns which point if the opponent moves next, which may be another matter.
    """
    passing = position.game.pass_move
    if position.game.territory is None:
        return decision
    move = chosen(position, decision, owners, cleanup)
    sure = position.move == passing and ahead(position, None)
    if move == passing and owners is not None and not sure:
        move = chosen(position, decision, check(), cleanup)
    if move == decision.move:
        return decision
    text = position.game.move_text(move)
    # A pass may have been too bad to try.
    child = _child(decision, move) or Child(move, text, 0, decision.value)
    visits, value = child.visits, child.value
    return replace(decision, move=move, text=text, line=(text,), visits=visits, value=value)


def chosen(position: Position, decision: Decision, owners: Owners | None, cleanup: bool) -> int:
    """The move to play when a search says ``decision``: a pass or another one instead, perhaps.

    A pass has to win with the stones as they stand, since the opponent may pass, too, and not agree
    about dead ones.  ``cleanup`` asks for all dead stones to be taken.
    """
    passing = position.game.pass_move
    if cleanup and owners is not None:
        capture = _capture(position, decision, owners)
        if capture is not None:
            return capture
    ends = position.move == passing
    wins = ahead(position, None) and (ends or ahead(position, owners))
    if wins and (ends or finished(position, decision, owners)):
        return passing
    if decision.move == passing and not wins:
        return _other(decision, passing)
    return decision.move


def ahead(position: Position, owners: Owners | None) -> bool:
    """Does the mover win if the game ends now?  Dead stones stay where nothing is known."""
    lead = settled_score(position, owners)
    return (lead if position.mover == 0 else -lead) > 0


def finished(position: Position, decision: Decision, owners: Owners | None) -> bool:
    """Is there nothing left to play for?"""
    if owners is not None:
        _, territory = facets_of(position.game)
        return bool(np.abs(owners[list(territory.points)]).min() >= SETTLED)
    passed = _child(decision, position.game.pass_move)
    return passed is not None and passed.value >= SAFE


def _child(decision: Decision, move: int) -> Child | None:
    return next((child for child in decision.children if child.move == move), None)


def _other(decision: Decision, passing: int) -> int:
    """The best move that is not a lost pass; the pass, if all others are lost too."""
    passed = _child(decision, passing)
    least = max(HOPE, 0.0 if passed is None else passed.value)
    hopeful = [c for c in decision.children if c.move != passing and c.value >= least]
    return hopeful[0].move if hopeful else passing


def _capture(position: Position, decision: Decision, owners: Owners) -> int | None:
    """The best move next to a dead chain of the opponent's, None if there is nothing to take."""
    liberties = captures(position, owners)
    good = [
        c.move
        for c in decision.children
        if c.move in liberties and c.value >= decision.value - CLOSE
    ]
    return good[0] if good else None
