"""How fast are Go playouts, compared with the same algorithm in C++?

    python bench/go_playouts.py [--sizes 9 19] [--rounds 24] [--seconds 0.3]

Light playouts from the empty board, one thread, warm.  The two sides take turns many times within
one run and only CPU time counts, so that a busy machine disturbs both alike.  The figure to quote
is the median of the ratios of neighbouring turns: 1.00 means as fast as C++.  Before any timing
both sides play the same games from the same seed and must agree on every move and every score.
"""

import argparse
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import Slot, specialise, stream
from tesuji.game import Playout, Size
from tesuji.games.go import game as go
from tesuji.games.go.board import make_board
from tesuji.games.go.score import scoring
from tesuji.position import Position
from tesuji.search.simulate import simulate

SOURCE = Path(__file__).parent / "yardstick" / "go.cpp"
COMPILERS = ("g++", "clang++")
FLAGS = ("-std=c++17", "-O3", "-march=native")
CHECKED = 500  # playouts whose moves are compared one by one

game = Slot("game")

Totals = np.dtype([("moves", np.int64), ("points", np.float64), ("digest", np.uint64)], align=True)


def run(states: Any, playout: Any, rng: Any, totals: Any, playouts: int, with_digest: bool) -> None:
    """Kernel: what the yardstick's ``run`` does."""
    total = totals[0]
    for _ in range(playouts):
        states[1] = states[0]
        playout.length[0] = 0
        simulate(states[1], playout, len(playout.trace), rng)
        total.moves += playout.length[0]
        total.points += game.score(states[1])
        if with_digest:
            for i in range(playout.length[0]):
                total.digest = total.digest * np.uint64(31) + np.uint64(playout.trace[i])


class Answer(NamedTuple):
    """What a side reports after a turn: the time of this turn, the totals so far."""

    seconds: float
    moves: int
    points: float
    digest: int


class Ours:
    """The playouts that the search runs."""

    def __init__(self, size: int, rng: Any) -> None:
        of = go(Size(size, size))
        self.states = np.zeros(2, of.state)
        self.states[0] = Position.start(of).state[0]
        self.rng = rng.copy()
        self.totals = np.zeros(1, Totals)
        self.playout = Playout(
            moves=np.zeros(of.max_moves, np.int32),
            trace=np.zeros(of.max_length, np.int32),
            length=np.zeros(1, np.int64),
        )
        score = scoring(make_board(Size(size, size)))
        bindings = {
            **of.bindings,
            "game": {**of.bindings["game"], "score": score},
            "policy": {"next_move": of.policies["uniform"]},
        }
        self.kernel = specialise(run, bindings, label=f"playouts of go {size}x{size}")

    def run(self, playouts: int, with_digest: bool = False) -> Answer:
        before = time.process_time()
        self.kernel(self.states, self.playout, self.rng, self.totals, playouts, with_digest)
        return Answer(time.process_time() - before, *self.totals[0].item())


class Yardstick:
    """The C++ program, which waits while it is not its turn."""

    def __init__(self, program: Path, size: int, rng: Any) -> None:
        command = [str(program), str(size), str(rng[0]), str(rng[1])]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, playouts: int, with_digest: bool = False) -> Answer:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(-playouts if with_digest else playouts, file=self.process.stdin, flush=True)
        seconds, moves, points, digest = self.process.stdout.readline().split()
        return Answer(float(seconds), int(moves), float(points), int(digest))

    def close(self) -> None:
        self.process.communicate()


def build(compiler: str, folder: Path) -> Path:
    """Compile the yardstick."""
    program = folder / f"go-{compiler}"
    subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(program)], check=True)
    return program


def agree(ours: Ours, theirs: Yardstick) -> Answer:
    """Play the same games on both sides and compare all moves and scores."""
    mine, other = ours.run(CHECKED, True), theirs.run(CHECKED, True)
    if mine[1:] != other[1:]:
        raise SystemExit(f"the two sides differ: {mine} and {other}")
    return mine


def compare(compiler: str, program: Path, size: int, rounds: int, seconds: float) -> str:
    """One line of the report."""
    rng = stream(1, "go playouts")
    ours, theirs = Ours(size, rng), Yardstick(program, size, rng)
    agree(ours, theirs)
    playouts = max(1, round(CHECKED * seconds / theirs.run(CHECKED).seconds))
    ours.run(CHECKED)
    mine, other = [], []
    for _ in range(rounds):
        mine.append(playouts / ours.run(playouts).seconds)
        other.append(playouts / theirs.run(playouts).seconds)
    agree(ours, theirs)  # both have played the same number of games, so totals must be equal
    theirs.close()
    low, middle, high = statistics.quantiles([a / b for a, b in zip(mine, other, strict=True)])
    return (
        f"{size:2}x{size:<2} {compiler:8} ours {statistics.median(mine):8,.0f}/s   "
        f"C++ {statistics.median(other):8,.0f}/s   "
        f"ratio {middle:.3f} (quartiles {low:.3f} to {high:.3f})   same moves and scores"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[9, 19], choices=[9, 13, 19])
    parser.add_argument("--rounds", type=int, default=24, help="turns of each side")
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU time of a turn")
    options = parser.parse_args()
    compilers = [name for name in COMPILERS if shutil.which(name)]
    if not compilers:
        raise SystemExit(f"no C++ compiler found; looked for {', '.join(COMPILERS)}")
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers:
            program = build(compiler, Path(folder))
            for size in options.sizes:
                print(compare(compiler, program, size, options.rounds, options.seconds), flush=True)


if __name__ == "__main__":
    main()
