"""The syntax of source code, written out without what does not count.

Docstrings, comments, annotations of parameters and results, and the names of local variables do not
count: another name for a counter is the same algorithm.  What is written out is the same on every
supported Python, because it follows from the source alone, never from byte code.

Start with `definition_form` and `file_form`.  What a function takes from outside itself is not
written by name: a `Form` lists it, so that what stands behind the names can be looked up.
"""

import ast
import linecache
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

Chain = tuple[str, ...]  #: a name and the attributes behind it: ``game.play``
Functions = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehensions = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
SKIPPED = frozenset(("ctx", "kind", "type_comment", "decorator_list", "returns"))


#: the fields that hold names of variables as texts
BINDS: dict[type, str] = {
    ast.ExceptHandler: "name",
    ast.Global: "names",
    ast.MatchAs: "name",
    ast.MatchMapping: "rest",
    ast.MatchStar: "name",
    ast.Nonlocal: "names",
}


@dataclass
class Form:
    """What is left of some source."""

    text: str = ""
    #: what the text takes from outside, by the numbers it has there
    outside: list[Chain] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)  #: all names that stand behind a dot
    keywords: set[str] = field(default_factory=set)  #: names of arguments in calls
    parameters: tuple[str, ...] = ()
    imports: list[Chain] = field(default_factory=list)  #: modules, with the names taken from them


def definition_form(file: str, scope: dict[str, Any], name: str, line: int = 0) -> Form | None:
    """The form of a function, by its first line, or of a class; None if nobody knows its source.

    ``scope`` holds the globals of its module.  Decorators of a function and defaults of its
    parameters are left out: they were used up when it was defined, and what came of them can be
    asked of the function.
    """
    source = _source(file, scope)
    forms = [] if source is None else _forms(source, name, line)
    if not forms:
        return None
    # Several of one name in one line are lambdas; which one it is cannot be told.
    return forms[0] if len(forms) == 1 else _joined(forms)


def file_form(path: Path) -> Form:
    """The form of a whole file, in which nothing is taken from outside."""
    writer = _Writer(by_name=True)
    writer.node(ast.parse(path.read_bytes()), [])
    return writer.finished()


