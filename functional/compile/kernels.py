"""Decorators of the functional pass: kernels, which Python calls, and what kernels call."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from .parts import Part
from .program import ByAddress, Program
from .stored_files import cache_folder, sources_key

PLAIN = "TILEGPU_PLAIN"
"""Environment variable with which kernels of the functional pass stay Python."""
COMPILED = not os.environ.get(PLAIN)
"""Whether kernels are machine code."""
F = TypeVar("F", bound=Callable[..., Any])


@cache
def _functional_folder() -> str:
    return str(cache_folder(sources_key([Path(__file__).parent.parent])))


def cached(function: F, folder: str) -> F:
    """Compile a function that Python calls, and keep what is compiled in a folder."""
    return cast(F, Program(function, folder, loops=True)) if COMPILED else function


def kernel(function: F) -> F:
    """Compile a kernel of the functional pass, cached on disk."""
    return cached(function, _functional_folder())


def kernel_by_address(function: Callable[..., Any]) -> ByAddress:
    """Compile a kernel of 64-bit integers, cached on disk, that others call by address."""
    return ByAddress(function, _functional_folder(), plain=not COMPILED)


def helper(function: F) -> F:
    """Compile a function with the kernels that call it."""
    return cast(F, Part(function, inlined=False)) if COMPILED else function


def inlined(function: F) -> F:
    """Compile a function as a part of each of its callers: handing on several arrays takes longer than some helpers."""
    return cast(F, Part(function, inlined=True)) if COMPILED else function
