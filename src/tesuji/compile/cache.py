"""The disk cache of compiled code: one file for each specialised entry and argument types.

Files are named by content (see `tesuji.compile.specialise`), so an entry is never stale: an edit
gives another name, and the old file is pruned when it has not been used for long.  A cache that
cannot be written never stops a search: it moves to a temporary directory with a warning, and a
failed write is only reported.

Processes that need the same code at the same time, such as the workers of a match, do not all
compile it: one does, and the others wait for its file (`DiskCache.turn`).

The directory is ``$TESUJI_CACHE_DIR``, else ``$XDG_CACHE_HOME/tesuji``, else ``~/.cache/tesuji``.
"""

import atexit
import fcntl
import hashlib
import os
import pickle
import shutil
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

SUFFIX = ".kernel"
LOCK = ".lock"
KEEP_BYTES = 256 << 20
KEEP_SECONDS = 90 * 24 * 3600.0
PATIENCE = 120.0  # seconds to wait for another process, which may have been stopped
GLANCE = 0.05  # seconds between two looks at what it does


class CacheWarning(UserWarning):
    """Compiled code could not be kept on disk; the search goes on without."""


@dataclass(frozen=True)
class Entry:
    """One compiled kernel on disk."""

    path: Path
    label: str
    bytes: int
    used: float  # seconds since the epoch


def wanted_directory() -> Path:
    """Where the cache should be, whether or not it can be written."""
    if own := os.environ.get("TESUJI_CACHE_DIR"):
        return Path(own)
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "tesuji"
    try:
        return Path.home() / ".cache" / "tesuji"
    except RuntimeError:  # a user without a home
        return Path(tempfile.gettempdir()) / f"tesuji-{os.getuid()}"


def directory() -> Path:
    """Where the cache is: the wanted place, or a temporary one when that cannot be written."""
    return _writable(wanted_directory())


@cache
def _writable(wanted: Path) -> Path:
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=wanted).close()
    except OSError as error:
        try:
            spare = Path(tempfile.mkdtemp(prefix="tesuji-cache-"))
        except OSError:  # nowhere to write at all: saving will fail with a warning of its own
            return wanted
        atexit.register(shutil.rmtree, spare, ignore_errors=True)
        warnings.warn(
            f"the cache directory {wanted} cannot be written ({error.strerror}); "
            f"compiled code goes to {spare} and is lost afterwards. "
            "Set TESUJI_CACHE_DIR to a directory that can be written.",
            CacheWarning,
            stacklevel=2,
        )
        return spare
    return wanted


def entries() -> list[Entry]:
    """What is cached, the most recently used first."""
    return sorted(_scan(directory()), key=lambda entry: -entry.used)


def _scan(folder: Path) -> Iterator[Entry]:
    for path in folder.glob("*" + SUFFIX):
        try:
            status = path.stat()
        except FileNotFoundError:  # another process pruned it
            continue
        label = path.name.removesuffix(SUFFIX).rsplit("-", 1)[0]
        yield Entry(path, label, status.st_size, status.st_mtime)


def clear() -> int:
    """Delete all cached code; return how many files went."""
    found = entries()
    for entry in found:
        entry.path.unlink(missing_ok=True)
    for lock in directory().glob("*" + LOCK):  # of processes that were killed
        lock.unlink(missing_ok=True)
    return len(found)


def prune(keep_bytes: int = KEEP_BYTES, keep_seconds: float = KEEP_SECONDS) -> int:
    """Delete what has not been used for long, and the oldest beyond ``keep_bytes``."""
    oldest = time.time() - keep_seconds
    total = gone = 0
    for entry in entries():
        total += entry.bytes
        if total > keep_bytes or entry.used < oldest:
            entry.path.unlink(missing_ok=True)
            gone += 1
    return gone


def _lock(path: Path, made: Path) -> int | None:
    """Lock a file, which the kernel undoes when this process dies; wait while ``made`` is missing.

    None when there is nothing to wait for any more, or no lock to be had.
    """
    try:
        file = os.open(path, os.O_CREAT | os.O_RDWR, 0o666)
    except OSError:  # a directory that cannot be written
        return None
    end = time.monotonic() + PATIENCE
    while not made.exists() and time.monotonic() < end:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except BlockingIOError:
            time.sleep(GLANCE)
        except OSError:  # a file system without locks
            break
    os.close(file)
    return None


class DiskCache(NullCache):
    """What a Numba dispatcher asks for compiled code before it compiles."""

    def __init__(self, label: str, tag: str) -> None:
        self.label = "".join(c if c.isalnum() or c in "._=" else "_" for c in label)
        self.tag = tag

    @property
    def cache_path(self) -> str:
        return str(directory())

    def path(self, signature: Any, codegen: Any) -> Path:
        key = repr((self.tag, str(signature), codegen.magic_tuple()))
        return directory() / f"{self.label}-{hashlib.sha256(key.encode()).hexdigest()[:20]}{SUFFIX}"

    @contextmanager
    def turn(self, signature: Any, codegen: Any) -> Iterator[None]:
        """While this holds, other processes wait before they compile the same.

        It only saves work: where no lock can be had, each process compiles for itself.
        """
        path = self.path(signature, codegen)
        lock = None if path.exists() else _lock(path.with_suffix(LOCK), path)
        try:
            yield
        finally:
            if lock is not None:
                path.with_suffix(LOCK).unlink(missing_ok=True)
                os.close(lock)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        path = self.path(sig, target_context.codegen())
        try:
            data = path.read_bytes()
            parts = pickle.loads(data)
            result = CompileResult._rebuild(target_context, *parts)  # type: ignore[no-untyped-call]
        except FileNotFoundError:
            return None
        except Exception:  # a damaged file: compile again and overwrite it
            return None
        self._touch(path)
        return result

    def save_overload(self, sig: Any, data: Any) -> None:
        path = self.path(sig, data.library.codegen)
        spare = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
        try:
            spare.write_bytes(dumps(data._reduce()))  # type: ignore[no-untyped-call]
            spare.replace(path)
            prune()
        except OSError as error:
            spare.unlink(missing_ok=True)
            warnings.warn(
                f"compiled code could not be kept in {path.parent} ({error.strerror})",
                CacheWarning,
                stacklevel=2,
            )

    @staticmethod
    def _touch(path: Path) -> None:
        try:
            os.utime(path)  # pruning goes by last use
        except OSError:  # read-only directory: fine, it is only a hint
            return
