"""The report: the page needs nothing else, and its figures are those of the games."""

import json
import re
import shlex
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from typer.testing import CliRunner

from tests.command import run_here
from tesuji.cli import app
from tesuji.errors import ConfigError, StoreError
from tesuji.lab import report as module
from tesuji.lab.account import account, command, written
from tesuji.lab.budget import Budget
from tesuji.lab.entrant import Entrant
from tesuji.lab.match import Task
from tesuji.lab.opening import Openings
from tesuji.lab.play import Played
from tesuji.lab.report import Axis, Report, rating_lists
from tesuji.lab.runner import run
from tesuji.lab.stats import Sprt
from tesuji.lab.store import Store
from tesuji.lab.tournament import pairings, ratings

from .matches import FIRST, make, play_one, standing_of, trouble

EVIL = "<script>alert('x')</script>"
VOID = {"meta", "link", "img"}
TASKS = [
    Task(make("uct@sims=60", "random", "hex:size=3", openings=Openings("random", 1)), 20),
    Task(make("uct", trouble("raise", 1), seed=5), 6),
    Task(make(FIRST, "random", resign=0.1), 2),
]


def signed(elo):
    """As the page writes it, with a true minus sign."""
    return f"{elo:+.0f}".replace("-", "\N{MINUS SIGN}") if round(elo) else "0"


