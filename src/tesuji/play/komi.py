"""Dynamic komi: in a handicap game search for a smaller gain than the whole game.

A player who is far ahead or far behind sees all moves win, or all lose, and plays carelessly.  With
another komi the game looks even.  The linear rule (Baudis, "Balancing MCTS by Dynamically Adjusting
the Komi Value", 2011) begins with some points for each stone and fades to the real komi.
"""

from itertools import takewhile

from tesuji.games.go.board import BLACK, WHITE
from tesuji.games.go.setup import path_to, with_rules
from tesuji.games.go.status import facets_of, komi_of
from tesuji.play.clock import FULL_AREA
from tesuji.position import Position

FADING = 200  # moves on a full board until the komi is the real one


def handicap(position: Position) -> int:
    """Black's stones on the board before White's first; 0 in a game without handicap."""
    boards = (at.contents for at in path_to(position))
    stones = max((c.count(BLACK) for c in takewhile(lambda c: WHITE not in c, boards)), default=0)
    return stones if stones > 1 else 0


def faded_komi(position: Position, points: float) -> float:
    """The komi to search with, when each stone of handicap is worth so many points."""
    area = len(facets_of(position.game)[1].points)
    left = max(1 - position.ply / (FADING * area / FULL_AREA), 0.0)
    # Whole points: half points would turn wins into draws.
    return komi_of(position) + round(points * handicap(position) * left)


def balanced(position: Position, points: float) -> Position:
    """The position as it is searched when each stone of handicap is worth so many points."""
    territory = position.game.territory
    if territory is None or not territory.komi or not points:
        return position
    komi = faded_komi(position, points)
    return position if komi == komi_of(position) else with_komi(position, komi)


def with_komi(position: Position, komi: float) -> Position:
    """The same position, reached by the same moves, as if komi had been another."""
    field = facets_of(position.game)[1].komi
    return with_rules(position, position.previous, {field: komi}, position.game)
