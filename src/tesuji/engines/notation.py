"""How the protocol writes the players, moves and boards of a game.

GTP is made for Go: players are black and white, columns have no letter I, and row 1 is at the
bottom.  Other games here use all letters; on boards of nine columns or more their points get other
letters in the protocol.
"""

import re
from contextlib import suppress

from tesuji.engines.gtp import quote
from tesuji.engines.server import GtpError, bad_syntax
from tesuji.errors import choices
from tesuji.game import Game
from tesuji.games.board import GO_LETTERS, LETTERS
from tesuji.position import Position

COLOURS = ("black", "white")
POINT = re.compile(r"([A-Za-z])([0-9]+)")
FIRST_LEFT_OUT = "i1"  # the first point whose name is different in GTP
CELLS = {".": ".", "+": ".", "X": "X", "O": "O"}  # as games draw them, and as GoGui reads them


class Notation:
    """The texts of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._all_letters = _knows(game, FIRST_LEFT_OUT)
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

    def is_point(self, text: str) -> bool:
        """Is this move a point of the board, which can be marked?"""
        return POINT.fullmatch(text) is not None

    def rows(self, position: Position) -> list[str]:
        """The cells of a square board, the top row first."""
        rows = _drawn_rows(position)
        if not rows or any(len(row) != len(rows) for row in rows):
            raise GtpError(f"{self.game.spec} has no square board, which this command needs")
        return rows

    def points(self, position: Position) -> list[int]:
        """The move codes of a rectangle's points, row by row from the upper left."""
        rows = _drawn_rows(position)
        columns = GO_LETTERS[: len(rows[0])]
        return [self.move(f"{x}{y}") for y in range(len(rows), 0, -1) for x in columns]


def _drawn_rows(position: Position) -> list[str]:
    """The cells of each row that a drawing has a number for, the top row first."""
    rows = {}
    for line in position.draw().splitlines():
        name, *cells = line.split() or [""]
        if name.isdigit():
            shown = cells[:-1] if cells[-1:] == [name] else cells
            rows[int(name)] = "".join(CELLS.get(cell, ".") for cell in shown)
    return [rows[number] for number in sorted(rows, reverse=True)]


def _knows(game: Game, text: str) -> bool:
    try:
        return game.move_text(game.parse_move(text)) == text
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
