"""Which stones live at the end, judged by who owns their points, and the score that follows.

For every game with `Territory`.  Ownership is an array over move codes: 1 where the first player
owns a point at the end of every playout, -1 where the second does.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.errors import GameError
from tesuji.facets import EMPTY, Board, Territory
from tesuji.game import Game
from tesuji.position import Position

Owners = npt.NDArray[np.float64]
Points = list[int]  # as move codes

STATUSES = ("alive", "seki", "dead")
DEAD = -0.5  # the other colour owns more than three quarters of a chain: it is captured
ALIVE = 0.5  # its own colour owns as much: it stays
SIGN = {1: 1.0, 2: -1.0}  # of what stands on a cell


class Chain(NamedTuple):
    """Cells with the same on them that hang together, and those around them."""

    colour: int
    cells: list[int]
    around: set[int]


def facets_of(game: Game) -> tuple[Board, Territory]:
    """The board and its territory; games without are refused."""
    if game.board is None or game.territory is None:
        raise GameError(f"{game.spec} has no territory")
    return game.board, game.territory


def chains(board: Board, contents: Sequence[int]) -> Iterator[Chain]:
    """All chains of stones, and all empty regions."""
    seen: set[int] = set()
    for first, colour in enumerate(contents):
        if first in seen:
            continue
        seen.add(first)
        cells, around = [first], set()
        for cell in cells:  # grows while it is walked
            for near in board.neighbours[cell]:
                if contents[near] != colour:
                    around.add(near)
                elif near not in seen:
                    seen.add(near)
                    cells.append(near)
        yield Chain(colour, cells, around)


def statuses(position: Position, owners: Owners | None) -> dict[str, list[Points]]:
    """The chains that are ``alive``, in ``seki`` and ``dead``; alive if nothing is known.

    In seki are chains of both colours that share a liberty, and whose points nobody owns.
    """
    _, territory = facets_of(position.game)
    return {
        status: [sorted(territory.points[cell] for cell in chain.cells) for chain in found]
        for status, found in _judged(position, owners).items()
    }


def _judged(position: Position, owners: Owners | None) -> dict[str, list[Chain]]:
    board, territory = facets_of(position.game)
    contents = position.contents
    stones = [chain for chain in chains(board, contents) if chain.colour != EMPTY]
    held = [1.0 if owners is None else _held(chain, territory, owners) for chain in stones]
    unclear = [c for c, share in zip(stones, held, strict=True) if DEAD <= share <= ALIVE]
    found: dict[str, list[Chain]] = {status: [] for status in STATUSES}
    for chain, share in zip(stones, held, strict=True):
        liberties = {cell for cell in chain.around if contents[cell] == EMPTY}
        rivals = any(c.colour != chain.colour and c.around & liberties for c in unclear)
        status = "dead" if share < DEAD else "seki" if share <= ALIVE and rivals else "alive"
        found[status].append(chain)
    return found


def _held(chain: Chain, territory: Territory, owners: Owners) -> float:
    """How much of a chain its own colour owns: 1 all of it, -1 nothing."""
    return float(np.mean(owners[[territory.points[c] for c in chain.cells]])) * SIGN[chain.colour]


def captures(position: Position, owners: Owners) -> set[int]:
    """The moves beside dead chains of the opponent's."""
    _, territory = facets_of(position.game)
    contents, mine = position.contents, position.mover + 1
    dead = [chain for chain in _judged(position, owners)["dead"] if chain.colour != mine]
    liberties = {cell for chain in dead for cell in chain.around if contents[cell] == EMPTY}
    return {territory.points[cell] for cell in liberties}


def settled_score(position: Position, owners: Owners | None) -> float:
    """By how much the first player leads on area when dead stones are taken off, after komi.

    Without owners all stones count as they stand.
    """
    board, _ = facets_of(position.game)
    contents = list(position.contents)
    for dead in _judged(position, owners)["dead"]:
        for cell in dead.cells:
            contents[cell] = EMPTY
    lead = -komi_of(position)
    for chain in chains(board, contents):
        touched = {contents[cell] for cell in chain.around} - {EMPTY}
        owner = chain.colour if chain.colour != EMPTY else sum(touched)  # of both: nobody
        lead += SIGN.get(owner, 0.0) * len(chain.cells)
    return lead


def expected_lead(position: Position, owners: Owners) -> float:
    """By how many points the first player leads on average, after komi."""
    _, territory = facets_of(position.game)
    return float(owners[list(territory.points)].sum()) - komi_of(position)


def komi_of(position: Position) -> float:
    """What the first player owes the second."""
    _, territory = facets_of(position.game)
    return float(position.state[0][territory.komi]) if territory.komi else 0.0


def lead_text(lead: float) -> str:
    """A score as GTP and SGF write it.

    >>> [lead_text(lead) for lead in (3.5, -0.5, 0.0)]
    ['B+3.5', 'W+0.5', '0']
    """
    return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"
