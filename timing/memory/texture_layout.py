"""Texels in memory: row by row, along a Z curve, or in tiles of a cache line or more.

Addresses are per block: a texel of an uncompressed format, 4x4 texels or so of a compressed one. A block takes the next
power of two of its bytes, as texture memories do.
"""

from __future__ import annotations

from tilegpu.functional.compile import inlined

LINEAR, MORTON, TILED = range(3)
LAYOUTS = ("linear", "morton", "tiled")


def stored_bytes(block_bytes: int) -> int:
    """Bytes a block takes in memory."""
    return 1 << max(0, block_bytes - 1).bit_length()


def level_bytes(layout: int, width: int, height: int, stored: int, line_bytes: int, tile_bytes: int) -> int:
    """Size of one layer of a level of width x height blocks."""
    if layout == MORTON:
        side = 1 << max(width - 1, height - 1, 0).bit_length()
        return max(side * side * stored, line_bytes)
    if layout == TILED:
        across, down = tile_blocks(stored, tile_bytes)
        return -(-width // across) * -(-height // down) * max(tile_bytes, stored)
    return -(-width * stored // line_bytes) * line_bytes * height


def tile_blocks(stored: int, tile_bytes: int) -> tuple[int, int]:
    """Blocks across and down in a tile: as square as a power of two allows, the wider way lying."""
    bits = max(0, (tile_bytes // stored).bit_length() - 1)
    return 1 << (bits + 1) // 2, 1 << bits // 2


@inlined
def spread(x: int) -> int:
    """The 16 bits of a number, a zero after each."""
    x = (x | x << 8) & 0x00FF00FF
    x = (x | x << 4) & 0x0F0F0F0F
    x = (x | x << 2) & 0x33333333
    return (x | x << 1) & 0x55555555


@inlined
def every_other(code: int) -> int:
    """Inverse of `spread` for 16 bits; the bits between do not matter."""
    x = code & 0x55555555
    x = (x | x >> 1) & 0x33333333
    x = (x | x >> 2) & 0x0F0F0F0F
    x = (x | x >> 4) & 0x00FF00FF
    return (x | x >> 8) & 0xFFFF


@inlined
def row_pitch(layout: int, width: int, stored: int, line_bytes: int, across_bits: int) -> int:
    """Step from row to row of a layer of `width` blocks: bytes if it is linear, tiles if it is tiled."""
    if layout == TILED:
        return (width + (1 << across_bits) - 1) >> across_bits
    return (width * stored + line_bytes - 1) & -line_bytes


@inlined
def column_offset(layout: int, x: int, stored: int, across_bits: int, down_bits: int) -> int:
    """Offset of column x of blocks in its row; `across_bits`, `down_bits`: log2 of `tile_blocks`.

    In every layout, the offset of a block is that of its column and that of its row together.
    """
    if layout == TILED:
        return (((x >> across_bits) << (across_bits + down_bits)) + (x & ((1 << across_bits) - 1))) * stored
    if layout == MORTON:
        return spread(x) * stored
    return x * stored


@inlined
def row_offset(layout: int, y: int, pitch: int, stored: int, across_bits: int, down_bits: int) -> int:
    """Offset of row y of blocks in its layer; `pitch`: from `row_pitch`."""
    if layout == TILED:
        tile = (y >> down_bits) * pitch
        return ((tile << (across_bits + down_bits)) + ((y & ((1 << down_bits) - 1)) << across_bits)) * stored
    if layout == MORTON:
        return 2 * spread(y) * stored
    return y * pitch
