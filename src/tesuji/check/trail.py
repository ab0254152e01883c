"""The moves of a random game, and the words for what breaks the contract after them."""

import traceback
from collections.abc import Callable
from typing import Any

from tesuji.compile import plain
from tesuji.errors import ContractError
from tesuji.game import Game

SHOWN = 12  # moves before a broken rule that are reported


class Trail:
    """A game in progress whose author's functions are tried."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.line: list[int] = []
        self.texts: list[str] = []

    def add(self, move: int) -> None:
        """Go on by a move that is about to be played."""
        self.line.append(move)
        self.texts.append(self.game.move_text(move))

    def guard(self, name: str, function: Callable[..., Any] | None, *arguments: Any) -> Any:
        """Run one of the author's functions; what it raises is a broken rule."""
        assert function is not None
        try:
            return function(*arguments)
        except ContractError:
            raise
        except Exception as error:
            places = traceback.extract_tb(error.__traceback__)
            place = [p for p in places if p.filename != plain.__file__][-1]
            raise self.broken(
                f"{name}() raised {type(error).__name__}: {error} ({place.filename}:{place.lineno})"
            ) from error

    def broken(self, what: str) -> ContractError:
        if not self.texts:
            return ContractError(f"{what}, at the start")
        dots = "... " if len(self.texts) > SHOWN else ""
        line = " ".join(self.texts[-SHOWN:])
        return ContractError(f"{what}, after {len(self.texts)} moves ({dots}{line})")
