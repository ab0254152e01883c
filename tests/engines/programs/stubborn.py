"""Does not end when asked to: not for "quit", not at the end of its input, not for SIGTERM."""

import signal

from tests.engines.programs.polite import answers, hang, serve

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve(answers(set()), set())
    hang("")
