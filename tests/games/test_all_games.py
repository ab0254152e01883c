"""What holds for every built-in game: the rules of the contract, and recorded games.

``playthroughs`` holds one seeded random game for each spec below: movers, moves, how many moves
were legal at each step, the rewards, the final drawing, and the keys of the last position, which
books and stores of other versions have.  When rules change on purpose, write them anew and look at
the difference:

    python tests/games/test_all_games.py
"""

import random
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import checks
from tesuji import Position
from tesuji.compile.plain import view
from tesuji.games import BUILT_IN

SMALL = [
    "amazons:size=5",
    "atarigo:size=4",
    "ataxx:size=4",
    "breakthrough:size=4x5",
    "connect4:size=4",
    "go:size=5",
    "havannah:size=4",
    "hex:size=5,swap=true",
    "loa:size=5",
    "morpion:rule=5D",
    "nogo:size=4",
    "pentalath:size=3,swap=true",
    "production:n=4",
    "samegame:size=5x4,colours=3,seed=3",
    "tictactoe",
    "trio:players=4,size=4,line=3",
]
SPECS = sorted({*SMALL, *BUILT_IN})
FOLDER = Path(__file__).parent / "playthroughs"
PAGES = Path(__file__).parents[2] / "docs" / "games"


def name(spec: str) -> str:
    return spec.partition(":")[0]


def test_no_game_is_forgotten() -> None:
    assert sorted(map(name, SMALL)) == sorted(BUILT_IN)


# --- the contract --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",  # a size more is one more compilation of many seconds
    [spec if spec in BUILT_IN else pytest.param(spec, marks=pytest.mark.stress) for spec in SPECS],
)
def test_compiled_games_equal_uncompiled_games(spec: str) -> None:
    checks.check_uncompiled(spec, games=1)


@pytest.mark.parametrize("spec", SPECS)
def test_moves_are_read_as_they_are_written(spec: str) -> None:
    checks.check_notation(spec, games=1)


@pytest.mark.parametrize("spec", SPECS)
def test_random_games_end_in_time(spec: str) -> None:
    for seed in range(5):
        *_, last = checks.random_game(spec, seed)
        assert last.ply <= last.game.max_length
        if last.game.players > 1:
            assert sum(last.rewards or ()) == 1.0
            assert last.result_text() in (*(f"{n} wins" for n in last.game.player_names), "draw")


@pytest.mark.parametrize("spec", SPECS)
def test_rewards_at_every_cut_off(spec: str) -> None:
    """From 0 to 1; those of several players sum to 1."""
    out = np.zeros(checks.game(spec).players)
    for position in checks.random_game(spec, 3):
        with np.errstate(over="ignore"):  # as compiled code does
            position.game.rewards(view(position.state.copy())[0], view(out))
        assert out.min() >= 0.0
        assert out.max() <= 1.0
        assert out.sum() == 1.0 or len(out) == 1


@pytest.mark.parametrize("spec", SPECS)
def test_games_of_one_player_have_a_score(spec: str) -> None:
    assert (checks.game(spec).score is not None) == (checks.game(spec).players == 1)


def test_rewards_lie_where_the_range_of_scores_says() -> None:
    """Of every game that declares one, in the middle of a game, too; what is outside is cut off."""
    declared = [spec for spec in SPECS if checks.game(spec).score_range is not None]
    assert {name(spec) for spec in declared} == {"morpion", "samegame"}
    out = np.zeros(1)
    for spec in declared:
        low, high = checks.game(spec).score_range or (0, 1)
        for position in checks.random_game(spec, 5):
            state = view(position.state.copy())[0]
            position.game.rewards(state, view(out))
            assert position.game.score is not None
            share = (position.game.score(state) - low) / (high - low)
            assert out[0] == pytest.approx(min(max(share, 0.0), 1.0))


