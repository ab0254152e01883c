"""Dies: at the start, or in the middle of an answer."""

import os
import signal
import sys

from tests.engines.programs.polite import answers, hang, serve


def half(_: str) -> None:
    """Begin an answer and die of a signal."""
    print("= half of\nan answer", flush=True)
    print("first words\nlast words", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)


def mute(_: str) -> None:
    """Close the output and live on."""
    os.close(1)
    hang("")


if __name__ == "__main__":
    if "at-start" in sys.argv:
        sys.exit("no licence found")
    serve({**answers(set()), "half": half, "mute": mute}, set())
