"""Turn plain Python functions into one specialised piece of machine code.

``specialise(entry, bindings)`` takes a kernel of the search, for instance the loop of simulations,
and compiles it together with everything it calls.  Search code does not know which game it will
serve: it reaches the game through a `Slot`, and ``bindings`` says what stands behind each slot.

Three steps, each a function below:

1. `fingerprint` hashes everything reachable from the entry: byte code, constants, tables, closure
   cells, bindings, versions and options.  Comments and line numbers do not count.  What else
   changes machine code is added by `tesuji.compile.toolchain`.
2. `clone` copies the call graph, puts the bindings into the copies' globals and tags every name
   with the fingerprint.  The tag is what keeps apart two cached variants of one function: Numba
   names symbols by process-local counters, and two variants loaded into one process may otherwise
   call each other's code without any error (numba issue 10486).
3. The entry gets a disk cache of our own (`tesuji.compile.cache`), keyed by the tag.

With ``jit=False``, or ``TESUJI_JIT=0`` in the environment, step 2 makes the same copies without
compiling them, so that a debugger can step through a search.
"""

import dis
import hashlib
import os
import sys
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import EnumType
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

from tesuji.compile.cache import DiskCache
from tesuji.compile.explain import explain
from tesuji.compile.library import APART, once
from tesuji.compile.plain import interpret
from tesuji.compile.toolchain import VERSIONS, toolchain
from tesuji.errors import CompileError

Function = Callable[..., Any]
Bindings = Mapping[str, Any]

# Without Numba's run-time memory ("_nrt") kernels cannot allocate, and references are not counted:
# passing a tuple of arrays to a kernel would otherwise cost two atomic additions for each array.
# What is to be inlined is said of every function: Numba hands it on to those that it calls.
OPTIONS: dict[str, Any] = {
    "_nrt": False,
    "nogil": True,
    "error_model": "numpy",
    "forceinline": False,
}
# Only the entry is called from Python; leaving out the wrappers saves a third of the compilation.
INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
LARGEST_TABLE = 1 << 20  # bytes; Numba cannot cache code that refers to a larger constant
LIBRARIES = ("numpy", "numba", "math", "builtins", "llvmlite")
SLOW_SECONDS = 1.0

_READY: dict[str, Function] = {}  # what this process has specialised, by fingerprint


