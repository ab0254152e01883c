"""What a game declares beside its rules, tried out on random games.

A board must show what the drawing shows, and clicks must tell legal moves apart.  A text must be
read back.  A symmetry must map one game onto another: the image of every move is legal in the image
of the position, and the ends are worth the same.  Keys must be those of equal positions only.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tesuji.check.trail import Trail
from tesuji.compile import below
from tesuji.compile.plain import view
from tesuji.errors import MoveError, PositionError
from tesuji.facets import EMPTY, NOBODY, Board, Symmetry, Territory
from tesuji.game import Game, unpainted
from tesuji.position import Position
from tesuji.text import rearranged

CLICKS = 300  # moves of a position whose clicks are looked at; wide games have thousands
SAMPLED = 4  # positions of a game, about, whose texts and keys are looked at
MARK = 0xE000  # the first of the characters that stand for players' pieces in a drawing
TINY = 1e-9


class FacetsWalk(Trail):
    """One game whose rules are known to be good, and what facets say about its positions.

    ``looks`` are those of all positions so far, by their exact keys.
    """

    plain: Position
    compiled: Position

    def __init__(self, game: Game, looks: dict[int, object], rng: Any) -> None:
        super().__init__(game)
        self.looks = looks
        self.rng = view(rng)
        self.others: dict[int, int] = {}  # what is painted for each player besides his pieces
        self.images: list[Position] = []  # of the position, one for each symmetry

    def follow(self, line: Sequence[int]) -> None:
        """Look at the start and at the position after each of some moves."""
        self.plain = Position.start(self.game, jit=False)
        self.compiled = Position.start(self.game, jit=True)
        self.images = [self.compiled for _ in self.game.symmetries]
        if self.game.board is not None:
            self.start(self.game.board)
        self.look()
        for move in line:
            pairs = zip(self.game.symmetries, self.images, strict=True)
            self.images = [self.image_after(symmetry, image, move) for symmetry, image in pairs]
            self.add(move)
            self.plain, self.compiled = self.plain.play(move), self.compiled.play(move)
            self.look()

    def look(self) -> None:
        """Everything that facets say about the position that the walk has come to."""
        position = self.plain
        if self.game.board is not None:
            self.board(self.game.board)
        for symmetry, image in zip(self.game.symmetries, self.images, strict=True):
            self.compare(symmetry, image)
        if position.over or self.sampled():
            self.key()
            self.text()
        if position.over and self.game.territory is not None:
            self.territory(self.game.territory)

    def sampled(self) -> bool:
        ply = self.plain.ply
        return ply < SAMPLED or int(below(self.rng, self.game.max_length)) < SAMPLED

    def state(self) -> Any:
        return view(self.plain.state.copy())[0]

    # --- the board

    def board(self, board: Board) -> None:
        contents = self.contents(board)
        self.drawing(board, contents)
        if not self.plain.over:
            self.clicks(board)
        if board.strokes is not None:
            for stroke in self.ask("board.strokes", board.strokes):
                self.cells("board.strokes", board, stroke)

    def ask(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        return self.guard(name, function, self.state(), *arguments)

    def contents(self, board: Board) -> list[int]:
        contents = list(self.ask("board.contents", board.contents))
        if len(contents) != len(board.cells):
            raise self.broken(
                f"board.contents() tells of {len(contents)} cells, the board has {len(board.cells)}"
            )
        for cell, what in zip(board.cells, contents, strict=True):
            if not 0 <= what <= len(board.pieces):
                raise self.broken(
                    f"board.contents() has {what} on {cell.name}, it must be 0 to "
                    f"{len(board.pieces)}: nothing or a piece"
                )
        return contents

    def drawing(self, board: Board, contents: Sequence[int]) -> None:
        """What is painted for each player grows and shrinks with the pieces on the board."""
        drawing = self.ask("draw", self.game.draw, _marked)
        for player in {piece.player for piece in board.pieces} - {NOBODY}:
            painted = drawing.count(_marked("", player))
            pieces = sum(
                what != EMPTY and board.pieces[what - 1].player == player for what in contents
            )
            if self.others.setdefault(player, painted - pieces) != painted - pieces:
                raise self.broken(
                    f"draw() paints {painted} symbols for player {player}, but board.contents() "
                    f"has {pieces} pieces"
                )

    def clicks(self, board: Board) -> None:
        """No clicks begin with those of another move."""
        paths: dict[tuple[int, ...], str] = {}
        for move in self.plain.moves[:CLICKS]:
            path = tuple(self.ask("board.clicks", board.clicks, move))
            self.cells("board.clicks", board, path)
            if path and path in paths:
                raise self.broken(f"{self.named(move)} and {paths[path]} are the same clicks")
            paths[path] = self.named(move)
        for path, name in paths.items():
            for length in range(1, len(path)):
                if path[:length] in paths:
                    raise self.broken(f"the clicks of {name} begin with {paths[path[:length]]}")

    def cells(self, name: str, board: Board, cells: Sequence[int]) -> None:
        for cell in cells:
            if not 0 <= cell < len(board.cells):
                raise self.broken(
                    f"{name}() names cell {cell}, it must be 0 to {len(board.cells) - 1}"
                )

    def named(self, move: int) -> str:
        return self.game.move_text(move)

    # --- text and keys

    def text(self) -> None:
        """A position is read as it is written."""
        position = self.compiled
        if self.game.board is not None and self.game.board.place is not None:
            self.ask("board.place", lambda _: self.placed(position))
        for text in (position.text, position.line_text):
            try:
                back = Position.parse(self.game, text)
            except (PositionError, MoveError) as error:
                raise self.broken(f"the text {text!r} cannot be read: {error}") from None
            if self.seen(back) != self.seen(position):
                raise self.broken(f"the text {text!r} is read as another position")
            if self.game.hash is not None and back.key != position.key:
                raise self.broken(f"the text {text!r} is read as a position with another key")

    def placed(self, position: Position) -> None:
        """What ``place`` raises, apart from `ValueError`, is a broken rule."""
        rearranged(self.game, position.state, None)

    def seen(self, position: Position) -> Any:
        """What can be seen of a position, without what may not be repeated."""
        bare = Position(self.game, position.state)
        drawing = self.game.draw(view(position.state)[0], unpainted)
        return drawing, bare.mover, tuple(sorted(bare.moves)), bare.rewards

    def key(self) -> None:
        """The same compiled and uncompiled, and of no other position."""
        plain = self.guard("key", lambda: self.plain.key)
        compiled = self.compiled.key
        if plain != compiled:
            raise self.broken(f"the key is {plain} uncompiled and {compiled} compiled")
        exact, look = self.compiled.exact_key, self.seen(self.compiled)
        if self.looks.setdefault(exact, look) != look:
            raise self.broken(f"another position has the same key {exact}, too")
        self.other_order()

    def other_order(self) -> None:
        """Two moves of a player in the other order lead to the same position, so to its key."""
        position = self.compiled
        line, turn = position.line, self.game.players
        swapped = line[-1:] + line[-1 - turn : -turn]  # the last move, and the one a turn before
        if len(swapped) < 2 or self.game.pass_move in swapped or self.game.hash is None:
            return
        line[-1 - turn], line[-1] = swapped
        try:
            other = position.origin.play(*line)
        except MoveError:
            return
        if self.seen(other) == self.seen(position) and other.key != position.key:
            raise self.broken(
                "the key differs after the same moves in another order, which lead to a position "
                "with the same drawing, mover and moves"
            )

    # --- symmetries

    def start(self, board: Board) -> None:
        """It is its own image, and one symmetry after another is a third one or changes nothing."""
        contents, every = self.contents(board), self.game.symmetries
        known = {tuple(range(len(contents))), *(symmetry.cells for symmetry in every)}
        for one in every:
            if _moved(one, contents) != contents:
                raise self.broken(f"symmetry {one.name!r} changes the board")
            for other in every:
                if tuple(other.cells[cell] for cell in one.cells) not in known:
                    raise self.broken(
                        f"symmetry {one.name!r} and then {other.name!r} is none of the symmetries"
                    )
        if board.place is not None:
            start = self.plain.state
            if self.ask("board.place", lambda _: rearranged(self.game, start, None)) is None:
                raise self.broken("board.place() refuses the start")

    def image_of(self, symmetry: Symmetry, move: int) -> int:
        return int(self.guard(f"symmetry {symmetry.name!r}: move", symmetry.move, move))

    def image_after(self, symmetry: Symmetry, image: Position, move: int) -> Position:
        """The image of a legal move is legal."""
        mapped = self.image_of(symmetry, move)
        if mapped not in image.moves:
            raise self.broken(
                f"symmetry {symmetry.name!r} maps {self.named(move)} to move {mapped}, which is "
                f"not legal in the image of the position before"
            )
        return image.play(mapped)

    def compare(self, symmetry: Symmetry, image: Position) -> None:
        position = self.compiled
        if sorted(self.image_of(symmetry, m) for m in position.moves) != sorted(image.moves):
            raise self.broken(f"symmetry {symmetry.name!r} changes what is legal")
        if (position.mover, position.rewards) != (image.mover, image.rewards):
            raise self.broken(f"symmetry {symmetry.name!r} changes whose turn it is, or who wins")
        if self.game.board is None:
            return
        if _moved(symmetry, position.contents) != list(image.contents):
            raise self.broken(f"symmetry {symmetry.name!r} maps cells otherwise than moves")
        for move in position.moves[:SAMPLED]:
            cells = {symmetry.cells[cell] for cell in position.clicks(move)}
            if cells != set(image.clicks(symmetry.move(move))):
                raise self.broken(
                    f"symmetry {symmetry.name!r} maps the clicks of {self.named(move)} otherwise "
                    f"than the move"
                )
        if position.over and position.key != image.key:
            raise self.broken(f"the image under symmetry {symmetry.name!r} has another key")

    # --- territory

    def territory(self, territory: Territory) -> None:
        """Who has more points wins, and the score counts them."""
        state = self.state()
        owners = view(np.full(self.game.move_codes, NOBODY, np.int8))
        self.guard("territory.owners", territory.owners, state, owners)
        owned = [owners[point] for point in territory.points]
        if not set(owned) <= {NOBODY, 0, 1}:
            raise self.broken(f"territory.owners() writes {max(owned)}, it must be -1, 0 or 1")
        komi = getattr(state, territory.komi) if territory.komi else 0.0
        lead = owned.count(0) - owned.count(1) - komi
        score = self.ask("territory.score", territory.score)
        if abs(score - lead) > TINY:
            raise self.broken(
                f"territory.score() is {score:g}, but by its owners the lead is {lead:g}"
            )
        rewards = self.plain.rewards or (0.5, 0.5)
        if np.sign(score) != np.sign(rewards[0] - rewards[1]):
            raise self.broken(f"territory.score() is {score:g}, and the rewards are {rewards}")
        for player in range(2):
            turned = self.plain.state.copy()
            self.guard("territory.turn", territory.turn, view(turned)[0], player)
            if Position(self.game, turned).mover != player:
                raise self.broken(f"territory.turn() does not let player {player} move")


def _marked(symbol: str, player: int) -> str:
    """The `Paint` that leaves a character of its own for each player."""
    return chr(MARK + player)


def _moved(symmetry: Symmetry, contents: Sequence[int]) -> list[int]:
    """Contents after a symmetry."""
    image = [EMPTY] * len(contents)
    for cell, what in zip(symmetry.cells, contents, strict=True):
        image[cell] = what
    return image
