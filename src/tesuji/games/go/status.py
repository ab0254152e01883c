"""Which stones live at the end, judged by who owns their points, and the score that follows.

Ownership is an array over move codes: 1 where Black owns a point at the end of every playout, -1
where White does.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.games.go.board import BLACK, EMPTY, WHITE, Board
from tesuji.games.go.setup import board_of
from tesuji.position import Position

Owners = npt.NDArray[np.float64]
Points = list[int]

DEAD = -0.5  # a chain whose own colour owns its points less than this is captured
ALIVE = 0.5  # and one that has more than this stays; between them nobody can capture
SIGN = {BLACK: 1.0, WHITE: -1.0}


class Chain(NamedTuple):
    """Points of one colour that hang together, and what lies around."""

    colour: int
    points: Points
    borders: set[int]  #: colours of its neighbours


def chains(board: Board, colours: npt.NDArray[np.int64]) -> Iterator[Chain]:
    """All chains of stones, and all empty regions."""
    steps = board.beside.astype(np.int64).tolist()
    seen: set[int] = set()
    for first in board.vertices.tolist():
        if first in seen:
            continue
        colour = int(colours[first])
        seen.add(first)
        points, borders = [first], set()
        for vertex in points:  # grows while it is walked
            for step in steps:
                near = vertex + step
                if colours[near] != colour:
                    borders.add(int(colours[near]))
                elif near not in seen:
                    seen.add(near)
                    points.append(near)
        yield Chain(colour, points, borders)


def statuses(position: Position, owners: Owners | None) -> dict[str, list[Points]]:
    """The chains that are ``alive``, in ``seki`` and ``dead``; alive if nothing is known."""
    found: dict[str, list[Points]] = {"alive": [], "seki": [], "dead": []}
    for chain in chains(board_of(position.game), _colours(position)):
        if chain.colour != EMPTY:
            found[_status(chain, owners)].append(sorted(chain.points))
    return found


def _status(chain: Chain, owners: Owners | None) -> str:
    if owners is None:
        return "alive"
    held = float(np.mean(owners[chain.points])) * SIGN[chain.colour]
    return "dead" if held < DEAD else "alive" if held > ALIVE else "seki"


def settled_score(position: Position, owners: Owners | None) -> float:
    """By how much Black leads on area when dead stones are taken off, komi included."""
    board = board_of(position.game)
    colours = _colours(position)
    for points in statuses(position, owners)["dead"]:
        colours[points] = EMPTY
    lead = -float(position.state[0]["komi"])
    for chain in chains(board, colours):
        around = chain.borders & {BLACK, WHITE}
        owner = chain.colour if chain.colour != EMPTY else around.pop() if len(around) == 1 else 0
        lead += SIGN.get(owner, 0.0) * len(chain.points)
    return lead


def expected_lead(position: Position, owners: Owners) -> float:
    """By how many points Black leads on average, komi included."""
    points = board_of(position.game).vertices
    return float(owners[points].sum()) - float(position.state[0]["komi"])


def lead_text(lead: float) -> str:
    """A score as GTP and SGF write it.

    >>> [lead_text(lead) for lead in (3.5, -0.5, 0.0)]
    ['B+3.5', 'W+0.5', '0']
    """
    points = f"{abs(lead):.1f}".removesuffix(".0")
    return "0" if points == "0" else f"{'B' if lead > 0 else 'W'}+{points}"


def _colours(position: Position) -> npt.NDArray[np.int64]:
    return position.state[0]["board"].astype(np.int64)
