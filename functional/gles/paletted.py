"""Paletted textures (OpenGL ES 1.1, 3.7.4; OES_compressed_paletted_texture): a palette, then indices of all levels."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ..opengl import enums as gl
from ..opengl.errors import GLError
from ..opengl.formats import RGB5_A1, RGB8, RGB565, RGBA4, RGBA8, Format
from .pixels import Unpack, unpack_pixels

_ENTRIES = (
    (RGB8, gl.RGB, gl.UNSIGNED_BYTE),
    (RGBA8, gl.RGBA, gl.UNSIGNED_BYTE),
    (RGB565, gl.RGB, gl.UNSIGNED_SHORT_5_6_5),
    (RGBA4, gl.RGBA, gl.UNSIGNED_SHORT_4_4_4_4),
    (RGB5_A1, gl.RGBA, gl.UNSIGNED_SHORT_5_5_5_1),
)
PALETTED = MappingProxyType(
    {
        gl.PALETTE4_RGB8_OES + 5 * i + j: (bits, *entry)
        for i, bits in enumerate((4, 8))
        for j, entry in enumerate(_ENTRIES)
    }
)
"""Bits per index, and format, client format and type of the palette, by GL enum."""


def decode_paletted(
    internal: int, width: int, height: int, levels: int, data: bytes
) -> tuple[Format, list[NDArray[np.uint8]]]:
    """Decode all levels.

    Parameters
    ----------
    internal
        One of `PALETTED`.
    width, height
        Size of the first level in texels.
    levels
        Number of levels.
    data
        The palette, then the indices level by level; of two indices in a byte, the upper four bits come first.

    Returns
    -------
    Format, list of uint8 (height, width, 4)

    Raises
    ------
    GLError
        There are fewer bytes than the size needs.
    """
    bits, sized, client, kind = PALETTED[internal]
    entries = 1 << bits
    first = entries * sized.texel_bytes
    sizes = [(max(1, width >> i), max(1, height >> i)) for i in range(levels)]
    lengths = [-(-w * h * bits // 8) for w, h in sizes]
    if len(data) < first + sum(lengths):
        raise GLError(gl.INVALID_VALUE, f"paletted texels need {first + sum(lengths)} bytes, there are {len(data)}")
    palette = unpack_pixels(data[:first], (entries, 1, 1), client, kind, Unpack(alignment=1), sized)[0, 0]
    images, start = [], first
    for (columns, rows), length in zip(sizes, lengths, strict=True):
        indices = np.frombuffer(data, np.uint8, length, start)
        start += length
        if bits == 4:
            indices = np.stack([indices >> 4, indices & 15], 1).reshape(-1)
        images.append(palette[indices[: columns * rows]].reshape(rows, columns, 4))
    return sized, images
