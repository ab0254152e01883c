"""How fast are Go playouts, compared with the same algorithm in C++?

    python -m bench.go_playouts

Light playouts from the empty board, one thread, warm.  The two sides take turns many times within
one run and only CPU time counts, so that a busy machine disturbs both alike.  The figure to quote
is the median of the ratios of neighbouring turns: 1.00 means as fast as C++.  Before any timing
both sides play the same games from the same seed and must agree on every move and every score.
"""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.turns import HEADER, Ratio, take_turns
from tesuji.compile import Slot, specialise, stream
from tesuji.game import Size
from tesuji.games.go import game as go
from tesuji.games.go.board import make_board
from tesuji.games.go.score import scoring
from tesuji.position import Position
from tesuji.search.bindings import bindings
from tesuji.search.config import SearchConfig
from tesuji.search.context import make_context, make_params, make_simulations
from tesuji.search.simulate import simulate

SOURCE = Path(__file__).parent / "yardstick" / "go.cpp"
COMPILERS = ("g++", "clang++")
FLAGS = ("-std=c++17", "-O3", "-march=native")
ROUNDS = 24
SECONDS = 0.3  # CPU time of a turn
CHECKED = 500  # playouts whose moves are compared one by one

rules = Slot("rules")

Totals = np.dtype([("moves", np.int64), ("points", np.float64), ("digest", np.uint64)], align=True)


def run(
    sims: Any, own: Any, params: Any, rng: Any, totals: Any, playouts: int, with_digest: bool
) -> None:
    """Kernel: what the yardstick's ``run`` does."""
    total = totals[0]
    sim = sims[0]
    for _ in range(playouts):
        sim.state = own.root[0]
        sim.length[0] = 0
        simulate(None, sim, own, params[0], rng)
        total.moves += sim.length[0]
        total.points += rules.score(sim.state)
        if with_digest:
            for i in range(sim.length[0]):
                total.digest = total.digest * np.uint64(31) + np.uint64(sim.trace[i])


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
        config = SearchConfig()
        self.sims, self.own = make_simulations(of, config), make_context(of, config)
        self.own.root[0] = Position.start(of).state[0]
        self.params = make_params(of, config)
        self.rng = rng.copy()
        self.totals = np.zeros(1, Totals)
        score = scoring(make_board(Size(size, size)))
        slots = bindings(of, config)
        slots["rules"] = {**slots["rules"], "score": score}
        self.kernel = specialise(run, slots, label=f"playouts of go {size}x{size}")

    def run(self, playouts: int, with_digest: bool = False) -> Answer:
        before = time.process_time()
        buffers = self.sims, self.own, self.params, self.rng, self.totals
        self.kernel(*buffers, playouts, with_digest)
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


def compare(compiler: str, program: Path, size: int, rounds: int = ROUNDS) -> Ratio:
    """One row of the table."""
    rng = stream(1, "go playouts")
    ours, theirs = Ours(size, rng), Yardstick(program, size, rng)
    agree(ours, theirs)
    playouts = max(1, round(CHECKED * SECONDS / theirs.run(CHECKED).seconds))
    ours.run(CHECKED)
    ratio = take_turns(
        f"Go {size}x{size} light playouts",
        lambda: playouts / ours.run(playouts).seconds,
        lambda: playouts / theirs.run(playouts).seconds,
        rounds,
        f"{compiler} {' '.join(FLAGS[1:])}, same moves and scores",
    )
    agree(ours, theirs)  # both have played the same number of games, so totals must be equal
    theirs.close()
    return ratio


def compare_all() -> Iterator[Ratio]:
    """Every compiler that is installed, both board sizes."""
    with tempfile.TemporaryDirectory() as folder:
        for compiler in filter(shutil.which, COMPILERS):
            program = build(compiler, Path(folder))
            for size in (9, 19):
                yield compare(compiler, program, size)


def main() -> None:
    print(HEADER)
    for ratio in compare_all():
        print(ratio.row(), flush=True)


if __name__ == "__main__":
    main()