def _source(file: str, scope: dict[str, Any]) -> str | None:
    """The text of a file as it is now, or of what was typed into a notebook."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return "".join(linecache.getlines(file, scope)) or None


@lru_cache(maxsize=256)
def _index(source: str) -> dict[tuple[str, int], list[ast.AST]]:
    """All functions of a source, by their names and first lines, and all classes."""
    found: dict[tuple[str, int], list[ast.AST]] = {}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # edited since it was read
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = [node.lineno, *(mark.lineno for mark in node.decorator_list)]
            found.setdefault((node.name, min(lines)), []).append(node)
        elif isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(node)
        elif isinstance(node, ast.ClassDef):
            found.setdefault((node.name, 0), []).append(node)
    return found


@lru_cache(maxsize=4096)
def _forms(source: str, name: str, line: int) -> list[Form]:
    forms = []
    for node in _index(source).get((name, line), []):
        writer = _Writer()
        if isinstance(node, ast.ClassDef):
            writer.node(node, [])
            forms.append(writer.finished())
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            writer.function(node, [], whole=False)
            forms.append(writer.finished(tuple(_parameters(node.args))))
    return forms


def _joined(forms: list[Form]) -> Form:
    """Several forms as one."""
    joined = Form(parameters=forms[0].parameters)
    for form in forms:
        joined.text += f"[{form.text} {form.outside}]"
        joined.outside += form.outside
        joined.attributes |= form.attributes
        joined.keywords |= form.keywords
        joined.imports += form.imports
    return joined


class _Scope:
    """The names that a function, a comprehension or a class binds, each with its number."""

    def __init__(self, names: set[str], *, of_class: bool = False) -> None:
        self.names = names
        self.of_class = of_class
        self.numbers: dict[str, int] = {}


class _Writer:
    """Writes a syntax tree, one word after the other."""

    def __init__(self, *, by_name: bool = False) -> None:
        self._form = Form()
        self._words: list[str] = []
        self._by_name = by_name  # also what comes from outside
        self._count = 0  # of local names so far

    def finished(self, parameters: tuple[str, ...] = ()) -> Form:
        self._form.text = " ".join(self._words)
        self._form.parameters = parameters
        return self._form

    def node(self, node: Any, scopes: list[_Scope]) -> None:
        match node:
            case ast.Name(id=name):
                self._words.append(self._name(name, scopes))
            case ast.Attribute():
                self._attribute(node, scopes)
            case ast.Constant(value=value):
                self._words.append(f"{type(value).__name__}:{value!r}")
            case ast.Expr(value=ast.Constant()) | ast.Pass():  # docstrings, and what does nothing
                pass
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self.function(node, scopes, whole=True)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, scopes)
            case ast.ClassDef():
                self._class(node, scopes)
            case ast.AnnAssign() if scopes and not scopes[-1].of_class:
                if node.value is not None:
                    self._words.append("Assign(")
                    self._all([node.target, node.value], scopes)
            case ast.JoinedStr(values=values):  # Python 3.12 adds empty pieces
                self._words.append("JoinedStr(")
                self._all([v for v in values if getattr(v, "value", None) != ""], scopes)
            case ast.Import() | ast.ImportFrom():
                self._import(node, scopes)
            case _:
                self._any(node, scopes)

    def _all(self, nodes: list[Any], scopes: list[_Scope]) -> None:
        for node in nodes:
            self.node(node, scopes)
        self._words.append(")")

    def _any(self, node: Any, scopes: list[_Scope]) -> None:
        """A node without rules of its own: its kind, and all its fields that are not empty."""
        self._words.append(f"{type(node).__name__}(")
        if isinstance(node, ast.keyword) and node.arg is not None:
            self._form.keywords.add(node.arg)
        for name in node._fields:
            value = getattr(node, name, None)
            if value is None or value == [] or name in SKIPPED:
                continue
            self._words.append(f"{name}=")
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, ast.AST):
                    self.node(item, scopes)
                elif BINDS.get(type(node)) == name:
                    self._words.append(self._name(item, scopes))
                else:
                    self._words.append(repr(item))
        self._words.append(")")

    def _name(self, name: str, scopes: list[_Scope]) -> str:
        scope = _binding(name, scopes)
        if scope is None:
            return self._outside((name,))
        if scope.of_class:
            return f".{name}"  # an attribute
        if name not in scope.numbers:
            scope.numbers[name] = self._count
            self._count += 1
        return f"${scope.numbers[name]}"

    def _outside(self, chain: Chain) -> str:
        if self._by_name:
            return ".".join(chain)
        if chain not in self._form.outside:
            self._form.outside.append(chain)
        return f"#{self._form.outside.index(chain)}"

    def _attribute(self, node: ast.Attribute, scopes: list[_Scope]) -> None:
        """A chain of names that begins outside is one word."""
        names: list[str] = []
        base: ast.expr = node
        while isinstance(base, ast.Attribute):
            names.insert(0, base.attr)
            base = base.value
        self._form.attributes.update(names)
        loads = isinstance(node.ctx, ast.Load)
        if loads and isinstance(base, ast.Name) and _binding(base.id, scopes) is None:
            self._words.append(self._outside((base.id, *names)))
            return
        self.node(base, scopes)
        self._words.append("." + ".".join(names))

    def function(self, node: Functions, scopes: list[_Scope], *, whole: bool) -> None:
        inner = [*scopes, _Scope(set(_parameters(node.args)) | _bound(node))]
        self._words.append(f"{type(node).__name__}(")
        if whole:
            if not isinstance(node, ast.Lambda):
                self._words.append(self._name(node.name, scopes))
                self._all(node.decorator_list, scopes)
            self._all([*node.args.defaults, *filter(None, node.args.kw_defaults)], scopes)
        args = node.args
        for kind, given in (
            ("", [*args.posonlyargs, *args.args]),
            ("*", [args.vararg] if args.vararg else []),
            ("only", args.kwonlyargs),
            ("**", [args.kwarg] if args.kwarg else []),
        ):
            self._words += [kind, *(self._name(item.arg, inner) for item in given)]
        if whole:  # what names its arguments cannot be told from here
            self._words += [item.arg for item in args.args]
        self._words += [item.arg for item in args.kwonlyargs]
        self._all(node.body if isinstance(node.body, list) else [node.body], inner)

    def _comprehension(self, node: Comprehensions, scopes: list[_Scope]) -> None:
        inner = [*scopes, _Scope(_targets(node))]
        self._words.append(f"{type(node).__name__}(")
        for number, part in enumerate(node.generators):
            self.node(part.iter, inner if number else scopes)
            self._all([part.target, *part.ifs], inner)
        values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._all(values, inner)

    def _class(self, node: ast.ClassDef, scopes: list[_Scope]) -> None:
        self._words += ["ClassDef(", self._name(node.name, scopes)]
        self._all([*node.decorator_list, *node.bases, *node.keywords], scopes)
        self._all(node.body, [*scopes, _Scope(_bound(node), of_class=True)])

    def _import(self, node: ast.Import | ast.ImportFrom, scopes: list[_Scope]) -> None:
        start: Chain = (node.module or "",) if isinstance(node, ast.ImportFrom) else ()
        for alias in node.names:
            chain = (*start, alias.name)
            self._form.imports.append(chain)
            bound = self._name(alias.asname or alias.name.split(".")[0], scopes)
            self._words.append(f"import {getattr(node, 'level', 0)} {chain} {bound}")


def _binding(name: str, scopes: list[_Scope]) -> _Scope | None:
    """The scope that a name belongs to; functions do not see the names of classes around them."""
    for depth, scope in enumerate(reversed(scopes)):
        if name in scope.names and (depth == 0 or not scope.of_class):
            return scope
    return None


def _parameters(args: ast.arguments) -> Iterator[str]:
    for item in (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg):
        if item is not None:
            yield item.arg


def _targets(node: Comprehensions) -> set[str]:
    """The names that a comprehension binds."""
    nodes = (inner for part in node.generators for inner in ast.walk(part.target))
    return {inner.id for inner in nodes if isinstance(inner, ast.Name)}


def _bound(node: Any) -> set[str]:
    """The names that the body of a function or a class binds itself."""
    found: set[str] = set()
    elsewhere: set[str] = set()
    body = node.body if isinstance(node.body, list) else [node.body]
    waiting = list(body)
    while waiting:
        inner = waiting.pop()
        match inner:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                elsewhere.update(names)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
                waiting += [*inner.decorator_list, *inner.args.defaults]
                continue  # what is inside is bound there
            case ast.ClassDef(name=name):
                found.add(name)
                continue
            case ast.Lambda():
                continue
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                walk = (part for part in ast.walk(inner) if isinstance(part, ast.NamedExpr))
                found |= {part.target.id for part in walk}
                continue
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {alias.asname or alias.name.split(".")[0] for alias in names}
            case ast.ExceptHandler(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchMapping(rest=str(name)):
                found.add(name)
        waiting += ast.iter_child_nodes(inner)
    return found - elsewhere
