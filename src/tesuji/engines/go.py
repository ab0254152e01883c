"""The commands of Go: the board, handicap, game records, and the end of a game."""

import json
from pathlib import Path

import tesuji
from tesuji.engines.engine import Engine
from tesuji.engines.gtp import quote
from tesuji.engines.server import Arguments, GtpError, Handler, Server, bad_syntax
from tesuji.errors import GameError, PositionError, choices
from tesuji.game import Size
from tesuji.games.go.board import BLACK, PASS, WHITE
from tesuji.games.go.handicap import fixed_points, most_fixed
from tesuji.games.go.rulesets import RULESETS, find_ruleset, from_kata, to_kata, variant
from tesuji.games.go.setup import board_of, path_to, set_up, stones
from tesuji.games.go.sgf import Note, note, parse_sgf, to_sgf
from tesuji.games.go.status import STATUSES, lead_text, settled_score, statuses


class GoCommands:
    """Commands that only Go has."""

    def __init__(self, server: Server, engine: Engine) -> None:
        self._engine = engine
        handlers: dict[str, Handler] = {
            "boardsize": self.boardsize,
            "rectangular_boardsize": self.rectangular_boardsize,
            "komi": self.komi,
            "kata-get-rules": self.kata_get_rules,
            "kata-set-rule": self.kata_set_rule,
            "kata-set-rules": self.kata_set_rules,
            "fixed_handicap": self.fixed_handicap,
            "place_free_handicap": self.place_free_handicap,
            "set_free_handicap": self.set_free_handicap,
            "loadsgf": self.loadsgf,
            "printsgf": self.printsgf,
            "final_score": self.final_score,
            "final_status_list": self.final_status_list,
            "kgs-genmove_cleanup": self.kgs_genmove_cleanup,
            "kgs-game_over": self.kgs_game_over,
        }
        for name, handler in handlers.items():
            server.add(name, handler)

    # --- the board

    def boardsize(self, arguments: Arguments) -> str:
        """``boardsize N``: another board, empty; answered when the search is ready."""
        arguments.expect(1)
        side = arguments.integer(0, "the size")
        return self._resize(side, side)

    def rectangular_boardsize(self, arguments: Arguments) -> str:
        """``rectangular_boardsize COLUMNS ROWS``: the same for a rectangle, as KataGo has it."""
        arguments.expect(2)
        return self._resize(arguments.integer(0, "the width"), arguments.integer(1, "the height"))

    def _resize(self, width: int, height: int) -> str:
        if self._engine.game.parameters["size"] == (width, height):
            self._engine.clear()
            return ""
        try:
            game = variant(self._engine.game, size=Size(width, height))
        except GameError as error:
            raise GtpError(f"unacceptable size: {error}") from None
        self._engine.change_game(game)
        return ""

    def komi(self, arguments: Arguments) -> str:
        """``komi N``: what Black owes White, from now on and in this game."""
        arguments.expect(1)
        self._engine.change_rules(komi=arguments.number(0, "komi"))
        return ""

    def kata_get_rules(self, arguments: Arguments) -> str:
        """The rules in KataGo's form, without komi."""
        arguments.expect(0)
        return json.dumps(to_kata(self._engine.game.parameters))

    def kata_set_rules(self, arguments: Arguments) -> str:
        """``kata-set-rules NAME|JSON``: other rules, from now on and in this game."""
        text = " ".join(arguments)
        if text.startswith("{"):
            return self._follow(from_kata(_json(text)))
        rules = find_ruleset(text)
        if rules is None:
            raise GtpError(f"unknown rules {quote(text)}; {choices(text, RULESETS)}")
        return self._follow(rules.parameters)

    def kata_set_rule(self, arguments: Arguments) -> str:
        """``kata-set-rule KEY VALUE``: one rule in KataGo's form."""
        arguments.expect(2)
        key, text = arguments
        value = {"true": True, "false": False}.get(text, text)
        return self._follow(from_kata({key: value}))

    def _follow(self, changes: dict[str, object]) -> str:
        self._engine.change_rules(**changes)
        return ""

    # --- handicap

    def fixed_handicap(self, arguments: Arguments) -> str:
        """``fixed_handicap N``: stones on the usual points."""
        arguments.expect(1)
        number = arguments.integer(0, "the handicap")
        most = most_fixed(self._engine.game.parameters["size"])
        if not 2 <= number <= most:
            valid = f"it must be 2 to {most}" if most else "the board is too small for any"
            raise GtpError(f"invalid number of stones: {number}, {valid}")
        return self._place(fixed_points(self._engine.game, number))

    def place_free_handicap(self, arguments: Arguments) -> str:
        """``place_free_handicap N``: stones where we like; fewer if there are not as many points"""
        arguments.expect(1)
        number = arguments.integer(0, "the handicap")
        area = self._engine.game.max_moves - 1
        if not 2 <= number < area:
            raise GtpError(f"invalid number of stones: {number}, it must be 2 to {area - 1}")
        most = most_fixed(self._engine.game.parameters["size"])
        if most == 0:
            raise GtpError("invalid number of stones: this board has no points for handicap")
        return self._place(fixed_points(self._engine.game, min(number, most)))

    def set_free_handicap(self, arguments: Arguments) -> str:
        """``set_free_handicap VERTEX VERTEX...``: stones on these points."""
        points = [self._point(word) for word in arguments]
        if len(points) < 2:
            raise GtpError(f"bad vertex list: it has {len(points)} points, it must be 2 or more")
        self._place(points)
        return ""

    def _point(self, word: str) -> int:
        move = self._engine.notation.move(word)
        if move == PASS:
            last = self._engine.notation.text(int(board_of(self._engine.game).vertices[-1]))
            raise GtpError(f"bad vertex list: {quote(word)} is no point, valid: A1 to {last}")
        return move

    def _place(self, points: list[int]) -> str:
        position = self._engine.position
        if stones(position, BLACK) or stones(position, WHITE):
            raise GtpError("board not empty")
        try:
            self._engine.begin(set_up(self._engine.game, points, [], mover=1))
        except PositionError as error:
            raise GtpError(f"bad vertex list: {error}") from None
        return self._texts(points)

    def _texts(self, points: list[int]) -> str:
        return " ".join(map(self._engine.notation.text, points))

    # --- records

    def loadsgf(self, arguments: Arguments) -> str:
        """``loadsgf FILE [N]``: the position before move N of a file, or its last."""
        if not arguments:
            raise bad_syntax("loadsgf needs the name of a file")
        words: list[str] = arguments
        moves = None
        if len(arguments) > 1 and arguments[-1].isdigit():
            words, moves = arguments[:-1], max(arguments.integer(-1, "the move") - 1, 0)
        try:
            record = parse_sgf(Path(_file(words)).read_bytes())
            game = variant(self._engine.game, **record.parameters)
            position = record.position(moves, game)
        except (OSError, PositionError, GameError) as error:
            what = getattr(error, "strerror", None) or error
            raise GtpError(f"cannot load file: {what}") from None
        self._engine.change_game(game)
        self._engine.begin(position)
        return ""

    def printsgf(self, arguments: Arguments) -> str:
        """``printsgf [FILE]``: this game as SGF, to a file or as the answer."""
        program = {"AP": ("tesuji", tesuji.__version__)}
        text = to_sgf(self._engine.position, notes=self._notes(), properties=program).decode()
        if not arguments:
            return text
        try:
            Path(_file(arguments)).write_text(text, encoding="utf-8")
        except OSError as error:
            raise GtpError(f"cannot write file: {error.strerror}") from None
        return ""

    def _notes(self) -> dict[int, Note]:
        """What was thought of the moves of this game, by their numbers from 0."""
        thoughts = self._engine.thoughts
        moves = [at for at in path_to(self._engine.position) if at.move is not None]
        return {number: note(thoughts[at]) for number, at in enumerate(moves) if at in thoughts}

    # --- the end

    def final_score(self, arguments: Arguments) -> str:
        """The area score when dead stones are taken off: ``B+3.5``, ``W+0.5`` or ``0``."""
        arguments.expect(0)
        return lead_text(settled_score(self._engine.position, self._engine.settle()))

    def final_status_list(self, arguments: Arguments) -> str:
        """``final_status_list alive|seki|dead``: such chains, each on a line."""
        arguments.expect(1)
        wanted = arguments[0]
        if wanted not in STATUSES:
            raise bad_syntax(f"the status is {quote(wanted)}; {choices(wanted, STATUSES)}")
        found = statuses(self._engine.position, self._engine.settle())
        return "\n".join(map(self._texts, found[wanted]))

    def kgs_genmove_cleanup(self, arguments: Arguments) -> str:
        """``kgs-genmove_cleanup COLOUR``: as ``genmove``, but leave no dead stone."""
        arguments.expect(1)
        player = self._engine.notation.player(arguments[0])
        return self._engine.answer(self._engine.think(player, cleanup=True))

    def kgs_game_over(self, arguments: Arguments) -> str:
        """The game has ended: think no more."""
        arguments.expect(0)
        self._engine.computer.halt()
        return ""


def _json(text: str) -> dict[str, object]:
    try:
        found: dict[str, object] = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise bad_syntax(f"{quote(text)} is not JSON: {error}") from None
    return found


def _file(words: list[str]) -> str:
    """The name of a file, which may have blanks; GoGui quotes it then."""
    return " ".join(words).strip('"')
