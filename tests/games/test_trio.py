from functools import cache

import pytest

import checks
from tesuji import Limit, Searcher
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft, solve
from tesuji.games import load
from tesuji.games.trio import rows, rows_through
from tesuji.position import Position

TINY = "trio:size=3,line=3"
PERFT = [
    ("trio", 1, 36),
    ("trio", 2, 36 * 35),
    ("trio", 3, 36 * 35 * 34),
    # tic-tac-toe, by two: well-known counts
    ("trio:players=2,size=3,line=3", 5, 15_120),
    ("trio:players=2,size=3,line=3", 6, 54_720 + 1440),
    ("trio:players=2,size=3,line=3", 9, 255_168),
]


@pytest.mark.parametrize(("spec", "depth", "leaves"), PERFT)
def test_leaf_counts(spec: str, depth: int, leaves: int) -> None:
    assert perft(checks.after(spec), depth) == leaves


def test_first_rows_are_counted_by_hand() -> None:
    """The first player completes one of 8 rows in 3! orders; the others have put down 4 of 6."""
    wins = 8 * 6 * (6 * 5 * 4 * 3)
    every = 9 * 8 * 7 * 6 * 5 * 4 * 3
    assert perft(checks.after(TINY), 7) == every
    assert perft(checks.after(TINY), 8) == wins + (every - wins) * 2


def test_by_two_on_nine_cells_it_is_a_draw() -> None:
    assert solve(checks.after("trio:players=2,size=3,line=3")) == 0.5


@pytest.mark.parametrize(
    ("size", "line", "count"), [((3, 3), 3, 8), ((6, 6), 4, 54), ((7, 6), 4, 69), ((5, 5), 5, 12)]
)
def test_rows_are_counted(size: tuple[int, int], line: int, count: int) -> None:
    """69 is the number known from Connect Four."""
    board = load(f"trio:size={size[0]}x{size[1]},line={line}").parameters["size"]
    found = rows(board, line)
    assert len(set(map(frozenset, found))) == len(found) == count
    table = rows_through(board, line)
    for point in range(size[0] * size[1]):
        assert {tuple(row) for row in table[point].tolist()} == {
            tuple(row) for row in found if point in row
        }


ENDS = [
    ("a1 a2 a3 b1 b2 b3 c1 c2 c3 d1", "X wins", (1.0, 0.0, 0.0)),  # level
    ("a1 f1 b6 a2 f2 c6 a5 f3 d6 a6 f4", "O wins", (0.0, 1.0, 0.0)),  # upright
    ("a1 f1 a2 a5 f2 b3 b1 f5 c4 b2 f6 d5", "Y wins", (0.0, 0.0, 1.0)),  # rising
    ("a6 f1 a1 b5 f2 a2 c4 f4 b1 d3", "X wins", (1.0, 0.0, 0.0)),  # falling
]


@pytest.mark.parametrize(("moves", "result", "rewards"), ENDS)
def test_four_in_a_row_win(moves: str, result: str, rewards: tuple[float, ...]) -> None:
    assert not checks.after("trio", moves.rpartition(" ")[0]).over
    position = checks.after("trio", moves)
    assert position.result_text() == result
    assert position.rewards == rewards


def test_the_board_does_not_wrap_around() -> None:
    """e1, f1, a2 and b2 follow each other in memory."""
    assert not checks.after("trio", "e1 c3 c5 f1 d3 d5 a2 a4 b4 b2").over


def test_a_full_board_is_shared() -> None:
    position = checks.after(TINY, "a2 c2 b2 a1 c1 a3 c3 b1 b3")
    assert str(position).splitlines()[1:4] == ["3 Y Y X 3", "2 X Y O 2", "1 X O O 1"]
    assert position.result_text() == "draw"
    assert position.rewards == (1 / 3, 1 / 3, 1 / 3)


@pytest.mark.parametrize(("players", "names"), [(2, "XOXO"), (3, "XOYX"), (4, "XOYZ")])
def test_players_take_turns(players: int, names: str) -> None:
    position = checks.after(f"trio:players={players}")
    for move, name in zip(("a1", "b1", "c1", "d1"), names, strict=True):
        assert position.mover_name == name
        position = position.play(move)
    assert str(position).splitlines()[-2].split()[1:5] == list(names)


