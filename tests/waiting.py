"""Waiting for processes and threads with a deadline.

What never comes is a failure that says so, not a test that hangs.  The deadline passes only if
something is broken.
"""

import subprocess
import threading
import time
from collections.abc import Callable
from typing import IO, Any

LONG = 300.0  # seconds


def until(happened: Callable[[], Any], pause: float = 0.01) -> None:
    """Look again and again until it has happened."""
    deadline = time.monotonic() + LONG
    while not happened():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(pause)


def next_line(process: subprocess.Popen[Any]) -> Any:
    """The next line that a process writes to its output; it is killed if there is none."""
    stream: IO[Any] | None = process.stdout
    assert stream is not None
    timer = threading.Timer(LONG, process.kill)
    timer.daemon = True
    timer.start()
    try:
        return stream.readline()
    finally:
        timer.cancel()


def end_of(process: subprocess.Popen[Any]) -> int:
    """The exit code of a process; it is killed if it does not end."""
    try:
        return process.wait(LONG)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def join(*threads: threading.Thread) -> None:
    """Let threads come to their end."""
    deadline = time.monotonic() + LONG
    for thread in threads:
        thread.join(max(deadline - time.monotonic(), 0))
    assert not [thread.name for thread in threads if thread.is_alive()]


def run_together(*calls: Callable[[], Any]) -> None:
    """Make calls at the same time, in a thread each; daemons, so that a stuck one can be left."""
    threads = [threading.Thread(target=call, daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    join(*threads)
