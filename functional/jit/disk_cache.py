"""Compilations on disk, under keys that change with any source they may depend on.

Numba looks only at the file of the function itself when it decides whether a cached compilation is still good; a change
in a helper would go unseen. So the cache folder is named after the contents of the package the kernel lives in.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from .linking import LINKER
from .numba_interface import caching, config
from .private_numba import LOCATORS, PLAIN

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_Folder: Any = next((getattr(caching, name) for name in LOCATORS if hasattr(caching, name)), object)
_Compiled: Any = getattr(caching, "CompileResultCacheImpl", object)
_OfFunction: Any = getattr(caching, "FunctionCache", object)
LOCKED = fcntl is not None
"""Whether this system can lock files."""


def sources_key(places: Iterable[Path]) -> str:
    """Hash of all Python sources below the folders, of the files, and of this package, which compiles them (16 hex
    digits)."""
    digest = hashlib.sha256()
    for place in (*places, Path(__file__).parent):
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            digest.update(str(path.relative_to(place.parent)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@contextmanager
def kept_in(folder: str) -> Iterator[None]:
    """Have Numba keep what functions made in this context compile in a folder."""
    before, config.CACHE_DIR = config.CACHE_DIR, folder
    try:
        yield
    finally:
        config.CACHE_DIR = before


class _Place(_Folder):  # type: ignore[misc]
    """A folder named after the function's module; Numba's is named after where its file lies, so that an installation
    at another place would compile everything anew."""

    def __init__(self, function: Any, file: str) -> None:
        super().__init__(function, file)
        self._cache_path = os.path.join(config.CACHE_DIR, function.__module__)


class _Content(_Compiled):  # type: ignore[misc]
    _locator_classes = [_Place, *getattr(_Compiled, "_locator_classes", ())]


class Cache(_OfFunction):  # type: ignore[misc]
    """Compilations of a function; the folder is locked while one is saved, and where that cannot be, work goes on.

    Numba reads the index of a function's compilations, takes the next free number, and writes both back; two processes
    that compile for different arguments at once could take the same number, and later load each other's code.
    """

    _impl_class = _Content

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a compilation, unless it still waits to be linked."""
        if LINKER.waits(data.library):
            return
        # On a full disk code is compiled again in every run, and that is all.
        with suppress(OSError), _locked(Path(self.cache_path)):
            super().save_overload(sig, data)


def is_cached(kernel: Any) -> bool:
    """Whether any compilation of a kernel is on disk; where Numba does not say, as if it were."""
    return bool(PLAIN) or Path(kernel._cache._cache_file._index_path).exists()


def holds_code(folder: Path) -> bool:
    """Whether the code of any program is in a folder."""
    return any(folder.rglob("*.o"))


def alone(kernel: Any) -> AbstractContextManager[None]:
    """Only one process compiles a kernel; others wait and load it."""
    return only_one(Path(kernel._cache.cache_path), kernel.py_func.__qualname__)


@contextmanager
def only_one(folder: Path, name: str) -> Iterator[None]:
    """Only one process is in a context of this name and folder; others wait."""
    with ExitStack() as held:
        # Where nothing can be locked, nothing can be saved.
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(_locked(folder, f".{name}.lock"))
        yield


@contextmanager
def _locked(folder: Path, name: str = ".lock") -> Iterator[None]:
    if not LOCKED:
        yield
        return
    with (folder / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
