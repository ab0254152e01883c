"""The commands of every game: the protocol's own, time, and settings.

Start with `CommonCommands`; each method answers one command and its docstring says what it does.
"""

import time
from dataclasses import replace

import tesuji
from tesuji.engines.engine import Engine
from tesuji.engines.parameters import Parameters
from tesuji.engines.server import Arguments, Handler, Server
from tesuji.play.clock import TimeSettings

NAME = "Tesuji"


class CommonCommands:
    """Commands that know no game."""

    def __init__(self, server: Server, engine: Engine) -> None:
        self._server = server
        self._engine = engine
        self._parameters = Parameters(engine)
        handlers: dict[str, Handler] = {
            "name": self.name,
            "version": self.version,
            "clear_board": self.clear_board,
            "play": self.play,
            "genmove": self.genmove,
            "reg_genmove": self.reg_genmove,
            "undo": self.undo,
            "showboard": self.showboard,
            "time_settings": self.time_settings,
            "time_left": self.time_left,
            "kgs-time_settings": self.kgs_time_settings,
            "cputime": self.cputime,
            "set_random_seed": self.set_random_seed,
            "tesuji-param": self.param,
            "gogui-interrupt": self.interrupt,
        }
        for name, handler in handlers.items():
            server.add(name, handler)
        engine.interrupted = lambda: server.source.interrupted

    # --- who is there

    def name(self, arguments: Arguments) -> str:
        """The name of the program."""
        arguments.expect(0)
        return NAME

    def version(self, arguments: Arguments) -> str:
        """Its version."""
        arguments.expect(0)
        return tesuji.__version__

    # --- the game

    def clear_board(self, arguments: Arguments) -> str:
        """Begin again."""
        arguments.expect(0)
        self._engine.clear()
        return ""

    def play(self, arguments: Arguments) -> str:
        """``play COLOUR VERTEX``: a move, also out of turn."""
        arguments.expect(2)
        player = self._engine.notation.player(arguments[0])
        move = self._engine.notation.move(arguments[1])
        self._engine.play(player, move)
        return ""

    def genmove(self, arguments: Arguments) -> str:
        """``genmove COLOUR``: choose a move and play it."""
        arguments.expect(1)
        player = self._engine.notation.player(arguments[0])
        return self._engine.answer(self._engine.think(player))

    def reg_genmove(self, arguments: Arguments) -> str:
        """``reg_genmove COLOUR``: choose a move and do not play it."""
        arguments.expect(1)
        player = self._engine.notation.player(arguments[0])
        thought = self._engine.think(player, rehearsal=True)
        return "resign" if thought.resigns else self._engine.notation.text(thought.move)

    def undo(self, arguments: Arguments) -> str:
        """Take back the last move."""
        arguments.expect(0)
        self._engine.undo()
        return ""

    def showboard(self, arguments: Arguments) -> str:
        """The board, and whose turn it is."""
        arguments.expect(0)
        position = self._engine.position
        turn = position.result_text() if position.over else f"{position.mover_name} to move"
        return f"\n{position}\n{position.game.spec}, after {self._engine.played} moves: {turn}"

    # --- time

    def time_settings(self, arguments: Arguments) -> str:
        """``time_settings MAIN BYOYOMI STONES``: Canadian time, in seconds."""
        arguments.expect(3)
        main, period = arguments.number(0, "main time"), arguments.number(1, "byo-yomi time")
        return self._time(TimeSettings.gtp(main, period, arguments.integer(2, "stones")))

    def kgs_time_settings(self, arguments: Arguments) -> str:
        """``kgs-time_settings none|absolute|byoyomi|canadian ...``: the time systems of KGS."""
        return self._time(TimeSettings.kgs(arguments))

    def _time(self, settings: TimeSettings) -> str:
        self._engine.set_time(settings)
        return ""

    def time_left(self, arguments: Arguments) -> str:
        """``time_left COLOUR SECONDS STONES``: what is left of a player's time."""
        arguments.expect(3)
        player = self._engine.notation.player(arguments[0])
        seconds, count = arguments.number(1, "time"), arguments.integer(2, "stones")
        self._engine.clocks[player].told(seconds, count)
        return ""

    # --- the program

    def cputime(self, arguments: Arguments) -> str:
        """Seconds that the processor has worked."""
        arguments.expect(0)
        return f"{time.process_time():.3f}"

    def set_random_seed(self, arguments: Arguments) -> str:
        """``set_random_seed N``: the same seed gives the same moves, if no clock decides."""
        arguments.expect(1)
        seed = arguments.integer(0, "the seed")
        self._engine.change(replace(self._engine.setup, seed=seed))
        return ""

    def param(self, arguments: Arguments) -> str:
        """``tesuji-param [NAME VALUE]``: list all settings, or change one."""
        if not arguments:
            return "\n".join(self._parameters.listing())
        arguments.expect(2)
        self._parameters.change(*arguments)
        return ""

    def interrupt(self, arguments: Arguments) -> str:
        """Tells GoGui that a line ``# interrupt`` ends thinking early."""
        arguments.expect(0)
        return ""
