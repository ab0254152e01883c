"""Games of Go as SGF files, through sgfmill: `read_sgf` and `to_sgf`.

Reading has two steps.  `parse_sgf` turns bytes into a `Record`, which is what the file says;
`Record.position` plays its main line by our rules, up to any move.  Set-up nodes, also in the
middle of a game, and moves out of turn begin a new origin and keep what may not be repeated.

sgfmill knows squares only.  A rectangle is read and written as the smallest square around it, whose
lower rows are not used: SGF counts rows from the top, so its points keep their names.

The format: Hollosi, "SGF File Format FF[4]" (1999), https://www.red-bean.com/sgf/.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from sgfmill import sgf, sgf_grammar

from tesuji.errors import GameError, MoveError, PositionError
from tesuji.game import Game, Size
from tesuji.games import load
from tesuji.games.go.board import BLACK, PASS, WHITE, Board, make_board
from tesuji.games.go.rulesets import find_ruleset, ruleset_of
from tesuji.games.go.setup import board_of, path_to, set_up, stones, to_move, with_rules
from tesuji.games.go.status import lead_text, settled_score
from tesuji.position import Position

COLOURS = ("b", "w")  # sgfmill's names of the players
GO = b"1"  # the value of GM
MAY_BE_EMPTY = ("CA", "GM", "HA", "KM", "SZ")  # of the root: without a value they say nothing
NORMAL_SIZE = 19  # of a file that says nothing

Point = tuple[int, int]  # sgfmill's row and column, from the lower left of its square


# --- reading -------------------------------------------------------------------------------------


class Step(NamedTuple):
    """What one node of a file changes: first the stones, then who moves, then a move."""

    black: frozenset[int] = frozenset()
    white: frozenset[int] = frozenset()
    empty: frozenset[int] = frozenset()
    mover: int | None = None
    move: tuple[int, int] | None = None  #: player and move code

    @property
    def changes_stones(self) -> bool:
        return bool(self.black or self.white or self.empty)


@dataclass(frozen=True)
class Record:
    """What an SGF file says; moves and points are move codes."""

    size: Size
    komi: float | None  #: None if the file does not say
    rules: str
    handicap: int
    names: tuple[str, str]
    result: str
    steps: tuple[Step, ...]

    @property
    def length(self) -> int:
        """How many moves the main line has."""
        return sum(step.move is not None for step in self.steps)

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters of Go that the file gives, without those that it leaves open."""
        rules = find_ruleset(self.rules)
        return {
            "size": self.size,
            **({} if self.komi is None else {"komi": self.komi}),
            **({} if rules is None else rules.parameters),
        }

    def game(self) -> Game:
        """Go as the file wants it."""
        usual = load("go").parameters
        options = [
            f"{key}={value}"
            for key, value in self.parameters.items()
            if key in ("size", "komi") or value != usual[key]
        ]
        return load(f"go:{','.join(options)}")

    def position(self, moves: int | None = None, game: Game | None = None) -> Position:
        """The position after so many moves of the main line, or at its end.

        With a ``game`` its rules hold, and of the file only the komi.
        """
        game = self.game() if game is None else game
        if board_of(game).size != self.size:
            raise PositionError(f"the record is on a board of {self.size}, {game.spec} is not")
        position = _begin(game, self.komi)
        number = 0
        for step in self.steps:
            if step.move is not None and number == moves:
                break
            position = _change(position, step)
            if step.move is not None:
                number += 1
                position = _play(position, *step.move, number)
        return position


