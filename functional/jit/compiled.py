"""Decorators of compiled functions: kernels, which Python calls, and what kernels call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from .disk_cache import Cache, alone, kept_in
from .linking import linked, only_within
from .numba_interface import cfunc, config, njit, types
from .private_numba import PLAIN
from .stored_files import cache_folder, sources_key

COMPILED = not config.DISABLE_JIT
"""Whether kernels are machine code (NUMBA_DISABLE_JIT is not set)."""
ZERO: Any = np.int64(0)
"""Start of a range that is passed to other functions: for a literal 0, Numba would compile them once more than for
numbers."""
_OPTIONS = {"nogil": True, "error_model": "numpy"}
_CALLED = {**_OPTIONS, "no_cfunc_wrapper": True}
"""Options of functions that Python calls."""
_WITHIN = {**_OPTIONS, "no_cpython_wrapper": not PLAIN, "no_cfunc_wrapper": not PLAIN}
"""Options of functions that kernels call."""
F = TypeVar("F", bound=Callable[..., Any])


@cache
def _functional_folder() -> str:
    return str(cache_folder(sources_key([Path(__file__).parent.parent])))


def cached(function: F, folder: str, **options: Any) -> F:
    """Compile a function, with further options of Numba, and keep what is compiled in a folder."""
    with kept_in(folder):
        if PLAIN:
            return cast(F, njit(**{**_OPTIONS, **options, "cache": True})(function))
        compiled: Any = njit(**{**_CALLED, **options})(function)
        if COMPILED:
            compiled._cache = Cache(function)
            linked(compiled, function, partial(alone, compiled))
    return cast(F, compiled)


def kernel(function: F) -> F:
    """Compile a static kernel of the functional pass, cached on disk; NUMBA_DISABLE_JIT=1 leaves it Python."""
    return cached(function, _functional_folder())


class KernelByAddress:
    """A kernel of 64-bit integers that returns one, which other kernels call by address: it is compiled by itself.

    Parameters
    ----------
    function
        Takes integers.
    parameters
        Number of these integers.

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
        with kept_in(_functional_folder()):
            return cfunc(types.int64(*self.arguments), cache=True, **_OPTIONS)(self.dispatcher.py_func)

    @cached_property
    def address(self) -> int:
        """Address of its machine code, for `native_calls.call_by_address`."""
        if PLAIN:
            return int(self._plain.address)
        self.dispatcher.compile(self.arguments)
        result = self.dispatcher.overloads[self.arguments]
        return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))


def kernel_by_address(function: Callable[..., Any]) -> KernelByAddress:
    """Compile a kernel of 64-bit integers, cached on disk, that others call by address."""
    return KernelByAddress(function, function.__code__.co_argcount)


def helper(function: F) -> F:
    """Compile a function that kernels call; it is compiled with them. Python may call it too, more slowly."""
    return _within(function)


def inlined(function: F) -> F:
    """Compile a function as a part of each of its callers: handing on several arrays takes longer than some helpers."""
    return _within(function, forceinline=True)


def _within(function: F, **options: Any) -> F:
    compiled: Any = njit(**{**_WITHIN, **options})(function)
    if COMPILED and not PLAIN:
        only_within(compiled)
        # What kernels call has no wrapper for Python, whose calls go on to a copy with one.
        called = linked(njit(**_CALLED)(function), function)
        compiled._compile_for_args = lambda *arguments, **named: called
    return cast(F, compiled)