class Slot:
    """A name that kernels use before it is known what stands behind it.

    ``rules = Slot("rules")`` at the top of a module lets kernels say ``rules.play(state, move)``;
    `specialise` fills the slot with the functions of one game.  A slot may also be bound to one
    constant: ``if SUPERKO:`` is then decided before compilation, and the branch that is not taken
    need not even make sense for this game.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        raise CompileError(f"the slot {self._name!r} is empty: this kernel was not specialised")

    def __bool__(self) -> bool:
        raise CompileError(f"the slot {self._name!r} is empty: this kernel was not specialised")

    def filling(self, bindings: Bindings) -> Any:
        """What stands behind the slot."""
        if self._name not in bindings:
            raise CompileError(f"nothing was bound to the slot {self._name!r}")
        return bindings[self._name]


def native(implementation: Any) -> Callable[[Function], Function]:
    """Mark a Python function whose compiled form is the intrinsic ``implementation``."""

    def mark(function: Function) -> Function:
        function.native = implementation  # type: ignore[attr-defined]
        return function

    return mark


def inlined(function: Function) -> Function:
    """Mark a kernel that is copied into its callers.

    The steps of a simulation hand each other tuples of arrays, and a real call writes each word of
    them to the stack: inlining the steps makes searches a third faster.
    """
    function.inlined = True  # type: ignore[attr-defined]
    return function


def apart(function: Function) -> Function:
    """Mark a kernel that is never copied into its callers.

    For what is large and called from many places, where a call costs little beside the work: each
    copy would be optimised again.
    """
    function.apart = True  # type: ignore[attr-defined]
    return function


def jit_enabled(jit: bool | None = None) -> bool:
    """Whether to compile: the argument decides, then ``TESUJI_JIT`` (0 means no), then yes.

    ``NUMBA_DISABLE_JIT=1`` rules compilation out altogether.
    """
    if getattr(numba.config, "DISABLE_JIT", 0):
        return False
    return os.environ.get("TESUJI_JIT", "1") != "0" if jit is None else jit


def specialise(
    entry: Function,
    bindings: Bindings,
    *,
    label: str,
    variant: str = "",
    jit: bool | None = None,
) -> Function:
    """Compile ``entry`` and all it calls for one set of bindings (or copy it uncompiled).

    ``label`` names the result for people: in the cache listing and in the notice that is shown
    while a first compilation takes long.  Code that serves several types of records needs a
    ``variant`` for each: Numba would take the code of a shorter record for a longer one.
    """
    if not jit_enabled(jit):
        return interpret(clone(entry, bindings))
    tag = fingerprint(entry, bindings, f"{variant} {toolchain()}")
    if tag in _READY:
        return _READY[tag]
    cloner = _Cloner(bindings, tag)
    dispatcher = cloner.function(entry)
    dispatcher._cache = DiskCache(label, tag)
    _READY[tag] = _first_call(dispatcher, label, cloner.failed)
    return _READY[tag]


def fingerprint(entry: Function, bindings: Bindings, variant: str = "") -> str:
    """A hash of everything that decides what the machine code does."""
    digest = _Digest(bindings)
    digest.feed(entry)
    digest.text(variant)
    digest.feed((VERSIONS, OPTIONS))
    return digest.sha.hexdigest()[:20]


def clone(entry: Function, bindings: Bindings, tag: str | None = None) -> Any:
    """Copy the call graph below ``entry`` with the slots filled.

    With a ``tag`` the copies are Numba dispatchers whose names carry it; without, plain functions.
    """
    return _Cloner(bindings, tag).function(entry)


@contextmanager
def notice(label: str) -> Iterator[None]:
    """Say on stderr what is going on when the work inside takes more than a second."""

    def tell() -> None:
        print(f"tesuji: compiling {label} (only the first time)", file=sys.stderr, flush=True)

    timer = threading.Timer(SLOW_SECONDS, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _first_call(dispatcher: Any, label: str, failed: list[types.FunctionType]) -> Function:
    """Call a dispatcher; explain a failing compilation and announce a slow one."""
    lock = threading.Lock()

    def call(*arguments: Any) -> Any:
        if dispatcher.signatures:
            return dispatcher(*arguments)
        signature = tuple(map(numba.typeof, arguments))
        turn = dispatcher._cache.turn(signature, dispatcher.targetctx.codegen())
        with lock, notice(label), turn:
            try:
                with once(dispatcher.py_func.__qualname__):
                    dispatcher.compile(signature)
            except Exception as error:  # Numba lets some of its own KeyErrors through
                raise CompileError(explain(error, failed[0])) from error
        return dispatcher(*arguments)

    call.dispatcher = dispatcher  # type: ignore[attr-defined]
    return call


def _plain(value: Any) -> types.FunctionType | None:
    """The Python function behind a value that belongs to the call graph, or None."""
    if isinstance(value, Dispatcher):
        value = value.py_func
    if isinstance(value, types.FunctionType):
        root = (value.__module__ or "").split(".")[0]
        return None if root in LIBRARIES else value
    return None


def _members(value: Any, bindings: Bindings, code: types.CodeType) -> dict[str, Any] | None:
    """What ``code`` may use of a namespace (the attributes its byte code names), else None.

    Namespaces are slots bound to a mapping, and modules other than the libraries Numba knows.
    """
    if isinstance(value, Slot):
        value = value.filling(bindings)
        members = value if isinstance(value, Mapping) else None
    elif isinstance(value, types.ModuleType) and value.__name__.split(".")[0] not in LIBRARIES:
        members = vars(value)
    else:
        members = None
    if members is None:
        return None
    return {name: members[name] for name in sorted(set(code.co_names)) if name in members}


def _globals_used(code: types.CodeType) -> list[str]:
    names = {
        step.argval
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names.update(_globals_used(constant))
    return sorted(names)


def _cells(function: types.FunctionType) -> list[tuple[str, Any]]:
    """Closure variables with their values; one that was never assigned is left out."""
    found = []
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found.append((name, cell.cell_contents))
        except ValueError:
            continue
    return found


class _Digest:
    """Feeds values of every kind that kernels can refer to into one hash."""

    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings
        self.sha = hashlib.sha256()
        self.seen: dict[types.FunctionType, int] = {}

    def feed(self, value: Any) -> None:
        function = _plain(value)
        if function is not None:
            self.feed_function(function)
        elif isinstance(value, types.CodeType):
            self.feed_code(value)
        elif isinstance(value, np.ndarray):
            self.feed_table(value)
        elif isinstance(value, np.dtype):
            self.text(f"dtype {value.descr} {value.itemsize}")
        elif isinstance(value, tuple | list):
            self.text(f"{type(value).__name__} {len(value)}")
            for item in value:
                self.feed(item)
        elif isinstance(value, set | frozenset):
            self.text(repr(sorted(map(repr, value))))
        elif isinstance(value, dict):
            self.feed(sorted(value.items()))
        elif isinstance(value, EnumType):
            self.feed([(name, value[name].value) for name in value.__members__])
        elif isinstance(value, types.ModuleType):
            self.text(f"module {value.__name__}")
        elif isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
            self.text(f"name {value.__module__}.{value.__qualname__}")
        else:
            self.feed_constant(value)

    def feed_used(self, value: Any, code: types.CodeType) -> None:
        """What ``code`` can see of a value: of a namespace, only what it names."""
        members = _members(value, self.bindings, code)
        if members is not None:
            for name, member in members.items():
                self.text(name)
                self.feed_used(member, code)
        else:
            self.feed(value.filling(self.bindings) if isinstance(value, Slot) else value)

    def text(self, text: str) -> None:
        self.sha.update(text.encode())
        self.sha.update(b"\0")

    def feed_function(self, function: types.FunctionType) -> None:
        if function in self.seen:
            self.text(f"again {self.seen[function]}")
            return
        self.seen[function] = len(self.seen)
        self.feed(function.__code__)
        self.feed((function.__defaults__, hasattr(function, "inlined"), hasattr(function, "apart")))
        if hasattr(function, "native"):  # it generates code, so its whole file counts
            self.sha.update(Path(function.__code__.co_filename).read_bytes())
            return
        scope = [(n, function.__globals__.get(n)) for n in _globals_used(function.__code__)]
        for name, value in [*scope, *_cells(function)]:
            self.text(name)
            self.feed_used(value, function.__code__)

    def feed_code(self, code: types.CodeType) -> None:
        self.sha.update(code.co_code)
        self.text(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_flags)))
        self.feed(code.co_consts)

    def feed_table(self, table: np.ndarray[Any, Any]) -> None:
        if table.nbytes > LARGEST_TABLE:
            raise CompileError(
                f"a table of {table.nbytes:,} bytes (shape {table.shape}) is used as a constant; "
                f"the most is {LARGEST_TABLE:,}: use a narrower dtype or compute the entries"
            )
        self.text(f"table {table.dtype.descr} {table.shape}")
        self.sha.update(np.ascontiguousarray(table).tobytes())

    def feed_constant(self, value: Any) -> None:
        text = repr(value)
        if " at 0x" in text:
            raise CompileError(
                f"a kernel refers to {text}, which is neither a number, a table, nor a function"
            )
        self.text(f"{type(value).__name__} {text}")


class _Cloner:
    """Copies a call graph, each function once, with slots filled and names tagged."""

    def __init__(self, bindings: Bindings, tag: str | None) -> None:
        self.bindings = bindings
        self.tag = tag
        self.done: dict[types.FunctionType, Any] = {}
        self.failed: list[types.FunctionType] = []  # could not be compiled, the innermost first

    def value(self, value: Any, code: types.CodeType) -> Any:
        members = _members(value, self.bindings, code)
        if members is not None:
            filled = types.ModuleType("bound")  # Numba reads attributes of modules when compiling
            for name, member in members.items():
                setattr(filled, name, self.value(member, code))
            return filled
        if isinstance(value, Slot):
            return value.filling(self.bindings)
        return value if _plain(value) is None else self.function(value)

    def _watch(self, dispatcher: Any, source: types.FunctionType) -> None:
        """Remember which function it was when a compilation fails."""
        compile_signature = dispatcher.compile

        def watched(signature: Any) -> Any:
            try:
                return compile_signature(signature)
            except Exception:
                self.failed.append(source)
                raise

        dispatcher.compile = watched

    def function(self, value: Any) -> Any:
        source = _plain(value)
        if source is None:
            raise CompileError(f"{value!r} is not a Python function")
        if source in self.done:
            return self.done[source]
        if self.tag is not None and hasattr(source, "native"):
            return source.native
        scope = dict(source.__globals__)
        cells = tuple(types.CellType() for _ in source.__closure__ or ())
        copy = types.FunctionType(
            source.__code__, scope, source.__name__, source.__defaults__, cells
        )
        copy.__kwdefaults__ = source.__kwdefaults__
        result: Any = copy
        if self.tag is not None:
            copy.__module__ = __name__  # importable wherever a cached result is loaded
            mark = APART if hasattr(source, "apart") else ""
            copy.__qualname__ = f"{mark}{source.__name__}_{len(self.done)}_{self.tag}"
            inner = INNER if self.done else {}
            if hasattr(source, "inlined"):
                inner = {**inner, "forceinline": True}
            result = numba.njit(copy, **{**OPTIONS, **inner})
            self._watch(result, source)
        self.done[source] = result  # before its callees: functions may call each other
        for name in _globals_used(source.__code__):
            if name in scope:
                scope[name] = self.value(scope[name], source.__code__)
        names = source.__code__.co_freevars
        for name, content in _cells(source):
            cells[names.index(name)].cell_contents = self.value(content, source.__code__)
        return result
