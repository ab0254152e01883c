"""The command line inside this process: a process of its own takes seconds to start."""

import contextlib
import io
import os
import sys
import warnings
from dataclasses import dataclass
from unittest import mock

from tesuji.cli import main, output


@dataclass(frozen=True)
class Done:
    """What a command left behind, as `subprocess.run` gives it."""

    returncode: int
    stdout: str
    stderr: str


def run_here(*words, typed="", folder=None, **changes) -> Done:
    """Run ``tesuji WORDS`` to its end, with pipes for input and output."""
    out, errors = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["tesuji", *map(str, words)]),
        mock.patch.object(sys, "stdin", io.StringIO(typed)),
        mock.patch.dict(os.environ, changes),
        contextlib.chdir(folder or os.curdir),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
        mock.patch.object(output.console, "_width", output.WIDTH_IN_PIPES),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")  # as users have it
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    return Done(code, out.getvalue(), errors.getvalue())
