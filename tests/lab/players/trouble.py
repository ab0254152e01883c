"""Does something wrong in the turn that an option says."""

import os
import signal

from tesuji.lab.player import Choice, Player


class Trouble(Player):
    def __init__(self, kind, turn):
        self.kind = kind
        self.turn = turn

    def begin(self, position, seed, budget):
        self.turns = 0

    def choose(self, position, clock):
        self.turns += 1
        if self.turns == self.turn:
            return self.act()
        return Choice(position.moves[0])

    def act(self):
        if self.kind == "raise":
            raise ZeroDivisionError("oh no")
        if self.kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.kind == "resign":
            return Choice(None)
        if self.kind == "print":
            print("a player may print")
            os.write(1, b"in many ways\n")
            return Choice(0)
        return Choice(10**6)


def player(game, kind: str = "raise", turn: int = 2):
    return Trouble(kind, turn)
