"""`tesuji play`: a game against the search, in the terminal."""

from typing import Annotated

import typer

from tesuji import ConfigError, Limit, MoveError, Position, Searcher
from tesuji.cli.output import (
    ConfigFile,
    GameName,
    Method,
    Moves,
    Parallel,
    Seconds,
    Seed,
    Settings,
    Simulations,
    Threads,
    console,
    played,
    print_decision,
    print_position,
    progress,
    read_config,
    read_limit,
)
from tesuji.compile import stream
from tesuji.errors import choices
from tesuji.game import CHANCE

HELP = "a move, or: undo, hint, moves, help, quit"


def play(
    game: GameName,
    side: Annotated[
        str, typer.Option(help="Your side: its name, or 1, 2, ...; `none` lets it play alone.")
    ] = "1",
    moves: Moves = "",
    simulations: Simulations = None,
    seconds: Seconds = None,
    seed: Seed = 0,
    method: Method = "uct",
    config: ConfigFile = None,
    settings: Settings = None,
    threads: Threads = None,
    parallel: Parallel = None,
) -> None:
    """Play against the search.

    Example: `tesuji play connect4 --side 2 --seconds 1`
    """
    position = played(game, moves)
    settled = read_config(game, method, config, settings, threads, parallel)
    searcher = Searcher(position.game, settled, seed=seed)
    table = _Table(position, _side(side, position), searcher, read_limit(simulations, seconds))
    table.run()


def _side(text: str, position: Position) -> int:
    """The player that a human is, or -2 for nobody."""
    names = {name.lower(): i for i, name in enumerate(position.game.player_names)}
    names |= {str(i + 1): i for i in range(position.game.players)}
    names["none"] = -2
    if text.lower() not in names:
        raise ConfigError(f"--side is {text!r}; {choices(text.lower(), names)}")
    return names[text.lower()]


class _Table:
    """One game between a human and a search."""

    def __init__(self, position: Position, human: int, searcher: Searcher, limit: Limit) -> None:
        self.position = position
        self.human = human
        self.searcher = searcher
        self.limit = limit

    def run(self) -> None:
        print_position(self.position)
        while not self.position.over:
            if self.position.mover == self.human:
                if not self.ask():
                    return
            else:
                self.answer()
        console.print(self.position.result_text(), style="bold")

    def answer(self) -> None:
        """Let the dice, or the search, move."""
        if self.position.mover == CHANCE:
            move = self.position.roll(stream(self.searcher.seed, "dice", self.position.ply))
        else:
            with progress() as show:
                decision = self.searcher.search(self.position, self.limit, progress=show)
            move = decision.move
            console.print(
                f"{self.position.mover_name} plays {decision.text} ({decision.value:.1%})"
            )
        self.position = self.position.play(move)
        print_position(self.position)

    def ask(self) -> bool:
        """One line from the human; False when the game is left."""
        try:
            word = console.input(f"{self.position.mover_name}, your move: ", markup=False).strip()
        except EOFError:
            console.print()
            return False
        if word in ("quit", "exit"):
            return False
        if word == "undo":
            self.undo()
        elif word == "hint":
            print_decision(self.searcher.search(self.position, self.limit), rows=5)
        elif word == "moves":
            console.print(" ".join(map(self.position.move_text, self.position.moves)))
        elif word in ("", "help", "?"):
            console.print(HELP)
        else:
            self.move(word)
        return True

    def move(self, word: str) -> None:
        try:
            self.position = self.position.play(word)
        except MoveError as error:
            console.print(f"{error} ({HELP})")
            return
        print_position(self.position)

    def undo(self) -> None:
        """Back to the human's previous turn."""
        at = self.position
        while at.previous is not None:
            at = at.previous
            if at.mover == self.human:
                self.position = at
                print_position(at)
                return
        console.print("there is no move of yours to take back")
