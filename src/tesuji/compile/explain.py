"""Turn a page of compiler output into one sentence about the user's own line."""

import linecache
import re
from pathlib import Path
from types import FunctionType

LOCATION = re.compile(r'File "([^"]+)", line (\d+)')
COLOUR = re.compile(r"\x1b\[[0-9;]*m")

# The compiler's words on the left, a game author's on the right.  The first that matches is used.
MEANINGS = [
    (
        r"NRT required|require NRT|NRT is required|NRT not enabled",
        "a kernel cannot allocate memory (arrays, lists, dictionaries, text); "
        "use a field of the state as scratch space",
    ),
    (
        r"^'(\w+)'$",
        "the state has no field {0!r}",
    ),
    (
        r"Unknown attribute '([^']+)' of type [Rr]ecord",
        "the state has no field {0!r}",
    ),
    (
        r"Untyped global name '(breakpoint|input|open)'",
        "{0}() works only uncompiled: set TESUJI_JIT=0",
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
        r"exception_match",
        "a kernel cannot handle exceptions (try and except)",
    ),
    (
        r"Function\(<built-in function (zeros|empty|ones|full|array)>\)",
        "a kernel cannot allocate memory (np.{0}); use a field of the state as scratch space",
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
        r"(The '?with [^\n]*|The use of yield[^\n]*)",
        "this kind of statement is not supported",
    ),
]


def explain(error: BaseException, function: FunctionType) -> str:
    """One sentence: file, line, function, and what is not supported there.

    ``function`` is the innermost one whose compilation failed.
    """
    text = COLOUR.sub("", str(error))
    file = function.__code__.co_filename
    line = _line(function, text)
    source = linecache.getline(file, line).strip()
    meaning = _meaning(text)
    return f"{file}:{line}, in {function.__name__}(): `{source}` cannot be compiled: {meaning}"


def _line(function: FunctionType, text: str) -> int:
    """The first line of the function that the compiler complains about, or else where it begins."""
    code = function.__code__
    lines = [number for _, _, number in code.co_lines() if number is not None]
    name = Path(code.co_filename).name
    for file, number in LOCATION.findall(text):
        if Path(file).name == name and min(lines) < int(number) <= max(lines):
            return int(number)
    # No place given: an unknown name, or a KeyError that Numba lets through for an unknown field.
    if found := re.search(r"Untyped global name '(\w+)'|^'(\w+)'$", text):
        word = re.compile(rf"\b{found[1] or found[2]}\b")
        for number in sorted(set(lines)):
            if word.search(linecache.getline(code.co_filename, number)):
                return number
    return code.co_firstlineno


def _meaning(text: str) -> str:
    for pattern, meaning in MEANINGS:
        if found := re.search(pattern, text):
            return meaning.format(*(group or "?" for group in found.groups()))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    useful = [line for line in lines if not line.startswith(("Failed in", "During:", "File", "-"))]
    return useful[0] if useful else "the compiler gave no reason"
