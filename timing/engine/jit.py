"""Compilation of the machine's functions: `@inline`, `@unit`, `@entry`.

Each is compiled by itself, once; LLVM puts them together when the entry point is made (`engine.tuning`). Only the entry
point is cached on disk: it contains everything it calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import types
from numba.extending import intrinsic

from tilegpu.functional.jit import cached

from . import options
from .tuning import tuned

F = TypeVar("F", bound=Callable[..., Any])

njit: Any = numba.njit
unliteral: Any = types.unliteral

# Records and arrays of the machine live as long as the machine: nothing in here counts references or allocates.
_NUMBA_OPTIONS = {"nogil": True, "boundscheck": False, "error_model": "numpy", "_nrt": False}
_WITHIN = {**_NUMBA_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of functions that only compiled code calls."""


def inline(function: F) -> F:
    """Helper that always becomes part of the function that calls it."""
    if not options.COMPILED:
        return function
    compiled: F = _one_copy(njit(forceinline=True, **_WITHIN)(function))
    return compiled


def unit(function: F) -> F:
    """Tick of a hardware unit, or a large helper: LLVM decides where it becomes part of what calls it."""
    if not options.COMPILED:
        return function
    # Set explicitly: Numba lets callees inherit every option they leave open.
    compiled: F = _one_copy(njit(forceinline=False, **_WITHIN)(function))
    return compiled


def _one_copy(dispatcher: Any) -> Any:
    """Let all callers share one compiled copy: numba would make one for every constant and every width of integer."""
    template = dispatcher.get_call_template

    def widened(arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return template(tuple(map(_wide, arguments)), {name: _wide(kind) for name, kind in named.items()})

    dispatcher.get_call_template = widened
    return dispatcher


def _wide(kind: Any) -> Any:
    kind = unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) else kind


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(typing_context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


def _lowest_bit(mask: int) -> int:
    """Number of the lowest bit that is set in a mask, which must not be 0."""
    return (mask & -mask).bit_length() - 1


lowest_bit: Any = _trailing_zeros if options.COMPILED else _lowest_bit


@inline
def count_bits(mask: int) -> int:
    """Number of bits that are set in a mask; LLVM turns the loop into one instruction."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


def entry(function: F) -> F:
    """Entry point of a machine: cached on disk, in the folder of this copy of the engine."""
    if not options.COMPILED:
        return function
    return cast(F, _tuned(cached(function, options.CACHE_FOLDER, **_NUMBA_OPTIONS), function))


def _tuned(dispatcher: Any, function: Any) -> Any:
    """Let the entry point and all it calls be compiled as `engine.tuning` says."""
    compile_plainly = dispatcher.compile

    def compile_tuned(signature: Any) -> Any:
        with tuned(function):
            return compile_plainly(signature)

    dispatcher.compile = compile_tuned
    return dispatcher
