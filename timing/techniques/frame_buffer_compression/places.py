"""Places of superblocks and their payloads, and those that a line of texels belongs to."""

from __future__ import annotations

from ...engine.jit import inline, unit
from ...memory.texture_layout import TILED, every_other, spread
from .state import PAYLOAD_BYTES, SUBBLOCKS, Level, State


@inline
def superblock(level: Level, x: int, y: int) -> int:
    """Number of a superblock within its level, by its column and row; where 8x8 lie together, along a Z curve."""
    if level.tiled == 0:
        return int(y * level.across + x)
    return int(((y >> 3) * (level.across >> 3) + (x >> 3)) * 64 + (spread(x & 7) | spread(y & 7) << 1))


@inline
def payload_bytes(state: State, block: int) -> int:
    """Bytes of a superblock's payload, by its number among those of all surfaces."""
    size = 0
    for i in range(block * SUBBLOCKS, (block + 1) * SUBBLOCKS):
        size += state.subblock_bytes[i]
    return -(-size // PAYLOAD_BYTES) * PAYLOAD_BYTES


@inline
def level_at(state: State, address: int) -> int:
    """Level whose texels would lie at an address, or -1."""
    low, high = 0, state.levels
    while low < high:
        middle = (low + high) // 2
        if state.level[middle].end <= address:
            low = middle + 1
        else:
            high = middle
    return low if low < state.levels and state.level[low].address <= address else -1


@unit
def first_texel(level: Level, address: int) -> int:
    """Column of the first texel of a line, and above 16 bits its row."""
    texel = (address - level.address) // level.stored
    if level.layout != TILED:
        return int(every_other(texel) | every_other(texel >> 1) << 16)
    bits = level.across_bits + level.down_bits
    tile, inside = texel >> bits, texel & ((1 << bits) - 1)
    x = (tile % level.pitch << level.across_bits) + (inside & ((1 << level.across_bits) - 1))
    y = (tile // level.pitch << level.down_bits) + (inside >> level.across_bits)
    return int(x | y << 16)
