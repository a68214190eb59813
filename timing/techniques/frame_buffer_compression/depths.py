"""Payloads of depths, which no picture holds: from a tile's depth buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.jit import inline, unit
from ...memory.texture_layout import every_other
from .places import superblock
from .state import SUBBLOCKS, Level, State

if TYPE_CHECKING:
    from ...memory.gpu import Gpu
    from ...units.depth_test import TileBuffer


@inline
def bit_length(value: int) -> int:
    """Bits that a value takes."""
    bits = 0
    while value >> bits > 0:
        bits += 1
    return bits


@inline
def byte_at(buffer: TileBuffer, place: int, component: int) -> int:
    """A byte of the depth at a place of the tile's buffer, or its stencil."""
    if component == 3:
        return int(buffer.stencil[place] & 255)
    return int(buffer.depth[place] >> 8 * component & 255)


@unit
def component_bits(gpu: Gpu, buffer: TileBuffer, place: int, component: int, count_bits: int) -> int:
    """Bits of the trees of a component of the subblock that begins at a place; see `payload`."""
    least, most, lower = 256, -1, 0
    for quad in range(4):
        low, high = 256, -1
        for i in range(4):
            x, y = 2 * (quad & 1) + (i & 1), 2 * (quad >> 1) + (i >> 1)
            value = byte_at(buffer, place + y * gpu.tile_width + x, component)
            low, high = min(low, value), max(high, value)
        lower += bit_length(high - low)
        least, most = min(least, low), max(most, low)
    return 8 + 5 * count_bits + 4 * bit_length(most - least) + 4 * lower


@unit
def is_solid(gpu: Gpu, buffer: TileBuffer, place: int) -> bool:
    """Whether all pixels of the superblock that begins at a place have one depth and stencil."""
    for y in range(16):
        for x in range(16):
            at = place + y * gpu.tile_width + x
            if buffer.depth[at] != buffer.depth[place] or buffer.stencil[at] != buffer.stencil[place]:
                return False
    return True


@unit
def take(gpu: Gpu, state: State, level: Level, buffer: TileBuffer, x: int, y: int, count_bits: int) -> None:
    """Set the sizes of a superblock's payload, by its column and row, from the tile that it lies in."""
    place = (16 * y - buffer.y) * gpu.tile_width + 16 * x - buffer.x
    first = (level.first + superblock(level, x, y)) * SUBBLOCKS
    solid = is_solid(gpu, buffer, place)
    for i in range(SUBBLOCKS):
        size = 0
        if not solid:
            bits, at = 0, place + 4 * every_other(i >> 1) * gpu.tile_width + 4 * every_other(i)
            for component in range(level.uncompressed_bytes // 16):
                bits += component_bits(gpu, buffer, at, component, count_bits)
            size = min(bits + 7 >> 3, level.uncompressed_bytes)
        state.subblock_bytes[first + i] = size
