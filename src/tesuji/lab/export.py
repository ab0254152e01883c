"""Games out of a store: all as one JSON document, games of Go as SGF files, or as another store.

Start at `export_json`, `export_sgf` and `export_store`; `choose` picks the matches.  Of a store
that is damaged they write what is whole (`tesuji.lab.salvage`).
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tesuji
from tesuji.errors import ConfigError, StoreError
from tesuji.game import Game
from tesuji.games.go.facets import is_go
from tesuji.games.go.sgf import Note, to_sgf
from tesuji.games.go.status import settled_score
from tesuji.lab.match import Match, Standing, game_of
from tesuji.lab.play import Played
from tesuji.lab.store import Store
from tesuji.position import Position

#: How SGF writes why a game was lost; whatever is neither here nor scored is a forfeit, "F".
LOST_BY = {"resignation": "R", "time": "T"}
SCORED = ("end", "length")


def choose(store: Store, match: int | None = None) -> list[Standing]:
    """All matches of a store that have games, or the one with this number."""
    standings = [standing for standing in store.matches() if standing.scores]
    if not standings and store.damaged:
        raise StoreError(f"the store {store.path} is damaged, and no game of it is whole")
    if not standings:
        raise StoreError(f"there is no game in the store {store.path} yet")
    if match is None:
        return standings
    chosen = [standing for standing in standings if standing.id == match]
    if not chosen:
        known = ", ".join(str(standing.id) for standing in standings)
        raise ConfigError(f"there is no match {match} with games in the store; valid: {known}")
    return chosen


def export_json(store: Store, standings: Sequence[Standing], path: Path) -> int:
    """Write all games into one JSON document, one game a line; gives how many there are."""
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            try:
                file.writelines(_document(store, standings))
            except BaseException:
                path.unlink()  # half a document is none
                raise
    return _count(standings)


def export_store(store: Store, standings: Sequence[Standing], path: Path) -> int:
    """Write all games into a new store; gives how many there are."""
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with Store(path) as fresh:
            for standing in standings:
                number = fresh.add(standing.task)
                for game in store.games(standing.id):
                    fresh.save(number, game)
    return _count(standings)


def export_sgf(store: Store, standings: Sequence[Standing], folder: Path) -> int:
    """Write each game of Go into a file ``MATCH-GAME.sgf``; gives how many there are."""
    for standing in standings:
        _check_sgf(standing)
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for standing in standings:
            digits = len(str(len(standing.scores) - 1))
            for game in store.games(standing.id):
                name = f"{standing.id}-{game.number:0{digits}}.sgf"
                (folder / name).write_bytes(sgf(standing.task.match, game, f"match {standing.id}"))
    return _count(standings)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Games are added to nothing and replace nothing."""
    if path.is_file() or (path.is_dir() and any(path.iterdir())):
        raise ConfigError(f"{path} exists already; choose a name that is new")
    try:
        yield
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None


def _count(standings: Sequence[Standing]) -> int:
    return sum(score is not None for standing in standings for score in standing.scores)


def _document(store: Store, standings: Sequence[Standing]) -> Iterator[str]:
    """The document in pieces, because a store may be larger than the memory."""
    head = {"tesuji": tesuji.__version__, "store": store.path.name if store.path else ""}
    yield f'{json.dumps(head)[:-1]}, "matches": ['
    for number, standing in enumerate(standings):
        yield f'{"," if number else ""}\n{json.dumps(_match_json(standing))[:-1]}, "games": ['
        for count, game in enumerate(store.games(standing.id)):
            yield f"{',' if count else ''}\n{json.dumps(_game_json(game))}"
        yield "]}"
    yield "]}\n"


def _match_json(standing: Standing) -> dict[str, Any]:
    task = standing.task
    return {
        "id": standing.id,
        "key": task.match.key,
        "definition": task.match.to_json(),
        "wanted": task.games,
        "sprt": None if task.sprt is None else asdict(task.sprt),
    }


def _game_json(game: Played) -> dict[str, Any]:
    # A seed has 128 bits, and many readers of JSON keep 53 of a number.
    return {**asdict(game), "seed": str(game.seed)}


def _check_sgf(standing: Standing) -> None:
    spec = standing.task.match.game
    if not is_go(game_of(spec)):
        raise ConfigError(
            f"match {standing.id} plays {spec}, and SGF is for Go only; choose a match of Go with "
            f"--match, or --format json"
        )


def sgf(match: Match, played: Played, where: str) -> bytes:
    """A game of Go as an SGF file; ``where`` says whose game it is."""
    names = match.entrants if played.first == "a" else match.entrants[::-1]
    comments = ["opening"] * len(played.opening) + [_comment(*f) for f in played.figures]
    return to_sgf(
        _position(game_of(match.game), played),
        names=(names[0].name, names[1].name),
        result=result(match, played, game_of(match.game)),
        notes={number: Note(comment) for number, comment in enumerate(comments)},
        properties={
            "AP": ("tesuji", played.version),
            "DT": played.started[:10],
            "GC": f"{where}, game {played.number}: {match}, seed {match.seed}; "
            f"how it ended: {' '.join([played.reason, played.detail]).strip()}",
        },
    )


def _position(game: Game, played: Played) -> Position:
    return Position.start(game).play(*played.opening, *played.moves)


def _comment(seconds: float, simulations: int, value: float | None) -> str:
    known = [f"value {value:.3f}"] if value is not None else []
    known += [f"{simulations} simulations"] if simulations else []
    return ", ".join([*known, f"{seconds:.3f} s"])


def result(match: Match, played: Played, game: Game) -> str:
    """The result as SGF writes it: ``B+3.5``, ``W+R``, ``B+T``, ``W+F``, ``0``."""
    black = played.score if played.first == "a" else 1 - played.score
    if black == 0.5:
        return "0"
    winner = "B" if black == 1 else "W"
    if played.reason not in SCORED:
        return f"{winner}+{LOST_BY.get(played.reason, 'F')}"
    if match.rules.referee:
        return f"{winner}{played.detail[1:]}"  # its words, such as B+3.5
    return f"{winner}+{abs(settled_score(_position(game, played), None)):g}"