def read_sgf(path: str | Path, moves: int | None = None, game: Game | None = None) -> Position:
    """The position in a file after so many moves of its main line, or at its end."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise PositionError(f"cannot read {path}: {error.strerror}") from None
    try:
        return parse_sgf(data).position(moves, game)
    except (PositionError, GameError) as error:
        raise PositionError(f"{path}: {error}") from None


def parse_sgf(data: bytes) -> Record:
    """Read the main line of the first game of a file.

    >>> parse_sgf(b"(;SZ[9]KM[6.5];B[ee];W[])").position()
    <Position go:size=9,komi=6.5 after 2 moves>
    """
    try:
        coarse = sgf_grammar.parse_sgf_game(data)
        _forgive(coarse.sequence[0], data)
        _check_kind(coarse.sequence[0])
        size = _take_size(coarse.sequence[0])
        tree = sgf.Sgf_game.from_coarse_game_tree(coarse)
        board = make_board(size)
        root = tree.get_root()
        return Record(
            size=size,
            komi=root.get("KM") if root.has_property("KM") else None,
            rules=root.get("RU") if root.has_property("RU") else "",
            handicap=tree.get_handicap() or 0,
            names=(tree.get_player_name("b") or "", tree.get_player_name("w") or ""),
            result=root.get("RE") if root.has_property("RE") else "",
            steps=_steps(board, list(tree.main_sequence_iter()), tree.get_handicap() or 0),
        )
    except ValueError as error:
        raise PositionError(
            f"this is not a game of Go in SGF: {str(error) or 'bad value'}"
        ) from None


def _forgive(root: dict[str, list[bytes]], data: bytes) -> None:
    """Change what some programs write and sgfmill refuses: ``KM[]``, ``KM[6,5]``, a wrong ``CA``.

    Only names and comments need the encoding; without it they are read as ISO 8859-1.
    """
    for key in MAY_BE_EMPTY:
        if key in root and not root[key][0].strip():
            del root[key]
    if "KM" in root:
        root["KM"] = [root["KM"][0].replace(b",", b".")]
        _check_komi(root["KM"][0].decode("ascii", "replace"))
    if "CA" in root and not _is_text(data, root["CA"][0].decode("ascii", "replace")):
        del root["CA"]


def _is_text(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except (LookupError, ValueError):
        return False
    return True


def _check_komi(text: str) -> None:
    try:
        float(text)
    except ValueError:
        raise ValueError(f"KM is {text!r}, it must be a number such as 6.5") from None


def _check_kind(root: dict[str, list[bytes]]) -> None:
    kind = root.get("GM", [GO])[0]
    if kind != GO:
        raise ValueError(f"GM is {kind.decode('ascii', 'replace')!r}, it must be 1")


def _take_size(root: dict[str, list[bytes]]) -> Size:
    """The size of the board; leaves that of the square around it, see above."""
    text = root.get("SZ", [b"%d" % NORMAL_SIZE])[0].decode("ascii", "replace")
    width, _, height = text.partition(":")
    try:
        size = Size(int(width), int(height or width))
    except ValueError:
        raise ValueError(f"SZ is {text!r}, it must be a size such as 19 or 9:7") from None
    make_board(size)  # refuses what cannot be played on
    root["SZ"] = [b"%d" % max(size)]
    return size


def _steps(board: Board, nodes: Sequence[sgf.Node], handicap: int) -> tuple[Step, ...]:
    steps = [_step(board, node, number) for number, node in enumerate(nodes)]
    first = steps[0]
    if handicap and first.mover is None and first.black:
        steps[0] = first._replace(mover=1)
    return tuple(steps)


def _step(board: Board, node: sgf.Node, number: int) -> Step:
    try:
        black, white, empty = (
            frozenset(_code(board, point) for point in points) for points in node.get_setup_stones()
        )
        mover = COLOURS.index(node.get("PL")) if node.has_property("PL") else None
        colour, point = node.get_move()
        move = None if colour is None else (COLOURS.index(colour), _code(board, point))
    except ValueError as error:
        raise ValueError(f"node {number}: {str(error) or 'a property has a bad value'}") from None
    return Step(black, white, empty, mover, move)


def _code(board: Board, point: Point | None) -> int:
    """The move code of sgfmill's point."""
    if point is None:
        return PASS
    width, height = board.size
    row, column = point[0] - (max(board.size) - height), point[1]
    if row < 0 or column >= width:
        raise ValueError(f"a point is not on the board of {board.size}")
    return int(board.vertices[row * width + column])


def _begin(game: Game, komi: float | None) -> Position:
    """The empty board, with the komi of a record if it gives one."""
    start = Position.start(game)
    return start if komi is None else with_rules(start, None, {"komi": komi}, game)


def _change(position: Position, step: Step) -> Position:
    """Do what a set-up node says."""
    if step.changes_stones:
        gone = step.black | step.white | step.empty
        black, white = (
            (set(stones(position, colour)) - gone) | new
            for colour, new in ((BLACK, step.black), (WHITE, step.white))
        )
        mover = position.mover if step.mover is None else step.mover
        komi = float(position.state[0]["komi"])
        return set_up(position.game, black, white, mover, komi=komi, previous=position)
    if step.mover is not None and step.mover != position.mover:
        return to_move(position, step.mover)
    return position


def _play(position: Position, player: int, move: int, number: int) -> Position:
    """Play a move of a record, also out of turn and after two passes, as records have them."""
    if position.mover != player or position.over:
        position = to_move(position, player)
    try:
        return position.play(move)
    except MoveError:
        who = position.game.player_names[player]
        raise PositionError(
            f"move {number}, {who} {position.move_text(move)}, is not legal there"
        ) from None


