"""What a game's author reads when a kernel cannot be compiled."""

import numpy as np
import pytest

from tesuji.compile import specialise
from tesuji.errors import CompileError

State = np.dtype([("board", np.int8, 9), ("x", np.int8)], align=True)


def allocates(state):
    return np.zeros(3)[0]


def reads_unknown_field(state):
    return state.y


def writes_unknown_field(state):
    state.z = 3
    return 0


def uses_unknown_name(state):
    return foo(state)  # noqa: F821


def uses_a_list(state):
    return [1, 2][state.x]


def uses_a_dictionary(state):
    return {1: 2}[1]


def uses_text(state):
    return str(state.x)


def catches(state):
    try:
        return state.x
    except ValueError:
        return 1


def changes_type(state):
    value = 1 if state.x else "a"
    return value  # noqa: RET504


def opens_a_file(state):
    with open("x"):  # noqa: PTH123
        return 1


def calls_wrongly(state):
    return allocates(state, 3)


def defines_a_class(state):
    class A:
        pass

    return 1


def unknown_method(state):
    return state.board.foo()


CASES = [
    (allocates, "cannot allocate memory"),
    (reads_unknown_field, "no field 'y'"),
    (writes_unknown_field, "no field 'z'"),
    (uses_unknown_name, "'foo' is not defined"),
    (uses_a_list, "cannot allocate memory"),
    (uses_a_dictionary, "cannot allocate memory"),
    (uses_text, "cannot allocate memory"),
    (catches, "cannot handle exceptions"),
    (changes_type, "sometimes"),
    (opens_a_file, "Unsupported context manager"),
    (calls_wrongly, "arguments that do not fit"),
    (defines_a_class, "not supported"),
    (unknown_method, "no 'foo'"),
]


@pytest.mark.parametrize(("kernel", "reason"), CASES, ids=lambda x: getattr(x, "__name__", ""))
def test_the_message_names_function_line_and_reason(kernel, reason):
    def entry(states):
        return kernel(states[0])

    with pytest.raises(CompileError) as caught:
        specialise(entry, {}, label="test error")(np.zeros(1, State))
    message = str(caught.value)
    assert reason in message
    first = kernel.__code__.co_firstlineno
    last = max(line for _, _, line in kernel.__code__.co_lines() if line is not None)
    assert any(f"{__file__}:{n}, in {kernel.__name__}()" in message for n in range(first, last + 1))
    assert "\n" not in message
    assert len(message) < 500
