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

STATUSES = ("alive", "seki", "dead")
DEAD = -0.5  # the other colour owns more than three quarters of a chain: it is captured
ALIVE = 0.5  # its own colour owns as much: it stays
SIGN = {BLACK: 1.0, WHITE: -1.0}


class Chain(NamedTuple):
    """Points of one colour that hang together, and those around them, walls included."""

    colour: int
    points: Points
    around: set[int]


def chains(board: Board, colours: npt.NDArray[np.int64]) -> Iterator[Chain]:
    """All chains of stones, and all empty regions."""
    steps = board.beside.astype(np.int64).tolist()
    seen: set[int] = set()
    for first in board.vertices.tolist():
        if first in seen:
            continue
        colour = int(colours[first])
        seen.add(first)
        points, around = [first], set()
        for vertex in points:  # grows while it is walked
            for step in steps:
                near = vertex + step
                if colours[near] != colour:
                    around.add(near)
                elif near not in seen:
                    seen.add(near)
                    points.append(near)
        yield Chain(colour, points, around)


def statuses(position: Position, owners: Owners | None) -> dict[str, list[Points]]:
    """The chains that are ``alive``, in ``seki`` and ``dead``; alive if nothing is known.

    In seki are chains of both colours that share a liberty, and whose points nobody owns.
    """
    found: dict[str, list[Points]] = {status: [] for status in STATUSES}
    colours = _colours(position)
    everything = chains(board_of(position.game), colours)
    stones = [chain for chain in everything if chain.colour != EMPTY]
    held = [1.0 if owners is None else _held(chain, owners) for chain in stones]
    unclear = [c for c, share in zip(stones, held, strict=True) if DEAD <= share <= ALIVE]
    for chain, share in zip(stones, held, strict=True):
        liberties = {point for point in chain.around if colours[point] == EMPTY}
        rivals = any(c.colour != chain.colour and c.around & liberties for c in unclear)
        status = "dead" if share < DEAD else "seki" if share <= ALIVE and rivals else "alive"
        found[status].append(sorted(chain.points))
    return found


def _held(chain: Chain, owners: Owners) -> float:
    """How much of a chain its own colour owns: 1 all of it, -1 nothing."""
    return float(np.mean(owners[chain.points])) * SIGN[chain.colour]


def settled_score(position: Position, owners: Owners | None) -> float:
    """By how much Black leads on area when dead stones are taken off, komi included.

    Without owners all stones count as they stand.
    """
    board = board_of(position.game)
    colours = _colours(position)
    for points in statuses(position, owners)["dead"]:
        colours[points] = EMPTY
    lead = -float(position.state[0]["komi"])
    for chain in chains(board, colours):
        touched = {int(colours[point]) for point in chain.around} & {BLACK, WHITE}
        owner = chain.colour if chain.colour != EMPTY else sum(touched)  # of both: nobody
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
    return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"


def _colours(position: Position) -> npt.NDArray[np.int64]:
    return position.state[0]["board"].astype(np.int64)
