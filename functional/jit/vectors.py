"""Vector instructions in compiled functions that LLVM does not find by itself, and what lets it find them."""

from __future__ import annotations

import ctypes
import operator
from typing import Any

from llvmlite import ir

from .compiled import COMPILED
from .numba_interface import cgutils, intrinsic, types

PACKED = 16
"""Pixels that `pack_pixels` takes at once."""
VECTORS = 8, 16, 32, 64
"""Bytes of what vectors of lanes hold."""
_WORD, _INT, _BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(8)


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


def _copy_bytes(context: Any, target: Any, source: Any, count: Any) -> Any:
    """Copy some bytes to an address from another one, as one vector if they are as many as most vectors have."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        target, source, count = arguments
        places = [builder.inttoptr(place, _BYTE.as_pointer()) for place in (target, source)]
        behind, other = builder.append_basic_block("copied"), builder.append_basic_block("copy")
        switch = builder.switch(count, other)
        for bytes_ in VECTORS:
            block = builder.append_basic_block("copy")
            switch.add_case(ir.Constant(_WORD, bytes_), block)
            builder.position_at_end(block)
            whole = ir.VectorType(_BYTE, bytes_).as_pointer()
            to, of = (builder.bitcast(place, whole) for place in places)
            builder.store(builder.load(of, align=1), to, align=1)
            builder.branch(behind)
        builder.position_at_end(other)
        cgutils.raw_memcpy(builder, places[0], places[1], count, 1)
        builder.branch(behind)
        builder.position_at_end(behind)
        return ir.Constant(_BYTE, 0)

    return types.void(types.int64, types.int64, types.int64), generate


def _move_bytes(target: int, source: int, count: int) -> None:
    ctypes.memmove(int(target), int(source), int(count))


pack_pixels: Any = intrinsic(_pack_pixels)
copy_bytes: Any = intrinsic(_copy_bytes) if COMPILED else _move_bytes
shift_right: Any = intrinsic(_shift_right) if COMPILED else operator.rshift
