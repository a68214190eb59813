"""Vector instructions in compiled functions that LLVM does not find by itself, and what lets it find them."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir

from .compiled import COMPILED
from .numba_interface import intrinsic, types

PACKED = 16
"""Pixels that `pack_pixels` takes at once."""
_INT, _BYTE = ir.IntType(32), ir.IntType(8)


def _pack_pixels(context: Any, pixels: Any, packed: Any) -> Any:
    """Copy red, green and blue of `PACKED` pixels of four bytes at an address to another address."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        whole, part = (ir.VectorType(_BYTE, channels * PACKED) for channels in (4, 3))
        source, target = (
            builder.inttoptr(address, kind.as_pointer()) for address, kind in zip(arguments, (whole, part), strict=True)
        )
        chosen = [4 * pixel + channel for pixel in range(PACKED) for channel in range(3)]
        order = ir.Constant(ir.VectorType(_INT, len(chosen)), chosen)
        pixels = builder.load(source, align=1)
        builder.store(builder.shuffle_vector(pixels, ir.Constant(whole, ir.Undefined), order), target, align=1)
        return ir.Constant(_BYTE, 0)

    return types.void(types.int64, types.int64), generate


def _shift_right(context: Any, value: Any, bits: Any) -> Any:
    """An int32 shifted by fewer than 32 bits; Numba's operator takes 64, of which vectors hold half as many."""
    return types.int32(types.int32, types.int32), lambda _, builder, __, arguments: builder.ashr(*arguments)


pack_pixels: Any = intrinsic(_pack_pixels)
shift_right: Any = intrinsic(_shift_right) if COMPILED else operator.rshift
