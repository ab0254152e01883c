"""Does something wrong in the turn that an option says."""

import os
import signal
import sys

import numpy as np

from tesuji.lab.player import Choice, Player

WRONG = {
    "none": None,
    "bare": 3,
    "text": "a1",
    "value": Choice(3, "high"),
    "nan": Choice(3, float("nan")),
    "negative": Choice(3, 0.5, -7),
    "numpy": Choice(np.int64(24), np.float32(0.5), np.int64(7)),
}


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
        if self.kind == "exit":
            sys.exit(3)
        if self.kind == "loop":
            while True:
                pass
        if self.kind == "input":
            return Choice(int(input()))
        if self.kind in WRONG:
            return WRONG[self.kind]
        if self.kind == "resign":
            return Choice(None)
        if self.kind == "print":
            print("a player may print")
            os.write(1, b"in many ways\n")
            return Choice(0)
        return Choice(10**6)


def player(game, kind: str = "raise", turn: int = 2):
    return Trouble(kind, turn)
