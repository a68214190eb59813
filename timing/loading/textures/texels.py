"""Texels in memory: wrapping, columns and rows of blocks, texels across the faces of cube maps."""

from __future__ import annotations

from typing import Any

from tilegpu.functional.activity.kernels.cube import face_texel
from tilegpu.functional.activity.kernels.wrapping import CLAMP_TO_EDGE, REPEAT, wrapped
from tilegpu.functional.compile import inlined

from ...memory.texture_layout import column_offset, row_offset
from ..compiled import helper

NOWHERE = -(1 << 40)
"""Below every line of memory."""


@inlined
def column_of(x: int, grid: Any, wrapping: int, layout: int) -> int:
    """Bytes that the column of a texel adds to its address."""
    block = wrapped(x, grid.width, wrapping)
    if grid.block_width != 1:
        block //= grid.block_width
    return column_offset(layout, block, grid.stored, grid.across_bits, grid.down_bits)


@inlined
def row_of(y: int, grid: Any, wrapping: int, layout: int) -> int:
    """Bytes that the row of a texel adds to its address."""
    block = wrapped(y, grid.height, wrapping)
    if grid.block_height != 1:
        block //= grid.block_height
    return row_offset(layout, block, grid.pitch, grid.stored, grid.across_bits, grid.down_bits)


@helper
def across_faces(face: int, x: int, y: int, grid: Any, layout: int) -> int:
    """Address of a texel of a cube map that may lie beyond a face's edge; below 0 beyond a corner: there is none."""
    face, x, y = face_texel(face, x, y, grid.width)
    if face < 0:
        return NOWHERE
    column, row = column_of(x, grid, CLAMP_TO_EDGE, layout), row_of(y, grid, CLAMP_TO_EDGE, layout)
    return int(grid.address + face * grid.layer_bytes + column + row)


@inlined
def kept_bits(low: int, high: int, size: int, mode: int) -> int:
    """Bits of coordinates from `low` to `high` that are left where wrapping does no more than that; else 0."""
    if mode == REPEAT and size & size - 1 == 0:
        return size - 1
    return -1 if low >= 0 and high < size else 0


@inlined
def even_offset(x: int, across: int, step: int, inner: int, line_bits: int) -> int:
    """Contribution of a column (or row) of texels to the address of its line; `across` and `inner` are log2 of
    texels."""
    return (x >> across) * step + ((x & (1 << across) - 1) >> inner << line_bits)
