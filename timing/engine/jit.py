"""Compilation of the machine's functions: `@inline`, `@unit`, `@entry`.

An entry point is compiled with all that it calls (`functional.compile`) and kept on disk. Records and arrays of
the machine live as long as the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from tilegpu.functional.compile import Part, Program
from tilegpu.functional.compile import lowest_bit as lowest_bit

from . import options

F = TypeVar("F", bound=Callable[..., Any])


def inline(function: F) -> F:
    """Helper that always becomes part of the function that calls it."""
    return cast(F, Part(function, inlined=True)) if options.COMPILED else function


def unit(function: F) -> F:
    """Tick of a hardware unit, or a large helper: LLVM decides where it becomes part of what calls it."""
    return cast(F, Part(function, inlined=False)) if options.COMPILED else function


def entry(function: F) -> F:
    """Entry point of a machine: cached on disk, in the folder of this copy of the engine."""
    return cast(F, Program(function, options.CACHE_FOLDER)) if options.COMPILED else function


@inline
def count_bits(mask: int) -> int:
    """Number of bits that are set in a mask; LLVM turns the loop into one instruction."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count
