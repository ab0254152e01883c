"""Hooks: how several kernels of one hook combine, compiled and not; who calls and fills them."""

import ast

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.toys.knowing import game as knowing
from tesuji import SearchConfig
from tesuji.compile import Slot, specialise
from tesuji.search.catalogue import PARTS
from tesuji.search.hooks import HOOKS, any_of, first, hooks_of, in_order, in_turn, only, total

SOURCE = ROOT / "src" / "tesuji"
NOBODY = -1

hooks = Slot("hooks")

both = pytest.mark.parametrize("jit", [False, True])


def ask(asked):
    return hooks.chain(asked)


def ask_for_a_pair(a, b, asked):
    a, b = hooks.chain(a, b, asked)
    return a, b


def tell(asked):
    hooks.chain(asked)


def called(chain, jit, entry=ask, arguments=()):
    """What a chain answers, and the numbers of the kernels that it has asked, as digits."""
    asked = np.zeros(1, np.int64)
    kernel = specialise(entry, {"hooks": {"chain": chain}}, label="a chain of hooks", jit=jit)
    return kernel(*arguments, asked), int(asked[0])


def answering(*answers):
    """A kernel for each answer; the first is number 1."""
    return [_answering(number, answer) for number, answer in enumerate(answers, 1)]


def _answering(number, answer):
    def kernel(asked):
        asked[0] = 10 * asked[0] + number
        return answer

    return kernel


def _telling(number):
    def kernel(asked):
        asked[0] = 10 * asked[0] + number

    return kernel


# --- how they combine -----------------------------------------------------------------------------


@both
@pytest.mark.parametrize("count", [0, 1, 3])
def test_in_order_asks_all_of_them(count, jit):
    chain = in_order([_telling(number) for number in range(1, count + 1)])
    assert called(chain, jit, tell) == (None, {0: 0, 1: 1, 3: 123}[count])


@both
@pytest.mark.parametrize(
    ("answers", "answer", "asked"),
    [
        ((), NOBODY, 0),
        ((7,), 7, 1),
        ((NOBODY, NOBODY), NOBODY, 12),
        ((NOBODY, 5, 6), 5, 12),
        ((4, 5, 6), 4, 1),
        ((NOBODY, NOBODY, 0), 0, 123),
    ],
)
def test_the_first_that_answers_is_the_last_that_is_asked(answers, answer, asked, jit):
    assert called(first(NOBODY)(answering(*answers)), jit) == (answer, asked)


@both
@pytest.mark.parametrize(
    ("answers", "answer", "asked"),
    [
        ((), False, 0),
        ((False, False, False), False, 123),
        ((False, True, False), True, 12),
        ((True, True), True, 1),
    ],
)
def test_any_of_asks_until_one_says_so(answers, answer, asked, jit):
    assert called(any_of(answering(*answers)), jit) == (answer, asked)


@both
@pytest.mark.parametrize(
    ("answers", "answer", "asked"), [((), 0.0, 0), ((0.5,), 0.5, 1), ((1.0, 0.25, 4.0), 5.25, 123)]
)
def test_the_total_is_the_sum_of_all(answers, answer, asked, jit):
    assert called(total(answering(*answers)), jit) == (answer, asked)


def halve_and_count(a, b, asked):
    asked[0] = 10 * asked[0] + 1
    return a / 2.0, b + 1.0


def exchange(a, b, asked):
    asked[0] = 10 * asked[0] + 2
    return b, a


@both
@pytest.mark.parametrize(
    ("kernels", "pair", "asked"),
    [
        ((), (8.0, 3.0), 0),
        ((halve_and_count,), (4.0, 4.0), 1),
        ((halve_and_count, exchange), (4.0, 4.0), 12),
        ((exchange, halve_and_count), (1.5, 9.0), 21),
        ((halve_and_count, exchange, halve_and_count), (2.0, 5.0), 121),
    ],
)
def test_in_turn_each_gets_what_the_one_before_it_has_left(kernels, pair, asked, jit):
    found = called(in_turn(kernels), jit, ask_for_a_pair, (8.0, 3.0))
    assert found == (pair, asked)


@both
@pytest.mark.parametrize(("answers", "answer", "asked"), [((7,), 7, 1), ((4, 5, 6), 6, 3)])
def test_only_the_last_one_is_asked(answers, answer, asked, jit):
    assert called(only(answering(*answers)), jit) == (answer, asked)


@pytest.mark.parametrize("combine", [in_order, first(NOBODY), any_of, total, in_turn, only])
def test_a_single_kernel_is_the_chain(combine):
    """Nothing is wrapped around it, so that a debugger goes straight to it."""
    (kernel,) = answering(1)
    assert combine([kernel]) is kernel
    assert combine(iter([kernel])) is kernel


# --- the parts ------------------------------------------------------------------------------------


@both
def test_hooks_are_in_the_order_of_the_parts(jit):
    one, two, three = (_telling(number) for number in (1, 2, 3))
    found = hooks_of([{"begin": two}, {"ended": one}, {"begin": three, "ended": two}])
    assert called(found["begin"], jit, tell) == (None, 23)
    assert called(found["ended"], jit, tell) == (None, 12)
    assert called(found["moved"], jit, tell) == (None, 0)
    assert set(found) == set(HOOKS)


def names_called(path):
    """The hooks that the kernels of a file call."""
    return {
        node.func.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "hooks"
    }


def test_every_hook_is_called_and_no_other():
    found = set().union(*(names_called(path) for path in SOURCE.rglob("*.py")))
    assert found == set(HOOKS)


#: settings with which the parts that choose their hooks have all of them
MANY = [
    {},
    {"evaluation": "even", "decide": 0.9, "expand": "game"},
    {"knowledge": "squares", "bias": "mango", "widen": "power", "widen_growth": 0.5},
    {"knowledge": "squares", "prior_visits": 5.0, "policy_visits": 9},
    {"rave": "parent"},
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_no_part_has_a_hook_that_nobody_knows(part):
    for settings in MANY:
        assert set(part.hooks_of(knowing(), SearchConfig(**settings))) <= set(HOOKS)


def test_every_hook_is_filled_by_a_part():
    filled = {
        name
        for part in PARTS
        for settings in MANY
        for name in part.hooks_of(knowing(), SearchConfig(**settings))
    }
    assert filled == set(HOOKS)
