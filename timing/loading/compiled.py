"""Compiled kernels of the loader, cached on disk under a key of all the sources they may depend on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

from tilegpu.functional import activity
from tilegpu.functional.activity.compiled import cache_folder, sources_key

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba.config
njit: Any = numba.njit

_SOURCES = [Path(__file__).parent, Path(__file__).parent.parent / "memory", Path(str(activity.__file__)).parent]
_FOLDER = str(cache_folder("loading-" + sources_key(_SOURCES)))


def kernel(function: F) -> F:
    """Compile a function of arrays, cached on disk."""
    return _cached(function, {})


def kernel_without_arrays_of_its_own(function: F) -> F:
    """As `kernel`, for a function that makes no arrays: those it is given are not counted as references.

    Counting them, wherever they pass through tuples and inlined functions, takes longer than what tight loops do.
    """
    return _cached(function, {"_nrt": False})


def _cached(function: F, options: dict[str, bool]) -> F:
    before, config.CACHE_DIR = config.CACHE_DIR, _FOLDER
    try:
        compiled: F = njit(cache=True, nogil=True, error_model="numpy", **options)(function)
        return compiled
    finally:
        config.CACHE_DIR = before


def helper(function: F) -> F:
    """Compile a function that kernels call; it is compiled with them."""
    compiled: F = njit(nogil=True, error_model="numpy")(function)
    return compiled
