"""The mutants of `mutants.toml`: each can be found, and the tests that it names see it."""

import dataclasses

import pytest

from tests import mutants

ALL = mutants.read()


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.name)
def test_a_mutant_can_be_found(mutant):
    """Its text exactly once, its tests where it says."""
    mutant.place()
    assert mutant.text != mutant.becomes
    for test in mutant.tests:
        path, _, name = test.partition("::")
        assert f"def {name}" in (mutants.ROOT / path).read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no such text", "occurs 0 times, in no file; it must occur once"),
        ("a = 1", r"occurs 2 times, in one\.py and two\.py"),
        ("b = 2", r"occurs 2 times, in two\.py"),
    ],
)
def test_a_text_that_is_not_there_once_is_an_error(text, message, tmp_path):
    (tmp_path / "one.py").write_text("a = 1\n")
    (tmp_path / "two.py").write_text("a = 1\nb = 2\nb = 2\n")
    with pytest.raises(LookupError, match=f"the text of mutant wrong {message}"):
        mutants.Mutant("wrong", text, "", ()).place(tmp_path)


@pytest.fixture(scope="module")
def score(request):
    """The names of all mutants that were killed; their number is printed in the end."""
    killed = []
    yield killed
    ran = [item for item in request.session.items if "score" in item.fixturenames]
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(f"\n{mutants.score(len(killed), len(ran))}")


@pytest.mark.stress
@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed(mutant, score):
    why = mutants.run(mutant)
    assert not why, f"the mutant {mutant.name} survives: {why}"
    score.append(mutant.name)


@pytest.mark.stress
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"becomes": "return 400 * math.log10(p / (1 - p)) + 0"}, "its tests pass"),
        ({"becomes": "return 400 *"}, "its tests cannot be run"),
        ({"only": "nothing_like_this"}, "no test was run"),
    ],
)
def test_a_mutant_survives_tests_that_do_not_fail(changes, message):
    elo = next(mutant for mutant in ALL if mutant.name == "elo-wrong-sign")
    assert message in mutants.run(dataclasses.replace(elo, **changes))
