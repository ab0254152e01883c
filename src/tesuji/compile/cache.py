"""The disk cache of compiled code: one file for each specialised entry and argument types.

Files are named by content (see `tesuji.compile.specialise`), so an entry is never stale: an edit
gives another name, and the old file is pruned when it has not been used for long.

What is loaded from here runs, so nothing is loaded that somebody else may have written: the
directory and each file belong to this user, and nobody else can write to them.  Each file begins
with a checksum of its name and content, looked at before anything else is; a damaged file is
dropped and compiled again.

The directory is ``$TESUJI_CACHE_DIR``, else ``$XDG_CACHE_HOME/tesuji``, else ``~/.cache/tesuji``.
One that cannot be written or trusted never stops a search: a private temporary directory takes its
place, with a warning.  A failed write is only reported.

Processes that need the same code at the same time, such as the workers of a match, do not all
compile it: one does, and the others wait for its file (`DiskCache.turn`).
"""

import atexit
import fcntl
import hashlib
import os
import pickle
import shutil
import stat
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

SUFFIX = ".kernel"
LOCK = ".lock"
PART = ".part"  # a file that is being written
HEADER = b"tesuji compiled code 1\n"  # before the checksum and what is pickled
NOWHERE = Path(os.devnull, "tesuji")  # a directory that cannot exist
KEEP_BYTES = 256 << 20
KEEP_SECONDS = 90 * 24 * 3600.0
KEEP_PART_SECONDS = 3600.0  # nobody writes for that long: the process was killed
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


def wanted_directory() -> Path | None:
    """Where the cache should be, whether or not it can be; None for a user without a home."""
    if own := os.environ.get("TESUJI_CACHE_DIR"):
        return Path(own)
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if base.is_absolute():  # the standard has others ignored
        return base / "tesuji"
    try:
        return Path.home() / ".cache" / "tesuji"
    except RuntimeError:
        return None


def directory() -> Path:
    """Where the cache is: the wanted place, or a private one when that is no good."""
    return _safe(wanted_directory())


@cache
def _safe(wanted: Path | None) -> Path:
    problem = "there is no home directory for the cache"
    if wanted is not None:
        doubt = _problem(wanted)
        if doubt is None:
            return wanted
        problem = f"the cache directory {wanted} {doubt}"
    try:
        spare = Path(tempfile.mkdtemp(prefix="tesuji-cache-"))
    except OSError:  # nowhere to write at all: saving will fail with a warning of its own
        return NOWHERE
    os.environ["TESUJI_CACHE_DIR"] = str(spare)  # for processes that this one starts
    atexit.register(_remove, spare, os.getpid())
    warnings.warn(
        f"{problem}; compiled code goes to {spare} and is lost afterwards. "
        "Set TESUJI_CACHE_DIR to a directory that you can write to, and nobody else.",
        CacheWarning,
        stacklevel=3,
    )
    return spare


def _problem(wanted: Path) -> str | None:
    """Why code cannot be kept in a directory, or must not be loaded from it."""
    try:
        wanted.mkdir(mode=0o700, parents=True, exist_ok=True)
        if doubt := _doubt(wanted.lstat()):
            return doubt
        tempfile.TemporaryFile(dir=wanted).close()
    except OSError as error:
        return f"cannot be written ({error.strerror})"
    return None


def _doubt(status: os.stat_result) -> str | None:
    """Why somebody else may have written a file or directory."""
    if stat.S_ISLNK(status.st_mode):
        return "is a symbolic link, which is not followed"
    if status.st_uid != os.geteuid():
        return "belongs to another user, whose code must not run here"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be written by others, whose code must not run here"
    return None


def _remove(spare: Path, owner: int) -> None:
    """At the end of a process: a directory that it made itself, not one it knows from a fork."""
    if os.getpid() == owner:
        shutil.rmtree(spare, ignore_errors=True)


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
    for ending in (LOCK, PART):  # of processes that were killed
        for path in directory().glob("*" + ending):
            path.unlink(missing_ok=True)
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
    for path in directory().glob("*" + PART):
        with suppress(FileNotFoundError):  # it is whole now
            if path.stat().st_mtime < time.time() - KEEP_PART_SECONDS:
                path.unlink()
    return gone


def _checksum(name: str, code: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + code).digest()


def _read(path: Path) -> bytes:
    """The code in a file, if it is whole and our own; it is not looked at before that is known."""
    if doubt := _doubt(path.lstat()):
        raise ValueError(f"{path} {doubt}")
    data = path.read_bytes()
    start = len(HEADER) + hashlib.sha256().digest_size
    if data[:start] != HEADER + _checksum(path.name, data[start:]):
        raise ValueError(f"{path} is damaged")
    return data[start:]


def _write(path: Path, code: bytes) -> None:
    """Write a file that appears as a whole or not at all, even when the machine stops."""
    file, spare = tempfile.mkstemp(prefix=f"{path.name}.", suffix=PART, dir=path.parent)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(HEADER + _checksum(path.name, code) + code)
            stream.flush()
            os.fsync(file)
        Path(spare).replace(path)
    except BaseException:
        Path(spare).unlink(missing_ok=True)
        raise


def _lock(path: Path, made: Path) -> int | None:
    """Lock a file, which the kernel undoes when this process dies; wait while ``made`` is missing.

    None when there is nothing to wait for any more, or no lock to be had.
    """
    try:
        file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
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
            parts = pickle.loads(_read(path))
            result = CompileResult._rebuild(target_context, *parts)  # type: ignore[no-untyped-call]
        except FileNotFoundError:
            return None
        except Exception:  # damaged: compile again
            with suppress(OSError):
                path.unlink()
            return None
        self._touch(path)
        return result

    def save_overload(self, sig: Any, data: Any) -> None:
        path = self.path(sig, data.library.codegen)
        try:
            _write(path, dumps(data._reduce()))  # type: ignore[no-untyped-call]
            prune()
        except OSError as error:
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
