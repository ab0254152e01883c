"""Compile a call graph once, not once for each of its functions.

Numba turns every function into a library of its own: it links in all that the function calls,
optimises the whole and generates machine code, although only the entry is ever called.  What lies
at the bottom of the graph is thus optimised again for each function above it, and a deep graph
takes minutes.  Inside `once` the inner functions stay as they come out of Numba's front end; the
entry's library links them all and is optimised as one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

APART = "apart_"  # begins the names of functions that are not copied into their callers


class InnerLibrary(JITCodeLibrary):
    """A library that is linked into others and never runs by itself."""

    def add_ir_module(self, module: Any) -> None:
        if self.name.startswith(APART):
            for function in module.functions:
                if not function.is_declaration:
                    function.attributes.add("noinline")
        super().add_ir_module(module)  # type: ignore[no-untyped-call]

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True


@contextmanager
def once(entry: str) -> Iterator[None]:
    """While this holds, only the function of this qualified name becomes machine code."""
    codegen: Any = cpu_target.target_context.codegen()

    def create_library(name: str, **options: Any) -> Any:
        kind: Any = JITCodeLibrary if name == entry else InnerLibrary
        return kind(codegen, name, **options)

    def set_env(name: str, env: Any) -> None:
        """Inner functions have no place for one, and need none: they raise nothing."""
        if codegen._engine.get_global_value_address(name):
            type(codegen).set_env(codegen, name, env)

    with global_compiler_lock:
        codegen.create_library, codegen.set_env = create_library, set_env
        try:
            yield
        finally:
            del codegen.create_library, codegen.set_env
