"""How plain Python becomes machine code.  Start with `specialise`.

The rest of the project writes kernels as plain functions over NumPy records and reaches the
compiler only through the names below.
"""

from tesuji.compile.random import below, draw_below, next64, seed_of, stream, unit, zobrist
from tesuji.compile.specialise import (
    Slot,
    apart,
    fingerprint,
    inlined,
    jit_enabled,
    specialise,
)

__all__ = [
    "Slot",
    "apart",
    "below",
    "draw_below",
    "fingerprint",
    "inlined",
    "jit_enabled",
    "next64",
    "seed_of",
    "specialise",
    "stream",
    "unit",
    "zobrist",
]
