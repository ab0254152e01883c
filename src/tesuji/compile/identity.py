"""Which code made a result: a hash of the source of everything reachable.

    Source(bindings).add(entry).digest

`tesuji.compile.specialise` has a key of its own, which tells machine code apart and therefore
depends on versions, options and byte code.  This one tells *results* apart: it is the same on every
Python, and docstrings, comments and names of local variables do not count
(`tesuji.compile.syntax`).  Functions and classes count by what they are, not by what they are
called: they are numbered in the order in which they are met.  Libraries count by name only.
"""

import functools
import hashlib
import sys
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from tesuji.compile.specialise import LIBRARIES, Bindings, Slot, _cells, _plain
from tesuji.compile.syntax import Chain, Form, definition_form, file_form

DIGITS = 16  # hexadecimal ones, of an identity
OWN = "tesuji"
FOREIGN = {*LIBRARIES, *sys.stdlib_module_names, "scipy"}
INSTALLED = ("site-packages", "dist-packages")
SIMPLE = (int, float, complex, str, bytes, type(None), type(Ellipsis))


def digest_of(*parts: Any) -> str:
    """One short hash of several texts and numbers, in this order."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:DIGITS]


class Source:
    """A hash that grows with everything that is added.

    ``bindings`` fill the slots of kernels.  The package that ``home`` is from counts in full, also
    if it was installed.
    """

    def __init__(self, bindings: Bindings | None = None, home: Any = None) -> None:
        self.attributes: set[str] = set()  #: all names behind a dot in what was reached
        self._bindings = bindings or {}
        self._home = {OWN, (getattr(home, "__module__", None) or OWN).split(".")[0]}
        self._sha = hashlib.sha256()
        self._met: dict[int, tuple[int, Any]] = {}  # with the object itself: it must not go away
        self._waiting: list[Any] = []
        self._parameters: list[tuple[str, ...]] = []
        self._keywords: set[str] = set()
        self._files: set[Path] = set()

    def add(self, *values: Any) -> "Source":
        """Functions, tables and constants, with everything that they reach."""
        for value in values:
            self._text(self._mention(value))
        while self._waiting:
            self._define(self._waiting.pop(0))
        return self

    def add_file(self, path: str | Path) -> "Source":
        """A whole file, but nothing that it reaches."""
        self._text(self._noted(file_form(Path(path))).text)
        return self

    def add_program(self, path: str | Path) -> frozenset[str]:
        """A file with the files beside it that it imports; gives the other modules."""
        waiting, others = [Path(path)], set()
        while waiting:
            file = waiting.pop(0)
            if file in self._files:
                continue
            self._files.add(file)
            form = self._noted(file_form(file))
            self._text(form.text)
            for chain in form.imports:
                beside = _beside(file.parent, chain)
                waiting += beside
                others |= set() if beside else {chain[0]}
        return frozenset(others)

    @property
    def digest(self) -> str:
        """The hash of what was added so far."""
        sha = self._sha.copy()
        # Names of parameters count where a call uses them.
        for names in self._parameters:
            used = [(n, name) for n, name in enumerate(names) if name in self._keywords]
            sha.update(repr(used).encode())
        return sha.hexdigest()[:DIGITS]

    def _text(self, text: str) -> None:
        self._sha.update(text.encode("utf-8", "surrogatepass"))
        self._sha.update(b"\0")

    def _noted(self, form: Form) -> Form:
        self.attributes |= form.attributes
        self._keywords |= form.keywords
        self._parameters.append(form.parameters)
        return form

    # --- a value where it is used -----------------------------------------------------------------

    def _mention(self, value: Any) -> str:
        """A word for a value; if there is more to it, that is said later."""
        if isinstance(value, Slot):
            value = self._filled(value)
        value = _plain(value) or value
        if isinstance(value, types.FunctionType | type):
            return self._definition(value)
        if isinstance(value, Enum):
            return f"{self._mention(type(value))}.{value.name}"
        if isinstance(value, SIMPLE):
            return f"{type(value).__name__}:{value!r}"
        if isinstance(value, np.ndarray):
            return f"table {value.dtype.descr} {value.shape} {_hash(value)}"
        if isinstance(value, np.generic):
            return f"{value.dtype} {value.tobytes().hex()}"
        if isinstance(value, np.dtype):
            return f"dtype {value.descr} {value.itemsize}"
        if isinstance(value, tuple | list | set | frozenset | Mapping):
            return self._collection(value)
        return self._object(value)

    def _filled(self, slot: Slot) -> Any:
        return self._bindings.get(slot._name, f"the slot {slot._name}")

    def _definition(self, value: Any) -> str:
        module = value.__module__ or ""
        if self._foreign(module):  # inside of libraries things move from file to file
            return f"{module.split('.')[0]}.{value.__qualname__}"
        return self._numbered(value)

    def _numbered(self, value: Any) -> str:
        if id(value) not in self._met:
            self._met[id(value)] = len(self._met), value
            self._waiting.append(value)
        return f"@{self._met[id(value)][0]}"

    def _collection(self, value: Any) -> str:
        if isinstance(value, Mapping):
            items = [f"{self._mention(k)}: {self._mention(v)}" for k, v in value.items()]
        elif isinstance(value, set | frozenset):
            items = sorted(map(repr, value))
        else:
            items = [self._mention(item) for item in value]
        return f"{self._mention(type(value))}({', '.join(items)})"

    def _object(self, value: Any) -> str:
        if isinstance(value, types.ModuleType):
            return f"module {value.__name__}"
        if isinstance(value, functools.partial):
            return f"partial {self._mention((value.func, value.args, value.keywords))}"
        if isinstance(value, types.MethodType):
            return f"{self._mention(value.__func__)} of {self._mention(value.__self__)}"
        inner = getattr(value, "__dict__", {}).get("__wrapped__")
        if isinstance(inner, types.FunctionType):  # what `lru_cache` makes
            return f"{type(value).__name__} {self._mention(inner)}"
        if is_dataclass(value):
            return self._numbered(value)
        builtin = isinstance(value, types.BuiltinFunctionType)
        return f"{type(value).__qualname__} {value.__name__ if builtin else ''}"

    def _foreign(self, module: str) -> bool:
        root = module.split(".")[0]
        return root not in self._home and (root in FOREIGN or _installed(module))

    # --- what there is to be said of it -----------------------------------------------------------

    def _define(self, value: Any) -> None:
        self._text(f"@{self._met[id(value)][0]}")
        if isinstance(value, types.FunctionType):
            self._function(value)
        elif isinstance(value, type):
            self._class(value)
        else:
            self._text(self._mention(type(value)))
            for item in fields(value):
                self._text(f"{item.name} {self._mention(getattr(value, item.name))}")

    def _function(self, function: types.FunctionType) -> None:
        code = function.__code__
        if hasattr(function, "native"):  # it generates code, so its whole file counts
            self.add_file(code.co_filename)
            return
        scope = function.__globals__
        form = definition_form(code.co_filename, scope, code.co_name, code.co_firstlineno)
        if form is None:  # typed at a prompt: byte code has to do, of one Python only
            form = Form(f"{code.co_code.hex()} {code.co_varnames}")
            form.outside = [(name,) for name in (*code.co_names, *code.co_freevars)]
            self._text(self._mention([c for c in code.co_consts if isinstance(c, SIMPLE)]))
        self._text(self._mention((function.__defaults__, function.__kwdefaults__)))
        self._written(form, {**scope, **dict(_cells(function))})

    def _class(self, kind: type) -> None:
        module = sys.modules.get(kind.__module__)
        form = None
        if module is not None and getattr(module, "__file__", None):
            form = definition_form(str(module.__file__), vars(module), kind.__name__)
        if form is not None:
            self._written(form, vars(module))
        else:  # made by a call
            parts = getattr(kind, "_fields", ())
            self._text(f"{kind.__qualname__} {parts}")
        if issubclass(kind, Enum):
            self._text(self._mention([(item.name, item.value) for item in kind]))

    def _written(self, form: Form, scope: Mapping[str, Any]) -> None:
        self._text(self._noted(form).text)
        for chain in form.outside:
            if chain[0] in scope:
                self._text(self._resolved(scope[chain[0]], chain[1:]))
            else:  # a builtin, or a name that is not there yet
                self._text(".".join(chain))

    def _resolved(self, value: Any, rest: Chain) -> str:
        """Follow names through modules and slots, as far as they go."""
        while rest:
            if isinstance(value, Slot):
                value = self._filled(value)
            if isinstance(value, types.ModuleType) and not self._foreign(value.__name__):
                value = vars(value)
            if not isinstance(value, Mapping) or rest[0] not in value:
                break
            value, rest = value[rest[0]], rest[1:]
        return ".".join([self._mention(value), *rest])


def _beside(folder: Path, chain: Chain) -> list[Path]:
    """The files in a folder that an import may mean."""
    module = folder.joinpath(*chain[0].split("."))
    found = [module.with_suffix(".py"), module / "__init__.py", module / f"{chain[-1]}.py"]
    return [file for file in found if file.is_file()]


@functools.lru_cache(maxsize=1024)
def _installed(module: str) -> bool:
    """Does a module belong to a package that was installed?"""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return any(part in INSTALLED for part in Path(file).parts)


def _hash(table: np.ndarray[Any, Any]) -> str:
    if table.dtype.hasobject:
        return repr(table.tolist())
    return hashlib.sha256(np.ascontiguousarray(table).tobytes()).hexdigest()
