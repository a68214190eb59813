"""Texels in memory: row by row, along a Z curve, or in tiles of a cache line or more.

Addresses are per block: a texel of an uncompressed format, 4x4 texels or so of a compressed one. A block
takes the next power
of two of its bytes, as texture memories do.
"""

from __future__ import annotations

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


def block_offset(
    layout: int, x: int, y: int, width: int, stored: int, line_bytes: int, across_bits: int, down_bits: int
) -> int:
    """Offset of block (x, y) in its layer of `width` blocks; `across_bits`, `down_bits`: log2 of `tile_blocks`."""
    if layout == MORTON:
        code = 0
        for bit in range(16):
            code |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1)
        return code * stored
    if layout == TILED:
        tiles = (width + (1 << across_bits) - 1) >> across_bits
        tile = (y >> down_bits) * tiles + (x >> across_bits)
        inside = ((y & ((1 << down_bits) - 1)) << across_bits) + (x & ((1 << across_bits) - 1))
        return (tile << (across_bits + down_bits)) * stored + inside * stored
    pitch = (width * stored + line_bytes - 1) // line_bytes * line_bytes
    return y * pitch + x * stored
