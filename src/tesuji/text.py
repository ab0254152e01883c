"""States as one line of text, and back: ``3/1X1/2O X`` is the board, and who is to move.

That is for games whose `Board` can be set up.  What `Position` adds are moves: ``start moves b2``
is a position of any game.  Rules belong to the game and not to the text, as does the past: what may
not be repeated is known only after moves.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.compile.plain import interpret, view
from tesuji.errors import ContractError, PositionError, choices
from tesuji.facets import Board, Symmetry
from tesuji.game import CHANCE, Game

DICE = "chance"  # who is to move when dice are

State = npt.NDArray[Any]  # an array of one record


def start_of(game: Game) -> State:
    """The record before the first move; what the author's ``start`` raises breaks the contract."""
    state = np.zeros(1, game.state)
    try:
        game.start(view(state)[0])
    except Exception as error:
        raise ContractError(
            f"{game.spec}: start() raised {type(error).__name__}: {error}"
        ) from error
    return state


def contents_of(board: Board, state: State) -> list[int]:
    """What stands on each cell."""
    return [int(what) for what in board.contents(view(state)[0])]


def mover_of(game: Game, state: State) -> int:
    return int(interpret(_ask)(game.mover, state))


def outcome_of(game: Game, state: State) -> tuple[float, ...] | None:
    """The rewards if the game is over."""
    if not interpret(_ask)(game.over, state):
        return None
    rewards = np.zeros(game.players)
    interpret(_tell)(game.rewards, state, rewards)
    return tuple(rewards.tolist())


def set_up(game: Game, contents: Sequence[int], mover: int, numbers: Sequence[int] = ()) -> State:
    """The record with these contents; `PositionError` says why it cannot be."""
    board = _placeable(game)
    state = np.zeros(1, game.state)
    try:
        interpret(_place)(board.place, state, contents, mover)
    except ValueError as error:
        raise PositionError(f"this is not a position of {game.spec}: {error}") from None
    for name, value in zip(board.numbers, numbers, strict=True):
        state[name] = value
    return state


def rearranged(game: Game, state: State, symmetry: Symmetry | None) -> State | None:
    """The same position, or its image, set up by what stands on the board; None if it cannot be."""
    if game.board is None or game.board.place is None:
        return None
    contents = contents_of(game.board, state)
    if symmetry is not None:
        for cell, what in zip(symmetry.cells, tuple(contents), strict=True):
            contents[cell] = what
    try:
        return set_up(game, contents, mover_of(game, state), _numbers(game.board, state))
    except PositionError:
        return None


def write_state(game: Game, state: State) -> str:
    """A state as text, for games whose board can be set up."""
    board = _placeable(game)
    numbers = map(str, _numbers(board, state))
    return " ".join([board.write(contents_of(board, state)), _mover_text(game, state), *numbers])


def read_state(game: Game, text: str) -> State:
    """The reverse of `write_state`."""
    board = _placeable(game)
    words = text.split()
    fields = ["BOARD", "MOVER", *(name.upper() for name in board.numbers)]
    try:
        if len(words) != len(fields):
            raise ValueError(f"write {' '.join(fields)}")
        contents, mover = board.read(words[0]), _read_mover(game, words[1])
        numbers = [_read_number(game, *pair) for pair in zip(board.numbers, words[2:], strict=True)]
    except ValueError as error:
        raise PositionError(f"{text!r} is not a position of {game.spec}: {error}") from None
    return set_up(game, contents, mover, numbers)


def _placeable(game: Game) -> Board:
    if game.board is None or game.board.place is None:
        raise PositionError(
            f"positions of {game.spec} are written by their moves only: start moves ..."
        )
    return game.board


def _names(game: Game) -> list[str]:
    """The players as words."""
    return ["_".join(name.split()) for name in game.player_names]


def _mover_text(game: Game, state: State) -> str:
    mover = mover_of(game, state)
    return DICE if mover == CHANCE else _names(game)[mover]


def _read_mover(game: Game, word: str) -> int:
    movers = {name.lower(): player for player, name in enumerate(_names(game))}
    if game.chance is not None:
        movers[DICE] = CHANCE
    if word.lower() not in movers:
        raise ValueError(f"the player to move is {word!r}; {choices(word.lower(), movers)}")
    return movers[word.lower()]


def _read_number(game: Game, name: str, word: str) -> int:
    limits = np.iinfo(game.state[name])
    try:
        value = int(word)
    except ValueError:
        value = limits.max + 1
    if not limits.min <= value <= limits.max:
        raise ValueError(f"{name} is {word!r}, it must be {limits.min} to {limits.max}")
    return value


def _numbers(board: Board, state: State) -> list[int]:
    return [int(state[0][name]) for name in board.numbers]


def _ask(kernel: Any, states: Any) -> Any:
    return kernel(states[0])


def _tell(kernel: Any, states: Any, out: Any) -> None:
    kernel(states[0], out)


def _place(place: Any, states: Any, contents: Any, mover: int) -> None:
    place(states[0], contents, mover)
