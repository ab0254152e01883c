"""Pictures for GoGui: what the last search thought of the points of the board.

GoGui asks for ``gogui-analyze_commands``, offers what it finds there in a menu, and draws the
answers: labels, variations, and squares whose size is a number from -1 (white) to 1 (black).  The
form: GoGui's manual, chapter "Analyze Commands".

The game's `Board` tells where to draw: a move is the cells that a person clicks for it.  Moves that
need several clicks are shown together, at the cell where they begin.
"""

from collections.abc import Callable, Mapping

from tesuji.engines.engine import Engine
from tesuji.engines.gtp import quote
from tesuji.engines.notation import COLOURS
from tesuji.engines.server import Arguments, GtpError, Server, bad_syntax
from tesuji.errors import choices
from tesuji.games.go.status import expected_lead, lead_text
from tesuji.position import Position
from tesuji.search.decide import Variation

MOST_LABELS = 30
#: what else the menu offers, where the command is known
MENU = (
    "param/Settings/tesuji-param",
    "plist/Legal moves/gogui-rules_legal_moves",
    "string/Final score/final_score",
    "plist/Dead stones/final_status_list dead",
    "plist/Stones in seki/final_status_list seki",
    "plist/Living stones/final_status_list alive",
    "string/CPU time/cputime",
)


class GraphicsCommands:
    """Commands whose answers GoGui draws."""

    def __init__(self, server: Server, engine: Engine) -> None:
        self._server = server
        self._engine = engine
        self._pictures: dict[str, Callable[[Position], list[str]]] = {
            "visits": self._visits,
            "values": self._values,
            "line": self._line,
            "prior": self._prior,
            "amaf": self._amaf,
        }
        if engine.game.territory is not None:
            self._pictures["ownership"] = self._ownership
        server.add("tesuji-gfx", self.gfx)
        server.add("gogui-analyze_commands", self.analyze_commands)

    def analyze_commands(self, arguments: Arguments) -> str:
        """What GoGui's menu offers: type, label and command."""
        arguments.expect(0)
        lines = [f"gfx/{name.capitalize()}/tesuji-gfx {name}" for name in self._pictures]
        known = self._server.commands
        offered = [line for line in MENU if line.split("/")[2].split()[0] in known]
        return "\n".join([*lines, *offered])

    def gfx(self, arguments: Arguments) -> str:
        """``tesuji-gfx PICTURE``: search this position, if that is not done yet, and draw."""
        arguments.expect(1)
        picture = self._pictures.get(arguments[0].lower())
        if picture is None:
            valid = choices(arguments[0].lower(), self._pictures)
            raise bad_syntax(f"there is no picture {quote(arguments[0])}; {valid}")
        return "\n".join(picture(self._engine.look()))

    # --- the pictures

    def _visits(self, position: Position) -> list[str]:
        """Simulations through each move."""
        found = {
            cell: sum(v.child.visits for v in moves)
            for cell, moves in self._starts(position).items()
        }
        most = max(found.values(), default=1)
        return [
            _labels({cell: _short(visits) for cell, visits in found.items()}),
            self._squares({cell: visits / most for cell, visits in found.items()}, position),
            self._summary(position),
        ]

    def _values(self, position: Position) -> list[str]:
        """The win rate of each move, in percent; of several at a cell, the most visited one's."""
        starts = self._starts(position)
        found = {cell: moves[0].child.value for cell, moves in starts.items()}
        return [*self._shares(found, position), self._summary(position)]

    def _line(self, position: Position) -> list[str]:
        """The main line, as numbered stones; numbered clicks where a move needs several."""
        notation, players = self._engine.notation, position.game.players
        if players > len(COLOURS):
            raise GtpError(f"lines are drawn in two colours, and this game has {players} players")
        steps, moves, at = [], [], position
        for text in self._engine.variations(1)[0].line:
            move = notation.move(text)
            if move not in at.moves:
                break  # superko: the line was searched after other moves
            path = notation.clicks(at, move)
            steps.append(path)
            moves.append(f"{notation.colour(at.mover)[0]} {' '.join(path) or text}")
            at = at.play(move)
        if max(map(len, steps)) > 1:
            drawn = _labels({cell: str(number) for number, cell in enumerate(steps[0], 1)})
        else:
            drawn = f"VAR {' '.join(moves)}"
        return [drawn, self._summary(position)]

    def _prior(self, position: Position) -> list[str]:
        """What knowledge says of each move, in percent."""
        starts = self._starts(position)
        found = {cell: sum(v.prior or 0.0 for v in moves) for cell, moves in starts.items()}
        if all(v.prior is None for moves in starts.values() for v in moves):
            raise GtpError("this method has no knowledge about moves to show")
        most = max(found.values()) or 1.0
        return [
            _labels({cell: _percent(prior) for cell, prior in found.items()}),
            self._squares({cell: prior / most for cell, prior in found.items()}, position),
        ]

    def _amaf(self, position: Position) -> list[str]:
        """The AMAF value of each move, in percent."""
        found = {
            cell: moves[0].amaf
            for cell, moves in self._starts(position).items()
            if moves[0].amaf is not None
        }
        if not found:
            raise GtpError("this method has no AMAF values to show")
        return self._shares(found, position)

    def _ownership(self, position: Position) -> list[str]:
        """Who owns each point at the end."""
        owners = self._engine.owners()
        if owners is None:
            raise GtpError("this method does not count who owns the points")
        notation = self._engine.notation
        squares = [f"{notation.text(p)} {owners[p]:.2f}" for p in notation.points()]
        lead = expected_lead(position, owners)
        return [f"INFLUENCE {' '.join(squares)}", f"TEXT {lead_text(round(lead, 1))} on average"]

    def _starts(self, position: Position) -> dict[str, list[Variation]]:
        """The best moves that can be drawn, the best first, by the cell that is clicked first."""
        found: dict[str, list[Variation]] = {}
        for variation in self._engine.variations(MOST_LABELS):
            for cell in self._engine.notation.clicks(position, variation.child.move)[:1]:
                found.setdefault(cell, []).append(variation)
        return found

    def _summary(self, position: Position) -> str:
        best = self._engine.variations(1)[0]
        who = self._engine.notation.colour(position.mover).capitalize()
        value = f"{best.child.value:.1%} after {best.child.visits:,} visits"
        return f"TEXT {who} {best.child.text}: {value}, line {' '.join(best.line)}"

    def _shares(self, found: Mapping[str, float], position: Position) -> list[str]:
        """Numbers from 0 to 1 around one half: in percent, and as squares of who is better off."""
        return [
            _labels({cell: _percent(share) for cell, share in found.items()}),
            self._squares({cell: 2 * share - 1 for cell, share in found.items()}, position),
        ]

    def _squares(self, sizes: Mapping[str, float], position: Position) -> str:
        """Squares in the mover's colour, and in the other one for negative numbers."""
        sign = -1 if self._engine.notation.colour(position.mover) == "white" else 1
        return "INFLUENCE " + " ".join(f"{cell} {sign * size:.2f}" for cell, size in sizes.items())


def _labels(texts: Mapping[str, str]) -> str:
    return "LABEL " + " ".join(f"{cell} {text}" for cell, text in texts.items())


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def _short(visits: int) -> str:
    """A number that fits on a point.

    >>> [_short(n) for n in (999, 12_345, 3_000_000)]
    ['999', '12k', '3M']
    """
    if visits < 1000:
        return str(visits)
    return f"{visits // 1000}k" if visits < 1_000_000 else f"{visits // 1_000_000}M"
