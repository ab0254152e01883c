"""How the protocol writes the players, moves and boards of a game.

GTP is made for Go: players are black and white, columns have no letter I, and row 1 is at the
bottom.  Other games here use all letters; on boards of nine columns or more their points get other
letters in the protocol.  What a game has of a board is asked of its facet, `tesuji.facets.Board`.
"""

import math
import re
from contextlib import suppress
from functools import cached_property

from tesuji.engines.gtp import quote
from tesuji.engines.server import GtpError, bad_syntax
from tesuji.errors import choices
from tesuji.facets import EMPTY, NOBODY, Board
from tesuji.game import Game
from tesuji.games.board import GO_LETTERS, LETTERS
from tesuji.position import Position

COLOURS = ("black", "white")
POINT = re.compile(r"([A-Za-z])([0-9]+)")
FIRST_LEFT_OUT = "i1"  # the first point whose name is different in GTP
STONES = {"black": "X", "white": "O"}  # as GoGui reads them


class Notation:
    """The texts of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._all_letters = _has_letter_i(game)
        self._players = _players(game)

    def is_player(self, word: str) -> bool:
        """Does this word name a player?"""
        return word.lower() in self._players

    def player(self, word: str) -> int:
        """Read a player."""
        found = self._players.get(word.lower())
        if found is None:
            raise bad_syntax(f"the colour is {quote(word)}; {choices(word, self._players)}")
        return found

    def colour(self, player: int) -> str:
        """A player as GTP writes him."""
        for colour in COLOURS:
            if self._players.get(colour) == player:
                return colour
        return self.game.player_names[player]

    def move(self, word: str) -> int:
        """Read a move in upper or lower case; whether it is legal is another question."""
        own = _exchange(word, GO_LETTERS, LETTERS.upper()) if self._all_letters else word
        for text in (own, own.lower()):
            with suppress(ValueError):
                return self.game.parse_move(text)
        raise bad_syntax(f"{quote(word)} is not a move of {self.game.spec}")

    def text(self, move: int) -> str:
        """A move as GTP writes it."""
        return self.retell(self.game.move_text(move))

    def retell(self, text: str) -> str:
        """A move that the game has written, as GTP writes it."""
        return _exchange(text, LETTERS.upper(), GO_LETTERS) if self._all_letters else text

    @property
    def board(self) -> Board:
        """The board; games that declare none are refused."""
        if self.game.board is None:
            raise GtpError(f"{self.game.spec} declares no board, which this command needs")
        return self.game.board

    @cached_property
    def cells(self) -> list[str]:
        """The cells of the board as GTP writes them."""
        return [self.retell(cell.name) or cell.name for cell in self.board.cells]

    def clicks(self, position: Position, move: int) -> list[str]:
        """The cells that one clicks for a move; none for a pass."""
        names = self.cells
        return [names[cell] for cell in position.clicks(move)]

    def rows(self, position: Position) -> list[str]:
        """What stands on a square board, the top row first."""
        side = math.isqrt(len(self.cells))
        names = [f"{x}{y}" for y in range(side, 0, -1) for x in GO_LETTERS[:side]]
        found = {n.upper(): what for n, what in zip(self.cells, position.contents, strict=True)}
        if len(found) != len(self.cells) or sorted(found) != sorted(names):
            raise GtpError(f"{self.game.spec} has no square board, which this command needs")
        shown = "".join(self._stone(found[name]) for name in names)
        return [shown[i : i + side] for i in range(0, len(shown), side)]

    def _stone(self, what: int) -> str:
        """What stands on a cell, as far as GoGui knows it: stones of two colours."""
        player = NOBODY if what == EMPTY else self.board.pieces[what - 1].player
        return STONES.get(self.colour(player), ".") if 0 <= player < self.game.players else "."

    def points(self) -> list[int]:
        """The move codes of points that can be owned, row by row from the upper left."""
        territory = self.game.territory
        if territory is None:
            raise GtpError(f"{self.game.spec} has no territory, which this command needs")
        return [territory.points[cell] for row in self.board.rows for cell in row]


def _has_letter_i(game: Game) -> bool:
    """Does this game write its points with all letters?"""
    if game.board is not None:
        return any(cell.name.lower() == FIRST_LEFT_OUT for cell in game.board.cells)
    try:
        return game.move_text(game.parse_move(FIRST_LEFT_OUT)) == FIRST_LEFT_OUT
    except ValueError:
        return False


def _players(game: Game) -> dict[str, int]:
    """The words for each player: those of GTP, and the game's own."""
    words = {name.lower(): player for player, name in enumerate(game.player_names)}
    if "black" not in words:
        words |= {colour: player for player, colour in enumerate(COLOURS[: game.players])}
    words |= {colour[0]: words[colour] for colour in COLOURS if colour in words}
    return words


def _exchange(text: str, old: str, new: str) -> str:
    """The point that has this column in other letters; no point if it has no letter there."""
    match = POINT.fullmatch(text)
    if match is None:
        return text
    column = old.find(match[1].upper())
    return f"{new[column]}{match[2]}" if 0 <= column < len(new) else ""
