"""What a game was played by: the identity of the code, and whether the same code repeats it.

`code_of` is one hash over the rules, both players and how the lab conducts a game.  A search counts
by the source of all that it runs (`tesuji.identity`), a player of a user by its file and the files
beside it, an external program by its command and by what it says of itself.
"""

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tesuji.compile.identity import Source, digest_of
from tesuji.game import Game
from tesuji.identity import of_files, of_game, of_package, of_search
from tesuji.lab.budget import Budget
from tesuji.lab.entrant import OPTIONS, SEARCHES, Entrant
from tesuji.lab.gtp_player import version_of
from tesuji.lab.match import Match, Standing
from tesuji.lab.opening import Openings
from tesuji.lab.play import play
from tesuji.lab.player import Player, RandomPlayer
from tesuji.play.clock import Clock
from tesuji.search.config import SearchConfig

#: the files of these are how the lab conducts a game
CONDUCT = (play, Openings, Budget, Player, Clock)
MIND = Path(inspect.getfile(Clock)).parent  #: how a whole player thinks, with a clock
#: what users' players may take from this package without reaching the search
PLAIN = ("tesuji.lab", "tesuji.lab.player", "tesuji.lab.budget", "tesuji.errors", "tesuji.game")
RECORD = "**Record.**"
UNKNOWN = "what was not kept"
NOT_KEPT = "not kept with the games"
Version = Callable[[str], str]  #: what the program of a command says of itself


def code_of(match: Match, game: Game, version: Version | None = None) -> str:
    """The identity of the code that plays a match; ``version`` knows programs that run already."""
    known = version or (lambda command: version_of(game, command, **match.rules.program_times))
    referee = match.rules.referee
    balanced = match.rules.openings.kind == "balanced"
    return digest_of(
        of_game(game),
        of_files(*(inspect.getfile(part) for part in CONDUCT)),
        [_player(entrant, game, known) for entrant in match.entrants],
        [referee, known(referee)] if referee else [],
        of_search(game, SearchConfig()) if balanced else "",
    )


def _player(entrant: Entrant, game: Game, version: Version) -> str:
    if entrant.kind == "gtp":
        command = entrant.settings["command"]
        return digest_of(command, version(command))
    if entrant.kind == "python":
        return _program(Path(entrant.settings["path"]))
    if entrant.kind == "random":
        return Source().add(RandomPlayer).digest
    mind = of_files(*map(str, sorted(MIND.glob("*.py")))) if entrant.kind == "player" else ""
    options = sorted(item for item in entrant.settings.items() if item[0] in OPTIONS)
    return digest_of(of_search(game, entrant.config(game)), mind, options)


def _program(path: Path) -> str:
    """A player of a user; one that reaches into this package may reach everything in it."""
    source = Source()
    modules = source.add_program(path)
    reaches = any(name.split(".")[0] == "tesuji" and name not in PLAIN for name in modules)
    return digest_of(source.digest, of_package() if reaches else "")


def repeats(matches: Iterable[Match]) -> str:
    """Does the same code play the same games again?  ``yes``, or what speaks against it."""
    against, unknown = set(), []
    for match in matches:
        searches = [entrant.settings for entrant in match.entrants if entrant.kind in SEARCHES]
        timed = match.rules.time_equalised or any(limit.timed for limit in match.budgets)
        if timed or any(settings.get("share_seconds") for settings in searches):
            against.add("clock")
        if any(_shares(settings) for settings in searches):
            against.add("threads")
        unknown += [entrant.name for entrant in match.entrants if entrant.kind in ("gtp", "python")]
        unknown += [match.rules.referee] if match.rules.referee else []
    if against:
        return f"no: {', '.join(sorted(against))}"
    return f"not known: {', '.join(dict.fromkeys(unknown))}" if unknown else "yes"


def _shares(settings: Mapping[str, Any]) -> bool:
    """Do threads share a tree or a leaf?"""
    return settings.get("threads", 1) > 1 and settings.get("parallel") != "root"


def told(games: Mapping[str, int]) -> str:
    """By what code or machine games were played; how many by each, if they are several."""
    if not any(games):
        return NOT_KEPT
    if len(games) == 1:
        return next(iter(games))
    return ", ".join(
        f"{count:,} game{'s' * (count > 1)} by {name or UNKNOWN}" for name, count in games.items()
    )


def record(standings: Sequence[Standing]) -> str:
    """What is known of the games of several matches: how many, by what code, on which machine."""
    played = sum(standing.summary()["games"] for standing in standings)
    wanted = sum(standing.task.games for standing in standings)
    complete = all(standing.finished for standing in standings)
    state = f"Complete: {played:,}" if complete else f"Incomplete: {played:,} of {wanted:,}"
    machines: Counter[str] = sum((Counter(s.machines) for s in standings), Counter())
    return (
        f"{RECORD} {state} games. "
        f"Repeats bit for bit: {repeats(standing.task.match for standing in standings)}. "
        f"Code: {_code(standings)}. Machine: {told(machines)}."
    )


def _code(standings: Sequence[Standing]) -> str:
    """One identity for all matches together, or what was played by which where they are mixed."""
    codes = [standing.codes for standing in standings if standing.codes]
    mixed = [told(games) for games in codes if len(games) > 1]
    if mixed:
        return f"not the same in all games of a match: {'; '.join(mixed)}"
    each = [name for games in codes for name in games]
    if not all(each) or not each:
        return NOT_KEPT
    return f"`{each[0] if len(set(each)) == 1 else digest_of(*each)}`"
