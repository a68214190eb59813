"""Compilation of the machine's functions: `@inline`, `@unit`, `@entry`.

Each is compiled by itself, once; LLVM puts them together when the entry point is made (`functional.jit.tuning`). Only
the entry point is cached on disk: it contains everything it calls. Records and arrays of the machine live as long as
the machine: nothing in here counts references or allocates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tilegpu.functional.jit import program, program_part
from tilegpu.functional.jit.native_calls import trailing_zeros

from . import options

F = TypeVar("F", bound=Callable[..., Any])


def inline(function: F) -> F:
    """Helper that always becomes part of the function that calls it."""
    return program_part(function, inlined=True) if options.COMPILED else function


def unit(function: F) -> F:
    """Tick of a hardware unit, or a large helper: LLVM decides where it becomes part of what calls it."""
    return program_part(function, inlined=False) if options.COMPILED else function


def entry(function: F) -> F:
    """Entry point of a machine: cached on disk, in the folder of this copy of the engine."""
    return program(function, options.CACHE_FOLDER) if options.COMPILED else function


def _lowest_bit(mask: int) -> int:
    """Number of the lowest bit that is set in a mask, which must not be 0."""
    return (mask & -mask).bit_length() - 1


lowest_bit: Any = trailing_zeros if options.COMPILED else _lowest_bit


@inline
def count_bits(mask: int) -> int:
    """Number of bits that are set in a mask; LLVM turns the loop into one instruction."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count
