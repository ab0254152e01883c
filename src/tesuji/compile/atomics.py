"""Atomic operations on integer fields of records, for trees that several threads share.

    old = add(nodes[i], "visits", 1)              fetch and add; `plain_add` is not atomic
    won = swap(nodes[i], "status", OPEN, BUSY)    compare and swap: True when this thread won
    now = load(nodes[i], "status")                acquire: all that was written before a `store`
    store(nodes[i], "status", DONE)               release: ... is visible after a `load` sees it;
                                                  `plain_store` is not atomic
    pause()                                       a hint inside a spin loop
    give_way()                                    let another thread have the processor

A record lives in an array, so ``nodes[i]`` is a pointer.  Each operation is one LLVM instruction
when compiled; the Python functions below are what an uncompiled, single-threaded run executes.
A pair of ``store`` and ``load`` publishes a finished node, and so does an ``add``: who sees a new
count sees what was written before it.  (No inline assembly: it aborts the process under Numba.)
"""

import platform
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from tesuji.compile.specialise import native

LINE = 128  #: bytes that cores take from each other at once: two cache lines, as they prefetch


def _pointer(context: Any, builder: Any, record: types.Record, value: Any, field: str) -> Any:
    offset = ir.Constant(ir.IntType(64), record.offset(field))
    start = builder.bitcast(value, ir.IntType(8).as_pointer())
    data = context.get_data_type(record.typeof(field))
    return builder.bitcast(builder.gep(start, [offset]), data.as_pointer())


def _operation(returns: Callable[[Any], Any], operands: int, emit: Callable[..., Any]) -> Any:
    """An intrinsic on one field of a record; ``emit`` writes its LLVM instruction."""

    def typed(record: Any, field: Any, *values: Any) -> Any:
        if not (isinstance(record, types.Record) and isinstance(field, types.StringLiteral)):
            return None
        name = field.literal_value
        kind = record.typeof(name)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = _pointer(context, builder, record, arguments[0], name)
            width = context.get_abi_sizeof(context.get_data_type(kind))
            given = zip(arguments[2:], signature.args[2:], strict=True)
            cast = [context.cast(builder, value, own, kind) for value, own in given]
            result = emit(builder, pointer, width, *cast)
            return context.get_dummy_value() if result is None else result

        return returns(kind)(record, field, *map(types.unliteral, values)), generate

    # An intrinsic must spell its arguments out, so there is one shell for each number of operands.
    if operands == 0:

        @intrinsic(prefer_literal=True)
        def shell0(_typing, record, field):  # type: ignore[no-untyped-def]
            return typed(record, field)

        return shell0
    if operands == 1:

        @intrinsic(prefer_literal=True)
        def shell1(_typing, record, field, value):  # type: ignore[no-untyped-def]
            return typed(record, field, value)

        return shell1

    @intrinsic(prefer_literal=True)
    def shell2(_typing, record, field, old, new):  # type: ignore[no-untyped-def]
        return typed(record, field, old, new)

    return shell2


def _emit_add(builder: Any, pointer: Any, _width: int, amount: Any) -> Any:
    return builder.atomic_rmw("add", pointer, amount, "acq_rel")


def _emit_plain_add(builder: Any, pointer: Any, _width: int, amount: Any) -> Any:
    old = builder.load(pointer)
    builder.store(builder.add(old, amount), pointer)
    return old


def _emit_plain_store(builder: Any, pointer: Any, _width: int, value: Any) -> None:
    builder.store(value, pointer)


def _emit_swap(builder: Any, pointer: Any, _width: int, old: Any, new: Any) -> Any:
    pair = builder.cmpxchg(pointer, old, new, "acq_rel", "monotonic")
    return builder.extract_value(pair, 1)


def _emit_load(builder: Any, pointer: Any, width: int) -> Any:
    return builder.load_atomic(pointer, "acquire", width)


def _emit_store(builder: Any, pointer: Any, width: int, value: Any) -> None:
    builder.store_atomic(value, pointer, "release", width)


@intrinsic
def _pause(_typing):  # type: ignore[no-untyped-def]
    x86 = platform.machine().lower() in ("x86_64", "amd64")

    def generate(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        name = "llvm.x86.sse2.pause" if x86 else "llvm.aarch64.hint"
        takes = [] if x86 else [ir.IntType(32)]
        hint = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
            builder.module, ir.FunctionType(ir.VoidType(), takes), name
        )
        builder.call(hint, [ir.Constant(kind, 1) for kind in takes])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def _give_way(_typing):  # type: ignore[no-untyped-def]
    def generate(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        function = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
            builder.module, ir.FunctionType(ir.IntType(32), []), "sched_yield"
        )
        builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), generate


@native(_operation(lambda kind: kind, 1, _emit_add))
def add(record: Any, field: str, amount: int) -> int:
    """Add to a field and return what it held before."""
    old: int = getattr(record, field)
    setattr(record, field, old + amount)
    return old


@native(_operation(lambda kind: kind, 1, _emit_plain_add))
def plain_add(record: Any, field: str, amount: int) -> int:
    """The same for a field that no other thread writes to: not atomic, so it costs less."""
    old: int = getattr(record, field)
    setattr(record, field, old + amount)
    return old


@native(_operation(lambda kind: types.boolean, 2, _emit_swap))
def swap(record: Any, field: str, old: int, new: int) -> bool:
    """Write ``new`` if the field holds ``old``; say whether it did."""
    if getattr(record, field) != old:
        return False
    setattr(record, field, new)
    return True


@native(_operation(lambda kind: kind, 0, _emit_load))
def load(record: Any, field: str) -> int:
    """Read a field; everything its writer stored before is visible afterwards."""
    value: int = getattr(record, field)
    return value


@native(_operation(lambda kind: types.void, 1, _emit_store))
def store(record: Any, field: str, value: int) -> None:
    """Write a field after everything written before it."""
    setattr(record, field, value)


@native(_operation(lambda kind: types.void, 1, _emit_plain_store))
def plain_store(record: Any, field: str, value: int) -> None:
    """The same for a field that no other thread looks at."""
    setattr(record, field, value)


@native(_pause)
def pause() -> None:
    """Tell the processor that this thread is waiting in a loop."""


@native(_give_way)
def give_way() -> None:
    """Let another thread have the processor: whoever is waited for may need it."""
