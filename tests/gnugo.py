"""Where GNU Go is, for tests that need a program which somebody else wrote."""

import os

import pytest

from tesuji.engines.gtp import find_program
from tesuji.errors import ProgramError


def gnugo_command() -> str:
    """The path of GNU Go.  Without it the test is skipped, but fails in continuous integration."""
    try:
        return find_program("gnugo")[0]
    except ProgramError as error:
        reason = f"NOT TESTED AGAINST GNU GO: {error}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
