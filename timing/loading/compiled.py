"""Compiled kernels of the loader, cached on disk under a key of all the sources they may depend on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from tilegpu.functional import activity
from tilegpu.functional.compile import cache_folder, cached, sources_key
from tilegpu.functional.compile import helper as helper
from tilegpu.functional.compile import inlined as inlined

F = TypeVar("F", bound=Callable[..., Any])

_SOURCES = [Path(__file__).parent, Path(__file__).parent.parent / "memory", Path(str(activity.__file__)).parent]
_FOLDER = str(cache_folder("loading-" + sources_key(_SOURCES)))


def kernel(function: F) -> F:
    """Compile a function of arrays, cached on disk."""
    return cached(function, _FOLDER)
