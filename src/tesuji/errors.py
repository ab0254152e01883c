"""Every error that tesuji raises on purpose.

    TesujiError
    ├── GameError        a game file, a game name or a game parameter is wrong
    │   └── ContractError    a game breaks a rule of the contract while it runs
    ├── MoveError        a move that cannot be read, or is not legal here
    ├── PositionError    stones, a diagram or a game record that cannot be used
    ├── ConfigError      a search setting or a limit is wrong
    ├── CompileError     a function cannot be turned into machine code
    ├── ProgramError     an external program is missing, dies, hangs or talks nonsense
    ├── StoreError       a file of results cannot be used
    │   └── DamageError      a file of results is damaged
    └── StoppedError     long work could not go on; what was saved is intact

Each message is one sentence that names the offending value and what would be valid,
so the command line can print it as it is.  It exits with code 1 for a broken contract and for
stopped work, and with 2 for all others.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class TesujiError(Exception):
    """Base class: something the user can mend."""


class GameError(TesujiError):
    """A game file, a game name or a game parameter is wrong."""


class ContractError(GameError):
    """A game breaks a rule of the contract while it runs."""


class MoveError(TesujiError):
    """A move that cannot be read, or is not legal here."""


class PositionError(TesujiError):
    """Stones, a diagram or a game record that cannot be used."""


class ConfigError(TesujiError):
    """A search setting or a limit is wrong."""


class CompileError(TesujiError):
    """A function cannot be turned into machine code."""


class ProgramError(TesujiError):
    """An external program is missing, dies, hangs or talks nonsense."""


class StoreError(TesujiError):
    """A file of results cannot be used."""


class DamageError(StoreError):
    """A file of results is damaged."""


class StoppedError(TesujiError):
    """Long work could not go on; what was saved is intact."""


def choices(value: str, valid: Iterable[str]) -> str:
    """Say what would have been valid instead of ``value``, the nearest first.

    >>> choices("conect4", ["go", "connect4"])
    "did you mean 'connect4'? Valid: connect4, go"
    """
    names = sorted(valid)
    near = get_close_matches(value, names, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}{'Valid' if hint else 'valid'}: {', '.join(names) or '(none)'}"
