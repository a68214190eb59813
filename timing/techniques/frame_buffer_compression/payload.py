"""Number of bytes that the payload of a subblock of 4x4 pixels takes.

What AFBC stores is not public. Arm's patent US 8,542,939 describes a tree for each component: the minimum of the 16
values, that of each quad of 2x2 less it, and each value less its quad's; with them, how many bits the differences take.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tilegpu.functional.opengl.channel_bits import CHANNEL_BITS

from ...memory.texture_layout import stored_bytes
from .state import SUBBLOCKS

Array = np.ndarray[Any, Any]

SIDE = 16
"""Side of a superblock, in pixels."""


class Coding(NamedTuple):
    """Components of a format, as AFBC takes them.

    `bits`: of each component; `channels`: place of each in a pixel of a picture; `transform`: whether the first three
    become a luma and two differences, of one bit more.
    """

    bits: tuple[int, ...]
    channels: tuple[int, ...]
    transform: bool

    @property
    def pixel_bits(self) -> int:
        """Bits of a pixel."""
        return sum(self.bits)

    @property
    def subblock_bytes(self) -> int:
        """Bytes of 4x4 pixels that are not compressed."""
        return -(-16 * self.pixel_bits // 8)


RGBA = (0, 1, 2, 3)


def _coding(name: str, transform: bool) -> Coding:
    """Coding of a format of colours, of the channels that it has."""
    channels = tuple(channel for channel in RGBA if CHANNEL_BITS[name][channel])
    return Coding(tuple(CHANNEL_BITS[name][channel] for channel in channels), channels, transform)


def _by_bytes(name: str) -> Coding:
    """Coding of a format of depth: a component for each byte in memory."""
    size = stored_bytes(CHANNEL_BITS[name][0] // 8)
    return Coding((8,) * size, RGBA[:size], False)


COLORS = {name: _coding(name, False) for name in ("R8", "RG8", "RGB565")} | {
    name: _coding(name, True) for name in ("RGB5_A1", "RGBA4", "RGB8", "SRGB8", "RGBA8", "SRGB8_ALPHA8")
}
"""Formats of colours that Mesa's panfrost compresses on Bifrost, but for RGB10_A2: pictures hold 8 bits."""
DEPTHS = {name: _by_bytes(name) for name in ("DEPTH16", "DEPTH24", "DEPTH24_STENCIL8")}
"""Formats of depth, byte by byte, as there."""


def bit_lengths(values: Array) -> Array:
    """Bits that each value takes, 0 for zero; values below 2^24."""
    return np.frexp(values.astype(np.float32))[1]


def component_bits(values: Array, bits: int, count_bits: int) -> Array:
    """Bits of a component's trees.

    Parameters
    ----------
    values
        Integers, shape (4 * rows, 4 * columns).
    bits
        Bits of the component.
    count_bits
        Of each bit count.

    Returns
    -------
    numpy.ndarray
        Shape (rows, columns).
    """
    rows, columns = values.shape[0] // 4, values.shape[1] // 4
    quads = values.reshape(rows, 2, 2, columns, 2, 2)
    low, high = quads.min(axis=(2, 5)), quads.max(axis=(2, 5))
    least = low.min(axis=(1, 3))
    upper = bit_lengths(low.max(axis=(1, 3)) - least)
    lower = bit_lengths(high - low).sum(axis=(1, 3))
    return np.asarray(bits + 5 * count_bits + 4 * upper + 4 * lower)


def components(picture: Array, coding: Coding) -> list[tuple[Array, int]]:
    """Components of pixels as they are compressed, each with its bits.

    Parameters
    ----------
    picture
        Shape (height, width, 4), 8 bits.
    """
    channels = [
        (picture[..., channel].astype(np.int32) >> (8 - bits), bits)
        for channel, bits in zip(coding.channels, coding.bits, strict=True)
    ]
    if coding.transform:
        (r, bits), (g, _), (b, _), *rest = channels
        # Of JPEG 2000, which loses nothing; the DRM's modifier YTR.
        channels = [(r + 2 * g + b >> 2, bits), (b - g, bits + 1), (r - g, bits + 1), *rest]
    return channels


def picture_sizes(picture: Array, coding: Coding, count_bits: int) -> Array:
    """Bytes of the payload of each subblock of a picture.

    Parameters
    ----------
    picture
        Shape (height, width, 4), uint8, from the bottom up; sides need not be multiples of 16.
    coding, count_bits
        How it is compressed.

    Returns
    -------
    numpy.ndarray
        uint8, shape (rows, columns, 16): by superblock, its subblocks along a Z curve. All 0 where the superblock has
        one value; as of uncompressed pixels where the trees would take as much.
    """
    height, width = picture.shape[:2]
    # What lies beyond the edge belongs to no surface; it shall cost nothing.
    padded = np.pad(picture, ((0, -height % SIDE), (0, -width % SIDE), (0, 0)), mode="edge")
    rows, columns = padded.shape[0] // SIDE, padded.shape[1] // SIDE
    total, solid = np.zeros((rows * 4, columns * 4), np.int64), np.full((rows, columns), True)
    for values, bits in components(padded, coding):
        total += component_bits(values, bits, count_bits)
        blocks = values.reshape(rows, SIDE, columns, SIDE)
        solid &= blocks.min(axis=(1, 3)) == blocks.max(axis=(1, 3))
    sizes = np.minimum(-(-total // 8), coding.subblock_bytes)
    # Bits of rows and columns of subblocks take turns.
    nested = sizes.reshape(rows, 2, 2, columns, 2, 2).transpose(0, 3, 1, 4, 2, 5).reshape(rows, columns, SUBBLOCKS)
    return np.asarray(np.where(solid[..., None], 0, nested), np.uint8)
