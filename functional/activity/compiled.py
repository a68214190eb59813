"""Compiled kernels, cached on disk under a key that changes with any source they may depend on.

Numba looks only at the file of the function itself when it decides whether a cached compilation is still good; a change
in a helper would go unseen. So the cache folder is named after the contents of the package the kernel lives in.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_SETTINGS: Any = config
COMPILED = not _SETTINGS.DISABLE_JIT
"""Whether kernels are machine code (NUMBA_DISABLE_JIT is not set)."""
F = TypeVar("F", bound=Callable[..., Any])


def sources_key(places: Iterable[Path]) -> str:
    """Hash of all Python sources below the folders, or of the files (16 hex digits)."""
    digest = hashlib.sha256()
    for place in places:
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            digest.update(str(path.relative_to(place.parent)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder(key: str) -> Path:
    """Folder for compiled code: under XDG_CACHE_HOME, or a temporary folder where that cannot be written."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "tilegpu" / key
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.gettempdir()) / f"tilegpu-{os.getuid() if hasattr(os, 'getuid') else 0}" / key


@cache
def _functional_folder() -> str:
    return str(cache_folder(sources_key([Path(__file__).parent.parent])))


def kernel(function: F) -> F:
    """Compile a static kernel of the functional pass, cached on disk; NUMBA_DISABLE_JIT=1 leaves it Python."""
    before, _SETTINGS.CACHE_DIR = _SETTINGS.CACHE_DIR, _functional_folder()
    try:
        compiled = njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        _SETTINGS.CACHE_DIR = before
    save_if_possible(compiled)
    return cast(F, compiled)


def save_if_possible(compiled: Any) -> None:
    """Lock the folder while a compilation is saved, and go on without where that cannot be.

    Numba reads the index of a function's compilations, takes the next free number, and writes both back; two processes
    that compile for different arguments at once could take the same number, and later load each other's code.
    """
    cache = getattr(compiled, "_cache", None)
    if cache is None:
        return
    save = cache.save_overload

    def saved(signature: Any, data: Any) -> None:
        # On a full disk code is compiled again in every run, and that is all.
        with suppress(OSError), _locked(Path(cache.cache_path)):
            save(signature, data)

    cache.save_overload = saved


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    if fcntl is None:
        yield
        return
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def helper(function: F) -> F:
    """Compile a function that kernels call; it is compiled with them."""
    return cast(F, njit(nogil=True, error_model="numpy")(function))


def inlined(function: F) -> F:
    """Compile a function as a part of each of its callers: handing on several arrays takes longer than some helpers."""
    return cast(F, njit(nogil=True, error_model="numpy", forceinline=True)(function))
