"""Compiled kernels, cached on disk under a key that changes with any source they may depend on.

Numba looks only at the file of the function itself when it decides whether a cached compilation is still good; a change
in a helper would go unseen. So the cache folder is named after the contents of the package the kernel lives in.
"""

from __future__ import annotations

import gc
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import cfunc, config, njit, types
from numba.core import caching as numba_caching

from .cache_place import cache_folder
from .linking import LINKER, linked, only_within
from .private_numba import LOCATORS, PLAIN

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_SETTINGS: Any = config
_caching: Any = numba_caching
_Folder: Any = next((getattr(_caching, name) for name in LOCATORS if hasattr(_caching, name)), object)
_Compiled: Any = getattr(_caching, "CompileResultCacheImpl", object)
_OfFunction: Any = getattr(_caching, "FunctionCache", object)
LOCKED = fcntl is not None
"""Whether this system can lock files."""
COMPILED = not _SETTINGS.DISABLE_JIT
"""Whether kernels are machine code (NUMBA_DISABLE_JIT is not set)."""
ZERO: Any = np.int64(0)
"""Where something that callees are given begins: for a literal 0 Numba would compile them all, and then again for what
follows it."""
_OPTIONS = {"nogil": True, "error_model": "numpy"}
_CALLED = {**_OPTIONS, "no_cfunc_wrapper": True}
"""Options of functions that Python calls."""
_WITHIN = {**_OPTIONS, "no_cpython_wrapper": not PLAIN, "no_cfunc_wrapper": not PLAIN}
"""Options of functions that kernels call."""
SELDOM = 50_000, 20, 100
"""Thresholds of the garbage collector for long runs, whose objects live on or are freed without it. Looking for cycles
at Python's own thresholds takes an eighth of the time of a long stream, and a seventh of compiling."""
_njit: Any = njit
F = TypeVar("F", bound=Callable[..., Any])


def sources_key(places: Iterable[Path]) -> str:
    """Hash of all Python sources below the folders, of the files, and of this package, which compiles them (16 hex
    digits)."""
    digest = hashlib.sha256()
    for place in (*places, Path(__file__).parent):
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            digest.update(str(path.relative_to(place.parent)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def _functional_folder() -> str:
    return str(cache_folder(sources_key([Path(__file__).parent.parent])))


class _Place(_Folder):  # type: ignore[misc]
    """A folder named after the function's module; Numba's is named after where its file lies, so that an installation
    at another place would compile everything anew."""

    def __init__(self, function: Any, file: str) -> None:
        super().__init__(function, file)
        self._cache_path = os.path.join(_SETTINGS.CACHE_DIR, function.__module__)


class _Content(_Compiled):  # type: ignore[misc]
    _locator_classes = [_Place, *getattr(_Compiled, "_locator_classes", ())]


class _Cache(_OfFunction):  # type: ignore[misc]
    """Compilations of a function; the folder is locked while one is saved, and where that cannot be, work goes on.

    Numba reads the index of a function's compilations, takes the next free number, and writes both back; two processes
    that compile for different arguments at once could take the same number, and later load each other's code.
    """

    _impl_class = _Content

    def save_overload(self, sig: Any, data: Any) -> None:
        if LINKER.waits(data.library):
            return
        # On a full disk code is compiled again in every run, and that is all.
        with suppress(OSError), _locked(Path(self.cache_path)):
            super().save_overload(sig, data)


def cached(function: F, folder: str, **options: Any) -> F:
    """Compile a function, with further options of Numba, and keep what is compiled in a folder."""
    before, _SETTINGS.CACHE_DIR = _SETTINGS.CACHE_DIR, folder
    try:
        if PLAIN:
            return cast(F, _njit(**{**_OPTIONS, **options, "cache": True})(function))
        compiled: Any = _njit(**{**_CALLED, **options})(function)
        if COMPILED:
            compiled._cache = _Cache(function)
            linked(compiled, function, partial(_alone, compiled))
    finally:
        _SETTINGS.CACHE_DIR = before
    return cast(F, compiled)


def kernel(function: F) -> F:
    """Compile a static kernel of the functional pass, cached on disk; NUMBA_DISABLE_JIT=1 leaves it Python."""
    return cached(function, _functional_folder())


class KernelByAddress:
    """A kernel of 64-bit integers that returns one, which other kernels call by address: it is compiled by itself.

    Parameters
    ----------
    function
        Takes so many integers.
    parameters
        How many.

    Attributes
    ----------
    dispatcher
        Numba's, as of other kernels.
    arguments
        Types of its arguments. Always compiled for these, and not for a signature, it has one key on disk.
    """

    def __init__(self, function: Callable[..., Any], parameters: int) -> None:
        self.dispatcher: Any = cached(function, _functional_folder(), no_cfunc_wrapper=False)
        self.arguments = (types.int64,) * parameters

    def __call__(self, *arguments: int) -> int:
        return int(self.dispatcher(*arguments))

    @cached_property
    def _plain(self) -> Any:
        """The same as Numba offers it to C."""
        made: Any = cfunc
        before, _SETTINGS.CACHE_DIR = _SETTINGS.CACHE_DIR, _functional_folder()
        try:
            return made(types.int64(*self.arguments), cache=True, **_OPTIONS)(self.dispatcher.py_func)
        finally:
            _SETTINGS.CACHE_DIR = before

    @cached_property
    def address(self) -> int:
        """Where its machine code begins; for `native_calls.call_by_address`."""
        if PLAIN:
            return int(self._plain.address)
        self.dispatcher.compile(self.arguments)
        result = self.dispatcher.overloads[self.arguments]
        return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))


def kernel_by_address(function: Callable[..., Any]) -> KernelByAddress:
    """Compile a kernel of 64-bit integers, cached on disk, that others call by address."""
    return KernelByAddress(function, function.__code__.co_argcount)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect garbage rarely within this context, and leave out the objects that exist before it."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def is_cached(kernel: Any) -> bool:
    """Whether any compilation of a kernel is on disk; where Numba does not say, as if it were."""
    return bool(PLAIN) or Path(kernel._cache._cache_file._index_path).exists()


def holds_code(folder: Path) -> bool:
    """Whether any compilation is in a folder."""
    return any(folder.rglob("*.nbi"))


@contextmanager
def _locked(folder: Path, name: str = ".lock") -> Iterator[None]:
    if not LOCKED:
        yield
        return
    with (folder / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _alone(kernel: Any) -> Iterator[None]:
    """Only one process compiles a kernel; others wait and load it."""
    with ExitStack() as held:
        # Where nothing can be locked, nothing can be saved.
        with suppress(OSError):
            folder = Path(kernel._cache.cache_path)
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(_locked(folder, f".{kernel.py_func.__qualname__}.lock"))
        yield


def helper(function: F) -> F:
    """Compile a function that kernels call; it is compiled with them. Python may call it too, more slowly."""
    return _within(function)


def inlined(function: F) -> F:
    """Compile a function as a part of each of its callers: handing on several arrays takes longer than some helpers."""
    return _within(function, forceinline=True)


def _within(function: F, **options: Any) -> F:
    compiled: Any = _njit(**{**_WITHIN, **options})(function)
    if COMPILED and not PLAIN:
        only_within(compiled)
        # What kernels call has no wrapper for Python, whose calls go on to a copy with one.
        called = linked(_njit(**_CALLED)(function), function)
        compiled._compile_for_args = lambda *arguments, **named: called
    return cast(F, compiled)
