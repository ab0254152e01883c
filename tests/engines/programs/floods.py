"""Writes more than anybody wants to read."""

import os
import sys
import time

from tests.engines.programs.polite import answers, serve

ENOUGH = 64 * 1024 * 1024
BLOCKED_SECONDS = 0.5


def flood(code: str) -> None:
    """Write the same bytes, given as hexadecimal numbers, for ever."""
    while True:
        sys.stdout.buffer.write(bytes.fromhex(code) * 1000)


def lines(count: str) -> str:
    """Many lines that are nearly too long."""
    return "\n".join(str(i) * 65_000 for i in range(int(count)))


def flood_stderr(size: str) -> str:
    """Write much to the standard error, then answer."""
    sys.stderr.write("x" * 79 + "\n")
    for _ in range(int(size) // 80):
        sys.stderr.write("y" * 79 + "\n")
    print("the last line", file=sys.stderr, flush=True)
    return "done"


def flood_until_blocked(report: str) -> None:
    """Write until nobody reads any more, and report how much that was."""
    print("=\n", flush=True)
    os.set_blocking(1, False)
    written = 0
    since = time.monotonic()
    while written < ENOUGH and time.monotonic() - since < BLOCKED_SECONDS:
        try:
            written += os.write(1, (b"#" * 999 + b"\n") * 10)
            since = time.monotonic()
        except BlockingIOError:
            time.sleep(0.01)
    with open(report, "w") as file:  # noqa: PTH123  # a pipe
        file.write(str(written))
    os.set_blocking(1, True)


if __name__ == "__main__":
    own = {
        "lines": lines,
        "flood": flood,
        "flood_stderr": flood_stderr,
        "flood_until_blocked": flood_until_blocked,
    }
    serve({**answers(set()), **own}, set())
