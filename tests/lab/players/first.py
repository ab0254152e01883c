"""Plays the first legal move, or the one that an option says."""

from tesuji.lab.player import Choice, Player


class First(Player):
    def __init__(self, index):
        self.index = index

    def choose(self, position, clock):
        return Choice(position.moves[min(self.index, len(position.moves) - 1)])


def player(game, index: int = 0):
    return First(index)
