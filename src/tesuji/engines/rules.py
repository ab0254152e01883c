"""GoGui's commands for games that are not Go: with them it shows the board and knows what is legal.

Go does without: GoGui knows its rules.  The form: GoGui's manual, chapter "Rules".
"""

from tesuji.engines.engine import Engine
from tesuji.engines.server import Arguments, Handler, Server


class RulesCommands:
    """Commands that describe a position."""

    def __init__(self, server: Server, engine: Engine) -> None:
        self._engine = engine
        handlers: dict[str, Handler] = {
            "game_id": self.game_id,
            "board": self.board,
            "board_size": self.board_size,
            "legal_moves": self.legal_moves,
            "side_to_move": self.side_to_move,
            "final_result": self.final_result,
        }
        for name, handler in handlers.items():
            server.add(f"gogui-rules_{name}", handler)

    def game_id(self, arguments: Arguments) -> str:
        """The name of the game."""
        arguments.expect(0)
        return self._engine.game.name.lower()

    def board(self, arguments: Arguments) -> str:
        """The cells of the board, the top row first."""
        arguments.expect(0)
        rows = self._engine.notation.rows(self._engine.position)
        return "\n" + "\n".join(" ".join(row) for row in rows)

    def board_size(self, arguments: Arguments) -> str:
        """The side of the board."""
        arguments.expect(0)
        return str(len(self._engine.notation.rows(self._engine.position)))

    def legal_moves(self, arguments: Arguments) -> str:
        """All legal moves."""
        arguments.expect(0)
        return " ".join(map(self._engine.notation.text, self._engine.position.moves))

    def side_to_move(self, arguments: Arguments) -> str:
        """Whose turn it is."""
        arguments.expect(0)
        return self._engine.notation.colour(self._engine.position.mover)

    def final_result(self, arguments: Arguments) -> str:
        """Who has won: a colour, ``draw``, or ``unknown`` before the end."""
        arguments.expect(0)
        rewards = self._engine.position.rewards
        if rewards is None:
            return "unknown"
        winners = [player for player, reward in enumerate(rewards) if reward == max(rewards)]
        return self._engine.notation.colour(winners[0]) if len(winners) == 1 else "draw"