class Page(HTMLParser):
    """Reads a page and checks that it is well formed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.texts = [], Counter(), [], []
        self.rows = []
        self.feed(text)
        self.close()
        assert self.open == []
        assert self.tags["svg"] == text.count("</svg>")

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_startendtag(self, tag, attributes):
        self.tags[tag] += 1
        self.attributes += attributes

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, text):
        self.texts.append(text)
        if self.rows and self.rows[-1] and {"td", "th"} & set(self.open):
            self.rows[-1][-1] += text

    def values(self, name):
        return [value for key, value in self.attributes if key == name]

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    def row(self, start):
        """The cells of the first row that starts with these."""
        return next(row for row in self.cells if row[: len(start)] == start)

    @property
    def cells(self):
        return [[" ".join(cell.split()) for cell in row] for row in self.rows]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("report") / "games.db") as opened:
        run(TASKS, opened, jobs=1)
        yield opened


@pytest.fixture(scope="module")
def found(store):
    return Report.read(store)


@pytest.fixture(scope="module")
def text(found):
    return found.page()


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


def test_the_page_refers_to_nothing_outside(text, page):
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert page.values("src") == []
    links = page.values("href") + page.values("xlink:href")
    assert links
    assert all(link.startswith("#") for link in links)
    assert set(re.findall(r"url\((.)", text)) <= {"#"}
    assert "http" not in text
    assert "@import" not in text
    assert "@font-face" not in text


def test_links_lead_somewhere(page):
    identities = page.values("id")
    assert len(identities) == len(set(identities))
    links = page.values("href") + page.values("xlink:href")
    assert {link.removeprefix("#") for link in links} <= set(identities)


def test_plots_follow_the_colours_of_the_page(text, page):
    plots = re.findall(r"(?s)<svg.*?</svg>", text)
    # Score, pairs, length for each match; speed where somebody simulates.
    assert len(plots) == page.tags["svg"] == 4 + 4 + 3
    for plot in plots:
        assert "var(--" in plot
        assert not re.search("(fill|stroke): #", plot)
        assert "DejaVu" not in plot


def test_the_page_holds_the_figures_of_every_match(store, page):
    for standing in store.matches():
        match, figures = standing.task.match, standing.summary()
        name = f"{match.a.name} against {match.b.name}"
        assert name in page.text
        row = page.row([str(standing.id)])
        assert row[1].startswith(name)
        counts = [figures[key] for key in ("games", "wins", "draws", "losses")]
        assert row[2:6] == [str(count) for count in counts]
        low, high = (f"{100 * figures[key]:.1f} %" for key in ("score_low", "score_high"))
        assert row[6] == f"{100 * figures['score']:.1f} % {low} to {high}"
        assert row[7].startswith(signed(figures["elo"]))
        assert row[9] == f"{100 * figures['los']:.1f} %"


def test_the_page_tells_the_rest(store, page):
    assert "Matches 3 Games 28 Players 5" in page.text
    assert "opening random:1 · seed 0" in page.text
    assert "trouble: crash in games 0, 1, 2, 3, 4, 5" in page.text
    assert "ZeroDivisionError: oh no" in page.text
    assert page.row(["crash"]) == ["crash", "6", "6", "0", "0"]
    assert ["resignation", "below 0.1"] in page.cells
    assert ["kind", "search", "random"] in page.cells
    assert ["c", "0.35", ""] in page.cells
    for task in TASKS:
        assert command(task) in page.text


def test_an_account_adds_up_the_games(store):
    standing = store.matches()[0]
    games = list(store.games(standing.id))
    found = account(standing, games)
    assert found.lengths == [1 + len(game.moves) for game in games]
    assert found.speeds[0] == [game.simulations[0] / game.thinking[0] for game in games]
    assert found.speeds[1] == []  # of the random player
    assert sum(found.ends["end"]) == found.summary["games"] == 20
    assert found.ends["end"][0] == found.summary["wins"]
    first, second = found.by_colour
    assert (first.games, second.games) == (10, 10)
    assert first.wins == sum(game.score == 1 for game in games[::2])
    assert found.first_score == (first.wins + second.losses) / 20
    assert found.thinking[0] + found.thinking[1] <= found.seconds


def test_games_after_the_decision_do_not_count(store, tmp_path):
    standing = store.matches()[0]
    tested = standing_of(replace(standing.task, sprt=Sprt(0, 400)), standing.scores, 1)
    found = account(tested, store.games(1))
    assert 0 < found.summary["games"] < 20
    assert found.left_out == 20 - found.summary["games"]
    assert len(found.lengths) == found.summary["games"]
    page = Page(replace(Report.read(store), matches=[found], lists=[]).page())
    assert f"{found.left_out} further games were played after the decision" in page.text
    assert page.row(["1"])[10].startswith("H1 accepted LLR ")


def test_foreign_text_stays_text():
    match = make("random", "random")
    evil = replace(
        match, a=Entrant(EVIL, "random"), b=Entrant("$b^a$ & {{ 7 * 7 }} 囲碁", "random")
    )
    game = replace(play_one(evil), reason=f"crash {EVIL}", detail=f"</pre>{EVIL}")
    with Store() as store:
        store.save(store.add(Task(evil, 2)), game)
        found = Report.read(store)
        text = found.page()
    page = Page(text)
    assert page.tags["script"] == 0
    assert "<script" not in text
    assert f"{EVIL} against $b^a$ & {{{{ 7 * 7 }}}} 囲碁" in page.text
    assert f"</pre>{EVIL}" in page.text


def test_players_of_a_tournament_are_rated():
    entrants = [Entrant.parse(text) for text in ("random", "uct@sims=5", "uct@sims=50")]
    tasks = pairings("hex:size=3", entrants, 8)
    with Store() as store:
        standings = run(tasks, store, jobs=1)
        report = Report.read(store)
    [listed] = report.lists
    assert listed.ratings == ratings(standings)
    page = Page(report.page())
    for place, rating in enumerate(listed.ratings, 1):
        row = page.row([str(place), rating.name])
        assert row[2].startswith(signed(rating.rating))
        assert row[4:] == ["16", f"{100 * rating.score:.1f} %"]
    best, last = listed.crosstable[0], listed.crosstable[-1]
    assert f"{best.cells[2][0]:g}/8" in page.text
    assert f"{last.points:g}/16" in page.text


def standing(a, b, scores, number=1, **options):
    return standing_of(Task(make(a, b, **options), 10), scores, number)


def test_only_who_met_is_rated_together():
    chain = [standing("x=uct", "y=uct@c=1", [1.0, 0.5]), standing("y=uct@c=1", "z=random", [1.0])]
    pair = [standing("u=uct", "v=random", [1.0])]
    others = [standing("z=random", "w=uct", [0.0], game="hex"), standing("z=random", "w=uct", [])]
    [listed] = rating_lists([*pair, *chain, *others])
    assert {rating.name for rating in listed.ratings} == {"x", "y", "z"}
    bridge = standing("w=uct", "u=uct", [0.5])
    assert [len(found.ratings) for found in rating_lists([*pair, bridge, *chain])] == [3, 3]
    joined = rating_lists([*pair, bridge, *chain, standing("v=random", "x=uct", [0.5])])
    assert [len(found.ratings) for found in joined] == [6]


def test_different_rules_give_different_lists():
    texts = ["x=uct", "y=uct@c=1", "z=random"]
    pairs = [(a, b) for a in texts for b in texts if a < b]
    standings = [
        standing(a, b, [1.0, 0.0], budget=Budget(sims=sims)) for sims in (10, 20) for a, b in pairs
    ]
    first, second = rating_lists(standings)
    assert str(first.rules.budget) == "10 simulations"
    assert str(second.rules.budget) == "20 simulations"


def test_players_of_one_name_are_told_apart_and_none_meets_itself():
    standings = [
        standing("x=uct", "y=random", [1.0, 0.0]),
        standing("x=uct@c=1", "y=random", [1.0, 0.0]),
        standing("x=uct", "x=uct", [1.0, 0.0]),
        standing("x=uct", "x=uct@c=1", [0.5]),
    ]
    [listed] = rating_lists(standings)
    assert {(rating.name, rating.games) for rating in listed.ratings} == {
        ("x (1)", 3.0),
        ("x (2)", 3.0),
        ("y", 4.0),
    }


@pytest.mark.parametrize(
    "player",
    [
        "uct",
        "weak=uct@c=0.7,sims=20",
        "uct@memory_mb=20.0,reuse=false",
        "double=uct@sims=2x",
        "random",
        "nobody=random",
        "gnu=gtp:gnugo --mode gtp --level 1",
        FIRST,
        trouble("resign", 3),
    ],
)
def test_a_player_is_written_as_it_is_read(player):
    entrant = Entrant.parse(player)
    assert Entrant.parse(written(entrant)) == entrant


def test_the_command_plays_the_same_games(store, tmp_path):
    task = Task(
        make(
            "x=uct@c=1",
            "uct@sims=2x",
            "hex:size=3",
            seed=3,
            budget=Budget(sims=10),
            openings=Openings("random", 2),
            resign=0.2,
        ),
        4,
        Sprt(-10, 30.5, 0.1, 0.2),
    )
    words = shlex.split(command(task))
    assert words[0] == "tesuji"
    path = tmp_path / "again.db"
    words = [sys.executable, "-m", *words, "--jobs=1", f"--store={path}"]
    subprocess.run(words, check=True, capture_output=True)
    with Store(path, read_only=True) as again:
        [played] = again.matches()
        assert played.task == task
        moves = [game.moves for game in again.games(played.id)]
    assert moves == [play_one(task.match, number).moves for number in range(4)]


def test_rare_rules_are_in_the_command():
    rules = {"time_equalised": True, "referee": "gnugo --mode gtp", "patience": 5.0}
    text = command(Task(make("uct", "uct", budget=Budget(sims=9, game_seconds=2.5), **rules), 2))
    assert text == (
        "tesuji match uct uct --game=tictactoe --games=2 --seed=0 --sims=9 --game-seconds=2.5 "
        "--opening=start '--referee=gnugo --mode gtp' --patience=5.0 --time-equalised"
    )
    listed = make("uct", "uct", openings=Openings("list", lines=(("5",), ("1",))))
    assert "--opening=FILE" in command(Task(listed, 2))


def test_axes():
    axis = Axis.around([-120.0, 180.0])
    assert axis.ticks == [-100, 0, 100]
    assert 0 < axis.at(-120) < axis.at(30) == 50 < axis.at(180) < axis.at(None, 100) == 100
    assert Axis.around([]).ticks == [0]
    assert len(Axis.around([-5000.0, 12000.0]).ticks) > 1


def test_many_matches_have_tables_but_not_all_have_plots(monkeypatch):
    monkeypatch.setattr(module, "MOST_PLOTTED", 1)
    with Store() as store:
        for seed in range(3):
            match = make("random", FIRST, seed=seed)
            store.save(store.add(Task(match, 2)), play_one(match))
        page = Page(Report.read(store).page())
    assert page.tags["svg"] == 3
    assert "The first 1 matches have plots" in page.text
    assert {"match-1", "match-2", "match-3"} <= set(page.values("id"))
    assert sum(row[:1] == ["moving first"] for row in page.cells) == 3
    assert ["0", "½", "1", "1½", "2"] in page.cells


def test_a_match_without_games_beside_one_with_games():
    with Store() as store:
        match = make("random", FIRST)
        store.save(store.add(Task(match, 2)), play_one(match))
        store.add(Task(make("uct", "random"), 10))
        page = Page(Report.read(store).page())
    assert "No games yet." in page.text
    assert page.row(["2"])[2:6] == ["0", "0", "0", "0"]
    assert "Games 1 of 2" in page.text


def test_a_long_match_of_few_points():
    """Curves and bars stay small however many games there are."""
    match = make("random", "random")
    standing = standing_of(Task(match, 5000), [0.0, 1.0] * 2500, 1)
    games = [
        Played(number, "ab"[number % 2], 1, [], ["1"] * (5 + number), float(number % 2))
        for number in range(5000)
    ]
    report = Report("x", [account(standing, [replace(g, started="2020") for g in games])], [])
    text = report.page()
    assert len(text) < 100_000


def test_the_report_needs_its_extra(found, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigError, match=r"pip install 'tesuji\[report\]'"):
        found.page()


def test_a_store_without_games_is_refused():
    with Store() as store:
        store.add(TASKS[0])
        with pytest.raises(StoreError, match="there is no game in the store"):
            Report.read(store)


def test_the_command_line(store, found, text, tmp_path):
    done = run_here("report", store.path)
    assert done.returncode == 0, done.stderr
    page = store.path.with_suffix(".html")
    assert done.stdout == f"{page}\n"
    assert page.read_text(encoding="utf-8") == text
    other = tmp_path / "other.html"
    CliRunner().invoke(app, ["report", str(store.path), "--out", str(other)])
    assert other.read_text(encoding="utf-8") == text


def test_figures_as_json(store, found, tmp_path):
    before = set(store.path.parent.iterdir())
    done = run_here("report", store.path, "--json")
    assert done.stdout.count("\n") == 1
    figures = json.loads(done.stdout)
    assert figures == json.loads(json.dumps(found.to_json()))
    assert {path.suffix for path in set(store.path.parent.iterdir()) - before} <= {".db-shm"}
    assert figures["games"] == 28
    for match, standing in zip(figures["matches"], store.matches(), strict=True):
        summary = standing.summary()
        assert {key: match[key] for key in summary} == summary
        assert match["finished"]
    assert figures["matches"][1]["ends"] == {"crash": [6, 0, 0]}
    assert len(figures["matches"][1]["forfeited"]) == 6


@pytest.mark.parametrize("name", ["missing.db", "text.db", "empty.db"])
def test_what_is_no_store_is_refused(name, tmp_path):
    (tmp_path / "text.db").write_text("not a database " * 100)
    Store(tmp_path / "empty.db").close()
    done = run_here("report", tmp_path / name)
    assert done.returncode == 2
    assert name in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*.html"))


def test_the_page_never_replaces_the_store(tmp_path):
    path = tmp_path / "games.html"
    with Store(path) as store:
        match = make("random", "random")
        store.save(store.add(Task(match, 1)), play_one(match))
    done = run_here("report", path)
    assert done.returncode == 2
    assert "would replace the store" in done.stderr
    with Store(path, read_only=True) as store:
        assert store.played(match) == 1
    done = run_here("report", path, "--out", tmp_path / "no" / "page.html")
    assert done.returncode == 2
    assert "cannot write" in done.stderr
