"""Turn a page of compiler output into one sentence about the user's own line."""

import linecache
import re
from typing import Any

LOCATION = re.compile(r'File "([^"]+)", line (\d+)')
COLOUR = re.compile(r"\x1b\[[0-9;]*m")

# The compiler's words on the left, a game author's on the right.  The first that matches is used.
MEANINGS = [
    (
        r"Unknown attribute '([^']+)' of type [Rr]ecord",
        "the state has no field {0!r}",
    ),
    (
        r"(?:Untyped global name|NameError: name) '([^']+)'",
        "the name {0!r} is not defined, or is something that cannot be compiled",
    ),
    (
        r"[Uu]se of unsupported opcode \((\w+)\)|op_(\w+)",
        "this kind of statement is not supported (byte code {0})",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '([^'.]+)",
        "the variable {2!r} is sometimes {0} and sometimes {1}; give it one type",
    ),
    (
        r"variable '([^']+)' (?:is referenced before|is not defined)",
        "the variable {0!r} may be used before it is assigned",
    ),
    (
        r"No implementation of function Function\((.+?)\) found for signature",
        "this use of {0} is not supported in compiled code",
    ),
    (
        r"(?:got an unexpected keyword|missing a required|too many positional) ?[^\n]*",
        "a function is called with arguments that do not fit",
    ),
    (
        r"Unknown attribute '([^']+)' of type ([^\n]+)",
        "values of type {1} have no {0!r} in compiled code",
    ),
    (
        r"(?:reflected list|list\(|dict|set|unicode_type|pyobject)",
        "lists, dictionaries, sets and text are not supported in a kernel; use fields of the state",
    ),
]


def explain(error: Any) -> str:
    """One sentence: file, line, source text, and what is not supported there."""
    text = COLOUR.sub("", str(error))
    file, line = _place(error, text)
    source = linecache.getline(file, line).strip()
    name = _function(file, line)
    where = f"{file}:{line}" + (f", in {name}()" if name else "")
    shown = f" at `{source}`" if source else ""
    return f"{where}: cannot be compiled{shown}: {_meaning(text)}"


def _place(error: Any, text: str) -> tuple[str, int]:
    """The innermost place outside libraries: the compiler lists callers before callees."""
    places = [(file, int(line)) for file, line in LOCATION.findall(text)]
    own = [place for place in places if "site-packages" not in place[0]]
    if own:
        return own[-1]
    loc = getattr(error, "loc", None)
    return (loc.filename, loc.line) if loc is not None else ("<unknown>", 0)


def _function(file: str, line: int) -> str:
    """The name of the function around a line, by looking upwards for its ``def``."""
    indent = len(linecache.getline(file, line)) - len(linecache.getline(file, line).lstrip())
    for number in range(line, 0, -1):
        found = re.match(r"(\s*)def (\w+)", linecache.getline(file, number))
        if found and (len(found[1]) < indent or number == line):
            return found[2]
    return ""


def _meaning(text: str) -> str:
    for pattern, meaning in MEANINGS:
        if found := re.search(pattern, text):
            return meaning.format(*(group or "?" for group in found.groups()))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    useful = [line for line in lines if not line.startswith(("Failed in", "During:", "File", "-"))]
    return useful[0] if useful else "the compiler gave no reason"