def test_hash() -> None:
    one, other = checks.after("trio", "a1 b2 c3 d4 e5"), checks.after("trio", "d4 e5 c3 a1 b2")
    assert checks.hash_of(one) == checks.hash_of(other)
    swapped = checks.after("trio", "b2 a1 c3 d4 e5")
    assert checks.hash_of(swapped) != checks.hash_of(one)


# --- exact play by three ------------------------------------------------------------------------


@cache
def outcomes(stones: str) -> tuple[tuple[float, float, float], ...]:
    """Every reward of the tiny game that can come of players who each want the most for himself.

    Written without the game: a player who has equal moves may take any of them, so there can be
    several outcomes.  A move is excluded only if another is better however the game goes on.
    """
    if result := ended(stones):
        return (result,)
    player = (9 - stones.count(".")) % 3
    after = [outcomes(child) for child in children(stones).values()]
    assured = max(min(reward[player] for reward in found) for found in after)
    return tuple({reward for found in after for reward in found if reward[player] >= assured})


def children(stones: str) -> dict[str, str]:
    """The position after each move."""
    player = (9 - stones.count(".")) % 3
    return {
        "abc"[i % 3] + "123"[i // 3]: stones[:i] + "XOY"[player] + stones[i + 1 :]
        for i in range(9)
        if stones[i] == "."
    }


def ended(stones: str) -> tuple[float, float, float] | None:
    lines = ("012", "345", "678", "036", "147", "258", "048", "246")
    for player, symbol in enumerate("XOY"):
        if any(all(stones[int(i)] == symbol for i in line) for line in lines):
            return (float(player == 0), float(player == 1), float(player == 2))
    return None if "." in stones else (1 / 3, 1 / 3, 1 / 3)


def clearly_best(position: Position) -> str | None:
    """The move that is better than all others, whatever equal moves are taken later."""
    after = children(cells(position))
    mine = {text: [r[position.mover] for r in outcomes(child)] for text, child in after.items()}
    worst = {text: min(rewards) for text, rewards in mine.items()}
    choice = max(worst, key=lambda text: worst[text])
    others = [max(rewards) for text, rewards in mine.items() if text != choice]
    return choice if worst[choice] > max(others) else None


def cells(position: Position) -> str:
    return "".join("".join(line.split()[1:-1]) for line in str(position).splitlines()[3:0:-1])


def find(position: Position) -> str:
    return Searcher(position.game, seed=1).search(position, Limit(simulations=3000)).text


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ("a2 c2 b2 a1 c1", "a3"),  # Y stops X, who is next, and leaves c3 of O to X
        ("a2 c2 b2 a1 c1 a3", "c3"),  # X has to stop it
        ("a2 c2 b2 a1 c1 a3 b3", "c3"),  # X did not: O wins
        ("a2 c2 b2 a1 c1 b3", "a3"),  # Y did not: X wins
    ],
)
def test_rows_are_stopped_by_whom_they_hurt_first(moves: str, best: str) -> None:
    position = checks.after(TINY, moves)
    assert clearly_best(position) == best
    assert find(position) == best


def test_a_search_plays_as_the_exact_solution_says() -> None:
    seen = {}
    for seed in range(100):
        for position in checks.random_game(TINY, seed):
            if len(position.moves) > 1 and (best := clearly_best(position)) is not None:
                seen[cells(position)] = (position, best)
    assert len(seen) > 50
    for position, best in seen.values():
        assert find(position) == best, str(position)


# --- parameters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("players=1", "players must be 2 to 4, not 1"),
        ("players=5", "players must be 2 to 4, not 5"),
        ("size=2", "both sides of size must be 3 to 15, not 2"),
        ("size=4x16", "both sides of size must be 3 to 15, not 4x16"),
        ("line=2", "line must be 3 to 6 on a board of 6, not 2"),
        ("size=5x4,line=5", "line must be 3 to 4 on a board of 5x4, not 5"),
    ],
)
def test_wrong_parameters(options: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        load(f"trio:{options}")


def test_nonsense_is_refused() -> None:
    with pytest.raises(MoveError, match="a letter a to f and a number 1 to 6"):
        checks.after("trio").parse_move("g1")
