"""Compilations on disk, under keys that change with any source they may depend on.

Numba looks only at the file of the function itself when it decides whether a cached compilation is still good; a change
in a helper would go unseen. So the cache folder is named after the contents of the package the kernel lives in.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from .linking import LINKER
from .numba_interface import caching, config
from .private_numba import LOCATORS, PLAIN
from .stored_files import folder_of_this_process, private_folder, read_sealed, write_sealed

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_Folder: Any = next((getattr(caching, name) for name in LOCATORS if hasattr(caching, name)), object)
_Compiled: Any = getattr(caching, "CompileResultCacheImpl", object)
_OfFunction: Any = getattr(caching, "FunctionCache", object)
_OfIndexAndData: Any = getattr(caching, "IndexDataCacheFile", object)
LOCKED = fcntl is not None
"""Whether this system can lock files."""


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
        folder = Path(config.CACHE_DIR, function.__module__)
        if not private_folder(folder):
            folder = folder_of_this_process() / function.__module__
        self._cache_path = str(folder)

    def ensure_cache_path(self) -> None:
        """Leave the folder as it is: where nothing can be written, code is compiled again in every run."""


class _Content(_Compiled):  # type: ignore[misc]
    _locator_classes = [_Place]


class _Files(_OfIndexAndData):  # type: ignore[misc]
    """Numba's files, an index and one of each compilation, with digests: pickles are read only after their digests."""

    def _load_index(self) -> dict[Any, str]:
        content = read_sealed(Path(self._index_path))
        if content is None:
            return {}
        version, stamp, overloads = pickle.loads(content)
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        write_sealed(Path(self._index_path), self._dump((self._version, self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        content = read_sealed(Path(self._data_path(name)))
        if content is None:
            # As for a file that is gone, Numba compiles anew.
            raise FileNotFoundError(name)
        return pickle.loads(content)

    def _save_data(self, name: str, data: Any) -> None:
        write_sealed(Path(self._data_path(name)), self._dump(data))


class Cache(_OfFunction):  # type: ignore[misc]
    """Compilations of a function; the folder is locked while one is saved, and where that cannot be, work goes on.

    Numba reads the index of a function's compilations, takes the next free number, and writes both back; two processes
    that compile for different arguments at once could take the same number, and later load each other's code.
    """

    _impl_class = _Content

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)

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