# --- writing -------------------------------------------------------------------------------------


class Thought(Protocol):
    """What a note takes from a search's ``Decision``."""

    @property
    def value(self) -> float: ...
    @property
    def visits(self) -> int: ...
    @property
    def simulations(self) -> int: ...
    @property
    def line(self) -> Sequence[str]: ...


class Note(NamedTuple):
    """What to say about a move: a comment, and moves to show beside it as a variation."""

    comment: str
    line: Sequence[str] = ()


def note(decision: Thought) -> Note:
    """A decision as a note: what the search thought of its move, and its main line."""
    return Note(
        f"win rate {decision.value:.1%}, {decision.visits:,} visits, "
        f"{decision.simulations:,} simulations",
        decision.line,
    )


def to_sgf(
    position: Position,
    *,
    names: tuple[str, str] = ("", ""),
    result: str = "",
    notes: Mapping[int, Note] | None = None,
    properties: Mapping[str, Any] | None = None,
) -> bytes:
    """The game that led to a position as an SGF file.

    ``notes`` are by the number of a move, from 0; ``properties`` are for the root, such as ``DT``
    or ``GC``, with values as sgfmill takes them.  A game that is over has its area score as its
    result if none is given.
    """
    board = board_of(position.game)
    path = path_to(position)
    tree = sgf.Sgf_game(max(board.size))
    root = tree.get_root()
    for key, value in {
        "AP": ("tesuji", ""),
        "PB": names[0],
        "PW": names[1],
        "KM": float(position.state[0]["komi"]),
        "RU": ruleset_of(position.game.parameters).sgf,
        "RE": result or (lead_text(settled_score(position, None)) if position.over else ""),
        "HA": _handicap(path[0]) or "",
        **(properties or {}),
    }.items():
        if value != "":
            root.set(key, value)
    _write_setup(board, root, None, path[0])
    _write_moves(board, tree, path, notes or {})
    return _serialise(tree, board.size)


def _handicap(first: Position) -> int:
    """How many handicap stones a game begins with: two or more of Black alone, White to move."""
    black = len(stones(first, BLACK))
    return black if black > 1 and first.mover == 1 and not stones(first, WHITE) else 0


def _write_moves(
    board: Board, tree: Any, path: Sequence[Position], notes: Mapping[int, Note]
) -> None:
    node = tree.get_root()
    number = 0
    for before, after in pairwise(path):
        parent, node = node, node.new_child()
        if after.move is None:
            _write_setup(board, node, before, after)
            continue
        node.set_move(COLOURS[before.mover], _point(board, after.move))
        if number in notes:
            node.set("C", notes[number].comment)
            _write_line(board, parent, before, notes[number].line)
        number += 1


def _write_line(board: Board, parent: Any, before: Position, line: Sequence[str]) -> None:
    """A variation beside a move, so that the first line of the file stays what was played."""
    node = parent
    for number, text in enumerate(line):
        node = node.new_child()
        colour = COLOURS[(before.mover + number) % 2]
        node.set_move(colour, _point(board, before.game.parse_move(text)))


def _write_setup(board: Board, node: Any, before: Position | None, after: Position) -> None:
    """The stones that came, changed or went, and whose turn it is if that is not plain."""
    old = [set(stones(before, c)) if before is not None else set() for c in (BLACK, WHITE)]
    new = [set(stones(after, c)) for c in (BLACK, WHITE)]
    gone = (old[0] | old[1]) - (new[0] | new[1])
    node.set_setup_stones(
        *(_points(board, codes) for codes in (new[0] - old[0], new[1] - old[1], gone))
    )
    if before is not None or after.mover != 0 or new[0] or new[1]:
        node.set("PL", COLOURS[after.mover])


def _points(board: Board, codes: Collection[int]) -> list[Point]:
    return [point for code in codes if (point := _point(board, code)) is not None]


def _point(board: Board, code: int) -> Point | None:
    """sgfmill's point for a move code; None for a pass."""
    if code == PASS:
        return None
    row, column = divmod(board.point(code), board.size.width)
    return row + max(board.size) - board.size.height, column


def _serialise(tree: Any, size: Size) -> bytes:
    if size.width != size.height:  # behind sgfmill's back: it would refuse
        tree.get_root().get_raw_property_map()["SZ"] = [b"%d:%d" % size]
    data: bytes = tree.serialise()
    return data
