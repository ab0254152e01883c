"""`tesuji play`: a game against the computer, in the terminal."""

from typing import Annotated

import typer

from tesuji import ConfigError, MoveError, Position
from tesuji.cli.output import (
    ConfigFile,
    GameName,
    Moves,
    Parallel,
    PlayerMethod,
    Ponder,
    ResignBelow,
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
    read_limit,
    read_player,
)
from tesuji.compile import stream
from tesuji.errors import choices
from tesuji.game import CHANCE
from tesuji.play import Options, Player

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
    method: PlayerMethod = None,
    config: ConfigFile = None,
    settings: Settings = None,
    threads: Threads = None,
    parallel: Parallel = None,
    ponder: Ponder = False,
    resign: ResignBelow = Options.resign,
) -> None:
    """Play against the computer.

    It is the same player as over GTP: it stops thinking when its move cannot change any more, in Go
    it passes when the game is over, and it resigns when it has lost.

    Example: `tesuji play connect4 --side 2 --seconds 1`
    """
    position = played(game, moves)
    computer = Player(
        position.game,
        read_player(position.game, method, config, settings, threads, parallel),
        seed=seed,
        limit=read_limit(simulations, seconds),
        options=Options(ponder=ponder, resign=resign),
    )
    try:
        _Table(position, _side(side, position), computer, seed).run()
    finally:
        computer.halt()


def _side(text: str, position: Position) -> int:
    """The player that a human is, or -2 for nobody."""
    names = {name.lower(): i for i, name in enumerate(position.game.player_names)}
    names |= {str(i + 1): i for i in range(position.game.players)}
    names["none"] = -2
    if text.lower() not in names:
        raise ConfigError(f"--side is {text!r}; {choices(text.lower(), names)}")
    return names[text.lower()]


class _Table:
    """One game between a human and the computer."""

    def __init__(self, position: Position, human: int, computer: Player, seed: int) -> None:
        self.position = position
        self.human = human
        self.computer = computer
        self.seed = seed

    def run(self) -> None:
        print_position(self.position)
        while not self.position.over:
            if self.position.mover == CHANCE:
                self.enter(self.position.roll(stream(self.seed, "dice", self.position.ply)))
            elif not (self.ask() if self.position.mover == self.human else self.answer()):
                return
        console.print(self.position.result_text(), style="bold")

    def answer(self) -> bool:
        """A move of the computer; False when it resigns."""
        with progress() as show:
            thought = self.computer.think(self.position, progress=show)
        name, value = self.position.mover_name, f"{thought.decision.value:.1%}"
        if thought.resigns:
            other = self.position.game.player_names[1 - self.position.mover]
            console.print(f"{name} resigns ({value})")
            console.print(f"{other} wins", style="bold")
            return False
        console.print(f"{name} plays {thought.decision.text} ({value})")
        self.enter(thought.move)
        self.computer.ponder(self.position)
        return True

    def enter(self, move: int | str) -> None:
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
            print_decision(self.computer.think(self.position).decision, rows=5)
        elif word == "moves":
            console.print(" ".join(map(self.position.move_text, self.position.moves)))
        elif word in ("", "help", "?"):
            console.print(HELP)
        else:
            self.move(word)
        return True

    def move(self, word: str) -> None:
        try:
            self.enter(word)
        except MoveError as error:
            console.print(f"{error} ({HELP})")

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