@pytest.mark.parametrize("spec", SPECS)
def test_a_copy_of_the_record_is_the_whole_position(spec: str) -> None:
    """A game goes on from a copied record exactly as from the position itself."""
    positions = list(checks.random_game(spec, 4))
    middle = positions[len(positions) // 2]
    copy = Position(middle.game, middle.state.copy())
    for position in positions[len(positions) // 2 + 1 :]:
        assert position.move is not None
        copy = copy.play(position.move)
        for field in position.game.state.names or ():
            assert np.array_equal(copy.state[field], position.state[field]), field
        assert (copy.mover, copy.rewards) == (position.mover, position.rewards)


@pytest.mark.parametrize("spec", SPECS)
def test_hashes_tell_positions_apart(spec: str) -> None:
    """Equal after a replay, different for positions that differ in drawing, mover or moves."""
    looks: dict[int, tuple[str, int, tuple[int, ...]]] = {}
    for seed in range(3):
        for position in checks.random_game(spec, seed):
            key = checks.hash_of(position)
            look = (str(position), position.mover, tuple(sorted(listed(position))))
            assert looks.setdefault(key, look) == look
        again = Position.start(position.game).play(*position.line)
        assert checks.hash_of(again) == checks.hash_of(position)


def listed(position: Position) -> list[int]:
    """The moves that the state alone allows, without superko."""
    return list(Position(position.game, position.state).moves)


@pytest.mark.parametrize("spec", SPECS)
def test_drawings_are_plain_and_coloured(spec: str) -> None:
    position = list(checks.random_game(spec, 5))[3]
    plain, coloured = position.draw(), position.draw(colour=True)
    assert "\x1b[" not in plain
    assert "\x1b[1;31m" in coloured
    assert "\x1b[1;36m" in coloured or position.game.players == 1
    assert re.sub(r"\x1b\[[\d;]+m", "", coloured) == plain


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_has_a_page(game: str) -> None:
    text = (PAGES / f"{game}.md").read_text()
    assert text.startswith("# ")
    assert f"tesuji search {game}" in text


@pytest.mark.parametrize("game", [name for name in BUILT_IN if name != "samegame"])
def test_pages_have_the_start_as_text(game: str) -> None:
    start = Position.start(checks.game(game), jit=False)
    assert f"As text the start is `{start.text}`;" in " ".join(
        (PAGES / f"{game}.md").read_text().split()
    )


def test_every_page_has_a_game() -> None:
    pages = {path.stem for path in PAGES.glob("*.md")}
    assert pages - {"README", "index"} == set(BUILT_IN)


# --- facets --------------------------------------------------------------------------------------

WITH_BOARD = [spec for spec in SMALL if name(spec) != "production"]
#: symmetries that leave the players who they are
SYMMETRIES = {
    "amazons": 1,
    "atarigo": 7,
    "ataxx": 3,
    "breakthrough": 1,
    "connect4": 1,
    "go": 7,
    "havannah": 11,
    "hex": 1,
    "loa": 3,
    "morpion": 7,
    "nogo": 7,
    "pentalath": 11,
    "tictactoe": 7,
    "trio": 7,
}
#: positions that moves lead to, and how many are left when images of each other count once
COUNTED = [
    ("tictactoe", 5478, 765),  # as everybody counts them, see docs/games/tictactoe.md
    ("ataxx:size=3", 51, 16),
    ("atarigo:size=2x3", 235, 67),
    ("breakthrough:size=2x4", 646, 326),
    ("connect4:size=3", 869, 452),
    ("go:size=1x3", 45, 30),
    ("go:size=2", 163, 38),
    ("hex:size=2,swap=true", 63, 33),
    ("nogo:size=2x3", 177, 51),
]


@pytest.mark.parametrize("spec", WITH_BOARD)
def test_clicks_tell_moves_apart(spec: str) -> None:
    checks.check_clicks(spec)


@pytest.mark.parametrize("spec", WITH_BOARD)
def test_boards_show_what_drawings_show(spec: str) -> None:
    checks.check_drawing(spec)


@pytest.mark.parametrize("spec", SMALL)
def test_games_go_on_after_symmetries(spec: str) -> None:
    assert len(checks.game(spec).symmetries) == SYMMETRIES.get(name(spec), 0)
    checks.check_symmetries(spec, games=1)


def test_rectangles_have_fewer_symmetries() -> None:
    for spec, count in (("go:size=4x5", 3), ("ataxx:size=4x5", 1), ("nogo:size=1x4", 1)):
        assert len(checks.game(spec).symmetries) == count


@pytest.mark.parametrize("spec", SMALL)
def test_positions_are_read_as_they_are_written(spec: str) -> None:
    checks.check_text(spec, games=1)


@given(
    st.sampled_from([spec for spec in SMALL if name(spec) not in ("morpion", "production")]),
    st.lists(st.integers(0, 2**16), max_size=60),
)
@settings(max_examples=60, deadline=None)
def test_any_position_is_read_as_it_is_written(spec: str, choices: list[int]) -> None:
    position = Position.start(checks.game(spec), jit=False)
    for choice in choices:
        if not position.over:
            position = position.play(position.moves[choice % len(position.moves)])
    back = Position.parse(position.game, position.text, jit=False)
    assert checks.look(back) == checks.look(position)
    assert (back.exact_key, back.key) == (position.exact_key, position.key)
    again = Position.parse(position.game, position.line_text, jit=False)
    assert (again.line, again.moves, again.key) == (position.line, position.moves, position.key)


@pytest.mark.parametrize(("spec", "positions", "classes"), COUNTED)
def test_keys_of_all_positions_of_small_boards(spec: str, positions: int, classes: int) -> None:
    assert checks.check_keys(spec, jit=spec == "tictactoe") == (positions, classes)


@pytest.mark.parametrize("spec", SMALL)
def test_keys_are_the_same_uncompiled(spec: str) -> None:
    *_, last = checks.random_game(spec, 6)
    middle = last.line[: len(last.line) // 2]
    assert (
        Position.start(last.game, jit=False).play(*middle).key
        == Position.start(last.game, jit=True).play(*middle).key
    )


# --- recorded games ------------------------------------------------------------------------------


def record(spec: str) -> str:
    """One random game as text."""
    chooser = random.Random(f"playthrough of {spec}")
    position = Position.start(checks.game(spec))
    lines = [f"game {spec}"]
    while not position.over:
        move = chooser.choice(sorted(position.moves))
        lines.append(step(position, move))
        position = position.play(move)
    return "\n".join([*lines, *ending(position), ""])


def step(position: Position, move: int) -> str:
    choices = len(position.moves)
    return f"{position.ply + 1} {position.mover_name} {position.move_text(move)} of {choices}"


def ending(position: Position) -> list[str]:
    drawing = [line.rstrip() for line in position.draw().splitlines()]
    keys = f"key {position.key:016x}, exact key {position.exact_key:016x}"
    return [f"rewards {position.rewards}", position.result_text(), *drawing, keys]


def path_of(spec: str) -> Path:
    return FOLDER / f"{spec.replace(':', '-')}.txt"


@pytest.mark.parametrize("spec", SPECS)
def test_recorded_games_are_played_again(spec: str) -> None:
    """The moves of the file, not of the generator: a shuffled list of moves changes nothing."""
    head, *lines = path_of(spec).read_text().splitlines()
    assert head == f"game {spec}"
    position = Position.start(checks.game(spec))
    for line in lines:
        if position.over:
            break
        move = position.parse_move(line.split()[2])
        assert step(position, move) == line
        position = position.play(move)
    assert lines[position.ply :] == ending(position)


def test_every_recorded_game_is_known() -> None:
    assert sorted(FOLDER.iterdir()) == sorted(map(path_of, SPECS))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for known in SPECS:
        path_of(known).write_text(record(known))
