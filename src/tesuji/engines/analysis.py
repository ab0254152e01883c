"""Live analysis, as Sabaki and other programs with a board show it.

Two forms are in use.  Leela Zero's has win rates in 1/10,000; KataGo's has numbers from 0 to 1, the
score and, if asked for, who will own each point:

    info move D4 visits 836 winrate 4656 prior 839 lcb 4640 order 0 pv D4 Q16 D16 info move ...
    info move D4 visits 836 winrate 0.4656 scoreMean 1.3 ... order 0 pv D4 Q16 ... ownership 0.9 ...

All figures are seen by the player to move.  Sources: KataGo's docs/GTP_Extensions.md, which
describes both, and Sabaki's docs/guides/engine-analysis-integration.md.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tesuji.engines.engine import Engine
from tesuji.engines.gtp import quote
from tesuji.engines.notation import Notation
from tesuji.engines.server import Arguments, GtpError, Server, Stream, Streamer, bad_syntax
from tesuji.errors import choices
from tesuji.games.go.setup import without_moves
from tesuji.games.go.status import expected_lead
from tesuji.position import Position
from tesuji.search.decide import Decision, Variation

INTERVAL = 100  # centiseconds between two reports, unless the command says
CONFIDENCE = 1.96  # standard deviations from a win rate to its lower bound: 97.5 % lie above it
MOST_MOVES = 1000  # in one report
#: flags that are understood and change nothing: we have no such figures
WITHOUT_EFFECT = (
    "movesOwnership",
    "movesOwnershipStdev",
    "noResultValue",
    "ownershipStdev",
    "pvEdgeVisits",
    "pvVisits",
)
RESTRICTIONS = ("allow", "avoid")
NUMBERS = ("interval", "maxmoves", "minmoves")
KEYS = (*NUMBERS, *RESTRICTIONS, "ownership", "rootInfo", *WITHOUT_EFFECT)


@dataclass
class Request:
    """What a command asks for."""

    player: int
    interval: float = INTERVAL / 100  #: seconds
    most: int = MOST_MOVES  #: moves to show
    ownership: bool = False
    root: bool = False  #: show figures of the position itself?
    allowed: frozenset[int] | None = None  #: the only moves to look at
    avoided: frozenset[int] = frozenset()  #: moves not to look at

    @property
    def restricted(self) -> bool:
        return self.allowed is not None or bool(self.avoided)

    def left_out(self, moves: Iterable[int]) -> list[int]:
        """Those of some moves that are not to be looked at."""
        allowed = self.allowed
        return [
            move
            for move in moves
            if move in self.avoided or (allowed is not None and move not in allowed)
        ]


@dataclass(frozen=True)
class Snapshot:
    """What there is to say about a position; ``owners`` and ``lead`` only if they are known."""

    variations: list[Variation]
    even: float  #: the prior of every move if the method has none
    owners: list[float] | None  #: points row by row from the upper left
    lead: float | None
    root: tuple[int, float] | None = None  #: visits and value of the position


class Form(NamedTuple):
    """How a program writes its reports."""

    share: Callable[[float], str]  #: a number from 0 to 1
    leads: tuple[str, ...]  #: what the lead is called


LEELA = Form(lambda share: str(round(10_000 * share)), ("scoreLead",))  # Sabaki shows the lead, too
KATA = Form(lambda share: f"{share:.6f}", ("scoreMean", "scoreLead"))


class AnalysisCommands:
    """Commands that report while they think."""

    def __init__(self, server: Server, engine: Engine) -> None:
        self._server = server
        self._engine = engine
        for prefix, form in (("", LEELA), ("lz-", LEELA), ("kata-", KATA)):
            server.add_stream(f"{prefix}analyze", self._analyser(form))
            server.add_stream(f"{prefix}genmove_analyze", self._chooser(form))

    def _analyser(self, form: Form) -> Streamer:
        """Makes ``analyze``: think and report until the next line comes."""

        def analyse(arguments: Arguments, stream: Stream) -> None:
            teller = self._teller(arguments, form, stream)
            self._engine.computer.analyse(
                teller.position, teller, teller.interval, lambda: self._server.source.waiting
            )
            if not teller.told:
                teller.tell()

        return analyse

    def _chooser(self, form: Form) -> Streamer:
        """Makes ``genmove_analyze``: as ``genmove``, and report on the way."""

        def choose(arguments: Arguments, stream: Stream) -> None:
            teller = self._teller(arguments, form, stream, chooses=True)
            thought = self._engine.think(teller.position.mover, teller, interval=teller.interval)
            teller.tell()
            stream.say(f"play {self._engine.answer(thought)}")

        return choose

    def _teller(
        self, arguments: Arguments, form: Form, stream: Stream, *, chooses: bool = False
    ) -> "Teller":
        """Read what is asked for; from here on the command is not refused any more."""
        request = read_request(arguments, self._engine)
        if request.restricted and (chooses or self._engine.game.repetition is None):
            raise GtpError("allow and avoid restrict analysis of Go; no other game and no genmove")
        position = self._engine.turn(request.player)
        passing = position.game.pass_move
        forbidden = request.left_out(move for move in position.moves if move != passing)
        stream.open()
        return Teller(self._engine, without_moves(position, forbidden), request, form, stream)


# --- the request ---------------------------------------------------------------------------------


def read_request(arguments: Arguments, engine: Engine) -> Request:
    """Read ``[COLOUR] [INTERVAL] [KEY VALUE]...``."""
    words = Arguments(arguments)
    notation = engine.notation
    request = Request(player=engine.position.mover)
    if words and notation.is_player(words[0]):
        request.player = notation.player(words.pop(0))
    if words and words[0].isdigit():
        words.insert(0, "interval")
    while words:
        word = words.pop(0)
        key = next((key for key in KEYS if key.lower() == word.lower()), None)
        if key is None:
            raise bad_syntax(f"{quote(word)} cannot be asked for; {choices(word, KEYS)}")
        if key in RESTRICTIONS:
            _read_restriction(request, key, words, notation)
        else:
            _read_value(request, key, words)
    return request


def _read_value(request: Request, key: str, words: Arguments) -> None:
    """Take the value of a key off the words; those without effect are only checked."""
    if not words:
        raise bad_syntax(f"{key} needs a value")
    if key in NUMBERS:
        number = words.integer(0, key)
        if key == "interval":
            request.interval = number / 100
        elif key == "maxmoves":
            request.most = max(number, 1)  # an empty line would end the answer
        # minmoves: moves that were never tried have nothing to show
    else:
        wanted = words.flag(0, key)
        if key == "ownership":
            request.ownership = wanted
        elif key == "rootInfo":
            request.root = wanted
    words.pop(0)


def _read_restriction(request: Request, key: str, words: Arguments, notation: Notation) -> None:
    """Take ``COLOUR VERTEX,VERTEX... DEPTH`` off the words."""
    if len(words) < 3:
        raise bad_syntax(f"{key} needs a colour, vertices with commas between them, and a depth")
    player = notation.player(words[0])
    moves = frozenset(notation.move(word) for word in words[1].split(","))
    depth = words.integer(2, f"the depth of {key}")
    if depth != 1:
        raise bad_syntax(f"the depth of {key} is {depth}, it must be 1: the next move alone")
    if request.allowed is not None or (key == "allow" and request.avoided):
        raise bad_syntax("allow can be said once, and not beside avoid")
    del words[:3]
    if player != request.player:
        return  # the next move is not his
    if key == "allow":
        request.allowed = moves
    else:
        request.avoided |= moves


# --- reports -------------------------------------------------------------------------------------


class Teller:
    """Writes reports about one position."""

    def __init__(
        self, engine: Engine, position: Position, request: Request, form: Form, stream: Stream
    ) -> None:
        self.position = position
        self.interval = request.interval
        self.told = False
        self._engine = engine
        self._request = request
        self._form = form
        self._stream = stream

    def __call__(self, decision: Decision) -> None:
        self.tell()

    def tell(self) -> None:
        """Write what is known now."""
        self.told = True
        self._stream.say(write_report(self._report(), self._form))

    def _report(self) -> Snapshot:
        engine, position = self._engine, self.position
        owners = engine.owners()
        sign = 1.0 if position.mover == 0 else -1.0
        shown = None
        if owners is not None and self._request.ownership:
            shown = [sign * float(owners[point]) for point in engine.notation.points()]
        return Snapshot(
            variations=self._variations(),
            even=1 / len(position.moves),
            owners=shown,
            lead=None if owners is None else sign * expected_lead(position, owners),
            root=engine.computer.summary() if self._request.root else None,
        )

    def _variations(self) -> list[Variation]:
        """The best moves of those to look at; a pass is always searched, but need not be shown."""
        found = self._engine.variations(self._request.most + 1)
        passing = [self.position.game.pass_move]
        passes = self._request.left_out(passing) if self._request.restricted else []
        shown = [variation for variation in found if variation.child.move not in passes]
        return (shown or found)[: self._request.most]


# --- the text ------------------------------------------------------------------------------------


def write_report(report: Snapshot, form: Form) -> str:
    """A report as one line."""
    parts = []
    lead = [] if report.lead is None else [f"{key} {report.lead:.2f}" for key in form.leads]
    for order, variation in enumerate(report.variations):
        child = variation.child
        prior = report.even if variation.prior is None else variation.prior
        parts += [
            f"info move {child.text} visits {child.visits} winrate {form.share(child.value)}",
            *lead,
            f"prior {form.share(prior)} lcb {form.share(lower_bound(child.value, child.visits))}",
            f"order {order} pv {' '.join(variation.line)}",
        ]
    if report.root is not None:
        visits, value = report.root
        parts += [f"rootInfo visits {visits} winrate {form.share(value)}", *lead]
    if report.owners is not None:
        parts += ["ownership", *(f"{owner:.3f}" for owner in report.owners)]
    return " ".join(parts)


def lower_bound(value: float, visits: int) -> float:
    """Wilson's lower bound of a win rate: near 0 after few visits, near the win rate after many.

    >>> [round(lower_bound(0.5, visits), 3) for visits in (1, 100, 10_000)]
    [0.055, 0.404, 0.49]
    """
    z2 = CONFIDENCE**2 / visits
    spread = math.sqrt(z2 * (value * (1 - value) + z2 / 4))
    return (value + z2 / 2 - spread) / (1 + z2)
