"""What decides, beside the kernels themselves, which machine code comes out of the compiler.

Two processes with the same kernels may set the compiler differently: ``NUMBA_OPT=0`` in the
environment makes code that is many times slower, and a cache that did not know would hand it to
every later process.
"""

import hashlib
import sys
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np

VERSIONS = (numba.__version__, llvmlite.__version__, np.__version__, sys.version_info[:2])
LLVM = llvmlite.binding.llvm_version_info  # llvmlite is built with more than one
SOURCES = ("specialise.py", "library.py", "toolchain.py")  # they put the code together

# Of Numba's settings these differ from machine to machine or from terminal to terminal without a
# trace in the code.  All others count: one too many costs a compilation, one too few a surprise.
# (The kind of processor is part of each file's name, see `tesuji.compile.cache`.)
HARMLESS = {"NUMBA_NUM_THREADS", "NUMBA_DEFAULT_NUM_THREADS", "CACHE_DIR", "COLOR_SCHEME"}


def toolchain() -> str:
    """A hash of the compiler and its settings, as they are now."""
    return hashlib.sha256(repr((LLVM, _sources(), _settings())).encode()).hexdigest()


def _settings() -> list[tuple[str, Any]]:
    """Numba's settings, from ``NUMBA_...`` in the environment, a file, or a program."""
    return sorted(
        (name, repr(value))
        for name, value in vars(numba.config).items()
        if name.isupper() and name not in HARMLESS and not name.startswith("CUDA_")
    )


@cache
def _sources() -> list[str]:
    folder = Path(__file__).parent
    return [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in SOURCES]
