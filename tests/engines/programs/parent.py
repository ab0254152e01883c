"""Starts a child that outlives it and holds its pipes open.

Arguments: a named pipe, and what the child does with it: "writes" one word after a minute, or
"reads" until it is closed, in a session of its own.
"""

import subprocess
import sys

from tests.engines.programs.polite import answers, serve

CHILDREN = {
    "writes": "with open({!r}, 'w') as f: time.sleep(60); f.write('outlived')",
    "reads": "open({!r}).read()",
}

if __name__ == "__main__":
    path, kind = sys.argv[1:]
    code = "import time\n" + CHILDREN[kind].format(path)
    subprocess.Popen([sys.executable, "-c", code], start_new_session=kind == "reads")
    serve(answers(set()), set())
