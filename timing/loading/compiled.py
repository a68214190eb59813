"""Compiled kernels of the loader, cached on disk under a key of all the sources they may depend on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from tilegpu.functional import activity
from tilegpu.functional.jit import cache_folder, cached, sources_key
from tilegpu.functional.jit import helper as helper

F = TypeVar("F", bound=Callable[..., Any])

_SOURCES = [Path(__file__).parent, Path(__file__).parent.parent / "memory", Path(str(activity.__file__)).parent]
_FOLDER = str(cache_folder("loading-" + sources_key(_SOURCES)))


def kernel(function: F) -> F:
    """Compile a function of arrays, cached on disk."""
    return cached(function, _FOLDER)


def kernel_without_arrays_of_its_own(function: F) -> F:
    """As `kernel`, for a function that makes no arrays: those it is given are not counted as references.

    Counting them, wherever they pass through tuples and inlined functions, takes longer than what tight loops do.
    """
    return cached(function, _FOLDER, _nrt=False)
