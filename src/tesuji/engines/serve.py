"""Puts an engine together: a server, a game, and the commands that the game has."""

from typing import BinaryIO

from tesuji.engines.analysis import AnalysisCommands
from tesuji.engines.commands import CommonCommands
from tesuji.engines.engine import Engine, Setup
from tesuji.engines.go import GoCommands
from tesuji.engines.graphics import GraphicsCommands
from tesuji.engines.rules import RulesCommands
from tesuji.engines.server import Input, Server
from tesuji.games.go.facets import is_go


def serve(setup: Setup, descriptor: int, out: BinaryIO) -> None:
    """Answer the commands that come from a file descriptor, until ``quit`` or its end."""
    source = Input(descriptor)  # first, so that nothing is lost while the search is compiled
    engine = Engine(setup)
    server = Server(source, out)
    CommonCommands(server, engine)
    AnalysisCommands(server, engine)
    if is_go(setup.game):
        GoCommands(server, engine)
    else:
        RulesCommands(server, engine)
    GraphicsCommands(server, engine)
    try:
        server.run()
    finally:
        engine.computer.halt()
