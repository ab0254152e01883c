"""Is a game in a user's own file as fast as a built-in one?

    python -m bench.own_game

Connect Four, searched from the package and from a copy of its file outside of it.  Compiled code is
named by content, so both run the same machine code; this shows that nothing else differs.
"""

import shutil
import tempfile
from pathlib import Path

import tesuji.games.connect4
from bench.openspiel import our_side
from bench.turns import HEADER, Ratio, take_turns

SIMULATIONS = 20_000


def compare(rounds: int = 25) -> Ratio:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "my_connect4.py"
        shutil.copy(str(tesuji.games.connect4.__file__), copy)
        own = our_side(str(copy), SIMULATIONS)
    return take_turns(
        "a user's copy of Connect Four", own, our_side("connect4", SIMULATIONS), rounds, "built-in"
    )


def main() -> None:
    print(HEADER)
    print(compare().row())


if __name__ == "__main__":
    main()
