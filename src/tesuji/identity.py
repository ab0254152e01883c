"""What a result was made with: the code, as a hash of its source, and the machine.

`of_search` and `of_game` name code by a few digits.  Another constant, another weight, another
callee gives other digits; comments, docstrings and names of local variables do not, and neither do
parts of the search that are off (`tesuji.compile.identity`).
"""

import os
import platform
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np

import tesuji
from tesuji import parallel, position, searcher
from tesuji.compile.identity import Source, digest_of
from tesuji.game import Game
from tesuji.parallel import runners, schemes, tree_search
from tesuji.search import compact, context, decide, slices
from tesuji.search.config import SETTINGS, SearchConfig

#: what a search does in Python, between kernels
AROUND: tuple[ModuleType, ...] = (
    *(searcher, runners, tree_search, decide, compact, context, slices, position),
)
FILE = "a file"  # in the place of its name: where it lies does not count, what is in it does


@lru_cache(maxsize=256)
def of_search(game: Game, config: SearchConfig) -> str:
    """The code that searches this game with these settings."""
    source = schemes.source(game, config)
    files = [module.__file__ for module in AROUND]
    if config.threads > 1:
        files += sorted(map(str, Path(parallel.__path__[0]).glob("*.py")))
    around = _files(tuple(map(str, files)))
    return digest_of(
        source.digest,
        around.digest,
        of_weights(game, config.weights),
        sorted(game.parameters.items()),
        _in_use(config, source.attributes | around.attributes),
    )


@lru_cache(maxsize=64)
def of_game(game: Game) -> str:
    """The rules of a game, with its parameters."""
    rules = (game.start, game.moves, game.play, game.over, game.mover, game.rewards)
    more = (game.repetition, game.chance, game.score, game.parse_move, game.move_text)
    facts = (game.players, game.move_codes, game.max_moves, game.max_length, game.pass_move)
    source = Source(home=game.start).add(*rules, *more, game.state, *facts)
    return digest_of(source.digest, sorted(game.parameters.items()))


def of_weights(game: Game, name: str) -> str:
    """The numbers that playouts and knowledge use."""
    return Source().add(game.weights(name)).digest if game.weights is not None else ""


def of_files(*paths: str | Path) -> str:
    """Some files of Python, and nothing that they reach."""
    return _files(tuple(map(str, paths))).digest


@cache
def of_package() -> str:
    """All files of this package."""
    folder = Path(tesuji.__path__[0])
    files = sorted(folder.rglob("*.py"))
    return of_files(*files)


@cache
def machine() -> str:
    """The processor, and the versions of what runs on it."""
    versions = (
        f"Python {platform.python_version()}",
        f"NumPy {np.__version__}",
        f"Numba {numba.__version__}",
    )
    where = f"{_processor()}, {os.cpu_count()} cores, {platform.system()}"
    return ", ".join([where, *versions])


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(errors="replace").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


@lru_cache(maxsize=64)
def _files(paths: tuple[str, ...]) -> Source:
    source = Source()
    for path in paths:
        source.add_file(path)
    return source


def _in_use(config: SearchConfig, names: set[str]) -> list[tuple[str, Any]]:
    """Settings that the code asks for, and all that are not what they usually are.

    A new setting of a part that is off is neither.
    """
    return [
        (name, FILE if isinstance(value, str) and "." in value else value)
        for name, setting in sorted(SETTINGS.items())
        for value in [type(setting.default)(getattr(config, name))]
        if name in names or value != setting.default
    ]
